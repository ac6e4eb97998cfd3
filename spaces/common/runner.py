"""Computations in worker processes: bounded in number, in memory and in time. What takes too long is really ended."""

from __future__ import annotations

import atexit
import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from . import limits
from .limits import RefusedError

T = TypeVar("T")

COMMAND = [sys.executable, "-m", "docie.spaces.common.worker"]


class Worker:
    """A process that calls functions one after the other.

    A plain child process, not one of `multiprocessing`: that would run the app's main module once more in each child.

    Args:
        max_memory: bytes that it may take beyond what it needs at rest.
        is_warm: whether it imports all that pages need before it takes the first call.
    """

    def __init__(self, max_memory: int, *, is_warm: bool) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, str(max_memory), *(["warm"] if is_warm else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # texts of users may be in messages
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout
        self._is_ready = False

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], time_limit: float) -> tuple[bool, Any]:
        """Whether the call returned, and its result or its exception.

        Raises:
            TimeoutError: if it took too long. The process has been killed.
            EOFError, OSError, pickle.UnpicklingError: if the process ended.
        """
        if not self._is_ready:
            try:
                pickle.load(self._output)  # its imports take a second, which is not the visitor's
            except EOFError:
                raise RuntimeError(f"a worker does not start: try {' '.join(COMMAND)}") from None
            self._is_ready = True
        with self._killed_after(time_limit):
            pickle.dump((function, arguments), self._input)
            self._input.flush()
            answer: tuple[bool, Any] = pickle.load(self._output)
        return answer

    @contextlib.contextmanager
    def _killed_after(self, seconds: float) -> Iterator[None]:
        """Inside this block, the process is killed after so many seconds; then it raises TimeoutError."""
        is_late = threading.Event()

        def end() -> None:
            is_late.set()
            self.process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            yield
        except (EOFError, OSError, pickle.UnpicklingError):
            if not is_late.is_set():
                raise
        finally:
            timer.cancel()
            timer.join()
        if is_late.is_set():
            raise TimeoutError

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for stream in (self._input, self._output):
            with contextlib.suppress(OSError):
                stream.close()


class Runner:
    """A fixed number of workers, which start when they are first needed, and are reused while they are well.

    Args:
        workers: how many computations run at a time. Others wait.
        time_limit: seconds that a computation may take.
        max_memory: bytes that a computation may take.
        is_warm: whether a worker imports all that pages need before its first call, whose time limit that would use up.

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
        self._idle: queue.LifoQueue[Worker | None] = queue.LifoQueue()  # the one that was used last is warm
        for _ in range(workers):
            self._idle.put(None)
        self._workers: set[Worker] = set()
        atexit.register(self.close)

    def start(self) -> None:
        """Start all workers now, without waiting for them."""
        for worker in [self._idle.get() for _ in range(self._idle.qsize())]:
            self._idle.put(worker or self._started())

    def run(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a call in a worker.

        Args:
            function: a function of a module, which the worker imports.
            arguments: what it is called with.

        Raises:
            RefusedError: if the function raises it, fails, or takes too long or too much memory.
        """
        worker = self._idle.get()
        try:
            worker = worker or self._started()
            has_returned, result = worker.call(function, arguments, self.time_limit)
        except TimeoutError:
            self._end(worker)
            worker = None
            raise RefusedError(f"This took more than {self.time_limit:g} seconds, and was ended.") from None
        except (EOFError, OSError, pickle.UnpicklingError):
            self._end(worker)
            worker = None
            raise RefusedError("This took too much memory, and was ended.") from None
        finally:
            self._idle.put(worker)
        if has_returned:
            return result  # type: ignore[no-any-return]
        if isinstance(result, MemoryError):
            raise RefusedError("This takes too much memory.") from None
        raise result

    def close(self) -> None:
        """End all workers."""
        while self._workers:
            self._workers.pop().close()

    def _started(self) -> Worker:
        worker = Worker(self.max_memory, is_warm=self.is_warm)
        self._workers.add(worker)
        return worker

    def _end(self, worker: Worker | None) -> None:
        if worker is not None:
            self._workers.discard(worker)
            worker.close()
