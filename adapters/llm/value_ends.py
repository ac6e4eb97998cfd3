"""The end of a value in broken JSON, as a person would see it, whatever quotes are missing or superfluous.

A value ends at a quote if the next key, the next element or a matching closing bracket follows. (A value without quotes
ends at a comma, a bracket or the end of a line.) If there is no such place, it ends at any quote or comma. Each
lookahead is bounded, so the work grows linearly with the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_REACH = 100  # characters of a word, a comment or a run of brackets in a lookahead
COMMENT = r"//[^\n]*+|\#(?=[\s\#])[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)"
ELLIPSIS = r"(?:\.{3}|…)"  # a model's ellipsis
_PARTS = rf"[^%s\\\n]{{0,{2 * _REACH}}}+(?:\\.[^%s\\\n]{{0,{2 * _REACH}}}+){{0,20}}+"  # with escapes between
IN_DOUBLE, IN_SINGLE = _PARTS % ('"', '"'), _PARTS % ("'", "'")
DOUBLE, SINGLE = rf'""?{IN_DOUBLE}""?\s*+:', rf"'{IN_SINGLE}'\s*+:"  # a quote may be doubled
_NAME = rf"[^\W\d][\w.$-]{{0,{_REACH}}}+\s*+:"
_SHORT_COMMENT = rf"(?:(?://|\#(?=[\s\#]))[^\n]{{0,{_REACH}}}+\n|/\*[^*]{{0,{_REACH}}}+\*/)"
GAP = rf"\s*+(?:{_SHORT_COMMENT}\s*+){{0,3}}+"
_COMMA = rf"{GAP}(?:[,;]{GAP}){{1,9}}+(?:{ELLIPSIS}{GAP},?{GAP})?+"
_ELEMENT = r"""(?:["'{\[\]\-\d]|(?i:true|false|null|none|nan)\b|\Z)"""
_QUOTED = rf"{DOUBLE}|{SINGLE}"
_CUT_KEY = r"""["'][^"'\n]*+["']?\s*+\Z"""
_WORDS = r"""\w[^"'{}\[\],:\n]{0,40}+:\s*+["'{\[]"""
_KEY = rf"(?:{_QUOTED}|{_NAME}|{_WORDS}|{_CUT_KEY})"
_SURE_KEY = rf"(?:{_QUOTED}|{_NAME}\s*+[\"'{{\[]|{_CUT_KEY})"  # a word and a colon may stand in any text
_MORE = rf"{_COMMA}(?:{_KEY}|[}}\]]|\{{\s*+{_KEY}|\Z)|{GAP}(?:{_SURE_KEY}|\Z)"  # a closing bracket: a trailing comma
_AFTER_OBJECT = rf"(?:{_COMMA}(?:{_KEY}|[{{\[\"'\]}}\-\d]|\Z)|{GAP}(?:[}}\]{{]|{_SURE_KEY}|\Z))"
NEXT_KEY = re.compile(rf"{_COMMA}(?:{_QUOTED})")
NEXT_ELEMENT = re.compile(rf"{_COMMA}{_ELEMENT}")
# What may follow a value, by its container.
_IN_ROOT = re.compile(rf"{_MORE}|{GAP}\}}(?:(?=[\s`.)\]}}]|\Z)|{NEXT_KEY.pattern})")
_IN_OBJECT = re.compile(rf"{_MORE}|{GAP}\}}{_AFTER_OBJECT}")
_IN_LIST = re.compile(
    rf"{_COMMA}{_ELEMENT}|{GAP}(?:\](?:{GAP}(?:[}}\]]|{_SURE_KEY}|\Z)|{_COMMA})|\Z)"
    rf"|\s++\"(?=[^\s,\]}}])"
)
_COLON = re.compile(r"\s*+:")
_WEAK = re.compile(r"\s*+(?:[,}\]]|\Z)")
_MARKS = {
    '"': re.compile(r'\\.|"|\n\s*+', re.DOTALL),
    "'": re.compile(r"\\.|'|\n\s*+", re.DOTALL),
    "": re.compile(r'\\.|[",}\]]|\n\s*+', re.DOTALL),
}
"""The possible ends of a value in such quotes, or without any."""
_STRUCTURE = " \t\r\n,;{}[]"


def end_of_value(
    text: str, start: int, limit: int, quote: str, brackets: Sequence[str], hopeless: set[object]
) -> tuple[int, int]:
    """Find the end of a value.

    Args:
        text: the text.
        start: where the value starts, after its opening quote if it has one.
        limit: where to stop.
        quote: the opening quote; "" if there is none.
        brackets: the brackets that close all open objects and lists, outermost first.
        hopeless: records, between calls on one text, what does not occur before a limit. It is not searched again.

    Returns:
        The end of the value, and the position at which to continue.
    """
    rule = _IN_LIST if brackets[-1] == "]" else _IN_ROOT if len(brackets) == 1 else _IN_OBJECT
    if (limit, rule, quote) not in hopeless:
        end_and_next = _clear_end(text, start, limit, quote, brackets, rule)
        if end_and_next:
            return end_and_next
        hopeless.add((limit, rule, quote))
    for mark in _MARKS[quote].finditer(text, start, limit):
        is_quote = mark[0] == (quote or '"')
        after = mark.end() if is_quote else mark.start()
        if (is_quote or not quote) and mark[0][0] != "\\" and _WEAK.match(text, after, limit):
            return mark.start(), after
    end = _before(text, start, limit, brackets)
    return end, end


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
    """The end of a value that continues up to `at`: before commas, fitting closing brackets, and opening ones."""
    tail = text[max(start, at - _REACH) : at]
    for place in range(at - len(tail) + len(tail.rstrip(_STRUCTURE)), at):
        signs = "".join(sign for sign in text[place:at] if sign in "{}[]")
        closing = len(signs) - len(signs.lstrip("}]"))
        fits = list(signs[:closing]) == list(reversed(brackets[len(brackets) - closing :]))
        if fits and not {"}", "]"} & {*signs[closing:]}:
            return place
    return at
