"""docie attack: rows of attacked forms, and how far a model falls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from docie import attacks as form_attacks
from docie import form_robustness, robustness
from docie.robustness.form import Page

import synthetic_invoices
from cli_runs import lines, run_command

pytest.importorskip("faker")
FORMS = synthetic_invoices.invoices(4, 7)
MODEL = """
def tax(forms):
    rows = [[word.text for word in form.words] for form in forms]
    return [{"total_tax": next((b for a, b in zip(row, row[1:]) if a in ("VAT", "Tax")), None)} for row in rows]

def sure(forms):
    return [{"total_tax": {"value": form.document()["total_tax"], "confidence": 0.75}} for form in forms]

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
    """With a model and without. Two attacks that are not joined are two sets of forms, which need a model."""
    joined = run_command("attack", "forms.jsonl", "--attack", "key_drop+global_shuffle")
    expected = [form_attacks.apply(["key_drop", "global_shuffle"], form, seed=0) for form in FORMS]
    texts = [[word.text for word in form.words] for form in expected]
    assert [json.loads(line)["words"] for line in joined.stdout.splitlines()] == texts
    model = run_command(
        "attack", "forms.jsonl", "--model", "tax_model:tax", "--attack", "key_drop+bg_typo", "--format", "json"
    )
    assert [row["parts"] for row in json.loads(model.stdout)["attacks"]] == [["key_drop", "bg_typo"]]
    assert refused("forms.jsonl", "--attack", "key_drop", "--attack", "bg_typo+bg_drop") == (
        "--attack is given 2 times; --attack key_drop+bg_typo+bg_drop makes one after the other\n"
    )


def test_attacks_as_strong_as_a_severity_needs(here: Path) -> None:
    done = run_command("attack", "forms.jsonl", "--attack", "bg_drop", "--severity", "edit_rate=0.2")
    strength = form_attacks.strength_for("bg_drop", FORMS, seed=0, edit_rate=0.2)
    expected = [form_attacks.apply("bg_drop", form, seed=0, strength=strength) for form in FORMS]
    assert [len(json.loads(line)["words"]) for line in done.stdout.splitlines()] == [
        len(form.words) for form in expected
    ]
    assert f"edit_rate {form_attacks.severity(FORMS, expected).edit_rate:.4f}" in done.stderr
    options = ["--attack", "bg_drop", "--attack", "global_shuffle", "--severity", "edit_rate=0.2", "--format", "json"]
    model = run_command("attack", "forms.jsonl", "--model", "tax_model:tax", *options)
    assert [(row["attack"], row["strength"]) for row in json.loads(model.stdout)["attacks"]] == [("bg_drop", strength)]
    assert model.stderr == (
        "warning: no strength of these attacks reaches edit_rate 0.2, so they are left out: global_shuffle\n"
    )


def test_confidences_have_a_table_of_their_own(here: Path) -> None:
    model = ["forms.jsonl", "--attack", "key_drop", "--format", "markdown", "--model"]
    assert "average precision" not in run_command("attack", *model, "tax_model:tax").stdout
    done = run_command("attack", *model, "tax_model:sure", "--precision", "0.5").stdout
    assert "| none | 4 | 0.7500 | 1.0000 | 0.2500 | 0.0625 | 1.0000 | 1.0000 | 1.0000 |" in done
    assert refused(*model, "tax_model:sure", "--precision", "2") == "precision must be between 0 and 1, got 2.0\n"


def test_attacks_at_further_strengths(here: Path) -> None:
    options = ["--attack", "bg_drop", "--strengths", "0.5,2", "--format", "json"]
    done = run_command("attack", "forms.jsonl", "--model", "tax_model:tax", *options)
    names = {row["attack"] for row in json.loads(done.stdout)["attacks"]}
    assert names == {"bg_drop", "bg_drop@0.5", "bg_drop@2"}


def test_a_model_is_attacked(here: Path) -> None:
    options = ["forms.jsonl", "--model", "tax_model:tax", "--attack", "key_drop", "--attack", "center_shift"]
    expected = robustness.run(tax, FORMS, attacks=["key_drop", "center_shift"], families=["nted"])
    done = run_command("attack", *options, "--metric", "nted", "--format", "json")
    assert done.stderr == ""
    assert json.loads(done.stdout) == expected.to_json()
    table = run_command("attack", *options, "--by-field").stdout
    assert "key_drop" in table
    assert "drop of F1 by field" in table
    assert f" 4 forms · {form_robustness.NAME}|" in " ".join(table.split())
    markdown = run_command("attack", *options, "--format", "markdown", "--folder", "kept").stdout
    assert markdown.startswith("| attack | forms | F1 | drop | interval |")
    assert sorted(path.name for path in (here / "kept").iterdir()) == [
        "center_shift.json",
        "key_drop.json",
        "none.json",
    ]


def test_forms_in_which_an_attack_finds_nothing(here: Path) -> None:
    """Two of five have no keys. Without a model it is said how many; with one, they do not count for the attack."""
    records: list[dict[str, Any]] = [{"id": form.id, **form.to_record()} for form in FORMS]
    without = [{**row, "id": f"{row['id']} without", "is_key": [0] * len(row["words"])} for row in records[:2]]
    path = lines(here / "some.jsonl", [*records[:3], *without])
    assert "not applicable" not in run_command("attack", "forms.jsonl", "--attack", "key_drop").stderr
    said = run_command("attack", str(path), "--attack", "key_drop").stderr
    assert said.endswith("\nnot applicable: key_drop (nothing to change in 2 of 5 forms)\n")
    alone = str(lines(here / "without.jsonl", without))
    said = run_command("attack", alone, "--attack", "key_drop+value_location_move").stderr
    assert said.endswith("\nnot applicable: key_drop+value_location_move (nothing to change in these forms)\n")
    model = ["--model", "tax_model:tax", "--attack", "key_drop", "--attack", "bg_drop"]
    found = json.loads(run_command("attack", str(path), *model, "--format", "json").stdout)
    assert {row["attack"]: row["forms"] for row in found["attacks"]} == {"key_drop": 3, "bg_drop": 5}
    for output in ("table", "markdown"):
        done = run_command("attack", alone, *model, "--format", output)
        assert done.exit_code == 0
        assert "not applicable: key_drop (nothing to change in these forms)" in done.stdout.splitlines()
        assert "\n| key_drop |" not in done.stdout


def tax(forms: Sequence[Page]) -> list[Any]:
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
    assert refused(*model, "tax_model:tax", "--option", "seed=1", "--option", "p=1") == (
        "--option p does nothing beside --model\n"
    )
    assert refused("-", "--model", "tax_model:tax", stdin="") == "there are no forms to attack\n"
    assert refused("-", "--model", "tax_model:tax", stdin='{"words": 3}').endswith(
        "words must be a list, got a number\n"
    )
    assert refused("forms.jsonl") == "name an attack with --attack, or a model with --model\n"
    drop = ("forms.jsonl", "--attack", "bg_drop")
    assert refused(*drop, "--severity", "0.2") == ("--severity must be NAME=VALUE, such as edit_rate=0.1, got '0.2'\n")
    assert refused(*drop, "--severity", "edits=0.2").startswith(
        "name one measure, such as edit_rate=0.1, of mean_iou, "
    )
    assert refused(*drop, "--severity", "edit_rate=0.2", "--strength", "2") == (
        "--strength does nothing beside --severity\n"
    )
    assert refused(*drop, "--severity", "mean_iou=0.5") == (
        "no strength up to 100 reaches mean_iou 0.5; at 100 it is 1\n"
    )
    assert refused(*model, "tax_model:tax", "--severity", "mean_iou=0.5") == (
        "no attack is left: no strength of these attacks reaches mean_iou 0.5: key_drop\n"
    )
    assert refused(*model, "tax_model:tax", "--strengths", "1;2") == (
        "--strengths must be numbers separated by commas, such as 0.5,2, got '1;2'\n"
    )
    assert refused(*drop, "--strengths", "2") == "--strengths needs --model\n"
    options = (["--pairs"], ["--by-field"], ["--folder", "x"], ["--metric", "hed"], ["--format", "json"])
    for option in (*options, ["--precision", "0.9"], ["--confidence-level", "0.9"]):
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


def test_what_fails_in_the_model_says_where(here: Path) -> None:
    """It is the user's code that has to be looked at; exit code 1 would mean a regression."""
    (here / "faulty.py").write_text(
        "import json\nimport sys\n\n\ndef by_zero(forms):\n    return 1 / 0\n\n\ndef in_a_package(forms):\n"
        "    return json.loads('{')\n\n\ndef ends(forms):\n    sys.exit(0)\n\n\ndef late(forms):\n    yield {}\n"
        "    raise KeyError('several\\nlines')\n\n\ndef one(forms):\n    return [{}]\n\n\ndef none(forms):\n    pass\n\n\n"
        "def strange(forms):\n    return [object() for _ in forms]\n"
    )
    (here / "torn.py").write_text("def f(:\n")
    (here / "lost.py").write_text("import no_such_package\n")
    place = f"({here}/faulty.py, line {{}}, in {{}})\n"
    for name, problem in {
        "tax_model:fails": "--model tax_model:fails failed: ValueError: no such layer (",
        "faulty:by_zero": "failed: ZeroDivisionError: division by zero " + place.format(6, "by_zero"),
        "faulty:in_a_package": "(char 1) " + place.format(10, "in_a_package"),
        "faulty:ends": "failed: SystemExit: 0 " + place.format(14, "ends"),
        "faulty:late": r"failed: KeyError: 'several\nlines' " + place.format(19, "late"),
        "faulty:one": "--model faulty:one: expected an answer for each of 4 forms, got 1\n",
        "faulty:none": "--model faulty:none: the answers must be a sequence of documents, got NoneType\n",
        "faulty:strange": "answer 0: expected text, a number, a boolean, a list or an object, got object\n",
        "torn:f": "--model: the import of torn failed: SyntaxError: invalid syntax (torn.py, line 1)\n",
        "lost:f": "ModuleNotFoundError: No module named 'no_such_package' "
        + f"({here}/lost.py, line 1, in <module>)\n",
    }.items():
        message = refused("forms.jsonl", "--attack", "key_drop", "--model", name)
        assert problem in message, message
        assert message.count("\n") == 1
