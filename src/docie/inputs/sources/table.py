"""Tables become rows: a row of a table is a document, or in a long table one value of a document."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from docie.core.errors import InputError, shortened
from docie.core.phrases import some_of
from docie.core.values.json_text import as_json, loads, parsed
from docie.core.values.plain import JsonObject, plain_value
from docie.documents.leaves import LEAF_KEYS
from docie.inputs.openers import CONTENT_KEYS

Cells = Generator[tuple[int, Sequence[object]], None, None]
"""The cells of each row, with its number; the first row is the header."""
Path = tuple["str | int", ...]
LONG = ("document", "group", "field", "value", *LEAF_KEYS[1:])
"""The columns of a long table. It has `field` and `value`, and `document` or the column of ids."""
BATCH = 1000
"""The number of rows of Arrow that become Python values at a time."""
_OF_SIDES = {"prediction": ("prediction",), "reference": ("reference", "ground_truth")}
CONTENT = {(key,) for key in CONTENT_KEYS["prediction"]}
_BRACKETS = re.compile(r"\[([0-9]{1,6})\]")
_NUMBERED = re.compile(r"^(.*[^ #]) ?[ #]([0-9]{1,6})$")
_LINE_NUMBER = re.compile(r"[0-9]{1,3}")


Column = tuple[int, Path, dict[str, int]]
"""A column of values: its number, its place in a document, and the numbers of its confidences, boxes and pages."""


class Table(NamedTuple):
    """The rows of one table.

    Attributes:
        cells: starts to read the table.
        side: "prediction" or "reference".
        id_key: the name of the column of ids; "" for none.
        place: says where a row stands, by its number.
        tell: is called with what a user should know.
        keeps_all: whether columns of the other side are read, too.
    """

    cells: Callable[[], Cells]
    side: str
    id_key: str
    place: Callable[[int], str]
    tell: Callable[[str], object]
    keeps_all: bool = False

    def rows(self) -> Iterator[tuple[int, JsonObject]]:
        """Each document, with the number of its first row.

        Raises:
            InputError: for a table that cannot be read so; it names the row.
        """
        reading = self.cells()
        head, cells = next(reading, (0, ()))
        reading.close()
        names = self._names(head, cells)
        if not {"field", "value"} <= names.keys():
            return self._wide(head, names)
        name = next((each for each in ("document", self.id_key) if each in names), None)
        if name is None:
            problem = "the columns 'field' and 'value' are those of a long table, which has a column 'document', too"
            raise InputError(f"{self.place(head)}: {problem}; got {some_of(names)}")
        if others := [each for each in names if each not in (*LONG, name)]:
            self.tell(f"columns that are not read: {some_of(others)}")
        return self._long(names, name)

    def kept(self, names: Sequence[str]) -> list[str]:
        """The columns to read. A warning names those of a table of both sides that belong to neither."""
        tops = {name: name.partition(".")[0] for name in names}
        if self.keeps_all or any({*each}.isdisjoint(tops.values()) for each in _OF_SIDES.values()):
            return [*names]
        known = {self.id_key, "id", "meta"}
        if rest := [name for name in names if tops[name] not in known.union(*_OF_SIDES.values())]:
            self.tell(f"columns that are not read: {some_of(rest)}")
        return [name for name in names if tops[name] in known.union(_OF_SIDES[self.side])]

    def _names(self, head: int, cells: Sequence[object]) -> dict[str, int]:
        """The names of the columns that are read, with their numbers."""
        names = ["" if cell is None else str(cell).strip() for cell in cells]
        for number, name in enumerate(names):
            if name and name in names[:number]:
                problem = f"the column {shortened(name)} stands twice; rename one of them"
                raise InputError(f"{self.place(head)}: {problem}")
            if not name:
                self.tell(f"{self.place(head)}: column {number + 1} has no name, and is not read")
        kept = {*self.kept([name for name in names if name])}
        return {name: number for number, name in enumerate(names) if name in kept}

    def _rows(self) -> Cells:
        cells = self.cells()
        next(cells, None)
        return cells

    def _wide(self, head: int, names: dict[str, int]) -> Iterator[tuple[int, JsonObject]]:
        columns = _columns(names, self.id_key)
        probe = _Node()
        for number, path, _ in columns:
            try:
                _put(probe, path, "")
            except ValueError as error:
                name = next(name for name, each in names.items() if each == number)
                problem = f"column {shortened(name)}: {error}; rename one of them"
                raise InputError(f"{self.place(head)}: {problem}") from None
        for row_number, cells in self._rows():
            row = _Node()
            for number, path, facts in columns:
                value = cells[number]
                is_content = path in CONTENT  # null is an invalid prediction, and a text may be broken
                if not (is_content and (value is None or isinstance(value, str))):
                    value = self._value(row_number, value)
                if value is not None or is_content:
                    _put(row, path, _leaf(value, facts, cells))
            yield row_number, _finished(row)

    def _long(self, names: dict[str, int], name: str) -> Iterator[tuple[int, JsonObject]]:
        document = names[name]
        facts = {key: names[key] for key in LEAF_KEYS[1:] if key in names and "confidence" in names}
        group, field, value = (names.get(name) for name in ("group", "field", "value"))
        waiting: dict[str, tuple[int, _Node]] = {}
        stand_together = _stand_together(cells[document] for _, cells in self._rows())
        for number, cells in self._rows():
            texts = [_text(cells[each]) if each is not None else "" for each in (group, field)]
            content = self._value(number, cells[value])  # type: ignore[index]
            identity = _text(cells[document])
            if not identity:
                if content is not None or any(texts):
                    raise InputError(f"{self.place(number)}: no document in column {name!r}")
                continue
            if identity not in waiting:
                if stand_together:
                    yield from self._documents(waiting)
                    waiting = {}
                waiting[identity] = number, _Node()
            if content is None:
                continue
            try:
                _put(waiting[identity][1], _long_path(*texts), _leaf(content, facts, cells), may_repeat=True)
            except ValueError as error:
                raise InputError(f"{self.place(number)}: document {shortened(identity)}: {error}") from None
        yield from self._documents(waiting)

    def _documents(self, waiting: dict[str, tuple[int, _Node]]) -> Iterator[tuple[int, JsonObject]]:
        key = self.id_key or "id"
        return ((number, {key: name, "document": _finished(node)}) for name, (number, node) in waiting.items())

    def _value(self, number: int, cell: object) -> Any:
        """The JSON value of a cell; None for an empty one."""
        try:
            return _plain(cell, is_reference=self.side == "reference")
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.place(number)}: {error}") from None


def batch_rows(batch: Any) -> Iterator[tuple[object, ...]]:
    """The cells of the rows of an Arrow batch."""
    return zip(*(column.to_pylist() for column in batch.columns), strict=True)


def path_of(name: str) -> Path:
    """The place that a dotted name has in a document; numbers on the way are those of line items.

    >>> path_of("vendor.name"), path_of("items.1.name"), path_of("items[1].name"), path_of("No.")
    (('vendor', 'name'), ('items', 1, 'name'), ('items', 1, 'name'), ('No.',))
    >>> path_of("items.1.No.")
    ('items', 1, 'No.')
    """
    parts = _BRACKETS.sub(r".[\1]", name).split(".")
    if len(parts) > 1 and not parts[-1] and parts[-2]:  # an abbreviation
        parts[-2:] = [parts[-2] + "."]
    if any(not part or part != part.strip() for part in parts):
        return (name,)
    path: list[str | int] = [parts[0]]
    for place, part in enumerate(parts[1:], 1):
        bracket = _BRACKETS.fullmatch(part)
        is_number = place < len(parts) - 1 and _LINE_NUMBER.fullmatch(part)  # the last may be a year
        path.append(int(bracket[1]) if bracket else int(part) if is_number else part)
    return tuple(path)


@lru_cache(maxsize=4096)
def _long_path(group: str, field: str) -> Path:
    """The place of a value of a long table.

    >>> _long_path("items[1]", "name"), _long_path("items 1", "items.name"), _long_path("1", "items.name")
    (('items', 1, 'name'), ('items', 1, 'name'), ('items', 1, 'name'))
    """
    if not field:
        raise ValueError("a value without a field")
    path = path_of(field)
    if group.isdecimal():
        if len(path) == 1:
            raise ValueError(f"the group {group} has no name; write it as 'items[{group}]'")
        return (path[0], int(group), *path[1:])
    around = path_of(_NUMBERED.sub(r"\1[\2]", group) + ".x")[:-1] or (group,) if group else ()
    names = tuple(step for step in around if isinstance(step, str))
    is_whole = len(path) > len(names) > 0 and path[: len(names)] == names  # an entity type, such as "items.name"
    return (*around, *(path[len(names) :] if is_whole else path))


class _Node(dict[Any, Any]):
    """An object of a document that is being made; a list of line items, if its keys are numbers."""


class _Several(list[Any]):
    """The values of one field."""


def _put(node: _Node, path: Path, value: object, *, may_repeat: bool = False) -> None:
    """Put a value at its place.

    Raises:
        ValueError: if something else stands there, or on the way.
    """
    here: Any = node
    for place, step in enumerate(path):
        if type(here) is not _Node:
            raise ValueError(f"{_dotted(path[:place])} is both a value and a group")
        is_new = step not in here
        if is_new and here and isinstance(step, int) is not isinstance(next(iter(here)), int):
            raise ValueError(f"{_dotted(path)} stands beside line items with and without a number")
        node, here = here, here.setdefault(step, value if place == len(path) - 1 else _Node())
    if is_new:
        return
    if type(here) is _Node:
        raise ValueError(f"{_dotted(path)} is both a value and a group")
    if not may_repeat or (len(path) > 1 and all(isinstance(each, str) for each in path)):
        hint = "; number the line items, as in group 'items[1]'" if may_repeat else ""
        raise ValueError(f"{_dotted(path)} stands twice{hint}")
    node[step] = _Several([*(here if type(here) is _Several else [here]), value])


def _dotted(path: Path) -> str:
    return shortened(".".join(map(str, path)))


def _finished(value: Any) -> Any:
    """What was made, in objects and lists."""
    if type(value) is not _Node:
        return list(value) if type(value) is _Several else value
    if isinstance(next(iter(value), ""), int):
        return [_finished(value[number]) for number in sorted(value)]
    return {name: _finished(child) for name, child in value.items()}


def _columns(names: dict[str, int], id_key: str) -> list[Column]:
    """The columns of values. Those of confidences, boxes and pages go with them: `total.value`, `total.confidence`."""
    paths = {name: (name,) if name == id_key else path_of(name) for name in names}
    numbers = {path: names[name] for name, path in paths.items()}
    scored = {
        path[:-1]
        for path in numbers
        if path[-1] == "confidence" and {path[:-1], (*path[:-1], "value")} & numbers.keys()
    }
    columns = []
    for name, path in paths.items():
        if path[:-1] in scored and path[-1] in LEAF_KEYS:
            if path[-1] != "value":
                continue
            path = path[:-1]
        facts = {key: numbers[*path, key] for key in LEAF_KEYS[1:] if path in scored and (*path, key) in numbers}
        columns.append((names[name], path, facts))
    return columns


def _leaf(value: object, facts: dict[str, int], cells: Sequence[object]) -> object:
    """A value with its confidence, box and page, if it has any."""
    if not facts:
        return value
    found = {key: _fact(cells[number]) for key, number in facts.items()}
    found = {key: fact for key, fact in found.items() if fact is not None}
    return {"value": value, "confidence": None, **found} if found else value


def _fact(cell: object) -> object:
    """A confidence, box or page; numbers and boxes may be texts."""
    value = _plain(cell, is_reference=False)
    try:
        return loads(value) if isinstance(value, str) else value
    except ValueError:  # what reads it says where it stands
        return value


def _plain(cell: object, *, is_reference: bool) -> Any:
    """The JSON value of a cell, None for an empty one: a text stays a text, unless it holds an object or a list."""
    if isinstance(cell, str):
        return parsed(cell) if cell.strip() else None
    if cell is None or isinstance(cell, bool | int):
        return cell
    value = as_json(_without_missing(plain_value(cell)), is_reference=is_reference)
    if isinstance(cell, datetime.datetime) and isinstance(value, str):
        return value.removesuffix("T00:00:00")  # tables have dates as midnights
    return None if value != value else value


def _without_missing(value: object) -> object:
    """A value without the nulls that tables have in place of missing fields."""
    if isinstance(value, dict):
        return {name: _without_missing(child) for name, child in value.items() if child is not None}
    return [_without_missing(child) for child in value] if isinstance(value, list) else value


def _text(cell: object) -> str:
    """A name or a number in a cell, as text."""
    if isinstance(cell, str):
        return cell.strip()
    value = _plain(cell, is_reference=False)
    return "" if value is None else str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _stand_together(names: Iterable[object]) -> bool:
    """Whether all rows of a document stand one after the other, so that none has to wait for more."""
    seen = set[object]()
    for name, _ in groupby(name for name in names if name not in (None, "")):
        if name in seen:
            return False
        seen.add(name)
    return True
