"""Resample parts of a corpus where they lie, merge them, and give the figures with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docie.core.family import Family, checked_settings
from docie.core.settings import check_whole, signature, with_more
from docie.corpus import bootstrap
from docie.corpus.counting import check_several, fold, merge, survey_of, warn_of
from docie.corpus.poisson.draws import Draws
from docie.corpus.poisson.replicates import Replicates
from docie.corpus.results import Wanted, facts_of
from docie.corpus.spread import Figures, percentiles, warn_of_missing


def poisson_bootstrap(
    family: Family,
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Any = None,
    *,
    samples: int = 1000,
    seed: int = 0,
    first: int = 0,
    workers: int = 1,
    progress: bool = False,
) -> Replicates:
    """Count a corpus, or a part of one, and resample it: for intervals of corpora that no single machine holds.

    Each document is drawn into each sample as often as a Poisson number of mean 1 says (Oza and Russell, 2001). The
    number comes from a hash of the seed and of the document's id, or of its number if it has no id. So the parts of a
    corpus may be counted anywhere, and merged in any order: the figures are the same to the last digit. No documents
    are kept, so memory depends on the number of entity types and of samples alone.

    Args:
        family, predictions, references, settings: as in `evaluate`.
        samples (int): the number of resampled corpora.
        seed (int): of the draws.
        first (int): the number of the first document in the whole corpus. Documents with ids do not need it.
        workers, progress: as in `evaluate`.

    Returns:
        Replicates: for `merge_replicates` and `summarize_replicates`; `to_json` makes plain JSON of it.

    Raises:
        DocumentError, ValueError: as in `evaluate`.

    >>> from docie import kieval
    >>> documents = [{"total": "12.00"}, {"total": "7.50"}]
    >>> parts = [poisson_bootstrap(kieval, [each], [each], first=first) for first, each in enumerate(documents)]
    >>> whole = poisson_bootstrap(kieval, documents, documents)
    >>> merge_replicates(reversed(parts)).to_json() == whole.to_json()
    True
    """
    bootstrap.check(bootstrap_samples=samples, seed=seed)
    check_whole("first", first, 0)
    settings = checked_settings(family, settings)
    survey, draws = survey_of(family, settings), Draws(Replicates(samples, seed), first)
    counts = fold(
        family, predictions, references, settings, workers=workers, progress=progress, survey=survey, groups=draws
    )
    replicates = draws.replicates
    replicates.counts.signature = signature(family.NAME, settings)
    warn_of(survey, family, counts)
    return replicates


def merge_replicates(parts: Iterable[Replicates | Mapping[str, Any]]) -> Replicates:
    """Add replicates that were made elsewhere: in other processes, on other machines.

    Args:
        parts (iterable): each a `Replicates`, or the JSON of its `to_json`.

    Returns:
        Replicates: their sum.

    Raises:
        ValueError: for what are no replicates, unless all were made with the same settings, samples and seed, and if
            two parts have documents with the same number.

    >>> from docie import kieval
    >>> part = poisson_bootstrap(kieval, [{"total": "12.00"}], [{"total": "12.00"}])
    >>> merge_replicates([part, part.to_json()])
    Traceback (most recent call last):
    ...
    ValueError: document 0 is there twice; `first` numbers the documents of each part
    """
    check_several("replicates", parts, Replicates)
    total: Replicates | None = None
    for part in parts:
        replicates = part if isinstance(part, Replicates) else Replicates.from_json(part)
        if total is None:
            total = Replicates(replicates.samples, replicates.seed)
        counts = merge([total.counts, replicates.counts])  # raises unless these were made alike
        total += replicates
        total.counts = counts
    if total is None:
        raise ValueError("expected a list of replicates, got an empty one")
    return total


def summarize_replicates(
    family: Family, replicates: Replicates, *, confidence_level: float = 0.95, breakdown: bool = False
) -> dict[str, Any]:
    """The figures of replicates, with their intervals.

    Args:
        family (module): the family that made the counts.
        replicates (Replicates): those of the whole corpus.
        confidence_level (float): between 0 and 1.
        breakdown (bool): add the family's tables.

    Returns:
        dict: as `evaluate`, but without `per_document`. Intervals are percentiles over the samples.

    >>> from docie import kieval
    >>> replicates = poisson_bootstrap(kieval, [{"a": "1"}] * 9, [{"a": "1"}] * 8 + [{"a": "2"}])
    >>> figures = summarize_replicates(kieval, replicates)
    >>> figures["true_positives"], figures["entity_f1"] in figures["entity_f1_interval"]
    (8, False)
    """
    bootstrap.check(confidence_level=confidence_level)
    counts = replicates.counts
    tables = family.breakdown(counts) if breakdown else {}
    scores = family.score(counts)
    figures = Figures(family, dict(scores), tables, counts.documents)
    of_figures = percentiles(figures.of(replicates.sums()), figures, confidence_level)
    wanted = Wanted(breakdown, confidence_level, "poisson", replicates.samples, replicates.seed)
    how = with_more(counts.signature, wanted.for_signature)
    results = {**scores, **of_figures, **tables, **facts_of(family, counts, how)}
    warn_of_missing(results)
    return results
