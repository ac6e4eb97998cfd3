"""Where things stand in the answers of the services: what `walking` needs to know, and what tells the answers apart.

`layouts.json` has the layout of each service. `detect` tries their signs in the order of the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, NamedTuple

from ..parsed import plain
from .places import Paths, found_at, in_snake_case


@dataclass(frozen=True)
class Asked:
    """What a caller says of an answer, as in `to_document`."""

    index: int | None = None
    parse: object = None
    group_by: str | None = None


class Where(NamedTuple):
    """Where the answer of a service says where a value stands.

    Attributes:
        regions: a region or a list of them. In a region, or else in the field, are
        shares: its box as shares of the page,
        lengths: its box in another unit,
        page: its page,
        size: an object with the width and the height of the page.
        chunks: an object of regions by their ids, if a value names only the ids of its regions.
        pages: all pages, with their sizes.
        first_page: the number of the first page.
        default_page: the page of a region that names none.
    """

    regions: Paths = ()
    shares: Paths = ()
    lengths: Paths = ()
    page: Paths = ()
    size: Paths = ()
    chunks: Paths = ()
    pages: Paths = ()
    first_page: int = 1
    default_page: int | None = None


class Layout(NamedTuple):
    """Where things stand in the answer of a service.

    Attributes:
        signs: paths that only an answer of this service has, all of one tuple.
        lone_signs: paths that are signs, too, if no other key of the answer holds an object or a list.
        id: the id of the document, if the answer names it. An id of the answer itself is none.
        model: the model that answered.
        root: the fields, or a list of documents.
        fields: those of one document, if `root` is a list of documents.
        values: the value in a field, as it is printed. Without these, fields are plain JSON values.
        normalized: the value as the service writes it in one form.
        children: the fields in a field.
        mixed: where a value stands, or else an object or a list of fields.
        parents: types of fields that have no value of their own.
        label: the name of a field, if fields are a list.
        separator: what stands between a name and the name of the field around it, which is repeated.
        lists: names that stand for a list even if there is one.
        wrapped: keys that tell a value with its place from an object.
        meta: an object of the same shape as the fields, which says where they stand.
        is_flat: whether `meta` is an object by paths such as `items[0].name`.
        confidences: those of a value. The lowest one counts.
        scale: the confidence of what is certain.
        is_zero_unset: whether a confidence of 0 says that there is none.
        where: where it says where a value stands. In the table, these keys stand among the others.
    """

    signs: tuple[list[str], ...]
    root: Paths
    lone_signs: Paths = ()
    id: Paths = ("custom_id", "document_id", "id")
    model: Paths = ("model",)
    fields: str | None = None
    values: Paths = ()
    normalized: Paths = ()
    children: Paths = ()
    mixed: Paths = ()
    parents: tuple[str, ...] = ()
    label: Paths = ()
    separator: str = ""
    lists: tuple[str, ...] = ()
    wrapped: tuple[str, ...] = ()
    meta: Paths = ()
    is_flat: bool = False
    confidences: Paths = ()
    scale: int = 1
    is_zero_unset: bool = False
    where: Where = Where()


def _layout(table: Mapping[str, Any]) -> Layout:
    """The layout of a table, which may name the one that it is like."""
    table = {**_TABLES.get(table.get("like"), {}), **table}
    attributes: Any = {key: tuple(each) if isinstance(each, list) else each for key, each in table.items()}
    where = {key: attributes.pop(key) for key in Where._fields if key in attributes}
    return Layout(**{key: each for key, each in attributes.items() if key != "like"}, where=Where(**where))


_TABLES = json.loads((resources.files(__package__) / "layouts.json").read_text(encoding="utf-8"))
LAYOUTS: Mapping[str, Layout] = {name: _layout(table) for name, table in _TABLES.items()}

FIRST_KEYS = {
    name
    for layout in LAYOUTS.values()
    for sign in layout.signs
    for key in [sign[0].partition(".")[0]]
    for name in (key, in_snake_case(key))
}
"""Keys of which every answer that can be detected has one."""


def detect(answer: object) -> str | None:
    """Name the service whose answer this is.

    Args:
        answer (dict): what a service may have answered, or any document.

    Returns:
        str: the name of the service; None for everything else.

    >>> detect({"ExpenseDocuments": []}), detect({"total": "7.50"})
    ('textract_expense', None)
    """
    answer = plain(answer)
    if isinstance(answer, dict) and FIRST_KEYS.isdisjoint(answer):  # most documents
        return None
    for name, layout in LAYOUTS.items():
        if any(all(found_at(answer, path) is not None for path in sign) for sign in layout.signs):
            return name
        if any(found_at(answer, path) is not None and _is_lone(answer, path) for path in layout.lone_signs):
            return name
    return None


def _is_lone(answer: Any, path: str) -> bool:
    """Whether an answer has no objects or lists but the one that a path leads into."""
    return {key for key, each in answer.items() if isinstance(each, dict | list)} == {path.partition(".")[0]}
