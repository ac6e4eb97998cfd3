"""Where a value of broken JSON ends, as a person would see it, whatever quotes are missing or too many.

A value ends at a quote (without quotes, at a comma, a bracket or a line's end) after which comes what may follow: the
next key, the next element, or a closing bracket that fits. Only where no such place follows, any quote or comma
will do. All looks ahead are bounded, so that the work grows as the text does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["COMMENT", "DOUBLE", "IN_DOUBLE", "IN_SINGLE", "NAME", "SINGLE", "Grammar", "end_of_value", "grammar"]

_REACH = 100  # characters of a word, a comment or a stretch of brackets that are looked at
COMMENT = r"//[^\n]*+|\#(?=[\s\#])[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)"
_PARTS = rf"[^%s\\\n]{{0,{2 * _REACH}}}+(?:\\.[^%s\\\n]{{0,{2 * _REACH}}}+){{0,20}}+"  # with escapes between
IN_DOUBLE, IN_SINGLE = (f"{quote}({_PARTS % (quote, quote)}){quote}" for quote in "\"'")
DOUBLE, SINGLE = rf"{IN_DOUBLE}\s*+:".replace("(", "(?:", 1), rf"{IN_SINGLE}\s*+:".replace("(", "(?:", 1)
NAME = rf"[^\W\d][\w.$-]{{0,{_REACH}}}+\s*+:"
_SHORT_COMMENT = rf"(?:(?://|\#)[^\n]{{0,{_REACH}}}+\n|/\*[^*]{{0,{_REACH}}}+\*/)"
_GAP = rf"\s*+(?:{_SHORT_COMMENT}\s*+){{0,3}}+"
_ELEMENT = r"""(?:["'{\[\]\-\d]|(?i:true|false|null|none|nan)\b|\Z)"""
_CUT_KEY = r"""["'][^"'\n]*+["']?\s*+\Z"""
_NEXT_KEY = rf"{_GAP},{_GAP}(?:{DOUBLE}|{SINGLE})"
_DEEPEST, _TRIES = 20, 40  # of objects whose end is looked for as a whole, and how often that may fail
_COLON = re.compile(r"\s*+:")
_WEAK = re.compile(r"\s*+(?:[,}\]]|\Z)|[^\S\n]*+\n")
_MARKS = {
    '"': re.compile(r'\\.|"|\n\s*+', re.DOTALL),
    "'": re.compile(r"\\.|'|\n\s*+", re.DOTALL),
    "": re.compile(r'\\.|[",}\]]|\n\s*+', re.DOTALL),
}
"""The places to look at, of a value in such quotes, or in none."""
_STRUCTURE = " \t\r\n,;{}[]"


class Grammar(NamedTuple):
    """What may follow a value, by where it stands, and what the next key looks like after a comma."""

    in_root: re.Pattern[str]
    in_object: re.Pattern[str]
    in_list: re.Pattern[str]
    next_key: re.Pattern[str]
    next_element: re.Pattern[str]


def _grammar(key: str) -> Grammar:
    more = rf"[,;]{_GAP}(?:{key}|[}}\]]|\{{\s*+{key}|\Z)|{key}|\Z"  # a closing bracket: a comma too many
    after_object = rf"{_GAP}(?:[,;]{_GAP}(?:{key}|[{{\[\"'\]}}\-\d]|\Z)|[}}\]{{]|{key}|\Z)"
    return Grammar(
        re.compile(rf"{_GAP}(?:{more}|\}}(?:(?=[\s`.)\]}}]|\Z)|{_NEXT_KEY}))"),
        re.compile(rf"{_GAP}(?:{more}|\}}{after_object})"),
        re.compile(
            rf"{_GAP}(?:,{_GAP}{_ELEMENT}|\]{_GAP}(?:[,}}\]]|{key}|\Z)|\Z)|[^\S\n]*+\n{_GAP}[\"{{\]]|\s++\"(?=[^\s,\]}}])"
        ),
        re.compile(_NEXT_KEY),
        re.compile(rf"{_GAP},{_GAP}{_ELEMENT}"),
    )


_GRAMMARS = {
    True: _grammar(
        rf"(?:{DOUBLE}|{SINGLE}|{NAME}\s*+[\"'{{\[]|{_CUT_KEY})"
    ),  # a word and a colon may stand in any text
    False: _grammar(rf"(?:{DOUBLE}|{SINGLE}|{NAME}|{_CUT_KEY})"),
}


def grammar(*, quoted: bool) -> Grammar:
    """The grammar of objects whose keys stand in double quotes, or of the others."""
    return _GRAMMARS[quoted]


def end_of_value(
    text: str, start: int, limit: int, quote: str, brackets: Sequence[str], rules: Grammar, hopeless: set[object]
) -> tuple[int, int]:
    """Where the value ends that starts at `start`, behind its opening quote if it has one, and where to read on.

    `brackets` close what is open there, outermost first. `hopeless` remembers between calls with the same limit what is
    not found in the rest of the text, so that it is not looked for again.
    """
    rule = rules.in_list if brackets[-1] == "]" else rules.in_root if len(brackets) == 1 else rules.in_object
    if (rule, quote) not in hopeless:
        found = _clear_end(text, start, limit, quote, brackets, rule)
        if found:
            return found
        hopeless.add((rule, quote))
    closing = r"\s*".join(map(re.escape, reversed(brackets[:_DEEPEST])))
    if len(brackets) <= _DEEPEST and closing not in hopeless and len(hopeless) < _TRIES:
        whole = re.compile(closing).search(text, start, limit)
        if whole:
            return whole.start(), whole.start()
        hopeless.add(closing)
    for mark in _MARKS[quote].finditer(text, start, limit):
        is_quote = mark[0] == (quote or '"')
        after = mark.end() if is_quote else mark.start()
        if (is_quote or not quote) and mark[0][0] != "\\" and _WEAK.match(text, after, limit):
            return mark.start(), after
    return limit, limit


def _clear_end(
    text: str, start: int, limit: int, quote: str, brackets: Sequence[str], rule: re.Pattern[str]
) -> tuple[int, int] | None:
    previous = None
    for mark in _MARKS[quote].finditer(text, start, limit):
        if mark[0][0] == "\\":
            continue
        at = mark.start()
        if mark[0] != (quote or '"'):
            if rule.match(text, at, limit):
                return (_before(text, start, at, ()) if quote else at), at
            continue
        if rule.match(text, mark.end(), limit):
            return at, mark.end()
        if previous is not None and _COLON.match(text, mark.end(), limit):
            end = _before(text, start, previous, brackets)  # that was a key: the quote before it is missing
            return end, end
        after_comma = brackets[-1] == "]" and text[max(start, at - _REACH) : at].rstrip().endswith(",")
        if after_comma and text[at + 1 : at + 2].strip(" \n,]}"):
            end = _before(text, start, at, brackets)  # that was an element
            return end, end
        previous = at
    return None


def _before(text: str, start: int, at: int, brackets: Sequence[str]) -> int:
    """The end of a value that runs on to `at`: before the comma and the brackets between, as far as they fit."""
    tail = text[max(start, at - _REACH) : at]
    for place in range(at - len(tail) + len(tail.rstrip(_STRUCTURE)), at):
        signs = "".join(sign for sign in text[place:at] if sign in "{}[]")
        closing = len(signs) - len(signs.lstrip("}]"))
        fits = list(signs[:closing]) == list(reversed(brackets[len(brackets) - closing :]))
        if fits and not {"}", "]"} & {*signs[closing:]}:
            return place
    return at
