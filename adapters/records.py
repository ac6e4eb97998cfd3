"""Dataset records → reference documents.

Annotated data is expected to be right: what is missing or malformed raises ValueError, naming record and field.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from docie.document import is_scored_leaf
from docie.errors import shortened
from docie.jsontext import loads, with_room
from docie.values import ANY_OF

__all__ = ["cord", "cord_names", "words_and_boxes"]

_FLAG = int | bool
_SUB_ITEM = re.compile(r"\.sub\.(?:sub_)?")


def cord(record: Mapping[str, Any]) -> dict[str, Any]:
    """The reference document of a CORD receipt.

    `record` is a record of the Hub's `naver-clova-ix/cord-v2`, whose `ground_truth` is JSON text, or that annotation
    itself, with `gt_parse`. Entity types are named as CORD's categories (`menu.sub_nm`, `total.total_price`).

    Source: Park et al., "CORD: A Consolidated Receipt Dataset for Post-OCR Parsing" (2019).

    >>> cord({"ground_truth": '{"gt_parse": {"menu": {"nm": "Latte", "sub": {"nm": "oat"}}}}'})
    {'menu': {'menu.nm': 'Latte', 'menu.sub': {'menu.sub_nm': 'oat'}}}
    """
    annotation = _annotation(record)
    try:
        return dict(cord_names(_field(annotation, "gt_parse", Mapping, "an object")))
    except ValueError as error:
        raise ValueError(f"{_place(record, annotation)}: {error}") from None


def words_and_boxes(record: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The annotated words of a CORD receipt, as lists of equal length in annotation order, and the page's size.

    `record` as in `cord`, with `valid_line` and `meta`. `words` are texts, `quads` four points [x, y] each, clockwise
    from the top left of the text, `boxes` the [x0, y0, x1, y1] around them, `labels` CORD's categories, `groups` its
    group ids, `is_key` whether a word is a key ("TOTAL") rather than a value; `page` is [width, height]. Places are
    given as annotated, even where a quad has no area.

    >>> quad = {"x1": 1, "y1": 2, "x2": 9, "y2": 2, "x3": 9, "y3": 5, "x4": 1, "y4": 5}
    >>> line = {"category": "menu.nm", "group_id": 3, "words": [{"text": "Latte", "quad": quad, "is_key": 0}]}
    >>> words = words_and_boxes({"meta": {"image_size": {"width": 20, "height": 30}}, "valid_line": [line]})
    >>> words["words"], words["boxes"], words["labels"], words["groups"], words["is_key"], words["page"]
    (['Latte'], [[1, 2, 9, 5]], ['menu.nm'], [3], [False], [20, 30])
    """
    annotation = _annotation(record)
    try:
        size = _field(_field(annotation, "meta", Mapping, "an object"), "image_size", Mapping, "an object")
        columns: dict[str, list[Any]] = {name: [] for name in ("words", "quads", "boxes", "labels", "groups", "is_key")}
        for row in _words(annotation):
            for column, value in zip(columns.values(), row, strict=True):
                column.append(value)
        return {**columns, "page": [_number(size, name) for name in ("width", "height")]}
    except ValueError as error:
        raise ValueError(f"{_place(record, annotation)}: {error}") from None


def _words(annotation: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Of every annotated word: text, quad, box, label, group, whether it is a key."""
    for number, line in enumerate(_field(annotation, "valid_line", list, "a list")):
        try:
            label = _field(line, "category", str, "text")
            group = _field(line, "group_id", int | str, "a whole number or text")
            words = [_word(word) for word in _field(line, "words", list, "a list")]
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None
        yield from ((text, quad, box, label, group, is_key) for text, quad, box, is_key in words)


def _word(word: Any) -> tuple[str, list[list[float]], list[float], bool]:
    corners = _field(word, "quad", Mapping, "an object")
    quad = [[_number(corners, f"{axis}{corner}") for axis in "xy"] for corner in (1, 2, 3, 4)]
    xs, ys = zip(*quad, strict=True)
    box = [min(xs), min(ys), max(xs), max(ys)]
    return _field(word, "text", str, "text"), quad, box, bool(_field(word, "is_key", _FLAG, "0 or 1"))


def cord_names(document: Any) -> Any:
    """A document with CORD's entity types in full, as its annotation names them; serves references and predictions.

    CORD's parses nest sub-items (`menu` → `sub` → `nm`), models write `menu.sub` → `menu.sub_nm` or any mixture: all
    become `menu.sub_nm`. What is not an object (an invalid prediction) stays as it is.

    >>> cord_names({"menu": [{"nm": "Latte", "sub": [{"sub_nm": "oat"}, {"menu.sub_price": "0.50"}]}]})
    {'menu': [{'menu.nm': 'Latte', 'menu.sub': [{'menu.sub_nm': 'oat'}, {'menu.sub_price': '0.50'}]}]}
    """
    if not isinstance(document, Mapping):
        return document
    return with_room(lambda: {key: _named(value, str(key), f"{key}.") for key, value in document.items()})


def _named(value: Any, path: str, prefix: str) -> Any:
    if isinstance(value, list):
        return [_named(element, path, prefix) for element in value]
    if not isinstance(value, Mapping) or is_scored_leaf(value) or ANY_OF in value:
        return value
    result: dict[str, Any] = {}
    for key, child in value.items():
        full = key if str(key).startswith(prefix) else f"{path}.{key}"
        name, named = _SUB_ITEM.sub(".sub_", full), _named(child, full, prefix)
        result[name] = [result[name], named] if name in result else named
    return result


def _annotation(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a record's `ground_truth` holds, or the record itself where it has none."""
    if not isinstance(record, Mapping):
        raise ValueError(f"CORD record must be an object, got {type(record).__name__}")
    annotation: Any = record.get("ground_truth", record)
    if isinstance(annotation, str):
        try:
            annotation = loads(annotation)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{_place(record)}: field 'ground_truth' is not JSON ({error})") from None
    if not isinstance(annotation, Mapping):
        raise ValueError(f"{_place(record)}: field 'ground_truth' is no object, got {type(annotation).__name__}")
    return annotation


def _field(value: Any, name: str, kinds: Any, expected: str) -> Any:
    """A field of an annotation. Raises ValueError for one of another kind."""
    found = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(found, kinds) or (isinstance(found, bool) and kinds is not _FLAG):
        raise ValueError(f"field {name!r} must be {expected}, got {type(found).__name__}")
    return found


def _number(value: Mapping[str, Any], name: str) -> int | float:
    number: int | float = _field(value, name, int | float, "a number")
    if not math.isfinite(number):
        raise ValueError(f"field {name!r} must be finite, got {number}")
    return number


def _place(record: Mapping[str, Any], annotation: Mapping[str, Any] | None = None) -> str:
    meta = (annotation or {}).get("meta")
    number = record.get("id", meta.get("image_id") if isinstance(meta, Mapping) else None)
    return "CORD record" if number is None else f"CORD record {shortened(number)}"
