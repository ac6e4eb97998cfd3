"""Checks for all data sets, and tagged words: columns `words` or `tokens`, and `ner_tags`. Each raises ValueError with
the field; `reading` adds the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from docie.core.errors import in_json, inside, json_kind, shortened
from docie.core.settings import check_list
from docie.core.values.json_text import loads
from docie.core.values.plain import as_list, is_list, is_number, plain_value
from docie.documents.tagging import find_spans
from docie.documents.tagging.schemes import OUTSIDE
from docie.documents.tagging.spans import spans_of_words, tag_name

from ..grouping.documents import Entity


@contextmanager
def reading(dataset: str, record: object, key: str = "id", otherwise: object = None) -> Iterator[None]:
    """Inside this block, every ValueError names the record, by the value of `key`, or by `otherwise`.

    >>> with reading("SROIE", {"id": "7"}):
    ...     raise ValueError("field 'words' must be a list, got text")
    Traceback (most recent call last):
    ...
    ValueError: SROIE record '7': field 'words' must be a list, got text
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"{dataset} record must be an object, got {json_kind(record)}")
    name = record.get(key, record.get("id", otherwise))
    with inside(f"{dataset} record" if name is None else f"{dataset} record {shortened(plain(name))}"):
        yield


def field(value: object, name: str, types: Any, expected: str) -> Any:
    """A field of an object, with one of these types. A boolean is not a number."""
    content = plain(value.get(name) if isinstance(value, Mapping) else None)
    if not isinstance(content, types) or isinstance(content, bool):
        raise ValueError(f"field {name!r} must be {expected}, got {json_kind(content)}")
    return content


def text(value: object, name: str) -> str:
    """A field that is text."""
    return str(field(value, name, str, "text"))


def whole(value: object, name: str) -> int:
    """A field that is a whole number."""
    return int(field(value, name, int, "a whole number"))


def number(value: object, name: str) -> int | float:
    """A field that is a finite number."""
    content: int | float = field(value, name, int | float, "a number")
    if not is_number(content):
        raise ValueError(f"field {name!r} must be finite, got {in_json(content)}")
    return content


def box_of(value: object, name: str = "box") -> list[int | float]:
    """A field that is a box, [x0, y0, x1, y1]."""
    numbers = list_of(value, name, expected="a list of four numbers")
    if len(numbers) != 4 or not all(map(is_number, numbers)):
        raise ValueError(f"field {name!r} must be a list of four numbers, got {in_json(numbers)}")
    return numbers


def flag(value: object, name: str) -> bool:
    """A field that is 0 or 1, true or false."""
    content = plain(value.get(name) if isinstance(value, Mapping) else None)
    if not isinstance(content, int):
        raise ValueError(f"field {name!r} must be 0 or 1, got {json_kind(content)}")
    return bool(content)


def list_of(value: object, name: str, types: Any = object, expected: str = "a list") -> list[Any]:
    """A field that is a list with elements of these types."""
    content = value.get(name) if isinstance(value, Mapping) else None
    if not is_list(content):
        raise ValueError(f"field {name!r} must be {expected}, got {json_kind(content)}")
    elements = [plain(element) for element in as_list(content)]
    for position, element in enumerate(elements):
        if not isinstance(element, types) or (isinstance(element, bool) and types is not object):
            raise ValueError(f"field {name!r} must be {expected}, got {json_kind(element)} at {position}")
    return elements


def objects(value: object, name: str) -> list[Mapping[str, Any]]:
    """A field that is a list of objects. `datasets` may return it as an object of equally long lists.

    >>> objects({"form": {"id": [0, 1], "text": ["Name:", "Ada"]}}, "form")
    [{'id': 0, 'text': 'Name:'}, {'id': 1, 'text': 'Ada'}]
    """
    content = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(content, Mapping):
        return list_of(value, name, Mapping, "a list of objects")
    columns = {column: list_of(content, column) for column in content}
    lengths = {column: len(rows) for column, rows in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"field {name!r} must have columns of one length, got {lengths}")
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def parsed(record: Mapping[str, object], name: str) -> object:
    """The content of a field. JSON text is parsed."""
    content = record.get(name)
    if not isinstance(content, str):
        return content
    try:
        return loads(content)
    except ValueError as error:
        raise ValueError(f"field {name!r} is not JSON ({error})") from None


def plain(value: object) -> Any:
    """The Python value of a scalar of numpy or pyarrow."""
    is_scalar = hasattr(value, "as_py") or (hasattr(value, "dtype") and not is_list(value))
    try:
        return plain_value(value) if is_scalar else value
    except TypeError:  # a column of a table, say
        return value


def joined_words(words: Sequence[str]) -> str:
    """The words of a value, joined by blanks. Blank words are left out."""
    return " ".join(word for part in words for word in part.split())


def any_of(values: Iterable[str]) -> str | tuple[str, ...]:
    """One value, or the distinct alternatives; "" for none.

    >>> any_of(["2016-03-31", "31 March 2016", "2016-03-31"])
    ('2016-03-31', '31 March 2016')
    """
    distinct = tuple(dict.fromkeys(value for value in values if value.strip()))
    return distinct if len(distinct) > 1 else next(iter(distinct), "")


def is_tagged(record: Mapping[str, object]) -> bool:
    """Whether a record has tagged words."""
    return "ner_tags" in record


def bio(types: Sequence[str]) -> list[str]:
    """The names of tags: O, then B and I of each entity type.

    >>> bio(["HEADER", "ANSWER"])
    ['O', 'B-HEADER', 'I-HEADER', 'B-ANSWER', 'I-ANSWER']
    """
    return [OUTSIDE, *(f"{prefix}-{entity_type}" for entity_type in types for prefix in "BI")]


def words_of(record: Mapping[str, object]) -> list[str]:
    """The words of a record."""
    return list_of(record, "tokens" if "tokens" in record and "words" not in record else "words", str, "a list of text")


def entities_of(record: Mapping[str, object], names: Sequence[str] | None) -> list[Entity]:
    """The entities of tagged words in order, with types in lower case. Entities without text are left out."""
    words, tags = words_of(record), _tags(record, names)
    entities = (Entity(span.type.lower(), joined_words(words[span.first : span.last + 1])) for span in find_spans(tags))
    return [entity for entity in entities if entity.value]


def labels_and_numbers(record: Mapping[str, object], names: Sequence[str] | None) -> tuple[list[str], list[int | None]]:
    """For every word its entity type in lower case, O for none, and the number of its entity, None for none."""
    types, numbers = spans_of_words(_tags(record, names))
    return [entity_type.lower() or OUTSIDE for entity_type in types], numbers


def _tags(record: Mapping[str, object], names: Sequence[str] | None) -> list[str]:
    """The tags as names, one for each word."""
    tags = list_of(record, "ner_tags", int | str, "a list of whole numbers or text")
    count = len(words_of(record))
    if len(tags) != count:
        raise ValueError(f"field 'ner_tags' must be as long as the words, got {len(tags)} and {count}")
    if names is not None:
        check_list("names", names)
        names = list(names)  # a column of a table is numbered differently
    result = [tag if isinstance(tag, str) else _name(tag, position, names) for position, tag in enumerate(tags)]
    try:
        find_spans(result)
    except ValueError as error:
        raise ValueError(f"field 'ner_tags': {error}") from None
    return result


def _name(tag: int, position: int, names: list[str] | None) -> str:
    name = tag_name(tag, names, column="field 'ner_tags'", position=position)
    if not isinstance(name, str):
        raise ValueError(f"names must be a list of texts, got {shortened(names)}")
    return name
