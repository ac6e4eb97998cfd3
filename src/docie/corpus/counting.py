"""Count documents one by one, in this process or in others, into a `Partial`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from functools import partial
from itertools import islice

from docie.core.counts import Counts
from docie.core.errors import errors_of_document
from docie.core.family import Family, Hints
from docie.core.settings import check_choice, settings_of_document
from docie.core.values.plain import JsonObject
from docie.corpus.clusters.column import Column
from docie.corpus.clusters.units import Clusters, Labels
from docie.corpus.guard import LongDocuments, check_seconds, failure_of
from docie.corpus.matrix import Matrix
from docie.corpus.method import Method
from docie.corpus.partial import Partial
from docie.corpus.progress import with_progress_bar
from docie.corpus.runs.answers import Runs, answers_of, counts_of
from docie.corpus.workers import Engine, results_in_order
from docie.inputs.config import Config
from docie.inputs.fit.survey import Survey
from docie.inputs.row import Pair

CHUNK = 256  # documents a worker takes at a time

Document = tuple[object, object, str | None, str | None, tuple[str, str]]
"""A document: its prediction (or `Answers` of several runs), its reference, its id, its group, and where both stand."""


def count(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: object = None,
    *,
    config: Config = None,
    keep: str | None = None,
    group_by: str | None = None,
    clusters: Clusters = None,
    workers: int | Engine = 1,
    progress: bool = False,
    max_seconds: float | None = None,
    take: Callable[[Partial], object] | None = None,
) -> Partial:
    """Count a corpus, or a part of one, to be scored later.

    Args:
        family, predictions, references, settings, config: as in `evaluate`.
        keep (str): "documents": the counts of each document, which intervals and `per_document` need, about 60 bytes a
            receipt; None for their sum alone.
        group_by, clusters: as in `evaluate`.
        workers, progress, max_seconds: as in `evaluate`.
        take (callable): gets the counts of some documents after the other, in order, before they are added.

    Returns:
        Partial: the counts of the documents. Partials can be added, and `results` computes the scores of the sum.

    Raises:
        DocumentError, ValueError: as in `evaluate`. The number in an error is the position of the document in this
            part.

    >>> from docie import kieval
    >>> partial = count(kieval, [{"total": "12.00"}, {}], [{"total": "12.00"}, {"total": "7.50"}])
    >>> partial.counts.documents, partial.counts.rows["entity", None, "total"]
    (2, [1, 0, 1, 0])
    """
    method = Method.of(family, settings, config)
    check_seconds("max_seconds", max_seconds)
    notes: list[str] = []
    rows = method.pairs(predictions, references, tell=notes.append)
    if progress:
        rows = with_progress_bar(rows, len(references) if isinstance(references, Sized) else None)
    total, column = Partial(), None if group_by is None else Column(group_by)
    labels = None if clusters is None and keep != "documents" else Labels(clusters)
    if keep is not None:
        check_choice("keep", keep, "documents")
        total.documents = Matrix()
    count_rows(method, rows, total, column, labels, workers=workers, max_seconds=max_seconds, take=take)
    total.notes = notes
    return total


def count_rows(
    method: Method,
    rows: Iterable[Pair],
    total: Partial,
    column: Column | None = None,
    labels: Labels | None = None,
    *,
    workers: int | Engine = 1,
    max_seconds: float | None = None,
    take: Callable[[Partial], object] | None = None,
) -> None:
    """Add documents to a Partial.

    Args:
        method: how documents are counted.
        rows: each prediction with its reference, as `method.pairs` reads them.
        total: an empty Partial, which sets what is kept of each document.
        column: the column of `meta` that holds the group of a document; None for no groups.
        labels: takes the labels of the documents; None for none.
        workers, max_seconds, take: as in `count`.
    """
    family, settings, _ = method
    total.counts.signature = method.signature()
    total.runs = Runs() if method.reading.has_runs else None
    survey = Survey.of(family, settings)
    hints = getattr(family, "Hints", None)  # faster than a check for a protocol
    work = partial(_count_chunk, family.NAME, family.count, hints, settings, total.empty())
    chunks = _chunks(survey.watch(rows), column, labels, CHUNK if max_seconds is None else 1)
    failure = partial(failure_of, family.NAME)
    for part, seen in results_in_order(work, chunks, workers, failure, max_seconds):
        if take is not None:
            take(part)
        total += part
        survey.add_hints(seen)
    if labels is not None:
        labels.close()
    total.survey, total.column, total.labels = survey.to_json(), column, labels


def _chunks(
    rows: Iterator[Pair], column: Column | None, labels: Labels | None, size: int
) -> Iterator[tuple[int, list[Document]]]:
    """So many documents at a time, with the number of the first."""
    start = 0
    while chunk := list(islice(documents_of(rows, column, labels, start=start), size)):
        yield start, chunk
        start += len(chunk)


def documents_of(
    rows: Iterable[Pair], column: Column | None, labels: Labels | None = None, *, start: int = 0
) -> Iterator[Document]:
    """The documents of rows, with their ids, their places and, if there is a column, their groups.

    Args:
        rows: each prediction with its reference.
        column: the column of the groups; None for none.
        labels: takes the labels of the documents; None for none.
        start: the number of the first document.
    """
    for number, pair in enumerate(rows, start):
        group = None
        with errors_of_document(number, pair.places):
            if column is not None:
                group = column.value_of(*pair)
            if labels is not None:
                labels.note(*pair, group)
        yield answers_of(pair.prediction), pair.reference.document, pair.id, group, pair.places


def _count_chunk(
    family: str,
    count: Callable[..., Counts],
    hints_of: Callable[[object], Hints] | None,
    settings: object,
    empty: Partial,
    start: int,
    chunk: list[Document],
) -> tuple[Partial, JsonObject]:
    """A Partial of a chunk of documents, and notes for hints; `empty` sets what is kept of each document."""
    part = empty.empty()
    hints = [] if hints_of is None else [hints_of(settings)]

    def counts_of_each() -> Iterator[Counts]:
        for number, (prediction, reference, identity, _, places) in enumerate(chunk, start):
            place.number, place.places = number, places
            long_documents.begin(number, identity, prediction, reference)
            own = settings_of_document(settings, identity)
            if part.runs is None:
                yield count(prediction, reference, own, *hints)
            else:
                each = counts_of(count, prediction, reference, own, *hints)
                part.runs.add(prediction, each)
                yield Counts.mean_of(each)

    with errors_of_document(start) as place, LongDocuments(family) as long_documents:
        part.add(counts_of_each(), [each[3] for each in chunk])
    return part, hints[0].seen if hints else {}
