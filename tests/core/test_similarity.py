"""Long texts: what bands find is what the whole table finds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq, Levenshtein

from docie.core.matching import similarity as texts
from docie.core.matching.similarity import common_length, edit_distance

from sizes import examples

TEXTS = st.text("abc", max_size=60)


@given(first=TEXTS, second=TEXTS, start=TEXTS)
@examples(500)
def test_bands_give_the_distance(first: str, second: str, start: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(texts, "_LONG", 0)
        patch.setattr(texts, "_FEW", 1)
        patch.setattr(texts, "_WIDEST", 1)
        for one, other in ((first, second), (start + first, start + second), (first, first)):
            assert edit_distance(one, other) == Levenshtein.distance(one, other)
            assert edit_distance([*one], [*other]) == Levenshtein.distance([*one], [*other])
            assert common_length(one, other) == LCSseq.similarity(one, other)


def test_few_errors_are_found_in_a_narrow_band(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int | None] = []

    def distance(first: str, second: str, score_cutoff: int | None = None) -> int:
        calls.append(score_cutoff)
        return Levenshtein.distance(first, second, score_cutoff=score_cutoff)

    monkeypatch.setattr(texts, "Levenshtein", type("Spy", (), {"distance": staticmethod(distance)}))
    assert edit_distance("ab" * 5000, "ab" * 2500 + "c" * 100 + "ab" * 2450) == 100
    assert calls == [64, 256]
