"""Words with their positions, for `grouping.labelled_boxes` and other functions on words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docie.core.errors import in_json, inside, json_kind
from docie.core.values.plain import Columns, JsonObject, as_list, is_list, is_number

from .checks import (
    field,
    flag,
    is_tagged,
    labels_and_numbers,
    list_of,
    number,
    plain,
    reading,
    text,
    words_of,
)
from .forms import form_annotation, form_words
from .receipts import annotation_of, image_id

CORD_FIELDS = frozenset({"ground_truth", "valid_line"})
"""The fields of CORD's annotation."""
FORM_FIELDS = frozenset({"text_output", "form", "document"})
"""The fields of FUNSD's and XFUND's annotation."""


def form_columns(record: object) -> JsonObject:
    """A record in the format of `docie.form.Page.from_record`.

    Args:
        record (dict): the annotation of CORD, FUNSD or XFUND as in `words_and_boxes`, or columns of words.

    Returns:
        dict: for an annotation the result of `words_and_boxes`, with its `id` if it has one; otherwise the record.

    Raises:
        ValueError: if it is not an object, or for the same reasons as `words_and_boxes`.

    >>> form_columns({"id": "a", "words": ["Total", "9.00"], "labels": ["O", "total"]})["words"]
    ['Total', '9.00']
    >>> words = [{"text": "Name:", "box": [8, 4, 16, 6]}]
    >>> entity = {"id": 0, "label": "question", "linking": [], "text": "Name:", "words": words}
    >>> form_columns({"id": "b", "form": [entity]})["id"], form_columns({"form": [entity]})["labels"]
    ('b', ['question'])
    """
    if not isinstance(record, Mapping):
        raise ValueError(f"record must be an object, got {json_kind(record)}")
    has_words = "words" in record or "tokens" in record
    if has_words or (CORD_FIELDS | FORM_FIELDS).isdisjoint(record):  # a column may be called "document", too
        return dict(record)
    columns: JsonObject = words_and_boxes(record)
    return columns if record.get("id") is None else {"id": record["id"], **columns}


def words_and_boxes(record: Mapping[str, object], *, names: Sequence[str] | None = None) -> Columns:
    """The annotated words of a record, and the size of the page.

    Args:
        record (dict): a CORD receipt as in `cord`, with `valid_line` and `meta`; FUNSD's or XFUND's original annotation
            as in `funsd` and `xfund`, whose entities have `words` with boxes; or tagged words as in `cord`, `sroie`,
            `funsd` and `xfund`, with columns `words` or `tokens`, `bboxes` and `ner_tags`.
        names (list of str): the names of the tags, if these are numbers.

    Returns:
        dict: lists of equal length, in annotation order: `words`, texts; `boxes`, [x0, y0, x1, y1]; `labels`, entity
        types (CORD's categories, or those of the tags, "O" for none); `entities`, the number of the annotated line or
        of the tagged span that a word belongs to, None for none; for CORD also `quads`, four points [x, y] clockwise
        from the top left of the text, `groups`, group ids, and `is_key`, whether a word is part of a key ("TOTAL"), not
        of a value; for FUNSD and XFUND also `links`, pairs of a question and an answer by their numbers in `entities`.
        And `page`, [width, height]. Positions are returned as annotated, even if a quad has no area. Boxes of tagged
        words are normalised to a page of [1000, 1000]. FUNSD's annotation does not state the page size: without a
        picture in the column `image`, the page ends with the last box. Blank words of FUNSD and XFUND are left out.

    Raises:
        ValueError: if something is missing or malformed; it names record and field.

    >>> quad = {"x1": 1, "y1": 2, "x2": 9, "y2": 2, "x3": 9, "y3": 5, "x4": 1, "y4": 5}
    >>> line = {"category": "menu.nm", "group_id": 3, "words": [{"text": "Latte", "quad": quad, "is_key": 0}]}
    >>> words = words_and_boxes({"meta": {"image_size": {"width": 20, "height": 30}}, "valid_line": [line]})
    >>> words["words"], words["boxes"], words["labels"], words["groups"], words["is_key"], words["page"]
    (['Latte'], [[1, 2, 9, 5]], ['menu.nm'], [3], [False], [20, 30])
    >>> from docie.adapters.records import FUNSD_TAGS
    >>> form = {"tokens": ["Name:"], "bboxes": [[80, 40, 160, 60]], "ner_tags": [3]}
    >>> words_and_boxes(form, names=FUNSD_TAGS)
    {'words': ['Name:'], 'boxes': [[80, 40, 160, 60]], 'labels': ['question'], 'entities': [0], 'page': [1000, 1000]}
    >>> name = {"text": "Name:", "label": "question", "words": [{"text": "Name:", "box": [8, 4, 16, 6]}]}
    >>> ada = {"text": "Ada", "label": "answer", "words": [{"text": "Ada", "box": [18, 4, 30, 6]}]}
    >>> form = [{"id": 5, "linking": [[5, 9]], **name}, {"id": 9, "linking": [[5, 9]], **ada}]
    >>> words = words_and_boxes({"form": form})
    >>> words["words"], words["labels"], words["entities"], words["links"], words["page"]
    (['Name:', 'Ada'], ['question', 'answer'], [0, 1], [[0, 1]], [30, 6])
    """
    if isinstance(record, Mapping) and is_tagged(record):
        with reading("tagged", record):
            boxes, (labels, entities) = _boxes(record), labels_and_numbers(record, names)
            return {
                "words": words_of(record), "boxes": boxes, "labels": labels, "entities": entities, "page": [1000, 1000]
            }  # fmt: skip
    is_cord = isinstance(record, Mapping) and not CORD_FIELDS.isdisjoint(record)
    if isinstance(record, Mapping) and not is_cord and not (FORM_FIELDS | {"input_ids"}).isdisjoint(record):
        with reading("FUNSD" if "text_output" in record or "form" in record else "XFUND", record):
            if "input_ids" in record:
                raise ValueError("tokens are not words; words are in XFUND's own annotation, whose field is 'document'")
            words = form_words(*form_annotation(record))
            return {**words, "page": _page_of(record, words["boxes"])}
    annotation = annotation_of(record)
    with reading("CORD", record, otherwise=image_id(annotation)):
        size = field(field(annotation, "meta", Mapping, "an object"), "image_size", Mapping, "an object")
        names_of_columns = ("words", "quads", "boxes", "labels", "groups", "is_key", "entities")
        rows = [*_words(annotation)]
        columns = {name: [row[place] for row in rows] for place, name in enumerate(names_of_columns)}
        return {**columns, "page": [number(size, name) for name in ("width", "height")]}


def _page_of(record: Mapping[str, Any], boxes: list[list[int | float]]) -> list[int | float]:
    """The size of the page, from XFUND's annotation or the picture, or else from the boxes."""
    if record.get("img") is not None:
        size = field(record, "img", Mapping, "an object")
        return [number(size, name) for name in ("width", "height")]
    if hasattr(record.get("image"), "size"):
        return [*record["image"].size]
    return [max(box[end] for box in boxes) for end in (2, 3)] if boxes else [1000, 1000]


def _boxes(record: Mapping[str, object]) -> list[list[int | float]]:
    """The boxes, one for each word, each [x0, y0, x1, y1]."""
    boxes = list_of(record, "bboxes")
    count = len(words_of(record))
    if len(boxes) != count:
        raise ValueError(f"field 'bboxes' must be as long as the words, got {len(boxes)} and {count}")
    result = []
    for position, box in enumerate(boxes):
        numbers = [plain(part) for part in as_list(box)] if is_list(box) else []
        if len(numbers) != 4 or not all(map(is_number, numbers)):
            raise ValueError(f"field 'bboxes' must be lists of four numbers, got {in_json(box)} at {position}")
        result.append(numbers)
    return result


def _words(annotation: Mapping[str, object]) -> Iterator[tuple[object, ...]]:
    """For every annotated word: text, quad, box, label, group, whether it is part of a key, the number of its line."""
    for position, line in enumerate(list_of(annotation, "valid_line")):
        with inside(f"line {position}"):
            label = text(line, "category")
            group = field(line, "group_id", int | str, "a whole number or text")
            words = [_word(word) for word in list_of(line, "words")]
        yield from ((word, quad, box, label, group, is_key, position) for word, quad, box, is_key in words)


def _word(word: object) -> tuple[str, list[list[float]], list[float], bool]:
    corners = field(word, "quad", Mapping, "an object")
    quad = [[number(corners, f"{axis}{corner}") for axis in "xy"] for corner in (1, 2, 3, 4)]
    xs, ys = zip(*quad, strict=True)
    box = [min(xs), min(ys), max(xs), max(ys)]
    return text(word, "text"), quad, box, flag(word, "is_key")
