"""Rows in one file or stream: JSON Lines, a JSON list or object, tagged words, or the text of an answer."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import IO, Any

from docie.core.errors import InputError
from docie.core.values.json_text import check_nesting, loads
from docie.documents.tagging.schemes import is_tag
from docie.documents.tagging.tagged_words import parse_file
from docie.inputs.kinds import input_kind_of
from docie.inputs.reading import TEXTS
from docie.inputs.row import Row
from docie.inputs.sources.source import STDIN, Source, as_utf8, json_value, text_of

CERTAIN_SUFFIXES = (".bio", ".iob", ".conll")
"""The suffixes of files that can only be tagged words."""
TEXT = ".txt"
"""The suffix of files that hold tagged words, or an answer."""
_BETWEEN = re.compile(r"[\s,]*")
"""What stands between objects one after another."""


class Lines(Source):
    """The rows of a file, or of standard input.

    Args:
        path: the file; "-" is standard input.
        content: what is read in place of the file, which `path` then only names.
        side: "prediction" or "reference".
        parse: how its rows are written, as for `Side`.
        is_words: whether it holds tagged words, whatever its name.
    """

    def __init__(
        self, path: str, content: bytes | None = None, *, side: str, parse: str = "auto", is_words: bool = False
    ) -> None:
        super().__init__("<stdin>" if path == STDIN else path)
        self.path, self.content, self.side, self.parse, self.file = path, content, side, parse, self.name
        suffix = Path(path).suffix.lower()
        self.is_stream = path == STDIN and content is None
        self.is_words = is_words or suffix in CERTAIN_SUFFIXES
        self.is_text = suffix == TEXT and (parse in TEXTS or (parse == "auto" and side == "prediction"))
        if suffix == TEXT and not self.is_text and parse == "auto":
            self.is_words = True

    def __iter__(self) -> Iterator[Row]:
        try:
            if self.content is not None:
                yield from self._rows(io.BytesIO(self.content))
            elif self.path == STDIN:
                if sys.stdin is None:
                    raise InputError("standard input is closed")
                yield from self._rows(sys.stdin.buffer)
            else:
                with open(self.path, "rb") as file:
                    yield from self._rows(file)
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror or error}") from None

    def _rows(self, file: IO[bytes]) -> Iterator[Row]:
        """The rows of an open file: its lines, or the elements of its one JSON list, or its one object."""
        file = as_utf8(file, self.name)
        if self.is_words:
            yield Row(words_of(file.read(), self.name, self.side), self.name)
            return
        if self.is_text:
            text = file.read()
            if self.parse != "auto" or not any(map(_is_json, (text.lstrip().split(b"\n")[0], text))):
                yield Row(text_of_answer(text, self.name, self.side, self.parse), f"{self.name}:1")
                return
            file = io.BytesIO(text)
        lines: Iterator[tuple[int, bytes]]
        lines = ((number, line) for number, line in enumerate(file, 1) if line.strip())
        number, line = next(lines, (0, b""))
        if not number:
            return
        is_lines = self.path.lower().endswith((".jsonl", ".ndjson"))
        try:
            value = self._value(number, line)
        except InputError as error:
            content = b"\n" * (number - 1) + line + file.read()
            yield from self._over_lines(content, error if is_lines else None)
            return
        if is_lines or isinstance(value, dict):
            second = next(lines, None)
            if second is None:
                yield from self._whole(value, number, are_rows=_are_objects(value))
                return
            yield Row(value, f"{self.name}:{number}")
            lines = chain([second], lines)
        else:
            rest = file.read()
            if isinstance(value, list) and not rest.strip():
                yield from self._whole(value, number, are_rows=True)
                return
            # lines, of which the first is a list, or an answer that could not be parsed
            yield Row(value, f"{self.name}:{number}")
            lines = ((each, text) for each, text in enumerate(rest.split(b"\n"), number + 1) if text.strip())
        for number, line in lines:
            yield Row(self._value(number, line), f"{self.name}:{number}")

    def _over_lines(self, content: bytes, problem: InputError | None) -> Iterator[Row]:
        """The rows of a file whose first line is no JSON: those of one value, or of objects one after another.

        Args:
            content: what the file holds.
            problem: what is wrong with the first line, if lines are expected.
        """
        rows = self._objects(content)
        if len(rows) > 1:
            yield from rows
            return
        try:
            value = self._value(1, content)
        except InputError as error:
            raise problem or error from None
        yield from self._whole(value, 1, are_rows=isinstance(value, list))

    def _objects(self, content: bytes) -> list[Row]:
        """Objects one after another, with or without commas between them; none where the file holds something else."""
        try:
            check_nesting(text := content.decode("utf-8-sig"))
        except ValueError:  # told of the file as a whole
            return []
        rows, start, end, line = list[Row](), 0, 0, 1
        while (start := end + len(_BETWEEN.match(text, end)[0])) < len(text):  # type: ignore[index]
            line += text.count("\n", end, start)
            place, problem = f"{self.name}:{line}", ""
            try:
                end = json.JSONDecoder(parse_int=str).raw_decode(text, start)[1]
            except json.JSONDecodeError as error:
                place, problem = f"{self.name}:{error.lineno}", f" ({error.msg}: column {error.colno})"
            if problem or text[start] != "{":
                if len(rows) < 1 + (text[start] != "{"):  # rather a broken line
                    return []
                raise InputError(f"{place}: not a JSON object{problem}")
            rows.append(Row(self._value(line, text[start:end].encode()), place))
            line += text.count("\n", start, end)
        return rows

    def _value(self, number: int, text: bytes) -> Any:
        return json_value(text, f"{self.name}:{number}", line=number, is_start=number == 1, note=self.note)

    def _whole(self, value: Any, number: int, *, are_rows: bool) -> Iterator[Row]:
        """The rows of the only value of a file: the elements of a list, unless the list is one document."""
        if are_rows and not _is_document(value):
            self.has_elements = True
            for place, element in enumerate(value, 1):
                yield Row(element, f"{self.name}, element {place}")
            return
        self.is_one_object = isinstance(value, dict) and len(value) > 1 and _are_objects([*value.values()])
        yield Row(value, f"{self.name}:{number}")


def words_of(content: bytes, place: str, side: str) -> dict[str, list[object]]:
    """The words and tags in a file.

    Raises:
        InputError: if it cannot be read.
    """
    try:
        return parse_file(content, place)
    except ValueError as error:
        hint = f"; if this is an answer, say --config {side}s.parse=llm" if place.lower().endswith(TEXT) else ""
        raise InputError(f"{error}{hint}") from None


def text_of_answer(content: bytes, place: str, side: str, parse: str) -> str:
    """The text of an answer that is all of a file.

    Raises:
        InputError: if it cannot be read, and for tagged words where nothing says what the file is.
    """
    if parse == "auto" and holds_words(content):
        problem = f"tagged words, where an answer was expected; if this is one, say --config {side}s.parse=llm"
        raise InputError(f"{place}: {problem}")
    return text_of(content, place)


def holds_words(content: bytes) -> bool:
    """Whether a file holds tagged words."""
    try:
        return bool(parse_file(content, "")["words"])
    except ValueError:
        return False


def _is_document(value: list[Any]) -> bool:
    """Whether a list is what one document holds, and not a list of documents."""
    kind = input_kind_of(value)
    return kind in ("entities", "boxes") or (kind == "tags" and all(map(is_tag, value)))


def _are_objects(value: object) -> bool:
    """Whether a value is a list of objects: in a file of its own, rows."""
    return isinstance(value, list) and bool(value) and all(isinstance(child, dict) for child in value)


def _is_json(line: bytes) -> bool:
    try:
        loads(line)
    except ValueError:
        return False
    return True
