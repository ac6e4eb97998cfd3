"""Tag schemes: words tagged `B-total`, `I-total`, `O` and so on → spans of words, and back.

IOB1 is the scheme of Ramshaw and Marcus, "Text Chunking using Transformation-Based Learning" (1995); IOB2, IOE1 and
IOE2 are those of Tjong Kim Sang and Veenstra, "Representing Text Chunks" (1999); IOBES and BILOU (the same with the
letters L for E and U for S) mark both ends of a span. How malformed sequences are read follows seqeval (Nakayama,
2018): leniently as its default mode, strictly as its strict mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from docie.errors import DocumentError, shortened
from docie.tag_reader import (
    NOTHING,
    OUTSIDE,
    PREFIXES,
    SCHEMES,
    State,
    check_reading,
    check_scheme,
    expected_tag,
    is_tag,
    reader,
    split_tag,
)
from docie.values import as_list, is_list

__all__ = [
    "PREFIXES",
    "SCHEMES",
    "Span",
    "Tagged",
    "bounds",
    "check_reading",
    "check_scheme",
    "compared",
    "first_fault",
    "is_tag",
    "is_tagged",
    "spans",
    "split_tag",
    "tagged",
    "tags_of",
]


class Span(NamedTuple):
    """An entity's place: its type, the positions of its first and of its last word."""

    type: str
    first: int
    last: int


def spans(
    tags: Sequence[str], scheme: str | None = None, *, strict: bool = False, sentences: Sequence[int] | None = None
) -> list[Span]:
    """The spans of tagged words, in order.

    `tags` are O, or a prefix, a hyphen and a type; a prefix alone (`B`, `I-`) has the type `_`. `scheme` is one of
    `SCHEMES`, or None for the prefixes B, I, E and S of any. Read leniently, a word that is not O always belongs to a
    span: to the one before it, if both have the same type, B or I stands before and I or E here, else to a new one.
    `strict` reads only what the scheme allows, and needs one. No span goes on from one of the `sentences`, given by
    their lengths, to the next. Raises DocumentError for what is no tag (of the scheme), ValueError for an unknown
    scheme.

    >>> spans(["B-total", "I-total", "O", "I-date"])
    [Span(type='total', first=0, last=1), Span(type='date', first=3, last=3)]
    >>> spans(["B-total", "I-total", "O", "I-date"], "IOB2", strict=True)
    [Span(type='total', first=0, last=1)]
    >>> spans(["O", "total"])
    Traceback (most recent call last):
    ...
    docie.errors.DocumentError: tag 1: 'total' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)
    """
    if isinstance(tags, str):
        raise DocumentError(f"tags must be a list, got {shortened(tags)}")
    found = []
    state, first = reader(scheme, strict).outside, 0
    try:
        for start, end in bounds(len(tags), sentences):
            for position, tag in enumerate([*tags[start:end], OUTSIDE], start):
                event, state = state[tag]
                if event:
                    ended, starts = event
                    if ended:
                        found.append(Span(ended, first, position - 1))
                    if starts:
                        first = position
    except (ValueError, TypeError):  # TypeError: a list is no key of a dict
        _check_tags(tags, scheme)
        raise
    return found


def bounds(length: int, sentences: Sequence[int] | None) -> Iterable[tuple[int, int]]:
    """Beginning and end of every sentence, or of all `length` words.

    >>> list(bounds(5, [2, 3])), list(bounds(5, None))
    ([(0, 2), (2, 5)], [(0, 5)])
    """
    return pairwise((0, *accumulate(sentences))) if sentences else ((0, length),)


def compared(
    prediction: Sequence[str],
    reference: Sequence[str],
    scheme: str | None = None,
    *,
    strict: bool = False,
    sentences: Sequence[int] | None = None,
) -> dict[str, list[int]]:
    """By type, how many spans are on both sides, in the prediction only and in the reference only.

    Both are as long, and read as `spans` reads them, whose errors it raises with the side named. One pass over both at
    once takes half the time of making two lists of spans and comparing these.

    >>> compared(["B-total", "O", "B-date"], ["B-total", "I-total", "B-date"])
    {'total': [0, 1, 1], 'date': [1, 0, 0]}
    """
    counts: dict[str, list[int]] = {}
    outside = reader(scheme, strict).outside
    try:
        for start, end in bounds(len(reference), sentences):
            _compare(prediction[start:end], reference[start:end], outside, counts)
    except (ValueError, TypeError):  # TypeError: a list is no key of a dict
        for side, tags in (("prediction", prediction), ("reference", reference)):
            _check_tags(tags, scheme, side)
        raise
    return counts


def _compare(prediction: Sequence[str], reference: Sequence[str], outside: State, counts: dict[str, list[int]]) -> None:
    """Add what one sentence counts."""
    left = right = outside
    first = other_first = 0
    for position, (tag, other) in enumerate(zip([*prediction, OUTSIDE], [*reference, OUTSIDE], strict=True)):
        event, left = left[tag]
        other_event, right = right[other]
        if event or other_event:
            ended, starts = event or NOTHING
            other_ended, other_starts = other_event or NOTHING
            if ended and ended == other_ended and first == other_first:
                counts.setdefault(ended, [0, 0, 0])[0] += 1
            else:
                if ended:
                    counts.setdefault(ended, [0, 0, 0])[1] += 1
                if other_ended:
                    counts.setdefault(other_ended, [0, 0, 0])[2] += 1
            if starts:
                first = position
            if other_starts:
                other_first = position


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


class Tagged(NamedTuple):
    """Words and their tags, and the lengths of sentences, if they are known."""

    words: list[Any]
    tags: list[Any]
    sentences: list[int] | None = None


def is_tagged(value: object) -> bool:
    """Whether a value is tagged words: an object whose `words` and `tags` are lists. Other keys do not matter.

    >>> is_tagged({"words": ["12.00"], "tags": ["B-total"], "id": 7}), is_tagged({"words": "12.00", "tags": []})
    (True, False)
    """
    return isinstance(value, dict) and is_list(value.get("words")) and is_list(value.get("tags"))


def tagged(value: object, side: str | None = None) -> Tagged | None:
    """The words, tags and `sentences` of tagged words, None for all else; what words and tags are is not looked at.

    Raises DocumentError unless there are as many words as tags, and sentences, if given, add up to them.

    >>> tagged({"words": ["12.00", "EUR"], "tags": ["B-total", "I-total"]}).words
    ['12.00', 'EUR']
    >>> tagged({"words": ["12.00"], "tags": []})
    Traceback (most recent call last):
    ...
    docie.errors.DocumentError: tags: expected one for each of 1 words, got 0
    """
    if not isinstance(value, dict) or not is_tagged(value):
        return None
    words, tags, sentences = as_list(value["words"]), as_list(value["tags"]), value.get("sentences")
    if len(words) != len(tags):
        raise DocumentError(f"expected one for each of {len(words)} words, got {len(tags)}", item="tags", side=side)
    if sentences is not None:
        sentences = _checked_sentences(sentences, len(words), side)
    return Tagged(words, tags, sentences)


def _checked_sentences(sentences: Any, words: int, side: str | None) -> list[int]:
    lengths = as_list(sentences) if is_list(sentences) else [-1]
    if not all(isinstance(length, int) and length >= 0 for length in lengths) or sum(lengths) != words:
        problem = f"expected lengths that add up to {words} words, got {shortened(sentences)}"
        raise DocumentError(problem, item="sentences", side=side)
    return lengths


def _check_tags(tags: Sequence[object], scheme: str | None, side: str | None = None) -> None:
    """Raise DocumentError for the first of the tags that is none of the scheme."""
    prefixes = PREFIXES[scheme]
    for position, tag in enumerate(tags):
        try:
            split_tag(tag, prefixes)
        except ValueError:
            problem = f"{shortened(tag)} is no tag{f' of {scheme}' if scheme else ''}, {expected_tag(prefixes)}"
            if scheme is None and isinstance(tag, str) and tag.startswith(("L-", "U-")):
                problem += "; BILOU is read by name only: scheme='BILOU' of entity_f1 and of bio.decode"
            raise DocumentError(problem, item=f"tag {position}", side=side) from None
