"""Agreement of metrics: whether documents that score well by one metric score well by the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import shortened, warn, with_close_names
from docie.core.family import Family
from docie.core.scores import main_of
from docie.corpus.counting import count
from docie.corpus.evaluation import results
from docie.corpus.matrix import Matrix, score_each
from docie.corpus.partial import Partial
from docie.inputs.config import Config, reading_of
from docie.inputs.sources.python import sequence_of

_ROUNDING = 1e-12


def agreement(
    families: Iterable[Family],
    predictions: Iterable[object],
    references: Iterable[object],
    settings: Mapping[str, object] | None = None,
    scores: str | Collection[str] | None = None,
    *,
    config: Config = None,
    workers: int = 1,
    progress: bool = False,
) -> dict[str, Any]:
    """Correlations of metrics over documents: each metric scores every document by itself.

    Pearson's coefficient measures how close two scores are to a linear relation. Spearman's is that of their ranks:
    whether the metrics put the documents in the same order. A high correlation means that the second metric adds
    little; two metrics that hardly correlate answer different questions.

    Args:
        families (iterable of modules): families of metrics, such as `docie.kieval` and `docie.hed`.
        predictions (iterable): one prediction a document.
        references (iterable): the references, in the same order.
        settings (dict): from the name of a family to its settings; other families use their defaults.
        scores (str or list of str): the scores to compare, for all families that have them. None for the headline of
            each family's `SCORES`.
        config, workers, progress: as in `evaluate`.

    Returns:
        dict: `pearson` and `spearman`, from score to score to a number between -1 and 1; a score is named
        "kieval.entity_f1". None stands for a score that is the same in all documents. `documents`, and `signatures`
        by family.

    Raises:
        DocumentError: if a document cannot be scored.
        ValueError: if a score is unknown, if `families` or `settings` have the wrong type, or if there are more or
            fewer predictions than references.

    >>> from docie import anls_star, entity_f1
    >>> references, predictions = [{"nm": "Latte"}] * 3, [{"nm": "Latte"}, {"nm": "Lotte"}, {}]
    >>> table = agreement([entity_f1, anls_star], predictions, references)["spearman"]
    >>> round(table["entity_f1.f1"]["anls_star.anls_star"], 3)
    0.866
    """
    families = _listed(families)
    if settings is not None and not isinstance(settings, Mapping):
        raise ValueError(f"settings must be a dict from the names of families, got {shortened(settings)}")
    reading = reading_of(config)
    predictions = list(sequence_of("predictions", predictions, reading.predictions))
    references = list(sequence_of("references", references, reading.references))
    partials: dict[str, Partial] = {}
    signatures: dict[str, str] = {}
    how: dict[str, Any] = {"config": reading, "keep": "documents", "workers": workers, "progress": progress}
    for family in families:
        options = (settings or {}).get(getattr(family, "NAME", ""))
        counted = count(family, predictions, references, options, **how)
        signatures[family.NAME] = results(counted, family=family)["signature"]
        partials[family.NAME] = counted
    tables = correlations(families, partials, scores)
    return {**tables, "documents": len(references), "signatures": signatures}


def correlations(
    families: Iterable[Family], partials: Mapping[str, Partial], scores: str | Collection[str] | None = None
) -> dict[str, dict[str, dict[str, float | None]]]:
    """Correlations of metrics over documents that have been counted.

    Args:
        families (iterable of modules): the families.
        partials (dict): from the name of each family to its Partial, which keeps the counts of each document.
        scores (str or list of str): as in `agreement`.

    Returns:
        dict: `pearson` and `spearman`, as in `agreement`.

    Raises:
        ValueError: if a score is unknown.

    >>> from docie import corpus, entity_f1
    >>> partial = corpus.count(entity_f1, [{"nm": "Latte"}, {}], [{"nm": "Latte"}] * 2, keep="documents")
    >>> table = correlations([entity_f1], {"entity_f1": partial}, ["f1", "recall"])["pearson"]
    >>> round(table["entity_f1.f1"]["entity_f1.recall"], 9)
    1.0
    """
    scores = [scores] if isinstance(scores, str) else scores
    columns: dict[str, NDArray[np.float64]] = {}
    known: dict[str, None] = {}
    for family in families:
        partial = partials[family.NAME]
        names = [*family.score(partial.counts)]
        each = score_each(family.score, (partial.documents or Matrix()).columns())
        known |= dict.fromkeys(names)
        for name in [main_of(family, names)] if scores is None else [name for name in names if name in scores]:
            columns[f"{family.NAME}.{name}"] = each[name].astype(np.float64)
    if unknown := [name for name in scores or () if name not in known]:
        raise ValueError(f"unknown score {with_close_names(unknown[:1], known)}, expected some of: {', '.join(known)}")
    for name, column in columns.items():
        if len(column) and np.ptp(column) <= _ROUNDING:
            warn(f"{name} is the same in all documents, so its correlations are undefined")
    return {"pearson": _correlations(columns), "spearman": _correlations(_ranks(columns))}


def _listed(families: object) -> list[Family]:
    listed = [*families] if isinstance(families, Iterable) and not isinstance(families, str) else []
    if not listed:
        raise ValueError(f"families must be a list of modules, such as [docie.kieval], got {shortened(families)}")
    return listed


def _ranks(columns: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """The ranks of each score; values that are equal up to rounding share their mean rank."""
    from scipy.stats import rankdata

    return {name: rankdata(np.round(values, 12)) for name, values in columns.items()}


def _correlations(columns: Mapping[str, NDArray[np.float64]]) -> dict[str, dict[str, float | None]]:
    """Pearson's coefficient of each pair of scores; None where one of them is constant."""
    unit: dict[str, NDArray[np.float64] | None] = {}
    for name, values in columns.items():
        centred = values - values.mean() if len(values) else values
        length = float(np.linalg.norm(centred))
        unit[name] = centred / length if length > _ROUNDING * len(values) else None
    return {
        one: {
            other: None if a is None or b is None else 1.0 if one == other else float(np.clip(a @ b, -1, 1))
            for other, b in unit.items()
        }
        for one, a in unit.items()
    }
