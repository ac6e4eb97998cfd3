"""All results on confidence in one call: thresholds, their errors, calibration and review budgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from docie.confidence.calibrated import BINS, calibration
from docie.confidence.certified import certified_threshold
from docie.confidence.review import (
    BUDGETS,
    area,
    area_difference,
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
    unit: str = "value",
    confidence_level: float | None = None,
    budgets: Sequence[float] = BUDGETS,
    bins: int = BINS,
    breakdown: bool = False,
    verify: Values | None = None,
) -> dict[str, Any]:
    """All results on confidence except the curve of errors by coverage.

    Args:
        values (Values): of `collect`.
        precision: as in `coverage_at_precision`.
        risk, unit, confidence_level: as in `certified_threshold`.
        budgets: as in `errors_caught`.
        bins: as in `calibration`.
        breakdown (bool): add `per_entity`, the same results for the values of each entity type. The threshold of a type
            is then certified separately, on the documents that have a value of the type. Not for whole documents.
        verify (Values): other documents, on which both thresholds are verified.

    Returns:
        dict: `values`, `incorrect` and `without_confidence`, the numbers of predicted values, of incorrect ones and of
        those without a confidence; `coverage_at_precision`, `certified_threshold`, `errors_caught`,
        `average_precision`, `area` and `calibration`, the results of these functions; `documents`, with clusters also
        `clusters`, and `signature`.
        With `verify`, the first two have a `verification`, the result of `at_threshold`.
        With `unit="document"`, `values` are documents (`Values.as_documents`), `always_reviewed` is in place of
        `without_confidence`, and there is no calibration. A confidence level adds `certified_precision`, the result of
        `certified_threshold` at that level.

    Raises:
        ValueError: for the same reasons as these functions.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> results = summarize(collect([prediction], [{"a": "1", "b": "3"}]), risk=0.5)
    >>> results["incorrect"], results["coverage_at_precision"]["threshold"], results["average_precision"]
    (1, 0.9, 1.0)
    """
    if breakdown and unit == "document":
        raise ValueError('by_field must come with values as units: a document has several fields; unit="value"')
    figures = partial(_figures, precision=precision, risk=risk, budgets=budgets, bins=bins)
    results = {"unit": str(unit), **figures(values, verify, unit=unit)}
    if confidence_level is not None:
        asked: dict[str, Any] = {"unit": unit, "confidence_level": confidence_level}
        results["certified_precision"] = certified_threshold(values, risk, verify=verify, **asked)
    if breakdown:
        parts = values.by_type()
        others: Mapping[str, Values] = {} if verify is None else verify.by_type(parts)
        results["per_entity"] = {
            name: figures(part.with_values(), others[name].with_values() if others else None)
            for name, part in parts.items()
        }
    return results | {**numbers_of_units(values), "signature": values.signature}


def _figures(
    values: Values,
    verify: Values | None,
    *,
    precision: float,
    risk: float,
    budgets: Sequence[float],
    bins: int,
    unit: str = "value",
) -> dict[str, Any]:
    certified = certified_threshold(values, risk, verify=verify, unit=unit)
    is_value = unit == "value"
    if not is_value:
        values, verify = values.as_documents(), None if verify is None else verify.as_documents()
    at_precision = coverage_at_precision(values, precision)
    if verify is not None:
        threshold = at_precision["threshold"]
        at_precision["verification"] = None if threshold is None else at_threshold(verify, threshold)
    calibrated = calibration(values, bins=bins)  # which checks the option, too
    return {
        "values": len(values),
        "incorrect": int((~values.correct).sum()),
        "without_confidence" if is_value else "always_reviewed": int((~values.has_confidence).sum()),
        "coverage_at_precision": at_precision,
        "certified_threshold": certified,
        "errors_caught": errors_caught(values, budgets),
        "average_precision": average_precision(values),
        "area": area(values),
        **({"calibration": calibrated} if is_value else {}),
    }


def chosen_threshold(results: Mapping[str, Any]) -> Mapping[str, Any]:
    """The certified threshold, of `summarize`: the one at a confidence level, if that was asked for."""
    found: Mapping[str, Any] = results.get("certified_precision", results["certified_threshold"])
    return found


def by_group(groups: Mapping[str, Values], results: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What skips review of each group of documents, at the one certified threshold of all.

    Args:
        groups (dict): from the name of a group to the values of its documents.
        results (dict): of `summarize`, over all documents.

    Returns:
        dict: from each name to the result of `at_threshold`. Empty if there is no certified threshold.
    """
    threshold = chosen_threshold(results)["threshold"]
    if threshold is None:
        return {}
    return {name: at_threshold(_in_units(values, results["unit"]), threshold) for name, values in groups.items()}


def rankings(confidences: Mapping[str, Values], unit: str = "value") -> dict[str, dict[str, Any]]:
    """How well each kind of confidence ranks what is correct before what is not.

    Args:
        confidences (dict): from the name of a kind to the same values with these confidences.
        unit (str): "value" or "document".

    Returns:
        dict: from each name to `average_precision` and `area`, as the functions of these names have them, and from the
        second on to the `difference` of its area to the first one's, with its `interval` at 0.95.
    """
    found = {name: _in_units(values, unit) for name, values in confidences.items()}
    rows: dict[str, dict[str, Any]] = {
        name: {"average_precision": average_precision(each), "area": area(each)} for name, each in found.items()
    }
    first, *others = found
    for name in others:
        if (difference := area_difference(found[name], found[first])) is not None:
            rows[name] |= dict(zip(("difference", "interval"), difference, strict=True))
    return rows


def minutes_saved(results: Mapping[str, Any], seconds_per_document: float) -> float:
    """The minutes of review that 100 documents do not need at the certified threshold; 0.0 if there is none."""
    return 100 * (chosen_threshold(results)["coverage"] or 0.0) * seconds_per_document / 60


def _in_units(values: Values, unit: str) -> Values:
    return values.as_documents() if unit == "document" else values
