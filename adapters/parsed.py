"""What the readers of model output return."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["Parsed"]


class Parsed(NamedTuple):
    """A document, None where none could be read, and what was repaired or dropped on the way, a line each."""

    document: dict[str, Any] | None
    issues: list[str]
