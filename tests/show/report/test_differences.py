"""Differences of two values: nothing is lost, no fewer edits would do, and characters stay whole."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from docie.show.report import differences as module
from docie.show.report.differences import Part, differences, graphemes, readable, shortened

from sizes import examples

TEXTS = st.lists(
    st.sampled_from(["a", "b", "1", " ", "e\u0301", "\u0301", "कि", "👩‍👧", "👍🏽", "🇩🇪", "\r\n", "\ud800", "\0"]),
    max_size=8,
).map("".join)


def sides(parts: list[Part]) -> tuple[str, str]:
    """What the parts say the prediction and the reference are."""
    prediction = "".join(part.text for part in parts if part.operation != "insert")
    reference = "".join(part.text for part in parts if part.operation != "delete")
    return prediction, reference


def edits(parts: list[Part]) -> int:
    """The number of characters to replace, to delete or to insert."""
    total, changed = 0, {"delete": 0, "insert": 0}
    for operation, text in [*parts, Part("equal", "")]:
        if operation == "equal":
            total += max(changed.values())
            changed = {"delete": 0, "insert": 0}
        else:
            changed[operation] += len(graphemes(text))
    return total


@examples(1000)
@given(TEXTS, TEXTS)
def test_parts_give_both_texts_back(prediction: str, reference: str) -> None:
    parts = differences(prediction, reference)
    assert sides(parts) == (prediction, reference)
    assert all(part.text for part in parts)
    assert all(one.operation != other.operation for one, other in pairwise(parts))


@examples(1000)
@given(st.text("abc1. ", max_size=12), st.text("abc1. ", max_size=12))
def test_no_fewer_edits_would_do(prediction: str, reference: str) -> None:
    assert edits(differences(prediction, reference)) == Levenshtein.distance(prediction, reference)


@examples(500)
@given(st.text("aéक👍1", max_size=9), st.text("aéक👍1", max_size=9), st.sampled_from([3, 5]))
def test_long_values_give_both_texts_back(prediction: str, reference: str, compared: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "COMPARED", compared)
        parts = differences(prediction, reference)
    assert sides(parts) == (prediction, reference)
    assert edits(parts) >= Levenshtein.distance(prediction, reference)


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("", "", []),
        ("12", "12", ["=12"]),
        ("", "12", ["+12"]),
        ("12", "", ["-12"]),
        ("4.80", "4.50", ["=4.", "-8", "+5", "=0"]),
        ("Latte ", "Latte", ["=Latte", "- "]),
        ("e", "e\u0301", ["-e", "+e\u0301"]),  # a mark is not cut from its letter
        ("कि", "की", ["-कि", "+की"]),
        ("👩‍👧", "👩‍👦", ["-👩‍👧", "+👩‍👦"]),
        ("🇩🇪", "🇩🇰", ["-🇩🇪", "+🇩🇰"]),
        ("12,50", "12.50", ["=12", "-,", "+.", "=50"]),
    ],
)
def test_cases(prediction: str, reference: str, expected: list[str]) -> None:
    signs = {"equal": "=", "insert": "+", "delete": "-"}
    assert [signs[part.operation] + part.text for part in differences(prediction, reference)] == expected


def test_what_long_values_share_is_found_at_both_ends() -> None:
    parts = differences("a" * 50_000 + "1" + "b" * 50_000, "a" * 50_000 + "2" + "b" * 50_000)
    assert [(part.operation, len(part.text)) for part in parts] == [
        ("equal", 50_000), ("delete", 1), ("insert", 1), ("equal", 50_000)
    ]  # fmt: skip


def test_no_more_than_some_characters_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    opcodes = Levenshtein.opcodes

    class Spy:
        @staticmethod
        def opcodes(*texts: list[str]) -> object:
            asked.extend(map(len, texts))
            return opcodes(*texts)

    monkeypatch.setattr(module, "Levenshtein", Spy)
    parts = differences("ab" * 20_000, "bc" * 30_000)
    assert sides(parts) == ("ab" * 20_000, "bc" * 30_000)
    assert asked == [module.COMPARED, module.COMPARED]


@examples(300)
@given(st.lists(st.tuples(st.sampled_from(["equal", "delete", "insert"]), st.integers(1, 3000)), max_size=4))
def test_shortened_parts_are_bounded_and_keep_their_ends(lengths: list[tuple[str, int]]) -> None:
    parts = [Part(operation, ("0123456789" * 300)[:length]) for operation, length in lengths]  # type: ignore[arg-type]
    short = shortened(parts)
    assert all(len(part.text) <= 3 * module.LONGEST for part in short)
    omitted = [part for part in short if part.operation == "omitted"]
    assert len(short) == len(parts) + 2 * len(omitted)
    if parts:
        assert short[0].text[0] == parts[0].text[0]
        assert short[-1].text[-1] == parts[-1].text[-1]


@examples(500)
@given(TEXTS, TEXTS, st.sampled_from([2, 4, 40]))
def test_readable_parts_give_both_texts_back(prediction: str, reference: str, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_PARTS", most)
        parts = readable(differences(prediction, reference))
    assert sides(parts) == (prediction, reference)
    assert len(parts) <= max(most, 4)


def test_parts_that_are_many_or_mostly_different_are_joined() -> None:
    parts = readable(differences("12.80", "12.50"))
    assert [part.text for part in parts] == ["12.", "8", "5", "0"]
    assert [part.text for part in readable(differences("12.80 EUR", "31 Main St"))] == ["12.80 EUR", "31 Main St"]
    striped = readable(differences("Total: " + "ab" * 50 + "!", "Total: " + "ac" * 50 + "!"))
    assert [part.text for part in striped] == ["Total: a", "ba" * 49 + "b", "ca" * 49 + "c", "!"]


def test_short_parts_stay_as_they_are() -> None:
    parts = [Part("equal", "a" * 100), Part("delete", "b" * 500), Part("equal", "c")]
    assert shortened(parts) == parts


def test_no_character_is_cut_by_shortening() -> None:
    family = "👩‍👧"
    short = shortened([Part("equal", family * 1000)])
    assert all(part.text == part.text.count(family) * family for part in short if part.operation == "equal")
    assert [part.operation for part in short] == ["equal", "omitted", "equal"]
