"""What worker processes do so that none is left behind."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def end_with_parent() -> None:
    """Have the kernel end this process when the thread that started it ends, in the middle of a long call too.

    Only Linux does that. Elsewhere this does nothing.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
