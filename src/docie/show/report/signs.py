"""Texts of users as they can be shown: what nobody would see, and what would move other text, gets a sign."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

SPACE = "␣"
_SIGNS = {"\n": "↵", "\t": "⇥"}
_INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
)
_OTHER_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_ANYWHERE = re.compile(f"[{_INVISIBLE}]")
_IN_CHANGES = re.compile(f"[{_INVISIBLE}{_OTHER_SPACES}]")


class Piece(NamedTuple):
    """A piece of a text. With a `name`, it is a sign that stands for the character of this name."""

    text: str
    name: str = ""


def pieces(text: str, *, is_first: bool = True, is_last: bool = True, is_changed: bool = False) -> list[Piece]:
    """A text, or a part of one, with signs for characters that cannot be seen.

    These are control characters, those that turn the direction of writing, lone surrogates (which no file can hold),
    and spaces at the ends.

    Args:
        text (str): the text.
        is_first, is_last (bool): whether it is the beginning and the end of the whole text.
        is_changed (bool): whether it is all that two texts differ in: then spaces at its ends have signs too, and
            spaces that only look like one.

    Returns:
        list of Piece: in order.

    >>> [piece.text for piece in pieces(" 12\\u202e.00")]
    ['␣', '12', 'U+202E', '.00']
    """
    inner = text.lstrip(" ") if is_first or is_changed else text
    spaces_before = len(text) - len(inner)
    text = inner
    inner = text.rstrip(" ") if is_last or is_changed else text
    spaces_behind = len(text) - len(inner)
    before, behind = ([Piece(SPACE * number, "space")] if number else [] for number in (spaces_before, spaces_behind))
    return [*before, *_with_signs(inner, _IN_CHANGES if is_changed else _ANYWHERE), *behind]


def _with_signs(text: str, pattern: re.Pattern[str]) -> Iterator[Piece]:
    end = 0
    for found in pattern.finditer(text):
        if found.start() > end:
            yield Piece(text[end : found.start()])
        end = found.end()
        character = found.group()
        yield _sign(character)
        if character == "\n":
            yield Piece(character)  # the line still ends here
    if end < len(text):
        yield Piece(text[end:])


def _sign(character: str) -> Piece:
    code = f"U+{ord(character):04X}"
    return Piece(_SIGNS.get(character, code), f"{code} {unicodedata.name(character, '')}".rstrip())
