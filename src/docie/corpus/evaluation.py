"""Score a corpus, or count parts of it and add their counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docie.corpus import bootstrap
from docie.corpus.counting import fold, survey_of, warn_of
from docie.corpus.groups import Groups
from docie.corpus.results import Wanted, facts_of, results_of
from docie.corpus.time_limit import check_seconds
from docie.corpus.workers import Engine
from docie.counts import Counts
from docie.errors import shortened
from docie.family import Family, checked_settings
from docie.settings import signature


def evaluate(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any = None,
    *,
    breakdown: bool = False,
    confidence_level: float | None = None,
    interval: str = "percentile",
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
        confidence_level (float): between 0 and 1, say 0.95: add `<score>_interval`, [low, high], for every score; with
            `breakdown`, also for every score in its tables, but for names that very few documents have.
        interval (str): "percentile", of resampled documents; or "t", from the spread of the documents, which covers
            better where documents are few or unequal (see `docie.corpus.spread`).
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
    settings = checked_settings(family, settings)
    wanted = Wanted(breakdown, confidence_level, interval, bootstrap_samples, seed)
    wanted.check()
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
    settings = checked_settings(family, settings)
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
    return {**family.score(counts), **tables, **facts_of(family, counts, counts.signature)}
