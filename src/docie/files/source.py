"""The documents of one side: JSON Lines, a JSON list, a text, a folder of JSON files, of tagged words or of texts.

Nothing is scored from half-read input: what cannot be read raises InputError, one line that names the place.
"""

from __future__ import annotations

import codecs
import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from docie.core.errors import InputError, shortened
from docie.core.phrases import some_of
from docie.core.reading import Reading
from docie.core.values.json_text import loads, with_deep_recursion
from docie.documents.kinds import input_kind_of
from docie.documents.pairs.found import Found
from docie.documents.pairs.sides import Row, Rows
from docie.documents.tagging.words import SUFFIXES, parse_file, word_files
from docie.files.answers import MAY_HOLD, Answers
from docie.files.records import document_of

STDIN = "-"
CERTAIN_SUFFIXES = (".bio", ".iob", ".conll")
"""The suffixes of files that can only be tagged words, in a folder or alone."""
TEXT = ".txt"
"""The suffix of files that hold tagged words, or each an answer."""
NAMED = 5
"""The number of files that a message names."""


class Source(Rows):
    """The rows of a file, or of a folder of documents.

    Args:
        path: a file or a folder; "-" is standard input.
        side: "prediction" or "reference".
        reading: how rows are read; None for as they are.
        accepts_text: whether a document may be a text.
        content: what is read in place of a file, which `path` then only names.
        is_words: whether the file holds tagged words, whatever its name.

    Attributes:
        answers: what reads the answers in rows.
        has_texts: whether each file is a text: an answer in a file that ends in `.txt`.
    """

    def __init__(
        self,
        path: str,
        side: str,
        *,
        reading: Reading | None = None,
        accepts_text: bool = False,
        content: bytes | None = None,
        is_words: bool = False,
    ) -> None:
        super().__init__(side, reading, accepts_text=accepts_text)
        self.path, self.content = path, content
        self.dataset = self.reading.dataset if self.reading and side == "reference" else ""
        self.is_stream = path == STDIN and content is None
        self.name = "<stdin>" if path == STDIN else path
        self.is_folder = content is None and path != STDIN and os.path.isdir(path)
        name = "" if self.is_folder else self.name
        self.answers = Answers(side, self.reading, accepts_text=accepts_text, place=self.place, name=name)
        try:
            self.files = self._files_in(Path(path)) if self.is_folder else []
            self.has_texts = self._has_texts()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None
        if is_words or (not self.is_folder and Path(path).suffix.lower() in CERTAIN_SUFFIXES):
            self.files = [Path(path)]

    def _with_elements(self, values: Iterator[tuple[int, bytes, object]]) -> Iterator[tuple[int, bytes, object]]:
        return self._answered(super()._with_elements(values))

    def _answered(self, values: Iterator[tuple[int, bytes, object]]) -> Iterator[tuple[int, bytes, object]]:
        """The rows, with documents in place of the answers, and of the records of a data set, that they hold."""
        self.answers.clear()
        as_they_are = not self.dataset and self.answers.how == "no"
        keys = MAY_HOLD if not self.dataset and self.answers.how == "auto" and not self.unwraps else frozenset[str]()
        for number, text, value in values:
            if as_they_are or (keys and type(value) is dict and keys.isdisjoint(value)):  # most rows
                yield number, text, value
                continue
            with self.located(number):
                if self.dataset:
                    row: object = document_of(value, self.dataset, self.id_key)
                else:
                    row = self.answers.row(number, value, self.unwraps)
            if row is not None or value is None:
                yield number, text if row is value else b"", row
        if self.answers.absent and not self.answers.read:
            raise InputError(f"{self.name}: no task has a {self.side}")
        if line := self.answers.summary(self.name):
            self._tell(line)

    def _values(self) -> Iterator[tuple[int, bytes, object]]:
        first: object = None
        rows = 0
        for number, text in self._texts():
            value = self.parse(number, text)
            first = value if not rows else first
            rows += 1
            yield number, text, value
        if rows == 1 and not self.files and not self.unwraps and _holds_objects_only(first) and not self.answers.read:
            self.warnings.append(f"{self.name}: one object, read as one document; several are a list or JSON Lines")

    def asked_by(self, option: str, *values: str) -> str:
        name = f"--{option.replace('_', '-')}"
        return " ".join(f"{name} {value or repr(value)}" for value in values) or name

    def place(self, number: int) -> str:
        """Where the document with this number stands."""
        if self.files:
            return str(self.files[number - 1])
        return f"{self.name}, element {number}" if self.has_elements else f"{self.name}:{number}"

    def named(self) -> Iterator[tuple[object, str | None]]:
        """The values of all rows, as they stand in the file, each with the name of its own file in a folder.

        Pages that a reading merges are documents, and records of data sets and answers have been read.
        """
        if self.pages:
            yield from ((value, None) for value in self.merged())
            return
        for number, _, value in self._answered(self._values()):
            yield value, self.files[number - 1].stem if self.is_folder else None

    def given(self) -> Iterator[object]:
        """The values of all rows, as they stand in the file."""
        return (value for _, _, value in self._answered(self._values()))

    def value_of(self, row: Row) -> object:
        return self.parse(row.number, row.text) if row.value is None else row.value

    def set_aside(self, row: Row) -> Row:
        if row.text:
            return row._replace(value=None)
        if isinstance(row.value, Found):
            return row
        return row._replace(text=with_deep_recursion(partial(json.dumps, row.value)).encode(), value=None)

    def parse(self, number: int, text: bytes) -> object:
        """The value of one row: JSON, or the words and tags of a file of these."""
        if self.files and not self.has_texts and self.files[number - 1].suffix.lower() in SUFFIXES:
            try:
                return parse_file(text, self.place(number))
            except ValueError as error:
                is_text = self.files[number - 1].suffix.lower() == TEXT
                hint = f"; if this is an answer, say --parse {self.side}s:llm" if is_text else ""
                raise InputError(f"{error}{hint}") from None
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
        self._tell(f"{self.place(number)}: the key {shortened(key)} stands twice in an object; the last one is read")

    def _tell(self, note: str) -> None:
        if note not in self.warnings:
            self.warnings.append(note)

    def _id(self, number: int, value: object) -> str | None:
        identity = super()._id(number, value)
        return self._name_of_file(number) if identity is None and self.is_folder else identity

    def _name_of_file(self, number: int) -> str:
        name = self.files[number - 1].stem
        return name if self.reading is None else self.reading.stripped(name)

    def _check_id(self, number: int, value: object, identity: str | None, *, is_field: bool) -> None:
        super()._check_id(number, value, identity, is_field=is_field)
        if not is_field:
            return
        if self.is_folder and identity != self._name_of_file(number):
            hint = f"if {self.id_key!r} is a field of the documents, say {self.asked_by('id_key', '')}"
            raise InputError(f"{self.place(number)}: the id {identity!r} is not the name of the file; {hint}")
        if isinstance(value, dict) and len(value) == 1 and not self.has_id_among_fields:
            raise InputError(f"{self.place(number)}: an id, but no document{self.id_hint(may_be_field=True)}")

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
                content = path.read_bytes() if self.content is None else self.content
                content = as_utf8(io.BytesIO(content), reading).read()
                yield number, self._as_row(content, reading) if self.has_texts else content
        except OSError as error:
            raise InputError(f"{reading}: {error.strerror or error}") from None

    def _has_texts(self) -> bool:
        """Whether texts are read so; or, of predictions, if the first file that is not empty holds no tagged words."""
        if {path.suffix.lower() for path in self.files or [Path(self.path)]} != {TEXT}:
            return False
        if self.answers.how != "auto":
            return self.answers.how in ("llm", "donut")
        if self.side == "reference" or not self.files:
            return self.side == "prediction"
        contents = (as_utf8(io.BytesIO(path.read_bytes()), str(path)).read() for path in self.files)
        first = next((content for content in contents if content.strip()), None)
        return first is not None and not _is_words(first)

    def _as_row(self, content: bytes, place: str) -> bytes:
        """The JSON text of a row that is all of the text in a file."""
        if self.answers.how == "auto" and _is_words(content):
            problem = f"tagged words, where an answer was expected; if this is one, say --parse {self.side}s:llm"
            raise InputError(f"{place}: {problem}")
        try:
            return json.dumps(content.decode("utf-8-sig")).encode()
        except UnicodeDecodeError as error:
            raise InputError(f"{place}: not UTF-8 text (byte {error.start})") from None

    def _stream(self, file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
        """The rows of an open file: its lines, or the elements of its one JSON list, or its one object."""
        file = as_utf8(file, self.name)
        if self.has_texts:
            text = file.read()
            if self.answers.how != "auto" or not any(map(_kind_of_line, (text.lstrip().split(b"\n")[0], text))):
                yield 1, self._as_row(text, self.name)
                return
            file = io.BytesIO(text)
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
        self.has_elements = rows is value
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
        others = some_of(rest, NAMED)
        if not files:
            suffixes = ", ".join(SUFFIXES)
            problem = f"no .json files in this folder, nor files of tagged words ({suffixes})"
            raise InputError(f"{folder}: {problem}" + (f"; it holds {others}" if rest else ""))
        if rest:
            self.warnings.append(f"{folder}: not read: {others}")
        return files


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


def _is_words(content: bytes) -> bool:
    """Whether a file holds tagged words."""
    try:
        return bool(parse_file(content, "")["words"])
    except ValueError:
        return False


def _is_document(value: object) -> bool:
    """Whether a list is what one document holds, and not a list of documents."""
    return input_kind_of(value) in ("entities", "boxes", "tags")
