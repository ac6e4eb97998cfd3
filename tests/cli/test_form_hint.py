"""The hint on stderr that form alone makes many errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli_runs import lines, run

REFERENCE = {"total": "12.00", "date": "2023-12-31", "vendor": "Kedai Kopi", "tax": "1.00", "rate": "19%", "till": "7"}
FORM = {"total": "$12", "date": "31 Dec 2023", "vendor": "KEDAI  KOPI.", "tax": "1,00 €", "rate": "19.0 %", "till": "8"}
VALUE = {"total": "13.00", "date": "2022-12-31", "vendor": "Warung", "tax": "2.00", "rate": "7%", "till": "7"}


def stderr(tmp_path: Path, predictions: list[Any], *options: str) -> str:
    """What is printed to stderr."""
    files = lines(tmp_path / "r.jsonl", [REFERENCE] * len(predictions)), lines(tmp_path / "p.jsonl", predictions)
    done = run(*files, *options)
    assert done.exit_code == 0
    return str(done.stderr)


def test_form_only(tmp_path: Path) -> None:
    expected = "hint: 5 of 6 corrections are values that differ in form only; see --normalize\n"
    assert stderr(tmp_path, [FORM]) == expected
    assert stderr(tmp_path, [FORM], "--metric", "kieval", "--metric", "hed") == expected


def test_long_corpora(tmp_path: Path) -> None:
    assert stderr(tmp_path, [FORM] * 501) == (
        "hint: 2,500 of 3,000 corrections in the first 500 documents are values that differ in form only; "
        "see --normalize\n"
    )


@pytest.mark.parametrize(
    ("predictions", "options"),
    [
        ([VALUE] * 9, []),
        ([{**REFERENCE, "total": "12"}], []),  # a few
        ([VALUE] * 50 + [FORM], []),  # a small share
        ([FORM], ["--normalize", "casefold"]),
        ([FORM], ["--match", "similar(0.9)"]),
        ([FORM], ["--metric", "entity_f1"]),
    ],
)
def test_no_hint(predictions: list[Any], options: list[str], tmp_path: Path) -> None:
    assert stderr(tmp_path, predictions, *options) == ""
