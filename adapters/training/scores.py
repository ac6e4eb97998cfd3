"""Figures of several families at once, as the flat numbers that a Trainer logs."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from docie import corpus, family
from docie.counts import Counts
from docie.documents import INPUT_KINDS
from docie.errors import errors_of_document

from .. import grouping

__all__ = ["Metrics", "Scorer", "Tally", "View", "view_of_document"]

Metrics = str | Iterable[str] | Mapping[str, Mapping[str, Any]]
"""Names of families, or a mapping from these to their options."""
View = Callable[[str], Any]
"""Gives one side of a document as the kind of input that a family asks for, a name of `docie.documents.INPUT_KINDS`."""
Rows = Mapping[tuple[str, str, str], str]
"""From the rows of tables, each (family, table, row), to what they are called in the names of figures."""

_PREFERRED = ("tagged words", "document", "entities")
_UNSAFE = re.compile(r"[^\w.\- ]", re.ASCII)


def view_of_document(document: Any, side: str) -> View:
    """A document as it is, or as a flat list of entities; `side` is "prediction" or "reference"."""
    return lambda kind: grouping.entities(document, side=side) if kind == "entities" else document


class _Chosen(NamedTuple):
    """A family with its settings, and the kind of input that it gets."""

    family: family.Family
    settings: Any
    input_kind: str


class Scorer:
    """The families that were asked for, with their options.

    Args:
        metrics: names of families, or a mapping from these to their options.
        kinds: the kinds of input that views can give.
        per_entity: whether figures of entity types and group types are wanted too.

    Raises:
        ValueError: for an unknown family or option, and for a family that reads none of these kinds.

    >>> tally = Scorer("kieval", kinds=["document"]).start()
    >>> tally.add(0, view_of_document({}, "prediction"), view_of_document({"total": "9.00"}, "reference"))
    >>> tally.figures()["kieval_additions"]
    1
    """

    def __init__(self, metrics: Metrics, *, kinds: Sequence[str], per_entity: bool = False) -> None:
        names = [metrics] if isinstance(metrics, str) else metrics
        options = names if isinstance(names, Mapping) else {}
        self.families = [_choose(name, options.get(name) or {}, kinds) for name in names]
        self.per_entity = per_entity
        self.rows: Rows = {}

    def start(self) -> Tally:
        """Begin a corpus."""
        return Tally(self)


class Tally:
    """The counts of a corpus so far, of each family."""

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
        """All figures, each with the name of its family: `kieval_entity_f1`.

        Figures of tables, `kieval_entity_f1/date`, are given for the scorer's `rows` only, so that every evaluation
        gives the same ones.
        """
        figures = {}
        for name, results in self._results():
            for figure, value in results.items():
                if isinstance(value, int | float) and figure not in ("documents", "invalid_predictions"):
                    figures[f"{name}_{figure}"] = value
            for table, row, figures_of_row in _tables(results):
                if called := self.scorer.rows.get((name, table, row)):
                    figures |= {f"{name}_{figure}/{called}": value for figure, value in figures_of_row.items()}
        return figures

    def rows(self) -> Rows:
        """The rows of all tables, with distinct names that any logger takes."""
        rows: dict[tuple[str, str, str], str] = {}
        for name, results in self._results():
            for table, row, _ in _tables(results):
                prefix = "group/" if table == "per_group" else ""
                taken = {rows[key] for key in rows if key[0] == name}
                rows[name, table, row] = _free_name(prefix + _safe_name(row), taken)
        return rows

    def _results(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for chosen, counts in zip(self.scorer.families, self.counts, strict=True):
            results = corpus.summarize(chosen.family, counts, breakdown=self.scorer.per_entity)
            yield chosen.family.NAME, results


def _choose(name: str, options: Mapping[str, Any], kinds: Sequence[str]) -> _Chosen:
    chosen = family.get(name)
    input_kind = next((kind for kind in _PREFERRED if kind in kinds and kind in chosen.INPUTS), None)
    if input_kind is None:
        reads, offered = (" or ".join(INPUT_KINDS[kind] for kind in several) for several in (chosen.INPUTS, kinds))
        raise ValueError(f"{name} reads {reads}, but these are {offered}")
    family.check_options(options, family.options_of(chosen), owner=name)
    return _Chosen(chosen, family.settings_of(chosen, options), input_kind)


def _tables(results: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """The rows of all tables: table, row, figures."""
    for table in ("per_entity", "per_group"):
        for row, figures in results.get(table, {}).items():
            yield table, row, figures
    for row in results.get("automation", ()):
        yield "automation", str(row["threshold"]), {name: row[name] for name in row if name != "threshold"}


def _safe_name(row: str) -> str:
    """The name of a row, as part of a path. Some loggers do not take letters of other scripts.

    >>> _safe_name("menu.nm"), _safe_name("größe/cm"), _safe_name("..")
    ('menu.nm', 'gr__e_cm', '_')
    """
    return _UNSAFE.sub("_", row) if row.strip(". ") else "_"


def _free_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if it is taken."""
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
