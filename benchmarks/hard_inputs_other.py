"""Ordinary receipts in every family, and inputs that took long in other parts of docie."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import generate
from hard_inputs import Call, Case, Pair
from oi_entities_rows import entity_list

from docie.adapters import donut, grouping
from docie.core.normalizers import NORMALIZERS

RECEIPTS = 200


def receipts(form: Callable[[Any], Any]) -> list[Pair]:
    """Receipts of CORD's size, as a family reads them."""
    return [(form(prediction), form(reference)) for prediction, reference in generate.receipts(RECEIPTS)]


def boxes(document: Any) -> list[dict[str, Any]]:
    """A box for every value of a receipt, on lines of a page; the texts' lengths are the boxes' widths."""
    return [
        {"label": label, "box": [10, 12 * place, 11 + 7 * len(text), 12 * place + 10]}
        for place, (label, text) in enumerate(entity_list(document))
    ]


def as_document(document: Any) -> Any:
    return document


def marks(number: int) -> str:
    """Combining marks of two classes in turns, which normal forms put in order."""
    return "a" + "\u0315\u0300" * (number // 2)


def of_many_types(number: int) -> list[tuple[str, str]]:
    """As many entities as types, all of one group type."""
    return [(f"line.field {each}", str(each)) for each in range(number)]


def scores_elsewhere(tokens: int) -> dict[str, Any]:
    """A sequence, and scores of tokens that it does not hold."""
    return {"sequence": "<s_a>" + "ab " * tokens + "</s_a>", "token_scores": [("xyz", 0.5)] * tokens}


_FORMS: dict[str, Callable[[Any], Any]] = {"oi_entities": entity_list, "box_iou": boxes}
_FAMILIES = ("kieval", "entity_f1", "anls_star", "hed", "text_match", "nted", "oi_entities", "box_iou")

CASES = [
    Call(
        "nfkc on 100,000 combining marks in turns", "normalizers", NORMALIZERS["nfkc"], partial(marks, 100_000), "31 s"
    ),
    Call(
        "slot_filling of 16,000 types",
        "adapters",
        lambda entities: grouping.slot_filling(entities, ["line"]),
        partial(of_many_types, 16_000),
        "6.6 s",
    ),
    Call(
        "token scores that are not found, 100 kB",
        "adapters",
        lambda answer: donut.to_document(**answer),
        partial(scores_elsewhere, 33_000),
        "quadratic",
    ),
    *(
        Case("a receipt of CORD's size", family, partial(receipts, _FORMS.get(family, as_document)))
        for family in _FAMILIES
    ),
]
