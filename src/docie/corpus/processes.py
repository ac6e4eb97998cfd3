"""Processes that share tasks: no process is left behind, however the work ends.

`concurrent.futures` starts all of its processes at once, waits for running tasks when it is interrupted, leaves its
processes behind when the parent is killed, and says neither which task ended a process nor how. Here a process is
started for a task that finds none free, the parent pickles, and the workers watch the parent.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from typing import Any, TypeVar

Result = TypeVar("Result")
Failure = Callable[[tuple[Any, ...], str], Exception]
"""From a task and the reason why it has no result, the error."""
_GOODBYE_SECONDS = 1.0
_READY = b"ready?"  # no pickle begins like this


class Job:
    """A submitted task: the pickled outcome that a worker sends, or the error of a task that was ended."""

    def __init__(self, task: tuple[object, ...], found: bytes | Exception | None = None) -> None:
        self.task, self.found, self.since = task, found, time.monotonic()

    def done(self) -> bool:
        """Whether a result or an error is there."""
        return self.found is not None


class Worker:
    """A process and the task that it works on."""

    def __init__(self, work: bytes) -> None:
        self.connection, other_end = multiprocessing.Pipe()
        # not a daemon: daemons may not start processes, and a partition may have a limit for each of its documents
        self.process: BaseProcess = multiprocessing.Process(target=_serve, args=(work, other_end))
        self.job: Job | None = None
        with other_end, interrupts_wait():
            self.process.start()
            Finalize(self, self.process.kill, exitpriority=0)  # otherwise Python would wait for it when it exits

    def send(self, message: bytes) -> None:
        """Send a message; whether the process has died is seen when it should answer."""
        with contextlib.suppress(OSError):
            self.connection.send_bytes(message)

    def receive(self) -> bytes | None:
        """The next answer; None if the process has died."""
        with contextlib.suppress(EOFError, OSError):
            return self.connection.recv_bytes()
        return None

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessPool:
    """A pool of processes, which are started when there is work.

    Args:
        work: the function that runs each task, pickled.
        number: the largest number of processes.
        failure: the error of a task that was ended, or that ended its process.
        seconds: the time limit of a task; None for no limit.
    """

    def __init__(self, work: bytes, number: int, failure: Failure, seconds: float | None = None) -> None:
        self.work, self.number, self.failure, self.seconds = work, number, failure, seconds
        self.workers: list[Worker] = []

    def submit(self, task: tuple[object, ...], pickled: bytes) -> Job:
        """Give a task to the first free worker; what cannot be pickled is left to who waits for it."""
        if not pickled:
            reason = "cannot have a limit here: other processes cannot load the document"
            return Job(task, b"" if self.seconds is None else self.failure(task, reason))
        worker = self._idle()
        worker.job = Job(task)
        worker.send(pickled)
        return worker.job

    def result(self, job: Job) -> bytes:
        """The outcome of a task, pickled."""
        while job.found is None:
            self._receive()
        if isinstance(job.found, Exception):
            raise job.found
        return job.found

    def end(self, *, at_once: bool) -> None:
        """End all processes; `at_once` if their work is no longer needed."""
        for worker in () if at_once else self.workers:
            worker.send(b"")
        for worker in self.workers:
            worker.process.join(0 if at_once else _GOODBYE_SECONDS)
            worker.process.kill()
        for worker in self.workers:
            worker.end()
        self.workers.clear()

    def _idle(self) -> Worker:
        while True:
            for worker in self.workers:
                if worker.job is None:
                    return worker
            if len(self.workers) < self.number:
                return self._new()
            self._receive()

    def _new(self) -> Worker:
        try:
            self.workers.append(worker := Worker(self.work))
        except OSError as error:
            problem = error.strerror or error
            raise ValueError(f"worker {len(self.workers) + 1} of {self.number} cannot be started: {problem}") from None
        if self.seconds is not None:  # the start of a process does not count towards the time of a task
            worker.send(_READY)
            worker.receive()
        return worker

    def _receive(self) -> None:
        """Wait until a worker has finished its task, has died, or has reached the limit."""
        busy = {worker.connection: (worker, worker.job) for worker in self.workers if worker.job is not None}
        timeout = None
        if self.seconds is not None:
            timeout = max(0.0, min(job.since for _, job in busy.values()) + self.seconds - time.monotonic())
        done = wait(busy, timeout)
        for connection, (worker, job) in busy.items():
            if connection in done:
                job.found, worker.job = worker.receive(), None
                if job.found is not None:
                    continue
                worker.process.join(_GOODBYE_SECONDS)
                reason = f"lost its process (exit code {worker.process.exitcode})"
            elif done or self.seconds is None or time.monotonic() - job.since < self.seconds:
                continue
            else:
                reason = f"took more than {self.seconds:g} s, and was ended"
            job.found = self.failure(job.task, reason)
            worker.end()
            self.workers.remove(worker)


@contextlib.contextmanager
def interrupts_wait() -> Iterator[None]:
    """Inside this block, Ctrl-C is delayed. While a process starts, it would be lost, or print a traceback there.

    Threads and processes that are started inside the block never get it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def pickled_task(task: tuple[object, ...]) -> bytes:
    """The task as bytes; empty if it cannot be pickled, whatever the reason."""
    try:
        return pickle.dumps(task)
    except Exception:
        return b""


def _serve(pickled_work: bytes, connection: Connection) -> None:
    """The loop of a worker: one task after the other, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets the signal too, and ends the workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # not the handler of the parent
    end_with_parent()
    gc.freeze()  # what came from the parent is never collected here: finalizers may wait for threads that are not here
    threading.Thread(target=_watch_parent, daemon=True).start()
    work: Callable[..., object] | None = None
    with contextlib.suppress(Exception):
        work = pickle.loads(pickled_work)
    with contextlib.suppress(EOFError, OSError):
        while task := connection.recv_bytes():
            connection.send_bytes(b"" if work is None or task == _READY else outcome_of(work, task))


def outcome_of(work: Callable[..., object], pickled: bytes) -> bytes:
    """The pickled result or error of a task; empty if something cannot be pickled, and the parent has to run it."""
    try:
        task = pickle.loads(pickled)
    except Exception:
        return b""
    try:
        outcome = True, work(*task)
    except Exception as error:
        if not isinstance(error, ValueError | MemoryError):
            error.add_note(f"in a worker process:\n{traceback.format_exc()}")
        outcome = False, error
    try:
        pickled = pickle.dumps(outcome)
        if not outcome[0]:
            pickle.loads(pickled)  # some errors fail only here
    except Exception:
        return b""
    return pickled


def pickled_for(work: Callable[..., object], option: str) -> bytes:
    """What is done with each task, as bytes. If it cannot travel, ValueError names the option that needs that."""
    try:
        return pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(f"{option} needs settings that other processes can load: {error}") from None


def result_of(work: Callable[..., Result], task: tuple[object, ...], pickled: bytes) -> Result:
    """The result of a task, or its error, from what `outcome_of` gave; of nothing, the task is done here."""
    if not pickled:
        return work(*task)
    is_done, outcome = pickle.loads(pickled)
    if not is_done:
        raise outcome
    found: Result = outcome
    return found


def _watch_parent() -> None:
    """End this process when its parent ends, for whatever reason."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of prctl(2)


def end_with_parent() -> None:
    """Have the kernel end this process when the thread that started it ends, even during a long call.

    Works on Linux only; elsewhere this does nothing.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)
