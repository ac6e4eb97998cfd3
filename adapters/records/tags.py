"""Records of tagged words: columns `words` or `tokens`, and `ner_tags`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docie.core.errors import in_json, shortened
from docie.core.settings import check_list
from docie.documents.tagging import OUTSIDE, find_spans, split_tag

from ..grouping import Entity
from .fields import joined, list_of


def is_tagged(record: Mapping[str, Any]) -> bool:
    """Whether a record has tagged words."""
    return "ner_tags" in record


def bio(types: Sequence[str]) -> list[str]:
    """The names of tags: O, then B and I of each entity type.

    >>> bio(["HEADER", "ANSWER"])
    ['O', 'B-HEADER', 'I-HEADER', 'B-ANSWER', 'I-ANSWER']
    """
    return [OUTSIDE, *(f"{prefix}-{entity_type}" for entity_type in types for prefix in "BI")]


def words_of(record: Mapping[str, Any]) -> list[str]:
    """The words of a record."""
    return list_of(record, "tokens" if "tokens" in record and "words" not in record else "words", str, "a list of text")


def entities_of(record: Mapping[str, Any], names: Sequence[str] | None) -> list[Entity]:
    """The entities of tagged words in order, their types in lower case. Those without any text are left out."""
    words, tags = words_of(record), _tags(record, names)
    entities = (Entity(span.type.lower(), joined(words[span.first : span.last + 1])) for span in find_spans(tags))
    return [entity for entity in entities if entity.value]


def labels_of(record: Mapping[str, Any], names: Sequence[str] | None) -> list[str]:
    """The entity type of every word, in lower case; O for none."""
    return [split_tag(tag)[1].lower() or OUTSIDE for tag in _tags(record, names)]


def numbers_of(record: Mapping[str, Any], names: Sequence[str] | None) -> list[int | None]:
    """The number of the entity of every word, counted from 0; None for none."""
    tags = _tags(record, names)
    numbers: list[int | None] = [None] * len(tags)
    for number, span in enumerate(find_spans(tags)):
        numbers[span.first : span.last + 1] = [number] * (span.last + 1 - span.first)
    return numbers


def _tags(record: Mapping[str, Any], names: Sequence[str] | None) -> list[str]:
    """The tags as names, as many as words."""
    tags = list_of(record, "ner_tags", int | str, "a list of whole numbers or text")
    count = len(words_of(record))
    if len(tags) != count:
        raise ValueError(f"field 'ner_tags' must be as long as the words, got {len(tags)} and {count}")
    if names is not None:
        check_list("names", names)
        names = list(names)  # a column of a table has other numbers
    result = [tag if isinstance(tag, str) else _name(tag, position, names) for position, tag in enumerate(tags)]
    try:
        find_spans(result)
    except ValueError as error:
        raise ValueError(f"field 'ner_tags': {error}") from None
    return result


def _name(tag: int, position: int, names: list[str] | None) -> str:
    if names is None:
        raise ValueError("field 'ner_tags' has numbers, whose names must be given as names=")
    if not 0 <= tag < len(names):
        raise ValueError(f"field 'ner_tags' must be from 0 to {len(names) - 1}, got {in_json(tag)} at {position}")
    if not isinstance(names[tag], str):
        raise ValueError(f"names must be a list of texts, got {shortened(names)}")
    return names[tag]
