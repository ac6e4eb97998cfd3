"""Comparing systems: which one is better, and whether the difference is significant."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sized
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from docie.comparison.gate import Limits, gate_of
from docie.comparison.pairwise import Pairwise
from docie.comparison.results import Comparison, Difference, Tests, values_of
from docie.comparison.significance import letters
from docie.comparison.systems import Systems, of_all_systems
from docie.core.errors import errors_of_system, shortened, with_close_names
from docie.core.family import Family
from docie.core.scores import main_of
from docie.core.settings import check_whole
from docie.corpus.clusters.units import GIVEN, Clusters
from docie.corpus.evaluation import check_result_options
from docie.corpus.guard import check_seconds
from docie.corpus.matrix import MOST_SAMPLES
from docie.corpus.method import Method
from docie.corpus.runs.spread import record_of
from docie.diagnosis.suspect_labels import suspects as list_suspects
from docie.diagnosis.unstable import Stability
from docie.inputs.config import Config
from docie.inputs.row import Pair
from docie.inputs.sources.python import sequence_of
from docie.metrics.kieval.options import kieval_settings

LEAST_SHUFFLES = 99
"""With fewer shuffles, no p-value would be below 0.01."""


def compare(
    family: Family,
    predictions: Mapping[str, Iterable[object]],
    references: Iterable[object],
    settings: object = None,
    scores: str | Collection[str] | None = None,
    clusters: Clusters = None,
    confidence_level: float = 0.95,
    shuffles: int = 10_000,
    seed: int = 0,
    *,
    config: Config = None,
    breakdown: bool = False,
    differences: bool = False,
    suspects: bool = False,
    workers: int = 1,
    progress: bool = False,
    max_seconds: float | None = None,
    max_drop: float | None = None,
    max_broken: int | None = None,
) -> dict[str, Any]:
    """Compare systems on the same documents, pair by pair.

    The p-value comes from approximate randomisation: whole documents are swapped between two systems (Noreen, 1989;
    Yeh, 2000). The null hypothesis is that the two predictions for a document are exchangeable, which is stronger than
    equal scores. A warning names a document that dominates a comparison, and warns of few clusters of very different
    sizes. The interval is a t interval with the delta method's standard error. Test and interval may disagree near the
    significance level; the test decides. Holm's method corrects p-values over all comparisons, and separately over
    those by entity type.

    Args:
        family (module): a family of metrics, such as `docie.kieval`.
        predictions (dict): from the name of each system, two or more, to its predictions, one a document. The first
            system is the baseline.
        references (iterable): the references, in the same order.
        settings (Settings): the options of the family; None for its defaults.
        scores (str or list of str): the scores to compare. None for the headline of the family's `SCORES`. Each further
            score makes the correction stricter.
        clusters (str or list): documents that are not independent, such as those of one vendor: a column of the
            wrappers' `meta`, or a list with a label for each document. Whole clusters are swapped, and are the units of
            the standard error. A document without a label is a cluster by itself.
            Without clusters, a warning names a column of `meta` whose documents are alike in how the systems differ.
        confidence_level (float): between 0 and 1. A difference is significant if its corrected p-value is at most 1
            minus this level.
        shuffles (int): the number of random shuffles, at least 99. If there are no more ways to swap than that, each is
            used once, and p is exact.
        seed (int): the seed of the shuffles.
        config (path or dict): how rows are read, as in `docie.corpus.evaluate`.
        breakdown (bool): add `per_entity`: the same scores by entity type, of the types that the references have, with
            the `support` of the type.
        differences (bool): add `differences`: how far each system is from the baseline in the same scores by entity
            type, without tests, so without their time and their warnings.
        suspects (bool): add `suspects`: see `docie.corpus.suspects`.
        workers (int): the number of processes that count. The result is the same for any.
        progress (bool): show progress bars on stderr, if that is a terminal.
        max_seconds (float): stop a document that takes longer, as `evaluate` does. None for no limit.
        max_drop (float): add `gate`: each later system fails if it is worse than the first (one-sided, 5 %), or if the
            one-sided 95 % bound of its loss is not below this number, in the unit of the score. None for no limit.
        max_broken (int): add `gate`: each later system fails if more documents broke. None for no limit.

    Returns:
        dict: `comparisons`, a list with a dict for each score and pair of systems: `score`, `direction` ("higher" or
        "lower": which values are better), `a`, `b` (the names), `value_a`, `value_b`, `difference` (b minus a),
        `interval` ([low, high]; None with fewer than two units, or if all documents show the same difference),
        `p_value`, `p_value_holm`, `significant`,
        `smallest_difference` (the smallest one that the test, at the level of the correction, finds with a power of
        80 %; None if all documents show the same difference, or are too few for that level), `better` and `worse` (the
        numbers of documents whose own score is better or worse in b), and
        `changes` (at most ten better and ten worse documents, those with the largest `effect` on the corpus score).
        Comparisons with the first system have `broken`: the documents that lost half of their own score or more, or
        can no longer be read, each with its `reason`. If scores are counts of errors or costs, it is the headline of
        which half was lost.
        `ranks`: from each score to letters for each system, best first; two systems share a letter if and only if no
        corrected test separates them.
        `systems`: from the name of each system to all of its scores.
        `gate`: `checks`, a list with a dict for each later system and score: `system`, `score`, `passed`, `reason`,
        `bound` (of its loss), `broken`; and beside it the keys of the check that decides: the first that fails or, if
        all pass, the first.
        `holm`: the comparisons over which the p-values of each table are corrected.
        `confidence_level`, `documents`, `units` (the number of clusters, or of documents without clusters), and
        `signature`.

    Raises:
        DocumentError: if a document cannot be scored or takes too long, or if its id differs from the reference's; the
            error has the name of the system.
        ValueError: if there are fewer than two systems, if a system has more or fewer predictions than there are
            references, if an option has a wrong value, if a gate has fewer than two units, or if a score is unknown,
            has no better direction, or is not a number.

    >>> from docie import kieval
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> answers = {"careful": references, "hasty": [{"total": "0"}] * 8}
    >>> [row] = compare(kieval, answers, references)["comparisons"]
    >>> row["difference"], row["p_value"], row["better"], row["worse"]
    (-0.875, 0.015625, 0, 7)
    """
    check_systems("predictions", predictions)
    options = Options(
        scores,
        clusters,
        confidence_level,
        shuffles,
        seed,
        Limits(max_drop, max_broken),
        breakdown=breakdown,
        differences=differences,
        suspects=suspects,
        workers=workers,
        progress=progress,
        max_seconds=max_seconds,
    )
    options.check()
    method = Method.of(family, settings, config)
    references = sequence_of("references", references, method.reading.references)
    references = references if isinstance(references, Sized) else list(references)
    pairs = dict[str, Iterable[Pair]]()
    for name, rows in predictions.items():
        with errors_of_system(name):
            of_system = method.of_system(name)
            pairs[name] = of_system.pairs(sequence_of("predictions", rows, of_system.reading.predictions), references)
    return compare_pairs(method, pairs, options, number=len(references))


class Options(NamedTuple):
    """The options of `compare`, with its limits as one."""

    scores: str | Collection[str] | None = None
    clusters: Clusters = None
    confidence_level: float = 0.95
    shuffles: int = 10_000
    seed: int = 0
    limits: Limits = Limits()
    breakdown: bool = False
    differences: bool = False
    suspects: bool = False
    workers: int = 1
    progress: bool = False
    max_seconds: float | None = None

    def check(self) -> None:
        """Raise ValueError for a wrong value."""
        if self.confidence_level is None:
            raise ValueError("confidence_level must be between 0 and 1, got None")
        check_result_options(confidence_level=self.confidence_level, seed=self.seed)
        check_whole("shuffles", self.shuffles, LEAST_SHUFFLES, most=MOST_SAMPLES)
        check_seconds("max_seconds", self.max_seconds)
        self.limits.check()


def compare_pairs(
    method: Method,
    pairs: Mapping[str, Iterable[Pair]],
    options: Options,
    *,
    number: int | None = None,
    errors_of: Callable[[str], AbstractContextManager[None]] = errors_of_system,
) -> dict[str, Any]:
    """Compare systems, from their predictions with the references: the same as `compare`.

    Args:
        method: how documents are counted.
        pairs: from the name of each system to its pairs, which are read once, one system after the other.
        options: those of `compare`.
        number: the number of documents, if it is known.
        errors_of: gives errors of a system its name.
    """
    if unknown := [name for name in method.reading.systems if name not in pairs]:
        raise ValueError(f"config: [systems] has {with_close_names(unknown[:1], pairs)}, which is not compared")
    family, limits = method.family, options.limits
    systems = Systems(
        method,
        options.clusters,
        workers=options.workers,
        progress=options.progress,
        max_seconds=options.max_seconds,
    )
    if number is not None:
        systems.labels.check_given(number)  # before anything is counted
    kept, stability = dict[str, list[Pair]](), dict[str, Stability]()
    if options.suspects:
        method.reading.check_one_run("a list of suspects")
    for name, of_system in pairs.items():
        with errors_of(name):
            if method.reading.has_runs:
                stability[name] = Stability(family, method.settings)
                of_system = stability[name].watched(of_system)
            if options.suspects:
                of_system = kept[name] = [*of_system]
            systems.add(name, of_system, number)
    systems.close()
    figures = {name: dict(family.score(counts)) for name, counts in systems.totals.items()}
    names = _names(options.scores, family, next(iter(figures.values())))
    work = Pairwise(family, systems, options.confidence_level, options.shuffles, options.seed)
    limits.check_scores(family, names, work.rows.units, work.unit)
    comparisons = work.comparisons([(name, None) for name in names])
    work.add_changes(comparisons, names)
    of_two = math.comb(len(pairs), 2)
    result: Tests = {
        "comparisons": comparisons,
        "ranks": {name: _ranks(name, comparisons) for name in names},
        "systems": figures,
        "holm": {"comparisons": _family_of_tests(of_two, len(names))},
    }
    if limits.exist:
        with_first = (row for row in comparisons if row["a"] == next(iter(pairs)))
        result["gate"] = gate_of(family, with_first, work.loss, limits, work.unit)
    if stability:
        result["runs"] = {name: record_of(family, systems.runs[name]) | stability[name].record() for name in pairs}
    if options.breakdown:
        of_types, types = work.types(names)
        rows = work.comparisons([(name, each) for name in of_types for each in types])
        result["per_entity"] = [row | {"support": types[row["entity_type"]]} for row in rows]
        result["holm"]["per_entity"] = _family_of_tests(of_two, len(of_types), len(types))
    if options.differences:
        of_types, types = work.types(names, warns=False)
        shown = work.differences([(name, each) for name in of_types for each in types])
        result["differences"] = [row | {"support": types[row["entity_type"]]} for row in shown]
    if options.suspects:
        own = kieval_settings(method.settings)
        ids = {name: [pair.reference.id for pair in of_system] for name, of_system in kept.items()}
        in_step = [*of_all_systems(kept, ids)]
        answers = {name: [each[place].prediction for each in in_step] for place, name in enumerate(kept)}
        references = [first.reference for first, *_ in in_step]
        listed = list_suspects(answers, references, own, tell=lambda _: None)  # the comparison has warned
        result["suspects"] = [each._asdict() for each in listed]
    more: dict[str, object] = {
        "confidence_level": options.confidence_level,
        "shuffles": options.shuffles,
        "seed": options.seed,
    }
    if options.clusters is not None:
        more["clusters"] = options.clusters if isinstance(options.clusters, str) else GIVEN
    return {
        **result,
        "confidence_level": options.confidence_level,
        "documents": len(systems.documents),
        "units": work.rows.units,
        "signature": method.signature(**more),
    }


def gain_of(comparison: Difference, difference: float) -> float:
    """How much better a difference makes a score: above 0 for better, below 0 for worse.

    Args:
        comparison (dict): one of the `comparisons` of `compare`.
        difference (float): of its score.

    Returns:
        float: the difference, or its opposite if lower values of the score are better.

    >>> gain_of({"score": "corrections", "direction": "lower"}, -3)
    3
    """
    return -difference if comparison["direction"] == "lower" else difference


def check_systems(argument: str, systems: Any) -> None:
    """Raise ValueError unless these are the predictions of two or more systems by their names."""
    is_mapping = isinstance(systems, Mapping)
    if not is_mapping or len(systems) < 2 or not all(isinstance(name, str) and name for name in systems):
        got = shortened([*systems]) if is_mapping else type(systems).__name__
        raise ValueError(f"{argument} must be a mapping from the names of two or more systems, got {got}")


def _names(scores: str | Collection[str] | None, family: Family, known: Collection[str]) -> list[str]:
    """The scores to compare, each once."""
    if scores is None:
        return [main_of(family, known)]
    names = list(dict.fromkeys([scores] if isinstance(scores, str) else scores))
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        what = f"unknown score {with_close_names(map(str, unknown[:1]), known)}, " if unknown else "scores is empty, "
        raise ValueError(f"{what}expected some of: {', '.join(known)}")
    return names


def _ranks(score: str, comparisons: Iterable[Comparison]) -> dict[str, str]:
    """The systems, best first, with their letters."""
    rows = [row for row in comparisons if row["score"] == score]
    values = values_of(rows)
    best_first = sorted(values, key=lambda name: -gain_of(rows[0], values[name]))
    return letters(best_first, [(row["a"], row["b"]) for row in rows if row["significant"]])


def _family_of_tests(pairs: int, scores: int, types: int | None = None) -> str:
    """The comparisons over which p-values are corrected.

    >>> _family_of_tests(3, 1), _family_of_tests(1, 2, 20)
    ('3 comparisons: 3 pairs of systems', '40 comparisons: 1 pair of systems, 2 scores, 20 entity types')
    """
    parts = [f"{pairs} pair{'s' * (pairs > 1)} of systems"]
    parts += [f"{scores} scores"] if scores > 1 else []
    parts += [f"{types} entity type{'s' * (types != 1)}"] if types is not None else []
    number = pairs * scores * (1 if types is None else types)
    return f"{number} comparison{'s' * (number != 1)}: {', '.join(parts)}"
