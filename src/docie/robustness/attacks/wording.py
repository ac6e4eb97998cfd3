"""Other spellings and words: typos, characters that OCR confuses, and synonyms, from WordNet if installed and from
docie's own lexicon.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random

from docie.core.normalizers.confusions import CONFUSIONS

KINDS = ("swap", "delete", "insert", "replace")
_TABLE: dict[str, list[str]] = {}
for _read, _instead in CONFUSIONS:
    _TABLE.setdefault(_read, []).append(_instead)


def misspelt(text: str, generator: Random, kinds: Collection[str] = KINDS, character: str | None = None) -> str | None:
    """A text with one typo of a given kind; None if this kind cannot change it: a swap cannot change "7" or "00".

    >>> misspelt("Total", Random(3)), misspelt("7", Random(1), ["replace"]), misspelt("aa", Random(1), ["swap"])
    ('Totasl', '4', None)
    """
    kind = generator.choice(sorted(kinds))
    places = [place for place in range(len(text)) if character in (None, text[place])]
    if kind == "swap":
        places = [place for place in places if text[place] != text[place + 1 : place + 2] != ""]
    if not places:
        return None
    place = generator.choice(places)
    before, here, after = text[:place], text[place], text[place + 1 :]
    if kind == "swap":
        return before + after[0] + here + after[1:]
    if kind == "delete":
        return before + after
    other = generator.choice(alike(here))
    return before + other + (here if kind == "insert" else "") + after


@cache
def alike(character: str) -> str:
    """Other characters of the same kind and script: of the same category among 32 neighbours in Unicode.

    >>> alike("7"), alike("q")[:5], alike("é")[:5]
    ('012345689', 'abcde', 'àáâãä')
    """
    first = ord(character) & ~31
    category = unicodedata.category(character)
    near = map(chr, range(first, first + 32))
    return "".join(other for other in near if unicodedata.category(other) == category and other != character) or "x"


def confused(text: str, generator: Random) -> str | None:
    """A text with one character sequence misread; None if it has none that OCR confuses.

    >>> confused("corner", Random(0)), confused("€", Random(0))
    ('corncr', None)
    """
    found = []
    for place, character in enumerate(text):
        for read in (character, text[place : place + 2]):
            found += [(place, read, instead) for instead in _TABLE.get(read, ())]
        bare = unicodedata.normalize("NFD", character)[0]
        if bare != character and not unicodedata.category(character).startswith("Lo"):
            found.append((place, character, bare))
    if not found:
        return None
    place, read, instead = generator.choice(found)
    return text[:place] + instead + text[place + len(read) :]


SOURCES = ("wordnet", "lexicon")
_CORE = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")


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
    """The language of the lexicon that knows most of these words; English on ties.

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
    """From each word, with and without its full stop, to the words of its group."""
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
    """The folder of WordNet's database files: that of WordNet itself, Debian or NLTK."""
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
    """The single words with a common meaning. A line of a data file is a meaning: offset, file, type, count, words."""
    return _table(
        [word for word in _words(line) if "_" not in word]
        for part in PARTS_OF_SPEECH
        for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines()
        if not line.startswith(" ")  # the licence
    )


def _words(line: str) -> list[str]:
    """The words of a line, each with an id after it; adjectives may have a mark such as "(p)"."""
    parts = line.split(" ")
    return [word.partition("(")[0] for word in parts[4 : 4 + 2 * int(parts[3], 16) : 2]]
