"""Dask as an engine: the same results, the same errors."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from docie import corpus, kieval
from docie.core.errors import DocumentError
from docie.corpus import dask_workers
from docie.corpus import workers as engines
from docie.corpus.workers import DaskWorkers

from checkout import needs_package

DOCUMENTS: list[Any] = [{"a": str(number % 5), "g": [{"b": "1"}, {"b": str(number)}]} for number in range(700)]
PREDICTIONS: list[Any] = [{**document, "a": "3"} for document in DOCUMENTS]


class Unpicklable(dict[str, Any]):
    """A document that no other process can load."""

    def __reduce__(self) -> Any:
        raise TypeError("this cannot be pickled")


@pytest.fixture(scope="module")
def workers() -> Iterator[DaskWorkers]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            processes=False, n_workers=1, threads_per_worker=2, dashboard_address="127.0.0.1:0"
        ) as cluster,
        dask_workers(cluster.scheduler_address) as workers,
    ):
        yield workers


def test_dask_gives_what_one_process_gives(workers: DaskWorkers) -> None:
    predictions = [*PREDICTIONS[:300], Unpicklable(a="1"), *PREDICTIONS[301:]]
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    expected = corpus.evaluate(kieval, predictions, DOCUMENTS, **options)
    assert corpus.evaluate(kieval, iter(predictions), iter(DOCUMENTS), workers=workers, **options) == expected


def test_errors_are_those_of_one_process(workers: DaskWorkers) -> None:
    wrong = [*PREDICTIONS[:400], {"a": {"value": "1", "confidence": 7}}, *PREDICTIONS[401:]]
    with pytest.raises(DocumentError, match="^document 400, entity 'a': confidence must be between 0 and 1, got 7$"):
        corpus.evaluate(kieval, wrong, DOCUMENTS, workers=workers)
    with pytest.raises(ValueError, match="^expected as many predictions as references, got 699 and 700$"):
        corpus.evaluate(kieval, iter(PREDICTIONS[1:]), iter(DOCUMENTS), workers=workers)
    with pytest.raises(ValueError, match="^an engine needs settings that other processes can load: "):
        corpus.evaluate(kieval, DOCUMENTS, DOCUMENTS, kieval.Settings(normalize=lambda text: text), workers=workers)


def test_a_bounded_number_of_tasks_is_under_way(workers: DaskWorkers) -> None:
    taken = 0

    def tasks() -> Iterator[tuple[int, int]]:
        nonlocal taken
        for taken in range(1, 1001):
            yield taken, 2

    results = workers.in_order(divmod, tasks())
    assert [next(results) for _ in range(3)] == [divmod(number, 2) for number in (1, 2, 3)]
    assert taken < 100
    results.close()  # type: ignore[attr-defined]


def test_workers_of_another_version(workers: DaskWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    original = engines._outcome
    monkeypatch.setattr(engines, "_outcome", lambda _, *rest: original("0.0.9", *rest))
    with pytest.raises(ValueError, match=r"^dask: ValueError: a worker has docie \S+, this process has 0\.0\.9$"):
        corpus.evaluate(kieval, DOCUMENTS, DOCUMENTS, workers=workers)


def test_a_bag_of_parts_is_reduced(workers: DaskWorkers) -> None:
    import dask.bag

    bag = dask.bag.from_sequence(zip(PREDICTIONS, DOCUMENTS, strict=True), npartitions=7)
    counted = bag.reduction(
        lambda pairs: corpus.count(kieval, *zip(*pairs, strict=True)), corpus.Partial.sum_of, split_every=3
    )
    part = counted.compute(scheduler=workers.client)
    assert corpus.results(part) == corpus.evaluate(kieval, PREDICTIONS, DOCUMENTS)


@needs_package("distributed")
def test_what_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("nowhere://x", "tcp://127.0.0.1:notaport"):
        with pytest.raises(ValueError, match="^dask: the scheduler '.*' cannot be reached: "), dask_workers(address):
            pass
    with pytest.raises(ValueError, match="number of processes must be a whole number"), dask_workers(number=0):
        pass
    monkeypatch.setitem(sys.modules, "distributed", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"^the engine dask needs Dask: pip install 'docie\[dask\]'$"), dask_workers():
        pass
