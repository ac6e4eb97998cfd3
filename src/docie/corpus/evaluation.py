"""The results of a corpus: scores, intervals, tables and facts, computed from counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from docie.core.counts import Counts
from docie.core.errors import shortened, warn
from docie.core.family import Family, family_of
from docie.core.settings import check_choice, with_more
from docie.core.values.plain import is_number
from docie.corpus.clusters.alike import warn_of_alike
from docie.corpus.clusters.units import Clusters, Units, units_of, warning_of_clusters
from docie.corpus.counting import count
from docie.corpus.figures import Figures, Tables, intervals_of, warn_of_missing
from docie.corpus.intervals import METHODS
from docie.corpus.matrix import Matrix, check_sampling, score_each
from docie.corpus.partial import Partial, in_order
from docie.corpus.workers import Engine
from docie.inputs.config import Config
from docie.inputs.fit.survey import Survey

RESULT_OPTIONS = ("breakdown", "confidence_level", "interval", "bootstrap_samples", "seed")
"""The options of `evaluate` that select results; evaluate modules have them too."""


def check_result_options(*, breakdown: object = False, **options: Any) -> None:
    """Raise ValueError for a wrong value of one of `RESULT_OPTIONS`.

    Args:
        breakdown: any value.
        **options: the other options, as in `evaluate`.

    Raises:
        ValueError: if `evaluate` does not take these values.

    >>> check_result_options(confidence_level=95)
    Traceback (most recent call last):
    ...
    ValueError: confidence_level must be between 0 and 1, got 95
    """
    ResultOptions(**options).check()


class ResultOptions(NamedTuple):
    """The results to compute, as the options of `evaluate` select them."""

    breakdown: bool = False
    confidence_level: float | None = None
    interval: str = "t"
    bootstrap_samples: int = 1000
    seed: int = 0

    @property
    def keep(self) -> str | None:
        """What must be kept of each document, as a value of `keep` in `count`."""
        return "documents" if self.breakdown or self.confidence_level is not None else None

    @property
    def sampling(self) -> dict[str, int]:
        """The parameters of resampling."""
        return {"bootstrap_samples": self.bootstrap_samples, "seed": self.seed}

    @property
    def for_signature(self) -> dict[str, object]:
        """The entries on intervals in the signature."""
        if self.confidence_level is None:
            return {}
        how = {} if self.interval == "t" else self.sampling
        return {"confidence_level": self.confidence_level, "interval": self.interval, **how}

    def check(self) -> None:
        """Raise ValueError for a wrong value."""
        check_choice("interval", self.interval, *METHODS)
        level = self.confidence_level
        if level is not None and not (is_number(level) and 0 < level < 1):
            raise ValueError(f"confidence_level must be between 0 and 1, got {shortened(level)}")
        check_sampling(**self.sampling)

    def warn_of_idle(self) -> None:
        """Warn of options without effect."""
        defaults = self._field_defaults
        idle = [name for name in RESULT_OPTIONS[2:] if getattr(self, name) != defaults[name]]
        if self.confidence_level is None and idle:
            warn(f"{', '.join(idle)}: no effect without confidence_level, which adds intervals")
        elif self.interval == "t" and idle:
            warn(f"{', '.join(idle)}: no effect with interval='t'; 'percentile' resamples documents")


def evaluate(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: object = None,
    *,
    config: Config = None,
    breakdown: bool = False,
    confidence_level: float | None = None,
    interval: str = "t",
    bootstrap_samples: int = 1000,
    seed: int = 0,
    group_by: str | None = None,
    clusters: Clusters = None,
    workers: int | Engine = 1,
    progress: bool = False,
    max_seconds: float | None = None,
) -> dict[str, Any]:
    """Score a corpus: the same as `results` of `count`.

    Memory stays bounded unless intervals or a breakdown are requested.

    Args:
        family (module): a family of metrics, such as `docie.kieval`.
        predictions (iterable): one prediction a document. A generator is read once.
        references (iterable): the references, in the same order.
        settings (Settings): the options of the family; None for its defaults.
        config (path or dict): how rows are read where predictions and references were written differently: the path of
            a `docie.toml`, a mapping with the same keys, an entry such as "predictions.unwrap=output", or a list of
            these. Its `[values]` are options of the family, for those that `settings` has at their defaults.
        breakdown (bool): add the family's tables, and `per_document`, a list of the scores of each document, in order.
        confidence_level (float): between 0 and 1, such as 0.95: add `<score>_interval`, [low, high], for every score;
            with `breakdown`, also for the scores in its tables, except for entity types that very few documents have.
            A share at its limit (an F1 of 1) has the Clopper-Pearson interval of its documents. The interval is None,
            with a warning that says why, for other scores at their limit (no corrections) or with the same value in
            every document.
        interval (str): "t", from the variation between documents, on the log scale for rates, counts, lengths and
            costs (see `docie.corpus.intervals`); or "percentile", from resampled documents, which covers less often if
            documents are few or unequal.
        bootstrap_samples (int): the number of resampled corpora, for "percentile".
        seed (int): the seed of the resampling.
        group_by (str): a column of the wrappers' `meta`, such as "vendor": add `by_<column>`, from each value to the
            scores of its documents. The reference's `meta` takes precedence over the prediction's; documents without a
            value are listed as "(none)".
        clusters (str or list): documents that are not independent, such as those of one vendor: a column of `meta`, as
            for `group_by`, or a list with a label for each document. Whole clusters are left out or resampled for the
            intervals. A document without a label is a cluster by itself. Without clusters, a warning names a column of
            `meta` whose documents are alike.
        workers (int or Engine): the number of processes, or an engine such as that of `dask_workers`. The result is the
            same for any.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        max_seconds (float): stop a document that takes longer, with an error that names it. Documents are then counted
            in a separate process, which must be able to load the settings: they cannot hold a lambda. None for no
            limit. Without a limit too, a line on stderr names a document that takes more than ten seconds.

    Returns:
        dict: the scores of the family, `documents`, `invalid_predictions` (numbers of documents), and `signature`. With
        clusters, `clusters` is their number.

    Raises:
        DocumentError: if a document cannot be scored; the error has its number.
        ValueError: if there are more or fewer predictions than references, if an option has a wrong value, if no
            document has the column, or if all documents belong to one cluster.

    >>> from docie import kieval
    >>> figures = evaluate(kieval, [{"total": "12.00"}, {}], [{"total": "12.00"}, {"total": "7.50"}])
    >>> figures["entity_recall"], figures["documents"], figures["document_accuracy"]
    (0.5, 2, 0.5)
    """
    options = ResultOptions(breakdown, confidence_level, interval, bootstrap_samples, seed)
    options.check()
    options.warn_of_idle()
    partial = count(
        family,
        predictions,
        references,
        settings,
        config=config,
        keep=options.keep,
        group_by=group_by,
        clusters=clusters,
        workers=workers,
        progress=progress,
        max_seconds=max_seconds,
    )
    return _results(family, partial, options)


def results(
    partial: Partial,
    *,
    family: Family | None = None,
    breakdown: bool = False,
    confidence_level: float | None = None,
    interval: str = "t",
    bootstrap_samples: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """The results of a corpus that was counted, as a whole or in parts.

    Args:
        partial (Partial): the result of `count`, or the sum of several.
        family (module): the family that counted; None for the family in the signature.
        breakdown, confidence_level, interval, bootstrap_samples, seed: as in `evaluate`. Intervals and
            `per_document` need a Partial that was counted with `keep="documents"`.

    Returns:
        dict: the same as from `evaluate`, with `by_<column>` if the documents were counted with `group_by`. Intervals
        are those of clusters if they were counted with `clusters`.

    Raises:
        ValueError: if an option has a wrong value, if intervals need counts that were not kept, or if no document has
            the column.

    >>> from docie import kieval
    >>> parts = [count(kieval, [{"total": text}], [{"total": "12.00"}]) for text in ("12.00", "7.50")]
    >>> results(parts[0] + parts[1], breakdown=True)["per_entity"]["total"]["entity_f1"]
    0.5
    """
    options = ResultOptions(breakdown, confidence_level, interval, bootstrap_samples, seed)
    options.check()
    options.warn_of_idle()
    if not isinstance(partial, Partial):
        raise ValueError(f"expected a Partial, got {shortened(partial)}")
    if family is None:
        family = family_of({"signature": partial.counts.signature})
    return _results(family, partial, options)


def _results(family: Family, partial: Partial, options: ResultOptions) -> dict[str, object]:
    if options.confidence_level is not None and partial.documents is None:
        raise ValueError('intervals need the counts of each document: count with keep="documents"')
    partial.check()
    units = _units(partial, options)
    tables = family.breakdown(partial.counts) if options.breakdown else {}
    found = _with_intervals(family, partial.counts, partial.documents, options, tables, units) | tables
    if partial.documents is not None and options.breakdown:
        each = score_each(family.score, partial.documents.columns())
        rows = zip(*(values.tolist() for values in each.values()), strict=True)
        found["per_document"] = [dict(zip(each, row, strict=True)) for row in rows]
    if partial.column is not None:
        found[f"by_{partial.column.name}"] = _by_group(family, partial, options, units)
    found |= _facts(family, partial, options, units)
    unit = "document" if units is None else "cluster"
    warn_of_missing(family, found, partial.counts.documents, unit=unit)
    if options.confidence_level is not None and units is None:
        warn_of_alike(family, partial, found, options.confidence_level, options.interval, **options.sampling)
    partial.warn(family)
    if partial.survey is not None:
        for line in Survey.hints(family, partial.survey):
            warn(line)
    return found


def _units(partial: Partial, options: ResultOptions) -> Units | None:
    """The cluster of each document, for intervals; None without clusters.

    Raises:
        ValueError: if all documents belong to one cluster.
    """
    labels = partial.labels
    if labels is None or labels.name is None:
        return None
    if options.confidence_level is None:
        warn("clusters: no effect without confidence_level, which adds intervals")
        return None
    units = labels.units()
    sizes = np.bincount(units)
    if len(sizes) == 1 < labels.documents:
        raise ValueError(f"clusters: all {labels.documents} documents belong to one cluster; intervals need two")
    if line := warning_of_clusters(sizes):
        warn(line)
    return units


def _with_intervals(
    family: Family,
    counts: Counts,
    documents: Matrix | None,
    options: ResultOptions,
    tables: Tables,
    units: Units | None,
) -> dict[str, object]:
    """The scores, with their intervals if requested; the intervals of tables are written into their rows."""
    scores = family.score(counts)
    level = options.confidence_level
    if level is None or documents is None:
        return scores
    rows = documents if units is None else documents.summed(units)
    figures = Figures(family, dict(scores), tables, len(rows))
    return scores | intervals_of(figures, rows, level, options.interval, **options.sampling)


def _by_group(
    family: Family, partial: Partial, options: ResultOptions, units: Units | None
) -> dict[str, dict[str, object]]:
    """The scores of each group, in the order of `in_order`."""
    found, documents = {}, partial.documents
    for label, counts in in_order(partial.groups):
        of_group, own_units = None, None
        if documents is not None and partial.labels is not None:
            places = partial.labels.of_group(label)
            of_group, own_units = documents.of(places), None if units is None else units_of(units[places])
        scores = _with_intervals(family, counts, of_group, options, {}, own_units)
        found[label] = {"documents": counts.documents, **scores}
    return found


def _facts(family: Family, partial: Partial, options: ResultOptions, units: Units | None) -> dict[str, object]:
    """The results beside scores: details of the family, numbers of documents, and the signature."""
    counts, more = partial.counts, options.for_signature
    clusters = {}
    if units is not None and partial.labels is not None:
        clusters["clusters"] = int(units.max(initial=-1)) + 1
        more["clusters"] = partial.labels.name
    details = getattr(family, "details", None)  # faster than a check for a protocol
    return {
        **(details(counts) if details else {}),
        "documents": counts.documents,
        **clusters,
        "invalid_predictions": counts.invalid_predictions,
        "signature": with_more(counts.signature, more) if more else counts.signature,
    }
