"""Documents that would take long, known before they are counted: by the `cost` of the family."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from docie.core.errors import DocumentError, errors_of_document, shortened
from docie.core.family import Family


def check_seconds(name: str, value: object) -> None:
    """Refuse a limit that is neither a number of seconds above 0 nor None, for no limit.

    Args:
        name (str): what the message calls it.
        value: the limit.

    Raises:
        ValueError: for any other value, infinity too.

    >>> check_seconds("max_seconds", 0)
    Traceback (most recent call last):
    ...
    ValueError: max_seconds must be a number of seconds above 0, got 0
    """
    if value is None:
        return
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value < math.inf:  # type: ignore[operator]
        raise ValueError(f"{name} must be a number of seconds above 0, got {shortened(value)}")


def within(
    pairs: Iterable[tuple[Any, Any]], family: Family, settings: Any, max_seconds: float
) -> Iterator[tuple[Any, Any]]:
    """Pass the pairs (prediction, reference) on, up to the first that would take longer than the limit.

    Raises:
        DocumentError: for that one; it has the number of the document.
    """
    for number, pair in enumerate(pairs):
        seconds = family.cost(*pair, settings)
        if seconds > max_seconds:
            with errors_of_document(number):
                raise DocumentError(f"{family.NAME} would take {spoken(seconds)}, more than {max_seconds:g} s")
        yield pair


def spoken(seconds: float) -> str:
    """A rough time, as one says it.

    Args:
        seconds (float): as of the `cost` of a family, which is right within a factor of four.

    Returns:
        str: the time, rounded.

    >>> spoken(0.02), spoken(93), spoken(1000), spoken(20_000)
    ('less than 1 s', 'about 90 s', 'about 17 min', 'about 6 h')
    """
    if seconds < 1:
        return "less than 1 s"
    for limit, unit, name in ((100, 1, "s"), (6000, 60, "min"), (math.inf, 3600, "h")):
        if seconds < limit:
            number = seconds / unit
            return f"about {round(number, -1) if number >= 20 and name == 's' else max(1, round(number)):.0f} {name}"
    return "for ever"
