"""Whole corpora: fold the counts of documents, score them, say how sure the figures are.

All of this works for any family (`docie.kieval`, ...): it asks for counts, adds them, and has them scored.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Any, Protocol

from docie import bootstrap
from docie.counts import Counts, Number
from docie.errors import DocumentError, check_whole
from docie.pairs import paired
from docie.signature import signature

CHUNK = 256  # documents a worker takes at a time


class Family(Protocol):
    """What a family of metrics is to the rest of docie; a module with these names is one."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - a constant of the module
    @property
    def INPUTS(self) -> tuple[str, ...]: ...  # noqa: N802 - kinds of `docie.inputs`
    @property
    def Settings(self) -> Callable[..., Any]: ...  # noqa: N802 - a class of the module
    def count(self, prediction: object, reference: object, settings: Any, /) -> Counts:
        """The counts of one document."""

    def score(self, counts: Counts, /) -> dict[str, Number]:
        """The figures of counts; with arrays for numbers, arrays of figures."""

    def breakdown(self, counts: Counts, /) -> dict[str, dict[str, dict[str, Number]]]:
        """Tables of figures: {"per_entity": {name: {figure: value}}, ...}."""

    def details(self, counts: Counts, /) -> dict[str, Any]:
        """What was asked for beyond figures and tables; often nothing."""


def evaluate(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any = None,
    *,
    breakdown: bool = False,
    confidence_level: float | None = None,
    bootstrap_samples: int = 1000,
    seed: int = 0,
    workers: int = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """All figures of a corpus.

    `predictions` and `references` are iterables of documents of equal length, in the same order; generators are read
    once, and memory stays bounded unless intervals or a breakdown are asked for. `breakdown` adds the family's tables
    and `per_document`, a list of figures in corpus order. `confidence_level` (say 0.95) adds `<score>_interval: [low,
    high]`, percentiles of `bootstrap_samples` resamples of whole documents drawn with `seed`. `workers` is the number
    of processes; the result is the same for any. `progress` shows a bar on stderr if that is a terminal.

    Raises DocumentError for a document that cannot be scored, ValueError for unequal lengths or a wrong option.

    >>> from docie import kieval
    >>> figures = evaluate(kieval, [{"total": "12.00"}, {}], [{"total": "12.00"}, {"total": "7.50"}])
    >>> figures["entity_recall"], figures["documents"], figures["document_accuracy"]
    (0.5, 2, 0.5)
    """
    settings = family.Settings() if settings is None else settings
    more: dict[str, object] = {}
    if confidence_level is not None:
        bootstrap.check(confidence_level=confidence_level, bootstrap_samples=bootstrap_samples, seed=seed)
        more = {"bootstrap_samples": bootstrap_samples, "confidence_level": confidence_level, "seed": seed}
    rows: list[Counts] | None = [] if breakdown or confidence_level is not None else None
    counts = _fold(family, predictions, references, settings, workers=workers, progress=progress, rows=rows)
    results = family.score(counts)
    if rows is not None and confidence_level is not None:
        results |= bootstrap.intervals(family.score, rows, confidence_level, samples=bootstrap_samples, seed=seed)
    if rows is not None and breakdown:
        results |= family.breakdown(counts)
        results["per_document"] = bootstrap.each(family.score, rows)
    results |= _facts(family, counts, signature(family.NAME, settings, **more))
    return results


def count(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any = None,
    *,
    workers: int = 1,
    progress: bool = False,
) -> Counts:
    """The counts of a corpus, or of a part of one, to be merged and summarized; arguments as in `evaluate`."""
    settings = family.Settings() if settings is None else settings
    counts = _fold(family, predictions, references, settings, workers=workers, progress=progress)
    counts.signature = signature(family.NAME, settings)
    return counts


def merge(parts: Iterable[Counts | Mapping[str, Any]]) -> Counts:
    """The sum of counts that were made elsewhere, each a `Counts` or the JSON of its `to_json`.

    Raises ValueError if they were not all made with the same settings.

    >>> from docie import kieval
    >>> documents = [{"total": "12.00"}, {"total": "7.50"}]
    >>> parts = [count(kieval, [document], [document]).to_json() for document in documents]
    >>> summarize(kieval, merge(parts))["true_positives"]
    2
    """
    total = Counts()
    for part in parts:
        counts = part if isinstance(part, Counts) else Counts.from_json(part)
        if not counts.documents and not counts.signature:
            continue  # the neutral element
        if total.signature and counts.signature != total.signature:
            raise ValueError(
                f"cannot merge counts made as {total.signature!r} with counts made as {counts.signature!r}"
            )
        total += counts
        total.signature = counts.signature
    return total


def summarize(family: Family, counts: Counts, *, breakdown: bool = False) -> dict[str, Any]:
    """The figures of merged counts, as `evaluate` gives them; `breakdown` adds the family's tables."""
    tables = family.breakdown(counts) if breakdown else {}
    return {**family.score(counts), **tables, **_facts(family, counts, counts.signature)}


def _facts(family: Family, counts: Counts, how: str) -> dict[str, Any]:
    return {
        **family.details(counts),
        "documents": counts.documents,
        "invalid_predictions": counts.invalid_predictions,
        "signature": how,
    }


def _fold(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any,
    *,
    workers: int,
    progress: bool,
    rows: list[Counts] | None = None,
) -> Counts:
    """The sum of all documents' counts; the single counts are put into `rows`, if a list is given."""
    pairs = paired(predictions, references)
    if progress:
        pairs = _with_bar(pairs, len(references) if isinstance(references, Sized) else None)
    chunks = _chunks(pairs)
    tasks = ((family.count, settings, start, chunk, rows is not None) for start, chunk in chunks)
    total = Counts()
    for counts, each in _run(tasks, settings, workers):
        total += counts
        if rows is not None:
            rows += each
    return total


def _count_chunk(
    count: Callable[..., Counts], settings: Any, start: int, chunk: list[tuple[object, object]], keep: bool
) -> tuple[Counts, list[Counts]]:
    total, rows = Counts(), []
    for number, (prediction, reference) in enumerate(chunk, start):
        try:
            counts = count(prediction, reference, settings)
        except DocumentError as error:
            error.document = number
            raise
        total += counts
        if keep:
            rows.append(counts)
    return total, rows


def _run(tasks: Iterator[tuple[Any, ...]], settings: Any, workers: int) -> Iterator[tuple[Counts, list[Counts]]]:
    """The tasks' results in order, with a bounded number of tasks in the air."""
    check_whole("workers", workers, 1)
    if workers == 1:
        yield from (_count_chunk(*task) for task in tasks)
        return
    try:
        pickle.dumps(settings)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(f"workers > 1 needs settings that other processes can load: {error}") from None
    with ProcessPoolExecutor(workers) as pool:
        waiting: deque[Future[tuple[Counts, list[Counts]]]] = deque()
        try:
            for task in tasks:
                waiting.append(pool.submit(_count_chunk, *task))
                if len(waiting) > 3 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except (BrokenProcessPool, pickle.PicklingError, RecursionError) as error:
            problem = str(error) or type(error).__name__
            raise ValueError(f"a worker process failed ({problem}); try again with workers=1") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _chunks(pairs: Iterator[tuple[object, object]]) -> Iterator[tuple[int, list[tuple[object, object]]]]:
    start = 0
    while chunk := list(islice(pairs, CHUNK)):
        yield start, chunk
        start += len(chunk)


def _with_bar(pairs: Iterator[tuple[object, object]], total: int | None) -> Iterator[tuple[object, object]]:
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(pairs, "scoring", total=total, console=console, transient=True, disable=not console.is_terminal)
