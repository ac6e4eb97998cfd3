"""Processes that share tasks: no process is left behind, however the work ends.

`concurrent.futures` waits for running tasks when it is interrupted, hangs on some tasks that cannot be pickled, and
leaves its processes behind when the parent is killed. Here the parent pickles, and the workers watch the parent.
"""

from __future__ import annotations

import contextlib
import ctypes
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
from typing import Generic, Literal, TypeVar

from docie.corpus.guard import Limit

Result = TypeVar("Result")
Outcome = tuple[Literal[True], Result] | tuple[Literal[False], Exception]
"""Whether a task was done, and its result or its error."""
_GOODBYE_SECONDS = 1.0
_READY = b"ready?"  # no pickle begins like this


class Job:
    """A submitted task: its result, pickled, once a worker has sent it."""

    def __init__(self, task: tuple[object, ...]) -> None:
        self.task = task
        self.is_done = False
        self.outcome = b""  # empty if it cannot be pickled, and is run in this process
        self.error: Exception | None = None  # the error of a task that was not run


class Worker:
    """A process, its task, and the time when that started."""

    def __init__(self, work: bytes) -> None:
        self.connection, other_end = multiprocessing.Pipe()
        # not a daemon: daemons may not start processes, and a partition may have a limit for each of its documents
        self.process: BaseProcess = multiprocessing.Process(target=_serve, args=(work, other_end))
        self.job: Job | None = None
        self.since = 0.0
        with other_end, interrupts_wait():
            self.process.start()
            Finalize(self, self.process.kill, exitpriority=0)  # otherwise Python would wait for it when it exits

    def wait_until_ready(self) -> None:
        """Wait until the process is ready: its start does not count towards the time of a task."""
        try:
            self.connection.send_bytes(_READY)
            self.connection.recv_bytes()
        except (EOFError, OSError):
            raise self.failure() from None

    def failure(self) -> ValueError:
        """The error for a worker that has died."""
        self.process.join(_GOODBYE_SECONDS)
        reason = f"exit code {self.process.exitcode}"
        return ValueError(f"a worker process failed ({reason}); try again with workers=1")


class ProcessPool(Generic[Result]):
    """A pool of processes, which are started when there is work.

    Args:
        work: the function that runs each task.
        number: the largest number of processes.
        limit: the time limit of a task; None for no limit.
    """

    def __init__(self, work: Callable[..., Result], number: int, limit: Limit | None = None) -> None:
        self.work = work
        self.number, self.limit = number, limit
        self.workers: list[Worker] = []
        self.pickled_work = pickled_for(work, "max_seconds" if limit else "workers > 1")

    def start(self, task: tuple[object, ...]) -> Job:
        """Submit a task to the first free worker."""
        job = Job(task)
        pickled = pickled_task(task)
        if not pickled:
            job.is_done = True
            if self.limit:
                job.error = self.limit.error(task, "cannot have a limit here: other processes cannot load the document")
            return job
        worker = self._idle()
        worker.job, worker.since = job, time.monotonic()
        try:
            worker.connection.send_bytes(pickled)
        except OSError:
            raise worker.failure() from None
        return job

    def result(self, job: Job) -> Result:
        """The result of a task, or its error."""
        while not job.is_done:
            self._receive()
        if job.error:
            raise job.error
        return result_of(self.work, job.task, job.outcome)

    def end(self, *, at_once: bool) -> None:
        """End all processes; `at_once` if their work is no longer needed."""
        for worker in () if at_once else self.workers:
            with contextlib.suppress(OSError):
                worker.connection.send_bytes(b"")
        for worker in self.workers:
            worker.process.join(0 if at_once else _GOODBYE_SECONDS)
            worker.process.kill()
        for worker in self.workers:
            worker.process.join()
            worker.connection.close()
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
            worker = Worker(self.pickled_work)
        except OSError as error:
            problem = error.strerror or error
            raise ValueError(f"worker {len(self.workers) + 1} of {self.number} cannot be started: {problem}") from None
        if self.limit:
            worker.wait_until_ready()
        self.workers.append(worker)
        return worker

    def _receive(self) -> None:
        """Wait until a worker has finished its task or reached the limit."""
        busy = [worker for worker in self.workers if worker.job is not None]
        timeout = None
        if self.limit:
            timeout = max(0.0, min(worker.since for worker in busy) + self.limit.seconds - time.monotonic())
        done = wait([worker.connection for worker in busy], timeout)
        if not done:
            self._end_late_ones()
        for worker in busy:
            if worker.connection not in done:
                continue
            try:
                outcome = worker.connection.recv_bytes()
            except (EOFError, OSError):
                raise worker.failure() from None
            if worker.job is not None:
                worker.job.outcome, worker.job.is_done = outcome, True
            worker.job = None

    def _end_late_ones(self) -> None:
        """End the workers whose task has taken longer than the limit."""
        assert self.limit is not None
        for worker in [*self.workers]:
            if worker.job is not None and time.monotonic() - worker.since >= self.limit.seconds:
                reason = f"took more than {self.limit.seconds:g} s, and was ended"
                worker.job.error, worker.job.is_done = self.limit.error(worker.job.task, reason), True
                worker.process.kill()
                worker.process.join()
                worker.connection.close()
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
    outcome: Outcome[Result] = pickle.loads(pickled)
    if outcome[0] is False:
        raise outcome[1]
    return outcome[1]


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
