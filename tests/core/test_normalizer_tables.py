"""The tables of docs/values.md: what each normalizer makes of a text, and what it leaves."""

from __future__ import annotations

import re

from docie.core.normalizers import NORMALIZERS

from checkout import ROOT, skip_module_without
from generated import PART, normalized

skip_module_without("docs")

PAGE = (ROOT / "docs" / "values.md").read_text(encoding="utf-8")
TABLES = [content for _, name, content in PART.findall(PAGE) if name == "normalizers"]


def test_every_normalizer_has_a_column() -> None:
    """`tests/project/test_pages.py` compares the cells with what `pages.py` would write."""
    names = {name for table in TABLES for name in re.findall(r"`(\w+)", table.partition("\n")[0])}
    assert names == NORMALIZERS.keys()


def test_every_table_is_written_from_the_code() -> None:
    assert len(TABLES) == len(re.findall(r"^\| text \|", PAGE, re.MULTILINE))


def test_a_wrong_cell_is_written_anew() -> None:
    [table] = [table for table in TABLES if "| `date` |" in table]
    assert normalized(table) == table
    assert normalized(table.replace("`2023-12-31` |", "`2023-12-30` |")) == table
