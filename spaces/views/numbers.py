"""Numbers in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from docie.show.tables import rounded

from ..common.computing import Request

Item = TypeVar("Item")


def document_figures(request: Request, results: Mapping[str, Any]) -> Mapping[str, Any]:
    """The figures of the document that is shown: the results, if it is the only one."""
    if len(request.pairs) == 1:
        return results
    family: Any = request.module
    figures: Mapping[str, Any] = family.score(family.count(request.prediction, request.reference, request.settings))
    return figures


def figure(value: float) -> str:
    """A figure as the tables show it.

    >>> figure(2 / 3)
    '0.6667'
    """
    return rounded(value)


def percent(part: float, whole: float) -> str:
    """A share in percent. What is not all is never 100, what is something is never 0.

    >>> percent(2, 3), percent(999_999, 1_000_000), percent(1, 1), percent(0, 0)
    ('66.7 %', '99.9 %', '100 %', '0 %')
    """
    share = 100 * part / whole if whole else 0.0
    return f"{rounded(share, 1, whole=100)} %".replace(".0 %", " %")


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "entity"), counted(1200, "entity"), counted(2, "box")
    ('1 entity', '1,200 entities', '2 boxes')
    """
    if number != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{number:,} {noun}"


def verb(number: int, one: str = "is", more: str = "are") -> str:
    """The verb that agrees with a number.

    >>> verb(1), verb(0), verb(2, "stands", "stand")
    ('is', 'are', 'stand')
    """
    return one if number == 1 else more


def joined(parts: Iterable[str], *, empty: str = "nothing") -> str:
    """Parts of a sentence, those that are not empty.

    >>> joined(["1 right", "", "2 missed", "3 wrong"]), joined([])
    ('1 right, 2 missed and 3 wrong', 'nothing')
    """
    *most, last = [part for part in parts if part] or [empty]
    return f"{', '.join(most)} and {last}" if most else last


def limited_list(items: Sequence[Item], most: int, noun: str) -> tuple[Sequence[Item], str]:
    """The first items, and in words how many are left.

    >>> limited_list("abc", 2, "word")
    ('ab', 'Not shown: 1 word.')
    """
    left = len(items) - most
    return (items[:most], f"Not shown: {counted(left, noun)}.") if left > 0 else (items, "")
