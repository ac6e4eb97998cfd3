"""What the readers of model output return."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Parsed"]


class Parsed(NamedTuple):
    """A document, None where none could be read, and what was repaired or dropped on the way, a line each.

    >>> Parsed({"total": "12.00"}, []).document
    {'total': '12.00'}
    """

    document: dict[str, Any] | None
    issues: list[str]
