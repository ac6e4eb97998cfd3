"""All results on confidence in one call: thresholds, their errors, calibration and review budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from docie.confidence.calibrated import BINS, calibration
from docie.confidence.certified import certified_threshold
from docie.confidence.review import (
    BUDGETS,
    at_threshold,
    average_precision,
    coverage_at_precision,
    errors_caught,
    numbers_of_units,
)
from docie.confidence.values import Values


def summarize(
    values: Values,
    *,
    precision: float = 0.99,
    risk: float = 0.01,
    budgets: Sequence[float] = BUDGETS,
    bins: int = BINS,
    breakdown: bool = False,
    verify: Values | None = None,
) -> dict[str, Any]:
    """All results on confidence except the curve of errors by coverage.

    Args:
        values (Values): of `collect`.
        precision: as in `coverage_at_precision`.
        risk: as in `certified_threshold`.
        budgets: as in `errors_caught`.
        bins: as in `calibration`.
        breakdown (bool): add `per_entity`, the same results for the values of each entity type. The threshold of a type
            is then certified separately, on the documents that have a value of the type.
        verify (Values): other documents, on which both thresholds are verified.

    Returns:
        dict: `values`, `incorrect` and `without_confidence`, the numbers of predicted values, of incorrect ones and of
        those without a confidence; `coverage_at_precision`, `certified_threshold`, `errors_caught`, `average_precision`
        and `calibration`, the results of these functions; `documents`, with clusters also `clusters`, and `signature`.
        With `verify`, the first two have a `verification`, the result of `at_threshold`.

    Raises:
        ValueError: for the same reasons as these functions.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> results = summarize(collect([prediction], [{"a": "1", "b": "3"}]), risk=0.5)
    >>> results["incorrect"], results["coverage_at_precision"]["threshold"], results["average_precision"]
    (1, 0.9, 1.0)
    """
    figures = partial(_figures, precision=precision, risk=risk, budgets=budgets, bins=bins)
    results = figures(values, verify)
    if breakdown:
        parts = values.by_type()
        others: Mapping[str, Values] = {} if verify is None else verify.by_type(parts)
        results["per_entity"] = {
            name: figures(part.with_values(), others[name].with_values() if others else None)
            for name, part in parts.items()
        }
    return results | {**numbers_of_units(values), "signature": values.signature}


def _figures(
    values: Values, verify: Values | None, *, precision: float, risk: float, budgets: Sequence[float], bins: int
) -> dict[str, Any]:
    at_precision = coverage_at_precision(values, precision)
    if verify is not None:
        threshold = at_precision["threshold"]
        at_precision["verification"] = None if threshold is None else at_threshold(verify, threshold)
    return {
        "values": len(values),
        "incorrect": int((~values.correct).sum()),
        "without_confidence": int((~values.has_confidence).sum()),
        "coverage_at_precision": at_precision,
        "certified_threshold": certified_threshold(values, risk, verify=verify),
        "errors_caught": errors_caught(values, budgets),
        "average_precision": average_precision(values),
        "calibration": calibration(values, bins=bins),
    }
