"""Text of tagged words, with a word and its tag on each line, as in the files of CoNLL."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from docie.core.errors import shortened
from docie.documents.tagging.schemes import split_tag

__all__ = ["SUFFIXES", "LineError", "parse_file", "parse_lines", "word_files"]

SUFFIXES = (".bio", ".iob", ".conll", ".txt", ".tsv")
"""The suffixes of files of tagged words."""


class LineError(ValueError):
    """A line that cannot be read: its number, counted from 1, and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(line, problem)
        self.line, self.problem = line, problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def parse_lines(text: str) -> dict[str, list[Any]]:
    """Read the words and tags of a text.

    Args:
        text (str): on each line a word, blanks or tabs, and a tag of any scheme. If there are more columns, the first
            is the word and the last is the tag. Blank lines, and lines of CoNLL's -DOCSTART- (alone, or in three
            columns or more), separate sentences.

    Returns:
        dict: {"words": [...], "tags": [...]}; and "sentences", their lengths in words, if there are several.

    Raises:
        LineError: for a line of one column, and for what is no tag.
        ValueError: for what is no text.

    >>> parse_lines("Kedai B-shop\\nKopi  I-shop\\n\\n12.00 NUM B-total\\n")
    {'words': ['Kedai', 'Kopi', '12.00'], 'tags': ['B-shop', 'I-shop', 'B-total'], 'sentences': [2, 1]}
    >>> parse_lines("Kedai B-shop\\nKopi\\n")
    Traceback (most recent call last):
    ...
    docie.documents.tagging.text.LineError: line 2: expected a word and a tag, got 'Kopi'
    """
    if not isinstance(text, str):
        raise ValueError(f"expected the text of a file, got {shortened(text)}")
    words: list[str] = []
    tags: list[str] = []
    starts = [0]
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):  # other line ends may be parts of words
        columns = re.split("[ \t]+", line.strip(" \t"))
        if columns == [""] or (columns[0] == "-DOCSTART-" and len(columns) != 2):  # of two, it is a word and its tag
            starts.append(len(words))
            continue
        if len(columns) == 1:
            raise LineError(number, f"expected a word and a tag, got {shortened(columns[0])}")
        try:
            split_tag(columns[-1])
        except ValueError as error:
            raise LineError(number, str(error)) from None
        words.append(columns[0])
        tags.append(columns[-1])
    lengths = [end - start for start, end in pairwise([*starts, len(words)]) if end > start]
    return {"words": words, "tags": tags} | ({"sentences": lengths} if len(lengths) > 1 else {})


def parse_file(data: bytes, place: str) -> dict[str, list[Any]]:
    """Read the words and tags of a file.

    Args:
        data (bytes): what the file holds, text in UTF-8 as `parse_lines` reads it.
        place (str): the name of the file, for errors.

    Returns:
        dict: as `parse_lines` does.

    Raises:
        ValueError: if the file cannot be read; it names the place and the line.

    >>> parse_file(b"Kedai B-shop\\n", "receipt.bio")
    {'words': ['Kedai'], 'tags': ['B-shop']}
    """
    try:
        return parse_lines(data.decode("utf-8-sig"))
    except LineError as error:
        raise ValueError(f"{place}:{error.line}: {error.problem}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{place}: not UTF-8 text (byte {error.start})") from None


def word_files(folder: str | os.PathLike[str]) -> list[Path]:
    """The files of tagged words in a folder, known by their suffix.

    Args:
        folder (path): the folder. Its hidden files and its subfolders are left out.

    Returns:
        list of Path: the files, sorted.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name in ("b.bio", "a.CONLL", "notes.md"):
    ...         _ = Path(folder, name).touch()
    ...     [path.name for path in word_files(folder)]
    ['a.CONLL', 'b.bio']
    """
    return sorted(
        path
        for path in Path(folder).iterdir()
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
    )
