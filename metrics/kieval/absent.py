"""Invention: how often a system says a value where there is none, beside all other scores.

A field is absent where the reference writes it without a value (null, blank text, `[]`, `{}`), and where a document
lacks a field of the ontology or of the schema. What is written in a group that has values is absent in this group: it
counts once the group is matched. Of groups with the same values, any may be the one that is matched: those with the
fewest false alarms count, so that no order of groups matters. Everything else is absent in the document, as long as no
value of it is anywhere. A false alarm is a value there, of the field or of one below it: of `menu.nm`, where `menu` is
null.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from docie.core.counts import Counts, Key, Number, Row, ratio
from docie.documents.document import Document

if TYPE_CHECKING:
    from docie.metrics.kieval.metric import Comparison


@dataclass(slots=True)
class Absent(Row):
    """Columns of the ("absent", entity type) rows: places without a value, and those for which one was predicted."""

    absent: Number = 0
    false_alarms: Number = 0

    @property
    def accuracy(self) -> Number:
        """The share of places that were left empty."""
        return ratio(self.absent - self.false_alarms, self.absent, empty=1.0)


def declared_types(settings: Any) -> frozenset[str]:
    """The entity types that every document could have: those of the ontology, else those of the schema.

    Of several schemas, no document says which is its own, so they declare nothing.
    """
    if settings.ontology is not None:
        return frozenset(settings.ontology)
    return frozenset(settings.schema.fields) if settings.schema and settings.schema.is_one else frozenset()


def rows_of(comparisons: Iterable[Comparison], reference: Document, settings: Any) -> dict[Key, Row]:
    """The rows of one document. Which ones there are depends on the reference alone."""
    declared: frozenset[str] = settings.declared
    written: defaultdict[int, set[str]] = defaultdict(set)
    for group, entity_type in reference.nulls:
        for name in _fields_at(entity_type, declared):
            if settings.ontology is None or name in declared:
                written[id(group)].add(name)
    rows: defaultdict[str, Absent] = defaultdict(Absent)
    alike: defaultdict[Any, list[tuple[set[str], set[str] | None]]] = defaultdict(list)
    predicted, expected = set[str](), set[str]()
    for each in comparisons:
        found, known = _types_in(each.predicted), _types_in(each.expected)
        if each.group_type is not None and each.places[1] is not None:
            known.add(each.group_type)
            if each.expected and reference.nulls:
                group = reference.groups[each.group_type][each.places[1]]
                absent = written.pop(id(group), set()) - known
                values = each.group_type, frozenset(each.expected.items())
                alike[values].append((absent, None if each.predicted is None else found))
        predicted |= found
        expected |= known
    for groups in alike.values():
        _add(rows, groups)
    for name in declared.union(*written.values()) - expected - rows.keys():
        rows[name] = Absent(1, int(name in predicted))
    return {("absent", name): rows[name] for name in sorted(rows)}


def _add(rows: defaultdict[str, Absent], groups: Sequence[tuple[set[str], set[str] | None]]) -> None:
    """Add groups with the same values, of which any may be the one that a predicted group is matched with.

    A predicted value counts for a group that may have it, as long as there are some: no order of groups matters.

    Args:
        rows: those of the document.
        groups: of each the types that it writes without a value, and those predicted for it; None if it is not matched.
    """
    for name in set[str]().union(*(absent for absent, _ in groups)):
        places = sum(name in absent for absent, _ in groups)
        said = [name in found for _, found in groups if found is not None]
        alarms = max(0, sum(said) - (len(groups) - places))
        rows[name].absent += alarms + min(len(said) - sum(said), places - alarms)
        rows[name].false_alarms += alarms


@lru_cache(maxsize=1000)
def _fields_at(entity_type: str, declared: Collection[str]) -> list[str]:
    """The declared types below a type; itself if there are none.

    >>> _fields_at("menu", frozenset(["menu.nm", "total"])), _fields_at("menu", frozenset())
    (['menu.nm'], ['menu'])
    """
    return [name for name in declared if name.startswith(f"{entity_type}.")] or [entity_type]


def _types_in(group: Iterable[tuple[str, object, int]] | None) -> set[str]:
    """The types of the values of a group, and those above them."""
    types = {entity_type for entity_type, _, _ in group or ()}
    return types.union(*map(types_to, types))


@lru_cache(maxsize=1000)
def types_to(entity_type: str) -> list[str]:
    """The types above a type.

    >>> types_to("menu.sub.nm")
    ['menu', 'menu.sub']
    """
    return [entity_type[:place] for place, letter in enumerate(entity_type) if letter == "."]


def absent_in(counts: Counts) -> Absent | None:
    """All absent values of counts; None if nothing says that something is absent."""
    return counts.by("absent", 0, Absent).get("absent")


def figures(counts: Counts) -> dict[str, Number]:
    """The accuracy of absent values, their number, and that of those which were predicted, if there are any."""
    row = absent_in(counts)
    if row is None:
        return {}
    return {"absent_accuracy": row.accuracy, "absent": row.absent, "false_alarms": row.false_alarms}


def table(counts: Counts) -> dict[str, dict[str, Number]]:
    """The same for each entity type, with the number of its absent values as its support."""
    return {
        str(name): {"absent_accuracy": row.accuracy, "false_alarms": row.false_alarms, "support": row.absent}
        for name, row in counts.by("absent", 1, Absent).items()
    }
