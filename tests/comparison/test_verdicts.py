"""What a comparison says in words is what its numbers say."""

from __future__ import annotations

from typing import Any

import pytest

from docie import corpus, kieval, oi_entities
from docie.comparison.results import compared
from docie.comparison.verdicts import amount, disagreement, standings_of, verdicts

REFERENCES: list[Any] = [{"total": str(number), "tax": "1"} for number in range(12)]
WORSE: list[Any] = [{"total": "?", "tax": "1"}] * 12
WORST: list[Any] = [{}] * 12


def said(systems: dict[str, list[Any]], **options: Any) -> list[tuple[str, str]]:
    return [(sign, text) for sign, text in verdicts(compared(corpus.compare(kieval, systems, REFERENCES, **options)))]


def test_several_systems_have_one_sentence() -> None:
    found = said({"base": WORSE, "same": WORSE, "good": REFERENCES, "poor": WORST})
    assert found == [("", "good is best: entity_f1 1.0000; all others are worse.")]
    almost = [*REFERENCES[:10], *WORSE[10:]]
    found = said({"base": REFERENCES, "a": WORST, "b": WORSE, "c": almost})
    assert found == [("", "base is best: entity_f1 1.0000; c cannot be told from it (p 0.5000); b and a are worse.")]
    found = said({"base": REFERENCES, "c": almost, **dict.fromkeys("efgh", WORST)})
    assert found[0][1].endswith("c cannot be told from it (p 1.0000); the other 4 are worse.")


def test_lower_is_better_and_counts_have_no_points() -> None:
    almost = [{**row, "tax": "2"} if number < 7 else row for number, row in enumerate(REFERENCES)]
    [worse] = said({"base": REFERENCES, "other": almost}, scores="corrections")
    assert worse[0] == "▼"
    assert worse[1].startswith("other is worse than base: corrections 7 against 0, difference +7 (")
    [better] = said({"other": almost, "base": REFERENCES}, scores="corrections")
    assert better[1].startswith("base is better than other: corrections 0 against 7, difference -7 (")


def test_each_score_has_its_sentences() -> None:
    found = said({"base": REFERENCES, "poor": WORST}, scores=["entity_f1", "additions"])
    assert [sign for sign, _ in found] == ["▼", "▼"]
    assert found[1][1] == "poor is worse than base: additions 24 against 0, difference +24, p 0.0010."


def test_ties_of_the_best() -> None:
    [(_, found)] = said({"base": REFERENCES, "same": REFERENCES, "poor": WORST})
    assert found == "base is best: entity_f1 1.0000; same cannot be told from it (p 1.0000); poor is worse."
    [(_, found)] = said({"base": REFERENCES, "same": REFERENCES, "also": REFERENCES})
    assert found == "base is best: entity_f1 1.0000; no other can be told from it (p 1.0000)."


def test_rank_ranges_are_what_the_tests_leave() -> None:
    systems = {"a": WORSE, "b": REFERENCES, "c": WORSE, "d": WORST}
    [standings] = standings_of(compared(corpus.compare(kieval, systems, REFERENCES)))
    assert standings.baseline == "a"
    assert [*standings.values] == ["b", "a", "c", "d"]
    assert standings.ranks == {"b": (1, 1), "a": (2, 3), "c": (2, 3), "d": (4, 4)}
    assert [row["b"] for row in standings.rows] == ["b", "c", "d"]


@pytest.mark.parametrize(
    ("interval", "significant", "p", "said"),
    [
        ([0.1, 0.3], True, 0.01, ""),
        ([-0.1, 0.3], False, 0.3, ""),
        (None, True, 0.01, ""),
        ([-0.01, 0.3], True, 0.01, "The interval includes 0, yet the test finds a difference: the test swaps whole documents"),
        ([0.01, 0.3], False, 0.05, "no difference: interval and p 0.0500 are of this pair alone, and p corrected for 3 comparisons is"),
        ([-0.3, -0.01], False, 0.0501, "no difference: the test, which swaps whole documents, has p 0.0501; the interval is an approx"),
    ],
)  # fmt: skip
def test_why_a_star_and_an_interval_disagree(interval: Any, significant: bool, p: float, said: str) -> None:
    row: Any = {"interval": interval, "significant": significant, "p_value": p, "p_value_holm": min(3 * p, 1)}
    results: Any = {"confidence_level": 0.95, "holm": {"comparisons": "3 comparisons: 3 pairs of systems"}}
    found = disagreement(row, results)
    assert said in found
    assert bool(said) == bool(found)


def test_amounts() -> None:
    tags = {"signature": "oi_entities|version:1"}
    own = {"signature": "own|version:1"}
    assert [amount(value, "cer", tags) for value in (0.5, -0.0004, 1e-9, 0.0)] == ["+50.0", "-0.04", "+1e-07", "+0.0"]
    assert (amount(0.25, "own_score", own), amount(1234, "own_score", own, flags="")) == ("+0.2", "1,234")
    assert oi_entities.NAME == "oi_entities"
