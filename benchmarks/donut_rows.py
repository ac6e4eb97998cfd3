"""Reading Donut's sequences, beside transformers' token2json. The kernel, which no reader avoids, finds the tags."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import cases

from docie.adapters import donut

REFERENCE = "transformers"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "to_document": sequence_by_sequence(donut.to_document),
        "to_document, cut off": sequence_by_sequence(lambda text: donut.to_document(text[: len(text) * 2 // 3])),
        "transformers": transformers,
        "kernel": sequence_by_sequence(re.compile(r"<(/?)s_([^<>]*)>|<sep/>").findall),
        "to_sequence": lambda pairs: lambda: [donut.to_sequence(reference) for _, reference in pairs],
    }
    too_slow = {("transformers", "1,000 line items")}
    return cases.rows(makers, cases.receipts(documents) | cases.invoices(100, 1000), without=too_slow)


def sequence_by_sequence(read: Callable[[str], Any]) -> cases.Maker:
    """A function of a sequence."""

    def make(pairs: list[cases.Pair]) -> cases.Work:
        texts = [donut.to_sequence(reference) for _, reference in pairs]
        return lambda: [read(text) for text in texts]

    return make


def transformers(pairs: list[cases.Pair]) -> cases.Work:
    """token2json, without a tokenizer."""
    from transformers import DonutProcessor

    class Processor:
        token2json = DonutProcessor.token2json

    return sequence_by_sequence(lambda text: Processor().token2json(text, added_vocab={}))(pairs)
