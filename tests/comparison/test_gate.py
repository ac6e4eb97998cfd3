"""The gate: its arithmetic, what it says, and what holds whatever the systems are called and in whatever order."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student
from scipy.stats import ttest_1samp

from docie import corpus, kieval, oi_entities
from docie.comparison.gate import Limits, Loss
from docie.comparison.significance import smallest_difference

from sizes import examples

FIELDS = [f"f{place}" for place in range(10)]


def documents(number: int, wrong: dict[int, int] | None = None) -> list[Any]:
    """Documents of ten values; of some, so many are wrong. Ten wrong ones are an empty document."""
    rows: list[Any] = []
    for place in range(number):
        count = (wrong or {}).get(place, 0)
        values = {name: "?" if field < count else f"{place}-{field}" for field, name in enumerate(FIELDS)}
        rows.append(values if count < 10 else {})
    return rows


def gate(
    *systems: list[Any], max_drop: float | None = 0.03, references: list[Any] | None = None, **options: Any
) -> Any:
    """The gate of systems, of which the first is the base."""
    family = options.pop("family", kieval)
    expected = documents(len(systems[0])) if references is None else references
    found = corpus.compare(
        family, dict(zip("abcdef", systems, strict=False)), expected, max_drop=max_drop, shuffles=999, **options
    )
    return found["gate"]


def loss(added: np.ndarray[Any, Any], p_value: float = 0.01) -> Loss:
    """The loss of a mean."""
    return Loss(float(added.mean()), float(np.std(added, ddof=1) / math.sqrt(len(added))), len(added), lambda: p_value)


@given(st.integers(0, 10_000), st.integers(2, 60), st.floats(-0.1, 0.1))
@examples(200)
def test_the_bound_is_the_one_sided_interval_of_the_t_test(seed: int, units: int, mean: float) -> None:
    added = np.random.default_rng(seed).normal(mean, 0.1, units)
    found, one_sided = loss(added), ttest_1samp(added, 0.0, alternative="less")
    assert found.bound == pytest.approx(one_sided.confidence_interval(0.95).high)
    is_worse = ttest_1samp(added, 0.0, alternative="greater").pvalue < 0.05
    assert (found.verdict(0.03) == "worse") == is_worse
    if not is_worse:
        assert (found.verdict(0.03) == "passed") == (ttest_1samp(added, 0.03, alternative="less").pvalue < 0.05)


def test_a_loss_that_the_test_does_not_reject_is_not_worse() -> None:
    added = np.random.default_rng(0).normal(0.02, 0.02, 30)
    assert [loss(added, p).verdict(0.05) for p in (0.05, 0.051)] == ["worse", "passed"]
    # four units can be swapped in sixteen ways: the interval alone decides
    assert loss(np.array([0.1, 0.11, 0.12, 0.13]), p_value=1 / 16).verdict(0.05) == "worse"


@given(st.floats(-0.05, 0.0299), st.floats(0.001, 0.05), st.integers(2, 200))
@examples(200)
def test_enough_is_the_least_number_rounded_up(lost: float, error: float, units: int) -> None:
    found, spread = Loss(lost, error, units, lambda: 1.0).enough(0.03), error * math.sqrt(units)

    def bound(number: int) -> float:
        return float(lost + student.ppf(0.95, number - 1) * spread / math.sqrt(number))

    if found is None:
        assert bound(1_000_000) >= 0.03
    else:
        least = next(number for number in range(max(2, int(found * 0.89)), found + 1) if bound(number) < 0.03)
        assert found - least < 10 ** max(0, len(str(least)) - 2)
        assert least == 2 or bound(least - 1) >= 0.03


def test_equal_systems_pass_and_have_a_bound_of_zero() -> None:
    for number in (2, 4, 24):
        found = gate(documents(number), documents(number), max_broken=0)
        assert (found["passed"], found["bound"], found["broken"]) == (True, 0.0, [])
        assert found["reason"] == "a drop of 0.03 is excluded (bound 0.0000); no broken documents"


@pytest.mark.parametrize("number", [2, 4, 5, 24])
def test_the_same_loss_in_every_document_is_worse(number: int) -> None:
    """There is no spread: the interval is a point, even where few documents have no permutation that reaches 5 %."""
    for wrong, value in ((1, "0.9000"), (10, "0.0000")):
        found = gate(documents(number), documents(number, dict.fromkeys(range(number), wrong)))
        assert (found["passed"], found["reason"]) == (
            False,
            f"worse by {1 - float(value):.4f} ({value} against 1.0000)",
        )
        assert found["bound"] == pytest.approx(1 - float(value))
        assert gate(documents(number, dict.fromkeys(range(number), wrong)), documents(number))["passed"]


def test_a_single_document_that_changed() -> None:
    """One value of one passes anywhere; one whole document passes where there are many, and is listed."""
    for number in (24, 200):
        assert gate(documents(number), documents(number, {7: 1}))["passed"]
        found = gate(documents(number), documents(number, {7: 10}))
        assert [each["document"] for each in found["broken"]] == [7]
        assert found["passed"] == (number == 200)
    assert gate(documents(24), documents(24, {7: 10}))["reason"].startswith(
        "undecided: 24 documents cannot exclude a dro"
    )


def test_no_number_of_documents_excludes_what_was_observed() -> None:
    found = gate(documents(24), documents(24, {3: 10, 7: 10}))
    assert found["reason"].startswith("undecided: 24 documents cannot exclude a drop of 0.03 (bound 0.0973)")
    assert found["reason"].endswith("; no number could, as the observed drop is 0.0435")


def test_many_small_losses_and_a_few_whole_documents() -> None:
    """What a test alone turns around: it finds the diffuse loss of 1.4 points, and not the 12 points of five documents."""
    diffuse = documents(24, dict.fromkeys(range(0, 21, 3), 1))
    emptied = documents(24, dict.fromkeys(range(5), 10))
    for system, reason in ((diffuse, "worse by 0.0292"), (emptied, "worse by 0.1163")):
        assert gate(documents(24), system)["reason"].startswith(reason)
    assert gate(documents(24), diffuse)["bound"] < 0.05


def test_each_later_system_and_score_is_checked_by_itself() -> None:
    base, better, worse = documents(24, dict.fromkeys(range(12), 2)), documents(24), documents(24, {2: 10, 4: 10})
    found = gate(base, better, worse, max_broken=1, scores=["entity_f1", "document_accuracy"])
    checks = {(check["system"], check["score"]): check for check in found["checks"]}
    assert [*checks] == [(name, score) for score in ("entity_f1", "document_accuracy") for name in "bc"]
    assert [key for key, check in checks.items() if not check["passed"]] == [("c", "entity_f1")]
    assert found == {**checks["c", "entity_f1"], "checks": [*checks.values()]}
    assert found["reason"].endswith("2 broken documents, more than 1")
    # neither further systems nor their order change a check
    for systems in ((base, worse), (base, worse, better), (base, better, better, worse)):
        again = gate(*systems, max_broken=1)["checks"]
        expected = {**checks["c", "entity_f1"], "system": "abcdef"[[*map(id, systems)].index(id(worse))]}
        assert expected in again


def test_the_other_way_round() -> None:
    base, new = documents(24, {1: 3, 5: 2}), documents(24, {1: 4, 9: 1})
    forth, back = gate(base, new), gate(new, base)
    [row] = corpus.compare(kieval, {"a": base, "b": new}, documents(24))["comparisons"]
    assert forth["bound"] - -row["difference"] == pytest.approx(back["bound"] - row["difference"])


@pytest.mark.parametrize(("wrong", "passed"), [(0, True), (2, True), (20, False)])
def test_scores_of_which_lower_is_better(wrong: int, passed: bool) -> None:
    """The bound of a rate's rise; a document breaks if it loses half of 1 - rate."""
    references = [[["total", f"{place}{place}.50"], ["tax", "1.00"]] for place in range(40)]
    new = [[] if place < wrong else row for place, row in enumerate(references)]
    found = gate(references, new, family=oi_entities, references=references, scores="oi_ecer", max_drop=0.2)
    assert found["passed"] is passed
    assert [(each["document"], each["reason"]) for each in found["broken"]] == [(n, "empty") for n in range(wrong)]
    worse = gate(new, references, family=oi_entities, references=references, scores="oi_ecer", max_drop=0.2)
    assert worse["passed"]
    assert worse["bound"] < found["bound"] or not wrong
    said = found["reason"]
    assert said.startswith("a rise of 0.2 is excluded (bound " if passed else "worse by 0.")


def test_counts_of_errors_have_a_gate_in_their_own_unit() -> None:
    """Half of a count of errors means nothing: documents break by the headline. And more documents have more errors."""
    new = documents(24, {3: 10, 7: 1})
    found = gate(documents(24), new, scores="corrections", max_drop=20)
    assert found["reason"] == f"undecided: 24 documents cannot exclude a rise of 20 (bound {found['bound']:.1f})"
    [broken] = found["broken"]
    assert (broken["document"], broken["score"], broken["value_a"], broken["value_b"]) == (3, "entity_f1", 1.0, 0.0)
    assert gate(documents(24), new, scores="corrections", max_drop=40)["passed"]


def test_clusters_are_the_units() -> None:
    """A loss in one of six shops: by documents it is found, by shops it is not, and a drop is not excluded either."""
    labels = [place % 6 for place in range(60)]
    new = documents(60, dict.fromkeys(range(0, 60, 6), 3))
    assert gate(documents(60), new)["reason"].startswith("worse by 0.0500")
    found = gate(documents(60), new, clusters=labels)
    assert found["reason"].startswith("undecided: 6 clusters cannot exclude a drop of 0.03 (bound 0.1")
    with pytest.raises(ValueError, match="^a gate needs two clusters or more, got 1$"):
        gate(documents(60), new, clusters=[1] * 60)


def test_broken_documents_are_listed_without_a_gate() -> None:
    new: list[Any] = [*documents(6, {0: 5, 1: 4, 2: 10}), None, None]
    base: list[Any] = [*documents(7), None]
    found = corpus.compare(kieval, {"a": base, "b": new, "c": base}, documents(8))
    rows = {(row["a"], row["b"]): row for row in found["comparisons"]}
    assert "gate" not in found
    assert {pair: "broken" in row for pair, row in rows.items()} == {
        ("a", "b"): True,
        ("a", "c"): True,
        ("b", "c"): False,
    }
    listed = {each["document"]: each["reason"] for each in rows["a", "b"]["broken"]}
    assert listed == {0: "lost half of its score or more", 2: "empty", 6: "can no longer be read"}
    assert rows["a", "c"]["broken"] == []


def test_a_document_that_scored_nothing_cannot_break() -> None:
    assert gate(documents(9, {1: 10}), documents(9, {1: 10}), max_broken=0)["broken"] == []
    unread: list[Any] = [*documents(8), None]
    references = [*documents(8), {"other": "1"}]
    base: list[Any] = [*documents(8), {"f0": "?"}]
    [broken] = gate(base, unread, references=references)["broken"]
    assert (broken["value_a"], broken["value_b"], broken["reason"]) == (0.0, 0.0, "can no longer be read")


def test_max_broken_alone_leaves_scores_alone() -> None:
    new = documents(24, {3: 10, 7: 10, 9: 3})
    assert gate(documents(24), new, max_drop=None, max_broken=2)["reason"] == "2 broken documents"
    found = gate(documents(24), new, max_drop=None, max_broken=1)
    assert (found["passed"], found["reason"]) == (False, "2 broken documents, more than 1")


@pytest.mark.parametrize(
    ("limits", "problem"),
    [
        ({"max_drop": 0}, "max_drop must be a number above 0, got 0"),
        ({"max_drop": math.nan}, "max_drop must be a number above 0, got nan"),
        ({"max_drop": "0.03"}, "max_drop must be a number above 0, got '0.03'"),
        ({"max_drop": 3}, "max_drop must be below 1, as entity_f1 cannot drop by more, got 3; 3 points are 0.03"),
        ({"max_broken": -1}, "max_broken must be a whole number of at least 0, got -1"),
        ({"max_broken": 1.5}, "max_broken must be a whole number of at least 0, got 1.5"),
    ],
)
def test_wrong_limits(limits: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{problem}$"):
        gate(documents(24), documents(24), **{"max_drop": None, **limits})
    assert not Limits().exist


@pytest.mark.parametrize("number", [0, 1])
def test_fewer_than_two_documents_are_an_error(number: int) -> None:
    for limits in ({"max_drop": 0.03}, {"max_drop": None, "max_broken": 0}):
        with pytest.raises(ValueError, match=f"^a gate needs two documents or more, got {number}$"):
            gate(documents(number), documents(number), **limits)


@pytest.mark.parametrize(("units", "tests"), [(6, 1), (8, 1), (10, 3), (10, 15), (15, 15), (24, 1), (24, 15), (50, 15)])
def test_the_smallest_difference_is_found_with_its_power(units: int, tests: int) -> None:
    """The test of Holm's first step, on normal differences with a mean of the smallest difference."""
    steps = 2 ** (units - 1) if units <= 13 else 10_000
    level = math.floor(0.05 / tests * steps) / steps
    smallest = smallest_difference(1 / math.sqrt(units), units, level)
    assert smallest is not None
    dice = np.random.default_rng(units)
    ways = (
        np.arange(2**units)[:, None] >> np.arange(units) & 1 if units <= 13 else dice.integers(0, 2, (steps - 1, units))
    )
    added = dice.normal(smallest, 1, (1000, units))
    is_far = np.abs(added @ (1 - 2.0 * ways.T)) >= np.abs(added.sum(1))[:, None] - 1e-9
    p_values = (is_far.sum(1) + (units > 13)) / (len(ways) + (units > 13))
    assert 0.75 <= np.mean(p_values <= 0.05 / tests) <= 0.85


def test_the_smallest_difference_is_that_of_the_corrected_test() -> None:
    systems = {name: documents(24, {place: place, place + 1: 3}) for place, name in enumerate("abcdef")}
    found = corpus.compare(kieval, systems, documents(24))["comparisons"]
    alone = corpus.compare(kieval, {name: systems[name] for name in "ab"}, documents(24))["comparisons"]
    quantiles = [student.ppf(1 - level / 2, 23) + student.ppf(0.8, 23) for level in (0.05 / 15, 0.05)]
    ratio = found[0]["smallest_difference"] / alone[0]["smallest_difference"]
    assert ratio == pytest.approx(quantiles[0] / quantiles[1], rel=5e-3)  # 10,001 shuffles have no p of 0.05 / 15


def test_where_no_permutation_reaches_the_level_there_is_no_smallest_difference() -> None:
    from docie.comparison.results import compared
    from docie.comparison.verdicts import verdicts

    with pytest.warns(UserWarning, match="^5 documents can be swapped in 32 ways, so no p-value is below 0.0625"):
        found = corpus.compare(kieval, {"a": documents(5), "b": documents(5, {1: 3})}, documents(5))
    [row] = found["comparisons"]
    assert row["interval"] is not None
    assert row["smallest_difference"] is None
    [verdict] = verdicts(compared(found))
    assert verdict.text.endswith(
        "No difference could have been found: so few units have no p-value that is small enough."
    )
    [row] = corpus.compare(kieval, {"a": documents(6), "b": documents(6, {1: 3})}, documents(6))["comparisons"]
    assert row["smallest_difference"] is not None
