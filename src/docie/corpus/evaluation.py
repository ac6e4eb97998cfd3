"""Score a corpus, or count a part of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from docie.core.counts import Counts
from docie.core.family import Family, checked_settings
from docie.core.settings import signature
from docie.corpus import bootstrap
from docie.corpus.counting import fold, survey_of, warn_of
from docie.corpus.groups import Groups
from docie.corpus.guard import check_seconds
from docie.corpus.poisson.draws import draws_of
from docie.corpus.results import Wanted, facts_of, results_of
from docie.corpus.workers import Engine


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
            `breakdown`, also for every score in its tables, but for names that very few documents have. It is None,
            with a warning, for a score at its border (an F1 of 1, no corrections) or the same in every document. Shares
            of whole documents have Clopper and Pearson's interval there.
        interval (str): "percentile", of resampled documents; "t", from the spread of the documents, which covers
            better where documents are few or unequal (see `docie.corpus.spread`); or "poisson", percentiles again, of
            documents that are resampled as they are counted, so none is kept, and there is no `per_document`.
        bootstrap_samples (int): the number of resamples.
        seed (int): the seed of the resamples.
        group_by (str): a column of the wrappers' `meta`, such as "vendor": add `by_<column>`, from each value to the
            figures of its documents. The reference's `meta` goes before the prediction's; "(none)" has the rest.
        workers (int or Engine): the number of processes, or an engine such as `dask_workers` gives. The result is the
            same for any.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        max_seconds (float): end a document that takes longer, with an error that names it. Documents are then counted
            in a process of their own, so the settings must be such that it can load them: no lambda. None for no
            limit; a line on stderr names a document that takes more than ten seconds.

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
    draws = draws_of(group_by, bootstrap_samples, seed) if wanted.is_poisson else None
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
        groups=draws or groups,
        max_seconds=max_seconds,
    )
    replicates = draws.replicates if draws else None
    return results_of(
        family, settings, wanted, counts=counts, survey=survey, rows=rows, groups=groups, replicates=replicates
    )


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
