"""Predictions and references side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from itertools import zip_longest

_MISSING = object()


def paired(predictions: Iterable[object], references: Iterable[object]) -> Iterator[tuple[object, object]]:
    """Each prediction with its reference, in order. Both are read once.

    Raises:
        ValueError: unless there are as many of each.
    """
    for name, documents in (("predictions", predictions), ("references", references)):
        if isinstance(documents, str | bytes | Mapping) or not isinstance(documents, Iterable):
            raise ValueError(f"{name} must be a sequence of documents, got {type(documents).__name__}")
    if isinstance(predictions, Sized) and isinstance(references, Sized):
        check_lengths(len(predictions), len(references))
    predictions, references = iter(predictions), iter(references)
    for number, (prediction, reference) in enumerate(zip_longest(predictions, references, fillvalue=_MISSING)):
        if prediction is _MISSING or reference is _MISSING:
            longer = references if prediction is _MISSING else predictions
            total = number + 1 + sum(1 for _ in longer)
            check_lengths(number if prediction is _MISSING else total, number if reference is _MISSING else total)
        yield prediction, reference


def check_lengths(predictions: int, references: int) -> None:
    """Raise ValueError unless there are as many predictions as references."""
    if predictions != references:
        raise ValueError(f"expected as many predictions as references, got {predictions} and {references}")
