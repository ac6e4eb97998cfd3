"""Text of tagged words, a word and its tag a line, as in CoNLL's files."""

from __future__ import annotations

import re

from docie.errors import shortened
from docie.tagging import split_tag

__all__ = ["SUFFIXES", "LineError", "parse_lines"]

SUFFIXES = (".bio", ".iob", ".conll", ".txt", ".tsv")
"""Of files that hold tagged words."""


class LineError(ValueError):
    """What is wrong with a line of a text, and its number, counted from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(line, problem)
        self.line, self.problem = line, problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def parse_lines(text: str) -> dict[str, list[str]]:
    """The words and tags of a text: {"words": [...], "tags": [...]}.

    A line is a word, blanks or tabs, and a tag of any scheme; of more columns the first is the word and the last the
    tag. Blank lines part sentences, over which no entity goes on. Where the tags by themselves would let it, as in

        Kedai B-shop

        Kopi  I-shop

    the tag after the blank line becomes `B-shop`, or, if the text has tags that end an entity (E, S, L, U), the one
    before it becomes such a tag. Raises LineError for a line of one column and for what is no tag.

    >>> parse_lines("Kedai B-shop\\nKopi  I-shop\\n\\n12.00 NUM B-total\\n")
    {'words': ['Kedai', 'Kopi', '12.00'], 'tags': ['B-shop', 'I-shop', 'B-total']}
    >>> parse_lines("Kedai\\tB-shop\\n\\nKopi\\tI-shop\\n")["tags"]
    ['B-shop', 'B-shop']
    >>> parse_lines("Kedai B-shop\\nKopi\\n")
    Traceback (most recent call last):
    ...
    docie.tagged_text.LineError: line 2: expected a word and a tag, got 'Kopi'
    """
    words: list[str] = []
    tags: list[str] = []
    sentences = [0]
    for number, line in enumerate(re.split("\r\n|\r|\n", text), 1):  # other line ends may be parts of words
        columns = re.split("[ \t]+", line.strip(" \t"))
        if columns == [""]:
            sentences.append(len(words))
            continue
        if len(columns) == 1:
            raise LineError(number, f"expected a word and a tag, got {shortened(columns[0])}")
        try:
            split_tag(columns[-1])
        except ValueError as error:
            raise LineError(number, str(error)) from None
        words.append(columns[0])
        tags.append(columns[-1])
    _part(tags, sentences)
    return {"words": words, "tags": tags}


def _part(tags: list[str], sentences: list[int]) -> None:
    """Change tags so that no entity goes on over the beginning of a sentence."""
    prefixes = {tag[0] for tag in tags}
    ends = {"I": "L", "B": "U"} if prefixes & {"L", "U"} else {"I": "E", "B": "S"}
    for start in sentences:
        if 0 < start < len(tags):
            before, kind = split_tag(tags[start - 1])
            after, other = split_tag(tags[start])
            if before in ("B", "I") and after in ("I", "E", "L") and kind == other:
                if prefixes & {"E", "S", "L", "U"}:
                    tags[start - 1] = f"{ends[before]}-{kind}"
                else:
                    tags[start] = f"B-{kind}"
