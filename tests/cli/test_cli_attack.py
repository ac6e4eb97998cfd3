"""docie attack: rows of attacked forms, and how far a model falls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from docie import attacks, form_robustness, robustness
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


def test_attacked_forms_are_written(here: Path) -> None:
    done = run_command(
        "attack", "forms.jsonl", "--attack", "key_drop", "--attack", "bg_typo+global_shuffle", "--seed", "3"
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.exit_code, done.stderr) == (0, "")
    assert rows == list(robustness.attacked_rows(FORMS, ["key_drop", ["bg_typo", "global_shuffle"]], seed=3))
    again = run_command("attack", "-", "--attack", "key_drop", stdin=(here / "forms.jsonl").read_text())
    assert [json.loads(line)["attack"] for line in again.stdout.splitlines()] == ["none", "key_drop"] * 4
    every = run_command("attack", "forms.jsonl")
    assert [json.loads(line)["attack"] for line in every.stdout.splitlines()][:16] == ["none", *attacks.names()]


def test_what_was_written_can_be_attacked_again(here: Path) -> None:
    """Rows have the columns that they are read from."""
    done = run_command("attack", "forms.jsonl", "--attack", "key_drop")
    (here / "attacked.jsonl").write_text(done.stdout)
    forms = list(robustness.load_forms(here / "attacked.jsonl"))
    assert [form.document() for form in forms] == [json.loads(line)["document"] for line in done.stdout.splitlines()]


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
    assert refused("nothing.jsonl") == "nothing.jsonl: No such file or directory\n"
    assert refused("forms.jsonl", "--attack", "kydrop").startswith(
        "unknown attack 'kydrop', expected one of center_shift"
    )
    assert refused("forms.jsonl", "--pairs") == "--pairs needs --model\n"
    assert refused("forms.jsonl", "--by-field") == "--by-field needs --model\n"
    assert refused("-", "--model", "tax_model:tax", stdin="") == "there are no forms to attack\n"
    assert refused("-", stdin='{"words": 3}') == "<stdin>:1: record: words must be a list, got int\n"


def test_what_fails_in_the_model_is_no_bad_input(here: Path) -> None:
    """It shows a traceback, because it is the user's code that has to be looked at."""
    result = CliRunner().invoke(app, ["attack", "forms.jsonl", "--model", "tax_model:fails"])
    assert isinstance(result.exception, RuntimeError)
    assert str(result.exception) == "tax_model:fails failed: no such layer"
    assert isinstance(result.exception.__cause__, ValueError)
