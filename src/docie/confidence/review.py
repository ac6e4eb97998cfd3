"""Review by confidence: how many values are auto-accepted at a threshold, and how many of them are incorrect.

Values with a confidence below the threshold are reviewed; the others are auto-accepted. A value without a confidence is
never reviewed, so it is auto-accepted at any threshold. Missing values have no confidence and do not count here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.confidence.values import Values
from docie.core.counts import ratio
from docie.core.errors import shortened
from docie.core.settings import check_fraction
from docie.corpus.intervals import Spread, clopper_pearson, jackknife_interval, t_interval

BUDGETS = (0.05, 0.1, 0.2, 0.5)
"""The shares of values that are reviewed by default."""
HIGHEST = math.nextafter(1.0, math.inf)
"""The threshold at which every value with a confidence is reviewed."""
GROUPS = 100
"""The number of groups that a jackknife leaves out at most."""
DIGITS = 17
"""Enough decimal digits for any float near 1."""


class Passing(NamedTuple):
    """Rising thresholds, with the number of auto-accepted values at each, and how many of them are correct."""

    thresholds: NDArray[np.float64]
    unseen: NDArray[np.int64]
    correct: NDArray[np.int64]


def passing(values: Values) -> Passing:
    """Auto-accepted values at every threshold at which their number changes.

    The thresholds are 0 (all values are auto-accepted), each confidence but the lowest, and one just above the highest.
    """
    order = np.argsort(values.confidences, kind="stable")
    confidences, correct = values.confidences[order], values.correct[order]
    distinct = np.unique(values.confidences[values.has_confidence])
    last = [np.nextafter(distinct[-1], math.inf)] if len(distinct) else []
    thresholds = np.concatenate([[0.0], distinct[1:], last])
    reviewed = np.searchsorted(confidences, thresholds)
    correct_reviewed = np.concatenate([[0], np.cumsum(correct)])[reviewed]
    return Passing(thresholds, len(values) - reviewed, int(correct.sum()) - correct_reviewed)


def risk_coverage(values: Values) -> dict[str, list[float]]:
    """The errors by coverage: the share of auto-accepted values at each threshold, and how many of them are incorrect.

    Source: El-Yaniv and Wiener, "On the Foundations of Noise-free Selective Classification" (JMLR 2010), who call this
    the risk–coverage curve. Their risk is the error rate here: a risk is elsewhere the limit of a document's loss.

    Args:
        values (Values): of `collect`.

    Returns:
        dict: three lists of equal length. `thresholds`, rising, each at which something changes; at the last one every
        value with a confidence is reviewed. `coverage`: the share of auto-accepted values, 1.0 if nothing was
        predicted. `error_rate`: the share of auto-accepted values that are incorrect, 0.0 if there are none.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> curve = risk_coverage(collect([prediction], [{"a": "1", "b": "3"}]))
    >>> curve["thresholds"][:2], curve["coverage"], curve["error_rate"]
    ([0.0, 0.9], [1.0, 0.5, 0.0], [0.5, 0.0, 0.0])
    """
    thresholds, unseen, correct = passing(values)
    return {
        "thresholds": thresholds.tolist(),
        "coverage": ratio(unseen, np.full(len(unseen), len(values)), empty=1.0).tolist(),
        "error_rate": ratio(unseen - correct, unseen).tolist(),
    }


def coverage_at_precision(values: Values, precision: float = 0.99) -> dict[str, Any]:
    """The largest share of values that can skip review while enough of them are correct, on these documents.

    It describes the documents that it was chosen on. For a guarantee on new documents, see `certified_threshold`.

    Args:
        values (Values): of `collect`.
        precision (float): the share of auto-accepted values that must be correct, between 0 and 1.

    Returns:
        dict: `required_precision`; the lowest `threshold` that reaches it; `coverage`, `unseen` and `precision` at that
        threshold, as in `at_threshold`. If no threshold reaches it with any auto-accepted value, `threshold` and
        `precision` are None, and `coverage` is 0.0.

    Raises:
        ValueError: if the precision is not between 0 and 1.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> found = coverage_at_precision(collect([prediction], [{"a": "1", "b": "3"}]))
    >>> found["threshold"], found["coverage"], found["precision"]
    (0.9, 0.5, 1.0)
    """
    required = exact("precision", precision)
    thresholds, *numbers = (column.tolist() for column in passing(values))
    reaching = (
        threshold
        for threshold, unseen, correct in zip(thresholds, *numbers, strict=True)
        if unseen and correct >= required * unseen
    )
    result: dict[str, Any] = {"required_precision": float(precision)}
    threshold = next(reaching, None)
    if threshold is None:
        return result | {"threshold": None, "coverage": 0.0, "unseen": 0, "precision": None}
    found = at_threshold(values, threshold)
    return result | {name: found[name] for name in ("threshold", "coverage", "unseen", "precision")}


def best_precision(values: Values) -> tuple[int, int]:
    """The values that skip review at the threshold at which most of them are correct, and how many of them are.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> best_precision(collect([prediction], [{"a": "1", "b": "3"}]))
    (1, 1)
    """
    _, *numbers = (column.tolist() for column in passing(values))
    passed = [(unseen, correct) for unseen, correct in zip(*numbers, strict=True) if unseen]
    return max(passed, key=lambda each: (each[1] / each[0], each[0]), default=(0, 0))


def at_threshold(values: Values, threshold: float) -> dict[str, Any]:
    """Coverage and precision at one threshold, such as one that was chosen on other documents.

    Args:
        values (Values): of `collect`.
        threshold (float): values with a lower confidence are reviewed; between 0 and 1, or the next float above 1.

    Returns:
        dict: `threshold`; `documents` and `values`, their numbers; `unseen`, the number of auto-accepted values, and
        `incorrect`, how many of them are incorrect; `coverage`, the share of auto-accepted values, 1.0 if nothing was
        predicted; `precision`, the share of auto-accepted values that are correct, None if there are none; `loss`, the
        mean over documents of incorrect auto-accepted values / predicted values. With clusters, `clusters`, their
        number, and `loss` is the mean over clusters of the mean of their documents. `error_rate_interval`: that of
        `error_interval`.

    Raises:
        ValueError: if no confidence could be that threshold, such as 90 for 0.9.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> at_threshold(collect([prediction, {}], [{"a": "1", "b": "3"}, {}]), 0.4)["loss"]
    0.25
    """
    if threshold != HIGHEST:
        check_fraction("threshold", threshold)
    unseen = values.confidences >= threshold
    incorrect = unseen & ~values.correct
    number = int(unseen.sum())
    return {
        "threshold": float(threshold),
        **numbers_of_units(values),
        "values": len(values),
        "unseen": number,
        "incorrect": int(incorrect.sum()),
        "coverage": ratio(number, len(values), empty=1.0),
        "precision": (number - int(incorrect.sum())) / number if number else None,
        "loss": float(summed_loss(values, threshold) / max(values.units, 1)),
        "error_rate_interval": error_interval(values, threshold),
    }


def error_interval(values: Values, threshold: float, level: float = 0.95) -> list[float] | None:
    """The interval for the share of incorrect values among those that are auto-accepted, at a fixed threshold.

    Source: Clopper and Pearson (1934) where each document or cluster has one such value at most, and at 0 and 1; else
    Wilson's interval, for the variation between documents or clusters, as `docie.corpus.intervals` has it of scores.

    Args:
        values (Values): of `collect`, or of its `as_documents`.
        threshold (float): values with a lower confidence are reviewed.
        level (float): of the interval.

    Returns:
        list of float: both ends; None if nothing is auto-accepted.

    >>> from docie.confidence import collect
    >>> leaf = {"value": "1", "confidence": 0.9}
    >>> values = collect([{"a": leaf}] * 4, [{"a": "1"}] * 4)
    >>> [round(end, 3) for end in error_interval(values, 0.9)]
    [0.0, 0.602]
    """
    unseen, units = values.confidences >= threshold, values.unit_of[values.document_of]
    number = np.bincount(units[unseen], minlength=values.units)
    wrong = np.bincount(units[unseen & ~values.correct], minlength=values.units)[number > 0]
    number = number[number > 0]
    size, total = len(number), int(number.sum())
    if not size:
        return None
    share = float(wrong.sum() / total)
    if total > size and 0 < share < 1:  # the linearised share, unit by unit
        if size == 1:
            return [0.0, 1.0]
        error = math.sqrt(float(np.square(wrong - share * number).sum()) * size / (size - 1)) / total
        if found := jackknife_interval(Spread(share, error, size), level, "share"):
            return found
    return clopper_pearson(share, size, level)


def numbers_of_units(values: Values) -> dict[str, int]:
    """The number of documents and, if they have clusters, of clusters."""
    return {"documents": values.documents, **({} if values.clusters is None else {"clusters": values.units})}


def summed_loss(values: Values, threshold: float) -> Fraction:
    """The losses of all units at a threshold, as fractions.

    The loss of a document is its number of incorrect auto-accepted values / predicted values, that of a cluster the
    mean of its documents.
    """
    incorrect = (values.confidences >= threshold) & ~values.correct
    units = values.unit_of
    shares = values.sizes * np.bincount(units)[units]  # a value is this part of the loss of a unit
    parts, numbers = np.unique(np.repeat(shares, values.sizes)[incorrect], return_counts=True)
    return sum((Fraction(*each) for each in zip(numbers.tolist(), parts.tolist(), strict=True)), Fraction(0))


def average_precision(values: Values) -> float | None:
    """Average precision: how well confidences rank correct values before incorrect ones.

    Source: as in scikit-learn, Σ (R_k − R_{k−1}) P_k over the distinct confidences, the highest first; R_k and P_k are
    recall and precision of the values from there up. Values without a confidence, which are never reviewed, come first.

    Args:
        values (Values): of `collect`.

    Returns:
        float: in [0, 1]; a random order gives about the share of correct values. 0.0 if none is correct, None without
            values.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> average_precision(collect([prediction], [{"a": "1", "b": "2"}]))
    1.0
    """
    if not len(values):
        return None
    _, unseen, correct = passing(values)
    gained = -np.diff(correct, append=0)  # at each threshold, lowest first; the last gains values without confidence
    return float(np.sum(gained * ratio(correct, unseen)) / correct[0]) if correct[0] else 0.0


def area(values: Values) -> float | None:
    """The area under the curve of errors by coverage: the mean error rate over all coverages, lower is better.

    Source: Geifman, Uziel and El-Yaniv, "Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers" (2019), who
    call it AURC. Values of one confidence are auto-accepted in random order: the result is the expected one.

    Args:
        values (Values): of `collect`.

    Returns:
        float: in [0, 1]; a random order gives about the share of incorrect values. None without values.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> area(collect([prediction], [{"a": "1", "b": "3"}]))
    0.25
    """
    if not len(values):
        return None
    _, block, sizes = np.unique(-values.confidences, return_inverse=True, return_counts=True)
    shares = np.bincount(block, ~values.correct) / sizes
    return float((np.repeat(shares, sizes).cumsum() / np.arange(1, len(values) + 1)).mean())


def area_difference(one: Values, other: Values, level: float = 0.95) -> tuple[float, list[float]] | None:
    """How much larger the area of one kind of confidence is than that of another for the same values, and how sure.

    Source: the jackknife over documents, or clusters (Efron and Tibshirani, 1993, chapter 11); more than 100 of them
    are left out in 100 groups. The interval is a t interval.

    Args:
        one, other (Values): of `collect`, of the same documents.
        level (float): of the interval, between 0 and 1.

    Returns:
        tuple: the difference, below 0 if the first one ranks better, and its interval. None for fewer than two units,
        and without values.

    >>> from docie.confidence import collect
    >>> predictions = [{"a": {"value": str(n % 4), "confidence": 1 / (n % 4 + 1)}} for n in range(40)]
    >>> one = collect(predictions, [{"a": "0" if n % 4 == 0 else "9"} for n in range(40)])
    >>> area_difference(one, one)
    (0.0, [0.0, 0.0])
    """
    groups = min(one.units, GROUPS)
    group_of = one.unit_of % max(1, groups)
    left = [np.flatnonzero(group_of != group) for group in range(groups)] if groups > 1 else []
    areas = [(area(one.of_documents(kept)), area(other.of_documents(kept))) for kept in left]
    differences = np.array([first - second for first, second in areas if first is not None and second is not None])
    of_one, of_other = area(one), area(other)
    if of_one is None or of_other is None or len(differences) < max(2, groups):
        return None
    error = math.sqrt((groups - 1) * np.var(differences))
    return of_one - of_other, t_interval(of_one - of_other, error, groups - 1, level, least=-1.0, most=1.0)


def errors_caught(values: Values, budgets: Sequence[float] = BUDGETS) -> list[dict[str, float]]:
    """How many incorrect values are found by reviewing the values with the lowest confidences.

    Where a budget does not cover all values of one confidence, they are drawn at random: the result is the expected
    number.

    Args:
        values (Values): of `collect`.
        budgets (list of float): shares of the predicted values that are reviewed, each between 0 and 1.

    Returns:
        list of dict: `budget`; `reviewed`, the number of values that the budget allows, rounded down, and at most those
        with a confidence; `errors_caught`, the number of incorrect values among them; `share_caught`, their share of
        all incorrect predicted values, 1.0 if there are none.

    Raises:
        ValueError: if a budget is not between 0 and 1.

    >>> from docie.confidence import collect
    >>> prediction = {"a": {"value": "1", "confidence": 0.9}, "b": {"value": "2", "confidence": 0.5}}
    >>> errors_caught(collect([prediction], [{"a": "1", "b": "3"}]), [0.5])
    [{'budget': 0.5, 'reviewed': 1, 'errors_caught': 1.0, 'share_caught': 1.0}]
    """
    order = np.argsort(values.confidences, kind="stable")
    confidences = values.confidences[order]
    incorrect = np.concatenate([[0], np.cumsum(~values.correct[order])])  # among the first values
    found = []
    for budget in _listed(budgets):
        number = min(math.floor(exact("budgets", budget) * len(values)), int((values.confidences < math.inf).sum()))
        caught = 0.0
        if number:
            start, end = (
                np.searchsorted(confidences, confidences[number - 1], side=side) for side in ("left", "right")
            )
            caught = float(incorrect[start] + (number - start) * (incorrect[end] - incorrect[start]) / (end - start))
        share = ratio(caught, int(incorrect[-1]), empty=1.0)
        found.append({"budget": float(budget), "reviewed": number, "errors_caught": caught, "share_caught": share})
    return found


def shortest_threshold(values: Values, threshold: float) -> float:
    """The threshold with the fewest digits at which the same values are auto-accepted.

    Args:
        values (Values): of `collect`.
        threshold (float): a threshold.

    Returns:
        float: above each confidence that is below the threshold, and not above any other.

    >>> from docie.confidence import collect
    >>> leaves = [{"value": "1", "confidence": confidence} for confidence in (0.912, 0.934)]
    >>> values = collect([{"a": leaves}], [{"a": "1"}])
    >>> shortest_threshold(values, 0.9120000000000001), shortest_threshold(values, 0.0)
    (0.92, 0.0)
    """
    known = values.confidences[values.has_confidence]
    below, others = known[known < threshold], known[known >= threshold]
    if not len(below):
        return 0.0
    shorter = shortest_between(float(below.max()), float(others.min()) if len(others) else math.inf)
    return threshold if shorter is None else shorter


def shortest_between(low: float, high: float) -> float | None:
    """The number with the fewest decimal digits above `low` and not above `high`; the lowest one on ties.

    Args:
        low (float): a number.
        high (float): a higher number.

    Returns:
        float: the number; None if it would have as many digits as the floats themselves.

    >>> shortest_between(0.9871, 0.9913), shortest_between(0.3, 0.98), shortest_between(0.5, 0.5)
    (0.99, 0.4, None)
    """
    for digits in range(1, DIGITS):
        above = math.floor(Fraction(low) * 10**digits) + 1
        for whole in (above, above + 1):  # 0.3 is a float a little below 3/10
            shorter = float(Fraction(whole, 10**digits))
            if low < shorter <= high:
                return shorter
    return None


def exact(name: str, value: float) -> Fraction:
    """The value of an option as the fraction that the user wrote: 0.99 is 99/100.

    Raises:
        ValueError: unless it is a number between 0 and 1.

    >>> exact("precision", 0.99)
    Fraction(99, 100)
    """
    check_fraction(name, value)
    return Fraction(repr(float(value)))


def _listed(budgets: object) -> list[float]:
    if isinstance(budgets, str) or not isinstance(budgets, Iterable):
        raise ValueError(f"budgets must be a list of numbers between 0 and 1, got {shortened(budgets)}")
    return list(budgets)
