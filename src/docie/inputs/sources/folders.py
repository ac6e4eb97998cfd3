"""A folder, or a zip, with a document in each file: JSON, tagged words, or the texts of answers."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from docie.core.errors import InputError
from docie.core.phrases import NAMED, some_of
from docie.documents.tagging.tagged_words import SUFFIXES
from docie.inputs.reading import TEXTS
from docie.inputs.row import Row
from docie.inputs.sources.lines import CERTAIN_SUFFIXES, TEXT, holds_words, text_of_answer, words_of
from docie.inputs.sources.source import Source, as_utf8, json_value, text_of
from docie.inputs.sources.zips import Entry

TEXT_SUFFIXES = (TEXT, ".md")
"""The endings of texts of answers."""


class Folder(Source):
    """The files of a folder, each a row whose id is the name of the file.

    Args:
        path: the folder.
        side: "prediction" or "reference".
        parse: how its rows are written, as for `Side`.
        entries: what is in it, if it is a zip.

    Attributes:
        files: its documents.
        texts: those of its files that are texts of answers.
        rest: what else is in it.

    Raises:
        InputError: for a folder that cannot be read, and without any document.
    """

    def __init__(self, path: str, *, side: str, parse: str = "auto", entries: Iterable[Entry] | None = None) -> None:
        super().__init__(path)
        self.side, self.parse = side, parse
        self.rest: list[Path | Entry] = []
        self.texts = set[Path | Entry]()
        try:
            found = entries if entries is not None else Path(path).iterdir()
            self.files = self._files_in([each for each in found if not each.name.startswith(".")])
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}") from None

    def __iter__(self) -> Iterator[Row]:
        for path in self.files:
            place = str(path)
            try:
                content = as_utf8(io.BytesIO(path.read_bytes()), place).read()
            except OSError as error:
                raise InputError(f"{place}: {error.strerror or error}") from None
            yield Row(self._value(path, content), place, path.stem)

    def _value(self, path: Path | Entry, content: bytes) -> object:
        place = str(path)
        if path in self.texts:
            return text_of_answer(content, place, self.side, self.parse)
        if path.suffix.lower() in SUFFIXES:
            return words_of(content, place, self.side)
        is_json = content.lstrip()[:1] in (b"{", b"[")
        if self.parse in ("auto", *TEXTS) and b"```" in content and not is_json:
            return text_of(content, place)  # the answer of a model, as it came
        try:
            return json_value(content, place, is_start=True, note=self.note)
        except InputError as error:
            if self.texts or self.parse in TEXTS:
                return text_of(content, place)
            hint = "; if it is the answer of a model, " + self.asked_by({f"{self.side}s.parse": "llm"}) + " reads it"
            raise InputError(f"{error}{hint}" if self.side == "prediction" else str(error)) from None

    def _texts_in(self, entries: list[Path | Entry], documents: list[Path | Entry]) -> list[Path | Entry]:
        """The files that are texts of answers: those of one ending, and others with other numbers in their names.

        Texts are looked for if they are asked for, and among predictions, unless the first that is not empty has tags.
        """
        if self.parse not in (("auto", *TEXTS) if self.side == "prediction" else TEXTS):
            return []
        texts = [each for each in entries if each.suffix.lower() in TEXT_SUFFIXES and each.is_file()]
        texts = [each for each in texts if each.stem.lower() != "readme"]
        kinds = [documents, *([each for each in texts if each.suffix.lower() == suffix] for suffix in TEXT_SUFFIXES)]
        like = next(filter(None, kinds), [])
        names, shapes = {each.stem for each in like}, {_shape(each.stem) for each in like}
        others = [each for each in texts if each not in like and _shape(each.stem) in shapes]
        if any(each.stem in names for each in others):  # what pages say beside their documents, say
            others = []
        found = [each for each in texts if each in like or each in others]
        if self.parse == "auto":
            contents = (as_utf8(io.BytesIO(path.read_bytes()), str(path)).read() for path in found)
            first = next((content for content in contents if content.strip()), None)
            return [] if first is None or holds_words(first) else found
        return found

    def _files_in(self, entries: Iterable[Path | Entry]) -> list[Path | Entry]:
        """The JSON files and texts of a folder, or its files of tagged words. A note names what else is there."""
        entries = sorted(entries, key=lambda entry: entry.name)
        documents = [path for path in entries if path.suffix.lower() == ".json" and path.is_file()]
        words = [path for path in entries if path.suffix.lower() in SUFFIXES and path.is_file()]
        certain = [path for path in words if path.suffix.lower() in CERTAIN_SUFFIXES]
        if documents and certain:
            problem = f"holds both documents ({documents[0].name}) and tagged words ({certain[0].name})"
            raise InputError(f"{self.name}: {problem}")
        self.texts = {*([] if certain else self._texts_in(entries, documents))}
        known = self.texts.union(documents) or {*words}
        files = [path for path in entries if path in known]
        self.rest = [path for path in entries if path not in known]
        others = some_of([*map(_entry_name, self.rest)])
        if not files:
            suffixes = ", ".join(SUFFIXES)
            problem = f"no .json files in this folder, nor files of tagged words ({suffixes})"
            raise InputError(f"{self.name}: {problem}" + (f"; it holds {others}" if self.rest else "") + self._advice())
        if self.rest:
            self.note(f"{self.name}: not read: {others}")
        return files

    def _advice(self) -> str:
        """How the answers of several systems are read, if each has a folder of its own."""
        folders = [each for each in self.rest if isinstance(each, Path) and each.is_dir()]
        if self.side == "reference" or not any(len([*each.iterdir()]) > 1 for each in folders):
            return ""
        paths = shlex.join(map(str, folders[:NAMED]))
        several = f"; docie compare REFERENCES {paths} compares all" if len(folders) > 1 else ""
        return f"; name a folder with the answers of one system, such as {shlex.quote(str(folders[0]))}{several}"


def _shape(name: str) -> str:
    """What names of files of one kind have in common: they differ in numbers."""
    return re.sub(r"[0-9]+", "0", name)


def _entry_name(path: Path | Entry) -> str:
    """The name of an entry of a folder, with the reason why it is no document."""
    if path.is_dir():
        return f"{path.name} (a folder)"
    return path.name if path.exists() else f"{path.name} (a link to nothing)"
