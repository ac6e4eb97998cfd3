"""Tagged words (IOB and related schemes) ↔ entities, and files of them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from docie.core.errors import shortened
from docie.core.settings import check_choice, check_flag, check_whole
from docie.core.values.plain import Columns, as_list, is_list
from docie.documents.tagging import SCHEMES, find_spans
from docie.documents.tagging.schemes import OUTSIDE, check_scheme, split_tag
from docie.documents.tagging.spans import Span, first_fault, sentence_bounds, tags_of
from docie.documents.tagging.tagged_words import parse_file

from .grouping.documents import Entity, checked_iterable
from .grouping.labelled_words import check_lengths, least_confidence

__all__ = ["decode", "encode", "read", "shuffle_entities", "write"]

T = TypeVar("T")


def decode(
    words: Sequence[str],
    tags: Sequence[str],
    scheme: str | None = "IOB2",
    *,
    sentences: Sequence[int] | None = None,
    confidences: Sequence[float | None] | None = None,
    invalid: str = "repair",
    outside: bool = False,
) -> list[Entity]:
    """The entities of tagged words, in order, as input for `grouping.slot_filling`, say.

    Args:
        words (list of str): the words.
        tags (list of str): one tag a word.
        scheme (str): one of `docie.tagging.SCHEMES`; None accepts the prefixes B, I, E and S.
        sentences (list of int): the lengths of the sentences, in words. An entity does not continue in the next
            sentence.
        confidences (list of float): the confidence of each word, in [0, 1], or None. An entity has the smallest.
        invalid (str): "repair" reads tags that the scheme does not allow at their position leniently (see
            `docie.tagging.find_spans`); "refuse" raises an error.
        outside (bool): also return the words between entities, as entities of the type None.

    Returns:
        list of Entity: the entities; the words of each are joined by blanks.

    Raises:
        ValueError: if the words or tags cannot be read, or if a tag is refused; it names position and tag.

    >>> decode(["Kedai", "Kopi", "paid", "4.50"], ["B-shop", "I-shop", "O", "B-total"])
    [Entity(type='shop', value='Kedai Kopi', confidence=None, group=None),
     Entity(type='total', value='4.50', confidence=None, group=None)]
    >>> [entity[:2] for entity in decode(["paid", "4.50"], ["O", "B-total"], outside=True)]
    [(None, 'paid'), ('total', '4.50')]
    >>> decode(["paid", "4.50"], ["O", "I-total"], invalid="refuse")
    Traceback (most recent call last):
    ...
    ValueError: tag 1: IOB2 has no 'I-total' after 'O', expected 'B-total'
    """
    check_flag("outside", outside)
    check_choice("invalid", invalid, "repair", "refuse")
    if scheme is not None:
        check_scheme(scheme)
    _check_words(words, tags, sentences)
    if invalid == "refuse":
        _refuse_faults(tags, scheme, sentences)
    check_lengths("words", words, confidences=confidences)
    confidences = [None] * len(words) if confidences is None else confidences
    entities: list[Entity] = []
    end = 0
    for entity_type, first, last in find_spans(tags, scheme, sentences=sentences):
        if outside and end < first:
            entities.append(_outside(words[end:first]))
        end = last + 1
        entities.append(Entity(entity_type, " ".join(words[first:end]), least_confidence(confidences[first:end])))
    if outside and end < len(words):
        entities.append(_outside(words[end:]))
    return entities


def _outside(words: Sequence[str]) -> Entity:
    return Entity(None, " ".join(words))  # type: ignore[arg-type]  # no metric gets these: they are for `encode`


def _check_words(words: Sequence[str], tags: Sequence[str], sentences: Sequence[int] | None) -> None:
    check_lengths("words", words, tags=tags)
    if sentences is not None and not _are_lengths(sentences, len(words)):
        raise ValueError(f"expected sentences that add up to {len(words)} words, got {shortened(sentences)}")
    for position, word in enumerate(words):
        if not isinstance(word, str):
            raise ValueError(f"word {position} must be text, got {shortened(word)}")


def _are_lengths(sentences: object, words: int) -> bool:
    """Whether these are the lengths of sentences with so many words in total."""
    lengths = as_list(sentences) if is_list(sentences) else [-1]
    return all(isinstance(length, Integral) and int(length) >= 0 for length in lengths) and sum(lengths) == words


def _refuse_faults(tags: Sequence[str], scheme: str | None, sentences: Sequence[int] | None) -> None:
    if scheme is None:
        raise ValueError(f"invalid='refuse' needs a scheme, one of {', '.join(SCHEMES)}")
    for start, end in sentence_bounds(len(tags), sentences):
        fault = first_fault(tags[start:end], scheme)
        if fault is not None:
            position, expected = start + fault[0], fault[1]
            place = f"after {tags[position - 1]!r}" if position > start else "at the beginning"
            if position + 1 < end:  # in IOE and IOBES, the next tag matters
                place += f" and before {tags[position + 1]!r}"
            raise ValueError(f"tag {position}: {scheme} has no {tags[position]!r} {place}, expected {expected!r}")


class Tagged(TypedDict):
    """Words and their tags: keyword arguments of `decode` and `write`."""

    words: list[str]
    tags: list[str]


def encode(entities: Iterable[Sequence[object]], scheme: str = "IOB2") -> Tagged:
    """The words and tags of entities: the inverse of `decode`.

    Entities from `decode` with `outside=True` are turned back into the same words and tags, if the tags were
    well-formed and no word contained white space.

    Args:
        entities (iterable): each an `Entity`, or a pair (type, text). White space separates the words of the text. The
            type None or "O" stands for words outside entities.
        scheme (str): one of `docie.tagging.SCHEMES`.

    Returns:
        dict: {"words": [...], "tags": [...]}.

    Raises:
        ValueError: if an entity has no text; it names the entity.

    >>> encode([("shop", "Kedai Kopi"), (None, "paid"), ("total", "4.50")])
    {'words': ['Kedai', 'Kopi', 'paid', '4.50'], 'tags': ['B-shop', 'I-shop', 'O', 'B-total']}
    """
    check_scheme(scheme)
    words: list[str] = []
    spans: list[Span] = []
    for number, entity in enumerate(checked_iterable("entities", entities)):
        entity_type, text = _type_and_text(number, entity)
        first = len(words)
        words += text.split()
        if entity_type not in (None, OUTSIDE):
            if len(words) == first:
                raise ValueError(f"entity {number} ({shortened(entity_type)}) has no words")
            spans.append(Span(entity_type, first, len(words) - 1))
    return {"words": words, "tags": tags_of(spans, len(words), scheme)}


def _type_and_text(number: int, entity: Sequence[object]) -> tuple[Any, str]:
    if isinstance(entity, str) or not isinstance(entity, Sequence) or len(entity) < 2:
        raise ValueError(f"entity {number} must be a type and a text, got {shortened(entity)}")
    entity_type, text = entity[:2]
    if entity_type is not None and not isinstance(entity_type, str):
        raise ValueError(f"entity {number}: its type must be text or None, got {shortened(entity_type)}")
    if not isinstance(text, str):
        raise ValueError(f"entity {number} ({shortened(entity_type)}) must have text, got {shortened(text)}")
    return entity_type, text


def shuffle_entities(entities: Iterable[T], seed: int) -> list[T]:
    """The same entities in a random order. The order of words inside an entity is kept.

    For tagged words: `encode(shuffle_entities(decode(words, tags, outside=True), seed))`.

    Args:
        entities (iterable): the entities.
        seed (int): the seed of the order.

    Returns:
        list: the entities in that order.

    Raises:
        ValueError: if it is not a list, or if the seed is not a whole number.

    >>> shuffle_entities([("shop", "Kedai Kopi"), ("date", "31.12."), ("total", "4.50")], seed=1)
    [('shop', 'Kedai Kopi'), ('total', '4.50'), ('date', '31.12.')]
    """
    blocks = list(checked_iterable("entities", entities))
    check_whole("seed", seed, 0)
    return random.Random(seed).sample(blocks, len(blocks))


def read(path: str | os.PathLike[str]) -> Columns:
    """Read the words and tags in a file. `decode(**read(path))` returns the entities.

    Args:
        path (path): a UTF-8 file with a word and a tag on each line, read by `docie.documents.tagging.tagged_words`.

    Returns:
        dict: {"words": [...], "tags": [...]}, and "sentences", their lengths, if the file has blank lines.

    Raises:
        ValueError: if the file cannot be read; it names file and line.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "receipt.bio")
    ...     _ = file.write_text("Kedai B-shop\\nKopi  I-shop\\n")
    ...     read(file)
    {'words': ['Kedai', 'Kopi'], 'tags': ['B-shop', 'I-shop']}
    """
    return parse_file(Path(path).read_bytes(), os.fspath(path))


def write(
    path: str | os.PathLike[str], words: Sequence[str], tags: Sequence[str], *, sentences: Sequence[int] | None = None
) -> None:
    """Write a file for `read`: UTF-8, a word, a tab and a tag on each line, a blank line between sentences.

    Args:
        path (path): the file.
        words (list of str): the words.
        tags (list of str): one tag a word.
        sentences (list of int): the lengths of the sentences, in words.

    Raises:
        ValueError: if there are more or fewer tags than words, or if a word or tag could not be read back: if it is
            empty, or has a blank, a tab, a line end or a byte order mark in it, or if it is not a tag.

    >>> write("nowhere", ["Kedai Kopi"], ["B-shop"])
    Traceback (most recent call last):
    ...
    ValueError: word 0 must not be empty or have white space in it, got 'Kedai Kopi'
    """
    _check_words(words, tags, sentences)
    lines = []
    for position, (word, tag) in enumerate(zip(words, tags, strict=True)):
        for name, text in (("word", word), ("tag", split_tag(tag) and tag)):
            if not text or set(text) & set(" \t\r\n\ufeff"):
                problem = f"must not be empty or have white space in it, got {shortened(text)}"
                raise ValueError(f"{name} {position} {problem}")
        lines.append(f"{word}\t{tag}\n")
    parts = ("".join(lines[start:end]) for start, end in sentence_bounds(len(words), sentences))
    Path(path).write_bytes("\n".join(parts).encode("utf-8"))
