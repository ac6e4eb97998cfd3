"""What is known beside documents: the columns of their `meta`, and the images of their pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docie.core.values.plain import JsonObject
from docie.inputs.answer_rows import source_of
from docie.inputs.row import Row

MOST, LONGEST = 12, 80
"""The columns by which documents are filtered, and the characters of a cell."""
IMAGE = "image"
"""The key of `meta` that names the images of pages."""


class Columns:
    """The columns of `meta` that hold texts, numbers and booleans, in the order in which they come.

    >>> columns = Columns()
    >>> columns.cells({"vendor": "ACME", "image": "1.png"}), columns.cells({"page": 2}), columns.names
    (['ACME'], ['', '2'], ['vendor', 'page'])
    """

    def __init__(self) -> None:
        self.names: list[str] = []

    def cells(self, meta: Mapping[str, Any]) -> list[str]:
        """The cells of a document; none behind its last one."""
        texts = {str(key): str(value) for key, value in meta.items() if isinstance(value, str | int | float)}
        texts.pop(IMAGE, None)
        if source := source_of(meta):
            texts["source"] = source
        self.names += [name for name in texts if name not in self.names][: MOST - len(self.names)]
        cells = [texts.get(name, "")[:LONGEST] for name in self.names]
        while cells and not cells[-1]:
            cells.pop()
        return cells


def meta_of(rows: Iterable[Row]) -> JsonObject:
    """What rows know beside their document; of what several say, the first.

    >>> meta_of([Row({}, meta={"vendor": "ACME"}), Row({}, meta={"vendor": "?", "page": 2}), Row({})])
    {'vendor': 'ACME', 'page': 2}
    """
    found: JsonObject = {}
    for row in reversed([*rows]):
        if isinstance(row.meta, Mapping):
            found |= row.meta
    return found


def images_of(meta: Mapping[str, Any]) -> object:
    """The names of the images of a document's pages; None without any."""
    return meta.get(IMAGE)
