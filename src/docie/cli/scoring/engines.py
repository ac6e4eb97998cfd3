"""Where documents are counted: in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:  # numpy comes with it
    from docie.corpus import Engine


class EngineName(StrEnum):
    """An engine that counts documents elsewhere."""

    dask = "dask"


EngineOption = Annotated[
    EngineName | None,
    typer.Option("--engine", help="Count on a Dask cluster: one on this machine, unless --scheduler names another."),
]
SchedulerOption = Annotated[
    str | None, typer.Option(help="The address of a Dask scheduler, such as tcp://10.0.0.1:8786; for --engine dask.")
]
WorkersOption = Annotated[
    int | None, typer.Option(help="Number of processes; 1 by default, and with --engine dask one for each core.")
]
CheckpointOption = Annotated[
    str | None,
    typer.Option(help="A folder that keeps the counts of what is finished; the same command then counts the rest."),
]


@contextlib.contextmanager
def opened(engine: EngineName | None, scheduler: str | None, workers: int | None) -> Iterator[int | Engine]:
    """Inside this block, documents may be counted by what this gives: the `workers` of `corpus.evaluate`.

    Raises:
        ValueError: for a cluster that cannot be reached.
    """
    if engine is None:
        yield 1 if workers is None else workers
        return
    from docie.corpus import dask_workers

    with dask_workers(scheduler, number=workers) as cluster:
        yield cluster
