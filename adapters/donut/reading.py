"""A token sequence → the document that it encodes. Tags are paired first, then elements are read, without recursion."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Set
from itertools import islice
from typing import NamedTuple

from docie.core.errors import json_kind, shortened
from docie.core.values.json_text import MAX_DEPTH
from docie.documents.parsed import Parsed

from ..parsed import issue_lines, scorable
from ..thoughts import outside_thoughts
from ..token_scores import TokenScores
from .writing import unescaped

_MARK = re.compile(r"<(/?)s_([^<>]*)>|<sep/>|</?s>|<pad>")
_CUT = re.compile(r"</?(?:s(?:_[^<>]*|ep?/?)?)?")
_CATEGORY = re.compile(r"<([^<>/]+)/>")
MOST_ISSUES = 20
"""Issues that are listed one by one: a sequence of a model that repeats itself has thousands."""


class _Mark(NamedTuple):
    """A tag, a separator or an ignored token, with its key and its position in the text."""

    kind: str  # "open", "close", "separator" or "ignored"
    key: str
    start: int
    end: int


class _Element:
    """An element that is being read: the mark that closes it, its pieces, the fields or text of its next piece."""

    __slots__ = ("closing", "fields", "has_objects", "is_list", "key", "pieces", "text")

    def __init__(self, key: str, closing: int | None) -> None:
        self.key = key
        self.closing = closing  # the number of the mark that closes it, if there is one
        self.fields: dict[str, object] = {}
        self.text: list[tuple[int, int]] = []
        self.pieces: list[object] = []
        self.is_list = self.has_objects = False

    @property
    def is_unclosed_leaf(self) -> bool:
        return self.closing is None and bool(self.text) and not self.fields and not self.has_objects


def to_document(
    sequence: object, *, task_token: str | None = None, token_scores: Iterable[tuple[str, float]] | None = None
) -> Parsed:
    """Read the document in a sequence, however malformed, in time linear in its length.

    Every closing tag closes the innermost open element of its name. An element that is never closed ends at the next
    tag if it is a text or a list of texts; otherwise it ends with the element around it. A repeated key becomes a list.
    `<sep/>` at the top, tags that close nothing, and text beside fields are dropped. `</s>`, `<s>` and `<pad>` are
    ignored.

    Args:
        sequence (str): the sequence.
        task_token (str): the token of the task with which generation starts, such as `<s_cord-v2>`, which is dropped;
            "" if there is none. None: the first tag is dropped if it is never closed, and has neither text nor `<sep/>`
            directly after it or in it.
        token_scores (iterable of (str, float)): the text of each generated token and its probability, in order. With
            them, every value becomes a scored leaf, whose confidence is the lowest probability of its tokens.
            `generate` returns them with `output_scores=True`:

                scores = model.compute_transition_scores(output.sequences, output.scores, normalize_logits=True).exp()
                tokens = tokenizer.convert_ids_to_tokens(output.sequences[0])[-len(scores[0]) :]
                to_document(tokenizer.decode(output.sequences[0]), token_scores=zip(tokens, scores[0].tolist()))

    Returns:
        Parsed: the document, and a line for each repaired or dropped part. The document is None for a sequence with
        text but without any field.

    Raises:
        ValueError: if the task token is not text, or the token scores are not such pairs; never for a sequence.

    >>> to_document("<s_menu><s_nm>Latte</s_nm><sep/><s_nm>Mocha</s_nm></s_menu><s_total>9.00</s_total></s>")
    Parsed(document={'menu': [{'nm': 'Latte'}, {'nm': 'Mocha'}], 'total': '9.00'}, issues=[])
    >>> to_document("<s_menu><s_nm>Latte<s_price>4.50</s_menu><s_total>9.0")
    Parsed(document={'menu': {'nm': 'Latte', 'price': '4.50'}, 'total': '9.0'},
           issues=["'<s_nm>' is not closed", "'<s_price>' is not closed", "'<s_total>' is not closed"])
    >>> to_document("<s_total>9.00</s_total>", token_scores=[("<s_total>", 1.0), ("9.", 0.9), ("00", 0.7)]).document
    {'total': {'value': '9.00', 'confidence': 0.7}}
    """
    if not isinstance(task_token, str | None):
        raise ValueError(f"task_token must be text, got {shortened(task_token)}")
    if not isinstance(sequence, str):
        return Parsed(None, [f"expected text, got {json_kind(sequence)}"])
    scores = None if token_scores is None else TokenScores(sequence, token_scores)
    sequence, written = outside_thoughts(sequence)[0], sequence
    if not sequence.strip() and written.strip():
        return Parsed(None, ["nothing beside the thoughts"])
    has_task_token = bool(task_token) and sequence.lstrip().startswith(str(task_token))
    start = sequence.find(str(task_token)) + len(str(task_token)) if has_task_token else 0
    marks = [_mark(match) for match in _MARK.finditer(sequence, start)]
    closings, with_separator = _closings(marks)
    if task_token is None:
        _ignore_task_token(sequence, marks, closings.keys() | with_separator)
    return _Reader(sequence, scores).read(marks, closings, start)


def _mark(match: re.Match[str]) -> _Mark:
    if match[2] is None:
        return _Mark("separator" if match[0] == "<sep/>" else "ignored", "", *match.span())
    return _Mark("close" if match[1] else "open", match[2], *match.span())


def _closings(marks: list[_Mark]) -> tuple[dict[int, int], set[int]]:
    """Which mark closes which, and the opening marks with a separator directly inside.

    Each closing tag closes the innermost open element of its key, and leaves those inside of it unclosed.
    """
    closings: dict[int, int] = {}
    with_separator: set[int] = set()
    opened: list[int] = []
    waiting: Counter[str] = Counter()
    for number, mark in enumerate(marks):
        if mark.kind == "open":
            opened.append(number)
            waiting[mark.key] += 1
        elif mark.kind == "separator" and opened:
            with_separator.add(opened[-1])
        elif mark.kind == "close" and waiting[mark.key]:
            while True:
                inner = opened.pop()
                waiting[marks[inner].key] -= 1
                if marks[inner].key == mark.key:
                    break
            closings[inner] = number
    return closings, with_separator


def _ignore_task_token(text: str, marks: list[_Mark], elements: Set[int]) -> None:
    """Ignore the token of the task: a first tag without text directly after it that is not an element: neither closed
    nor a list."""
    for number, mark in enumerate(marks):
        before = marks[number - 1].end if number else 0
        after = marks[number + 1].start if number + 1 < len(marks) else len(text)
        if (text[before : mark.start] + text[mark.end : after]).strip():
            return
        if mark.kind != "ignored":
            if mark.kind == "open" and number not in elements:
                marks[number] = mark._replace(kind="ignored")
            return


class _Reader:
    """Walks through the marks of a text, with a list of open elements."""

    def __init__(self, text: str, scores: TokenScores | None) -> None:
        self.text = text
        self.scores = scores
        self.issues: Counter[tuple[str, str]] = Counter()  # a piece of text, and its problem
        self.root = _Element("", -1)
        self.open = [self.root]

    def read(self, marks: list[_Mark], closings: dict[int, int], start: int) -> Parsed:
        closed, dropped = set(closings.values()), set[int]()
        for number, mark in enumerate(marks):
            self._add_text(start, mark.start)
            start = mark.end
            if mark.kind == "ignored":
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
        """Whether an unclosed value continues after a mark: text after a separator is one more element of its list."""
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
        """Remove the innermost open element, and make it a field of the element around it."""
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
        """Append what was read since the last separator, an object or a value, to the pieces of an element."""
        if element.fields:
            if element.text:
                self._drop_text(element)
            element.has_objects = True
            element.pieces.append(element.fields)
        elif element.text or not element.is_list:
            element.pieces.append(self._value(element.text))
        element.fields, element.text = {}, []

    def _value(self, text: list[tuple[int, int]]) -> object:
        """A text without surrounding white space, with its confidence if there are scores."""
        value = "".join(self.text[start:end] for start, end in text).strip()
        category = _CATEGORY.fullmatch(value)
        value = category[1] if category else unescaped(value)
        confidence = self.scores.least(text) if self.scores and value else None
        return value if confidence is None else {"value": value, "confidence": confidence}

    def _document(self) -> Parsed:
        """The fields at the top, and the issues."""
        document = self.root.fields
        if self.root.text:
            self._drop_text(self.root)
        first = islice(self.issues.items(), MOST_ISSUES)
        issues = issue_lines(Counter({f"{shortened(what)} {problem}": times for (what, problem), times in first}))
        if len(self.issues) > MOST_ISSUES:
            issues.append(f"{len(self.issues) - MOST_ISSUES} issues more")
        if self.scores and self.scores.lost:
            issues.append(f"{self.scores.lost} token scores are not numbers between 0 and 1")
        if self.root.text and not document:
            return Parsed(None, ["no field", *issues])
        document, changes = scorable(document)
        return Parsed(document, issues + changes)

    def _drop_text(self, element: _Element) -> None:
        for start, end in element.text:
            self.issues[self.text[start : min(end, start + 100)].strip(), "stands beside fields, and is dropped"] += 1


def _blank(text: str) -> bool:
    return not text or text.isspace()


def _both(earlier: object, value: object) -> object:
    """The values of a repeated key as one list, or appended to the first value's list. Blank ones are left out.

    Equal values are kept, unlike in JSON answers (`parsed.object_of`): sequences write several values one after the
    other.
    """
    if "" in (earlier, value):
        return value if earlier == "" else earlier
    values = earlier if isinstance(earlier, list) else [earlier]
    if isinstance(value, list):
        values += value
    else:
        values.append(value)
    return values
