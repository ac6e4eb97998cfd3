"""The comparators that Stickler gives to values by default, by their names there: similarities between 0 and 1.

Source: stickler-eval 1.0.0 (AWS Labs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rapidfuzz.distance import Levenshtein

from docie.core.normalizers.dates import read_date


def edits(one: Any, other: Any) -> float:
    """1 - the edits of two texts / the length of the longer one, whatever their case and blanks.

    >>> edits("Latte  M", "latte m"), edits("Latte", "Late"), edits("7", 7)
    (1.0, 0.8, 0.0)
    """
    if not isinstance(one, str) or not isinstance(other, str):
        return 0.0
    return Levenshtein.normalized_similarity(" ".join(one.lower().split()), " ".join(other.lower().split()))


def equal(one: Any, other: Any) -> float:
    """Whether two values are equal."""
    return float(one == other)


def same_number(one: Any, other: Any) -> float:
    """Whether two values are the same number; a text may be one, and nothing else.

    >>> same_number(12, "12.0"), same_number(12, "12 kg")
    (1.0, 0.0)
    """
    try:
        first, second = (each if isinstance(each, int | float) else float(each) for each in (one, other))
    except (TypeError, ValueError):
        return 0.0
    return float(first == second)


def same_day(one: Any, other: Any) -> float:
    """Whether two values are the same day, where of day and month the one or else the other is read first.

    >>> same_day("2024-04-03", "03/04/2024"), same_day("2024-04-03", "04/03/2024"), same_day("soon", "soon")
    (1.0, 1.0, 0.0)
    """
    days = [[_day(str(each), day_first) for each in (one, other)] for day_first in (False, True)]
    return float(any(None not in pair and pair[0] == pair[1] for pair in days))


def _day(text: str, day_first: bool) -> str | None:
    """A date in ISO 8601 format; where this order cannot be, in the other one."""
    found = read_date(text, day_first) or read_date(text, not day_first)
    return found[0] if found else None


COMPARATORS: Mapping[str, Callable[[Any, Any], float]] = {
    "LevenshteinComparator": edits,
    "ExactComparator": equal,
    "NumericComparator": same_number,
    "DateComparator": same_day,
}
