"""Count documents one by one or in several processes, and add their counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import partial
from itertools import islice
from typing import Any, Protocol, TypeVar

from docie.core.counts import Counts
from docie.core.errors import errors_of_document, shortened, warn
from docie.core.family import Family, Hints
from docie.core.settings import named_entity_types
from docie.corpus import bootstrap
from docie.corpus.groups import OpenedPair
from docie.corpus.guard import LongDocuments, limit_of
from docie.corpus.survey import Survey
from docie.corpus.workers import Engine, results_in_order
from docie.documents.rows import paired_rows

Each = TypeVar("Each")
CHUNK = 256  # documents a worker takes at a time


class Watch(Protocol):
    """Looks at the rows of documents as they are read, and takes their counts, in the same order."""

    def watch(self, pairs: Iterable[OpenedPair]) -> Iterator[OpenedPair]: ...
    def add_counts(self, counts: Iterable[Counts]) -> None: ...


def fold(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any,
    *,
    workers: int | Engine = 1,
    progress: bool = False,
    survey: Survey,
    rows: bootstrap.Stack | None = None,
    groups: Watch | None = None,
    max_seconds: float | None = None,
    tell: Callable[[str], object] = warn,
) -> Counts:
    """The sum of all documents' counts. The counts of each document go into `rows` and `groups`, if these are given."""
    opened = paired_rows(predictions, references, accepts_text="value" in family.INPUTS, tell=tell)
    if groups is not None:
        opened = groups.watch(opened)
    ids: deque[str | None] = deque()
    pairs = survey.watch(_documents(opened, ids))
    if progress:
        pairs = with_progress_bar(pairs, len(references) if isinstance(references, Sized) else None)
    hints = None if survey.hints is None else type(survey.hints)
    work = partial(_count_chunk, family.NAME, family.count, hints, settings, rows is not None, groups is not None)
    chunks = _chunks(pairs, ids, CHUNK if max_seconds is None else 1)
    total, limit = Counts(), limit_of(family.NAME, max_seconds)
    for counts, rows_of_chunk, counts_of_each, seen in results_in_order(work, chunks, workers, limit):
        total += counts
        survey.add_hints(seen)
        if rows is not None:
            rows.add(rows_of_chunk)
        if groups is not None:
            groups.add_counts(counts_of_each)
    return total


def _documents(opened: Iterable[OpenedPair], ids: deque[str | None]) -> Iterator[tuple[Any, Any]]:
    """The pairs of documents. The id of each goes into `ids`."""
    for predicted, expected in opened:
        ids.append(predicted.id if expected.id is None else expected.id)
        yield predicted.document, expected.document


def _count_chunk(
    family: str,
    count: Callable[..., Counts],
    hints_of: Callable[[Any], Hints] | None,
    settings: Any,
    keep_rows: bool,
    keep_each: bool,
    start: int,
    chunk: list[tuple[object, object]],
    ids: list[str | None],
) -> tuple[Counts, bootstrap.Stack, list[Counts], dict[str, Any]]:
    """The sum of a chunk's counts; those of each document as the rows of a stack, or as a list, where they are kept;
    and what was seen for hints."""
    rows, each = bootstrap.Stack(), list[Counts]()
    hints = [] if hints_of is None else [hints_of(settings)]

    def counts_of_each() -> Iterator[Counts]:
        for number, (prediction, reference) in enumerate(chunk, start):
            place.number = number
            long_documents.begin(number, ids[number - start], prediction, reference)
            counts = count(prediction, reference, settings, *hints)
            if keep_rows:
                rows.extend([counts])  # a stack travels between processes in a fraction of the time that a list takes
            if keep_each:
                each.append(counts)
            yield counts

    with errors_of_document(start) as place, LongDocuments(family) as long_documents:
        return Counts.sum_of(counts_of_each()), rows, each, hints[0].seen if hints else {}


def _chunks(
    pairs: Iterator[tuple[object, object]], ids: deque[str | None], size: int
) -> Iterator[tuple[int, list[tuple[object, object]], list[str | None]]]:
    """So many pairs at a time: the number of the first, the pairs, and their ids."""
    start = 0
    while chunk := list(islice(pairs, size)):
        yield start, chunk, [ids.popleft() for _ in chunk]
        start += len(chunk)


def with_progress_bar(pairs: Iterable[Each], total: int | None, label: str = "scoring") -> Iterator[Each]:
    """Pass the pairs on, or what else is done one by one, with a progress bar on stderr if that is a terminal.

    Args:
        pairs (iterable): what is passed on.
        total (int): how many there are; None if that is not known.
        label (str): what stands before the bar.

    Returns:
        iterator: the same.

    >>> list(with_progress_bar(["a", "b"], 2))
    ['a', 'b']
    """
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if not console.is_terminal:  # a bar that is disabled ends with an empty line before rich 14.3
        yield from pairs
        return
    yield from track(pairs, label, total=total, console=console, transient=True)


def survey_of(family: Family, settings: Any) -> Survey:
    """What looks at the documents of a corpus while they are scored."""
    is_normalized = any(getattr(settings, name, None) is not None for name in ("normalize", "match", "schema"))
    hints = getattr(family, "Hints", None)  # faster than a check for a protocol
    return Survey(
        family.INPUTS, named_entity_types(settings), is_normalized=is_normalized, hints=hints and hints(settings)
    )


def warn_of(survey: Survey, family: Family, counts: Counts, *, system: str = "") -> None:
    """Warn of what the survey has seen in the predictions of a system; it has no name if it is the only one."""
    for line in survey.warnings(family, counts):
        warn(f"{system}: {line}" if system else line)


def merge(parts: Iterable[Counts | Mapping[str, Any]]) -> Counts:
    """Add counts that were made elsewhere: in other processes, on other machines.

    Args:
        parts (iterable): each a `Counts`, or the JSON of its `to_json`.

    Returns:
        Counts: their sum.

    Raises:
        ValueError: for what are no counts, and unless all were made with the same settings.

    >>> from docie import kieval
    >>> documents = [{"total": "12.00"}, {"total": "7.50"}]
    >>> parts = [kieval.count(document, document).to_json() for document in documents]
    >>> merge(parts).documents
    2
    """
    check_several("counts", parts, Counts)
    total = Counts()
    widths: dict[str | None, int] = {}
    for part in parts:
        counts = part if isinstance(part, Counts) else Counts.from_json(part)
        if not counts.documents and not counts.signature:
            continue  # the neutral element
        if total.signature and counts.signature != total.signature:
            raise ValueError(
                f"cannot merge counts made as {total.signature!r} with counts made as {counts.signature!r}"
            )
        for key, numbers in counts.rows.items():
            if widths.setdefault(key[0], len(numbers)) != len(numbers):
                raise ValueError(f"cannot merge rows of {widths[key[0]]} and of {len(numbers)} numbers in {key[0]!r}")
        total += counts
        total.signature = counts.signature
    return total


def check_several(noun: str, values: object, *single: type) -> None:
    """Raise ValueError for what is no list; neither is one JSON object or one object of a type in `single`."""
    if isinstance(values, (str, bytes, Mapping, *single)) or not isinstance(values, Iterable):
        raise ValueError(f"expected a list of {noun}, got {shortened(values)}")
