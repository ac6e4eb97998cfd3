"""Objects in text that is almost JSON: one pass, without recursion, that keeps everything readable.

json_repair 0.64.6, tried in its place behind a wrapper of 95 lines, comes within 0.002 F1 of this on six sorts of
damage (cut off, single quotes, commas left out, bare quotes, prose, comments). But its time grows faster than the
length: pieces that a model repeats for 12,000 characters take up to 13 s, here 0.2 s, and only a limit of the length
would mend that. Of 1,000 answers with doubled commas and quotes it reads 19 % as they were, here all; a fault in one
value changes others in 7 % of answers, here in 1 %; and repeated keys, leading zeros and the places of values, which
confidences need, had to be marked in the text or searched in it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from contextlib import suppress
from typing import Any

from docie.core.errors import shortened
from docie.core.values.json_text import MAX_DEPTH
from docie.core.values.plain import JsonObject

from ..parsed import object_of
from ..token_scores import TokenScores
from .confidences import with_confidence
from .quoted import decoded, is_clear, without_cut_escape, without_doubled_quote
from .value_ends import (
    COMMENT,
    DOUBLE,
    ELLIPSIS,
    GAP,
    IN_DOUBLE,
    IN_SINGLE,
    NEXT_ELEMENT,
    NEXT_KEY,
    SINGLE,
    end_of_value,
)

_KEY = re.compile(
    rf"""(?:""?({IN_DOUBLE})""?|'({IN_SINGLE})'|["']?([^\s"'{{}}\[\],:][^"'{{}}\[\],:\n]{{0,99}}+)["']?)\s*+:"""
)
_CUT_NAME = r"""[^\W\d][\w.$-]{0,100}+["']?\s*+:"""  # its first quote may be missing
_START = re.compile(rf"\{{(?=\s*+(?:\{{\s*+)?(?:/[/*]|\}}|{DOUBLE}|{SINGLE}|{_CUT_NAME}))")
_LOOSE_START = re.compile(rf"\{{(?=\s*+{_KEY.pattern})")
_HEADLESS = re.compile(rf"\s*+(?={DOUBLE})")
_BETWEEN = re.compile(rf"(?:[\s;]++|,(?:\s*+{ELLIPSIS})?+|{COMMENT})*+")
_TWO_COMMAS = re.compile(r",\s*+,")
_BLANK = re.compile(r"\s*+(?:/\*(?s:.*?)(?:\*/|\Z)\s*+)*+")
_QUOTED_KEY = re.compile(rf"{DOUBLE}|{SINGLE}")
_STRAY = re.compile(r"""["']?[^\s{}\[\],"']++|.""")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")
MAX_NUMBER_LENGTH = 4000  # characters; Python reads no integer of more than 4,300
MAX_REOPENED_KEYS = 20  # of an object that may continue after its closing brace: few, so that the work stays linear
_LITERAL_IN_LIST = re.compile(rf"""[\w.+-]{{1,100}}+(?={GAP}(?:[,}}\]"'{{\[]|\Z))""")
_LITERAL = re.compile(rf"[\w.+-]{{1,100}}+(?={GAP}(?:,(?!\d)|[}}\]]|\Z))")  # 60,000 is one number
_LITERALS = ("true", "false", "null")
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_FLOATS = {"nan", "infinity", "-infinity", "inf", "-inf"}


def find_start(text: str, position: int, *, is_loose: bool = False) -> tuple[int, int] | None:
    """Find the next object.

    A brace starts an object if a key or a closing brace follows; with `is_loose`, also if a garbled key may follow. A
    text that starts with a key lacks its first brace if more braces close than open.

    Args:
        text: the text.
        position: where to begin.
        is_loose: whether a garbled key is enough.

    Returns:
        The positions of the brace and of the object's content; None if there are no more objects.

    >>> find_start('As {asked}: {"total": "12.00"}', 0), find_start('"total": "12.00"}', 0)
    ((12, 13), (0, 0))
    >>> find_start('{Invoice No: "1"}', 0), find_start('{Invoice No: "1"}', 0, is_loose=True)
    (None, (0, 1))
    """
    headless = _HEADLESS.match(text) if position == 0 else None
    if headless and text.count("{") < text.count("}"):
        return headless.end(), headless.end()
    start = (_LOOSE_START if is_loose else _START).search(text, position)
    return (start.start(), start.end()) if start else None


def is_closed_too_early(text: str, position: int) -> bool:
    """Whether a comma and a key follow an object that ends at `position`.

    >>> is_closed_too_early('{"date": "2023"}, "total": "12.00"}', 16)
    True
    """
    return NEXT_KEY.match(text, position) is not None


class Reader:
    """Reads one object of `text[start:limit]`, where `start` is the position after its opening brace.

    The readers of one text share `hopeless` (see `end_of_value`). Readers with the same limit must be called in the
    order of their starts. With `scores`, values know their confidences.
    """

    def __init__(
        self, text: str, start: int, limit: int, hopeless: set[object], scores: TokenScores | None = None
    ) -> None:
        self.text, self.position, self.limit = text, start, limit
        self.issues: Counter[str] = Counter()
        self.brackets: list[str] = []
        """The brackets that close the open objects and lists, outermost first."""
        self.open: list[tuple[str | None, list[Any]]] = []
        """The key of each open object or list, and its pairs or elements so far."""
        self.lists = 0
        self.hopeless, self.scores = hopeless, scores

    def read(self) -> tuple[JsonObject, bool]:
        """The object, and whether it was closed. Afterwards, `position` is after it."""
        root: list[tuple[str, Any]] = []
        self._enter("}", root)
        while self.brackets and self._next():
            if self.text[self.position] in "}]":
                self._leave()
            elif self.brackets[-1] == "}":
                self._member()
            else:
                self._element()
        closed = not self.brackets
        if not closed:
            self.issues["added the end, which is missing"] += 1
            self.position = self.limit
        while self.brackets:
            self._close()
        return object_of(root, self.issues), closed

    def _next(self) -> bool:
        """Advance to the next bracket, key or value. False at the end."""
        before = self.position
        self.position = self._skip(_BETWEEN, before)
        if self.position >= self.limit:
            return False
        if len(self.brackets) > MAX_DEPTH:
            self.issues[f"dropped all from where it is nested more than {MAX_DEPTH} levels deep"] += 1
            return False
        if self.open[-1][1]:
            gap = self.text[before : self.position]
            if ("," in gap) == (self.text[self.position] in "}]") or _TWO_COMMAS.search(gap):
                self.issues["dropped a comma" if "," in gap else "added a comma"] += 1
        if self.position > before + 1 and (sign := re.search(r"[/#.…]", self.text[before : self.position])):
            self.issues["dropped a comment" if sign[0] in "/#" else "dropped an ellipsis"] += 1
        return True

    def _skip(self, pattern: re.Pattern[str], position: int) -> int:
        match = pattern.match(self.text, position, self.limit)
        return match.end() if match else position

    # --- brackets ---

    def _enter(self, bracket: str, content: list[Any], key: str | None = None) -> None:
        self.brackets.append(bracket)
        self.open.append((key, content))
        self.lists += bracket == "]"

    def _close(self) -> None:
        bracket = self.brackets.pop()
        key, content = self.open.pop()
        self.lists -= bracket == "]"
        if self.brackets:
            self._add(key, object_of(content, self.issues) if bracket == "}" else content)

    def _add(self, key: str | None, value: object) -> None:
        self.open[-1][1].append(value if self.brackets[-1] == "]" else (key, value))

    def _leave(self) -> None:
        bracket = self.text[self.position]
        self.position += 1
        if bracket == "]":
            stray = not self.lists
        elif self.brackets[-1] == "]":
            stray = bool(NEXT_ELEMENT.match(self.text, self.position, self.limit))
        else:
            stray = len(self.brackets) == 1 and bool(NEXT_KEY.match(self.text, self.position, self.limit))
        if stray:
            self.issues["ignored a bracket"] += 1
            return
        while self.brackets[-1] != bracket:
            self.issues["added a bracket"] += 1
            self._close()
        self._close()

    # --- keys and elements ---

    def _member(self) -> None:
        key = _KEY.match(self.text, self.position, self.limit)
        if key:
            if key[1] is None:
                self.issues["read a key without double quotes"] += 1
            elif key[0].count('"') > key[1].count('"') + 2:
                self.issues["dropped a quote"] += 1
            self.position = key.end()
            self._value(_name(key))
        elif self.text[self.position] not in "{[":
            stray = _STRAY.match(self.text, self.position, self.limit)
            self.position = stray.end() if stray else self.limit
            self.issues["dropped text that is neither a key nor a value"] += 1
        elif self.text[self.position] == "{" and self.open[-1][1] and self.brackets[-2:] == ["]", "}"]:
            self.issues["added a bracket"] += 1
            self._close()
        else:
            self.issues["ignored a bracket"] += 1
            self.position += 1

    def _element(self) -> None:
        """Read the next element of a list. If it is a key, the list was not closed, or an object in it too early."""
        if self.text[self.position] not in "\"'" or not _QUOTED_KEY.match(self.text, self.position, self.limit):
            self._value(None)
            return
        self.issues["added or ignored a bracket"] += 1
        elements = self.open[-1][1]
        key = _KEY.match(self.text, self.position, self.limit)
        if elements and not isinstance(elements[-1], dict):
            self._close()
        elif elements and key and len(elements[-1]) < MAX_REOPENED_KEYS and _name(key) not in elements[-1]:
            self._enter("}", list(elements.pop().items()))
        else:
            self._enter("}", [])

    # --- values ---

    def _value(self, key: str | None) -> None:
        self.position = start = self._skip(_BLANK, self.position)
        first = self.text[start] if start < self.limit else ""
        if first and first in "[{":
            self.position += 1
            self._enter("]" if first == "[" else "}", [], key)
        elif first and first in "\"'":
            if first == "'":
                self.issues["read a text in single quotes"] += 1
            end = self._find_end(start + 1, first)
            if end == self.position and end < self.limit:
                self.issues["added a quote"] += 1
            raw = self.text[start + 1 : end]
            place = (start + 1, end) if end < self.position and is_clear(raw, first) else None
            value = self._text(without_cut_escape(raw) if end == self.limit else raw)
            self._add(key, with_confidence(value, place, self.scores, self.issues))
        else:
            self._bare(key, start)

    def _text(self, raw: str) -> str:
        text = without_doubled_quote(raw)
        if text is not raw:
            self.issues["dropped a quote"] += 1
        escaped, quoted = "\\" in text, '"' in text
        if not escaped and not quoted and text.isprintable():
            return text
        if escaped or not quoted:  # otherwise json would only report an error
            with suppress(ValueError):
                return str(json.loads(f'"{text}"'))
        self.issues["read a text whose quotes, line ends or escapes JSON does not allow"] += 1
        return decoded(text)

    def _find_end(self, start: int, quote: str) -> int:
        """The end of the value at `start`. Advances to where the next key or value may start."""
        end: int
        end, self.position = end_of_value(self.text, start, self.limit, quote, self.brackets, self.hopeless)
        return end

    def _bare(self, key: str | None, start: int) -> None:
        """Read a value without quotes: a literal, or a text."""
        literal = (_LITERAL_IN_LIST if key is None else _LITERAL).match(self.text, start, self.limit)
        if literal:
            self.position = end = literal.end()
        else:
            end = self._find_end(start, "")
        raw = self.text[start:end].strip()
        if raw:
            value = self._plain(raw, cut=end == self.limit)
            place = (start, end) if literal and end < self.limit else None
            self._add(key, with_confidence(value, place, self.scores, self.issues))
        else:
            what = "an empty element" if key is None else f"the key {shortened(key)}, which has no value"
            self.issues[f"dropped {what}"] += 1
            if self.position == start < self.limit and self.text[start] not in ",}]":
                self.position += 1

    def _plain(self, raw: str, *, cut: bool) -> object:
        if _NUMBER.fullmatch(raw):
            if len(raw) <= MAX_NUMBER_LENGTH:
                return float(raw) if set(".eE") & {*raw} else int(raw)
            self.issues[f"read a number of {len(raw):,} characters as text"] += 1
            return raw
        word = raw.lower()
        if cut and len(raw) > 1:
            word = next((whole for whole in _LITERALS if whole.startswith(raw)), word)
        if word in _WORDS or word in _FLOATS:
            if raw not in _LITERALS:
                self.issues[f"read {raw} as a literal"] += 1
            return _WORDS[word] if word in _WORDS else float(word)
        self.issues["read a text without quotes"] += 1
        return decoded(raw.strip("\"'“”"))


def _name(key: re.Match[str]) -> str:
    return key[3].strip() if key[3] is not None else decoded(key[2] if key[1] is None else key[1])
