"""What readers of answers return."""

from __future__ import annotations

from typing import Any, NamedTuple


class Parsed(NamedTuple):
    """A document, or the records of a table; None if none could be read. And a line for each thing that was repaired or
    dropped.

    >>> Parsed({"total": "12.00"}, []).document
    {'total': '12.00'}
    """

    document: dict[str, Any] | list[dict[str, Any]] | None
    issues: list[str]
