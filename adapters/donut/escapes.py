"""What sequences cannot hold as it is, and how it is written instead: as in HTML."""

from __future__ import annotations

import re

_WRITTEN = r"&(lt|gt|amp|#\d{1,5});"
_ESCAPE = re.compile(_WRITTEN)
_LIKE_A_TAG = re.compile(rf"<(?=/?s_|sep/>|/?s>|pad>)|\A<(?=.*/>\Z)|(?={_WRITTEN})&", re.DOTALL)
_IN_A_KEY = re.compile(rf"[<>]|(?={_WRITTEN})&")
_NAMES = {"<": "lt", ">": "gt", "&": "amp"}
_CHARACTERS = {name: character for character, name in _NAMES.items()}


def escaped(value: str) -> str:
    """Write a value so that nothing in it is read as a tag or an escape, and its outer white space is kept.

    >>> escaped(" a < b <s_nm> &lt;")
    '&#32;a < b &lt;s_nm> &amp;lt;'
    """
    text = _LIKE_A_TAG.sub(_named, value)
    if not text or not (text[0].isspace() or text[-1].isspace()):
        return text
    inner = text.strip()
    first = text.find(inner) if inner else len(text)
    ends = (text[:first], text[first + len(inner) :])
    before, after = ("".join(f"&#{ord(character)};" for character in blank) for blank in ends)
    return before + inner + after


def escaped_key(key: str) -> str:
    """Write a key so that it can stand in a tag.

    >>> escaped_key("a>b & c")
    'a&gt;b & c'
    """
    return _IN_A_KEY.sub(_named, key)


def unescaped(text: str) -> str:
    """The value or key that was escaped. Other references of HTML stay as they are.

    >>> unescaped("&#32;a &lt;s_nm> &copy;")
    ' a <s_nm> &copy;'
    """
    return _ESCAPE.sub(lambda match: _character(match[1], match[0]), text) if "&" in text else text


def _named(match: re.Match[str]) -> str:
    return f"&{_NAMES[match[0]]};"


def _character(name: str, written: str) -> str:
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    character = chr(int(name[1:]))
    return character if character.isspace() else written
