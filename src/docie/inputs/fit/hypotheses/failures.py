"""Predictions that only report a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from docie.inputs.fit.change import LEAST, Change
from docie.inputs.fit.sample import Sample
from docie.inputs.openers import ERROR_KEYS

FAILED = ("failed", "failure", "error")
"""What a report of a failure has as its `status`."""


def propose(sample: Sample) -> Iterator[Change]:
    """Predictions that only report a failure."""
    expected = {name.partition(".")[0] for name in sample.types[1]}
    keys: Counter[str] = Counter()
    values = 0
    for (prediction, _), (_, reference) in zip(sample.documents, sample.flat, strict=True):
        key = failure_key(prediction, expected)
        if key:
            keys[key] += 1
            values += reference.total()
    if values >= LEAST:
        names, number = sorted(keys), keys.total()
        predictions = "prediction only reports" if number == 1 else "predictions only report"
        text = f"{number} {predictions} a failure ({', '.join(map(repr, names))})"
        options = {"predictions.failures": names}
        yield Change("failures", options, values, values, text, sample.under(options))


def failure_key(row: object, expected: Iterable[str]) -> str | None:
    """The key of a row that tells a failure; None if the row is none, or has a key that references have.

    >>> [failure_key({"error": "timeout", other: "9"}, ["total"]) for other in ("code", "total")]
    ['error', None]
    >>> failure_key({"status": "failed", "message": "no text"}, ["total"])
    'message'
    """
    if not isinstance(row, dict) or not row.keys().isdisjoint(expected):
        return None
    keys = (*ERROR_KEYS, "message") if row.get("status") in FAILED else ERROR_KEYS
    return next((key for key in keys if row.get(key) is not None), None)
