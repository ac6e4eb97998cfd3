"""A threshold with a guarantee on new documents: conformal risk control."""

from __future__ import annotations

import bisect
import math
from fractions import Fraction
from typing import Any

import numpy as np

from docie.confidence.review import at_threshold, exact, numbers_of_units, summed_loss
from docie.confidence.values import Values
from docie.core.scores import rounded


def certified_threshold(values: Values, risk: float = 0.01, *, verify: Values | None = None) -> dict[str, Any]:
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

    Source: Angelopoulos, Bates, Fisch, Lei and Schuster, "Conformal Risk Control" (2022), theorem 1.

    Args:
        values (Values): of `collect`, on documents that the model was not trained on.
        risk (float): α, above 0 and below 1.
        verify (Values): other documents, on which the loss at the threshold is measured.

    Returns:
        dict: `risk`, and `documents`, n; with clusters, n is `clusters`. `threshold`: values with a lower confidence
        are reviewed. `coverage`: the share of auto-accepted values. `loss`: the mean loss. `bound`: (n · loss + 1) /
        (n + 1). `reason`: None.
        If there is no such threshold, `threshold`, `coverage` and `loss` are None, `bound` is the lowest one, and
        `reason` explains why. `verify` adds `verification`: the result of `at_threshold` there, None without a
        threshold.

    Raises:
        ValueError: if the risk is not above 0 and below 1.

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
    units = values.units
    incorrect = values.confidences[values.has_confidence & ~values.correct]
    # the loss falls just above the confidence of an incorrect value, and nowhere else
    thresholds = [0.0, *np.nextafter(np.unique(incorrect), math.inf).tolist()]

    def bound(threshold: float) -> Fraction:
        return (summed_loss(values, threshold) + 1) / (units + 1)

    place = bisect.bisect_left(thresholds, True, key=lambda threshold: bound(threshold) <= allowed)
    result: dict[str, Any] = {"risk": float(risk), **numbers_of_units(values)}
    if place == len(thresholds):
        lowest = bound(thresholds[-1])
        nothing = dict.fromkeys(("threshold", "coverage", "loss"))
        result |= {**nothing, "bound": float(lowest), "reason": _reason(values, risk, allowed, lowest)}
    else:
        found = at_threshold(values, thresholds[place])
        result |= {name: found[name] for name in ("threshold", "coverage", "loss")}
        result |= {"bound": float(bound(thresholds[place])), "reason": None}
    if verify is not None:
        result["verification"] = None if result["threshold"] is None else at_threshold(verify, result["threshold"])
    return result


def _reason(values: Values, risk: float, allowed: Fraction, lowest: Fraction) -> str:
    """Why no threshold keeps the risk."""
    least = math.ceil(1 / allowed) - 1
    units, kind = values.units, "document" if values.clusters is None else "cluster"
    if units < least:
        number = f"{units} {kind}{' is' if units == 1 else 's are'}"
        return f"{number} too few: a risk of {risk:g} needs at least {least:,}"
    return (
        "values without a confidence are never reviewed, and too many of them are incorrect: "
        f"the lowest bound is {rounded(float(lowest))}"
    )
