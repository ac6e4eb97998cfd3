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
ROOM = 10 * MAX_DEPTH
"""Calls that such a document may need."""


def loads(text: str | bytes) -> Any:
    """The value of a JSON text. Raises ValueError for other text, RecursionError far beyond MAX_DEPTH."""
    return with_room(partial(json.loads, text))


def with_room(work: Callable[[], T]) -> T:
    """`work()`, which recurses as deep as its document, whoever calls: a training loop leaves few of Python's calls.

    It may be called twice, so it must change nothing outside of itself.

    The limit of calls is raised when a document first needs it, and stays: it belongs to all threads, and lowering it
    under one that is deep in its work would end the program.
    """
    try:
        return work()
    except RecursionError:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _calls() + ROOM))
        return work()


def _calls() -> int:
    """How many calls deep the caller is."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
