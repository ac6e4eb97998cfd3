"""Thresholds with a guarantee on new documents: conformal risk control, and learn-then-test."""

from __future__ import annotations

import bisect
import math
from fractions import Fraction
from typing import Any

import numpy as np

from docie.confidence.review import at_threshold, exact, numbers_of_units, summed_loss
from docie.confidence.values import Values
from docie.core.phrases import counted, percent, verb
from docie.core.scores import rounded
from docie.core.settings import check_choice
from docie.corpus.evaluation import check_result_options

UNITS = ("value", "document")
"""What skips review."""
ROUNDING = 1e-9
"""How far the chance of so few errors may lie above its limit: 0.5² where 0.25 is asked for."""
VALUES_HAVE_NO_BOUND = (
    "confidence_level must come with documents as units: values of a document are alike, and no bound holds for their "
    'share in few documents; unit="document"'
)


def certified_threshold(
    values: Values,
    risk: float = 0.01,
    *,
    verify: Values | None = None,
    unit: str = "value",
    confidence_level: float | None = None,
) -> dict[str, Any]:
    """The lowest threshold that keeps the expected loss on new documents of the same kind at or below a risk.

    The loss of a document is its number of incorrect auto-accepted values, divided by its number of predicted values; 0
    if it has none. It never rises with the threshold. The lowest threshold with (n · mean loss + 1) / (n + 1) ≤ risk on
    n documents keeps the expected loss of the next document at or below the risk, whatever the model and however its
    confidences are calibrated. The documents must be exchangeable: new ones come from the same source, and no other
    documents were used to choose the threshold. The guarantee holds on average over such sets of documents, not for
    each: about half of all large sets lie slightly above the risk.

    Where documents of one vendor or template are alike, they are not exchangeable with those of a new one. With the
    `clusters` of `collect`, n is the number of clusters, and the loss of a cluster is the mean loss of its documents:
    the expected loss of the next cluster stays at or below the risk.

    With `unit="document"`, whole documents skip review (`Values.as_documents`). The loss of a document is then 1 if it
    skips review and has an error, else 0: the share of all documents that skip review with an error is the mean loss.

    With a confidence level, the share of documents with an error *among those that skip review* is at most the risk,
    for all but 1 − level of all sets of documents. Thresholds are tested from the strictest down, each by the one-sided
    bound of Clopper and Pearson (1934), until one fails. Those at which too few documents skip for any bound to hold
    are left out, which depends on no error. With clusters, the share is that of the clusters with such an error, among
    those of which documents skip review.

    Sources: Angelopoulos, Bates, Fisch, Lei and Schuster, "Conformal Risk Control" (2022), theorem 1. Angelopoulos,
    Bates, Candès, Jordan and Lei, "Learn then Test" (2021), fixed sequence testing.

    Args:
        values (Values): of `collect`, on documents that the model was not trained on.
        risk (float): α, above 0 and below 1.
        verify (Values): other documents, on which the loss at the threshold is measured.
        unit (str): what skips review, "value" or "document".
        confidence_level (float): such as 0.95, for documents only; None for the guarantee on the mean loss.

    Returns:
        dict: `risk`, and `documents`, n; with clusters, n is `clusters`. `threshold`: values with a lower confidence
        are reviewed. `coverage`: the share of auto-accepted values. `loss`: the mean loss. `bound`: (n · loss + 1) /
        (n + 1). `reason`: None.
        If there is no such threshold, `threshold`, `coverage` and `loss` are None, `bound` is the lowest one, and
        `reason` explains why. `verify` adds `verification`: the result of `at_threshold` there, None without a
        threshold.
        With documents as units, also `unseen`, `incorrect`, `precision`, `error_rate_interval`, as in `at_threshold`.
        With a confidence level, also `confidence_level`, and `bound` is the one of the share.

    Raises:
        ValueError: if the risk or the level is not above 0 and below 1, and for a level with values as units.

    >>> from docie.confidence import collect
    >>> predictions = [{"a": {"value": "1", "confidence": number / 20}} for number in range(20)]
    >>> values = collect(predictions, [{"a": "2"}] * 5 + [{"a": "1"}] * 15)
    >>> result = certified_threshold(values, risk=0.1)
    >>> round(result["threshold"], 3), result["coverage"], result["loss"]
    (0.15, 0.8, 0.05)
    >>> certified_threshold(values, risk=0.01)["reason"]
    '20 documents are too few: a risk of 0.01 needs at least 99'
    """
    allowed = exact("risk", risk)
    if not 0 < allowed < 1:
        raise ValueError(f"risk must be above 0 and below 1, got {risk}")
    check_choice("unit", unit, *UNITS)
    check_result_options(confidence_level=confidence_level)
    if confidence_level is not None and unit == "value":
        raise ValueError(VALUES_HAVE_NO_BOUND)
    if unit == "document":
        values, verify = values.as_documents(), None if verify is None else verify.as_documents()
    result: dict[str, Any] = {"risk": float(risk), **numbers_of_units(values)}
    if confidence_level is None:
        threshold, bound, reason = _controlled(values, risk, allowed)
    else:
        result["confidence_level"] = float(confidence_level)
        threshold, bound, reason = _tested(values, risk, confidence_level)
    names = ["threshold", "coverage", "loss"]
    names += ["unseen", "incorrect", "precision", "error_rate_interval"] * (unit == "document")
    found = dict.fromkeys(names) if threshold is None else at_threshold(values, threshold)
    result |= {**{name: found[name] for name in names}, "bound": bound, "reason": reason}
    if verify is not None:
        result["verification"] = None if threshold is None else at_threshold(verify, threshold)
    return result


_Found = tuple[float | None, float, str | None]
"""A threshold, the bound there, and why there is none."""


def _controlled(values: Values, risk: float, allowed: Fraction) -> _Found:
    """The threshold of conformal risk control."""
    units = values.units
    incorrect = values.confidences[values.has_confidence & ~values.correct]
    # the loss falls just above the confidence of an incorrect value, and nowhere else
    thresholds = [0.0, *np.nextafter(np.unique(incorrect), math.inf).tolist()]

    def bound(threshold: float) -> Fraction:
        return (summed_loss(values, threshold) + 1) / (units + 1)

    place = bisect.bisect_left(thresholds, True, key=lambda threshold: bound(threshold) <= allowed)
    if place == len(thresholds):
        lowest = bound(thresholds[-1])
        return None, float(lowest), _reason(values, risk, allowed, lowest)
    return thresholds[place], float(bound(thresholds[place])), None


def _tested(documents: Values, risk: float, level: float) -> _Found:
    """The threshold of fixed sequence testing. A cluster skips review if a document of it does, and is incorrect if one
    that skips is."""
    from scipy.special import bdtr, betaincinv

    surest, surest_incorrect = (np.full(documents.units, -math.inf) for _ in range(2))
    np.maximum.at(surest, documents.unit_of, documents.confidences)
    incorrect = ~documents.correct
    np.maximum.at(surest_incorrect, documents.unit_of[incorrect], documents.confidences[incorrect])
    thresholds = np.unique(documents.confidences[documents.has_confidence])[::-1]
    skipping, wrong = (
        documents.units - np.searchsorted(np.sort(each), thresholds) for each in (surest, surest_incorrect)
    )
    noun, most = _noun(documents), int(skipping[-1]) if len(skipping) else 0
    least = least_without_error(risk, level)
    if most < least:
        reason = f"{counted(least, noun)} that {verb(least, 'skips', 'skip')} review without an error are needed, and "
        reason += f"{most:,} of {documents.units:,} can"
        return None, 1.0 if not most else 1 - (1 - level) ** (1 / most), reason + _needed(documents, least, most)
    first = int(np.searchsorted(skipping, least))
    holds = bdtr(wrong, skipping, risk) <= (1 - level) * (1 + ROUNDING)
    failing = np.flatnonzero(~holds[first:])
    last = first + (int(failing[0]) if len(failing) else len(holds) - first) - 1
    at = max(last, first)
    errors, number = int(wrong[at]), int(skipping[at])
    bound = 1.0 if errors == number else float(betaincinv(errors + 1, number - errors, level))
    if last >= first:
        return float(thresholds[last]), bound, None
    reason = f"of the {counted(number, noun)} with the highest confidence, {errors:,} {verb(errors, 'has', 'have')} an "
    return None, bound, f"{reason}error, so up to {percent(bound, 1)} of such {noun}s may have one"


def least_without_error(risk: float, level: float) -> int:
    """How many documents have to skip review without an error, so that at a confidence level at most a share of such
    documents has one: the least n with (1 - risk)^n ≤ 1 - level.

    >>> least_without_error(0.05, 0.95), least_without_error(0.01, 0.95), least_without_error(0.5, 0.75)
    (59, 299, 2)
    """
    return max(1, math.ceil(math.log(1 - level) / math.log1p(-risk) - ROUNDING))


def _needed(documents: Values, least: int, most: int) -> str:
    """How many more documents are needed if as many of these can skip review."""
    if not most:
        return ""
    needed = math.ceil(least * documents.units / most)
    return f": at this share at least {counted(needed, _noun(documents))}, {needed - documents.units:,} more"


def _noun(values: Values) -> str:
    return "document" if values.clusters is None else "cluster"


def _reason(values: Values, risk: float, allowed: Fraction, lowest: Fraction) -> str:
    """Why no threshold keeps the risk."""
    least = math.ceil(1 / allowed) - 1
    units, kind = values.units, _noun(values)
    if units < least:
        number = f"{units} {kind}{' is' if units == 1 else 's are'}"
        return f"{number} too few: a risk of {risk:g} needs at least {least:,}"
    return (
        "values without a confidence are never reviewed, and too many of them are incorrect: "
        f"the lowest bound is {rounded(float(lowest))}"
    )
