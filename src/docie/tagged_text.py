"""Text of tagged words, a word and its tag a line, as in CoNLL's files."""

from __future__ import annotations

import os
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from docie.errors import shortened
from docie.tagging import split_tag

__all__ = ["SUFFIXES", "LineError", "files", "parse_file", "parse_lines"]

SUFFIXES = (".bio", ".iob", ".conll", ".txt", ".tsv")
"""Of files that hold tagged words."""


class LineError(ValueError):
    """What is wrong with a line of a text, and its number, counted from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(line, problem)
        self.line, self.problem = line, problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def parse_lines(text: str) -> dict[str, list[Any]]:
    """The words and tags of a text: {"words": [...], "tags": [...]}.

    A line is a word, blanks or tabs, and a tag of any scheme; of more columns the first is the word and the last the
    tag. Blank lines, and CoNLL's lines of -DOCSTART- (alone or in three columns or more), part sentences, over which no
    entity goes on; of several sentences, `sentences` are the lengths. Raises LineError for a line of one column and for
    what is no tag.

    >>> parse_lines("Kedai B-shop\\nKopi  I-shop\\n\\n12.00 NUM B-total\\n")
    {'words': ['Kedai', 'Kopi', '12.00'], 'tags': ['B-shop', 'I-shop', 'B-total'], 'sentences': [2, 1]}
    >>> parse_lines("Kedai B-shop\\nKopi\\n")
    Traceback (most recent call last):
    ...
    docie.tagged_text.LineError: line 2: expected a word and a tag, got 'Kopi'
    """
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
    """`parse_lines` of a file's bytes, UTF-8; raises ValueError, naming `place` and line."""
    try:
        return parse_lines(data.decode("utf-8-sig"))
    except LineError as error:
        raise ValueError(f"{place}:{error.line}: {error.problem}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{place}: not UTF-8 text (byte {error.start})") from None


def files(folder: str | os.PathLike[str]) -> list[Path]:
    """The visible files of a folder that hold tagged words, by their suffix, sorted."""
    return sorted(
        path
        for path in Path(folder).iterdir()
        if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
    )
