"""Count documents one by one or in several processes, add their counts, and score the sum."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, Protocol, TypeVar

from docie.corpus import bootstrap
from docie.corpus.groups import Groups, OpenedPair
from docie.corpus.survey import Survey
from docie.corpus.time_limit import check_seconds, within
from docie.corpus.workers import Engine, results_in_order
from docie.counts import Counts
from docie.documents import paired_rows
from docie.errors import errors_of_document, shortened, warn
from docie.family import Family, WithDetails
from docie.settings import named_entity_types, signature


class Watch(Protocol):
    """Looks at the rows of documents as they are read, and takes their counts, in the same order."""

    def watch(self, pairs: Iterable[OpenedPair]) -> Iterator[OpenedPair]: ...
    def add_counts(self, counts: Iterable[Counts]) -> None: ...


Each = TypeVar("Each")
CHUNK = 256  # documents a worker takes at a time
RESULT_OPTIONS = ("breakdown", "confidence_level", "bootstrap_samples", "seed")
"""The options of `evaluate` that say which results are wanted; evaluate modules have them too."""


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
    group_by: str | None = None,
    workers: int | Engine = 1,
    progress: bool = False,
    max_seconds: float | None = None,
) -> dict[str, Any]:
    """Score a corpus.

    Memory stays bounded unless intervals or a breakdown are asked for.

    Args:
        family (module): a family of metrics, such as `docie.kieval`.
        predictions (iterable): one prediction a document. A generator is read once.
        references (iterable): the references, in the same order.
        settings (Settings): the options of the family; None for its defaults.
        breakdown (bool): add the family's tables, and `per_document`, a list of figures in corpus order.
        confidence_level (float): between 0 and 1, say 0.95: add `<score>_interval`, [low, high], for every score,
            percentiles over resampled documents; with `breakdown`, also for every score in its tables, but for names
            that very few documents have.
        bootstrap_samples (int): the number of resamples.
        seed (int): the seed of the resamples.
        group_by (str): a column of the wrappers' `meta`, such as "vendor": add `by_<column>`, from each value to the
            figures of its documents. The reference's `meta` goes before the prediction's; "(none)" has the rest.
        workers (int or Engine): the number of processes, or an engine such as `dask_workers` gives. The result is the
            same for any.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        max_seconds (float): refuse a document that would take longer, before it is counted: by the family's `cost`,
            which is right within a factor of four. None for no limit.

    Returns:
        dict: the figures of the family, `documents`, `invalid_predictions` (numbers of documents), and `signature`.

    Raises:
        DocumentError: for a document that cannot be scored; it has the number of the document.
        ValueError: unless there are as many predictions as references, for an option's wrong value, and for a column
            that no document has.

    >>> from docie import kieval
    >>> figures = evaluate(kieval, [{"total": "12.00"}, {}], [{"total": "12.00"}, {"total": "7.50"}])
    >>> figures["entity_recall"], figures["documents"], figures["document_accuracy"]
    (0.5, 2, 0.5)
    """
    settings = family.Settings() if settings is None else settings
    wanted = Wanted(breakdown, confidence_level, bootstrap_samples, seed)
    wanted.check()
    if max_seconds is not None:
        check_seconds("max_seconds", max_seconds)
    rows = bootstrap.Stack() if wanted.needs_documents else None
    groups = None if group_by is None else Groups(group_by, keeps_documents=confidence_level is not None)
    survey = survey_of(family, settings)
    counts = fold(
        family,
        predictions,
        references,
        settings,
        workers=workers,
        progress=progress,
        survey=survey,
        rows=rows,
        groups=groups,
        max_seconds=max_seconds,
    )
    return results_of(family, settings, wanted, counts=counts, survey=survey, rows=rows, groups=groups)


class Wanted(NamedTuple):
    """Which results are wanted, as the options of `evaluate` say it."""

    breakdown: bool = False
    confidence_level: float | None = None
    samples: int = 1000
    seed: int = 0

    @property
    def needs_documents(self) -> bool:
        """Whether the counts of each document are needed."""
        return self.breakdown or self.confidence_level is not None

    @property
    def for_signature(self) -> dict[str, object]:
        """What the signature says of intervals."""
        if self.confidence_level is None:
            return {}
        return {"bootstrap_samples": self.samples, "confidence_level": self.confidence_level, "seed": self.seed}

    def check(self) -> None:
        """Raise ValueError for a value that makes no sense."""
        check_result_options(**self.for_signature)


def results_of(
    family: Family,
    settings: Any,
    wanted: Wanted,
    *,
    counts: Counts,
    survey: Survey,
    rows: bootstrap.Stack | None = None,
    groups: Groups | None = None,
) -> dict[str, Any]:
    """The results of a corpus that was counted, as `evaluate` returns them, with its warnings."""
    survey.check()
    results = family.score(counts)
    tables = family.breakdown(counts) if wanted.breakdown else {}
    sampling = {"samples": wanted.samples, "seed": wanted.seed}
    if rows is not None and wanted.confidence_level is not None:
        results |= bootstrap.intervals_of_results(family, rows, tables, wanted.confidence_level, **sampling)
    results |= tables
    if rows is not None and wanted.breakdown:
        results["per_document"] = bootstrap.score_each(family.score, rows)
    if groups is not None:
        groups.column.check()
        results[f"by_{groups.column.name}"] = groups.figures(family.score, wanted.confidence_level, **sampling)
    results |= _facts(family, counts, signature(family.NAME, settings, **wanted.for_signature))
    warn_of(survey, family, counts)
    return results


def check_result_options(*, breakdown: object = False, **options: Any) -> None:
    """Raise ValueError for a wrong value of one of `RESULT_OPTIONS`.

    Args:
        breakdown: any value.
        **options: the other ones, as in `evaluate`.

    Raises:
        ValueError: if `evaluate` does not take these values.

    >>> check_result_options(confidence_level=95)
    Traceback (most recent call last):
    ...
    ValueError: confidence_level must be between 0 and 1, got 95
    """
    bootstrap.check(**options)


def count(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any = None,
    *,
    workers: int | Engine = 1,
    progress: bool = False,
) -> Counts:
    """Count a corpus, or a part of one, for `merge` and `summarize`.

    Args:
        family, predictions, references, settings, workers, progress: as in `evaluate`.

    Returns:
        Counts: the sum of the documents' counts.

    Raises:
        DocumentError, ValueError: as in `evaluate`.

    >>> from docie import kieval
    >>> counts = count(kieval, [{"total": "12.00"}, {}], [{"total": "12.00"}, {"total": "7.50"}])
    >>> counts.documents, counts.rows["entity", None, "total"]
    (2, [1, 0, 1, 0])
    """
    settings = family.Settings() if settings is None else settings
    survey = survey_of(family, settings)
    counts = fold(family, predictions, references, settings, workers=workers, progress=progress, survey=survey)
    counts.signature = signature(family.NAME, settings)
    warn_of(survey, family, counts)
    return counts


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
    >>> parts = [count(kieval, [document], [document]).to_json() for document in documents]
    >>> summarize(kieval, merge(parts))["true_positives"]
    2
    """
    if isinstance(parts, str | bytes | Mapping | Counts) or not isinstance(parts, Iterable):
        raise ValueError(f"expected a list of counts, got {shortened(parts)}")
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


def summarize(family: Family, counts: Counts, *, breakdown: bool = False) -> dict[str, Any]:
    """The figures of counts that were merged.

    Args:
        family (module): the family that made the counts.
        counts (Counts): the counts.
        breakdown (bool): add the family's tables.

    Returns:
        dict: as `evaluate`, but without `per_document`.

    >>> from docie import kieval
    >>> summarize(kieval, count(kieval, [{"total": "12.00"}], [{"total": "12.00"}]))["document_accuracy"]
    1.0
    """
    tables = family.breakdown(counts) if breakdown else {}
    return {**family.score(counts), **tables, **_facts(family, counts, counts.signature)}


def survey_of(family: Family, settings: Any) -> Survey:
    """What looks at the documents of a corpus while they are scored."""
    is_normalized = any(getattr(settings, name, None) is not None for name in ("normalize", "match", "schema"))
    return Survey(family.INPUTS, named_entity_types(settings), is_normalized=is_normalized)


def warn_of(survey: Survey, family: Family, counts: Counts, *, system: str = "") -> None:
    """Warn of what the survey has seen in the predictions of a system; it has no name if it is the only one."""
    scored = family.breakdown(counts).get("per_entity", ())
    for line in survey.warnings(scored, invalid_predictions=counts.invalid_predictions):
        warn(f"{system}: {line}" if system else line)


def _facts(family: Family, counts: Counts, signature: str) -> dict[str, Any]:
    return {
        **(family.details(counts) if isinstance(family, WithDetails) else {}),
        "documents": counts.documents,
        "invalid_predictions": counts.invalid_predictions,
        "signature": signature,
    }


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
    pairs = survey.watch((predicted.document, expected.document) for predicted, expected in opened)
    if max_seconds is not None:
        pairs = within(pairs, family, settings, max_seconds)
    if progress:
        pairs = with_progress_bar(pairs, len(references) if isinstance(references, Sized) else None)
    work = partial(_count_chunk, family.count, settings, rows is not None, groups is not None)
    total = Counts()
    for counts, rows_of_chunk, counts_of_each in results_in_order(work, _chunks(pairs), workers):
        total += counts
        if rows is not None:
            rows.add(rows_of_chunk)
        if groups is not None:
            groups.add_counts(counts_of_each)
    return total


def _count_chunk(
    count: Callable[..., Counts],
    settings: Any,
    keep_rows: bool,
    keep_each: bool,
    start: int,
    chunk: list[tuple[object, object]],
) -> tuple[Counts, bootstrap.Stack, list[Counts]]:
    """The sum of a chunk's counts; those of each document as the rows of a stack, or as a list, where they are kept."""
    rows, each = bootstrap.Stack(), list[Counts]()

    def counts_of_each() -> Iterator[Counts]:
        for number, (prediction, reference) in enumerate(chunk, start):
            place.number = number
            counts = count(prediction, reference, settings)
            if keep_rows:
                rows.extend([counts])  # a stack travels between processes in a fraction of the time that a list takes
            if keep_each:
                each.append(counts)
            yield counts

    with errors_of_document(start) as place:
        return Counts.sum_of(counts_of_each()), rows, each


def _chunks(pairs: Iterator[tuple[object, object]]) -> Iterator[tuple[int, list[tuple[object, object]]]]:
    start = 0
    while chunk := list(islice(pairs, CHUNK)):
        yield start, chunk
        start += len(chunk)


def with_progress_bar(pairs: Iterable[Each], total: int | None) -> Iterator[Each]:
    """Pass the pairs on, or what else is done one by one, with a progress bar on stderr if that is a terminal.

    Args:
        pairs (iterable): what is passed on.
        total (int): how many there are; None if that is not known.

    Returns:
        iterator: the same.

    >>> list(with_progress_bar(["a", "b"], 2))
    ['a', 'b']
    """
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    yield from track(pairs, "scoring", total=total, console=console, transient=True, disable=not console.is_terminal)
