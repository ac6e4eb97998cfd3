"""What the readers of model output return."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

__all__ = ["Parsed", "listed"]


class Parsed(NamedTuple):
    """A document, None where none could be read, and what was repaired or dropped on the way, a line each.

    >>> Parsed({"total": "12.00"}, []).document
    {'total': '12.00'}
    """

    document: dict[str, Any] | None
    issues: list[str]


def listed(issues: Counter[str]) -> list[str]:
    """Issues as lines, each once, with the times that it came up.

    >>> listed(Counter({"added a comma": 2}))
    ['added a comma (2 times)']
    """
    return [issue if times == 1 else f"{issue} ({times} times)" for issue, times in issues.items() if times]
