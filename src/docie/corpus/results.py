"""From the counts of a corpus to its results: figures, intervals, tables and facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from docie.core.counts import Counts
from docie.core.errors import warn
from docie.core.family import Family, WithDetails
from docie.core.settings import signature
from docie.corpus import bootstrap, spread
from docie.corpus.counting import warn_of
from docie.corpus.groups import Groups
from docie.corpus.spread import Figures, percentiles, warn_of_missing
from docie.corpus.survey import Survey

if TYPE_CHECKING:  # it reads documents, and this does not
    from docie.corpus.poisson.replicates import Replicates

RESULT_OPTIONS = ("breakdown", "confidence_level", "interval", "bootstrap_samples", "seed")
"""The options of `evaluate` that say which results are wanted; evaluate modules have them too."""


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


class Wanted(NamedTuple):
    """Which results are wanted, as the options of `evaluate` say it."""

    breakdown: bool = False
    confidence_level: float | None = None
    interval: str = "percentile"
    bootstrap_samples: int = 1000
    seed: int = 0

    @property
    def needs_documents(self) -> bool:
        """Whether the counts of each document are needed."""
        return not self.is_poisson and (self.breakdown or self.confidence_level is not None)

    @property
    def is_poisson(self) -> bool:
        """Whether documents are resampled as they are counted, and not kept."""
        return self.confidence_level is not None and self.interval == "poisson"

    @property
    def sampling(self) -> dict[str, int]:
        """How documents are resampled."""
        return {"bootstrap_samples": self.bootstrap_samples, "seed": self.seed}

    @property
    def for_signature(self) -> dict[str, object]:
        """What the signature says of intervals."""
        if self.confidence_level is None:
            return {}
        how: dict[str, object] = {} if self.interval == "percentile" else {"interval": self.interval}
        how |= {} if self.interval == "t" else self.sampling
        return {"confidence_level": self.confidence_level, **how}

    def check(self) -> None:
        """Raise ValueError for a value that makes no sense, and warn of those that change nothing."""
        check_result_options(confidence_level=self.confidence_level, interval=self.interval, **self.sampling)
        defaults = self._field_defaults
        idle = [name for name in RESULT_OPTIONS[2:] if getattr(self, name) != defaults[name]]
        if self.confidence_level is None and idle:
            warn(f"{', '.join(idle)}: without confidence_level there are no intervals, so this changes nothing")


def results_of(
    family: Family,
    settings: Any,
    wanted: Wanted,
    *,
    counts: Counts,
    survey: Survey,
    rows: bootstrap.Stack | None = None,
    groups: Groups | None = None,
    replicates: Replicates | None = None,
) -> dict[str, Any]:
    """The results of a corpus that was counted, as `evaluate` returns them, with its warnings."""
    survey.check()
    results = family.score(counts)
    tables = family.breakdown(counts) if wanted.breakdown else {}
    if replicates is not None and wanted.confidence_level is not None:
        figures = Figures(family, dict(results), tables, counts.documents)
        results |= percentiles(figures.of(replicates.sums()), figures, wanted.confidence_level)
    elif rows is not None and wanted.confidence_level is not None:
        figures = Figures(family, dict(results), tables, counts.documents)
        results |= spread.intervals_of(figures, rows, wanted.confidence_level, wanted.interval, **wanted.sampling)
    results |= tables
    if rows is not None and wanted.breakdown:
        results["per_document"] = bootstrap.score_each(family.score, rows)
    if groups is not None:
        groups.column.check()
        by_group = groups.figures(family, wanted.confidence_level, wanted.interval, **wanted.sampling)
        results[f"by_{groups.column.name}"] = by_group
    results |= facts_of(family, counts, signature(family.NAME, settings, **wanted.for_signature))
    warn_of_missing(results)
    warn_of(survey, family, counts)
    for line in survey.lines_of_family():
        warn(line)
    return results


def facts_of(family: Family, counts: Counts, signature: str) -> dict[str, Any]:
    """What results say beside figures: details of the family, numbers of documents, and the signature."""
    return {
        **(family.details(counts) if isinstance(family, WithDetails) else {}),
        "documents": counts.documents,
        "invalid_predictions": counts.invalid_predictions,
        "signature": signature,
    }
