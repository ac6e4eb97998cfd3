"""How deep a document may be nested, and how large it may be, and the room that a walk through it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_DEPTH = 1000
"""Levels of objects and lists that a document may have."""
TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
CALLS_FOR_DEPTH = 7 * MAX_DEPTH
"""Nested Python calls that the deepest document may need."""
MAX_VALUES = 10_000_000
"""Values that a document may have. One with more takes little memory only if it holds one list in many places."""
TOO_MANY = f"more than {MAX_VALUES:,} values"


def with_deep_recursion(work: Callable[[], T]) -> T:
    """Call `work()`, which may recurse as deep as a document is nested.

    Python's limit on nested calls may be too low for that: a training loop has used up some of it already. It is raised
    when a document first needs it, and stays raised. It belongs to all threads: lowering it while another thread is
    deep in its work would end the program. For the same reason `work` must not nest C code without a bound of its own:
    calls of Python functions take no stack, those of C functions do, and a thread may have as little as 1 MB.

    Args:
        work: may be called twice, so it must not change anything outside of itself.
    """
    try:
        return work()
    except RecursionError:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _call_depth() + CALLS_FOR_DEPTH))
        return work()


def _call_depth() -> int:
    """How many calls deep the caller is."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
