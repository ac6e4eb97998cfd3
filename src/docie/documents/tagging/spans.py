"""Tags of words → spans of words, and back.

IOB1 is the scheme of Ramshaw and Marcus, "Text Chunking using Transformation-Based Learning" (1995). IOB2, IOE1 and
IOE2 are those of Tjong Kim Sang and Veenstra, "Representing Text Chunks" (1999). IOBES and BILOU (the same with the
letters L for E and U for S) mark both ends of a span. Malformed sequences are read as seqeval (Nakayama, 2018) reads
them: leniently as in its default mode, strictly as in its strict mode.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from numbers import Integral
from typing import NamedTuple

from docie.core.counts import Outcomes
from docie.core.errors import DocumentError, in_json, located_errors, shortened
from docie.core.settings import check_list, check_whole
from docie.core.values.plain import as_list, is_list
from docie.documents.tagging.schemes import (
    NOTHING,
    OUTSIDE,
    PREFIXES,
    State,
    check_reading,
    check_scheme,
    expected_tag,
    reader_of,
    split_tag,
)


class Span(NamedTuple):
    """The place of an entity: its type, and the positions of its first and its last word."""

    type: str
    first: int
    last: int


def find_spans(
    tags: Sequence[str], scheme: str | None = None, *, strict: bool = False, sentences: Sequence[int] | None = None
) -> list[Span]:
    """The spans of tagged words, in order.

    Read leniently, a word that is not O always belongs to a span. It belongs to the span before it if both have the
    same type, the prefix before is B or I, and the prefix here is I or E. Otherwise it starts a new one.

    Args:
        tags (list of str): one tag a word: O, or a prefix, a hyphen and a type. A prefix alone (`B`, `I-`) has the
            type `_`.
        scheme (str): one of `SCHEMES`. None reads the prefixes B, I, E and S of any scheme.
        strict (bool): read only what the scheme allows; needs a scheme.
        sentences (list of int): the lengths of the sentences, in words. No span goes on from one to the next.

    Returns:
        list of Span: the spans.

    Raises:
        DocumentError: for what is no tag, or none of the scheme.
        ValueError: for an unknown scheme.

    >>> find_spans(["B-total", "I-total", "O", "I-date"])
    [Span(type='total', first=0, last=1), Span(type='date', first=3, last=3)]
    >>> find_spans(["B-total", "I-total", "O", "I-date"], "IOB2", strict=True)
    [Span(type='total', first=0, last=1)]
    >>> find_spans(["O", "total"])
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: tag 1: 'total' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)
    """
    with located_errors():
        check_list("tags", tags)
    result = []
    state, first = _outside(scheme, strict), 0
    try:
        for start, end in sentence_bounds(len(tags), sentences):
            for position, tag in enumerate([*tags[start:end], OUTSIDE], start):
                event, state = state[tag]
                if event:
                    ended, starts = event
                    if ended:
                        result.append(Span(ended, first, position - 1))
                    if starts:
                        first = position
    except (ValueError, TypeError):  # TypeError: a list cannot be looked up in a dictionary
        _check_tags(tags, scheme)
        raise
    return result


def spans_of_words(tags: Sequence[str]) -> tuple[list[str], list[int | None]]:
    """For each word the type of the span that it is in, "" for none, and the number of the span, None for none.

    >>> spans_of_words(["B-total", "I-total", "O"])
    (['total', 'total', ''], [0, 0, None])
    """
    types, numbers = [""] * len(tags), list[int | None]([None]) * len(tags)
    for number, span in enumerate(find_spans(tags)):
        for position in range(span.first, span.last + 1):
            types[position], numbers[position] = span.type, number
    return types, numbers


def tag_name(number: int, names: Sequence[str] | None, *, column: str, position: int) -> str:
    """The tag that a number in a column of a data set stands for.

    Raises:
        ValueError: without names, and for a number that has none; it names the column.

    >>> tag_name(1, ["O", "B-total"], column="ner_tags", position=0)
    'B-total'
    """
    if names is None:
        raise ValueError(f"{column} has numbers, whose names must be given as names=")
    if not 0 <= number < len(names):
        raise ValueError(f"{column} must be from 0 to {len(names) - 1}, got {in_json(number)} at {position}")
    return names[number]


def _outside(scheme: str | None, strict: bool) -> State:
    """The first state of the reader of a scheme."""
    try:
        return reader_of(scheme, strict).outside
    except TypeError:  # what cannot be looked up is no name
        check_reading(scheme, strict)
        raise


def sentence_bounds(length: int, sentences: Sequence[int] | None) -> Iterable[tuple[int, int]]:
    """Where each sentence starts and ends.

    Args:
        length (int): the number of words.
        sentences (list of int): the lengths of the sentences, in words. None: all words are one sentence.

    Returns:
        iterable of (start, end): positions of words; the end is exclusive.

    >>> list(sentence_bounds(5, [2, 3])), list(sentence_bounds(5, None))
    ([(0, 2), (2, 5)], [(0, 5)])
    """
    if sentences is None:
        return ((0, length),)
    lengths = as_list(sentences) if is_list(sentences) else [None]
    if not all(isinstance(each, Integral) for each in lengths):
        raise ValueError(f"sentences must be a list of their lengths, got {shortened(sentences)}")
    return pairwise((0, *accumulate(lengths))) if lengths else ((0, length),)


def count_spans(
    prediction: Sequence[str],
    reference: Sequence[str],
    scheme: str | None = None,
    *,
    strict: bool = False,
    sentences: Sequence[int] | None = None,
) -> tuple[dict[str, Outcomes], int]:
    """Count the spans that prediction and reference share, by type, and the tags that are the same.

    Both are read in one pass, which takes half the time of two calls of `find_spans` and a comparison.

    Args:
        prediction (list of str): the predicted tags.
        reference (list of str): the reference tags, as many.
        scheme, strict, sentences: as in `find_spans`.

    Returns:
        (dict of str to Outcomes, int): by entity type, the spans on both sides, of the prediction only, of the
        reference only; and the number of words with the same tag.

    Raises:
        DocumentError: as in `find_spans`; it names the side.
        ValueError: for an unknown scheme.

    >>> by_type, same = count_spans(["B-total", "O", "B-date"], ["B-total", "I-total", "B-date"])
    >>> by_type["total"], same
    (Outcomes(true_positives=0, false_positives=1, false_negatives=1), 2)
    """
    for name, tags in (("prediction", prediction), ("reference", reference)):
        if not is_list(tags):
            raise ValueError(f"{name} must be a list of tags, got {shortened(tags)}")
    counts: defaultdict[str, Outcomes] = defaultdict(Outcomes)
    outside, different = _outside(scheme, strict), 0
    try:
        for start, end in sentence_bounds(len(reference), sentences):
            different += _count_sentence(prediction[start:end], reference[start:end], outside, counts)
    except (ValueError, TypeError):  # TypeError: a list cannot be looked up in a dictionary
        for side, tags in (("prediction", prediction), ("reference", reference)):
            _check_tags(tags, scheme, side)
        raise
    return counts, len(reference) - different


def _count_sentence(
    prediction: Sequence[str], reference: Sequence[str], outside: State, counts: defaultdict[str, Outcomes]
) -> int:
    """Add the counts of one sentence. Returns the number of words with different tags."""
    state = reference_state = outside
    first = reference_first = different = 0
    words = zip(range(len(reference) + 1), [*prediction, OUTSIDE], [*reference, OUTSIDE], strict=True)
    for position, tag, reference_tag in words:
        if tag == reference_tag and state is reference_state:  # most words: one look-up for both sides
            event, state = state[tag]
            reference_state = state
            if event:
                ended, starts = event
                if ended and first == reference_first:
                    counts[ended].true_positives += 1
                elif ended:
                    counts[ended].false_positives += 1
                    counts[ended].false_negatives += 1
                if starts:
                    first = reference_first = position
            continue
        if tag != reference_tag:
            different += 1
        event, state = state[tag]
        reference_event, reference_state = reference_state[reference_tag]
        ended, starts = event or NOTHING
        reference_ended, reference_starts = reference_event or NOTHING
        if ended and ended == reference_ended and first == reference_first:
            counts[ended].true_positives += 1
        else:
            if ended:
                counts[ended].false_positives += 1
            if reference_ended:
                counts[reference_ended].false_negatives += 1
        if starts:
            first = position
        if reference_starts:
            reference_first = position
    return different


def tags_of(spans: Iterable[Span | tuple[str, int, int]], length: int, scheme: str = "IOB2") -> list[str]:
    """The tags of words with these spans. `find_spans` reads the spans back, in every scheme.

    Args:
        spans (list of Span): the spans, in any order.
        length (int): the number of words.
        scheme (str): one of `SCHEMES`.

    Returns:
        list of str: one tag a word.

    Raises:
        ValueError: for spans that overlap or are outside of the words, for a span without a type, for an unknown
            scheme.

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
    check_whole("length", length, 0)
    tags = [OUTSIDE] * length
    before: Span | None = None
    for span in sorted(_spans(spans), key=lambda span: span.first):
        _check_span(span, before, length)
        touches = before is not None and before.type == span.type and before.last == span.first - 1
        if touches and scheme == "IOE1":
            tags[span.first - 1] = f"E-{span.type}"
        prefixes = _prefixes(span.last - span.first + 1, scheme, touches=touches)
        tags[span.first : span.last + 1] = [f"{prefix}-{span.type}" for prefix in prefixes]
        before = span
    return tags


def _spans(spans: object) -> list[Span]:
    """The spans. Raises ValueError for what is none."""
    if isinstance(spans, str) or not isinstance(spans, Iterable):
        raise ValueError(f"spans must be a list, got {shortened(spans)}")
    result = []
    for number, span in enumerate(spans):
        if not is_list(span) or len(span) != 3 or not all(isinstance(place, Integral) for place in span[1:]):
            expected = "a type and the positions of its first and last word"
            raise ValueError(f"span {number} must be {expected}, got {shortened(span)}")
        result.append(Span(*span))
    return result


def _prefixes(words: int, scheme: str, *, touches: bool) -> list[str]:
    """The prefixes of one span; `touches`: another span of its type ends directly before it."""
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
    """The first tag that the scheme does not allow where it stands.

    Args:
        tags (list of str): one tag a word.
        scheme (str): one of `SCHEMES`.

    Returns:
        (int, str): its position, and the tag that the scheme has there for the spans as `find_spans` reads them
        leniently. None if all tags are allowed.

    Raises:
        DocumentError: for what is no tag of the scheme.
        ValueError: for an unknown scheme.

    >>> first_fault(["O", "I-total", "I-total"], "IOB2")
    (1, 'B-total')
    >>> first_fault(["O", "I-total", "I-total"], "IOB1") is None
    True
    """
    check_scheme(scheme)
    expected = tags_of(find_spans(tags, scheme), len(tags), scheme)
    prefixes = PREFIXES[scheme]
    for position, (tag, expected_here) in enumerate(zip(tags, expected, strict=True)):
        if tag != expected_here and split_tag(tag, prefixes) != split_tag(expected_here, prefixes):  # `B` is `B-_`
            return position, expected_here
    return None


def _check_tags(tags: Sequence[object], scheme: str | None, side: str | None = None) -> None:
    """Raise DocumentError for the first of the tags that is none of the scheme."""
    prefixes = PREFIXES[scheme]
    for position, tag in enumerate(tags):
        try:
            split_tag(tag, prefixes)
        except ValueError:
            problem = f"{in_json(tag)} is no tag{f' of {scheme}' if scheme else ''}, {expected_tag(prefixes)}"
            if scheme is None and isinstance(tag, str) and tag.startswith(("L-", "U-")):
                problem += "; BILOU is read by name only: scheme='BILOU' of entity_f1 and of bio.decode"
            raise DocumentError(problem, item=f"tag {position}", side=side) from None
