"""The page "One prediction, twenty numbers": its tables and sentences are what its script measures on real documents."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest

from docie import protocols

from checkout import ROOT, skip_module_without

skip_module_without("docs", "benchmarks")
sys.path.insert(0, str(ROOT / "docs"))

from make_numbers_picture import PAGE, PICTURE, UNITS, draw, scores  # noqa: E402

TEXT = PAGE.read_text(encoding="utf-8")


def test_every_protocol_is_there_or_left_out() -> None:
    assert [name for name in protocols.names() if f"`{name}`" not in TEXT] == []


def test_the_rows_are_short_and_in_order() -> None:
    assert [len(rows) for rows in scores()] == [16, 19]
    assert len(TEXT.splitlines()) <= 120
    for rows in scores():
        assert rows == sorted(rows, key=lambda row: row[0])
        assert {unit for *_, unit in rows} <= {*UNITS}
    for counts in re.findall(r"^\| \*\*.*?\| .*?\| (.*?) \|", TEXT, re.MULTILINE):
        assert len(counts.split()) <= 6, counts


def test_the_picture_shows_the_tables(tmp_path: Path) -> None:
    draw(tmp_path / "drawn.svg")
    assert PICTURE.read_bytes() == (tmp_path / "drawn.svg").read_bytes()


@pytest.mark.exhaustive
def test_the_page_says_what_its_script_measures(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    script = importlib.import_module("twenty_numbers")
    found = script.read(data)
    made = script.parts(found)
    assert script.written(TEXT, made) == TEXT, f"run `DOCIE_DATA=... python benchmarks/twenty_numbers.py {PAGE.name}`"
    said = " ".join(TEXT.split())
    assert [sentence for sentence in script.sentences(found, made) if sentence not in said] == []
