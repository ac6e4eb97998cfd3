"""The rows of one side, references or predictions, with their ids: what files and lists in Python have in common."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from docie.core.errors import DocumentError, InputError
from docie.core.reading import BY_NAME, Reading
from docie.core.values.plain import JsonObject
from docie.documents.pairs.found import Found, find, opened_list
from docie.documents.pairs.pages import merged_rows
from docie.documents.rows import find_id, open_row, plain_row, without_id


class Row(NamedTuple):
    """One document of a side: its number (of the line, element or file), its id, its JSON text and its value.

    If a reading asks for more than ids, the value is what was found in the row.
    """

    number: int
    id: str | None
    text: bytes
    value: object = None


class Rows(ABC):
    """The rows of one side, in order.

    Args:
        side: "prediction" or "reference".
        reading: how rows are read; None for as they are.
        accepts_text: whether a document may be a text.

    Attributes:
        name: what the side is called in messages.
        warnings: what a user should know about it.
        has_id_among_fields: whether the id stands in the document itself, and not in a wrapper.
        has_elements: whether the rows are the elements of one list.
    """

    name: str
    is_stream = False
    has_ids_alike = True
    """Whether all rows have an id, or none."""

    def __init__(self, side: str, reading: Reading | None, *, accepts_text: bool) -> None:
        self.side, self.accepts_text = side, accepts_text
        self.reading = Reading.of(reading)
        self.id_key = (self.reading or Reading()).id_key_of(side)
        self.unwraps = self.reading.unwrap_of(side) if self.reading else []
        self.pages = self.reading.asked_of("pages", side) if self.reading else ""
        self.warnings: list[str] = []
        self.has_id_among_fields = self.has_elements = False

    def __iter__(self) -> Iterator[Row]:
        return merged_rows(self._each(), self) if self.pages else self._each()

    def _each(self) -> Iterator[Row]:
        first: Row | None = None
        for number, text, value in self._with_elements(self._values()):
            found = value if self.reading is None else self._found(number, value)
            identity = self._id(number, found)
            row = Row(number, identity, text, found._replace(id=identity) if isinstance(found, Found) else found)
            first = first or row
            if self.has_ids_alike and (row.id is None) != (first.id is None):
                here, there = ("no id", "one") if row.id is None else ("an id", "none")
                raise InputError(f"{self.place(number)}: {here}, but the first row has {there}{self.id_hint()}")
            yield row

    @abstractmethod
    def _values(self) -> Iterator[tuple[int, bytes, object]]:
        """The number, the text and the value of every row."""

    @abstractmethod
    def place(self, number: int) -> str:
        """Where the document with this number stands."""

    @abstractmethod
    def asked_by(self, option: str, *values: str) -> str:
        """How a user asks for an option of a reading; without values, its name."""

    def value_of(self, row: Row) -> object:
        """The value of a row, read again if it was set aside."""
        return row.value

    def set_aside(self, row: Row) -> Row:
        """The row as it waits for its counterpart."""
        return row

    def id_hint(self, *, may_be_field: bool = False) -> str:
        """What an error about ids adds if the id may be a field of the documents."""
        if not (self.has_id_among_fields or may_be_field):
            return ""
        return (
            f"; if {self.id_key!r} is a field of the documents, join them by order with {self.asked_by('id_key', '')}"
        )

    def document(self, row: Row) -> object:
        """The row without its id, as `docie.documents.read_row` reads it. A wrapper has its id as `id`."""
        return without_id(self.value_of(row), self.id_key, row.id)

    def found(self, row: Row) -> Found:
        """What a reading finds in a row."""
        value = self.value_of(row)
        return value if isinstance(value, Found) else self._found(row.number, value)._replace(id=row.id)

    def merged(self) -> Iterator[JsonObject]:
        """The documents of pages as rows, in which a reading finds ids and documents as in those of the pages."""
        path = self.reading.unwrap_of(self.side) if self.reading else []
        for row in self:
            opened = open_row(self.found(row).row, self.side, accepts_text=True)
            document = opened.document
            for key in reversed(path or ["document"]):
                document = {key: document}
            yield {self.id_key or "id": row.id, **document, **({"meta": opened.meta} if opened.meta else {})}

    def _with_elements(self, values: Iterator[tuple[int, bytes, object]]) -> Iterator[tuple[int, bytes, object]]:
        """The rows; the elements of the list at the path of a single one."""
        if self.reading is None or not (path := self.reading.unwrap_of(self.side)):
            return values
        self.unwraps, self.has_elements = path, False
        head = list(islice(values, 2))
        if len(head) == 1:
            [(number, _, value)] = head
            elements = opened_list(value, self.unwraps, accepts_text=self.accepts_text)
            if elements is not None:
                self.has_elements, self.unwraps = True, []
                return ((place, b"", element) for place, element in enumerate(elements, number))
        return chain(head, values)

    @contextlib.contextmanager
    def located(self, number: int) -> Iterator[None]:
        """Inside this block, errors name the place of a row."""
        try:
            yield
        except DocumentError as error:
            error.document = self.place(number)
            raise
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{self.place(number)}: {error}") from None

    def _found(self, number: int, value: object) -> Found:
        assert self.reading is not None
        page = None
        if self.pages and self.pages != BY_NAME and isinstance(row := plain_row(value), dict):
            page = row.get(self.pages)
            value = {key: child for key, child in row.items() if key != self.pages}
        with self.located(number):
            found = find(value, self.side, self.reading, self.unwraps, accepts_text=self.accepts_text)
        return found._replace(page=page)

    def _id(self, number: int, value: object) -> str | None:
        """The id of a row."""
        if isinstance(value, Found):
            identity, is_field = value.id, value.has_id_among_fields
        else:
            with self.located(number):
                identity, is_field = find_id(value, self.id_key)
        self._check_id(number, value, identity, is_field=is_field)
        self.has_id_among_fields |= is_field
        return identity

    def _check_id(self, number: int, value: object, identity: str | None, *, is_field: bool) -> None:
        """Raise InputError for a row without the id that was asked for."""
        row = value.row if isinstance(value, Found) else value
        if identity is None and self.id_key not in ("", "id") and isinstance(row, dict):
            raise InputError(f"{self.place(number)}: no key {self.id_key!r}, which {self.asked_by('id_key')} names")


class Listed(Rows):
    """The rows of one side in Python.

    Args:
        rows: the rows.
        side, reading, accepts_text: as for `Rows`.
    """

    def __init__(self, rows: Iterable[object], side: str, reading: Reading, *, accepts_text: bool) -> None:
        super().__init__(side, reading, accepts_text=accepts_text)
        if reading.lines:
            raise ValueError("lines goes with tables in files; line items in Python stand in their documents")
        if reading.parse:
            raise ValueError(
                "parse goes with files; in Python, docie.adapters reads answers, and docie.read reads files"
            )
        if name := reading.dataset:
            raise ValueError(f"records={name!r} goes with files; in Python, use docie.adapters.records.{name}")
        self.rows, self.name, self.has_ids_alike = rows, f"{side}s", reading.joins_by_id

    def _values(self) -> Iterator[tuple[int, bytes, object]]:
        return ((number, b"", value) for number, value in enumerate(self.rows))

    def place(self, number: int) -> str:
        return f"{self.side} {number}"

    def asked_by(self, option: str, *values: str) -> str:
        return f"reading={{{option!r}: {values[0] if len(values) == 1 else [*values]!r}}}" if values else option
