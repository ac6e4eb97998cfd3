"""Figures of several families at once, as the flat numbers that a Trainer logs."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import docie
from docie import corpus
from docie.adapters import grouping
from docie.inputs import KINDS

__all__ = ["Metrics", "Scorer", "View", "of_documents"]

Metrics = str | Iterable[str] | Mapping[str, Mapping[str, Any]]
"""Names of families, or a mapping from these to their options."""
View = Callable[[str], Sequence[Any]]
"""The rows of one side, as the kind of input (see `docie.inputs`) that a family asks for."""

_PREFERRED = ("tagged words", "document", "entities")
_UNSAFE = re.compile(r"[^\w.\- ]")


def of_documents(documents: Sequence[Any]) -> View:
    """Documents as they are, or as flat lists of entities."""
    return lambda kind: [grouping.entities(value) for value in documents] if kind == "entities" else documents


class Scorer:
    """Scores rows with the families that were asked for, each as `docie.corpus.evaluate` does.

    `kinds` are those of `docie.inputs` that views can give. Raises ValueError for an unknown family or option, and for
    a family that reads none of these kinds.

    >>> view = of_documents([{"total": "9.00"}])
    >>> Scorer("kieval", kinds=["document"])(view, view)["kieval_aligned"]
    1.0
    """

    def __init__(self, metrics: Metrics, *, kinds: Sequence[str], per_entity: bool = False) -> None:
        names = [metrics] if isinstance(metrics, str) else metrics
        options = names if isinstance(names, Mapping) else {}
        self.families = [_settled(name, options.get(name, {}), kinds) for name in names]
        self.per_entity = per_entity

    def __call__(self, predictions: View, references: View) -> dict[str, float]:
        """All figures, each with its family's name: `kieval_entity_f1`, of an entity type `kieval_f1/menu.nm`."""
        figures: dict[str, float] = {}
        for family, settings, kind in self.families:
            results = corpus.evaluate(family, predictions(kind), references(kind), settings, breakdown=self.per_entity)
            for name, value in _numbers(results):
                figures[_free(f"{family.NAME}_{name}", figures)] = value
        return figures


def _settled(name: str, options: Mapping[str, Any], kinds: Sequence[str]) -> tuple[corpus.Family, Any, str]:
    """A family, its settings, and the kind of input that it gets."""
    docie.path(name)  # raises for an unknown one
    family: Any = importlib.import_module(f"docie.{name}")
    kind = next((kind for kind in _PREFERRED if kind in kinds and kind in family.INPUTS), None)
    if kind is None:
        reads, here = (" or ".join(KINDS[kind] for kind in several) for several in (family.INPUTS, kinds))
        raise ValueError(f"{name} reads {reads}, here are {here}")
    try:
        return family, family.Settings(**options), kind
    except TypeError as error:  # an option that it does not have
        raise ValueError(f"{name}: {str(error).removeprefix('Settings.__init__() ')}") from None


def _numbers(results: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Every figure with its name; those in tables with their row's, `f1/menu.nm` or `aligned/0.5`."""
    for name, value in results.items():
        if name in ("per_entity", "per_group"):
            rows = value.items()
        elif name == "automation":
            rows = ((str(figures["threshold"]), figures) for figures in value)
        else:
            if isinstance(value, int | float) and name not in ("documents", "invalid_predictions"):
                yield name, value
            continue
        for row, figures in rows:
            yield from ((f"{figure}/{_UNSAFE.sub('_', row)}", figures[figure]) for figure in figures)


def _free(name: str, taken: Mapping[str, object]) -> str:
    """The name, or with a number behind it: entity types may differ in nothing but signs that names cannot have."""
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
