"""Synonyms of the words on forms: from WordNet where it is installed, and from docie's own lexicon."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

SOURCES = ("wordnet", "lexicon")
_CORE = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)
PARTS = ("noun", "verb", "adj", "adv")


def synonym(text: str, generator: Random, source: str | None = None, language: str = "english") -> str | None:
    """A synonym of a word, with its capitals and its punctuation; None if there is none.

    >>> synonym("TOTAL:", Random(0), "lexicon"), synonym("Rechnung", Random(0), "lexicon", "german")
    ('SUM:', 'Faktura')
    >>> synonym("Juniper", Random(0), "lexicon") is None
    True
    """
    match = _CORE.fullmatch(text)
    before, core, after = match.groups() if match else ("", text, "")
    table = _table_of(source, language)
    word = core.casefold() or text
    if after.startswith(".") and f"{word}." in table:  # the full stop belongs to the word: No.
        word, after = f"{word}.", after[1:]
    found = table.get(word)
    if not found:
        return None
    word = generator.choice(found)
    if core.isupper() and len(core) > 1:
        word = word.upper()
    elif core[:1].isupper():
        word = word[:1].upper() + word[1:]
    return before + word + (after.removeprefix(".") if word.endswith(".") else after)


def _table_of(source: str | None, language: str) -> dict[str, tuple[str, ...]]:
    """From words to their synonyms."""
    if source == "lexicon" or language != "english":
        return _lexicons()[language]
    folder = wordnet_folder()
    if folder is not None:
        return _wordnet(folder)
    if source == "wordnet":
        places = "Debian's wordnet-base, NLTK's corpus wordnet, or a folder that WNSEARCHDIR names"
        raise ValueError(f"source='wordnet' needs the files of WordNet: {places}")
    return _lexicons()[language]


def language_of(texts: Iterable[str]) -> str:
    """The language of the lexicon that knows most of these words; English if none knows more.

    >>> language_of(["Rechnung", "Nr.", "4711"]), language_of([])
    ('german', 'english')
    """
    words = [text.casefold().strip(".:,;#()") for text in texts]
    return max(_lexicons(), key=lambda language: sum(word in _lexicons()[language] for word in words))


@cache
def _lexicons() -> dict[str, dict[str, tuple[str, ...]]]:
    """The tables of the lexicon by language, English first."""
    text = files("docie.robustness.attacks").joinpath("lexicon.txt").read_text(encoding="utf-8")
    sections = [section.partition("]\n") for section in text.split("\n[")[1:]]
    return {language: _table(line.split() for line in groups.splitlines()) for language, _, groups in sections}


def _table(groups: Iterable[list[str]]) -> dict[str, tuple[str, ...]]:
    """From each word, with and without its full stop, to the words that share a group with it."""
    table: dict[str, dict[str, None]] = {}
    for group in groups:
        for word in group:
            folded = word.casefold()
            others = [other for other in group if other.casefold() != folded]
            for spelling in {folded, folded.rstrip(".") or folded}:
                table.setdefault(spelling, {}).update(dict.fromkeys(others))
    return {word: tuple(others) for word, others in table.items() if others}


@cache
def wordnet_folder() -> Path | None:
    """The folder of WordNet's database files, where WordNet itself, Debian or NLTK put it."""
    folders = [
        os.environ.get("WNSEARCHDIR", ""),
        "/usr/share/wordnet",
        *(f"{each}/corpora/wordnet" for each in _nltk()),
    ]
    return next((Path(folder) for folder in folders if folder and (Path(folder) / "data.noun").is_file()), None)


def _nltk() -> Iterator[str]:
    yield from filter(None, os.environ.get("NLTK_DATA", "").split(os.pathsep))
    yield from (str(Path.home() / "nltk_data"), "/usr/local/share/nltk_data", "/usr/share/nltk_data")


@cache
def _wordnet(folder: Path) -> dict[str, tuple[str, ...]]:
    """The single words that share a meaning. A line of a data file is a meaning: offset, file, type, count, words."""
    return _table(
        [word for word in _words(line) if "_" not in word]
        for part in PARTS
        for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines()
        if not line.startswith(" ")  # the licence
    )


def _words(line: str) -> list[str]:
    """The words of a line, each with an id behind it; adjectives may have a mark such as "(p)"."""
    parts = line.split(" ")
    return [word.partition("(")[0] for word in parts[4 : 4 + 2 * int(parts[3], 16) : 2]]
