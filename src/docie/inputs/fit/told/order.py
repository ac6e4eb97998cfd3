"""Predictions that fit other references better than their own: another order of the rows, or ids that are mixed up."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from docie.core.phrases import counted
from docie.inputs.fit.change import LEAST, Change
from docie.inputs.fit.sample import Key, Sample

MOST_HOLDERS = 20
"""The number of references up to which a value tells which one a prediction is of."""


def propose(sample: Sample) -> Iterator[Change]:
    """What tells of the order, if half of the predictions share far more values with another reference."""
    better, values = 0, 0
    holders = defaultdict[Key, list[int]](list)
    for number, (_, expected) in enumerate(sample.flat):
        for key in expected:
            holders[key].append(number)
    telling = {key: numbers for key, numbers in holders.items() if len(numbers) <= MOST_HOLDERS}
    for number, (predicted, _) in enumerate(sample.flat):
        shared = Counter(other for key in predicted for other in telling.get(key, ()))
        if shared and max(shared.values()) > 2 * shared[number]:
            better, values = better + 1, values + predicted.total()
    if better >= LEAST and 2 * better >= len(sample.pairs):
        text = (
            f"{better} of {counted(len(sample.pairs), 'prediction')} share more values with another reference: rows "
            "may be in another order, or their ids mixed up"
        )
        yield Change("join", {}, values, 0, text, sample)
