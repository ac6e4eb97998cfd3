"""References and predictions from files: JSON Lines, a JSON list, a folder of JSON files or of tagged words.

Nothing is scored from half-read input: whatever cannot be read raises InputError, one line that names the place.
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from docie import tagged_text
from docie.errors import DocumentError, shortened
from docie.inputs import kind_of
from docie.jsontext import loads, with_room
from docie.tagging import is_tagged

STDIN = "-"
_CONTENTS = {
    "prediction": ("prediction", "document", "reference", "ground_truth"),
    "reference": ("reference", "ground_truth", "document", "prediction"),
}
WORD_SUFFIXES = (".bio", ".iob", ".conll")
"""Of files that can be nothing but tagged words, in a folder or alone."""
_WRAPPER_KEYS = {"id", *_CONTENTS["prediction"]}


class InputError(ValueError):
    """Input that cannot be read, with its place."""


class Row(NamedTuple):
    """One document of a source: where it stands (line, element or file number), its id, its JSON text and value."""

    number: int
    id: str | None
    text: bytes
    value: Any = None


class Source:
    """One side's documents, in order. `side` is "prediction" or "reference"; With `texts`, a text may be one."""

    def __init__(self, path: str, side: str, *, texts: bool = False) -> None:
        self.path, self.side, self.texts = path, side, texts
        self.name = "<stdin>" if path == STDIN else path
        self.is_folder = path != STDIN and os.path.isdir(path)
        self.files = _files(Path(path)) if self.is_folder else []
        if not self.is_folder and Path(path).suffix.lower() in WORD_SUFFIXES:
            self.files = [Path(path)]
        self.elements = False  # of one JSON list, instead of lines
        self.warnings: list[str] = []

    def __iter__(self) -> Iterator[Row]:
        first: Row | None = None
        for number, text in self._texts():
            value = self.parsed(number, text)
            identity = self._identity(number, value)
            if identity is None and self.is_folder:
                identity = self.files[number - 1].stem
            row = Row(number, identity, text, value)
            first = first or row
            if (row.id is None) != (first.id is None):
                one, other = ("no id", "one") if row.id is None else ("an id", "none")
                raise InputError(f"{self.place(number)}: {one}, but the first row has {other}")
            yield row

    def place(self, number: int) -> str:
        """Where the document with this number stands, for people."""
        if self.files:
            return str(self.files[number - 1])
        return f"{self.name}, element {number}" if self.elements else f"{self.name}:{number}"

    def document(self, row: Row) -> Any:
        """The document of a row, out of its wrapper. A prediction's text that is no JSON stays text."""
        value = self.parsed(row.number, row.text) if row.value is None else row.value
        if not _is_wrapper(value):
            self._warn_of_other_keys(row.number, value)
            return value
        found = [key for key in _CONTENTS[self.side] if key in value]
        if not found:
            raise InputError(f"{self.place(row.number)}: an id, but no document")
        content = value[found[0]]
        if isinstance(content, str):
            try:
                value = loads(content)
                if isinstance(value, dict | list):  # "60.000" is a text, no number
                    content = value
            except (ValueError, RecursionError) as error:
                if self.side == "reference" and not self.texts:
                    raise InputError(f"{self.place(row.number)}: {found[0]!r} is not JSON ({error})") from None
        if isinstance(content, dict) and found[0] == "ground_truth":
            content = content.get("gt_parse", content)
        return content

    def parsed(self, number: int, text: bytes) -> Any:
        """The value of one row: JSON, or the words and tags of a file of these."""
        if self.files and self.files[number - 1].suffix.lower() in tagged_text.SUFFIXES:
            try:
                return tagged_text.parse_file(text, self.place(number))
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
        """Once: a row that was perhaps meant as a wrapper, or as a whole annotation, is a document."""
        known = {"prediction", "reference", "ground_truth", "gt_parse"}
        found = sorted(known & value.keys()) if isinstance(value, dict) else []
        if found and not self.warnings:
            others = shortened(sorted(map(str, value.keys() - known)))
            self.warnings.append(
                f"{self.place(number)}: {found[0]!r} stands beside {others}, so the whole row is taken as the document"
            )

    def _identity(self, number: int, value: Any) -> str | None:
        if not (_is_wrapper(value) or is_tagged(value)) or value.get("id") is None:
            return None
        identity = value["id"]
        if isinstance(identity, bool) or not isinstance(identity, str | int):
            raise InputError(f"{self.place(number)}: id must be text or a whole number, got {shortened(identity)}")
        return str(identity)

    def _texts(self) -> Iterator[tuple[int, bytes]]:
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
        kind = _kind(line)
        if kind == "object" or self.path.lower().endswith((".jsonl", ".ndjson")):
            yield number, line
            yield from lines
        else:
            rest = file.read()
            if kind is None or (kind == "list" and not rest.strip()):
                yield from self._whole(b"\n" * (number - 1) + line + rest)
            else:  # lines, the first of which is no object: a list, or an answer that could not be parsed
                yield number, line
                following = enumerate(rest.split(b"\n"), number + 1)
                yield from ((place, text) for place, text in following if text.strip())

    def _whole(self, text: bytes) -> Iterator[tuple[int, bytes]]:
        """The rows of one JSON value: the elements of a list, unless it is a page by itself."""
        value = self.parsed(1, text)
        self.elements = isinstance(value, list) and (self.texts or not _is_page(value))
        for number, element in enumerate(value if self.elements else [value], 1):
            yield number, with_room(partial(json.dumps, element)).encode()


class Joined:
    """Predictions and references side by side: by id where both sides have one, else by order.

    Iterating gives (prediction, reference) pairs in the references' order. With `missing_empty`, a reference without
    a prediction meets the empty document.
    """

    def __init__(self, references: Source, predictions: Source, *, missing_empty: bool = False) -> None:
        if references.path == predictions.path == STDIN:
            raise InputError("only one of references and predictions can be standard input")
        self.sources = {"reference": references, "prediction": predictions}
        self.missing_empty = missing_empty
        self._numbers = {"reference": array("q"), "prediction": array("q")}
        self._missing = 0

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        predictions, references = self.sources["prediction"], self.sources["reference"]
        left, right = iter(predictions), iter(references)
        first_left, first_right = next(left, None), next(right, None)
        rows = _chained(first_left, left), _chained(first_right, right)
        if first_left is None and first_right is None:
            raise InputError(f"{references.name}: no documents")
        ids = [row is not None and row.id is not None for row in (first_left, first_right)]
        joined_by_id = all(ids) or (first_left is None and self.missing_empty and ids[1])
        for prediction, reference in self._by_id(*rows) if joined_by_id else self._by_order(*rows):
            self._numbers["prediction"].append(prediction.number if prediction else 0)
            self._numbers["reference"].append(reference.number)
            self._missing += prediction is None
            predicted = predictions.document(prediction) if prediction else None
            expected = references.document(reference)
            yield predicted if prediction else _nothing(expected), expected

    def warnings(self) -> list[str]:
        """What a user should know about the input that was read."""
        found = [warning for source in self.sources.values() for warning in source.warnings]
        if self._missing:
            found.append(f"{self._missing} references without a prediction, scored against nothing")
        return found

    def located(self, error: DocumentError) -> DocumentError:
        """The error with the place of its document in the files instead of its position in the corpus."""
        if isinstance(error.document, int):
            side = error.side or "reference"
            error.document = self.sources[side].place(self._numbers[side][error.document])
        return error

    def _by_order(self, left: Iterator[Row], right: Iterator[Row]) -> Iterator[tuple[Row | None, Row]]:
        count = 0
        for reference in right:
            prediction = next(left, None)
            if prediction is None:
                more = count + 1 + sum(1 for _ in right)
                raise InputError(f"expected as many predictions as references, got {count} and {more}")
            count += 1
            yield prediction, reference
        more = sum(1 for _ in left)
        if more:
            raise InputError(f"expected as many predictions as references, got {count + more} and {count}")

    def _by_id(self, left: Iterator[Row], right: Iterator[Row]) -> Iterator[tuple[Row | None, Row]]:
        # as text, a million waiting predictions fit into memory
        waiting = {identity: row._replace(value=None) for identity, row in self._with_ids(left, "prediction")}
        for identity, reference in self._with_ids(right, "reference"):
            prediction = waiting.pop(identity, None)
            if prediction is None and not self.missing_empty:
                raise InputError(f"id {shortened(identity)} is in the references but not in the predictions")
            yield prediction, reference
        for identity in waiting:
            raise InputError(f"id {shortened(identity)} is in the predictions but not in the references")

    def _with_ids(self, rows: Iterator[Row], side: str) -> Iterator[tuple[str, Row]]:
        source, seen = self.sources[side], dict[str, int]()
        for row in rows:
            identity = str(row.id)  # all rows have one, or none
            if identity in seen:
                first = source.place(seen[identity])
                raise InputError(f"{source.place(row.number)}: id {shortened(identity)} stands twice, first at {first}")
            seen[identity] = row.number
            yield identity, row


def _chained(first: Row | None, rest: Iterator[Row]) -> Iterator[Row]:
    if first is not None:
        yield first
        yield from rest


def _nothing(reference: Any) -> Any:
    """What is predicted where there is no prediction; of tags, for which a number of them is due, an invalid answer."""
    return [] if kind_of(reference) in (None, "entities", "boxes") else {}


def _is_wrapper(value: Any) -> bool:
    return isinstance(value, dict) and bool(value) and value.keys() <= _WRAPPER_KEYS


def _kind(line: bytes) -> str | None:
    """Whether a line is a whole JSON object, a list or another value; None if it is no JSON by itself."""
    try:
        value = loads(line)
    except (ValueError, RecursionError):
        return None
    return "object" if isinstance(value, dict) else "list" if isinstance(value, list) else "value"


def _is_page(value: Any) -> bool:
    """Whether a list is what one document holds, rather than a list of documents."""
    return kind_of(value) in ("entities", "boxes", "tags")


def _files(folder: Path) -> list[Path]:
    """The JSON files of a folder, or its files of tagged words."""
    documents = sorted(path for path in folder.glob("*.json") if path.is_file() and not path.name.startswith("."))
    words = tagged_text.files(folder)
    surely = [path for path in words if path.suffix.lower() in WORD_SUFFIXES]
    if documents and surely:
        raise InputError(f"{folder}: holds both documents ({documents[0].name}) and tagged words ({surely[0].name})")
    if not documents and not words:
        suffixes = ", ".join(tagged_text.SUFFIXES)
        raise InputError(f"{folder}: no .json files in this folder, nor files of tagged words ({suffixes})")
    return documents or words
