"""Reading answers of language models, valid and broken, beside json_repair.

The kernel is json.loads of valid answers.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import cases

from docie.adapters import llm

REFERENCE = "json_repair"
FAULTS: dict[str, Callable[[str], str]] = {
    "valid": str,
    "in prose and a fence": lambda text: f"Here is the document:\n```json\n{text}\n```\nAnything else?",
    "a comma too many": lambda text: f"{text[:-1]},}}",
    "a quote missing at the start": lambda text: text.replace('": "', '": ', 1),
    "cut off": lambda text: text[: len(text) * 2 // 3],
}


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {"to_document": answer_by_answer(llm.to_document), "kernel": answer_by_answer(json.loads)}
    if importlib.util.find_spec("json_repair"):
        from json_repair import loads

        makers["json_repair"] = answer_by_answer(loads)
    with_faults = {
        f"{name}, {fault}": case._replace(pairs=partial(answers, case.pairs, fault))
        for name, case in (cases.receipts(documents) | cases.invoices(1000)).items()
        for fault in FAULTS
    }
    broken = {("kernel", name) for name in with_faults if not name.endswith("valid")}  # json.loads reads none of these
    return cases.rows(makers, with_faults, without=broken)


def answers(pairs: Callable[[], list[cases.Pair]], fault: str) -> list[cases.Pair]:
    """The references as answers with a fault."""
    return [(FAULTS[fault](json.dumps(reference)), None) for _, reference in pairs()]


def answer_by_answer(read: Callable[[str], Any]) -> cases.Maker:
    """A function of an answer."""
    return lambda pairs: lambda: [read(answer) for answer, _ in pairs]
