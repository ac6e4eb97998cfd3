"""The documents of one side: JSON Lines, a JSON list, a folder of JSON files or of tagged words.

Nothing is scored from half-read input: what cannot be read raises InputError, one line that names the place.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from docie.core.errors import shortened
from docie.core.values.json_text import loads, with_deep_recursion
from docie.documents.kinds import input_kind_of
from docie.documents.rows import id_of, is_wrapper
from docie.documents.tagging.words import SUFFIXES, parse_file, word_files

STDIN = "-"
CERTAIN_SUFFIXES = (".bio", ".iob", ".conll")
"""The suffixes of files that can only be tagged words, in a folder or alone."""
_TABLES = (".csv", ".xls", ".xlsx", ".parquet")
NAMED = 5
"""The number of files that a message names."""


class InputError(ValueError):
    """Input that cannot be read, with its place.

    Args:
        message: one line that names the place.
        line, column: where the text stops being JSON, counted from 1; None for another problem.
    """

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line, self.column = line, column


class Row(NamedTuple):
    """One document of a source: its number (of the line, element or file), its id, its JSON text and its value."""

    number: int
    id: str | None
    text: bytes
    value: object = None


class Source:
    """The rows of one side, in order.

    Args:
        path: a file or a folder; "-" is standard input.
        side: "prediction" or "reference".
        accepts_text: whether a document may be a text.
        id_key: the key of a row that holds its id, which is not scored; "" if rows have none.
        content: what is read in place of a file, which `path` then only names.
    """

    def __init__(
        self, path: str, side: str, *, accepts_text: bool = False, id_key: str = "id", content: bytes | None = None
    ) -> None:
        self.path, self.side, self.accepts_text, self.id_key = path, side, accepts_text, id_key
        self.content = content
        self.name = "<stdin>" if path == STDIN else path
        self.is_folder = content is None and path != STDIN and os.path.isdir(path)
        self.warnings: list[str] = []
        try:
            self.files = self._files_in(Path(path)) if self.is_folder else []
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        if not self.is_folder and Path(path).suffix.lower() in CERTAIN_SUFFIXES:
            self.files = [Path(path)]
        if path != STDIN and Path(path).suffix.lower() in _TABLES and not self.is_folder and content is None:
            raise InputError(
                f"{path}: tables are not read; write JSON Lines, as pandas' to_json(orient='records', lines=True)"
            )
        self.is_one_list = False  # a single JSON list, whose elements are the rows
        self.has_id_among_fields = False  # the id stands in the document itself, and not in a wrapper

    def __iter__(self) -> Iterator[Row]:
        first: Row | None = None
        rows = 0
        for number, text in self._texts():
            value = self.parse(number, text)
            identity = self._id(number, value)
            if identity is None and self.is_folder:
                identity = self.files[number - 1].stem
            row = Row(number, identity, text, value)
            first = first or row
            if (row.id is None) != (first.id is None):
                here, there = ("no id", "one") if row.id is None else ("an id", "none")
                raise InputError(f"{self.place(number)}: {here}, but the first row has {there}{self.id_hint()}")
            rows += 1
            yield row
        if first and rows == 1 and not self.files and _holds_objects_only(first.value):
            self.warnings.append(f"{self.name}: one object, read as one document; several are a list or JSON Lines")

    def id_hint(self, *, may_be_field: bool = False) -> str:
        """What an error about ids adds if the id may be a field of the documents."""
        if not (self.has_id_among_fields or may_be_field):
            return ""
        return f"; if {self.id_key!r} is a field of the documents, join them by order with --id-key ''"

    def place(self, number: int) -> str:
        """Where the document with this number stands."""
        if self.files:
            return str(self.files[number - 1])
        return f"{self.name}, element {number}" if self.is_one_list else f"{self.name}:{number}"

    def document(self, row: Row) -> object:
        """The row without its id, as `docie.documents.read_row` reads it. A wrapper has its id as `id`."""
        value = self.parse(row.number, row.text) if row.value is None else row.value
        if not isinstance(value, dict):
            return value
        if is_wrapper(value) and not self.id_key:
            return {key: child for key, child in value.items() if key != "id"}
        fields = {key: child for key, child in value.items() if key != self.id_key}
        if is_wrapper(fields):
            # under another name, an id has been read; beside it, "id" may be a field of the other side
            return {**fields, "id": row.id} if row.id is not None and self.id_key == "id" else fields
        return value if row.id is None else fields

    def parse(self, number: int, text: bytes) -> object:
        """The value of one row: JSON, or the words and tags of a file of these."""
        if self.files and self.files[number - 1].suffix.lower() in SUFFIXES:
            try:
                return parse_file(text, self.place(number))
            except ValueError as error:
                raise InputError(str(error)) from None
        try:
            text_of_row = text.decode("utf-8-sig" if number == 1 or self.files else "utf-8").rstrip("\r\n")
            return loads(text_of_row, on_repeated=partial(self._warn_of_repeated, number))
        except json.JSONDecodeError as error:
            line, where = number + error.lineno - 1, f"{error.msg}: column {error.colno}"
            text_of_error = f"{self.place(number)}: not a JSON object ({where})"
            if error.lineno > 1:
                place = self.name if not self.files else self.place(number)
                text_of_error = f"{place}:{error.lineno}: not JSON ({where})"
            raise InputError(text_of_error, line=line, column=error.colno) from None
        except UnicodeDecodeError as error:
            problem = f"not UTF-8 text (byte {error.start})"
        except RecursionError:
            problem = "nested too deep to be read"
        except ValueError as error:  # a number of more than 4,300 digits
            problem = str(error)
        raise InputError(f"{self.place(number)}: {problem}")

    def _warn_of_repeated(self, number: int, key: str) -> None:
        warning = f"{self.place(number)}: the key {shortened(key)} stands twice in an object; the last one is read"
        if warning not in self.warnings:
            self.warnings.append(warning)

    def _id(self, number: int, value: object) -> str | None:
        if not isinstance(value, dict) or not self.id_key:
            return None
        if self.id_key not in value:
            if self.id_key != "id":
                raise InputError(f"{self.place(number)}: no key {self.id_key!r}, which --id-key names")
            return None
        identity, fields = value[self.id_key], value.keys() - {self.id_key}
        if is_wrapper(dict.fromkeys(fields)):
            try:
                return id_of({"id": identity})
            except ValueError as error:
                raise InputError(f"{self.place(number)}: {error}") from None
        try:
            text = id_of({"id": identity})
        except ValueError:
            return None  # a field, or a group, of this name
        if text is None:
            return None
        if self.is_folder and text != self.files[number - 1].stem:
            hint = f"if {self.id_key!r} is a field of the documents, say --id-key ''"
            raise InputError(f"{self.place(number)}: the id {text!r} is not the name of the file; {hint}")
        if not fields and not self.has_id_among_fields:
            raise InputError(f"{self.place(number)}: an id, but no document{self.id_hint(may_be_field=True)}")
        self.has_id_among_fields = True
        return text

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        """The text of every row, with its number."""
        reading = self.name
        try:
            if self.content is not None and not self.files:
                yield from self._stream(io.BytesIO(self.content))
            elif self.path == STDIN:
                if sys.stdin is None:
                    raise InputError("standard input is closed")
                yield from self._stream(sys.stdin.buffer)
            elif not self.files:
                with open(self.path, "rb") as file:
                    yield from self._stream(file)
            for number, path in enumerate(self.files, 1):
                reading = str(path)
                yield number, path.read_bytes() if self.content is None else self.content
        except OSError as error:
            raise InputError(f"{reading}: {error.strerror or error}") from None

    def _stream(self, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        """The rows of an open file: its lines, or the elements of its one JSON list, or its one object."""
        lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
        number, line = next(lines, (0, b""))
        if not number:
            return
        kind = _kind_of_line(line)
        if kind == "object" or self.path.lower().endswith((".jsonl", ".ndjson")):
            yield number, line
            yield from lines
        else:
            rest = file.read()
            if kind is None or (kind == "list" and not rest.strip()):
                yield from self._whole(b"\n" * (number - 1) + line + rest)
            else:  # lines, of which the first is a list, or an answer that could not be parsed
                yield number, line
                following = enumerate(rest.split(b"\n"), number + 1)
                yield from ((place, text) for place, text in following if text.strip())

    def _whole(self, text: bytes) -> Iterator[tuple[int, bytes]]:
        """The rows of one JSON value: the elements of a list, unless the list is one document."""
        value = self.parse(1, text)
        rows = value if isinstance(value, list) and (self.accepts_text or not _is_document(value)) else [value]
        self.is_one_list = rows is value
        for number, element in enumerate(rows, 1):
            yield number, with_deep_recursion(partial(json.dumps, element)).encode()

    def _files_in(self, folder: Path) -> list[Path]:
        """The JSON files of a folder, or its files of tagged words. A warning names what else is there."""
        entries = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        documents = [path for path in entries if path.suffix.lower() == ".json" and path.is_file()]
        words = word_files(folder)
        certain = [path for path in words if path.suffix.lower() in CERTAIN_SUFFIXES]
        if documents and certain:
            problem = f"holds both documents ({documents[0].name}) and tagged words ({certain[0].name})"
            raise InputError(f"{folder}: {problem}")
        files = documents or words
        rest = [_entry_name(path) for path in entries if path not in set(files)]
        others = ", ".join(rest[:NAMED]) + (f" and {len(rest) - NAMED} more" if len(rest) > NAMED else "")
        if not files:
            suffixes = ", ".join(SUFFIXES)
            problem = f"no .json files in this folder, nor files of tagged words ({suffixes})"
            raise InputError(f"{folder}: {problem}" + (f"; it holds {others}" if rest else ""))
        if rest:
            self.warnings.append(f"{folder}: not read: {others}")
        return files


def _holds_objects_only(value: object) -> bool:
    return isinstance(value, dict) and len(value) > 1 and all(isinstance(child, dict) for child in value.values())


def _entry_name(path: Path) -> str:
    """The name of an entry of a folder, with the reason why it is no document."""
    if path.is_dir():
        return f"{path.name} (a folder)"
    return path.name if path.exists() else f"{path.name} (a link to nothing)"


def _kind_of_line(line: bytes) -> str | None:
    """Whether a line is a whole JSON object, a list or another value; None if it is no JSON by itself."""
    try:
        value = loads(line)
    except (ValueError, RecursionError):
        return None
    return "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "value"


def _is_document(value: object) -> bool:
    """Whether a list is what one document holds, and not a list of documents."""
    return input_kind_of(value) in ("entities", "boxes", "tags")
