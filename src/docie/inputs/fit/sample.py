"""A sample of a corpus as it is read at present, and how many of its values agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from docie.core.errors import DocumentError
from docie.core.normalizers.same_value import form_key
from docie.core.normalizers.specs import Normalize, normalizer_of
from docie.core.rules.match import Match, rules_of
from docie.core.rules.schemas import Schema
from docie.documents.leaves import answers_of
from docie.documents.values import Leaf, Values, values_of
from docie.inputs.join import with_normalizers
from docie.inputs.openers import open_row
from docie.inputs.reading import PLAIN, Reading, Side
from docie.inputs.records import record_kinds
from docie.inputs.row import Pair, Row
from docie.inputs.shapes import Shape

SIDES = ("prediction", "reference")
EQUALITY = ("normalize", "match", "schema")
"""The options of metrics that say when values are equal."""
MOST_PAIRS = 2500
"""Pairs of groups up to which those that share most belong together; more are compared in their order."""

Key = tuple[str, str]
"""An entity type and a text."""
Entities = dict[str, list[list[Key]]]
"""The values of a document: from the type of groups ("" outside of groups) to the values of each group."""
Groups = dict[str, list[Counter[Key]]]
"""The same, by what is equal."""


def read_pair(pair: tuple[Any, Any], reading: Reading, shapes: Sequence[Shape]) -> tuple[Any, Any]:
    """The documents of a prediction and its reference; None for what cannot be read."""
    rows = []
    try:
        for value, shape in zip(pair, shapes, strict=True):
            found = open_row(value, shape.side, shape.how, path=shape.how.path, kind="answer")
            rows.append(shape.of(Row(found.document, meta=found.meta)))
    except ValueError:
        return None, None
    predicted, expected = with_normalizers(Pair(*rows), reading)
    return predicted.document, expected.document


def _meta_of(row: Any, how: Side, side: str) -> Mapping[str, Any]:
    try:
        meta = open_row(row, side, how, path=how.path, kind="answer").meta
    except ValueError:
        return {}
    return meta if isinstance(meta, Mapping) else {}


def entities_of(document: Any, side: str) -> Entities:
    """The values of a document as they are written; none of one that cannot be scored."""
    try:
        values = values_of(document, side) if isinstance(document, Mapping) else Values()
    except DocumentError:
        values = Values()
    found = {"": [values.ungrouped], **values.groups}
    keys = {name: [[*map(_key_of, group)] for group in groups if group] for name, groups in found.items()}
    return {name: groups for name, groups in keys.items() if groups}


def _key_of(leaf: Leaf) -> Key:
    return leaf.type, answers_of(leaf.text)[0]


def _normalized(entities: Entities, normalize: Callable[[str, str], str]) -> Entities:
    """The values, normalised; what is blank then is absent."""
    return {
        name: [
            [(kind, text) for kind, text in ((kind, normalize(kind, text)) for kind, text in group) if text.strip()]
            for group in groups
        ]
        for name, groups in entities.items()
    }


def _counted(entities: Entities, key: Callable[[str], str]) -> Groups:
    return {
        name: [Counter([(entity_type, key(text)) for entity_type, text in group]) for group in groups]
        for name, groups in entities.items()
    }


def agreement(predicted: Groups, expected: Groups) -> int:
    """The number of values of a document that find an equal counterpart, in groups that belong together."""
    return sum(_in_groups(predicted[name], expected[name]) for name in predicted.keys() & expected.keys())


def _in_groups(predicted: Sequence[Counter[Key]], expected: Sequence[Counter[Key]]) -> int:
    if len(predicted) == len(expected) == 1 or len(predicted) * len(expected) > MOST_PAIRS:
        return sum((one & other).total() for one, other in zip(predicted, expected, strict=False))
    shared = [
        ((one & other).total(), -row, -column)
        for row, one in enumerate(predicted)
        for column, other in enumerate(expected)
    ]
    rows, columns, agreed = set[int](), set[int](), 0
    for number, row, column in sorted(shared, reverse=True):  # the best assignment would bring scipy for little
        if number and row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            agreed += number
    return agreed


@dataclass(frozen=True)
class Sample:
    """Rows of a corpus, and how they are read.

    Attributes:
        pairs: rows, each (prediction, reference).
        reading: how they are read.
        normalize, match, schema: the options of a metric that say when values are equal; the schema is read.
    """

    pairs: Sequence[tuple[Any, Any]]
    reading: Reading = PLAIN
    normalize: Normalize = None
    match: Match = None
    schema: Schema | None = None

    def under(self, options: Mapping[str, Any]) -> Sample:
        """The same rows, with further options of the reading."""
        return replace(self, reading=self.reading.with_options(options))

    def with_values(self, *, normalize: Normalize, match: Match) -> Sample:
        """The same rows, read alike, with other options that say when values are equal."""
        changed = replace(self, normalize=normalize, match=match)
        changed.__dict__.update(documents=self.documents, written=self.written)
        return changed

    def head(self, number: int) -> Sample:
        """The first rows alone."""
        return replace(self, pairs=self.pairs[:number])

    @cached_property
    def documents(self) -> list[tuple[Any, Any]]:
        """The documents, each (prediction, reference)."""
        shapes = [Shape(side, self.reading.side(side), looks=False) for side in SIDES]
        return [read_pair(pair, self.reading, shapes) for pair in self.pairs]

    @cached_property
    def records(self) -> tuple[set[str], set[str]]:
        """The kinds of records in the predictions, and in the references, that are not read as groups."""
        sides = zip(*self.documents, strict=True)
        predicted, expected = (set[str]().union(*map(record_kinds, side)) for side in sides)
        return predicted, expected

    def has_rule(self, entity_type: str) -> bool:
        """Whether a match rule says which different values of an entity type are equal."""
        rules = rules_of(self.match, self.schema.matches if self.schema else None)
        return rules is not None and rules.of(entity_type) is not None

    def is_settled(self, entity_type: str) -> bool:
        """Whether normalizers of an entity type are named, or some of all types, which those of one would replace."""
        if self.normalize and not isinstance(self.normalize, Mapping):
            return True
        return entity_type in {*(self.normalize or ()), *(self.schema.normalizers if self.schema else ())}

    @cached_property
    def metas(self) -> list[Mapping[str, Any]]:
        """What stands beside the documents, as `values.normalize_by` has it."""
        return [
            {
                str(key): value
                for row, side in zip(pair, SIDES, strict=True)
                for key, value in _meta_of(row, self.reading.side(side), side).items()
            }
            for pair in self.pairs
        ]

    @cached_property
    def written(self) -> list[tuple[Entities, Entities]]:
        """Their values, as they are written."""
        return [
            (entities_of(predicted, SIDES[0]), entities_of(expected, SIDES[1]))
            for predicted, expected in self.documents
        ]

    @cached_property
    def entities(self) -> list[tuple[Entities, Entities]]:
        """Their values, as they are written or normalised."""
        normalize = normalizer_of(self.normalize or None, self.schema.normalizers if self.schema else None)
        if normalize is None:
            return self.written
        return [
            (_normalized(predicted, normalize), _normalized(expected, normalize))
            for predicted, expected in self.written
        ]

    @cached_property
    def values(self) -> list[tuple[Groups, Groups]]:
        """Their values, by what they certainly mean."""
        return [(_counted(predicted, form_key), _counted(expected, form_key)) for predicted, expected in self.entities]

    @cached_property
    def agreed(self) -> int:
        """The number of values that find an equal counterpart."""
        return sum(agreement(predicted, expected) for predicted, expected in self.values)

    @cached_property
    def flat(self) -> list[tuple[Counter[Key], Counter[Key]]]:
        """The values of each document, whatever group they are in."""
        return [(flat(predicted), flat(expected)) for predicted, expected in self.values]

    @cached_property
    def types(self) -> tuple[Counter[str], Counter[str]]:
        """The number of values of each entity type: of predictions, and of references."""
        return types_of(self.flat)

    @cached_property
    def unequal(self) -> list[tuple[dict[str, list[str]], dict[str, list[str]]]]:
        """The texts of each document that equal none of the other side, whatever their group, by entity type."""
        return [_unequal(*pair) for pair in self.entities]

    @property
    def size(self) -> int:
        """The number of values of the smaller side."""
        return min(each.total() for each in self.types)


def _unequal(predicted: Entities, expected: Entities) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """The texts of one side of a document that equal none of the other, by entity type, for both sides."""
    found: tuple[dict[str, list[str]], dict[str, list[str]]] = {}, {}
    keys = [
        [(name, form_key(text), text) for name, text in chain(*chain(*side.values()))] for side in (predicted, expected)
    ]
    left = [Counter([each[:2] for each in side]) for side in keys]
    left = [left[0] - left[1], left[1] - left[0]]
    for side, open_keys, texts in zip(keys, left, found, strict=True):
        for *key, text in side if open_keys else ():
            if open_keys[key[0], key[1]] > 0:
                open_keys[key[0], key[1]] -= 1
                texts.setdefault(key[0], []).append(text)
    return found


def flat(groups: Groups) -> Counter[Key]:
    """The values of a document, whatever group they are in."""
    return Counter(key for listed in groups.values() for group in listed for key in group.elements())


def types_of(documents: Iterable[tuple[Counter[Key], Counter[Key]]]) -> tuple[Counter[str], Counter[str]]:
    """The number of values of each entity type of some documents: of predictions, and of references."""
    totals: tuple[Counter[str], Counter[str]] = Counter(), Counter()
    for pair in documents:
        for total, values in zip(totals, pair, strict=True):
            for (entity_type, _), number in values.items():
                total[entity_type] += number
    return totals
