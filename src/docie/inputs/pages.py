"""Rows that are pages become documents: by a number at the end of their ids, or by one under a key."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from docie.core.errors import InputError, shortened
from docie.core.phrases import some_of
from docie.core.values.plain import JsonObject
from docie.documents.leaves import is_leaf, is_scored_leaf
from docie.inputs.kinds import input_kind_of
from docie.inputs.reading import BY_NAME
from docie.inputs.row import Row
from docie.inputs.shapes import Shape
from docie.inputs.sources.source import Source

PAGE_NAMES = re.compile(
    r"(.*[_ -])?(pages?|pg|seiten?|blatt|p[aá]ginas?|sida|strona)([_ -]?(no|nr|num|number|nummer|index|id))?",
    re.IGNORECASE,
)
"""Keys that usually hold the number of a page."""
_ABSENT = ("null", '""')
_NUMBER = r"([0-9]{1,6})"
_PAGE = re.compile(
    rf"(.*[^\s_./\\-])(?:[\s_./\\-]+(?:p|pg|page)[\s_.-]*{_NUMBER}|\.{_NUMBER}|\s*\({_NUMBER}\))", re.IGNORECASE
)


def page_of(name: str) -> tuple[str, int | None]:
    """The name of the document that a page is of, and the number of the page; None for a name without one.

    >>> [page_of(name) for name in ("inv-1_p2", "inv-1-page-02", "inv-1.3", "inv-1 (2)")]
    [('inv-1', 2), ('inv-1', 2), ('inv-1', 3), ('inv-1', 2)]
    >>> page_of("inv-1"), page_of("shop2")
    (('inv-1', None), ('shop2', None))
    """
    match = _PAGE.fullmatch(name)
    return (match[1], int(match[match.lastindex or 0])) if match else (name, None)


def merged(rows: Iterable[tuple[Row, object]], source: Source, shape: Shape) -> Iterator[Row]:
    """The documents of rows that are pages, in the order of their first ones. All rows are kept in memory.

    Args:
        rows: opened rows, each with what stands under the key of the numbers of pages.
        source: where they stand.
        shape: how those of their side are read.

    Raises:
        InputError: for a row without an id or a number, two rows of the same page, and for what is no document.
    """
    documents: dict[str, dict[int, Row]] = {}
    for row, page in rows:
        name, number = _page_of_row(row, page, source, shape)
        pages = documents.setdefault(name, {})
        if number in pages:
            raise InputError(f"{row.place}: page {number} of {name!r}, which {pages[number].place} is, too")
        pages[number] = row
    missing: list[str] = []
    for name, pages in documents.items():
        row = next(iter(pages.values()))
        if len(pages) > 1 or row.id != name or shape.how.pages != BY_NAME:  # else a document in one row
            start = min(*pages, 1)  # some count from 0
            parts = {number - start + 1: _part(pages[number], shape) for number in sorted(pages)}
            row = _merged(name, parts)
            empty = (each for each in range(1, max(parts) + 1) if each not in parts or parts[each].document is None)
            missing += [f"page {each} of {shortened(name)}" for each in islice(empty, 1)]
        else:
            row = row._replace(document=shape.grouped(row.document))
        yield row
    if missing:
        source.note(f"{source.name}: missing, or no document: {some_of(missing)}")


def _merged(name: str, pages: Mapping[int, Row]) -> Row:
    """The document of some pages, with what the `meta` of the first of them says."""
    documents = {number: page.document for number, page in pages.items() if page.document is not None}
    document = merged_pages(documents) if documents else None
    metas = [page.meta for page in pages.values() if isinstance(page.meta, Mapping)]
    meta = {key: value for each in reversed(metas) for key, value in each.items()}
    first = next(iter(pages.values()))
    return Row(document, first.place, name, meta or None, [issue for page in pages.values() for issue in page.issues])


def _page_of_row(row: Row, page: object, source: Source, shape: Shape) -> tuple[str, int]:
    """The id of the document of a row, and the number of the page."""
    how = shape.how
    option = source.asked_by({f"{shape.side}s.pages": how.pages})
    if row.id is None:
        raise InputError(f"{row.place}: no id, by which {option} merges pages")
    if how.pages == BY_NAME:
        name, number = page_of(row.id)
        return name, 1 if number is None else number
    if not (match := re.fullmatch(rf"{_NUMBER}(\.0)?", str(page))):  # tables may have numbers as 2.0
        key, got = how.pages, shortened(page)
        problem = f"expected the number of a page under {key!r}, which {option} names, got {got}"
        raise InputError(f"{row.place}: {problem}")
    return row.id, int(match[1])


def _part(row: Row, shape: Shape) -> Row:
    """A page with its groups as objects; without a document if it is none."""
    document = shape.grouped(row.document)
    if shape.side == "prediction" and isinstance(document, str):
        document = None
    if document is not None and input_kind_of(document) != "document":
        raise InputError(f"{row.place}: pages must be documents, got {shortened(document)}")
    return row._replace(document=document)


def merged_pages(pages: Mapping[int, JsonObject]) -> JsonObject:
    """The document of some pages.

    Groups in lists stand one after the other. A value counts as often as on the page that has it most often, with the
    confidence that it has first, and an object that says no more than that of another page does not count.

    Args:
        pages: the documents of the pages by their numbers, in order.

    >>> merged_pages({1: {"no": "7", "items": [{"name": "Bagel"}]}, 2: {"no": "7", "items": [{"name": "Bagel"}]}})
    {'no': '7', 'items': [{'name': 'Bagel'}, {'name': 'Bagel'}]}
    >>> total = {"value": "9", "confidence": 0.5, "box": [0, 0, 1, 1]}
    >>> merged_pages({1: {"vendor": {"name": "Ada", "city": "Rome"}}, 2: {"vendor": {"name": "Ada"}, "total": total}})
    {'vendor': {'name': 'Ada', 'city': 'Rome'}, 'total': {'value': '9', 'confidence': 0.5, 'box': [...], 'page': 2}}
    """
    found: dict[str, list[object]] = {}
    for number, document in pages.items():
        for key, child in document.items():
            found.setdefault(key, []).append(_on_page(child, number))
    return {key: _joined(children) for key, children in found.items()}


def _joined(children: list[object]) -> object:
    """What pages have under one key."""
    has_lists = any(isinstance(child, list) for child in children)
    joined: list[object] = []
    times: Counter[str] = Counter()
    for child in children:
        here: Counter[str] = Counter()
        for each in child if isinstance(child, list) else [child]:
            if is_leaf(each, "reference"):
                text = json.dumps(_bare(each), sort_keys=True, default=str)
                here[text] += 1
                if text in _ABSENT or here[text] <= times[text]:
                    continue
            elif not has_lists:
                if any(_is_within(each, other) for other in joined):
                    continue
                joined = [other for other in joined if not _is_within(other, each)]
            joined.append(each)
        times |= here
    return joined if has_lists or len(joined) > 1 else next(iter(joined), None)


def _is_within(value: object, other: object) -> bool:
    """Whether an object has no value that another one has not."""
    inner, outer = _bare(value), _bare(other)
    return isinstance(outer, dict) and all(outer.get(key) == child for key, child in inner.items())


def _bare(value: Any) -> Any:
    """A value without confidences, boxes and pages, and without what is absent."""
    if isinstance(value, dict):
        if is_scored_leaf(value):
            return value["value"]
        return {key: bare for key, child in value.items() if (bare := _bare(child)) not in (None, {}, [])}
    return [_bare(each) for each in value] if isinstance(value, list) else value


def _on_page(value: Any, number: int) -> Any:
    """A value whose boxes have the number of their page."""
    if isinstance(value, list):
        return [_on_page(each, number) for each in value]
    if not isinstance(value, dict):
        return value
    if is_scored_leaf(value):
        return {**value, "page": number} if value.get("box") is not None and value.get("page") is None else value
    return {key: _on_page(child, number) for key, child in value.items()}
