"""Scores of several families at once, as the flat numbers that a Trainer logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import filter as matching
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from docie import corpus
from docie.core import family
from docie.core.counts import Counts
from docie.core.errors import errors_of_document, shortened
from docie.corpus.method import Method
from docie.inputs.kinds import INPUT_KINDS
from docie.inputs.reading import PLAIN, Reading
from docie.show.tables import free_name, rows_by_threshold, safe_name

from .. import grouping
from ..grouping.documents import are_texts, checked_iterable

Metrics = str | Iterable[str] | Mapping[str, Mapping[str, object]]
"""Names of families, or a mapping from them to their options."""
View = Callable[[str], object]
"""Returns a prediction or a reference as the kind of input that a family reads (`docie.inputs.kinds.INPUT_KINDS`)."""
Rows = Mapping[tuple[str, str, str], str]
"""From the rows of tables, each (family, table, row), to their names in the names of scores."""

_PREFERRED = ("tagged words", "document", "entities")


def view_of_document(document: object, side: str) -> View:
    """A document as it is, or as a flat list of entities; `side` is "prediction" or "reference"."""
    return lambda kind: grouping.entities(document, side=side) if kind == "entities" else document


class _Chosen(NamedTuple):
    """A family with its settings, and the kind of input that it gets."""

    family: family.Family
    settings: Any
    input_kind: str


class Scorer:
    """The requested families, with their options.

    Args:
        metrics: names of families, or a mapping from them to their options.
        kinds: the kinds of input that views can return.
        per_entity: whether scores of entity types and group types are requested too.
        scores: the names of the requested scores, or patterns of names; None for all.
        reading: how documents were read, whose values are those of options that are not set otherwise.

    Attributes:
        rows: the rows of the tables of the references, with their names in scores.
        without_groups: the families whose references have no groups. Their group scores are left out.

    Raises:
        ValueError: if a family or option is unknown, or if a family reads none of these kinds.

    >>> tally = Tally(Scorer("kieval", kinds=["document"]))
    >>> tally.add(0, view_of_document({}, "prediction"), view_of_document({"total": "9.00"}, "reference"))
    >>> tally.figures()["kieval_additions"]
    1
    """

    def __init__(
        self,
        metrics: Metrics,
        *,
        kinds: Sequence[str],
        per_entity: bool = False,
        scores: Iterable[str] | None = None,
        reading: Reading = PLAIN,
    ) -> None:
        names = [metrics] if isinstance(metrics, str) else metrics
        if not are_texts(names):
            raise ValueError(f"metrics must be names of families, got {shortened(metrics)}")
        options = names if isinstance(names, Mapping) else {}
        self.families = [_choose(name, options.get(name) or {}, kinds, reading) for name in names]
        self.per_entity = per_entity
        self.patterns = None if scores is None else list(checked_iterable("scores", scores))
        if not are_texts(self.patterns or []):
            raise ValueError(f"scores must be a list of names of scores, got {shortened(scores)}")
        self.rows: Rows = {}
        self.without_groups: set[str] = set()
        self.wanted: set[str] | None = None

    def learn(self, nothing: Tally, facts: Iterable[str]) -> None:
        """Fix the names of all scores, so that every evaluation returns the same ones.

        Args:
            nothing: the tally of the references with empty predictions.
            facts: the names of further numbers.

        Raises:
            ValueError: if an entry of `scores` matches none.
        """
        tables = [(chosen.family, chosen.family.breakdown(counts)) for chosen, counts in nothing.by_family()]
        self.without_groups = {
            family.NAME
            for family, by_table in tables
            if not any(row["support"] for row in by_table.get("per_group", {}).values())
        }
        self.rows = nothing.rows()
        if self.patterns is not None:
            self.wanted = set(chain.from_iterable(_pick(self.patterns, [*nothing.figures(), *facts])))

    def pick(self, figures: Mapping[str, float]) -> dict[str, float]:
        """The requested scores."""
        return {name: value for name, value in figures.items() if self.wanted is None or name in self.wanted}


class Tally:
    """The counts of a corpus so far, for each family."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.counts = [Counts() for _ in scorer.families]

    def add(self, document: int, prediction: View, reference: View) -> None:
        """Count one document. Raises DocumentError, with its number, if it cannot be scored."""
        sides = cache(lambda input_kind: (prediction(input_kind), reference(input_kind)))  # families share them
        for number, chosen in enumerate(self.scorer.families):
            with errors_of_document(document):
                self.counts[number] += chosen.family.count(*sides(chosen.input_kind), chosen.settings)

    def figures(self) -> dict[str, float]:
        """All scores, each with the name of its family: `kieval_entity_f1`.

        Scores in tables, `kieval_entity_f1/date`, are returned for the scorer's `rows` only, so that every evaluation
        returns the same ones. Group scores are returned only if a reference has a group.
        """
        figures = {}
        for name, results in self.results(breakdown=self.scorer.per_entity):
            for figure, value in results.items():
                if isinstance(value, int | float) and figure not in ("documents", "invalid_predictions"):
                    figures[f"{name}_{figure}"] = value
            for table, row, figures_of_row in _tables(results):
                if called := self.scorer.rows.get((name, table, row)):
                    figures |= {f"{name}_{figure}/{called}": value for figure, value in figures_of_row.items()}
        return figures

    def rows(self) -> Rows:
        """The rows of all tables, with distinct names that any logger accepts."""
        rows: dict[tuple[str, str, str], str] = {}
        for name, results in self.results(breakdown=self.scorer.per_entity):
            for table, row, _ in _tables(results):
                prefix = "group/" if table == "per_group" else ""
                taken = {rows[key] for key in rows if key[0] == name}
                rows[name, table, row] = free_name(prefix + safe_name(row), taken)
        return rows

    def results(self, *, breakdown: bool) -> Iterator[tuple[str, dict[str, Any]]]:
        """The results of each family, without group scores if references have no groups."""
        for chosen, counts in self.by_family():
            name = chosen.family.NAME
            results = corpus.results(corpus.Partial(counts), family=chosen.family, breakdown=breakdown)
            is_left_out = name in self.scorer.without_groups
            yield name, {key: value for key, value in results.items() if not (is_left_out and key.startswith("group_"))}

    def by_family(self) -> Iterator[tuple[_Chosen, Counts]]:
        """The families with their counts."""
        return zip(self.scorer.families, self.counts, strict=True)


def _choose(name: str, options: Mapping[str, object], kinds: Sequence[str], reading: Reading) -> _Chosen:
    chosen = family.get(name)
    input_kind = next((kind for kind in _PREFERRED if kind in kinds and kind in chosen.INPUTS), None)
    if input_kind is None:
        reads, offered = (" or ".join(INPUT_KINDS[kind] for kind in several) for several in (chosen.INPUTS, kinds))
        raise ValueError(f"{name} reads {reads}, but these are {offered}")
    family.check_options(options, family.options_of(chosen), owner=name)
    method = Method.of(chosen, family.settings_of(chosen, options), reading)
    return _Chosen(chosen, method.settings, input_kind)


def _tables(results: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """The rows of all tables: table, row, scores."""
    tables = {table: results.get(table, {}) for table in ("per_entity", "per_group")}
    tables["automation"] = rows_by_threshold(results.get("automation", ()))
    for table, rows in tables.items():
        for row, figures in rows.items():
            yield table, row, figures


def _pick(patterns: Sequence[str], names: Sequence[str]) -> Iterator[list[str]]:
    """The names that each pattern matches. Raises ValueError if a pattern matches none."""
    for pattern in patterns:
        picked = matching(names, pattern)
        if not picked:
            close = get_close_matches(pattern, names, n=1)
            hint = f", did you mean {close[0]!r}?" if close else ","
            tables = sorted({f"{name.partition('/')[0]}/*" for name in names if "/" in name})
            expected = [*(name for name in names if "/" not in name), *tables]
            raise ValueError(f"unknown score {pattern!r}{hint} expected some of: {', '.join(expected)}")
        yield picked
