"""Tasks in, results out in the same order: run in processes of this machine, or on the workers of a Dask cluster.

The tasks of Dask are futures, not a `dask.bag`: results then arrive in order while other tasks are running, and the
memory of the scheduler stays bounded.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import pickle
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVarTuple, runtime_checkable

from docie._version import __version__
from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.corpus.processes import (
    Failure,
    Job,
    ProcessPool,
    Result,
    interrupts_wait,
    outcome_of,
    pickled_for,
    pickled_task,
    result_of,
)

if TYPE_CHECKING:
    from distributed import Client, LocalCluster

Task = TypeVarTuple("Task")
Future = Any  # a `Job` of processes, or a future of Dask
MOST = 1000
"""The largest number of workers."""
AHEAD = 3
"""The number of tasks per worker that may be running, or waiting for the results of earlier tasks."""


@runtime_checkable
class Engine(Protocol):
    """A place for tasks other than processes of this machine: a value for the option `workers` of `evaluate`."""

    def in_order(self, work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]], /) -> Iterator[Result]:
        """`work(*task)` for every task, in order."""


def results_in_order(
    work: Callable[[*Task], Result],
    tasks: Iterator[tuple[*Task]],
    workers: int | Engine,
    failure: Failure,
    seconds: float | None = None,
) -> Iterator[Result]:
    """`work(*task)` for every task, in order. A bounded number of tasks runs at a time.

    Args:
        work (callable): a function that other processes can load.
        tasks (iterator of tuple): the arguments of each call. Tasks that cannot be pickled run in this
            process.
        workers (int or Engine): the number of processes; with 1, all work is done in this process. Or an engine.
        failure (callable): the error of a task that was ended, or that ended its process, from the task and the reason.
        seconds (float): the time limit of a task. A task that takes longer is stopped, so tasks run in another process,
            even with one worker. None for no limit.

    Returns:
        iterator: the results.

    Raises:
        ValueError: if the number of workers is wrong.
        Exception: the error of the first task that fails, as if tasks ran one by one; and errors of `tasks` itself.

    >>> list(results_in_order(divmod, iter([(7, 2), (9, 4)]), 1, lambda task, reason: ValueError(reason)))
    [(3, 1), (2, 1)]
    """
    if isinstance(workers, Engine):
        if seconds is not None:
            raise ValueError("max_seconds needs processes of this machine, so it cannot be used with an engine")
        yield from workers.in_order(work, tasks)
        return
    check_whole("workers", workers, 1, most=MOST)
    if workers == 1 and seconds is None:
        yield from (work(*task) for task in tasks)
        return
    pickled = pickled_for(work, "workers > 1" if seconds is None else "max_seconds")
    yield from _done_in_order(ProcessPool(pickled, workers, failure, seconds), work, tasks, AHEAD * workers)


def _done_in_order(
    pool: ProcessPool | _DaskPool, work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]], ahead: int
) -> Iterator[Result]:
    """The results of tasks in a pool, in order. The pool ends at the end, and after an error.

    Args:
        pool: the pool.
        work: the function that runs each task.
        tasks: the tasks.
        ahead: how many tasks may be running, or waiting for the results of earlier tasks.
    """
    waiting: deque[tuple[tuple[*Task], Future]] = deque()
    error: Exception | None = None
    is_complete = False

    def first() -> Result:
        task, future = waiting.popleft()
        return result_of(work, task, pool.result(future))

    try:
        while error is None:
            try:
                task = next(tasks, None)
            except Exception as problem:  # errors of earlier tasks come first
                task, error = None, problem
            if task is None:
                break
            waiting.append((task, pool.submit(task, pickled_task(task))))
            while waiting and (waiting[0][1].done() or len(waiting) > ahead):
                yield first()
        while waiting:
            yield first()
        is_complete = True
    finally:
        pool.end(at_once=not is_complete)
    if error is not None:
        raise error


class DaskWorkers:
    """The workers of a Dask cluster, for the `workers` of `evaluate`.

    Args:
        client (dask.distributed.Client): the connection to the cluster.
    """

    def __init__(self, client: Client) -> None:
        self.client = client

    def in_order(self, work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]]) -> Iterator[Result]:
        """`work(*task)` for every task, in order. Tasks that cannot be pickled run in this process."""
        threads = sum(self.client.nthreads().values())
        yield from _done_in_order(_DaskPool(self.client, work), work, tasks, AHEAD * max(threads, 1))


@contextlib.contextmanager
def dask_workers(scheduler: str | None = None, *, number: int | None = None) -> Iterator[DaskWorkers]:
    """Inside this block, tasks run on a Dask cluster.

    Args:
        scheduler (str): the address of a running scheduler, such as "tcp://10.0.0.1:8786"; its workers need the same
            version of docie. None starts a cluster on this machine, and shuts it down after the block.
        number (int): the number of processes of that cluster; None for one per core.

    Returns:
        DaskWorkers: a value for the option `workers` of `evaluate`.

    Raises:
        ValueError: if Dask is missing, or if the cluster cannot be reached or started.

    >>> from docie import corpus, kieval
    >>> def with_dask(predictions, references):
    ...     with dask_workers("tcp://10.0.0.1:8786") as workers:
    ...         return corpus.evaluate(kieval, predictions, references, workers=workers)
    """
    if importlib.util.find_spec("distributed") is None:
        raise ValueError("the engine dask needs Dask: pip install 'docie[dask]'")
    if number is not None:
        check_whole("the number of processes", number, 1)
    from multiprocessing import resource_tracker

    from distributed import Client, LocalCluster

    with contextlib.ExitStack() as stack:
        try:
            address: str | LocalCluster | None = scheduler
            if scheduler is None:
                if os.name == "posix":
                    resource_tracker.ensure_running()  # starting it later would end the wait
                with interrupts_wait():  # each of its processes would print a traceback
                    cluster = LocalCluster(
                        n_workers=number or os.cpu_count() or 1,
                        threads_per_worker=1,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # any free port; a fixed one may cause a warning
                        silence_logs=logging.CRITICAL,
                    )
                    address = stack.enter_context(cluster)
            client = stack.enter_context(Client(address, set_as_default=False))
        except (OSError, ValueError, TypeError, ImportError, TimeoutError) as error:
            place = "a local cluster" if scheduler is None else f"the scheduler {shortened(scheduler)}"
            raise ValueError(f"dask: {place} cannot be reached: {_line(error)}") from None
        yield DaskWorkers(client)


class _DaskPool:
    """Runs tasks on a cluster, as `docie.corpus.processes.ProcessPool` runs them in processes."""

    def __init__(self, client: Client, work: Callable[..., object]) -> None:
        self.client, self.pickled_work = client, pickled_for(work, "an engine")
        self.under_way: list[Future] = []

    def submit(self, task: tuple[object, ...], pickled: bytes) -> Future:
        if not pickled:
            return Job(task, b"")
        self.under_way.append(self.client.submit(_outcome, __version__, self.pickled_work, pickled, pure=False))
        return self.under_way[-1]

    def result(self, future: Future) -> bytes:
        if isinstance(future, Job):
            return b""
        self.under_way.remove(future)
        try:
            found: bytes = future.result()
        except Exception as error:
            raise ValueError(f"dask: {_line(error)}") from None
        return found

    def end(self, *, at_once: bool) -> None:
        if at_once:
            self.client.cancel(self.under_way)


def _outcome(version: str, pickled_work: bytes, pickled: bytes) -> bytes:
    """The work of a cluster's worker: the same as in `docie.corpus.processes`."""
    if version != __version__:
        raise ValueError(f"a worker has docie {__version__}, this process has {version}")
    try:
        work = pickle.loads(pickled_work)
    except Exception:
        return b""
    return outcome_of(work, pickled)


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
