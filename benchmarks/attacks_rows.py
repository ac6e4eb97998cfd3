"""Attacks on forms: each with the paper's settings, where there are such, on CORD's receipts and on synthetic invoices.

The reference makes the form anew, with all of its checks, and does nothing else. 10,000 forms a minute are 6 ms a form.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import cases

from docie import attacks
from docie.adapters import records
from docie.robustness.form import Page

REFERENCE = "made anew"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(attack, case) → row."""
    makers: dict[str, cases.Maker] = {name: attack(name) for name in attacks.names(own=True)}
    makers["bg_synonyms"] = attack("bg_synonyms", source="lexicon")
    makers["value_location_move"] = attack("value_location_move", types=["vendor", "menu.nm"])  # what these forms have
    makers["severity"] = lambda pairs: lambda: [attacks.severity(form, form) for form, _ in pairs]
    makers[REFERENCE] = lambda pairs: lambda: [form.with_words(form.words) for form, _ in pairs]
    number = max(documents // 5, 1)
    return cases.rows(makers, {f"{number} invoices": cases.Case(number, partial(_invoices, number)), **cord()})


def attack(name: str, **options: Any) -> cases.Maker:
    """An attack with its defaults. The forms are made once."""
    return lambda pairs: lambda: [attacks.apply(name, form, seed=0, **options) for form, _ in pairs]


def _invoices(number: int) -> list[cases.Pair]:
    sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
    from synthetic_invoices import invoices

    return [(form, None) for form in invoices(number, seed=0)]


def cord() -> dict[str, cases.Case]:
    """CORD's test set, if DOCIE_DATA names the folder that has it."""
    file = Path(os.environ.get("DOCIE_DATA", "nowhere")) / "cord-test" / "references.jsonl"
    return {"CORD": cases.Case(100, partial(_cord, file))} if file.is_file() else {}


def _cord(file: Path) -> list[cases.Pair]:
    rows = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [(Page.from_record(records.words_and_boxes(row) | {"id": row["id"]}), None) for row in rows]
