"""The documents of one side: JSON Lines, a JSON list, a folder of JSON files or of tagged words.

Nothing is scored from half-read input: what cannot be read raises InputError, one line that names the place.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from docie.documents import input_kind_of
from docie.errors import shortened
from docie.tagging import SUFFIXES, is_tagged_words, parse_file, word_files
from docie.values import loads, with_deep_recursion

STDIN = "-"
CERTAIN_SUFFIXES = (".bio", ".iob", ".conll")
"""The suffixes of files that can only be tagged words, in a folder or alone."""
_CONTENTS = {
    "prediction": ("prediction", "document", "reference", "ground_truth"),
    "reference": ("reference", "ground_truth", "document", "prediction"),
}
_WRAPPER_KEYS = {"id", *_CONTENTS["prediction"]}


class InputError(ValueError):
    """Input that cannot be read, with its place."""


class Row(NamedTuple):
    """One document of a source: its number (of the line, element or file), its id, its JSON text and its value."""

    number: int
    id: str | None
    text: bytes
    value: Any = None


class Source:
    """The documents of one side, in order.

    Args:
        path: a file or a folder; "-" is standard input.
        side: "prediction" or "reference".
        accepts_text: whether a document may be a text.
    """

    def __init__(self, path: str, side: str, *, accepts_text: bool = False) -> None:
        self.path, self.side, self.accepts_text = path, side, accepts_text
        self.name = "<stdin>" if path == STDIN else path
        self.is_folder = path != STDIN and os.path.isdir(path)
        self.files = _files_in(Path(path)) if self.is_folder else []
        if not self.is_folder and Path(path).suffix.lower() in CERTAIN_SUFFIXES:
            self.files = [Path(path)]
        self.is_one_list = False  # a single JSON list, whose elements are the rows
        self.warnings: list[str] = []

    def __iter__(self) -> Iterator[Row]:
        first: Row | None = None
        for number, text in self._texts():
            value = self.parse(number, text)
            identity = self._id(number, value)
            if identity is None and self.is_folder:
                identity = self.files[number - 1].stem
            row = Row(number, identity, text, value)
            first = first or row
            if (row.id is None) != (first.id is None):
                here, there = ("no id", "one") if row.id is None else ("an id", "none")
                raise InputError(f"{self.place(number)}: {here}, but the first row has {there}")
            yield row

    def place(self, number: int) -> str:
        """Where the document with this number stands."""
        if self.files:
            return str(self.files[number - 1])
        return f"{self.name}, element {number}" if self.is_one_list else f"{self.name}:{number}"

    def document(self, row: Row) -> Any:
        """The document of a row, out of its wrapper. The text of a prediction stays text if it is no JSON."""
        value = self.parse(row.number, row.text) if row.value is None else row.value
        if not _is_wrapper(value):
            self._warn_of_other_keys(row.number, value)
            return value
        key = next((key for key in _CONTENTS[self.side] if key in value), None)
        if key is None:
            raise InputError(f"{self.place(row.number)}: an id, but no document")
        content = value[key]
        if isinstance(content, str):
            try:
                parsed = loads(content)
                if isinstance(parsed, dict | list):  # "60.000" is a text, no number
                    content = parsed
            except (ValueError, RecursionError) as error:
                if self.side == "reference" and not self.accepts_text:
                    raise InputError(f"{self.place(row.number)}: {key!r} is not JSON ({error})") from None
        if isinstance(content, dict) and key == "ground_truth":
            content = content.get("gt_parse", content)
        return content

    def parse(self, number: int, text: bytes) -> Any:
        """The value of one row: JSON, or the words and tags of a file of these."""
        if self.files and self.files[number - 1].suffix.lower() in SUFFIXES:
            try:
                return parse_file(text, self.place(number))
            except ValueError as error:
                raise InputError(str(error)) from None
        try:
            return loads(text.decode("utf-8-sig" if number == 1 or self.files else "utf-8").rstrip("\r\n"))
        except json.JSONDecodeError as error:
            if error.lineno > 1:
                place = self.name if not self.files else self.place(number)
                raise InputError(f"{place}:{error.lineno}: not JSON ({error.msg}: column {error.colno})") from None
            problem = f"not a JSON object ({error.msg}: column {error.colno})"
        except UnicodeDecodeError as error:
            problem = f"not UTF-8 text (byte {error.start})"
        except RecursionError:
            problem = "nested too deep to be read"
        except ValueError as error:  # an integer of more than 4,300 digits
            problem = f"not a JSON object ({error})"
        raise InputError(f"{self.place(number)}: {problem}")

    def _warn_of_other_keys(self, number: int, value: Any) -> None:
        """Warn, once, of a row that was perhaps meant as a wrapper, or as a whole annotation."""
        content_keys = {"prediction", "reference", "ground_truth", "gt_parse"}
        keys = sorted(content_keys & value.keys()) if isinstance(value, dict) else []
        if keys and not self.warnings:
            others = shortened(sorted(map(str, value.keys() - content_keys)))
            self.warnings.append(
                f"{self.place(number)}: {keys[0]!r} stands beside {others}, so the whole row is taken as the document"
            )

    def _id(self, number: int, value: Any) -> str | None:
        if not (_is_wrapper(value) or is_tagged_words(value)) or value.get("id") is None:
            return None
        identity = value["id"]
        if isinstance(identity, bool) or not isinstance(identity, str | int):
            raise InputError(f"{self.place(number)}: id must be text or a whole number, got {shortened(identity)}")
        return str(identity)

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        """The text of every row, with its number."""
        reading = self.name
        try:
            if self.path == STDIN:
                if sys.stdin is None:
                    raise InputError("standard input is closed")
                yield from self._stream(sys.stdin.buffer)
            elif not self.files:
                with open(self.path, "rb") as file:
                    yield from self._stream(file)
            for number, path in enumerate(self.files, 1):
                reading = str(path)
                yield number, path.read_bytes()
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
        self.is_one_list = isinstance(value, list) and (self.accepts_text or not _is_document(value))
        for number, element in enumerate(value if self.is_one_list else [value], 1):
            yield number, with_deep_recursion(partial(json.dumps, element)).encode()


def _is_wrapper(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and value.keys() <= _WRAPPER_KEYS


def _kind_of_line(line: bytes) -> str | None:
    """Whether a line is a whole JSON object, a list or another value; None if it is no JSON by itself."""
    try:
        value = loads(line)
    except (ValueError, RecursionError):
        return None
    return "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "value"


def _is_document(value: Any) -> bool:
    """Whether a list is what one document holds, and not a list of documents."""
    return input_kind_of(value) in ("entities", "boxes", "tags")


def _files_in(folder: Path) -> list[Path]:
    """The JSON files of a folder, or its files of tagged words."""
    documents = sorted(path for path in folder.glob("*.json") if path.is_file() and not path.name.startswith("."))
    words = word_files(folder)
    certain = [path for path in words if path.suffix.lower() in CERTAIN_SUFFIXES]
    if documents and certain:
        raise InputError(f"{folder}: holds both documents ({documents[0].name}) and tagged words ({certain[0].name})")
    if not documents and not words:
        suffixes = ", ".join(SUFFIXES)
        raise InputError(f"{folder}: no .json files in this folder, nor files of tagged words ({suffixes})")
    return documents or words
