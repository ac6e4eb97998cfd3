"""JSON text in and out, nested as deep as a document may be, whatever the caller's own stack."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

T = TypeVar("T")

MAX_DEPTH = 1000
"""Levels of objects and lists that a document may have."""


def loads(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError for other text, RecursionError far beyond MAX_DEPTH."""
    return with_room(partial(json.loads, text))


def with_room(work: Callable[[], T]) -> T:
    """Do a work that recurses with the nesting. A caller deep in a training loop has few of Python's calls left."""
    try:
        return work()
    except RecursionError:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(limit + 10 * MAX_DEPTH)
        try:
            return work()
        finally:
            sys.setrecursionlimit(limit)
