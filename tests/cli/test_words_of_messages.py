"""Messages about input speak of JSON: null, text, a number, a list, an object; no word of Python."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import docie

from cli_runs import run_command

PYTHON = re.compile(
    r"\b(NoneType|None|True|False|dict|tuple|int|float|str|bool|ndarray|Traceback|set_int_max_str_digits)\b"
)
LONG = "9" * 6000


def each(*values: Any) -> tuple[Any, ...]:
    return values


ROWS: list[Any] = [
    *(None, True, 3, 2.5, "x", "", [], [None], [1], ["x"], [[None]], [[1, 2]], {}, {"a": None}, {"a": [None]}),
    *({"a": {"value": "1", "confidence": fact}} for fact in each("x", True, None, 7)),
    *({"a": {"value": value, "confidence": 0.5}} for value in each(None, ["1"], {"b": 1})),
    *({"a": {"value": "1", "confidence": 1, "box": box}} for box in each(None, [1], "x")),
    *({"a": {"$any_of": alternatives}} for alternatives in each(None, [], [{"b": 1}], [["1"]], [None, True])),
    *({"words": ["a"], "tags": tags} for tags in each(None, [None], [1], [True], [["O"]], "O")),
    *({"words": words, "tags": ["O"]} for words in each(None, [None], [1], [["a"]], [{}])),
    *({"words": ["a"], "tags": ["O"], "sentences": lengths} for lengths in each(None, "x", [None], [True])),
    *({"id": identity, "document": {}} for identity in each(None, True, [1], 1.5, {})),
    *({"id": "x", "reference": content} for content in each(None, 3, "x", [])),
    *({"id": "x", "document": {}, "meta": meta} for meta in each(None, 3, [])),
    *([{"label": "a", "box": box}] for box in each(None, {}, [0, 0, None, 1], ["0", 0, 1, 1], [0, 0, 1, True])),
    *([{"label": label, "box": [0, 0, 1, 1]}] for label in each(None, True, [])),
    *([["a", text]] for text in each(None, 1, [1], {})),
    *([[category, "a"]] for category in each(None, True, [])),
    *([{"category": "a", "text": text}] for text in each(None, [])),
    *(["O", tag] for tag in each(None, 1, True, ["O"], {})),
    *({"attacks": versions} for versions in each(None, 3, {}, {"none": None}, {"none": {}, "x": True})),
    {"tokens": ["a"], "ner_tags": [1]},
    {"a": "LONG"},
]


BOTH, *ONE = (["row.jsonl", "row.jsonl"], ["row.jsonl", "good.jsonl"], ["good.jsonl", "row.jsonl"])
FEW = [["score", *BOTH, "--metric", name] for name in ("entity_f1", "oi_entities", "box_iou")]
FEW += [["check", *BOTH], ["check", *ONE[0]], ["check", *ONE[1]]]
FEW += [["score", *BOTH], ["score", *ONE[1]], ["attack", "row.jsonl", "--attack", "key_drop"]]
MORE = [["score", *files, "--metric", name] for name in docie.families() for files in (BOTH, *ONE)]
MORE += [
    ["errors", *BOTH],
    ["threshold", *BOTH],
    ["score", *BOTH, "--metric", "all"],
    ["compare", *ONE[0], "good.jsonl"],
]


@pytest.mark.exhaustive
@pytest.mark.parametrize("commands", [FEW, MORE], ids=["few", "more"])
def test_no_word_of_python(commands: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.jsonl").write_text('{"a": "1"}\n')
    for row in ROWS:
        Path("row.jsonl").write_text(json.dumps(row).replace('"LONG"', LONG) + "\n")
        for command in commands:
            result = run_command(*command)
            assert result.exit_code in (0, 2)
            assert not PYTHON.search(result.stderr), (row, command, result.stderr)
            assert result.exit_code == 0 or result.stderr.count("\n") == 1, (row, command, result.stderr)


def test_numbers_that_are_too_long_have_a_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    expected = "expected a number of at most 4,300 digits, got one of 6,000"
    for name, text in (
        ("row.jsonl", f'{{"a": {LONG}}}'),
        ("list.json", f'[{{"a": "1"}},\n {{"a": "{LONG}\\"", "b": -{LONG}}}]'),
        ("form.jsonl", f'{{"words": ["a"], "labels": ["x"], "page": [{LONG}, 1]}}'),
        ("good.jsonl", '{"a": "1"}'),
    ):
        Path(name).write_text(text)
    for command, message in {
        "score row.jsonl good.jsonl": f"row.jsonl:1: {expected} (column 7)",
        "score good.jsonl row.jsonl": f"row.jsonl:1: {expected} (column 7)",
        "errors list.json good.jsonl": f"list.json:1: {expected} (line 2, column 6020)",
        "compare row.jsonl good.jsonl good.jsonl": f"row.jsonl:1: {expected} (column 7)",
        "attack form.jsonl --attack bg_drop": f"form.jsonl:1: {expected} (column 44)",
        "score good.jsonl good.jsonl --option weights=row.jsonl": f"weights: row.jsonl: not JSON ({expected} (column 7))",
        "score good.jsonl good.jsonl --schema row.jsonl": f"--schema: row.jsonl: not JSON ({expected} (column 7))",
    }.items():
        result = run_command(*command.split())
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{message}\n")
