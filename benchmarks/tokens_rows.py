"""Labels of tokens → labels of words, beside the usual loop over tokens.

The loop takes the tokens whose label is not -100. It joins neither sub-words nor windows. The documents are rows of 512
tokens, two for each word, with logits of 60 labels, or with what `preprocess_logits_for_metrics` keeps of them. The
kernel finds the largest logit of each token.
"""

from __future__ import annotations

from typing import Any

import cases
import numpy as np

from docie.adapters import tokens

REFERENCE = "loop over tokens"
TOKENS, LABELS = 512, 60
NAMES = [f"t{number}" for number in range(LABELS)]


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "word_labels, first": word_labels("first"),
        "word_labels, mean": word_labels("mean"),
        "word_labels, max": word_labels("max"),
        "word_labels, ids kept": word_labels("first", with_ids=True),
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


def word_labels(strategy: str, *, with_ids: bool = False) -> cases.Maker:
    """docie's function, of logits or of ids and confidences."""

    def make(pairs: list[cases.Pair]) -> cases.Work:
        logits, word_ids = np.stack([logits for logits, _ in pairs]), [words for _, words in pairs]
        predictions: Any = (logits.argmax(axis=-1), logits.max(axis=-1)) if with_ids else logits
        return lambda: tokens.word_labels(predictions, word_ids, NAMES, strategy=strategy)

    return make


def loop(logits: Any) -> list[str]:
    """The labels of the tokens that have one: the first token of every word."""
    label_ids = [0 if position % 2 == 0 else -100 for position in range(TOKENS)]
    return [NAMES[label] for label, label_id in zip(logits.argmax(axis=-1), label_ids, strict=True) if label_id != -100]
