"""What all sources of rows have in common, and how they read text."""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import IO, Any

from docie.core.errors import InputError, shortened
from docie.core.values.json_text import loads
from docie.inputs.config import entries_of
from docie.inputs.row import Row

STDIN = "-"


class Source(ABC):
    """Rows from one place, as they stand there, in order.

    Attributes:
        name: what it is called in messages.
        notes: what a user should know about it, a line each.
        file: the file that all rows are in; an empty text if each has one of its own, or none.
        is_stream: whether it can be read only once.
        is_table: whether it is a table, whose rows may have an id and nothing else.
        has_elements: whether its rows are the elements of one list.
        dataset: the data set whose records the rows are; an empty text for others.
        is_one_object: whether its only row is an object of objects, which may be several documents.
    """

    name: str
    file = ""
    is_stream = False
    is_table = False
    has_elements = False
    is_one_object = False
    dataset = ""

    def __init__(self, name: str) -> None:
        self.name, self.notes = name, list[str]()

    @abstractmethod
    def __iter__(self) -> Iterator[Row]:
        """The rows."""

    def place(self, number: int) -> str:
        """Where the row of a number stands."""
        return f"{self.name}, row {number}"

    def note(self, line: str) -> None:
        """Keep a line for the user, once."""
        if line not in self.notes:
            self.notes.append(line)

    def asked_by(self, options: Mapping[str, Any]) -> str:
        """How a user asks for options by their names, such as "join.missing"."""
        return " ".join(f"--config {shlex.quote(entry)}" for entry in entries_of(options))


def json_value(text: bytes, place: str, *, line: int = 1, is_start: bool = False, note: Any = None) -> Any:
    """The value of a JSON text.

    Args:
        text: the text.
        place: where it stands.
        line: the number of its first line, where it is part of a file.
        is_start: whether it begins a file, which may have a byte order mark.
        note: is called with a line that a user should know.

    Raises:
        InputError: if it cannot be read.
    """

    def repeated(key: str) -> None:
        note(f"{place}: the key {shortened(key)} stands twice in an object; the last one is read")

    try:
        decoded = text.decode("utf-8-sig" if is_start else "utf-8").rstrip("\r\n")
        return loads(decoded, on_repeated=None if note is None else repeated)
    except json.JSONDecodeError as error:
        where = f"{error.msg}: column {error.colno}"
        problem = f"{place}: not a JSON object ({where})"
        if error.lineno > 1:
            problem = f"{place.removesuffix(':1')}:{error.lineno}: not JSON ({where})"
        raise InputError(problem, line=line + error.lineno - 1, column=error.colno) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: not UTF-8 text (byte {error.start})") from None
    except ValueError as error:  # nested too deep, or a number of more than 4,300 digits
        raise InputError(f"{place}: {error}") from None


def as_utf8(file: IO[bytes], name: str) -> IO[bytes]:
    """An open file, or what it holds in UTF-8 if it begins as text in UTF-16 does. `name` stands in errors."""
    if hasattr(file, "peek"):
        start = file.peek(2)[:2]
    else:
        start = file.read(2)
        file.seek(-len(start), os.SEEK_CUR)
    if start not in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return file
    try:
        return io.BytesIO(file.read().decode("utf-16").encode())
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-16 text, as which it begins (byte {error.start})") from None


def text_of(content: bytes, place: str) -> str:
    """The text that a file holds.

    Raises:
        InputError: if it is no UTF-8.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: not UTF-8 text (byte {error.start})") from None


@contextlib.contextmanager
def in_one_line(name: str) -> Iterator[None]:
    """Inside this block, errors of the system and of packages that read files are one line that names the file."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # those of pyarrow, of openpyxl, of the Hub, and of all systems of fsspec
        raise InputError(f"{name}: {reason_of(error.__cause__ or error)}") from None


def reason_of(error: BaseException) -> str:
    """What an error says, in one line."""
    return str(getattr(error, "strerror", None) or " ".join(str(error).split()) or type(error).__name__)
