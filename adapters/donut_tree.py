"""A token sequence of Donut → the document it spells: tags are paired, then elements read, neither with recursion."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Set
from itertools import islice
from typing import Any, NamedTuple

from docie.adapters.donut_escapes import unescaped
from docie.adapters.parsed import Parsed, listed
from docie.adapters.scorable import scorable
from docie.adapters.token_scores import TokenScores
from docie.errors import shortened
from docie.jsontext import MAX_DEPTH

__all__ = ["read_tree"]

_MARK = re.compile(r"<(/?)s_([^<>]*)>|<sep/>|</?s>|<pad>")
_CUT = re.compile(r"</?(?:s(?:_[^<>]*|ep?/?)?)?")
_CATEGORY = re.compile(r"<([^<>/]+)/>")
MOST_ISSUES = 20


class _Mark(NamedTuple):
    """A tag, a separator or a token that does not count, with its key and its place."""

    kind: str  # "open", "close", "separator" or "nothing"
    key: str
    start: int
    end: int


class _Element:
    """An element that is being read: where it is closed, its pieces so far, and the fields or the text of the next."""

    __slots__ = ("closing", "fields", "has_objects", "is_list", "key", "pieces", "text")

    def __init__(self, key: str, closing: int | None) -> None:
        self.key = key
        self.closing = closing  # which mark closes it, if one does
        self.fields: dict[str, Any] = {}
        self.text: list[tuple[int, int]] = []
        self.pieces: list[Any] = []
        self.is_list = self.has_objects = False

    @property
    def is_unclosed_leaf(self) -> bool:
        return self.closing is None and bool(self.text) and not self.fields and not self.has_objects


def read_tree(text: str, task_token: str | None, scores: TokenScores | None) -> Parsed:
    """The document of a sequence; see `docie.adapters.donut.to_document`."""
    start = text.find(task_token) + len(task_token) if task_token and text.lstrip().startswith(task_token) else 0
    marks = [_mark(found) for found in _MARK.finditer(text, start)]
    closings, divided = _closings(marks)
    if task_token is None:
        _drop_task(text, marks, closings.keys() | divided)
    return _Reader(text, scores).read(marks, closings, start)


def _mark(found: re.Match[str]) -> _Mark:
    if found[2] is None:
        return _Mark("separator" if found[0] == "<sep/>" else "nothing", "", *found.span())
    return _Mark("close" if found[1] else "open", found[2], *found.span())


def _closings(marks: list[_Mark]) -> tuple[dict[int, int], set[int]]:
    """Opening → closing mark, and the opening marks that have a separator directly inside. Each closing tag closes the
    innermost open element of its key, and leaves those inside unclosed."""
    closings: dict[int, int] = {}
    divided: set[int] = set()
    opened: list[int] = []
    waiting: Counter[str] = Counter()
    for number, mark in enumerate(marks):
        if mark.kind == "open":
            opened.append(number)
            waiting[mark.key] += 1
        elif mark.kind == "separator" and opened:
            divided.add(opened[-1])
        elif mark.kind == "close" and waiting[mark.key]:
            while True:
                inner = opened.pop()
                waiting[marks[inner].key] -= 1
                if marks[inner].key == mark.key:
                    break
            closings[inner] = number
    return closings, divided


def _drop_task(text: str, marks: list[_Mark], elements: Set[int]) -> None:
    """Leave out the task's token: a tag that stands first, has no text right behind it, and is none of the elements,
    neither closed nor a list."""
    for number, mark in enumerate(marks):
        before = marks[number - 1].end if number else 0
        after = marks[number + 1].start if number + 1 < len(marks) else len(text)
        if (text[before : mark.start] + text[mark.end : after]).strip():
            return
        if mark.kind != "nothing":
            if mark.kind == "open" and number not in elements:
                marks[number] = mark._replace(kind="nothing")
            return


class _Reader:
    """Walks the marks of a text, with the elements that are open in a list of its own."""

    def __init__(self, text: str, scores: TokenScores | None) -> None:
        self.text = text
        self.scores = scores
        self.issues: Counter[tuple[str, str]] = Counter()  # what, and its problem
        self.root = _Element("", -1)
        self.open = [self.root]

    def read(self, marks: list[_Mark], closings: dict[int, int], start: int) -> Parsed:
        closed, dropped = set(closings.values()), set[int]()
        for number, mark in enumerate(marks):
            self._add_text(start, mark.start)
            start = mark.end
            if mark.kind == "nothing":
                continue
            if self.open[-1].is_unclosed_leaf and not self._goes_on(marks, number):
                self._close()
            if number in dropped:
                continue
            if mark.kind == "open" and len(self.open) > MAX_DEPTH:
                self.issues[f"<s_{mark.key}>", "is nested too deep, and dropped"] += 1
                dropped.add(closings.get(number, -1))
            elif mark.kind == "open":
                self.open.append(_Element(unescaped(mark.key), closings.get(number)))
            elif mark.kind == "separator":
                self._separate()
            elif number not in closed:
                self.issues[f"</s_{mark.key}>", "closes nothing"] += 1
            else:
                while self.open[-1].closing != number:
                    self._close()
                self._close()
        self._add_text(start, self._end())
        while len(self.open) > 1:
            self._close()
        return self._document()

    def _end(self) -> int:
        """The end of the text, before a tag that is cut off there."""
        cut = self.text.rfind("<")
        if cut < 0 or not _CUT.fullmatch(self.text, cut):
            return len(self.text)
        self.issues[self.text[cut:], "is cut off"] += 1
        return cut

    def _goes_on(self, marks: list[_Mark], number: int) -> bool:
        """Whether an unclosed value goes on behind a mark: text behind a separator is one more element of its list."""
        end = marks[number + 1].start if number + 1 < len(marks) else len(self.text)
        return marks[number].kind == "separator" and not _blank(self.text[marks[number].end : end])

    def _add_text(self, start: int, end: int) -> None:
        if not _blank(self.text[start:end]):
            self.open[-1].text.append((start, end))

    def _separate(self) -> None:
        element = self.open[-1]
        if element is self.root:
            self.issues["<sep/>", "at the top is dropped"] += 1
        else:
            element.is_list = True
            self._end_piece(element)

    def _close(self) -> None:
        """Take the innermost element from the open ones, and make it a field of the one around it."""
        element = self.open.pop()
        if element.closing is None:
            self.issues[f"<s_{element.key}>", "is not closed"] += 1
        self._end_piece(element)
        value = element.pieces if element.is_list else element.pieces[0]
        fields = self.open[-1].fields
        if element.key in fields:
            self.issues[f"<s_{element.key}>", "is repeated"] += 1
            value = _both(fields[element.key], value)
        fields[element.key] = value

    def _end_piece(self, element: _Element) -> None:
        """Add what was read since the last separator to the pieces of an element: an object, or a value."""
        if element.fields:
            if element.text:
                self._drop_text(element)
            element.has_objects = True
            element.pieces.append(element.fields)
        elif element.text or not element.is_list:
            element.pieces.append(self._value(element.text))
        element.fields, element.text = {}, []

    def _value(self, text: list[tuple[int, int]]) -> Any:
        """A text without the white space around it, with its confidence if there are scores."""
        value = "".join(self.text[start:end] for start, end in text).strip()
        category = _CATEGORY.fullmatch(value)
        value = category[1] if category else unescaped(value)
        confidence = self.scores.least(text) if self.scores and value else None
        return value if confidence is None else {"value": value, "confidence": confidence}

    def _document(self) -> Parsed:
        """What was read at the top, with the issues."""
        document = self.root.fields
        if self.root.text:
            self._drop_text(self.root)
        first = islice(self.issues.items(), MOST_ISSUES)
        issues = listed(Counter({f"{shortened(what)} {problem}": times for (what, problem), times in first}))
        if len(self.issues) > MOST_ISSUES:
            issues.append(f"{len(self.issues) - MOST_ISSUES} issues more")
        if self.scores and self.scores.lost:
            issues.append(f"{self.scores.lost} token scores are no numbers between 0 and 1")
        if self.root.text and not document:
            return Parsed(None, ["no field", *issues])
        document, changes = scorable(document)
        return Parsed(document, issues + changes)

    def _drop_text(self, element: _Element) -> None:
        for start, end in element.text:
            self.issues[self.text[start : min(end, start + 100)].strip(), "stands beside fields, and is dropped"] += 1


def _blank(text: str) -> bool:
    return not text or text.isspace()


def _both(earlier: Any, value: Any) -> Any:
    """The values of a repeated key as one list, which is the first value's if that is one; blank ones do not count.

    Unlike answers in JSON (`parsed.object_of`) sequences write several values in a row, so that equal ones stay.
    """
    if "" in (earlier, value):
        return value if earlier == "" else earlier
    values = earlier if isinstance(earlier, list) else [earlier]
    if isinstance(value, list):
        values += value
    else:
        values.append(value)
    return values
