"""One of two documents that are compared: its values with their places, by the tokens that the matching gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from docie.core.values.plain import NO_CONFIDENCE
from docie.documents.document import Document, Group, Value, is_counted, normalized, parse_document
from docie.documents.multisets import Token, Tokens, tokens_of
from docie.documents.values import Leaf, Values, values_of

if TYPE_CHECKING:
    from docie.metrics.kieval.options import Settings

Item = TypeVar("Item")
Leaves = dict[Token, Leaf]
"""The values of a group by their tokens, in the order of the document."""
_Written = tuple[str, Value, float, Value]
"""An entity, and its value before normalisation."""


class Side:
    """One of two documents that are compared: its values are read once, their places only if someone asks.

    Attributes:
        read: the values before normalisation, in all groups.
        document: what is compared.
        is_plain: whether values are texts as they are compared, without boxes and pages.
    """

    def __init__(self, value: object, side: str, settings: Settings) -> None:
        self._value, self._side, self._settings = value, side, settings
        self.read = self.document = read = parse_document(value, side, keep_empty_groups=True)
        self.is_plain = settings.normalizer is None and not read.has_places and not read.has_one_of
        self._changed: dict[str | None, list[tuple[int | None, list[_Written]]]] = {}
        has_all = settings.empty_groups == "count" or all(map(all, read.groups.values()))
        if has_all and settings.normalizer is None and settings.ontology is None:
            return
        self._changed[None] = [(None, self._listed(self._normalized(read.ungrouped)))]
        for name, groups in read.groups.items():
            self._changed[name] = [
                (number, self._listed(group))
                for number, group in enumerate(map(self._normalized, groups))
                if is_counted(name, group, settings.ontology, keep_empty=settings.empty_groups == "count")
            ]
        entities = {name: [[each[:3] for each in group] for _, group in each] for name, each in self._changed.items()}
        [ungrouped] = entities.pop(None)
        by_type = {str(name): groups for name, groups in entities.items() if groups}
        self.document = Document(ungrouped, by_type, read.has_one_of, read.has_confidences)
        new = {id(read.ungrouped): ungrouped}
        for name, groups in by_type.items():
            olds = [read.groups[name][place] for place, _ in self._changed[name] if place is not None]
            new |= {id(old): group for old, group in zip(olds, groups, strict=True)}
        self.document.nulls = [(new.get(id(group), group), name) for group, name in read.nulls]

    def _normalized(self, group: Group) -> list[_Written]:
        normalize = self._settings.normalizer
        if normalize is None:
            return [(*entity, entity[1]) for entity in group]
        found = [(name, normalized(name, value, normalize), sure, value) for name, value, sure in group]
        return [each for each in found if each[1] is not None]

    def _listed(self, group: list[_Written]) -> list[_Written]:
        ontology = self._settings.ontology
        return group if ontology is None else [each for each in group if each[0] in ontology]

    def number(self, group_type: str | None, place: int | None) -> int | None:
        """The number of a group that is compared among all of its type in the document."""
        if group_type is None or place is None:
            return None
        return self._changed[group_type][place][0] if self._changed else place

    def written(self, group_type: str | None, place: int | None) -> Mapping[Token, Value]:
        """The values of a group before normalisation, by their tokens."""
        if self._settings.normalizer is None or place is None:
            return OWN
        _, group = self._changed[group_type][place]
        return _by_token([each[:3] for each in group], [each[3] for each in group])

    @cached_property
    def values(self) -> Values:
        """The values with their places."""
        return values_of(self._value, self._side, normalize=self._settings.normalizer)

    def leaves(self, group_type: str | None, place: int | None, tokens: Tokens | None) -> Leaves:
        """The values of a group by their tokens; without their paths, if none has a box or a page."""
        if place is None or tokens is None:
            return {}
        if not self.read.has_places and not any(copy for _, _, copy in tokens):
            written = self.written(group_type, place)
            return {token: Leaf(token[0], token[1], sure, (), written[token]) for token, sure in tokens.items()}
        number = self.number(group_type, place)
        group = self.values.ungrouped if number is None else self.values.groups[str(group_type)][number]
        leaves = [leaf for leaf in group if self._settings.ontology is None or leaf.type in self._settings.ontology]
        return _by_token([leaf[:3] for leaf in leaves], leaves)


class _Own(dict[Token, Value]):
    """Of each token its own value."""

    def __missing__(self, token: Token) -> Value:
        return token[1]


OWN = _Own()
"""Values that were not normalised."""


def _by_token(group: Group, items: Sequence[Item]) -> dict[Token, Item]:
    """What belongs to the entities of a group by the tokens that the matching gives them, in the order of the group:
    of equal values, the most confident is first."""
    if all(confidence == NO_CONFIDENCE for *_, confidence in group):
        return dict(zip(tokens_of(group), items, strict=True))
    places = sorted(range(len(group)), key=lambda place: -group[place][2])
    tokens = dict(zip(places, tokens_of([group[place] for place in places]), strict=True))
    return {tokens[place]: item for place, item in enumerate(items)}
