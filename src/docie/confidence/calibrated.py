"""Calibration: of all values with a confidence of 0.9, nine in ten should be correct."""

from __future__ import annotations

from typing import Any

import numpy as np

from docie.confidence.values import Values
from docie.core.settings import check_whole

BINS = 10
"""Guo et al. (2017) have 15, of which the values of a small corpus leave many nearly empty."""
MOST_BINS = 10_000
"""More are a slip: hardly any corpus has as many values with a confidence of their own."""


def calibration(values: Values, *, bins: int = BINS) -> dict[str, Any]:
    """How well confidences estimate the share of correct values.

    Values without a confidence are left out.

    Source: Guo et al., "On Calibration of Modern Neural Networks" (2017), equation 3, with bins of equal counts (Nguyen
    and O'Connor, 2015); Brier (1950). Bins end at quantiles, as those of scikit-learn's
    `calibration_curve(strategy="quantile")`: equal confidences share a bin, so there may be fewer bins.

    Args:
        values (Values): of `collect`.
        bins (int): the number of bins, from 1 to 10,000.

    Returns:
        dict: `values`, the number of values with a confidence; `mean_confidence`; `accuracy`, the share of correct
        values; `expected_calibration_error`, the mean distance between the two in a bin, weighted by the number of
        values; `brier_score`, the mean of (confidence − 1)² of correct values and confidence² of incorrect ones;
        `bins`, a dict for each bin, lowest first: `lowest` and `highest` confidence, `values`, `mean_confidence`,
        `accuracy`. If no value has a confidence, the list is empty and the other results are None.

    Raises:
        ValueError: if the number of bins is out of range.

    >>> from docie.confidence import collect
    >>> leaves = [{"value": text, "confidence": 0.75} for text in "1234"]
    >>> result = calibration(collect([{"a": leaves}], [{"a": ["1", "2", "3", "5"]}]))
    >>> result["accuracy"], result["expected_calibration_error"], result["brier_score"]
    (0.75, 0.0, 0.1875)
    """
    check_whole("bins", bins, 1, most=MOST_BINS)
    known = values.has_confidence
    order = np.lexsort((values.correct[known], values.confidences[known]))  # sums depend on no order
    confidences, correct = values.confidences[known][order], values.correct[known][order]
    names = ("mean_confidence", "accuracy", "expected_calibration_error", "brier_score")
    if not len(correct):
        return {"values": 0, **dict.fromkeys(names), "bins": []}
    ends = np.percentile(confidences, np.linspace(0, 1, bins + 1) * 100)[1:-1]
    starts = np.unique(np.searchsorted(confidences, ends, side="right"))
    parts = np.split(np.arange(len(correct)), starts[(starts > 0) & (starts < len(correct))])
    table = [
        {
            "lowest": float(confidences[part[0]]),
            "highest": float(confidences[part[-1]]),
            "values": len(part),
            "mean_confidence": float(confidences[part].mean()),
            "accuracy": float(correct[part].mean()),
        }
        for part in parts
    ]
    gap = sum(row["values"] * abs(row["accuracy"] - row["mean_confidence"]) for row in table)
    figures = (confidences.mean(), correct.mean(), gap / len(correct), np.square(confidences - correct).mean())
    return {"values": len(correct), **dict(zip(names, map(float, figures), strict=True)), "bins": table}
