"""How tags are read: the tags of each scheme, and which neighbours start, continue and end a span.

Sequences have many words and few tags: the steps from tag to tag are worked out once and looked up from then on.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from docie.errors import shortened
from docie.settings import check_flag

__all__ = [
    "NOTHING",
    "OUTSIDE",
    "PREFIXES",
    "SCHEMES",
    "Reader",
    "State",
    "check_reading",
    "check_scheme",
    "expected_tag",
    "is_tag",
    "reader",
    "split_tag",
]

SCHEMES = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU")
OUTSIDE = "O"
PREFIXES = {None: "BIES", "IOB1": "BI", "IOB2": "BI", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}
MAX_STEPS = 100_000  # remembered by a reader; then it forgets them all


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


Event = tuple[str | None, bool]
"""The type of the span that ended before a tag, if one did and counts, and whether a span starts at the tag."""
NOTHING: Event = (None, False)


class State(dict[str, "tuple[Event | None, State]"]):
    """After a tag with this prefix and type, in a span or not: the next tag → (what happens at it, the state then)."""

    def __init__(self, reader: Reader, prefix: str, type: str, inside: bool) -> None:
        super().__init__()
        self.reader, self.prefix, self.type, self.inside = reader, prefix, type, inside

    def __missing__(self, tag: str) -> tuple[Event | None, State]:
        return self.reader.step(self, tag)


class Reader:
    """One way to read tags: `outside` is the state to begin with, all others are made as they are needed."""

    def __init__(self, prefixes: str, rules: Rules) -> None:
        self.prefixes = prefixes
        self.start, self.inside, self.end = map(_neighbours, rules)
        self.outside = State(self, OUTSIDE, "", False)
        self.states: dict[tuple[str, str, bool], State] = {}
        self.steps = 0

    def step(self, state: State, tag: str) -> tuple[Event | None, State]:
        """What happens at `tag` in `state`, worked out and remembered. Raises ValueError for what is no tag."""
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
            following = self.states.setdefault(key, State(self, *key))
        event = (state.type if closes else None, opens) if closes or opens else None
        state[tag] = (event, following)
        return state[tag]


@cache
def reader(scheme: str | None, strict: bool) -> Reader:
    """The reader of a scheme; None is that of the prefixes B, I, E and S."""
    check_reading(scheme, strict)
    return Reader(PREFIXES[scheme], _STRICT[str(scheme)] if strict else _LENIENT)


def _neighbours(rules: str) -> frozenset[str]:
    """Every combination that the rules allow."""
    every = [one + two + types for one in "OBIES" for two in "OBIES" for types in "=/"]
    return frozenset(here for rule in rules.split() for here in every if fnmatchcase(here, rule))


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
    raise ValueError(f"{shortened(tag)} is no tag, {expected_tag(prefixes)}")


def is_tag(value: object) -> bool:
    """Whether a value is a tag of any scheme.

    >>> is_tag("B-menu.nm"), is_tag("O"), is_tag("menu.nm"), is_tag(1)
    (True, True, False, False)
    """
    try:
        split_tag(value)
    except ValueError:
        return False
    return True


def expected_tag(prefixes: str) -> str:
    """What errors say of tags with these prefixes."""
    return f"expected O or a tag such as {prefixes[0]}-total (prefixes {', '.join(prefixes)})"


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
    check_flag("strict", strict)
    if scheme is None and strict:
        raise ValueError(f"strict needs a scheme, one of {', '.join(SCHEMES)}")
    if scheme is not None:
        check_scheme(scheme)
