"""Waiting is seen: bars on stderr, if that is a terminal, once something has taken two seconds."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress

Each = TypeVar("Each")
SECONDS = 2.0
"""What takes less shows no bar."""
_shown: list[Progress] = []
"""The bars of blocks that have not ended. An inner block adds a line to those of the outer one."""


def with_progress_bar(items: Iterable[Each], total: int | None = None, label: str = "scoring") -> Iterator[Each]:
    """Pass items on, with a progress bar on stderr if that is a terminal.

    Args:
        items (iterable): the items.
        total (int): their number; None if it is unknown.
        label (str): the text before the bar.

    Returns:
        iterator: the same items.

    >>> list(with_progress_bar(["a", "b"], 2))
    ['a', 'b']
    """
    with _bars() as bars:
        if bars is None:
            yield from items
            return
        line = bars.add_task(label, total=total)
        try:
            yield from bars.track(items, total, task_id=line)
        finally:
            bars.remove_task(line)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Inside this block, a bar on stderr says what takes so long, if that is a terminal."""
    yield from with_progress_bar([None], None, label)


@contextmanager
def _bars() -> Iterator[Progress | None]:
    """What draws bars; None without a terminal."""
    if _shown or not (sys.stderr and sys.stderr.isatty()):
        yield _shown[0] if _shown else None
        return
    from rich.console import Console
    from rich.progress import Progress, TimeElapsedColumn

    console = Console(stderr=True)
    if not console.is_terminal:  # the environment says so, as with TTY_COMPATIBLE=0
        yield None
        return
    # what is printed meanwhile goes where it would go: messages above the bars, results to stdout
    columns = *Progress.get_default_columns()[:-1], TimeElapsedColumn()
    bars = Progress(*columns, console=console, transient=True, redirect_stdout=False)
    start = Timer(SECONDS, bars.start)
    start.daemon = True
    _shown.append(bars)
    start.start()
    try:
        yield bars
    finally:
        _shown.remove(bars)
        start.cancel()
        start.join()
        if bars.live.is_started:  # the end of one that has not begun is an empty line in simple terminals
            bars.stop()
