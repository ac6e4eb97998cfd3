"""Compares each pair of systems: test, interval, and the documents that changed."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, combinations, product
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from docie.comparison.broken import INVALID, Broken
from docie.comparison.changes import by_size, changes_of, effects, largest, warning_of_dominance
from docie.comparison.gate import Loss
from docie.comparison.results import Comparison, Difference
from docie.comparison.significance import ROUNDING, Side, changed_rows, holm, p_values, smallest_difference
from docie.comparison.systems import Systems
from docie.core.counts import Counts, Number
from docie.core.errors import warn
from docie.core.family import Family
from docie.core.scores import is_better_low, score_of
from docie.corpus.clusters.alike import line_of, most_alike
from docie.corpus.clusters.units import warning_of_clusters
from docie.corpus.intervals import Interval, contributions, delta_interval, standard_error
from docie.corpus.matrix import FiguresOf, Name, blocks, joined

Figure = tuple[str, str | None]
"""A score, and the entity type that it belongs to; None for the whole corpus."""


class Pairwise:
    """Compares systems that have been counted, pair by pair.

    Args:
        family: the family that counted them.
        systems: their counts.
        level, shuffles, seed: as in `compare`.
    """

    def __init__(self, family: Family, systems: Systems, level: float, shuffles: int, seed: int) -> None:
        self.family, self.totals, self.documents = family, systems.totals, systems.documents
        self.empty = systems.empty
        self.level, self.shuffles, self.seed = level, shuffles, seed
        self.labels = systems.labels
        self.rows, self._rows_for = systems.rows(), systems.rows
        self.pairs = [*combinations(self.totals, 2)]
        self.unit = "document" if self.rows.units == len(self.documents) else "cluster"
        self.errors: dict[tuple[Figure, tuple[str, str]], float | None] = {}
        if self.documents and self.rows.units == 1:
            warn("all documents belong to one unit, so there is nothing to swap: p is 1, and there is no interval")
        elif self.rows.units < len(self.documents):
            _warn(warning_of_clusters(self.rows.sizes))

    def types(self, scores: Collection[str], *, warns: bool = True) -> tuple[list[str], dict[str, int]]:
        """Those of the scores that entity types have, and the types of the references for which all systems have them,
        with their support. It warns if there are none."""
        tables = [self.family.breakdown(counts).get("per_entity", {}) for counts in self.totals.values()]
        of_types = [score for score in scores if any(score in row for row in tables[0].values())]
        known = [
            {name for name, row in table.items() if row["support"] and all(score in row for score in of_types)}
            for table in tables
        ]
        types = {name: int(tables[0][name]["support"]) for name in sorted(set.intersection(*known)) if of_types}
        missing = [score for score in scores if score not in of_types or not types]
        if warns and missing and self.documents:
            warn(f"{self.family.NAME} has no {' and '.join(missing)} by entity type here")
        return of_types, types

    def _p_values(
        self, figures: Collection[Figure], pairs: Iterable[tuple[str, str]], side: Side = 0
    ) -> Iterator[dict[Figure, float]]:
        """The p-values of these scores, for each pair."""
        needed = partial(_figures, self.family, figures=figures)
        rows, pairs = self._rows_for(needed), [*pairs]
        units = {name: rows.of_units(name) for name in {*chain.from_iterable(pairs)}}
        every = {name: self.rows.of_units(name) for name in units}
        for one, other in pairs:
            yield p_values(
                rows.columns.figures(needed),
                units[one],
                units[other],
                shuffles=self.shuffles,
                seed=self.seed,
                side=side,
                swapped=changed_rows(every[one], every[other]),
            )

    def comparisons(self, figures: list[Figure]) -> list[Comparison]:
        """A row for each score and each pair of systems, with corrected p-values."""
        if not figures:
            return []
        figures_of = self.rows.columns.figures(partial(_figures, self.family, figures=figures))
        values = {name: _figures(self.family, counts, figures) for name, counts in self.totals.items()}
        _check_numbers(values)
        added = {name: contributions(figures_of, self.rows.of_units(name)) for name in self.totals}
        tests = dict(zip(self.pairs, self._p_values(figures, self.pairs), strict=True))
        each = [*product(figures, self.pairs)]
        for figure, (a, b) in each:
            self.errors[figure, (a, b)] = standard_error(added[b][figure] - added[a][figure])
        reached = self._level_of_tests(len(each))
        rows = [self._row(figure, pair, values, tests[pair][figure], reached) for figure, pair in each]
        self._correct(rows)
        if self.rows.units > 1:
            if all(entity_type is None for _, entity_type in figures):
                self._warn_of_dominance(figures_of, figures)
                self._warn_of_alike(figures[0], values, {name: each[figures[0]] for name, each in added.items()})
            self._warn_of_missing(rows)
        return rows

    def differences(self, figures: list[Figure]) -> list[Difference]:
        """How far each system is from the first in each score, without tests."""
        values = {name: _figures(self.family, counts, figures) for name, counts in self.totals.items()}
        baseline, *others = self.totals
        return [self._difference(figure, (baseline, name), values) for figure in figures for name in others]

    def _warn_of_dominance(self, figures_of: FiguresOf[Figure], figures: Iterable[Figure]) -> None:
        """Warn of differences that a single document or cluster dominates."""
        changes = {pair: exchanged(figures_of, *map(self.rows.of_units, pair)) for pair in self.pairs}
        found = {
            f"{figure[0]} of {' and '.join(pair)}": largest(changes[pair][figure])
            for figure in figures
            for pair in self.pairs
        }
        _warn(warning_of_dominance(found, self.rows.names(self.documents)))

    def _warn_of_alike(
        self,
        figure: Figure,
        values: Mapping[str, Mapping[Figure, Number]],
        added: Mapping[str, NDArray[np.float64]],
    ) -> None:
        """Warn of a column of `meta` whose documents are alike in how systems differ from the first in a score."""
        if self.labels.name is not None:
            return
        first, *others = added
        differences = np.array([added[name] - added[first] for name in others])
        if found := most_alike(differences, self.labels, seed=self.seed):
            place = int(found.correlations.argmax())
            pair = first, others[place]
            sums: NDArray[np.float64] = np.bincount(found.units, differences[place]).astype(np.float64)
            alone, clustered = (
                self._interval(
                    figure[0], values[pair[1]][figure] - values[pair[0]][figure], standard_error(each), len(each)
                )
                for each in (differences[place], sums)
            )
            name = f"the difference in {figure[0]} of {' and '.join(pair)}"
            warn(line_of(found, name, clustered, alone, place=place))

    def _interval(self, score: str, difference: float, error: float | None, units: int) -> Interval:
        """The interval of a difference over so many units."""
        is_share = score_of(self.family, score).kind in ("share", "documents")
        return delta_interval(difference, error, units, self.level, most=1.0 if is_share else math.inf)

    def _warn_of_missing(self, rows: list[Comparison]) -> None:
        """Warn of differences without an interval."""
        missing = [f"{row['score']} of {row['a']} and {row['b']}" for row in rows if row["interval"] is None]
        if missing:
            which = missing[0] if len(rows) == 1 else f"{len(missing)} of {len(rows)} differences"
            _warn(f"no interval for {which}: all documents show the same difference, so its variation is unknown")

    def _difference(
        self, figure: Figure, pair: tuple[str, str], values: Mapping[str, Mapping[Figure, Number]]
    ) -> Difference:
        score, entity_type = figure
        value_a, value_b = (values[name][figure] for name in pair)
        row: Difference = {
            "entity_type": entity_type or "",
            "score": score,
            "direction": "lower" if is_better_low(self.family, score) else "higher",
            "a": pair[0],
            "b": pair[1],
            "value_a": value_a,
            "value_b": value_b,
            "difference": value_b - value_a,
        }
        if entity_type is None:
            del row["entity_type"]
        return row

    def _row(
        self,
        figure: Figure,
        pair: tuple[str, str],
        values: Mapping[str, Mapping[Figure, Number]],
        p_value: float,
        reached: float | None,
    ) -> Comparison:
        row, error, units = self._difference(figure, pair, values), self.errors[figure, pair], self.rows.units
        tested = {
            **row,
            "interval": self._interval(figure[0], row["difference"], error, units),
            "p_value": p_value,
            "smallest_difference": smallest_difference(error, units, reached),
        }
        return cast(Comparison, tested)

    def _correct(self, rows: list[Comparison]) -> None:
        """Add corrected p-values and verdicts."""
        level = round(1 - self.level, 12)  # 1 - 0.9 is less than 0.1
        if self.rows.units > 1 and self._level_of_tests(len(rows)) is None:
            self._warn_of_tests(len(rows), level)
        for row, corrected in zip(rows, holm([row["p_value"] for row in rows]), strict=True):
            row |= {"p_value_holm": corrected, "significant": corrected <= level}

    def _warn_of_tests(self, tests: int, level: float) -> None:
        """Warn that no test can be significant."""
        units, corrected = self.rows.units, f"after the correction for {tests:,} comparison{'s' * (tests > 1)}"
        ways = 2.0 ** min(units, 1000)
        if ways > self.shuffles:
            warn(
                f"{self.shuffles:,} shuffles give no p-value that stays below {level:.4g} {corrected}; "
                "use more shuffles, or fewer comparisons"
            )
        else:
            warn(
                f"{units} {self.unit}s can be swapped in {ways:.0f} ways, so no p-value is below {2 / ways:.4g}, and "
                f"none stays below {level:.4g} {corrected}; use more documents"
            )

    def _level_of_tests(self, tests: int) -> float | None:
        """The level of the first test of Holm's correction over so many; None if no p-value can be as small.

        That is 1 minus the confidence level over their number, rounded down to a p-value that the shuffles can give.
        """
        ways = 2.0 ** min(self.rows.units, 1000)
        steps = ways / 2 if ways <= self.shuffles else self.shuffles + 1
        return math.floor(round((1 - self.level) / tests * steps, 9)) / steps or None

    def loss(self, row: Comparison) -> Loss:
        """What the second system of a comparison loses."""
        pair, figure = (row["a"], row["b"]), (row["score"], None)
        side: Side = 1 if row["direction"] == "lower" else -1
        rounding = ROUNDING * max(abs(row["value_a"]), abs(row["value_b"]))
        lost = side * row["difference"] if abs(row["difference"]) > rounding else 0.0

        def p_value() -> float:
            [found] = self._p_values([figure], [pair], side)
            return found[figure]

        return Loss(lost, self.errors[figure, pair] or 0.0, self.rows.units, p_value)

    def add_changes(self, rows: Iterable[Comparison], scores: Collection[str]) -> None:
        """Add the documents that got better and those that got worse; against the first system, those that broke."""
        first = self.pairs[0][0]
        broken = Broken(self.family, scores, self.family.score(self.totals[first]))

        def needed(counts: Counts) -> dict[str, Number]:
            values = {**self.family.score(counts), INVALID: counts.invalid_predictions}
            return {name: values[name] for name in broken.names}

        documents = self._rows_for(needed)
        figures_of = documents.columns.figures(needed)
        alone = {name: joined(map(figures_of, blocks(documents.of_documents(name)))) for name in self.totals}
        effect = {pair: effects(figures_of, *map(documents.of_documents, pair)) for pair in self.pairs}
        differing = {pair: changed_rows(*map(self.rows.of_documents, pair)) for pair in self.pairs}
        for row in rows:
            score, a, b = row["score"], row["a"], row["b"]
            places, moved = differing[a, b], effect[a, b][score]
            changed = None
            if len(places):
                changed = changes_of(
                    alone[a][score], alone[b][score], places, moved[places], is_better_low=row["direction"] == "lower"
                )
            row |= {
                "better": changed.better if changed else 0,
                "worse": changed.worse if changed else 0,
                "changes": [
                    {
                        "document": self.documents[each.document],
                        "value_a": each.value_a,
                        "value_b": each.value_b,
                        "effect": each.effect,
                    }
                    for each in (changed.largest if changed else ())
                ],
            }
            if a == first:
                row["broken"] = []
                if len(places):
                    order = places[by_size(moved[places])].tolist()
                    row["broken"] = broken.documents(row, alone[a], alone[b], order, self.documents, self.empty[b])


def _warn(message: str) -> None:
    if message:
        warn(message)


def _figures(family: Family, counts: Counts, figures: Collection[Figure]) -> dict[Figure, Number]:
    """The scores of counts. Only the needed half is computed: with many entity types, both halves are slow."""
    types = {entity_type for _, entity_type in figures}
    scores = family.score(counts) if None in types else {}
    table = family.breakdown(counts)["per_entity"] if types - {None} else {}
    return {
        (score, entity_type): scores[score] if entity_type is None else table[entity_type][score]
        for score, entity_type in figures
    }


def _check_numbers(values: Mapping[str, Mapping[Figure, Number]]) -> None:
    for system, figures in values.items():
        for (score, _), value in figures.items():
            if not math.isfinite(value):
                raise ValueError(f"{system!r}: {score} is {value}, which cannot be compared")


def exchanged(figures_of: FiguresOf[Name], first: csr_matrix, second: csr_matrix) -> dict[Name, NDArray[np.float64]]:
    """What the second system's prediction for each unit changes in each score, to first order, relative to the first's.

    The gradient is taken at the sum of both systems, as for predictions that are exchanged at random: a unit with the
    same counts in both changes nothing, and the sum of squares is the variance of the shuffles.

    Args:
        figures_of: computes scores from sums.
        first, second: sparse matrices, the counts of two systems: a row for each unit, a column for each number.
    """
    added = contributions(figures_of, vstack([first, second]))
    return {name: values[first.shape[0] :] - values[: first.shape[0]] for name, values in added.items()}
