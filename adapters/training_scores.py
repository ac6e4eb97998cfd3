"""Figures of several families at once, as the flat numbers that a Trainer logs."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_UNSAFE = re.compile(r"[^\w.\- ]")


def of_document(document: Any) -> View:
    """A document as it is, or as a flat list of entities."""
    return lambda kind: grouping.entities(document) if kind == "entities" else document


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
    >>> tally.add(0, of_document({"total": "9.00"}), of_document({"total": "9.00"}))
    >>> tally.figures()["kieval_aligned"]
    1.0
    """

    def __init__(self, metrics: Metrics, *, kinds: Sequence[str], per_entity: bool = False) -> None:
        names = [metrics] if isinstance(metrics, str) else metrics
        options = names if isinstance(names, Mapping) else {}
        self.families = [_settled(name, options.get(name, {}), kinds) for name in names]
        self.per_entity = per_entity

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
        for number, (family, settings, kind) in enumerate(self.scorer.families):
            try:
                self.counts[number] += family.count(prediction(kind), reference(kind), settings)
            except DocumentError as error:
                error.document = document
                raise

    def figures(self) -> dict[str, float]:
        """All figures, each with its family's name: `kieval_entity_f1`, of one entity type `kieval_entity_f1/date`."""
        found: dict[str, float] = {}
        for (family, _, _), counts in zip(self.scorer.families, self.counts, strict=True):
            results = corpus.summarize(family, counts, breakdown=self.scorer.per_entity)
            for name, value in _numbers(results):
                found[_free(f"{family.NAME}_{name}", found)] = value
        return found


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


def _numbers(results: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Every figure with its name; those in tables with their row's, `entity_f1/menu.nm` or `aligned/0.5`."""
    for name, value in results.items():
        if name in ("per_entity", "per_group"):
            for row, figures in value.items():
                yield from ((f"{figure}/{_UNSAFE.sub('_', row)}", number) for figure, number in figures.items())
        elif name == "automation":
            for figures in value:
                row = figures["threshold"]
                yield from ((f"{figure}/{row}", number) for figure, number in figures.items() if figure != "threshold")
        elif isinstance(value, int | float) and name not in ("documents", "invalid_predictions"):
            yield name, value


def _free(name: str, taken: Mapping[str, object]) -> str:
    """The name, or with a number behind it: entity types may differ in nothing but signs that names cannot have."""
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
