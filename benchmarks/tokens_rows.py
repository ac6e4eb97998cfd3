"""Labels of tokens → labels of words, beside the usual loop over tokens whose label is not -100, which joins nothing.

The documents are rows of 512 tokens, two a word, with logits of 60 labels, or what is kept of them. The kernel is the
largest of each token's logits.
"""

from __future__ import annotations

from typing import Any

import cases
import numpy as np

from docie.adapters import tokens

REFERENCE = "loop over tokens"
TOKENS, LABELS = 512, 60


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "word_labels, first": labels("first"),
        "word_labels, mean": labels("mean"),
        "word_labels, max": labels("max"),
        "word_labels, ids kept": labels("first", keep=True),
        "loop over tokens": lambda pairs: lambda: [loop(logits) for logits, _ in pairs],
        "kernel": lambda pairs: lambda: [logits.argmax(axis=-1) for logits, _ in pairs],
    }
    number = max(documents // 5, 1)
    return cases.rows(makers, {f"{number} rows": cases.Case(number, lambda: rows(number))})


def rows(number: int) -> list[cases.Pair]:
    """Logits, and the word of each token."""
    rng = np.random.default_rng(0)
    words = [position // 2 for position in range(TOKENS)]
    return [(rng.normal(size=(TOKENS, LABELS)).astype(np.float32), words) for _ in range(number)]


def labels(strategy: str, *, keep: bool = False) -> cases.Maker:
    """docie's, of logits or of ids and confidences."""

    def make(pairs: list[cases.Pair]) -> cases.Work:
        logits, word_ids = np.stack([logits for logits, _ in pairs]), [words for _, words in pairs]
        given: Any = (logits.argmax(axis=-1), logits.max(axis=-1)) if keep else logits
        return lambda: tokens.word_labels(
            given, word_ids, [f"t{number}" for number in range(LABELS)], strategy=strategy
        )

    return make


def loop(logits: Any) -> list[str]:
    """The first token of every word has a label."""
    marked = [0 if position % 2 == 0 else -100 for position in range(TOKENS)]
    names = [f"t{number}" for number in range(LABELS)]
    return [names[label] for label, mark in zip(logits.argmax(axis=-1), marked, strict=True) if mark != -100]
