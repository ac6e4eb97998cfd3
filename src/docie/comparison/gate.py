"""A gate: whether a new system may take the place of the first one.

A significance test alone is no gate: where few documents differ, it finds nothing, whatever they lost. So a system
fails if it is worse, and also if the documents do not exclude that it lost as much as may not be lost: a test of
non-inferiority (Wellek, 2010).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Literal, NamedTuple

from docie.comparison.results import Check, Comparison, Gate
from docie.core.family import Family
from docie.core.phrases import counted, figure
from docie.core.scores import score_of, tenths
from docie.core.settings import check_whole
from docie.corpus.intervals import t_quantile

LEVEL = 0.95
"""Of the one-sided bounds. The one-sided test has a level of 5 %."""
MOST_UNITS = 1_000_000
"""If more documents than this are needed, none are named as enough."""
Verdict = Literal["worse", "undecided", "passed"]
_LIMITS = {"share": 1, "documents": 1, "difference": 2}
"""Kinds of scores that cannot drop by more."""


class Loss(NamedTuple):
    """What a system loses against the first one, and how well that is known.

    Attributes:
        lost: by how much the score is worse; below 0 if it is better.
        error: its standard error; 0 if all units show the same difference.
        units: the number of units, documents or clusters.
        p_value: gives the one-sided p-value of the randomisation test: the chance of such a loss.
    """

    lost: float
    error: float
    units: int
    p_value: Callable[[], float]

    @property
    def bound(self) -> float:
        """The largest loss that the units do not exclude: the upper end of the one-sided t interval."""
        return self.lost + t_quantile(self.units - 1, LEVEL) * self.error

    def verdict(self, max_drop: float) -> Verdict:
        """Whether the system is worse or, if that is not known, whether a loss of `max_drop` is excluded.

        Of so few units that no permutation reaches the level of the test, the interval alone says what is worse.

        >>> [Loss(lost, 0.01, 24, lambda: 0.01).verdict(0.03) for lost in (0.02, 0.015, 0.01)]
        ['worse', 'undecided', 'passed']
        """
        if self.lost - t_quantile(self.units - 1, LEVEL) * self.error > 0:
            has_test = 2.0**-self.units <= 1 - LEVEL
            if not has_test or self.p_value() <= 1 - LEVEL:
                return "worse"
        return "passed" if self.bound < max_drop else "undecided"

    def enough(self, max_drop: float) -> int | None:
        """About how many units would exclude a loss of `max_drop`, if the loss and its spread stayed as they are.

        Returns:
            The number, rounded up to two digits; None if the loss itself is as large, or if there are too many.

        >>> Loss(0.0, 0.02, 24, lambda: 1.0).enough(0.03), Loss(0.03, 0.02, 24, lambda: 1.0).enough(0.03)
        (31, None)
        """
        room, spread = max_drop - self.lost, self.error * math.sqrt(self.units)

        def is_enough(units: int) -> bool:
            return t_quantile(units - 1, LEVEL) * spread < room * math.sqrt(units)

        if room <= 0 or not is_enough(MOST_UNITS):
            return None
        low, high = 1, MOST_UNITS
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_enough(middle) else (middle, high)
        step = int(10 ** max(0, len(str(high)) - 2))
        return -(-high // step) * step


class Limits(NamedTuple):
    """What may not happen: a loss of `max_drop`, in the unit of the score, and more broken documents than
    `max_broken`. None for no limit."""

    max_drop: float | None = None
    max_broken: int | None = None

    @property
    def exist(self) -> bool:
        """Whether there is any limit."""
        return self != (None, None)

    def check(self) -> None:
        """Raise ValueError for limits that are none."""
        drop = self.max_drop
        is_number = isinstance(drop, int | float) and not isinstance(drop, bool)
        if drop is not None and not (is_number and 0 < drop < math.inf):
            raise ValueError(f"max_drop must be a number above 0, got {drop!r}")
        if self.max_broken is not None:
            check_whole("max_broken", self.max_broken, 0)

    def check_scores(self, family: Family, scores: Collection[str], units: int, kind: str) -> None:
        """Raise ValueError for a drop that none of these scores can make, and for fewer than two units."""
        if self.exist and units < 2:
            raise ValueError(f"a gate needs two {kind}s or more, got {units}")
        for score in scores if self.max_drop is not None else ():
            limit = _LIMITS.get(score_of(family, score).kind, math.inf)
            if (self.max_drop or 0) >= limit:
                raise ValueError(
                    f"max_drop must be below {limit}, as {score} cannot drop by more, got {self.max_drop:g}; "
                    "3 points are 0.03"
                )


def gate_of(
    family: Family, rows: Iterable[Comparison], loss_of: Callable[[Comparison], Loss], limits: Limits, kind: str
) -> Gate:
    """What a gate says of every later system, by each score.

    Args:
        family: the family of the scores.
        rows: the comparisons with the first system.
        loss_of: what the second system of a comparison loses.
        limits: what may not happen.
        kind: what a unit is: "document" or "cluster".
    """
    checks = [_check(row, loss_of(row), limits, _Words(family, row, kind)) for row in rows]
    deciding = next((check for check in checks if not check["passed"]), checks[0])
    return {**deciding, "checks": checks}


class _Words:
    """How the numbers of a comparison are written."""

    def __init__(self, family: Family, row: Comparison, kind: str) -> None:
        self.is_sum = score_of(family, row["score"]).kind in ("count", "cost")
        self.unit, self.row = kind, row
        self.drop = "rise" if row["direction"] == "lower" else "drop"

    def amount(self, value: float) -> str:
        """A number in the unit of the score, to as many digits as it has."""
        return figure(value) if isinstance(self.row["value_a"], float) else tenths(value, whole=math.inf)


def _check(row: Comparison, loss: Loss, limits: Limits, words: _Words) -> Check:
    said, failed = list[str](), list[str]()
    if row["direction"] == "higher" and row["value_a"] == row["value_b"] == 0:
        failed.append("both are 0, so nothing was compared; docie check tells why")
    if limits.max_drop is not None:
        verdict = loss.verdict(limits.max_drop)
        (said if verdict == "passed" else failed).append(_reason(verdict, loss, limits.max_drop, words))
    if limits.max_broken is not None:
        broken = row["broken"]
        number = f"{len(broken) or 'no'} broken document{'s' * (len(broken) != 1)}"
        is_over = len(broken) > limits.max_broken
        (failed if is_over else said).append(f"{number}, more than {limits.max_broken}" if is_over else number)
    return {
        "system": row["b"],
        "score": row["score"],
        "passed": not failed,
        "reason": "; ".join(failed or said),
        "bound": loss.bound,
        "broken": row["broken"],
    }


def _reason(verdict: Verdict, loss: Loss, max_drop: float, words: _Words) -> str:
    row, limit, bound = words.row, f"{words.drop} of {max_drop:g}", f"(bound {words.amount(loss.bound)})"
    if verdict == "passed":
        return f"a {limit} is excluded {bound}"
    if verdict == "worse":
        values = " against ".join(words.amount(row[key]) for key in ("value_b", "value_a"))
        return f"worse by {words.amount(loss.lost)} ({values})"
    said = f"undecided: {counted(loss.units, words.unit)} cannot exclude a {limit} {bound}"
    if loss.lost >= max_drop:
        return f"{said}; no number could, as the observed {words.drop} is {words.amount(loss.lost)}"
    enough = None if words.is_sum else loss.enough(max_drop)  # a sum of more documents has a larger bound
    if enough is None:
        return said
    # where the bound falls to the limit, the other end of the interval has left 0 if more than half of it is lost
    but = f", but would find a {words.drop} of {words.amount(loss.lost)} worse" if loss.lost > max_drop / 2 else ""
    return f"{said}; about {enough:,} could{but}"


def lines_of(gate: Gate) -> Iterator[str]:
    """What the gate says, a line for each check.

    >>> check = {"system": "new", "score": "f1", "passed": False, "reason": "worse by 0.0820 (0.8 against 0.882)"}
    >>> [*lines_of({"checks": [check]})]
    ['gate failed: new, f1: worse by 0.0820 (0.8 against 0.882)']
    """
    for check in gate["checks"]:
        verdict = "passed" if check["passed"] else "failed"
        yield f"gate {verdict}: {check['system']}, {check['score']}: {check['reason']}"
