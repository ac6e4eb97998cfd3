"""The meaning of the scores of order-independent entity metrics."""

from __future__ import annotations

from collections.abc import Iterator

from docie.core.scores import Score

_COUNTED = {
    "oi_nerval": "entities, paired in any order",
    "nerval": "entities, aligned in order",
    "bag_of_words": "words, whatever their category",
    "bag_of_tagged_words": "words with their category",
    "bag_of_entities": "whole entities",
}


def _matched(name: str, things: str) -> Iterator[Score]:
    f1 = f"{name}_f1"
    if name.startswith("bag_"):
        yield Score(
            f"{name}_error_rate",
            "lower",
            "rate",
            f"Error rate of {things}: missing and spurious ones per reference item.",
        )
    yield Score(f"{name}_precision", "higher", "share", f"Precision of {things}.", part_of=f1)
    yield Score(f"{name}_recall", "higher", "share", f"Recall of {things}.", part_of=f1)
    yield Score(f1, "higher", "share", f"Micro-averaged F1 score of {things}.")


SCORES = (
    Score("oi_ecer", "lower", "rate", "Entity character error rate, entities paired in any order.", headline=True),
    Score("oi_ewer", "lower", "rate", "Entity word error rate, entities paired in any order."),
    Score("ecer", "lower", "rate", "Entity character error rate, entities aligned in order."),
    Score("ewer", "lower", "rate", "Entity word error rate, entities aligned in order."),
    *(score for name, things in _COUNTED.items() for score in _matched(name, things)),
    Score("cer", "lower", "rate", "Character error rate of the whole text; of a category, of its texts."),
    Score("wer", "lower", "rate", "Word error rate of the whole text; of a category, of its texts."),
    Score("support", "neither", "count", "Number of reference entities."),
)
