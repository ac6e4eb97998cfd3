"""Computations in worker processes: bounded in number, memory and time. A computation over the limit is really stopped.

Run as a program, this module is a worker: it reads calls from standard input, and writes their results.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import BinaryIO, TypeVar

from docie.corpus.processes import end_with_parent

from . import limits
from .limits import RefusedError

T = TypeVar("T")

COMMAND = [sys.executable, "-m", "docie.spaces.common.runner"]
ENDED = (EOFError, OSError, pickle.UnpicklingError)
"""The errors of reading from a process that has ended."""


class Worker:
    """A process that calls functions one after the other.

    A plain child process, not one of `multiprocessing`: that would run the app's main module again in each child. What
    its start needs (`is_warm`) does not count towards `max_memory`.
    """

    def __init__(self, max_memory: int, *, is_warm: bool) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, str(max_memory), *(["warm"] if is_warm else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # messages may contain texts of users
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout
        self.has_started = False

    def wait_until_ready(self) -> None:
        """Wait for its imports, which should not count towards the visitor's time.

        Raises:
            RuntimeError: if it does not start.
        """
        if not self.has_started:
            try:
                pickle.load(self._output)
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                raise RuntimeError(f"a worker does not start: try {' '.join(COMMAND)}") from None
            self.has_started = True

    def call(self, function: Callable[..., T], arguments: Sequence[object], time_limit: float) -> T:
        """The result of a call.

        Raises:
            RefusedError, MemoryError: if the function raised it.
            TimeoutError: if it took too long. The process has been killed.
            EOFError, OSError, pickle.UnpicklingError: if the process ended (`ENDED`).
        """
        self.wait_until_ready()
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            self.process.kill()

        timer = threading.Timer(time_limit, end)
        timer.daemon = True
        timer.start()
        try:
            pickle.dump((function, arguments), self._input)
            self._input.flush()
            result, error = pickle.load(self._output)
        except ENDED:
            if not is_late.is_set():
                raise
        finally:
            timer.cancel()
            timer.join()
        if is_late.is_set():
            raise TimeoutError
        if error is not None:
            raise error
        answer: T = result
        return answer

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for stream in (self._input, self._output):
            with contextlib.suppress(OSError):
                stream.close()


class Runner:
    """A fixed number of workers, which start on first use, and are reused as long as they work.

    Each has a thread that starts it, and starts another one when it has ended. On Linux a worker ends with the thread
    that started it, so none outlives this process; and nobody waits for a start while another worker is idle.

    Args:
        workers: the number of computations at a time. Others wait.
        time_limit: seconds that a computation may take.
        max_memory: bytes that a computation may use.
        is_warm: whether a worker imports everything that pages need before its first call, outside its time limit.

    >>> runner = Runner(workers=1)
    >>> runner.run(max, 3, 5)
    5
    >>> runner.close()
    """

    def __init__(
        self,
        workers: int,
        *,
        time_limit: float = limits.TIME_LIMIT,
        max_memory: int = limits.MAX_MEMORY,
        is_warm: bool = False,
    ) -> None:
        self.time_limit, self.max_memory, self.is_warm = time_limit, max_memory, is_warm
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()  # the worker that was used last is warm
        self._workers: set[Worker] = set()
        self._keepers = [threading.Thread(target=self._keep, daemon=True) for _ in range(workers)]
        self._starts = threading.Lock()
        self._is_closed = False
        atexit.register(self.close)

    def start(self) -> None:
        """Start all workers now, without waiting for them."""
        with self._starts:
            for keeper in self._keepers:
                if keeper.ident is None:
                    keeper.start()

    def run(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a call in a worker.

        Args:
            function: a function of a module, which the worker imports.
            arguments: its arguments.

        Raises:
            RefusedError: if the function raises it, fails, or uses too much time or memory.
        """
        self.start()
        worker, has_ended = self._idle.get(), False
        try:
            return worker.call(function, arguments, self.time_limit)
        except ENDED as error:
            has_ended = True
            worker.close()
            is_late = isinstance(error, TimeoutError)
            reason = f"more than {self.time_limit:g} seconds" if is_late else "too much memory"
            raise RefusedError(f"This took {reason}, and was stopped.") from None
        except MemoryError:
            raise RefusedError("This takes too much memory.") from None
        finally:
            if not has_ended:
                self._idle.put(worker)

    def close(self) -> None:
        """End all workers. A closed runner runs nothing more."""
        self._is_closed = True
        for worker in [*self._workers]:
            worker.close()

    def _keep(self) -> None:
        """Start a worker, and another one whenever it has ended."""
        while not self._is_closed:
            try:
                worker = Worker(self.max_memory, is_warm=self.is_warm)
            except OSError:  # too many processes at the moment
                time.sleep(1)
                continue
            self._workers.add(worker)
            if self._is_closed:
                worker.close()
            with contextlib.suppress(RuntimeError):
                worker.wait_until_ready()
            self._idle.put(worker)  # if it does not start, the next caller gets the error
            worker.process.wait()
            self._workers.discard(worker)
            if not worker.has_started:
                return


def serve(max_memory: int, *, is_warm: bool) -> None:
    """In the worker: answer calls until the input ends, or the thread that started this process."""
    end_with_parent()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # printed output must not get between the results
    if is_warm:
        _warm_up()
    _limit_memory(max_memory)
    _write(output, "ready")
    while True:
        try:
            function, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answer: tuple[object, Exception | None]
        try:
            answer = function(*arguments), None
        except Exception as error:
            answer = None, sendable(error)
        _write(output, answer)


def _warm_up() -> None:
    """Import everything that a first visitor would have to wait for."""
    from . import examples, work
    from .inputs import Form

    first = examples.EXAMPLES[0]
    work.explain(Form(references=first.references, predictions=first.predictions))


def _write(output: BinaryIO, value: object) -> None:
    pickle.dump(value, output)
    output.flush()


def sendable(error: Exception) -> Exception:
    """An error that may be shown and logged. Unexpected messages may contain texts of the visitor."""
    if isinstance(error, RefusedError | MemoryError):
        return error
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__}, {os.path.basename(frame.filename)}:{frame.lineno}"
    return RefusedError(f"docie failed on these documents ({place}). This is a bug in docie, please report it.")


def _limit_memory(extra: int) -> None:
    """Limit memory to so many bytes beyond the present use, where the system supports that."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        with open("/proc/self/statm") as file:
            in_use = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (in_use + extra, in_use + extra))


if __name__ == "__main__":
    serve(int(sys.argv[1]), is_warm="warm" in sys.argv)
