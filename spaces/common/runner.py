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
import time
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
        self.has_started = False

    def wait_until_ready(self) -> None:
        """Wait for its imports, whose seconds are not the visitor's.

        Raises:
            RuntimeError: if it does not start.
        """
        if not self.has_started:
            try:
                pickle.load(self._output)
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                raise RuntimeError(f"a worker does not start: try {' '.join(COMMAND)}") from None
            self.has_started = True

    def call(self, function: Callable[..., Any], arguments: tuple[Any, ...], time_limit: float) -> tuple[bool, Any]:
        """Whether the call returned, and its result or its exception.

        Raises:
            TimeoutError: if it took too long. The process has been killed.
            EOFError, OSError, pickle.UnpicklingError: if the process ended.
        """
        self.wait_until_ready()
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

    Each has a thread that starts it, and starts another one when it has ended. On Linux a worker ends with the thread
    that started it, so that none outlives this process; and nobody waits for a start while another worker is idle.

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
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()  # the one that was used last is warm
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
            arguments: what it is called with.

        Raises:
            RefusedError: if the function raises it, fails, or takes too long or too much memory.
        """
        self.start()
        worker = self._idle.get()
        try:
            has_returned, result = worker.call(function, arguments, self.time_limit)
        except TimeoutError:
            worker.close()
            raise RefusedError(f"This took more than {self.time_limit:g} seconds, and was ended.") from None
        except (EOFError, OSError, pickle.UnpicklingError):
            worker.close()
            raise RefusedError("This took too much memory, and was ended.") from None
        except BaseException:
            self._idle.put(worker)
            raise
        self._idle.put(worker)
        if has_returned:
            return result  # type: ignore[no-any-return]
        if isinstance(result, MemoryError):
            raise RefusedError("This takes too much memory.") from None
        raise result

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
            except OSError:  # for the moment there are too many processes
                time.sleep(1)
                continue
            self._workers.add(worker)
            if self._is_closed:
                worker.close()
            with contextlib.suppress(RuntimeError):
                worker.wait_until_ready()
            self._idle.put(worker)  # if it does not start, whoever calls it is told
            worker.process.wait()
            self._workers.discard(worker)
            if not worker.has_started:
                return
