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
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, TypeVarTuple, runtime_checkable

from docie._version import __version__
from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.corpus.guard import Limit
from docie.corpus.processes import (
    ProcessPool,
    Result,
    interrupts_wait,
    outcome_of,
    pickled_for,
    pickled_task,
    result_of,
)

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster


Task = TypeVarTuple("Task")
Result_co = TypeVar("Result_co", covariant=True)
OnItsWay = TypeVar("OnItsWay", bound="Doable")
MOST = 1000
"""The largest number of workers."""
AHEAD = 3
"""The number of tasks per worker that may be running, or waiting for the results of earlier tasks."""


@runtime_checkable
class Engine(Protocol):
    """A place for tasks other than processes of this machine: a value for the option `workers` of `evaluate`."""

    def in_order(self, work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]], /) -> Iterator[Result]:
        """`work(*task)` for every task, in order."""


class Doable(Protocol):
    """A submitted task."""

    @property
    def is_done(self) -> bool: ...


class Pool(Protocol[OnItsWay, Result_co]):
    """A pool of processes, or a cluster, that runs tasks."""

    def start(self, task: tuple[object, ...], /) -> OnItsWay:
        """Submit a task, and return a handle for it."""

    def result(self, job: OnItsWay, /) -> Result_co:
        """The result of a task, or its error."""

    def end(self, *, at_once: bool) -> None:
        """Stop all work."""


def results_in_order(
    work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]], workers: int | Engine, limit: Limit | None = None
) -> Iterator[Result]:
    """`work(*task)` for every task, in order. A bounded number of tasks runs at a time.

    Args:
        work (callable): a function that other processes can load.
        tasks (iterator of tuple): the arguments of each call. Tasks that cannot be pickled run in this
            process.
        workers (int or Engine): the number of processes; with 1, all work is done in this process. Or an engine.
        limit (Limit): the time limit of a task. A task that takes longer is stopped, so tasks run in another process,
            even with one worker. None for no limit.

    Returns:
        iterator: the results.

    Raises:
        ValueError: if the number of workers is wrong, or if a worker dies.
        Exception: the error of the first task that fails, as if tasks ran one by one; and errors of `tasks` itself.

    >>> list(results_in_order(divmod, iter([(7, 2), (9, 4)]), 1))
    [(3, 1), (2, 1)]
    """
    if isinstance(workers, Engine):
        if limit:
            raise ValueError("max_seconds needs processes of this machine, so it cannot be used with an engine")
        yield from workers.in_order(work, tasks)
        return
    check_whole("workers", workers, 1, most=MOST)
    if workers == 1 and not limit:
        yield from (work(*task) for task in tasks)
        return
    yield from done_in_order(ProcessPool(work, workers, limit), tasks, AHEAD * workers)


def done_in_order(pool: Pool[OnItsWay, Result], tasks: Iterator[tuple[object, ...]], ahead: int) -> Iterator[Result]:
    """The results of tasks in a pool, in order. The pool ends at the end, and after an error.

    Args:
        pool: the pool.
        tasks: the tasks.
        ahead: how many tasks may be running, or waiting for the results of earlier tasks.
    """
    waiting: deque[OnItsWay] = deque()
    error: Exception | None = None
    is_complete = False
    try:
        while error is None:
            try:
                task = next(tasks, None)
            except Exception as problem:  # errors of earlier tasks come first
                task, error = None, problem
            if task is None:
                break
            waiting.append(pool.start(task))
            while waiting and (waiting[0].is_done or len(waiting) > ahead):
                yield pool.result(waiting.popleft())
        while waiting:
            yield pool.result(waiting.popleft())
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
        yield from done_in_order(_DaskPool(self.client, work), tasks, AHEAD * max(threads, 1))


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


class _Job:
    """A task on a cluster."""

    def __init__(self, task: tuple[object, ...], future: Future | None) -> None:
        self.task, self.future = task, future

    @property
    def is_done(self) -> bool:
        return self.future is None or bool(self.future.done())


class _DaskPool(Generic[Result]):
    """Runs tasks on a cluster, as `docie.corpus.processes.ProcessPool` runs them in processes."""

    def __init__(self, client: Client, work: Callable[..., Result]) -> None:
        self.client, self.work = client, work
        self.under_way: list[Future] = []
        self.pickled_work = pickled_for(work, "an engine")

    def start(self, task: tuple[object, ...]) -> _Job:
        pickled = pickled_task(task)
        if not pickled:
            return _Job(task, None)
        future = self.client.submit(_outcome, __version__, self.pickled_work, pickled, pure=False)
        self.under_way.append(future)
        return _Job(task, future)

    def result(self, job: _Job) -> Result:
        pickled = b""
        if job.future is not None:
            try:
                pickled = job.future.result()
            except Exception as error:
                raise ValueError(f"dask: {_line(error)}") from None
            self.under_way.remove(job.future)
        return result_of(self.work, job.task, pickled)

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
