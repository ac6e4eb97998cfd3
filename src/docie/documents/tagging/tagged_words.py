"""Tagged words, and files of them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard

from docie.core.errors import DocumentError, in_json, shortened
from docie.core.values.plain import Columns, JsonObject, as_list, is_list
from docie.documents.tagging.schemes import is_tag, split_tag

_WORDS, _TAGS = ("words", "tokens"), ("tags", "ner_tags")
OTHER_NAMES = frozenset({"tokens", "ner_tags"})
"""The keys that data sets of the Hub have in place of `words` and `tags`."""


class TaggedWords(NamedTuple):
    """Words and their tags, and the lengths of the sentences if they are known."""

    words: list[Any]
    tags: list[Any]
    sentences: list[int] | None = None


def is_tagged_words(value: object) -> TypeGuard[JsonObject]:
    """Whether a value is tagged words: an object whose `words` and `tags` are lists. Other keys do not matter.

    Args:
        value: any value.

    Returns:
        bool: whether it is tagged words.

    >>> is_tagged_words({"words": ["12.00"], "tags": ["B-total"], "id": 7}), is_tagged_words({"words": "12.00"})
    (True, False)
    """
    return isinstance(value, dict) and "tags" in value and is_list(value["tags"]) and is_list(value.get("words"))


def check_names_of_words(value: object, side: str | None = None) -> None:
    """Refuse tagged words whose keys have the names of data sets on the Hub: they would be scored as a document.

    Args:
        value: any value.
        side (str): "prediction" or "reference", for errors.

    Raises:
        DocumentError: for tagged words under other names; it says how to rename them.

    >>> check_names_of_words({"tokens": ["12.00", "EUR"], "ner_tags": [1, 2]})
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: tagged words have the keys 'words' and 'tags': rename 'tokens' to 'words', ...
    """
    if not isinstance(value, dict) or is_tagged_words(value):
        return
    words, tags = (next((key for key in keys if is_list(value.get(key))), None) for keys in (_WORDS, _TAGS))
    if words is None or tags is None:
        return
    elements = as_list(value[tags])
    has_numbers = any(isinstance(tag, int) and not isinstance(tag, bool) for tag in elements)
    if not all(isinstance(word, str) for word in as_list(value[words])):
        return
    if not all(is_tag(tag) or (isinstance(tag, int) and not isinstance(tag, bool)) for tag in elements):
        return
    renamed = [f"{key!r} to {name!r}" for key, name in ((words, "words"), (tags, "tags")) if key != name]
    hint = ", and write the name of each tag, such as 'B-total', instead of its number" if has_numbers else ""
    problem = f"tagged words have the keys 'words' and 'tags': rename {', '.join(renamed)}{hint}"
    raise DocumentError(problem, side=side)


def parse_tagged_words(value: object, side: str | None = None) -> TaggedWords | None:
    """Read the `words`, `tags` and `sentences` of tagged words. What the words and tags are is not checked here.

    Args:
        value (dict): tagged words.
        side (str): "prediction" or "reference", for errors.

    Returns:
        TaggedWords: the words and tags; None if the value is something else.

    Raises:
        DocumentError: unless there are as many words as tags, and the sentences, if given, add up to them.

    >>> parse_tagged_words({"words": ["12.00", "EUR"], "tags": ["B-total", "I-total"]}).words
    ['12.00', 'EUR']
    >>> parse_tagged_words({"words": ["12.00"], "tags": []})
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: tags: expected one for each of 1 words, got 0
    """
    if not isinstance(value, dict) or not is_tagged_words(value):
        return None
    words, tags, sentences = as_list(value["words"]), as_list(value["tags"]), value.get("sentences")
    if len(words) != len(tags):
        raise DocumentError(f"expected one for each of {len(words)} words, got {len(tags)}", item="tags", side=side)
    if sentences is not None:
        sentences = _parse_sentences(sentences, len(words), side)
    return TaggedWords(words, tags, sentences)


def _parse_sentences(sentences: object, words: int, side: str | None) -> list[int]:
    lengths = as_list(sentences) if is_list(sentences) else [-1]
    if not all(isinstance(length, int) and length >= 0 for length in lengths) or sum(lengths) != words:
        problem = f"expected lengths that add up to {words} words, got {in_json(sentences)}"
        raise DocumentError(problem, item="sentences", side=side)
    return lengths


SUFFIXES = (".bio", ".iob", ".conll", ".txt", ".tsv")
"""The suffixes of files of tagged words."""


class LineError(ValueError):
    """A line that cannot be read: its number, counted from 1, and the problem."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(line, problem)
        self.line, self.problem = line, problem

    def __str__(self) -> str:
        return f"line {self.line}: {self.problem}"


def parse_lines(text: str) -> Columns:
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
    docie.documents.tagging.tagged_words.LineError: line 2: expected a word and a tag, got 'Kopi'
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


def parse_file(data: bytes, place: str) -> dict[str, list[object]]:
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
