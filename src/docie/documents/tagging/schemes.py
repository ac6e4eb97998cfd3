"""Tag schemes: their tags, and where spans start, go on and end.

A corpus has many words but few tags. So each step from one tag to the next is worked out once and then looked up.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import NamedTuple

from docie.core.errors import in_json, shortened
from docie.core.settings import check_flag

SCHEMES = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU")
OUTSIDE = "O"
PREFIXES = {None: "BIES", "IOB1": "BI", "IOB2": "BI", "IOE1": "IE", "IOE2": "IE", "IOBES": "BIES", "BILOU": "BILU"}
MAX_STEPS = 20_000  # that a reader remembers; then it forgets all of them
LONGEST_TAG = 100  # characters of a tag that is remembered


class Rules(NamedTuple):
    """Where spans start, go on and end.

    A rule has the prefix of the tag before, the prefix of the tag here, and whether their types are equal (=) or not
    (/); ? stands for any. A span goes on while `inside` allows it. It counts if `end` allows it to end. Outside of
    spans, and directly after one, a span starts where `start` allows it.
    """

    start: str
    inside: str
    end: str


_LENIENT = Rules("?B? ?I? ?E? ?S?", "BI= BE= II= IE=", "???")
_BOTH_ENDS = Rules("?B? ?S?", "BI= BE= II= IE=", "E?? S??")
_STRICT = {
    "IOB1": Rules("OI? BI? II/ IB= BB=", "BI= II=", "IO? BO? IB? BB= II/ BI/"),
    "IOB2": Rules("?B?", "BI= II=", "IO? BO? IB? BB? II/ BI/"),
    # seqeval does not start at OE?, IE/ and EE/: it loses a span of one word that stands before another of its type
    "IOE1": Rules("OI? EI? II/ OE? IE/ EE?", "II= IE=", "IO? II/ IE/ EI= EE="),
    "IOE2": Rules("OI? EI? II/ OE? IE/ EE?", "II= IE=", "E??"),
    "IOBES": _BOTH_ENDS,
    "BILOU": _BOTH_ENDS,
}
_AS_IOBES = {"L": "E", "U": "S"}


Event = tuple[str | None, bool]
"""The type of the span that ended before a tag (None if none did, or it does not count); whether one starts there."""
NOTHING: Event = (None, False)


class State(dict[str, "tuple[Event | None, State]"]):
    """The state after a tag: its prefix and type, and whether it is in a span.

    As a dictionary, it maps the next tag to what happens there and to the state after it.
    """

    def __init__(self, reader: Reader, prefix: str, type: str, inside: bool) -> None:
        super().__init__()
        self.reader, self.prefix, self.type, self.inside = reader, prefix, type, inside

    def __missing__(self, tag: str) -> tuple[Event | None, State]:
        return self.reader.step(self, tag)


class Reader:
    """One way to read tags. `outside` is the first state; the others are made when they are needed."""

    def __init__(self, prefixes: str, rules: Rules) -> None:
        self.prefixes = prefixes
        self.start, self.inside, self.end = map(_neighbours, rules)
        self.outside = State(self, OUTSIDE, "", False)
        self.states: dict[tuple[str, str, bool], State] = {}
        self.steps = 0

    def step(self, state: State, tag: str) -> tuple[Event | None, State]:
        """Work out what happens at `tag` after `state`, and remember it, unless the tag is very long.

        Raises:
            ValueError: if it is no tag.
        """
        prefix, entity_type = split_tag(tag, self.prefixes)
        prefix = _AS_IOBES.get(prefix, prefix)
        here = state.prefix + prefix + ("=" if entity_type == state.type else "/")
        goes_on = state.inside and here in self.inside
        closes = state.inside and not goes_on and here in self.end
        opens = not goes_on and here in self.start
        event = (state.type if closes else None, opens) if closes or opens else None
        if len(tag) > LONGEST_TAG:
            return event, State(self, prefix, entity_type, goes_on or opens)
        if self.steps >= MAX_STEPS:
            self.outside.clear()
            self.states.clear()
            self.steps = 0
        self.steps += 1
        following = self.outside
        if prefix != OUTSIDE:
            key = (prefix, entity_type, goes_on or opens)
            following = self.states.setdefault(key, State(self, *key))
        state[tag] = (event, following)
        return state[tag]


@cache
def reader_of(scheme: str | None, strict: bool) -> Reader:
    """The reader of a scheme. None reads the prefixes B, I, E and S."""
    check_reading(scheme, strict)
    return Reader(PREFIXES[scheme], _STRICT[str(scheme)] if strict else _LENIENT)


def _neighbours(rules: str) -> frozenset[str]:
    """All combinations that the rules allow."""
    combinations = [before + here + types for before in "OBIES" for here in "OBIES" for types in "=/"]
    return frozenset(each for rule in rules.split() for each in combinations if fnmatchcase(each, rule))


def split_tag(tag: object, prefixes: str = "BIESLU") -> tuple[str, str]:
    """Split a tag into its prefix and its type.

    Args:
        tag (str): the tag.
        prefixes (str): the letters that it may begin with, besides O.

    Returns:
        tuple of str: the prefix and the type; ("O", "") for O, and the type "_" for a prefix alone.

    Raises:
        ValueError: if it is no such tag.

    >>> split_tag("B-menu.nm"), split_tag("I"), split_tag("O")
    (('B', 'menu.nm'), ('I', '_'), ('O', ''))
    """
    if isinstance(tag, str):
        if tag == OUTSIDE:
            return OUTSIDE, ""
        if tag and tag[0] in prefixes and tag[1:2] in ("", "-"):
            return tag[0], tag[2:] or "_"
    raise ValueError(f"{in_json(tag)} is no tag, {expected_tag(prefixes)}")


def is_tag(value: object) -> bool:
    """Whether a value is a tag of any scheme.

    Args:
        value: any value.

    Returns:
        bool: whether it is a tag.

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

    Args:
        scheme (str): the name of a scheme.

    Raises:
        ValueError: if there is no such scheme.

    >>> check_scheme("BIO")
    Traceback (most recent call last):
    ...
    ValueError: unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU
    """
    if not isinstance(scheme, str) or scheme not in SCHEMES:
        raise ValueError(f"unknown scheme {shortened(scheme)}, expected one of {', '.join(SCHEMES)}")


def check_reading(scheme: object, strict: object) -> None:
    """Raise ValueError unless `find_spans` takes these options.

    Args:
        scheme (str): the name of a scheme; None only if not strict.
        strict (bool): whether tags are read strictly.

    Raises:
        ValueError: if it does not take them.
    """
    check_flag("strict", strict)
    if scheme is None and strict:
        raise ValueError(f"strict needs a scheme, one of {', '.join(SCHEMES)}")
    if scheme is not None:
        check_scheme(scheme)
