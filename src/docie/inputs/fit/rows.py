"""All rows of one side as they stand in their source, with the keys that may hold their ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from docie.core.values.json_text import parsed
from docie.core.values.plain import identity_text
from docie.inputs.reading import Side
from docie.inputs.row import Row

SAMPLE = 500
"""The number of documents of a sample."""
FILE_NAMES = ""
"""The name of the column of the names of files."""
ID_NAMES = re.compile(
    r"(_id|id|uid|uuid|guid|idx|index|key|url|uri|source|(doc|document|custom|request|record|sample|image|page|file|row)_?(id|ref)"
    r"|file_?(name|path)?|(image|doc|document)(_?(name|path))?|img|path)",
    re.IGNORECASE,
)
"""Names of keys whose values number the rows, if they are all different."""
_LONGEST, _BITS = 200, 64
"""Characters of a text, and bits of a number, that may be an id: names of files have at most 255 bytes."""
_DEPTH = 3
"""The number of keys that lead to an id inside an answer."""


class SideRows:
    """All rows of the references or of the predictions, which can be read again, with the keys that may hold ids.

    Args:
        read: gives all rows as they stand, but for pages and answers, as a Side reads them.
        how: the Side.

    Attributes:
        columns: the keys whose values are all different, with the values of all rows.
        repeated: likewise, usual names of ids whose values occur several times.
        first: the first rows.
        size: the number of rows.
    """

    def __init__(self, read: Callable[[Side], Iterable[Row]], how: Side) -> None:
        self._read, self.how = read, how
        self.columns: dict[str, list[str]] = {}
        self.repeated: dict[str, list[str]] = {}
        self.first: list[Any] = []
        self.size = 0
        seen: dict[str, set[str]] = {}
        for row in read(how):
            ids = _ids(row.document) | ({} if row.id is None else {FILE_NAMES: row.id})
            if not self.size:
                self.columns = {key: [] for key in ids}
                seen = {key: set() for key in ids}
            for key in [key for key in self.columns if key not in ids or ids[key] in seen[key]]:
                column = self.columns.pop(key)
                if is_id_name(key):
                    self.repeated[key] = column
            for key in [key for key in self.repeated if key not in ids]:
                del self.repeated[key]
            for key in self.columns:
                seen[key].add(ids[key])
            for key, column in (self.columns | self.repeated).items():
                column.append(ids[key])
            if self.size < SAMPLE:
                self.first.append(row.document)
            self.size += 1

    @classmethod
    def listed(cls, values: Sequence[Any]) -> SideRows:
        """The rows of a list."""
        return cls(lambda how: map(Row, values), Side())

    def under(self, **options: Any) -> SideRows:
        """The same rows as they are read with further options of their side."""
        return SideRows(self._read, replace(self.how, **options))

    def take(self, numbers: Sequence[int]) -> list[Any]:
        """The rows of these numbers, in this order."""
        if all(number < len(self.first) for number in numbers):
            return [self.first[number] for number in numbers]
        wanted = set(numbers)
        found = {number: row.document for number, row in enumerate(self._read(self.how)) if number in wanted}
        return [found[number] for number in numbers]


def _ids(value: object, path: str = "", depth: int = _DEPTH) -> dict[str, str]:
    """The values of a row that may be its id, and inside it those under usual names of ids, by the paths of keys."""
    value = parsed(value)
    if not isinstance(value, dict):
        return {}
    found, inner = dict[str, str](), dict[str, str]()
    for key, child in value.items():
        if not key or type(key) is not str or (path and "." in key):
            continue
        if isinstance(child, dict) or (isinstance(child, str) and child.lstrip().startswith("{")):
            inner |= _ids(child, f"{path}{key}.", depth - 1) if depth > 1 else {}
        elif may_be_id(child) and (not path or is_id_name(key)):
            found[path + key] = str(identity_text(key, child))
    return found | inner


def may_be_id(value: object) -> bool:
    """Whether a value may be an id: a short text, or a whole number."""
    if type(value) is float:  # as tables write whole numbers
        return value.is_integer()
    return len(value) <= _LONGEST if type(value) is str else type(value) is int and value.bit_length() <= _BITS


def is_id_name(key: str) -> bool:
    """Whether a key is a usual name of ids, or stands for the names of files; of a path, its last key."""
    return not key or bool(ID_NAMES.fullmatch(key.rpartition(".")[2]))


def row_lists(rows: SideRows) -> dict[str, list[Any]]:
    """The lists of objects in the only row, by the path that leads to them: they may hold the rows.

    >>> row_lists(SideRows.listed([{"data": {"documents": [{"total": "9"}, {"total": "8"}]}}]))
    {'data.documents': [{'total': '9'}, {'total': '8'}]}
    """
    found: dict[str, list[Any]] = {}
    waiting = [("", parsed(rows.first[0]))] if rows.size == 1 else []
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and path.count(".") < 3:
            inner = ((key, child) for key, child in value.items() if type(key) is str and "." not in key)
            waiting += [(f"{path}.{key}" if path else key, child) for key, child in inner]
        elif isinstance(value, list) and len(value) > 1 and all(isinstance(each, dict) for each in value):
            found[path] = value
    return found
