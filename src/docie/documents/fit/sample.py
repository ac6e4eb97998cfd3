"""A sample of a corpus as it is read at present, and how many of its values agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from docie.core.errors import DocumentError
from docie.core.normalizers.same_value import form_key
from docie.core.normalizers.specs import Normalize, normalizer_of
from docie.core.reading import Reading
from docie.core.rules.match import Match, rules_of
from docie.core.rules.schemas import Schema
from docie.documents.document import parse_document
from docie.documents.leaves import answers_of
from docie.documents.pairs.found import PairReader, find
from docie.documents.pairs.records import record_kinds

SIDES = ("prediction", "reference")
EQUALITY = ("normalize", "match", "schema")
"""The options of metrics that say when values are equal."""
MOST_PAIRS = 2500
"""Pairs of groups up to which those that share most belong together; more are compared in their order."""

PLAIN = Reading()

Key = tuple[str, str]
"""An entity type and a text."""
Entities = dict[str, list[list[Key]]]
"""The values of a document: from the type of groups ("" outside of groups) to the values of each group."""
Groups = dict[str, list[Counter[Key]]]
"""The same, by what is equal."""


def read_pair(pair: tuple[Any, Any], reading: Reading, reader: PairReader) -> tuple[Any, Any]:
    """The documents of a prediction and its reference; None for what cannot be read."""
    try:
        found = [
            find(row, side, reading, reading.unwrap_of(side), accepts_text=True)
            for row, side in zip(pair, SIDES, strict=True)
        ]
        predicted, expected = reader.pair(*found)
    except ValueError:
        return None, None
    return predicted.document, expected.document


def entities_of(document: Any, side: str, normalize: Callable[[str, str], str] | None = None) -> Entities:
    """The values of a document, as they are written or normalised; none of one that cannot be scored."""
    try:
        parsed = parse_document(document, side) if isinstance(document, Mapping) else None
    except DocumentError:
        parsed = None
    if parsed is None:
        return {}
    found = {"": [parsed.ungrouped], **parsed.groups}

    def key_of(entity_type: str, value: Any, _: float) -> Key:
        text = answers_of(value)[0]
        return entity_type, text if normalize is None else normalize(entity_type, text)

    return {name: [[key_of(*entity) for entity in group] for group in groups] for name, groups in found.items()}


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

    def under(self, **options: Any) -> Sample:
        """The same rows, with further options of the reading."""
        return replace(self, reading=self.reading.with_options(**options))

    def head(self, number: int) -> Sample:
        """The first rows alone."""
        return replace(self, pairs=self.pairs[:number])

    @cached_property
    def documents(self) -> list[tuple[Any, Any]]:
        """The documents, each (prediction, reference)."""
        reader = PairReader(self.reading, accepts_text=True)
        return [read_pair(pair, self.reading, reader) for pair in self.pairs]

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
    def entities(self) -> list[tuple[Entities, Entities]]:
        """Their values, as they are written or normalised."""
        normalize = normalizer_of(self.normalize or None, self.schema.normalizers if self.schema else None)
        return [
            (entities_of(predicted, SIDES[0], normalize), entities_of(expected, SIDES[1], normalize))
            for predicted, expected in self.documents
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
        totals: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        for pair in self.flat:
            for total, values in zip(totals, pair, strict=True):
                for (entity_type, _), number in values.items():
                    total[entity_type] += number
        return totals

    @property
    def size(self) -> int:
        """The number of values of the smaller side."""
        return min(each.total() for each in self.types)


def flat(groups: Groups) -> Counter[Key]:
    """The values of a document, whatever group they are in."""
    return Counter(key for listed in groups.values() for group in listed for key in group.elements())
