"""The process that `runner` starts: reads calls from its standard input, and writes their results."""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import traceback
from typing import BinaryIO

from docie.core.processes import end_with_parent

from .limits import RefusedError


def main(max_memory: int, *, is_warm: bool) -> None:
    """Answer calls until the input ends, or the thread that started this process."""
    end_with_parent()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the results
    if is_warm:
        _warm_up()
    _limit_memory(max_memory)
    _write(output, "ready")
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = True, function(*arguments)
        except Exception as error:
            answer = False, sendable(error)
        _write(output, answer)


def _warm_up() -> None:
    """Import all that a first visitor would have to wait for."""
    from . import examples, work
    from .inputs import Form

    first = examples.EXAMPLES[0]
    work.explain(Form(references=first.references, predictions=first.predictions))


def _write(output: BinaryIO, value: object) -> None:
    pickle.dump(value, output)
    output.flush()


def sendable(error: Exception) -> Exception:
    """What may be shown and logged. Messages that nobody foresaw may hold texts of the visitor."""
    if isinstance(error, RefusedError | MemoryError):
        return error
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__}, {os.path.basename(frame.filename)}:{frame.lineno}"
    return RefusedError(f"docie failed at these documents ({place}). That is a fault of docie, please report it.")


def _limit_memory(extra: int) -> None:
    """Allow so many bytes beyond those that are in use, where the system can do that."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm") as file:
            in_use = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (in_use + extra, in_use + extra))


if __name__ == "__main__":
    main(int(sys.argv[1]), is_warm="warm" in sys.argv)
