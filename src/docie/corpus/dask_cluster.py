"""Dask as an engine: the tasks of `evaluate` go to the workers of a cluster.

The tasks are futures, and no `dask.bag`: so the results arrive in order while others are still under way, a checkpoint
keeps them as they come, and the memory of the scheduler stays bounded.
"""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import pickle
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic

from docie._version import __version__
from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.corpus.workers import AHEAD, Outcome, Result, Task, done_in_order, interrupts_wait, outcome_of, pickled_task

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster


class DaskWorkers:
    """The workers of a Dask cluster, for the `workers` of `evaluate`.

    Args:
        client (dask.distributed.Client): the connection to the cluster.
    """

    def __init__(self, client: Client) -> None:
        self.client = client

    def in_order(self, work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]]) -> Iterator[Result]:
        """`work(*task)` of every task, in order. What cannot be pickled is done in this process."""
        threads = sum(self.client.nthreads().values())
        yield from done_in_order(_DaskPool(self.client, work), tasks, AHEAD * max(threads, 1))


@contextlib.contextmanager
def dask_workers(scheduler: str | None = None, *, number: int | None = None) -> Iterator[DaskWorkers]:
    """Inside this block, tasks go to a Dask cluster.

    Args:
        scheduler (str): the address of a scheduler that runs, such as "tcp://10.0.0.1:8786"; its workers need the same
            version of docie. None starts a cluster on this machine, and ends it after the block.
        number (int): the number of processes of that cluster; None for one for each core.

    Returns:
        DaskWorkers: what `evaluate` takes as `workers`.

    Raises:
        ValueError: if Dask is missing, and for a cluster that cannot be reached or started.

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
                    resource_tracker.ensure_running()  # its start would end the wait
                with interrupts_wait():  # its processes would print a traceback each
                    cluster = LocalCluster(
                        n_workers=number or os.cpu_count() or 1,
                        threads_per_worker=1,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # a port that is free; another one would be warned about
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
    """Gives tasks to a cluster, as `docie.corpus.workers.ProcessPool` gives them to processes."""

    def __init__(self, client: Client, work: Callable[..., Result]) -> None:
        self.client, self.work = client, work
        self.under_way: list[Future] = []
        try:
            self.pickled_work = pickle.dumps(work)
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
            raise ValueError(f"an engine needs settings that other processes can load: {error}") from None

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
        if not pickled:
            return self.work(*job.task)
        outcome: Outcome[Result] = pickle.loads(pickled)
        if outcome[0] is False:
            raise outcome[1]
        return outcome[1]

    def end(self, *, at_once: bool) -> None:
        if at_once:
            self.client.cancel(self.under_way)


def _outcome(version: str, pickled_work: bytes, pickled: bytes) -> bytes:
    """What a worker of the cluster does: as one of `docie.corpus.workers`."""
    if version != __version__:
        raise ValueError(f"a worker has docie {__version__}, and not {version} as this process")
    try:
        work = pickle.loads(pickled_work)
    except Exception:
        return b""
    return outcome_of(work, pickled)


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
