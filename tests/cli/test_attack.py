"""`docie attack`: attacked records, what was done to them, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docie import attacks
from docie.adapters import records
from docie.robustness.form import Page

from cli_runs import lines, run_command
from synthetic_invoices import invoices

FORMS = invoices(5, seed=2)
RECORDS: list[Any] = [{**form.to_record(), "id": form.id, "vendor": 3} for form in FORMS]


def attacked(*arguments: str, stdin: str | None = None) -> tuple[list[Any], str]:
    """The records that the command prints, and what it says."""
    done = run_command("attack", *arguments, stdin=stdin)
    assert done.exit_code == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_it_does_what_python_does(tmp_path: Path) -> None:
    file = lines(tmp_path / "forms.jsonl", RECORDS)
    found, says = attacked(file, "--attack", "bg_drop+global_shuffle", "--option", "seed=3", "--option", "p=0.5")
    forms = [Page.from_record(record) for record in RECORDS]
    expected = [attacks.apply(["bg_drop", "global_shuffle"], form, seed=3, p=0.5) for form in forms]
    assert found == [record | form.to_record(record) for record, form in zip(RECORDS, expected, strict=True)]
    figures = attacks.severity(forms, expected)
    assert says == (
        f"mean_iou 1.0000, edit_rate {figures.edit_rate:.4f}, moved 0.0000, reordered {figures.reordered:.4f}, "
        f"dropped {figures.dropped:.4f}, replaced 0.0000, value_shift 0.0000\n"
    )


def test_strength_and_standard_input() -> None:
    text = "".join(json.dumps(record) + "\n" for record in RECORDS)
    assert attacked("-", "--attack", "bg_drop", "--strength", "0", stdin=text)[0] == RECORDS
    assert attacked("-", "--attack", "bg_drop", stdin="") == ([], "edit_rate 0.0000, moved 0.0000, reordered 0.0000, dropped 0.0000, replaced 0.0000\n")  # fmt: skip


def test_tags_and_labels(tmp_path: Path) -> None:
    record = {
        "tokens": ["Sum", "5", "Bye"],
        "bboxes": [[0, 0, 9, 9], [10, 0, 19, 9], [0, 20, 9, 29]],
        "ner_tags": [1, 3, 5],
    }
    file = lines(tmp_path / "tags.jsonl", [record])
    names, key_labels = ["O", "B-Q", "I-Q", "B-A", "I-A", "B-H"], ["q"]
    for as_text in (",".join, json.dumps):
        options = ["--option", f"names={as_text(names)}", "--option", f"key_labels={as_text(key_labels)}"]
        assert attacked(file, "--attack", "key_drop", "--type", "a", *options)[0] == [{"tokens": ["5", "Bye"], "bboxes": [[10, 0, 19, 9], [0, 20, 9, 29]], "ner_tags": [3, 5]}]  # fmt: skip


def test_annotation_with_links(tmp_path: Path) -> None:
    """The words of the linked question are the key, though another question stands between."""
    entities = [("question", "Sum", [[0, 2]]), ("question", "Tax", []), ("answer", "5", [[0, 2]])]
    form = [
        {
            "id": number,
            "label": label,
            "text": text,
            "linking": links,
            "words": [{"text": text, "box": [0, 10 * number, 9, 10 * number + 9]}],
        }
        for number, (label, text, links) in enumerate(entities)
    ]
    file = lines(tmp_path / "funsd.jsonl", [{"id": "f", "form": form}])
    [found], _ = attacked(file, "--attack", "key_drop", "--type", "answer")
    assert (found["id"], found["words"], found["entities"]) == ("f", ["Tax", "5"], [1, 2])


def test_cord(data: Path) -> None:
    file = data / "cord-test" / "references.jsonl"
    found, _ = attacked(str(file), "--attack", "margin_pad")
    first = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    record = {"id": first["id"], **records.words_and_boxes(first)}
    assert len(found) == 100
    assert found[0] == record | attacks.RecordAttack(attack="margin_pad", seed=0)(record)


@pytest.mark.parametrize(
    ("record", "arguments", "message"),
    [
        ({"words": ["a"]}, ["--attack", "bg_dorp"], "unknown attack 'bg_dorp', expected one of center_shift, "),
        ({"words": ["a"]}, ["--attack", "bg_drop", "--option", "p=2"], "p must be between 0 and 1, got 2"),
        ({"words": ["a"]}, ["--attack", "bg_drop", "--option", "p"], "--option must be NAME=VALUE, got 'p'"),
        ({"words": ["a"]}, ["--attack", "center_shift"], "forms.jsonl:1: center_shift needs boxes, and the form has none"),
        ({"texts": ["a"]}, ["--attack", "bg_drop"], "forms.jsonl:1: record: column 'words' is missing"),
        (["a"], ["--attack", "bg_drop"], "record must be an object, got a list"),
        ({"ground_truth": "{"}, ["--attack", "bg_drop"], "forms.jsonl:1: CORD record: field 'ground_truth' is not JSON"),
        ({"words": ["a"], "ner_tags": [1]}, ["--attack", "bg_drop"], "forms.jsonl:1: record: ner_tags has numbers, whose names must be given as names="),
    ],
)  # fmt: skip
def test_bad_input_is_one_line(record: Any, arguments: list[str], message: str, tmp_path: Path) -> None:
    file = lines(tmp_path / "forms.jsonl", [record])
    done = run_command("attack", file, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert message in line
