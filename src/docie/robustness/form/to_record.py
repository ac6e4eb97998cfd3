"""Forms → the columns of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from docie.core.values.plain import JsonObject, as_list, is_number, plain_value
from docie.documents.tagging.schemes import OUTSIDE
from docie.robustness.form.from_record import BOXES, PAGE, TAGS, WORDS, column, label_texts, named, tag_texts
from docie.robustness.form.words import Field, PageSize, Word, check_labels, fitted

CARRIED = ("labels", "is_key", "groups", "entities")


def plain_record(words: Sequence[Word], fields: Sequence[Field], page: PageSize | None) -> JsonObject:
    """The columns of `records.words_and_boxes`. A word of several fields has the label of the first."""
    record: JsonObject = {
        "words": [word.text for word in words],
        "labels": [OUTSIDE] * len(words),
        "groups": [None] * len(words),
        "is_key": [False] * len(words),
        "entities": [None] * len(words),
    }
    for number, field in reversed([*enumerate(fields)]):
        for position in (*field.keys, *field.values):
            record["labels"][position] = field.type
            record["groups"][position] = field.group
            record["is_key"][position] = position in field.keys
            record["entities"][position] = number
    boxes = [list(word.box) for word in words if word.box is not None]
    if page is not None and len(boxes) == len(words):
        record |= {"boxes": boxes, "page": list(page)}
    return record


def written_record(
    words: Sequence[Word],
    page: PageSize | None,
    record: Mapping[str, object],
    *,
    names: Sequence[str] | None,
    columns: Sequence[str],
) -> JsonObject:
    """The columns of the original record, for the present words."""
    word_column = named(record, WORDS)
    total = len(column(record, word_column))
    order = [word.id for word in words]
    if any(number is None or not 0 <= number < total for number in order):
        raise ValueError(f"the form has other words than the record, which has {total}")
    positions = [number for number in order if number is not None]
    written: dict[str, object] = {word_column: [word.text for word in words]}
    box_column = named(record, BOXES, needed=False)
    if box_column and page is not None:
        written |= _places(words, page, record, box_column, total)
    if record.get("links") is not None:  # entities keep their numbers
        written["links"] = plain_value(column(record, "links"))
    for name in (*CARRIED, *check_labels("columns", columns)):
        if record.get(name) is not None:
            elements = column(record, name, total)
            written[name] = [plain_value(elements[position]) for position in positions]
    tags = TAGS if record.get(TAGS) is not None else "labels"
    labels, spans = label_texts(record, total, names)
    if spans is not None:
        written[tags] = _tags(record, tags, positions, labels, spans, names)
    return written


def _places(words: Sequence[Word], page: PageSize, record: Mapping[str, object], name: str, total: int) -> JsonObject:
    """Boxes, and page and quads if the record has them, in its own unit."""
    numbers = [plain_value(number) for box in column(record, name, total) for number in as_list(box)]
    is_whole = all(isinstance(number, int) for number in numbers)
    has_page = record.get("page") is not None
    target = page if has_page else PAGE
    scales = (target[0] / page[0], target[1] / page[1])
    boxes = [_box(word, scales, target, is_whole) for word in words]
    places: dict[str, object] = {name: boxes}
    if has_page:
        places["page"] = [_rounded(size) for size in page]
    if has_page and record.get("quads") is not None:
        places["quads"] = _quads(words, page, record, name, boxes)
    return places


def _quads(
    words: Sequence[Word], page: PageSize, record: Mapping[str, object], name: str, boxes: Sequence[Sequence[float]]
) -> list[Any]:
    """The annotated quads of words that did not move, on a page of the same size; the corners of other boxes."""
    annotated, quads = column(record, name), column(record, "quads")
    is_same_page = [plain_value(size) for size in as_list(record["page"])] == list(page)
    corners = [[[x0, y0], [x1, y0], [x1, y1], [x0, y1]] for x0, y0, x1, y1 in boxes]
    for place, word in enumerate(words):
        x0, y0, x1, y1 = (plain_value(number) for number in as_list(annotated[word.id or 0]))
        if is_same_page and word.box == fitted((x0, y0, x1, y1), page):
            corners[place] = quads[word.id or 0]
    return corners


def _box(word: Word, scales: PageSize, target: PageSize, is_whole: bool) -> list[float]:
    x0, y0, x1, y1 = word.box or (0, 0, 1, 1)
    if scales != (1, 1):
        x0, y0, x1, y1 = x0 * scales[0], y0 * scales[1], x1 * scales[0], y1 * scales[1]
    if not is_whole:
        return [x0, y0, x1, y1]
    (left, right), (top, bottom) = _whole_span(x0, x1, target[0]), _whole_span(y0, y1, target[1])
    return [left, top, right, bottom]


def _whole_span(start: float, end: float, size: float) -> tuple[int, int]:
    """Whole numbers near a span, at least one apart, inside the page."""
    first, last = round(start), min(round(end), int(size))
    if last > first:
        return first, last
    first = min(first, max(int(size) - 1, 0))
    return first, first + 1


def _rounded(size: float) -> float:
    return int(size) if is_number(size) and size == int(size) else size


def _tags(
    record: Mapping[str, object],
    name: str,
    positions: Sequence[int],
    labels: Sequence[str],
    spans: Sequence[int | None],
    names: Sequence[str] | None,
) -> list[Any]:
    """IOB2 tags in the new order, as texts or numbers like those of the record."""
    texts = tag_texts(record, name, len(labels), names)
    wrong = [text for text in texts if text != OUTSIDE and text[:2] not in ("B-", "I-")]
    if wrong:
        raise ValueError(f"{name}: tags must be IOB2 (B-, I-, O), got {wrong[0]!r}")
    written = []
    before: int | None = None
    for position in positions:
        span = spans[position]
        prefix = "I" if span is not None and span == before else "B"
        written.append(OUTSIDE if span is None else f"{prefix}-{labels[position]}")
        before = span
    if all(isinstance(plain_value(tag), str | None) for tag in column(record, name)):
        return written
    numbers = {text: number for number, text in reversed([*enumerate(names or ())])}
    missing = [text for text in written if text not in numbers]
    if missing:
        raise ValueError(f"names: the tag {missing[0]!r}, which the new order needs, is not among them")
    return [numbers[text] for text in written]
