"""docie attack: rows of attacked forms, and how far a model falls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from docie import form_robustness, robustness
from docie.cli import app
from docie.form import Form

import synthetic_invoices
from cli_runs import lines, run_command

pytest.importorskip("faker")
FORMS = synthetic_invoices.invoices(4, 7)
MODEL = """
def tax(forms):
    rows = [[word.text for word in form.words] for form in forms]
    return [{"total_tax": next((b for a, b in zip(row, row[1:]) if a in ("VAT", "Tax")), None)} for row in rows]

def fails(forms):
    raise ValueError("no such layer")
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with forms and a model."""
    (tmp_path / "tax_model.py").write_text(MODEL)
    lines(tmp_path / "forms.jsonl", [{"id": form.id, **form.to_record()} for form in FORMS])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(*arguments: str, stdin: str | None = None) -> str:
    """The message of a run with exit code 2."""
    result = run_command("attack", *arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    return str(result.stderr)


def test_names_joined_by_plus_are_applied_one_after_the_other(here: Path) -> None:
    joined = run_command("attack", "forms.jsonl", "--attack", "key_drop+global_shuffle")
    apart = run_command("attack", "forms.jsonl", "--attack", "key_drop", "--attack", "global_shuffle")
    assert joined.exit_code == 0
    assert joined.stdout == apart.stdout != ""


def test_a_model_is_attacked(here: Path) -> None:
    options = ["forms.jsonl", "--model", "tax_model:tax", "--attack", "key_drop", "--attack", "center_shift"]
    expected = robustness.run(tax, FORMS, attacks=["key_drop", "center_shift"], families=["nted"])
    done = run_command("attack", *options, "--metric", "nted", "--format", "json")
    assert done.stderr == ""
    assert json.loads(done.stdout) == expected.to_json()
    table = run_command("attack", *options, "--by-field").stdout
    assert "key_drop" in table
    assert "drop of F1 by field" in table
    assert table.splitlines()[-1].startswith(f"4 forms · {form_robustness.NAME}|")
    markdown = run_command("attack", *options, "--format", "markdown", "--folder", "kept").stdout
    assert markdown.startswith("| attack | F1 | drop | interval |")
    assert sorted(path.name for path in (here / "kept").iterdir()) == [
        "center_shift.json",
        "key_drop.json",
        "none.json",
    ]


def tax(forms: Sequence[Form]) -> list[Any]:
    names: dict[str, Any] = {}
    exec(MODEL, names)
    answers: list[Any] = names["tax"](forms)
    return answers


def test_bad_input_is_one_line(here: Path) -> None:
    model = ["forms.jsonl", "--attack", "key_drop", "--model"]
    assert refused(*model, "tax_model") == "--model must be MODULE:FUNCTION, got 'tax_model'\n"
    assert refused(*model, "tax_modle:tax") == "--model: there is no module 'tax_modle' here\n"
    assert refused(*model, "tax_model:taxes") == "--model: tax_model has no function 'taxes'\n"
    assert "nothing.jsonl" in refused("nothing.jsonl", "--model", "tax_model:tax")
    assert refused(*model, "tax_model:tax", "--attack", "kydrop").startswith(
        "unknown attack 'kydrop', expected one of "
    )
    assert refused(*model, "tax_model:tax", "--option", "p=1") == "--option is for attacked records, without --model\n"
    assert refused("-", "--model", "tax_model:tax", stdin="") == "there are no forms to attack\n"
    assert refused("-", "--model", "tax_model:tax", stdin='{"words": 3}').endswith("words must be a list, got int\n")
    assert refused("forms.jsonl") == "name an attack with --attack, or a model with --model\n"
    for option in (["--pairs"], ["--by-field"], ["--folder", "x"], ["--metric", "hed"], ["--format", "json"]):
        assert refused("forms.jsonl", "--attack", "key_drop", *option) == f"{option[0]} needs --model\n"


def test_forms_without_an_id_are_attacked_by_number(here: Path) -> None:
    """Equal forms without ids would all be attacked alike."""
    record = {"words": [f"word {number}" for number in range(20)]}
    lines(here / "equal.jsonl", [record] * 3)
    (here / "seen_model.py").write_text(
        "def seen(forms):\n    print([form.id for form in forms], len({form.words for form in forms}))\n"
        "    return [{} for _ in forms]\n"
    )
    done = run_command("attack", "equal.jsonl", "--model", "seen_model:seen", "--attack", "global_shuffle")
    assert done.stdout.splitlines()[:2] == ["[1, 2, 3] 1", "[1, 2, 3] 3"]


def test_what_fails_in_the_model_is_no_bad_input(here: Path) -> None:
    """It shows a traceback, because it is the user's code that has to be looked at."""
    result = CliRunner().invoke(app, ["attack", "forms.jsonl", "--model", "tax_model:fails"])
    assert isinstance(result.exception, RuntimeError)
    assert str(result.exception) == "tax_model:fails failed: no such layer"
    assert isinstance(result.exception.__cause__, ValueError)
