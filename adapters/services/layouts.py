"""Where things stand in the answers of the services: what `walking` needs to know, and what tells the answers apart.

`layouts.json` has the layout of each service. `detect` tries their signs in the order of the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

from ..parsed import plain
from .places import Paths, found_at


class Layout(NamedTuple):
    """Where things stand in the answer of a service.

    Attributes:
        signs: paths that only an answer of this service has, all of one tuple.
        id: the id of the document, if the answer names it. An id of the answer itself is none.
        model: the model that answered.
        root: the fields, or a list of documents.
        fields: those of one document, if `root` is a list of documents.
        values: the value in a field, as it is printed. Without these, fields are plain JSON values.
        normalized: the value as the service writes it in one form.
        children: the fields in a field.
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
        regions: where a value stands: a region or a list of them. In a region, or else in the field, are
        shares: its box as shares of the page,
        lengths: its box in another unit,
        page: its page,
        size: an object with the width and the height of the page.
        chunks: an object of regions by their ids, if a value names only the ids of its regions.
        pages: all pages, with their sizes.
        first_page: the number of the first page.
        default_page: the page of a region that names none.
    """

    signs: tuple[list[str], ...]
    root: Paths
    id: Paths = ("custom_id", "document_id", "id")
    model: Paths = ("model", "response.body.model")
    fields: str | None = None
    values: Paths = ()
    normalized: Paths = ()
    children: Paths = ()
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
    regions: Paths = ()
    shares: Paths = ()
    lengths: Paths = ()
    page: Paths = ()
    size: Paths = ()
    chunks: Paths = ()
    pages: Paths = ()
    first_page: int = 1
    default_page: int | None = None


def _layout(table: Mapping[str, Any]) -> Layout:
    attributes: Any = {key: tuple(each) if isinstance(each, list) else each for key, each in table.items()}
    return Layout(**attributes)


_TABLES = json.loads((resources.files(__package__) / "layouts.json").read_text(encoding="utf-8"))
LAYOUTS: Mapping[str, Layout] = {name: _layout(table) for name, table in _TABLES.items()}

_FIRST_KEYS = {sign[0].partition(".")[0] for layout in LAYOUTS.values() for sign in layout.signs}


def detect(answer: object) -> str | None:
    """Name the service whose answer this is.

    Args:
        answer (dict): what a service may have answered, or any document.

    Returns:
        str: the name of the function that reads it; None for everything else.

    >>> detect({"ExpenseDocuments": []}), detect({"total": "7.50"})
    ('textract_expense', None)
    """
    answer = plain(answer)
    if isinstance(answer, dict) and _FIRST_KEYS.isdisjoint(answer):  # most documents
        return None
    for name, layout in LAYOUTS.items():
        if any(all(found_at(answer, path) is not None for path in sign) for sign in layout.signs):
            return name
    return None
