"""Bad input of every kind, through the entry point: exit code 2, one printable line on stderr, nothing on stdout."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from configured import configured

from docie.cli import main

GOOD = '{"total": "12.00", "items": [{"name": "Latte"}]}\n{"total": "7.50"}\n'
FILES: dict[str, str | bytes] = {
    "nothing": "",
    "blank lines": "\n\n \n",
    "no JSON": "sorry\n",
    "cut short": '{"total": "12.0',
    "cut in a list": '[{"total": "1"}, {"total": ',
    "a comma too many": '{"total": "1",}\n{}\n',
    "single quotes": "{'total': '1'}\n{}\n",
    "two objects in a line": "{} {}\n{}\n",
    "one row less": "{}\n",
    "one row more": "{}\n{}\n{}\n",
    "no UTF-8": b'{"total": "\xff"}\n{}\n',
    "UTF-16 without its mark": '{"total": "1"}\n{}\n'.encode("utf-16-le"),
    "bytes": bytes(range(256)),
    "a ZIP file": b"PK\x03\x04\x00\x00",
    "NUL": b"\x00\x00\x00",
    "deep": '{"a":' * 1100 + "1" + "}" * 1100 + "\n{}\n",
    "very deep": "[" * 100_000,
    "a long integer": '{"a": ' + "9" * 5000 + "}\n{}\n",
    "confidence above 1": '{"a": {"value": "1", "confidence": 1.5}}\n{}\n',
    "confidence below 0": '{"a": {"value": "1", "confidence": -1}}\n{}\n',
    "confidence as text": '{"a": {"value": "1", "confidence": "high"}}\n{}\n',
    "confidence NaN": '{"a": {"value": "1", "confidence": NaN}}\n{}\n',
    "confidence true": '{"a": {"value": "1", "confidence": true}}\n{}\n',
    "an id that is a list": '{"id": [1], "document": {}}\n{}\n',
    "an id that is true": '{"id": true, "document": {}}\n{}\n',
    "an id and nothing": '{"id": "a"}\n{"id": "b"}\n',
    "an id in one row only": '{"id": "a", "document": {}}\n{"document": {}}\n',
    "an escape sequence": '\x1b[31m{"a": 1}\n{}\n',
}
REFERENCES: dict[str, str] = {
    "a list": '["x"]\n{}\n',
    "a text": '"x"\n{}\n',
    "null": "null\n{}\n",
    "a number": "{}\n5\n",
    "no JSON inside": '{"reference": "{x"}\n{}\n',
    "any of a text": '{"a": {"$any_of": "x"}}\n{}\n',
    "any of an object": '{"a": {"$any_of": {"b": 1}}}\n{}\n',
}
OPTIONS: dict[str, list[list[str]]] = {
    "both": [
        ["--normalize", value]
        for value in ("x", "", "nfkc()x", "date(", "date(x=1)", "number(decimal=';;')", "a=", "a=x", "nfkc,date", "\x1b[31m", "date(day_first=3)", "__import__('os')", "number(decimal=__x__)")
    ] + [
        ["--match", value]
        for value in ("x", "", "similar", "similar()", "similar(2)", "similar(-1)", "similar(nan)", "similar(x)", "within(-1)", "within(x%)", "within()", "a=similar(2)", "a=", "within(1", "\x07")
    ] + [
        ["--schema", value] for value in ("nowhere.json", ".", "bad.json", "list.json", "", "\x1b[2J")
    ] + [
        ["--option", value]
        for value in ("x", "=", "=x", "x=1", "mathcing=greedy", "matching=", "matching=best", "matching=1", "matching=[]", "ontology=5", "ontology=[5]", "empty_groups=x", "thresholds=x", "thresholds=[]", "thresholds=[NaN]", 'thresholds=["a"]', "thresholds={}", "normalize=x", "match=x", "schema=5", "weights=5", 'weights={"a": -1}', 'weights={"a": "x"}', 'weights={"a": NaN}', "costs=-1", "costs=x", "\x1b[31m=1")
    ] + [
        ["--config", "join.missing=all"], ["--config", 'join.missing=""'], configured("id=nowhere"), *(["--config", value] for value in ("", ".", "nowhere.toml", "bad.json", "x=", "predictions.unwrap", "=x", "\x1b[31m")), ["--normalize", "nfkc", "--normalize", "a=date"],
        ["--match", "similar(0.9)", "--match", "within(1)"], ["--unknown"], ["--unknown=\x1b[31m"], ["-x"], ["third"], ["third", "fourth"],
        ["--format", "xml"], ["--format", ""], ["--format"], ["--option"], ["--normalize"],
    ],
    "score": [
        ["--workers", value] for value in ("0", "-1", "1001", "99999999999999999999", "x", "1.5", "", "nan", "--", "\x1b[31m")
    ] + [
        ["--confidence-level", value] for value in ("0", "1", "95", "-1", "nan", "inf", "x", "")
    ] + [
        ["--confidence-level", "0.9", "--interval", "percentile", *more]
        for more in (["--option", value] for value in ("bootstrap_samples=0", "bootstrap_samples=-5", "bootstrap_samples=99999999999999999999", "bootstrap_samples=x", "seed=-1", "seed=x", "seed=1.5"))
    ] + [
        ["--metric", value] for value in ("f2", "", "KIEVAL", "../kieval", "kieval,hed", "box_iou", "oi_entities", "\x1b[31m:smile:")
    ] + [
        ["--option", f"seconds_per_correction={value}"] for value in ("-1", "x", "NaN", "Infinity", "true", "")
    ] + [
        ["--option", f"weights={value}"] for value in ("nowhere.json", ".", "bad.json", "list.json", "")
    ] + [["--kind", "format"], ["--by-field=yes"], ["--dataset", "x"], ["--seed", "1"], ["--weights", "w.json"], ["--issues", "i.jsonl"]],
    "errors": [["--kind", "x"], ["--kind", ""], ["--kind"], ["--workers", "2"], ["--metric", "hed"], ["--kind", "\x1b[31m"]],
}  # fmt: skip
COMMANDS: list[list[str]] = [
    ["scores"], ["compare"], ["--unknown"], ["-v"], ["", "r.jsonl"], ["score"], ["errors"], ["score", "r.jsonl"], ["errors", "r.jsonl"],
    ["families", "x"], ["families", "--x"], ["score", "-", "-"], ["score", "nowhere", "p.jsonl"], ["score", "r.jsonl", "nowhere"],
    ["score", "r.jsonl", "empty"], ["score", "table.csv", "p.jsonl"], ["score", "r.jsonl", "table.parquet"], ["score", "r.jsonl", ""],
    ["score", "r.jsonl", "x" * 5000], ["score", "r.jsonl", "\x1b[31m:smile:\r\n.jsonl"], ["errors", "r.jsonl", "\x9b31m"], ["score", "mixed", "mixed"],
    ["score", "r.jsonl", "p.jsonl/x"], ["score", "twice.jsonl", "twice.jsonl"], ["--version=1"], ["\x1b[31m"],
]  # fmt: skip


def cases() -> Iterator[Any]:
    for name, content in FILES.items():
        for side in "rp":
            yield pytest.param(["score", "r.jsonl", "p.jsonl"], {f"{side}.jsonl": content}, id=f"{side}: {name}")
    for name, content in REFERENCES.items():
        yield pytest.param(["score", "r.jsonl", "p.jsonl"], {"r.jsonl": content}, id=f"reference: {name}")
    for command in ("score", "errors"):
        for options in OPTIONS["both"] + OPTIONS[command]:
            is_again = command == "errors" and options in OPTIONS["both"]  # the code is that of score
            marks = [pytest.mark.exhaustive] * is_again
            arguments = [command, "r.jsonl", "p.jsonl", *options]
            yield pytest.param(arguments, {}, id=ascii(" ".join([command, *options])), marks=marks)
    for arguments in COMMANDS:
        yield pytest.param(arguments, {}, id=ascii(" ".join(arguments))[:60])


def run_main(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """The exit code, and what stands on stdout and stderr."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
    monkeypatch.setattr(sys, "argv", ["docie", *arguments])
    monkeypatch.setattr(sys, "stdout", streams[0])
    monkeypatch.setattr(sys, "stderr", streams[1])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(SystemExit) as end:
        main()
    texts = []
    for stream in streams:
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    return int(str(end.value.code)), texts[0], texts[1]


@pytest.mark.parametrize(("arguments", "files"), [*cases()])
def test_bad_input_is_one_line(
    arguments: list[str], files: dict[str, str | bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    others: dict[str, str | bytes] = {
        "bad.json": "{",
        "list.json": "[1, 2]",
        "table.csv": "a\n",
        "table.parquet": b"PAR1",
    }
    others["twice.jsonl"] = '{"id": "a", "document": {}}\n' * 2
    for name, content in ({"r.jsonl": GOOD, "p.jsonl": GOOD} | others | files).items():
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("empty").mkdir()
    Path("mixed").mkdir()
    Path("mixed", "a.json").write_text("{}")
    Path("mixed", "a.bio").write_text("x\tO\n")
    code, output, errors = run_main(arguments, monkeypatch)
    assert (code, output) == (2, ""), errors
    assert errors.endswith("\n")
    assert len(errors) > 5
    assert errors[:-1].isprintable()


def test_there_are_200_kinds() -> None:
    assert len([*cases()]) >= 200


def test_a_folder_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path) -> Any:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", refuse)
    assert run_main(["score", str(tmp_path), str(tmp_path)], monkeypatch) == (2, "", f"{tmp_path}: Permission denied\n")
