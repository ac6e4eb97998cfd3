"""Scores of several families at once, as the flat numbers that a Trainer logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import filter as matching
from typing import Any

from docie import corpus
from docie.core import family
from docie.core.counts import Counts
from docie.core.errors import errors_of_document, shortened
from docie.inputs.kinds import INPUT_KINDS
from docie.inputs.reading import PLAIN, Reading
from docie.show.tables import free_name, rows_by_threshold, safe_name

from .. import grouping
from ..grouping.documents import are_texts, checked_iterable
from ..row_scores import RowMetric

Metrics = str | Iterable[str] | Mapping[str, Mapping[str, object]]
"""Names of families, or a mapping from them to their options."""
Forms = Mapping[str, object]
"""A prediction or a reference by its kinds of input: as a "document", and as "tagged words" where both sides are."""
Tally = list[Counts]
"""The sum of the counts of documents so far, for each family."""

_PREFERRED = ("tagged words", "document", "entities")


class Scorer:
    """The requested families: they count documents one by one, and give the scores of the sum.

    Args:
        metrics: names of families, or a mapping from them to their options.
        tagged: whether both sides have tagged words.
        per_entity: whether scores of entity types and group types are requested too.
        scores: the names of the requested scores, or patterns of names; None for all.
        reading: how documents were read, whose values are those of options that are not set otherwise.

    Raises:
        ValueError: if a family or option is unknown, or if a family reads none of these kinds.

    >>> scorer = Scorer("kieval")
    >>> tally = scorer.tally()
    >>> scorer.add(tally, 0, {"document": {}}, {"document": {"total": "9.00"}})
    >>> scorer.figures(tally)["kieval_additions"]
    1
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        tagged: bool = False,
        per_entity: bool = False,
        scores: Iterable[str] | None = None,
        reading: Reading = PLAIN,
    ) -> None:
        names = [metrics] if isinstance(metrics, str) else metrics
        if not are_texts(names):
            raise ValueError(f"metrics must be names of families, got {shortened(metrics)}")
        options = names if isinstance(names, Mapping) else {}
        kinds = _PREFERRED[0 if tagged else 1 :]
        self.families = [_choose(name, options.get(name) or {}, kinds, reading) for name in names]
        self.per_entity = per_entity
        self.patterns = None if scores is None else list(checked_iterable("scores", scores))
        if not are_texts(self.patterns or []):
            raise ValueError(f"scores must be a list of names of scores, got {shortened(scores)}")
        self.without_groups: set[str] = set()  # families whose references have no groups: no group scores either
        self.rows: dict[tuple[str, str, str], str] = {}  # names of (family, table, row), of the references' tables
        self.wanted: set[str] | None = None

    def tally(self) -> Tally:
        """Counts of no document."""
        return [Counts() for _ in self.families]

    def add(self, tally: Tally, document: int, prediction: Forms, reference: Forms) -> None:
        """Count one document. Raises DocumentError, with its number, if it cannot be scored."""
        for number, (metric, kind) in enumerate(self.families):
            with errors_of_document(document):
                sides = _as(kind, prediction, "prediction"), _as(kind, reference, "reference")
                tally[number] += metric.count_documents(*sides)

    def learn(self, nothing: Tally, facts: Iterable[str]) -> None:
        """Fix the names of all scores, so that every evaluation returns the same ones.

        Args:
            nothing: the tally of the references with empty predictions.
            facts: the names of further numbers.

        Raises:
            ValueError: if an entry of `scores` matches none.
        """
        for (metric, _), counts in zip(self.families, nothing, strict=True):
            groups = metric.family.breakdown(counts).get("per_group", {}).values()
            if not any(row["support"] for row in groups):
                self.without_groups.add(metric.family.NAME)
        for name, results in self.results(nothing, breakdown=self.per_entity):
            called: list[str] = []  # any logger accepts these names
            for table, row, _ in _tables(results):
                called.append(free_name(("group/" if table == "per_group" else "") + safe_name(row), called))
                self.rows[name, table, row] = called[-1]
        if self.patterns is not None:
            self.wanted = set(_pick(self.patterns, [*self.figures(nothing), *facts]))

    def figures(self, tally: Tally, facts: Mapping[str, float] | None = None) -> dict[str, float]:
        """The requested scores, each with the name of its family (`kieval_entity_f1`), and facts.

        Scores in tables, `kieval_entity_f1/date`, are those of the references' rows.
        """
        figures: dict[str, float] = {}
        for name, results in self.results(tally, breakdown=self.per_entity):
            for figure, value in results.items():
                if isinstance(value, int | float) and figure not in ("documents", "invalid_predictions"):
                    figures[f"{name}_{figure}"] = value
            for table, row, figures_of_row in _tables(results):
                if called := self.rows.get((name, table, row)):
                    figures |= {f"{name}_{figure}/{called}": value for figure, value in figures_of_row.items()}
        figures |= facts or {}
        return {name: value for name, value in figures.items() if self.wanted is None or name in self.wanted}

    def results(self, tally: Tally, *, breakdown: bool) -> Iterator[tuple[str, dict[str, Any]]]:
        """The results of each family, without group scores if references have no groups."""
        for (metric, _), counts in zip(self.families, tally, strict=True):
            name = metric.family.NAME
            results = corpus.results(corpus.Partial(counts), family=metric.family, breakdown=breakdown)
            is_left_out = name in self.without_groups
            yield name, {key: value for key, value in results.items() if not (is_left_out and key.startswith("group_"))}


def _choose(name: str, options: Mapping[str, Any], kinds: Sequence[str], reading: Reading) -> tuple[RowMetric, str]:
    """A family with its options, and the kind of input that it gets."""
    chosen = family.get(name)
    kind = next((kind for kind in kinds if kind in chosen.INPUTS), None)
    if kind is None:
        reads, offered = (" or ".join(INPUT_KINDS[kind] for kind in several) for several in (chosen.INPUTS, kinds))
        raise ValueError(f"{name} reads {reads}, but these are {offered}")
    family.check_options(options, family.options_of(chosen), owner=name)
    return RowMetric(name, config=reading, **options), kind


def _as(kind: str, forms: Forms, side: str) -> object:
    return forms[kind] if kind in forms else grouping.entities(forms["document"], side=side)


def _tables(results: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """The rows of all tables: table, row, scores."""
    tables = {table: results.get(table, {}) for table in ("per_entity", "per_group")}
    tables["automation"] = rows_by_threshold(results.get("automation", ()))
    for table, rows in tables.items():
        for row, figures in rows.items():
            yield table, row, figures


def _pick(patterns: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """The names that patterns match. Raises ValueError if a pattern matches none."""
    for pattern in patterns:
        picked = matching(names, pattern)
        if not picked:
            close = get_close_matches(pattern, names, n=1)
            hint = f", did you mean {close[0]!r}?" if close else ","
            tables = sorted({f"{name.partition('/')[0]}/*" for name in names if "/" in name})
            expected = [*(name for name in names if "/" not in name), *tables]
            raise ValueError(f"unknown score {pattern!r}{hint} expected some of: {', '.join(expected)}")
        yield from picked
