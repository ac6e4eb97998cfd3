"""What a user should know about a result: warnings of everything below, which are notes of it, too."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

from docie.core.errors import warn

Item = TypeVar("Item")


@contextmanager
def noted(*, warns: bool = True) -> Iterator[list[str]]:
    """Inside this block, warnings for users are kept; at its end, the list has each of them, and each is given once.

    Without `warns`, the list alone has them. An error inside ends the block without them.

    >>> with warnings.catch_warnings(record=True, action="always") as given, noted() as notes:
    ...     warnings.warn("no document has 'totl'", stacklevel=1)
    ...     warnings.warn("no document has 'totl'", stacklevel=1)
    >>> notes, len(given)
    (["no document has 'totl'"], 1)
    """
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield notes
    notes += dict.fromkeys(str(each.message) for each in caught if issubclass(each.category, UserWarning))
    for note in notes if warns else ():
        warn(note)


def noted_in(items: Iterator[Item], notes: list[str]) -> Iterator[Item]:
    """Pass items through. Warnings while one is made are kept as notes, and those of who takes the items are not.

    >>> def read():
    ...     warnings.warn("only predictions have ids", stacklevel=1)
    ...     yield "r-1"
    >>> notes = []
    >>> with warnings.catch_warnings(record=True):
    ...     [*noted_in(read(), notes)], notes
    (['r-1'], ['only predictions have ids'])
    """
    has_more = True
    while has_more:
        with noted() as found:
            following = [*islice(items, 1)]
        notes += found
        yield from following
        has_more = bool(following)
