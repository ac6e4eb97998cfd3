"""Figures of several families at once, as the flat numbers that a Trainer logs."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import docie
from docie import corpus
from docie.adapters import grouping
from docie.counts import Counts
from docie.errors import DocumentError
from docie.inputs import KINDS

__all__ = ["Metrics", "Scorer", "Tally", "View", "of_document"]

Metrics = str | Iterable[str] | Mapping[str, Mapping[str, Any]]
"""Names of families, or a mapping from these to their options."""
View = Callable[[str], Any]
"""One side of a document, as the kind of input (see `docie.inputs`) that a family asks for."""

_PREFERRED = ("tagged words", "document", "entities")
_UNSAFE = re.compile(r"[^\w.\- ]", re.ASCII)
Rows = Mapping[tuple[str, str, str], str]
"""Rows of tables, each (family, table, row), and how names of figures call them."""


def of_document(document: Any, side: str) -> View:
    """A document as it is, or as a flat list of entities; `side` is "prediction" or "reference"."""
    return lambda kind: grouping.entities(document, side=side) if kind == "entities" else document


class _Settled(NamedTuple):
    """A family with its settings and the kind of input that it gets."""

    family: corpus.Family
    settings: Any
    kind: str


class Scorer:
    """The families that were asked for, with their options.

    `kinds` are those of `docie.inputs` that views can give. Raises ValueError for an unknown family or option, and for
    a family that reads none of these kinds.

    >>> tally = Scorer("kieval", kinds=["document"]).start()
    >>> tally.add(0, of_document({}, "prediction"), of_document({"total": "9.00"}, "reference"))
    >>> tally.figures()["kieval_additions"]
    1
    """

    def __init__(self, metrics: Metrics, *, kinds: Sequence[str], per_entity: bool = False) -> None:
        names = [metrics] if isinstance(metrics, str) else metrics
        options = names if isinstance(names, Mapping) else {}
        self.families = [_settled(name, options.get(name) or {}, kinds) for name in names]
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
        """Count one document. Raises DocumentError, naming it, if it cannot be scored."""
        sides = cache(lambda kind: (prediction(kind), reference(kind)))  # families of one kind share them
        for number, (family, settings, kind) in enumerate(self.scorer.families):
            try:
                self.counts[number] += family.count(*sides(kind), settings)
            except DocumentError as error:
                error.document = document
                raise

    def figures(self) -> dict[str, float]:
        """All figures, each with its family's name: `kieval_entity_f1`; those of tables for the scorer's `rows` only,
        `kieval_entity_f1/date`, so that there are the same ones every time."""
        found = {}
        for family, results in self._results():
            for name, value in results.items():
                if isinstance(value, int | float) and name not in ("documents", "invalid_predictions"):
                    found[f"{family}_{name}"] = value
            for table, row, figures in _tables(results):
                if called := self.scorer.rows.get((family, table, row)):
                    found |= {f"{family}_{name}/{called}": value for name, value in figures.items()}
        return found

    def rows(self) -> Rows:
        """The rows of all tables, with distinct names that any logger takes."""
        found: dict[tuple[str, str, str], str] = {}
        for family, results in self._results():
            for table, row, _ in _tables(results):
                prefix = "group/" if table == "per_group" else ""
                found[family, table, row] = _free(
                    prefix + _safe(row), {found[key] for key in found if key[0] == family}
                )
        return found

    def _results(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for (family, _, _), counts in zip(self.scorer.families, self.counts, strict=True):
            yield family.NAME, corpus.summarize(family, counts, breakdown=self.scorer.per_entity)


def _settled(name: str, options: Mapping[str, Any], kinds: Sequence[str]) -> _Settled:
    docie.path(name)  # raises for an unknown one
    family: Any = importlib.import_module(f"docie.{name}")
    kind = next((kind for kind in _PREFERRED if kind in kinds and kind in family.INPUTS), None)
    if kind is None:
        reads, here = (" or ".join(KINDS[kind] for kind in several) for several in (family.INPUTS, kinds))
        raise ValueError(f"{name} reads {reads}, here are {here}")
    try:
        return _Settled(family, family.Settings(**options), kind)
    except TypeError as error:  # an option that it does not have
        raise ValueError(f"{name}: {str(error).removeprefix('Settings.__init__() ')}") from None


def _tables(results: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, float]]]:
    """The rows of all tables: table, row, figures."""
    for table in ("per_entity", "per_group"):
        for row, figures in results.get(table, {}).items():
            yield table, row, figures
    for row in results.get("automation", ()):
        yield "automation", str(row["threshold"]), {name: row[name] for name in row if name != "threshold"}


def _safe(row: str) -> str:
    """A row's name as a part of a path: letters of other scripts too are more than some loggers take.

    >>> _safe("menu.nm"), _safe("größe/cm"), _safe("..")
    ('menu.nm', 'gr__e_cm', '_')
    """
    return _UNSAFE.sub("_", row) if row.strip(". ") else "_"


def _free(name: str, taken: Collection[str]) -> str:
    """The name, or with a number behind it."""
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
