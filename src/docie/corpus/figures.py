"""Scores and their intervals: those of a corpus, and those in the rows of its tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from docie.core.counts import Counts, Number
from docie.core.errors import warn
from docie.core.family import Family
from docie.core.scores import Kind, score_of
from docie.corpus.intervals import (
    RANGES,
    ROUNDING,
    Interval,
    Jackknife,
    clopper_pearson,
    jackknife_interval,
    percentile_interval,
)
from docie.corpus.matrix import Columns, Matrix, Name, blocks, resampled

Tables = dict[str, dict[str, dict[str, Number]]]
Figure = tuple[str, ...]
"""The name of a score; or the title of a table, the name of a row, and the name of a score in it."""
MOST_ROWS = 1000
"""The largest number of rows for which a table has intervals."""
_INTERVAL = "_interval"
_NAMED = 5  # scores that the warning names
_ALONE = "of a single document"


class Figures:
    """All scores of a family, and those in the rows of tables, for which intervals are computed.

    Args:
        family: the family.
        scores: the scores of the corpus.
        tables: the `breakdown` of the corpus; empty for none. Intervals are written into its rows.
        documents: the number of documents or, with clusters, of clusters.
    """

    def __init__(self, family: Family, scores: Mapping[str, Number], tables: Tables, documents: int) -> None:
        self._family, self._scores, self._documents = family, scores, documents
        large = [title for title, table in tables.items() if len(table) > MOST_ROWS]
        for title in large:
            warn(f"{title} has {len(tables[title]):,} rows; tables of more than {MOST_ROWS:,} have no intervals")
        self._rows = {
            (title, name): row for title, table in tables.items() if title not in large for name, row in table.items()
        }
        names = {figure for row in self._rows.values() for figure in row}
        self._counts = {figure for figure in names if self.kind((figure,)) == "count"}
        self._wanted = [
            (*place, figure)
            for place, row in self._rows.items()
            for figure in row
            if figure not in self._counts or figure == "support"
        ]

    def of(self, counts: Counts) -> dict[Figure, Number]:
        """The scores of counts: from (score,), and from (title, row, score), to numbers."""
        figures: dict[Figure, Number] = {(name,): value for name, value in self._family.score(counts).items()}
        if self._wanted:
            tables = self._family.breakdown(counts)
            figures |= {(title, name, figure): tables[title][name][figure] for title, name, figure in self._wanted}
        return figures

    def kind(self, figure: Figure) -> Kind:
        """The kind of a score, from the family's `SCORES`."""
        return score_of(self._family, figure[-1]).kind

    def write(
        self,
        interval_of: Callable[[Figure], Interval],
        absence_of: Callable[[Figure], float],
        documents_of: Callable[[Figure], int],
        confidence_level: float,
    ) -> dict[str, Interval]:
        """Write intervals into the rows of the tables, except for numbers of entities, and return those of all scores.

        A row has no intervals if its name is missing from the references of too many samples: its F1 is 1.0 there,
        which is meaningless. The share of such samples must be below the share outside the interval at one end.

        Args:
            interval_of: returns the interval of a score that is not at its limit; None if documents do not differ.
            absence_of: returns the share of samples without a name, from the key of its support.
            documents_of: returns the number of documents that a score depends on, for shares at their limit.
            confidence_level: between 0 and 1.
        """
        most = (1 - confidence_level) / 2

        def interval(figure: Figure) -> Interval:
            value, kind = self._value(figure), self.kind(figure)
            is_at_limit = value in RANGES[kind]
            found = None if is_at_limit else interval_of(figure)
            if found is None and kind == "documents" and self._documents > 1:
                return clopper_pearson(value, self._documents, confidence_level)
            if is_at_limit and kind == "share" and (documents := documents_of(figure)) > 1:
                return clopper_pearson(value, documents, confidence_level)
            return found

        known = {*self._wanted}
        for (title, name), row in self._rows.items():
            support = (title, name, "support")
            if support not in known or absence_of(support) <= most:
                scores = [figure for figure in row if figure not in self._counts]
                row |= {f"{figure}{_INTERVAL}": interval((title, name, figure)) for figure in scores}
        return {f"{name}{_INTERVAL}": interval((name,)) for name in self._scores}

    def _value(self, figure: Figure) -> Number:
        *place, name = figure
        return self._rows[place[0], place[1]][name] if place else self._scores[name]


def intervals_of(
    figures: Figures,
    documents: Matrix,
    confidence_level: float,
    interval: str,
    *,
    bootstrap_samples: int,
    seed: int,
) -> dict[str, Interval]:
    """The intervals of scores; those of tables are written into their rows.

    Args:
        figures: the scores.
        documents: the counts of the documents.
        confidence_level, interval, bootstrap_samples, seed: as in `evaluate`.
    """
    if len(documents) < 2:
        return figures.write(lambda _: None, lambda _: 1.0, lambda _: 0, confidence_level)
    columns = documents.columns()

    @cache  # only if a score is at its limit
    def documents_by_figure() -> Counter[Figure]:
        return documents_of(figures.of, columns)

    def count_of(figure: Figure) -> int:
        return documents_by_figure()[figure]

    if interval == "percentile":
        values = resampled(figures.of, columns, samples=bootstrap_samples, seed=seed)
        return figures.write(
            lambda figure: percentile_interval(values[figure], confidence_level),
            lambda support: float(np.mean(values[support] == 0)),
            count_of,
            confidence_level,
        )
    spread = Jackknife(columns.figures(figures.of), columns.rows)
    return figures.write(
        lambda figure: jackknife_interval(spread.spread(figure), confidence_level, figures.kind(figure)),
        spread.absence,
        count_of,
        confidence_level,
    )


def documents_of(figures_of: Callable[[Counts], Mapping[Name, Number]], columns: Columns) -> Counter[Name]:
    """The number of documents that each score depends on: line items say nothing about documents without any.

    A document counts if it moves the score of made-up counts, in which everything occurs. At its limit, a score itself
    does not show this: no document moves an F1 of 1.

    Args:
        figures_of: computes scores by name from counts.
        columns: the counts of the documents.

    >>> def accuracy(counts):
    ...     right, wrong = counts.rows["values",]
    ...     return {"accuracy": right / (right + wrong)}
    >>> matrix = Matrix(Counts(1, 0, {("values",): numbers}) for numbers in ([2, 0], [0, 0], [1, 0]))
    >>> documents_of(accuracy, matrix.columns())["accuracy"]
    2
    """
    found: Counter[Name] = Counter()
    nothing = np.zeros((1, columns.rows.shape[1]))
    alone = {name: np.ravel(value)[0] for name, value in figures_of(made_up(columns.counts(nothing))).items()}
    for block in blocks(columns.rows):
        for name, values in figures_of(made_up(columns.counts(block))).items():
            moved = np.broadcast_to(values, len(block)) - alone[name]
            found[name] += int(np.sum(np.abs(moved) > ROUNDING))
    return found


def made_up(counts: Counts) -> Counts:
    """Counts with made-up ones beside them, in which everything occurs."""
    random = np.random.default_rng(0)

    def beside(number: Number) -> Number:
        return number + random.uniform(1, 2)

    rows = {key: [*map(beside, numbers)] for key, numbers in counts.rows.items()}
    return Counts(beside(counts.documents), beside(counts.invalid_predictions), rows)


def warn_of_missing(family: Family, results: Mapping[str, object], documents: int, *, unit: str = "document") -> None:
    """Warn of scores without an interval, and say why, in one line.

    Args:
        family: the family.
        results: scores and tables, with their intervals.
        documents: the number of documents.
        unit: what the intervals are made of, "document" or "cluster".
    """
    if not any(key.endswith(_INTERVAL) for key in results):
        return
    if documents < 2:
        number = "one document shows" if documents else "no documents show"
        warn(f"{number} no variation: there are no intervals")
        return
    listed = [f"{_listed(names)} ({why})" for why, names in _missing(family, results, unit).items()]
    for title, table in results.items():
        if isinstance(table, Mapping):
            rows = Counter(
                why for row in table.values() if isinstance(row, Mapping) for why in _missing(family, row, unit)
            )
            listed += [f"scores in {number} row{'s' * (number > 1)} of {title} ({why})" for why, number in rows.items()]
    if listed:
        warn(f"no interval for {'; '.join(listed)}")


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more score{'s' * (more > 1)}" if more > 0 else "")


def _missing(family: Family, figures: Mapping[str, Any], unit: str) -> dict[str, list[str]]:
    """The names of scores whose interval is None, by the reason."""
    found: dict[str, list[str]] = {}
    for key, value in figures.items():
        if key.endswith(_INTERVAL) and value is None:
            name = key.removesuffix(_INTERVAL)
            is_alone = figures.get("documents") == 1
            why = _ALONE if is_alone else _why(figures[name], score_of(family, name).kind, unit)
            found.setdefault(why, []).append(name)
    return found


def _why(value: float, kind: Kind, unit: str) -> str:
    """Why a score has no interval.

    Args:
        value, kind: the score, and its kind.
        unit: as in `warn_of_missing`.

    >>> _why(0, "count", "document"), _why(0.5, "share", "document")
    ('0 in every document, which gives no upper bound', 'the same in every document')
    """
    least, most = RANGES[kind]
    if value == 0 and np.isinf(most):
        return f"0 in every {unit}, which gives no upper bound"
    if kind != "share" or value not in (least, most):
        return f"the same in every {unit}" + ", or of one cluster" * (unit == "cluster")
    return f"at its limit, with fewer than two {unit}s to bound it"
