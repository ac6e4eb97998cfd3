"""Tagged words (IOB and its kin) ↔ entities, and files of them."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from docie import tagged_text
from docie.adapters.grouping import Entity
from docie.errors import shortened
from docie.settings import check_choice
from docie.tagging import SCHEMES, Span, bounds, first_fault, spans, split_tag, tags_of

__all__ = ["Pair", "decode", "encode", "read", "read_folders", "shuffle_entities", "write"]

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
    """The entities of tagged words, in order, their words joined by a blank: for `grouping.slot_filling`, say.

    `tags` are as many as `words`, in a scheme of `docie.tagging.SCHEMES` (None: prefixes B, I, E and S). Tags that
    the scheme does not allow where they stand are read leniently (invalid="repair", see `docie.tagging.spans`) or are
    an error ("refuse"). `outside` gives the runs of words between entities too, with the type None. No entity goes on
    from one of the `sentences`, given by their lengths, to the next. Of the words' `confidences` an entity has the
    smallest, since it is as sure as its least sure word. Raises ValueError, naming position and tag.

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
    check_choice("invalid", invalid, "repair", "refuse")
    _check_words(words, tags, sentences)
    if invalid == "refuse":
        _refuse_faults(tags, scheme, sentences)
    sure = [None] * len(words) if confidences is None else confidences
    if len(sure) != len(words):
        raise ValueError(f"expected as many confidences as words, got {len(sure)} and {len(words)}")
    found: list[Entity] = []
    end = 0
    for kind, first, last in [*spans(tags, scheme, sentences=sentences), Span("", len(words), len(words))]:
        if outside and end < first:
            found.append(Entity(None, " ".join(words[end:first])))
        if first < len(words):
            known = [confidence for confidence in sure[first : last + 1] if confidence is not None]
            found.append(Entity(kind, " ".join(words[first : last + 1]), min(known, default=None)))
        end = last + 1
    return found


def _check_words(words: Sequence[str], tags: Sequence[str], sentences: Sequence[int] | None) -> None:
    if len(words) != len(tags):
        raise ValueError(f"expected as many tags as words, got {len(tags)} and {len(words)}")
    if sentences is not None and (sum(sentences) != len(words) or min(sentences, default=0) < 0):
        raise ValueError(f"expected sentences that add up to {len(words)} words, got {shortened(sentences)}")
    for position, word in enumerate(words):
        if not isinstance(word, str):
            raise ValueError(f"word {position} must be text, got {shortened(word)}")


def _refuse_faults(tags: Sequence[str], scheme: str | None, sentences: Sequence[int] | None) -> None:
    if scheme is None:
        raise ValueError(f"invalid='refuse' needs a scheme, one of {', '.join(SCHEMES)}")
    for start, end in bounds(len(tags), sentences):
        fault = first_fault(tags[start:end], scheme)
        if fault is not None:
            position, expected = start + fault[0], fault[1]
            place = f"after {tags[position - 1]!r}" if position > start else "at the beginning"
            if position + 1 < end:  # in IOE and IOBES what follows decides
                place += f" and before {tags[position + 1]!r}"
            raise ValueError(f"tag {position}: {scheme} has no {tags[position]!r} {place}, expected {expected!r}")


def encode(entities: Iterable[Sequence[Any]], scheme: str = "IOB2") -> dict[str, list[str]]:
    """The words of entities, and their tags: {"words": [...], "tags": [...]}.

    Each entity is a pair (type, text), or an `Entity`, its words what white space parts; the type None or "O" makes
    words outside of entities. What `decode` gave with `outside=True` gives the words and tags back, if the tags were
    well-formed and no word had white space. Raises ValueError, naming the entity, for one without text.

    >>> encode([("shop", "Kedai Kopi"), (None, "paid"), ("total", "4.50")])
    {'words': ['Kedai', 'Kopi', 'paid', '4.50'], 'tags': ['B-shop', 'I-shop', 'O', 'B-total']}
    """
    words: list[str] = []
    found: list[Span] = []
    for number, entity in enumerate(entities):
        kind, text = _type_and_text(number, entity)
        first = len(words)
        words += text.split()
        if kind not in (None, "O"):
            if len(words) == first:
                raise ValueError(f"entity {number} ({shortened(kind)}) has no words")
            found.append(Span(kind, first, len(words) - 1))
    return {"words": words, "tags": tags_of(found, len(words), scheme)}


def _type_and_text(number: int, entity: Sequence[Any]) -> tuple[Any, str]:
    if isinstance(entity, str) or not isinstance(entity, Sequence) or len(entity) < 2:
        raise ValueError(f"entity {number} must be a type and a text, got {shortened(entity)}")
    kind, text = entity[:2]
    if kind is not None and not isinstance(kind, str):
        raise ValueError(f"entity {number}: its type must be text or None, got {shortened(kind)}")
    if not isinstance(text, str):
        raise ValueError(f"entity {number} ({shortened(kind)}) must have text, got {shortened(text)}")
    return kind, text


def shuffle_entities(entities: Iterable[T], seed: int) -> list[T]:
    """The same entities in another order, drawn with `seed`: blocks move, what is in them stays.

    For tagged words: `encode(shuffle_entities(decode(words, tags, outside=True), seed))`.

    >>> shuffle_entities([("shop", "Kedai Kopi"), ("date", "31.12."), ("total", "4.50")], seed=1)
    [('shop', 'Kedai Kopi'), ('total', '4.50'), ('date', '31.12.')]
    """
    blocks = list(entities)
    return random.Random(seed).sample(blocks, len(blocks))


def read(path: str | os.PathLike[str]) -> dict[str, list[Any]]:
    """The words and tags of a UTF-8 file, a word and a tag a line: {"words": [...], "tags": [...]}.

    Of a file with blank lines also `sentences`, their lengths; `docie.tagged_text.parse_lines` says what the lines may
    be. `decode(**read(path))` gives the entities. Raises ValueError, naming file and line.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "receipt.bio")
    >>> _ = file.write_text("Kedai B-shop\\nKopi  I-shop\\n")
    >>> read(file)
    {'words': ['Kedai', 'Kopi'], 'tags': ['B-shop', 'I-shop']}
    """
    return tagged_text.parse_file(Path(path).read_bytes(), os.fspath(path))


def write(
    path: str | os.PathLike[str], words: Sequence[str], tags: Sequence[str], *, sentences: Sequence[int] | None = None
) -> None:
    """Write a file that `read` reads: UTF-8, a word, a tab and a tag a line, a blank line between sentences.

    Raises ValueError for other numbers of tags than of words, and for words and tags that could not be read back:
    empty ones, those with a blank, a tab, a line end or a byte order mark in them, and what is no tag.

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
    parts = ("".join(lines[start:end]) for start, end in bounds(len(words), sentences))
    Path(path).write_bytes("\n".join(parts).encode("utf-8"))


class Pair(NamedTuple):
    """A file's name without its suffix, and its words and tags on both sides."""

    name: str
    reference: dict[str, list[Any]]
    prediction: dict[str, list[Any]]


def read_folders(references: str | os.PathLike[str], predictions: str | os.PathLike[str]) -> list[Pair]:
    """The files of two folders, joined by their names without suffix, in the order of these.

    Files end in .bio, .iob, .conll, .txt or .tsv; others, and hidden ones, are left out. Raises ValueError for a file
    of one side only, for two of one name, for a folder without any, and as `read` does.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> write(folder / "r1.bio", ["4.50"], ["B-total"])
    >>> read_folders(folder, folder)[0].reference
    {'words': ['4.50'], 'tags': ['B-total']}
    """
    left, right = _files(references), _files(predictions)
    for name in sorted(left.keys() ^ right.keys()):
        one, other = ("references", "predictions") if name in left else ("predictions", "references")
        raise ValueError(f"file {name!r} is in the {one} but not in the {other}")
    return [Pair(name, read(left[name]), read(right[name])) for name in sorted(left)]


def _files(folder: str | os.PathLike[str]) -> dict[str, Path]:
    """The files of tagged words of a folder, by name without suffix."""
    files: dict[str, Path] = {}
    if not os.path.isdir(folder):
        raise ValueError(f"{os.fspath(folder)}: no such folder")
    for path in tagged_text.files(folder):
        if path.stem in files:
            raise ValueError(f"{path}: another file of the same name, {files[path.stem].name}")
        files[path.stem] = path
    if not files:
        raise ValueError(f"{os.fspath(folder)}: no files of tagged words ({', '.join(tagged_text.SUFFIXES)})")
    return files
