"""Tag schemes: against a slow oracle, against seqeval where it is installed, and round trips."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator
from operator import eq
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie.core.counts import Outcomes
from docie.core.errors import DocumentError
from docie.documents.tagging import SCHEMES, find_spans, schemes
from docie.documents.tagging.schemes import LONGEST_TAG, MAX_STEPS, PREFIXES, reader_of
from docie.documents.tagging.spans import Span, count_spans, first_fault, tags_of
from docie.documents.tagging.tagged_words import parse_tagged_words

from sizes import examples

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)
TYPES = ("X", "Y")


def sequences(scheme: str, length: int) -> Iterator[list[str]]:
    """Every sequence of tags of two types, up to a length."""
    tags = ["O", *(f"{prefix}-{kind}" for prefix in PREFIXES[scheme] for kind in TYPES)]
    for size in range(length + 1):
        yield from map(list, itertools.product(tags, repeat=size))


# The oracle: the schemes' rules as sentences, words looked at again and again, where the package has tables and states.


def lenient_oracle(tags: list[str]) -> list[tuple[str, int, int]]:
    """Cut between every two words but where B or I is followed by I, E or L of the same type; O is in no span."""
    found: list[list[int]] = []
    for position, tag in enumerate(tags):
        before = tags[position - 1] if position else "O"
        if tag != "O" and before[0] in "BI" and tag[0] in "IEL" and before[2:] == tag[2:]:
            found[-1].append(position)
        elif tag != "O":
            found.append([position])
    return [(tags[places[0]][2:], places[0], places[-1]) for places in found]


def strict_oracle(tags: list[str], scheme: str) -> list[tuple[str, int, int]]:
    """Where a span may start, the longest that may follow, if it may end there; then on behind it."""
    found = []
    around = ["O", *tags, "O"]
    first = 1
    while first <= len(tags):
        last = first
        if may_start(scheme, around[first - 1], around[first]):
            while may_go_on(scheme, around[last], around[last + 1]):
                last += 1
            if may_end(scheme, around[last], around[last + 1]):
                found.append((around[first][2:], first - 1, last - 1))
        first = last + 1
    return found


def may_start(scheme: str, before: str, here: str) -> bool:
    same = before[2:] == here[2:]
    if here == "O":
        return False
    if scheme in ("IOB2", "IOBES", "BILOU"):
        return here[0] in "BSU"
    if scheme == "IOB1":  # B only parts a span from one of its type before it
        return same and before != "O" if here[0] == "B" else not (same and before[0] == "I")
    return not (same and before[0] == "I")  # IOE: what does not go on from an I


def may_go_on(scheme: str, before: str, here: str) -> bool:
    return before[0] in ("I" if scheme.startswith("IOE") else "BI") and here[0] in "IEL" and before[2:] == here[2:]


def may_end(scheme: str, here: str, behind: str) -> bool:
    same = here[2:] == behind[2:]
    if scheme in ("IOE2", "IOBES", "BILOU"):
        return here[0] in "ELSU"
    if scheme == "IOE1":  # E only parts a span from one of its type behind it
        return same if here[0] == "E" else behind == "O" or not same
    if scheme == "IOB1" and here[0] == behind[0] == "B":
        return same
    return behind[0] in "OB" or not same


@every_scheme
def test_agrees_with_the_oracle(scheme: str) -> None:
    for tags in sequences(scheme, 4):
        assert find_spans(tags, scheme) == lenient_oracle(tags), tags
        assert find_spans(tags, scheme, strict=True) == strict_oracle(tags, scheme), tags


@every_scheme
def test_agrees_with_seqeval(scheme: str) -> None:
    labeling = pytest.importorskip("seqeval.metrics.sequence_labeling")
    schemes = pytest.importorskip("seqeval.scheme")
    for tags in sequences(scheme, 4):
        if scheme != "BILOU":
            assert find_spans(tags) == find_spans(tags, scheme) == labeling.get_entities(tags), tags
        entities = schemes.Tokens(tags, getattr(schemes, scheme)).entities
        theirs = {(entity.tag, entity.start, entity.end - 1) for entity in entities}
        ours = set(find_spans(tags, scheme, strict=True))
        if scheme == "IOE1":  # seqeval misses an E that follows O or another type
            ours = {span for span in ours if span in theirs or not _e_after_another(tags, span)}
        assert ours == theirs, tags


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("scheme", "number", "different"),
    [("IOB1", 3906, 0), ("IOB2", 3906, 0), ("IOE1", 3906, 1536), ("IOE2", 3906, 0), ("IOBES", 66430, 0), ("BILOU", 66430, 0)],
)  # fmt: skip
def test_how_many_strict_readings_differ_from_seqevals(scheme: str, number: int, different: int) -> None:
    """The numbers in the card of entity F1."""
    schemes = pytest.importorskip("seqeval.scheme")
    counted = []
    for tags in sequences(scheme, 5):
        entities = schemes.Tokens(tags, getattr(schemes, scheme)).entities
        theirs = {(entity.tag, entity.start, entity.end - 1) for entity in entities}
        counted.append(set(find_spans(tags, scheme, strict=True)) != theirs)
    assert (len(counted), sum(counted)) == (number, different)


def _e_after_another(tags: list[str], span: Span) -> bool:
    before = tags[span.first - 1] if span.first else "O"
    return tags[span.first] == f"E-{span.type}" and before[2:] != span.type


# as seqeval 1.2.2 reads them; in the strict readings of IOE1, spans marked + are ours alone
MALFORMED = """
IOB2   I-X I-X O          X0-1            |
IOB2   B-X I-Y I-Y        X0-0 Y1-2       | X0-0
IOB2   O I-X B-X          X1-1 X2-2       | X2-2
IOB2   B-X I-X I-Y B-Y    X0-1 Y2-2 Y3-3  | X0-1 Y3-3
IOB1   O B-X I-X          X1-2            | X2-2
IOB1   B-X B-X            X0-0 X1-1       | X1-1
IOB1   I-X B-Y I-Y        X0-0 Y1-2       | X0-0 Y2-2
IOB1   I-X B-X B-Y        X0-0 X1-1 Y2-2  | X0-0
IOE1   E-X O I-X          X0-0 X2-2       | X2-2
IOE1   O E-X I-X          X1-1 X2-2       | +X1-1 X2-2
IOE1   I-Y E-X I-X        Y0-0 X1-1 X2-2  | Y0-0 +X1-1 X2-2
IOE1   I-X E-X O          X0-1            |
IOE1   I-X E-X E-X I-X    X0-1 X2-2 X3-3  | X0-1 X2-2 X3-3
IOE2   I-X I-X O          X0-1            |
IOE2   I-X E-Y            X0-0 Y1-1       | Y1-1
IOE2   I-X O E-X          X0-0 X2-2       | X2-2
IOBES  B-X I-X O          X0-1            |
IOBES  B-X S-X E-X        X0-0 X1-1 X2-2  | X1-1
IOBES  I-X E-X S-X        X0-1 X2-2       | X2-2
IOBES  B-X B-X E-X        X0-0 X1-2       | X1-2
IOBES  S-X I-X E-X        X0-0 X1-2       | X0-0
IOBES  B-X E-Y            X0-0 Y1-1       |
"""


@pytest.mark.parametrize("line", MALFORMED.strip().splitlines())
def test_malformed_sequences(line: str) -> None:
    scheme, *rest = line.partition("|")[0].split()
    tags = [cell for cell in rest if cell == "O" or cell[1] == "-"]
    strict = line.partition("|")[2].replace("+", "").split()
    assert [f"{kind}{first}-{last}" for kind, first, last in find_spans(tags, scheme)] == rest[len(tags) :]
    assert [f"{kind}{first}-{last}" for kind, first, last in find_spans(tags, scheme, strict=True)] == strict


@pytest.mark.parametrize(
    ("tags", "lenient", "strict"),
    [
        ("U-X U-X", "X0-0 X1-1", "X0-0 X1-1"),
        ("B-X L-X B-X", "X0-1 X2-2", "X0-1"),
        ("L-X U-X", "X0-0 X1-1", "X1-1"),
        ("B-X I-X O", "X0-1", ""),
    ],
)
def test_bilou(tags: str, lenient: str, strict: str) -> None:
    """Lenient: as IOBES with other letters, which seqeval's default mode does not know; strict: as seqeval's."""
    for expected, is_strict in ((lenient, False), (strict, True)):
        found = find_spans(tags.split(), "BILOU", strict=is_strict)
        assert " ".join(f"{kind}{first}-{last}" for kind, first, last in found) == expected


def test_the_card_shows_how_tags_are_read() -> None:
    card = Path(docie.path("entity_f1"), "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| `(.*?)` \| (.*?) \| (.*?) \| .* \|$", card, re.MULTILINE)
    assert len(rows) == 4
    for scheme, tags, *shown in rows:
        for is_strict, cell in enumerate(shown):
            found = find_spans(tags.split(), scheme, strict=bool(is_strict))
            spans = [f"{kind}: {first}" + f"–{last}" * (first < last) for kind, first, last in found]
            assert cell == (", ".join(spans) or "–"), tags


@st.composite
def placed(draw: st.DrawFn) -> tuple[list[Span], int]:
    """Spans that do not overlap, and a number of words."""
    found: list[Span] = []
    end = 0
    for gap, size, kind in draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(["X", "Y", "a-b", "-", "_"])))
    ):
        found.append(Span(kind, end + gap, end + gap + size - 1))
        end += gap + size
    return found, end + draw(st.integers(0, 2))


@every_scheme
@given(words=placed())
@examples(300)
def test_spans_come_back(scheme: str, words: tuple[list[Span], int]) -> None:
    expected, length = words
    tags = tags_of(expected[::-1], length, scheme)
    assert len(tags) == length
    assert find_spans(tags, scheme) == find_spans(tags, scheme, strict=True) == expected
    assert first_fault(tags, scheme) is None


@every_scheme
def test_well_formed_is_what_some_spans_make(scheme: str) -> None:
    for length in range(5):
        made = {tuple(tags_of(found, length, scheme)) for found in _all_spans(length)}
        for tags in sequences(scheme, length):
            if len(tags) == length:
                assert (first_fault(tags, scheme) is None) == (tuple(tags) in made), tags


def _all_spans(length: int) -> list[list[tuple[str, int, int]]]:
    """Every set of spans of two types on so many words."""
    if length <= 0:
        return [[]]
    result = _all_spans(length - 1)
    for first in range(length):
        result = result + [[*rest, (kind, first, length - 1)] for rest in _all_spans(first) for kind in TYPES]
    return result


@every_scheme
def test_counts_are_what_the_spans_have_in_common(scheme: str) -> None:
    every = [tags for tags in sequences(scheme, 3) if len(tags) == 3]
    rng = random.Random(scheme)
    for prediction, reference in ((tags, rng.choice(every)) for tags in every for _ in range(3)):
        for strict in (False, True):
            predicted, expected = (set(find_spans(tags, scheme, strict=strict)) for tags in (prediction, reference))
            parts = predicted & expected, predicted - expected, expected - predicted
            counters = [Counter(span.type for span in part) for part in parts]
            by_type = {
                entity_type: Outcomes(*(counter[entity_type] for counter in counters))
                for entity_type in sum(counters, Counter())
            }
            same = sum(map(eq, prediction, reference))
            assert count_spans(prediction, reference, scheme, strict=strict) == (by_type, same)
            of_prediction = Counter(span.type for span in predicted)
            found = {entity_type: Outcomes(number, 0, 0) for entity_type, number in of_prediction.items()}
            assert count_spans(prediction, prediction, scheme, strict=strict) == (found, len(prediction))


@pytest.mark.parametrize(
    ("tags", "scheme", "fault"),
    [
        (["I-X"], "IOB2", (0, "B-X")),
        (["O", "B-X", "I-Y"], "IOB2", (2, "B-Y")),
        (["B-X", "O"], "IOB1", (0, "I-X")),
        (["I-X", "O"], "IOE2", (0, "E-X")),
        (["I-X", "E-X"], "IOE1", (1, "I-X")),
        (["B-X", "O"], "IOBES", (0, "S-X")),
        (["B-X", "I-X"], "BILOU", (1, "L-X")),
        (["B", "I-", "I"], "IOB2", None),
        ([], "IOB2", None),
    ],
)
def test_faults(tags: list[str], scheme: str, fault: Any) -> None:
    assert first_fault(tags, scheme) == fault


def test_bare_prefixes_and_odd_types() -> None:
    assert find_spans(["B", "I-", "O", "I-_"]) == [("_", 0, 1), ("_", 3, 3)]
    assert find_spans(["B-a-b", "I-a-b", "I-a"]) == [("a-b", 0, 1), ("a", 2, 2)]
    assert find_spans(["B--a", "I--a"], "IOB2", strict=True) == [("-a", 0, 1)]
    assert find_spans([]) == find_spans((), "BILOU", strict=True) == []
    assert tags_of([], 0) == []


@pytest.mark.parametrize("bad", ["PER", "X-a", "o", "", "Ba", "O-a", " B-a", "L-a", None, 3, True, ["B-a"], b"O", 1.5])
def test_what_is_no_tag(bad: Any) -> None:
    for tags in ([bad], ["O", "B-a", "I-a", bad, "?"], ["O", bad] * 3):
        with pytest.raises(DocumentError, match=" is no tag, expected O or a tag such as B-total ") as error:
            find_spans(tags)
        assert error.value.item == f"tag {tags.index(bad)}"
        assert "\n" not in str(error.value)


@every_scheme
def test_a_scheme_has_its_own_prefixes_only(scheme: str) -> None:
    for prefix in "BIESLU":
        for strict in (False, True):
            if prefix in PREFIXES[scheme]:
                assert isinstance(find_spans([f"{prefix}-a"], scheme, strict=strict), list)
            else:
                with pytest.raises(DocumentError, match=f"^tag 1: '{prefix}-a' is no tag of {scheme}, expected O or"):
                    find_spans(["O", f"{prefix}-a"], scheme, strict=strict)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: find_spans(["U-a"]), "tag 0: 'U-a' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S); BILOU is read by name only: scheme='BILOU' of entity_f1 and of bio.decode"),
        (lambda: find_spans(["I"], "BIO"), "unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: find_spans(["I"], strict=True), "strict needs a scheme, one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: find_spans("BIO"), "tags must be a list, got 'BIO'"),
        (lambda: tags_of([], 1, "BIO"), "unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: first_fault([], "BIO"), "unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: tags_of([("a", 0, 1), ("b", 1, 2)], 3), "span ('b', 1, 2) overlaps ('a', 0, 1)"),
        (lambda: tags_of([("a", 0, 3)], 3), "span ('a', 0, 3) is outside of words 0 to 2"),
        (lambda: tags_of([("a", -1, 0)], 3), "span ('a', -1, 0) is outside of words 0 to 2"),
        (lambda: tags_of([("a", 2, 1)], 3), "span ('a', 2, 1) ends before it begins"),
        (lambda: tags_of([("a", 0, 0)], 0), "span ('a', 0, 0) is outside of 0 words"),
        (lambda: tags_of([("", 0, 0)], 1), "span ('', 0, 0) needs a type"),
        (lambda: parse_tagged_words({"words": ["a"], "tags": []}), "tags: expected one for each of 1 words, got 0"),
    ],
)  # fmt: skip
def test_errors(call: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is compared whole
        call()
    assert str(error.value) == message


def test_tagged() -> None:
    both = parse_tagged_words({"words": ["4.50"], "tags": ["B-total"]})
    assert both is not None
    assert (both.words, both.tags) == (["4.50"], ["B-total"])
    almost: list[Any] = [{"words": [], "tag": []}, {"words": [], "tags": "O"}, {"words": {}, "tags": []}]
    for other in (*almost, {}, [], None, "O"):
        assert parse_tagged_words(other) is None


def test_a_reader_forgets_before_it_grows_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schemes, "MAX_STEPS", 10)
    schemes.reader_of.cache_clear()
    tags = [f"{prefix}-{number}" for number in range(50) for prefix in "BII"]
    for _ in range(3):
        assert find_spans(tags) == [(str(number), 3 * number, 3 * number + 2) for number in range(50)]
    reader = schemes.reader_of(None, False)
    assert len(reader.outside) + sum(map(len, reader.states.values())) <= 10
    schemes.reader_of.cache_clear()


def test_what_a_reader_remembers_is_bounded() -> None:
    """Neither many tags nor long ones stay; the spans are the same."""
    reader = reader_of("IOB2", True)
    for start in range(0, 3 * MAX_STEPS, 1000):
        tags = [tag for number in range(start, start + 500) for tag in (f"B-{number}", f"I-{number}")]
        assert len(find_spans(tags, "IOB2", strict=True)) == 500
        assert reader.steps <= MAX_STEPS
        assert len(reader.states) <= MAX_STEPS
    before = reader.steps
    long = "x" * (LONGEST_TAG + 1)
    tags = [f"B-{long}", f"I-{long}", f"I-{long}", "O", f"B-{long}", "B-a"]
    expected = [Span(long, 0, 2), Span(long, 4, 4), Span("a", 5, 5)]
    assert find_spans(tags, "IOB2", strict=True) == find_spans(tags) == expected
    assert reader.steps <= before + 4
    assert not any(long in key for key in reader.outside)
