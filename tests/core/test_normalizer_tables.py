"""The tables of docs/values.md: what each normaliser makes of a text, and what it leaves."""

from __future__ import annotations

import re

import pytest

from docie.core.normalizers import NORMALIZERS
from docie.core.normalizers.specs import normalizer_of

from checkout import ROOT, skip_module_without

skip_module_without("docs")

TABLE = re.compile(r"^\| text \|.*\n(?:\|.*\n)+", re.MULTILINE)
TABLES = TABLE.findall((ROOT / "docs" / "values.md").read_text(encoding="utf-8"))


def cells(line: str) -> list[str]:
    return [cell.strip().strip("`") for cell in line.strip().strip("|").split("|")]


def made(table: str) -> str:
    """The table with every cell made anew from its text and the normaliser above it."""
    head, rule, *rows = table.splitlines()
    normalisers = [normalizer_of(spec) for spec in cells(head)[1:]]
    lines = [head, rule]
    for row in rows:
        text = cells(row)[0]
        results = [normalise("total", text) for normalise in normalisers if normalise is not None]
        shown = ["stays" if result == text else f"`{result}`" if result else "no value" for result in results]
        lines.append(f"| `{text}` | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_a_table_shows_what_the_normalisers_do(table: str) -> None:
    assert table == made(table), f"the table must be\n{made(table)}"


def test_every_normaliser_has_a_column() -> None:
    names = {re.sub(r"\(.*", "", spec) for table in TABLES for spec in cells(table.splitlines()[0])[1:]}
    assert names == NORMALIZERS.keys()


def test_a_wrong_cell_is_noticed() -> None:
    [table] = [table for table in TABLES if "| `date` |" in table]
    assert made(table.replace("`2023-12-31` |", "`2023-12-30` |")) == table
