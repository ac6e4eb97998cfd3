"""Words with their tags, as one value: {"words": [...], "tags": [...]}."""

from __future__ import annotations

from typing import Any, NamedTuple

from docie.core.errors import DocumentError, in_json
from docie.core.values.plain import as_list, is_list
from docie.documents.tagging.schemes import is_tag

__all__ = ["OTHER_NAMES", "TaggedWords", "check_names_of_words", "is_tagged_words", "parse_tagged_words"]

_WORDS, _TAGS = ("words", "tokens"), ("tags", "ner_tags")
OTHER_NAMES = frozenset({"tokens", "ner_tags"})
"""The keys that data sets of the Hub have in place of `words` and `tags`."""


class TaggedWords(NamedTuple):
    """Words and their tags, and the lengths of the sentences if they are known."""

    words: list[Any]
    tags: list[Any]
    sentences: list[int] | None = None


def is_tagged_words(value: object) -> bool:
    """Whether a value is tagged words: an object whose `words` and `tags` are lists. Other keys do not matter.

    Args:
        value: any value.

    Returns:
        bool: whether it is tagged words.

    >>> is_tagged_words({"words": ["12.00"], "tags": ["B-total"], "id": 7}), is_tagged_words({"words": "12.00"})
    (True, False)
    """
    return isinstance(value, dict) and is_list(value.get("words")) and is_list(value.get("tags"))


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


def _parse_sentences(sentences: Any, words: int, side: str | None) -> list[int]:
    lengths = as_list(sentences) if is_list(sentences) else [-1]
    if not all(isinstance(length, int) and length >= 0 for length in lengths) or sum(lengths) != words:
        problem = f"expected lengths that add up to {words} words, got {in_json(sentences)}"
        raise DocumentError(problem, item="sentences", side=side)
    return lengths
