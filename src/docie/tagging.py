"""Tag schemes: words tagged `B-total`, `I-total`, `O` and so on → spans of words, and back.

IOB1 is the scheme of Ramshaw and Marcus, "Text Chunking using Transformation-Based Learning" (1995); IOB2, IOE1 and
IOE2 are those of Tjong Kim Sang and Veenstra, "Representing Text Chunks" (1999); IOBES and BILOU (the same with the
letters L for E and U for S) mark both ends of a span. How malformed sequences are read follows seqeval (Nakayama,
2018): leniently as its default mode, strictly as its strict mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, NamedTuple

from docie.errors import DocumentError, shortened

__all__ = [
    "SCHEMES",
    "Span",
    "Tagged",
    "check_reading",
    "check_scheme",
    "first_fault",
    "spans",
    "split_tag",
    "tagged",
    "tags_of",
]

SCHEMES = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU")
OUTSIDE = "O"
PREFIXES = {None: "BIES", "IOB1": "BI", "IOB2": "BI", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}
MAX_STEPS = 100_000  # remembered by a reader; then it forgets them all


class Span(NamedTuple):
    """An entity's place: its type, the positions of its first and of its last word."""

    type: str
    first: int
    last: int


class Rules(NamedTuple):
    """Which neighbours start, continue and end a span: prefix before, prefix here, types equal (=) or not (/); ? = any.

    A span goes on as long as `inside` allows it, and counts if `end` allows its end there. Outside of spans, and right
    after one, a span starts where `start` allows it.
    """

    start: str
    inside: str
    end: str


_LENIENT = Rules("?B? ?I? ?E? ?S?", "BI= BE= II= IE=", "???")
_BOTH_ENDS = Rules("?B? ?S?", "BI= BE= II= IE=", "E?? S??")
_STRICT = {
    "IOB1": Rules("OI? BI? II/ IB= BB=", "BI= II=", "IO? BO? IB? BB= II/ BI/"),
    "IOB2": Rules("?B?", "BI= II=", "IO? BO? IB? BB? II/ BI/"),
    # seqeval has no start OE?, IE/ and EE/, without which a span of one word before another of its type is lost
    "IOE1": Rules("OI? EI? II/ OE? IE/ EE?", "II= IE=", "IO? II/ IE/ EI= EE="),
    "IOE2": Rules("OI? EI? II/ OE? IE/ EE?", "II= IE=", "E??"),
    "IOBES": _BOTH_ENDS,
    "BILOU": _BOTH_ENDS,
}
_AS_IOBES = {"L": "E", "U": "S"}
_CLOSES, _OPENS = 1, 2


def spans(tags: Sequence[str], scheme: str | None = None, *, strict: bool = False) -> list[Span]:
    """The spans of tagged words, in order.

    `tags` are O, or a prefix, a hyphen and a type; a prefix alone (`B`, `I-`) has the type `_`. `scheme` is one of
    `SCHEMES`, or None for the prefixes B, I, E and S of any. Read leniently, a word that is not O always belongs to a
    span: to the one before it, if both have the same type, B or I stands before and I or E here, else to a new one.
    `strict` reads only what the scheme allows, and needs one. Raises DocumentError for what is no tag (of the scheme),
    ValueError for an unknown scheme.

    >>> spans(["B-total", "I-total", "O", "I-date"])
    [Span(type='total', first=0, last=1), Span(type='date', first=3, last=3)]
    >>> spans(["B-total", "I-total", "O", "I-date"], "IOB2", strict=True)
    [Span(type='total', first=0, last=1)]
    >>> spans(["O", "total"])
    Traceback (most recent call last):
    ...
    docie.errors.DocumentError: tag 1: 'total' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)
    """
    reader = _reader(scheme, strict)
    if isinstance(tags, str):
        raise DocumentError(f"tags must be a list, got {shortened(tags)}")
    found: list[tuple[str, int, int]] = []
    state, first, position = reader.outside, 0, 0
    try:
        for position, tag in enumerate(tags):
            change, following = state[tag]
            if change:
                if change & _CLOSES:
                    found.append((state.type, first, position - 1))
                if change & _OPENS:
                    first = position
            state = following
    except (ValueError, TypeError):  # TypeError: a list is no key of a dict
        raise DocumentError(_problem(tags[position], scheme), item=f"tag {position}") from None
    if state[OUTSIDE][0] & _CLOSES:
        found.append((state.type, first, len(tags) - 1))
    return list(map(Span._make, found))


def tags_of(spans: Iterable[Span | tuple[str, int, int]], length: int, scheme: str = "IOB2") -> list[str]:
    """The tags of `length` words with these spans, in any order; `spans` reads them back in every scheme.

    Raises ValueError for spans that overlap or leave the range, for a span without a type, and for an unknown scheme.

    >>> tags_of([Span("total", 0, 1), Span("total", 2, 2)], 4)
    ['B-total', 'I-total', 'B-total', 'O']
    >>> tags_of([("total", 0, 1), ("total", 2, 2)], 4, "IOB1"), tags_of([("total", 0, 1)], 2, "BILOU")
    (['I-total', 'I-total', 'B-total', 'O'], ['B-total', 'L-total'])
    >>> tags_of([("total", 0, 1), ("date", 1, 1)], 4)
    Traceback (most recent call last):
    ...
    ValueError: span ('date', 1, 1) overlaps ('total', 0, 1)
    """
    check_scheme(scheme)
    tags = [OUTSIDE] * length
    before: Span | None = None
    for span in sorted((Span(*span) for span in spans), key=lambda span: span.first):
        _check_span(span, before, length)
        touches = before is not None and before.type == span.type and before.last == span.first - 1
        if touches and scheme == "IOE1":
            tags[span.first - 1] = f"E-{span.type}"
        prefixes = _prefixes(span.last - span.first + 1, scheme, touches=touches)
        tags[span.first : span.last + 1] = [f"{prefix}-{span.type}" for prefix in prefixes]
        before = span
    return tags


def _prefixes(words: int, scheme: str, *, touches: bool) -> list[str]:
    """The prefixes of one span; it `touches` another of its type before it."""
    prefixes = ["I"] * words
    if scheme in ("IOB2", "IOBES", "BILOU") or (scheme == "IOB1" and touches):
        prefixes[0] = "B"
    if scheme in ("IOE2", "IOBES", "BILOU"):
        prefixes[-1] = "L" if scheme == "BILOU" else "E"
    if words == 1 and scheme in ("IOBES", "BILOU"):
        prefixes[0] = "U" if scheme == "BILOU" else "S"
    return prefixes


def _check_span(span: Span, before: Span | None, length: int) -> None:
    if not isinstance(span.type, str) or not span.type:
        raise ValueError(f"span {tuple(span)} needs a type")
    if span.first > span.last:
        raise ValueError(f"span {tuple(span)} ends before it begins")
    if not 0 <= span.first <= span.last < length:
        words = f"words 0 to {length - 1}" if length else "0 words"
        raise ValueError(f"span {tuple(span)} is outside of {words}")
    if before is not None and span.first <= before.last:
        raise ValueError(f"span {tuple(span)} overlaps {tuple(before)}")


def first_fault(tags: Sequence[str], scheme: str) -> tuple[int, str] | None:
    """The position of the first tag that the scheme would not have there, and the tag that it would; None without one.

    What it would have are the tags of the spans as read leniently. Raises DocumentError for what is no tag.

    >>> first_fault(["O", "I-total", "I-total"], "IOB2")
    (1, 'B-total')
    >>> first_fault(["O", "I-total", "I-total"], "IOB1") is None
    True
    """
    check_scheme(scheme)
    expected = tags_of(spans(tags, scheme), len(tags), scheme)
    for position, (tag, other) in enumerate(zip(tags, expected, strict=True)):
        if tag != other and split_tag(tag, PREFIXES[scheme]) != split_tag(other, PREFIXES[scheme]):  # `B` is `B-_`
            return position, other
    return None


def split_tag(tag: object, prefixes: str = "BIESLU") -> tuple[str, str]:
    """Prefix and type of a tag. Raises ValueError for what is no tag with one of these prefixes, nor O.

    >>> split_tag("B-menu.nm"), split_tag("I"), split_tag("O")
    (('B', 'menu.nm'), ('I', '_'), ('O', ''))
    """
    if isinstance(tag, str):
        if tag == OUTSIDE:
            return OUTSIDE, ""
        if tag and tag[0] in prefixes and tag[1:2] in ("", "-"):
            return tag[0], tag[2:] or "_"
    raise ValueError(f"{shortened(tag)} is no tag, {_expected(prefixes)}")


class Tagged(NamedTuple):
    """Words and their tags."""

    words: list[Any]
    tags: list[Any]


def tagged(value: object) -> Tagged | None:
    """The words and tags of `{"words": [...], "tags": [...]}`, None for all else; what the lists hold is not looked at.

    Raises DocumentError unless there are as many words as tags.

    >>> tagged({"words": ["12.00", "EUR"], "tags": ["B-total", "I-total"]}).words
    ['12.00', 'EUR']
    >>> tagged({"words": "12.00", "tags": []}) is tagged({"words": [], "tags": [], "id": 1}) is None
    True
    >>> tagged({"words": ["12.00"], "tags": []})
    Traceback (most recent call last):
    ...
    docie.errors.DocumentError: expected as many tags as words, got 0 and 1
    """
    if not isinstance(value, Mapping) or len(value) != 2:
        return None
    words, tags = value.get("words"), value.get("tags")
    if not isinstance(words, list) or not isinstance(tags, list):
        return None
    if len(words) != len(tags):
        raise DocumentError(f"expected as many tags as words, got {len(tags)} and {len(words)}")
    return Tagged(words, tags)


def check_scheme(scheme: object) -> None:
    """Raise ValueError unless `scheme` is one of `SCHEMES`.

    >>> check_scheme("BIO")
    Traceback (most recent call last):
    ...
    ValueError: unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU
    """
    if scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {shortened(scheme)}, expected one of {', '.join(SCHEMES)}")


def check_reading(scheme: object, strict: object) -> None:
    """Raise ValueError unless `spans` takes this scheme, which may be None unless `strict`, and this strictness."""
    if not isinstance(strict, bool):
        raise ValueError(f"strict must be True or False, got {shortened(strict)}")
    if scheme is None and strict:
        raise ValueError(f"strict needs a scheme, one of {', '.join(SCHEMES)}")
    if scheme is not None:
        check_scheme(scheme)


class _State(dict[str, tuple[int, "_State"]]):
    """After a tag, in a span or not: the next tag → (what it closes and opens, the state after it).

    Sequences have many words and few tags, so the steps from tag to tag are worked out once and looked up then.
    """

    def __init__(self, reader: _Reader, prefix: str, type: str, inside: bool) -> None:
        super().__init__()
        self.reader, self.prefix, self.type, self.inside = reader, prefix, type, inside

    def __missing__(self, tag: str) -> tuple[int, _State]:
        return self.reader.step(self, tag)


class _Reader:
    """The states of one way to read tags, made as they are needed."""

    def __init__(self, prefixes: str, rules: Rules) -> None:
        self.prefixes = prefixes
        self.start, self.inside, self.end = map(_neighbours, rules)
        self.outside = _State(self, OUTSIDE, "", False)
        self.states: dict[tuple[str, str, bool], _State] = {}
        self.steps = 0

    def step(self, state: _State, tag: str) -> tuple[int, _State]:
        prefix, kind = split_tag(tag, self.prefixes)
        prefix = _AS_IOBES.get(prefix, prefix)
        here = state.prefix + prefix + ("=" if kind == state.type else "/")
        goes_on = state.inside and here in self.inside
        closes = state.inside and not goes_on and here in self.end
        opens = not goes_on and here in self.start
        if self.steps >= MAX_STEPS:
            self.outside.clear()
            self.states.clear()
            self.steps = 0
        self.steps += 1
        following = self.outside
        if prefix != OUTSIDE:
            key = (prefix, kind, goes_on or opens)
            following = self.states.setdefault(key, _State(self, *key))
        state[tag] = (_CLOSES * closes + _OPENS * opens, following)
        return state[tag]


@cache
def _reader(scheme: str | None, strict: bool) -> _Reader:
    check_reading(scheme, strict)
    return _Reader(PREFIXES[scheme], _STRICT[str(scheme)] if strict else _LENIENT)


def _neighbours(rules: str) -> frozenset[str]:
    """Every combination that the rules allow."""
    every = [one + two + types for one in "OBIES" for two in "OBIES" for types in "=/"]
    return frozenset(here for rule in rules.split() for here in every if fnmatchcase(here, rule))


def _expected(prefixes: str) -> str:
    return f"expected O or a tag such as {prefixes[0]}-total (prefixes {', '.join(prefixes)})"


def _problem(tag: object, scheme: str | None) -> str:
    """What is wrong with what is no tag of the scheme."""
    bilou = scheme is None and isinstance(tag, str) and tag.startswith(("L-", "U-"))
    hint = "; BILOU is read as scheme='BILOU'" if bilou else ""
    return f"{shortened(tag)} is no tag{f' of {scheme}' if scheme else ''}, {_expected(PREFIXES[scheme])}{hint}"
