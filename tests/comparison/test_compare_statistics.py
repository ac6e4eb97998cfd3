"""The test, the standard error and the corrections, beside scipy, formulas and slow textbook versions."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.stats import permutation_test
from scipy.stats import t as student

import docie
from docie import corpus, hed, kieval
from docie.comparison.significance import changed_rows, holm, letters, p_values, smallest_difference
from docie.comparison.systems import Systems
from docie.core.counts import Counts
from docie.core.family import get
from docie.corpus.intervals import contributions, delta_interval, standard_error
from docie.corpus.method import Method

from sizes import examples


def f1(sums: Any) -> dict[str, Any]:
    """F1 of sums of right, wrong and missed values."""
    both = 2 * sums[:, 0] + sums[:, 1] + sums[:, 2]
    return {"f1": np.divide(2 * sums[:, 0], both, out=np.ones(len(sums)), where=both != 0)}


def drawn(documents: int, seed: int) -> tuple[Any, Any]:
    """The counts of two systems: heavy tails, and the documents alike in both."""
    rng = np.random.default_rng(seed)
    size = rng.lognormal(1, 1.2, documents).astype(int) + 1
    rows = [
        np.column_stack([rng.binomial(size, share), rng.poisson(1, documents), rng.poisson(size / 9)])
        for share in (0.9, 0.85)
    ]
    return rows[0].astype(float), rows[1].astype(float)


def p_value(one: Any, other: Any, **options: Any) -> float:
    return p_values(f1, csr_matrix(one), csr_matrix(other), **({"shuffles": 10_000, "seed": 0} | options))["f1"]


@pytest.mark.parametrize("documents", [2, 3, 6, 9, 12])
def test_p_values_equal_those_of_scipy(documents: int) -> None:
    """By full enumeration."""
    one, other = drawn(documents, documents)
    numbers = np.arange(2 * documents)
    rows = np.vstack([one, other])

    def statistic(x: Any, y: Any) -> float:
        sums = [rows[np.asarray(part, dtype=int)].sum(0)[None, :] for part in (x, y)]
        return float(f1(sums[0])["f1"][0] - f1(sums[1])["f1"][0])

    found = permutation_test(
        (numbers[:documents], numbers[documents:]), statistic, permutation_type="samples", vectorized=False, n_resamples=np.inf,
        alternative="two-sided",
    )  # fmt: skip
    # scipy doubles the smaller tail; the tails of swaps are mirror images, so that is the share at both ends
    assert p_value(one, other) == pytest.approx(found.pvalue)


def test_random_shuffles_come_near_all_of_them() -> None:
    one, other = drawn(13, 4)
    exact = p_value(one, other)
    found = p_value(one, other, shuffles=1999)
    assert found == pytest.approx(exact, abs=0.04)
    assert found * 2000 == pytest.approx(round(found * 2000))


def test_random_shuffles_by_hand() -> None:
    """Each shuffle swaps whole rows; c of n are at least as far from 0."""
    one, other = drawn(70, 3)
    differ = (one != other).any(1)
    one, other, units = one[differ], other[differ], int(differ.sum())
    drawn_bytes = np.random.default_rng(0).bytes(units * 25)
    bits = np.unpackbits(np.frombuffer(drawn_bytes, dtype=np.uint8).reshape(units, -1), axis=1, count=199)
    seen = f1(other.sum(0)[None])["f1"][0] - f1(one.sum(0)[None])["f1"][0]
    far = 0
    for swap in bits.T.astype(bool):
        a, b = np.where(swap[:, None], other, one).sum(0)[None], np.where(swap[:, None], one, other).sum(0)[None]
        far += abs(f1(b)["f1"][0] - f1(a)["f1"][0]) >= abs(seen) - 1e-12
    assert p_value(one, other, shuffles=199) == (far + 1) / 200


def test_documents_that_are_equal_change_nothing() -> None:
    one, other = drawn(9, 5)
    fillers = np.zeros((30, 3))  # with these, all ways to swap would be far too many
    assert p_value(np.vstack([one, fillers]), np.vstack([other, fillers])) == p_value(one, other)
    assert p_value(one, one) == 1.0


def test_a_figure_that_is_no_number_in_a_shuffle_counts_as_far() -> None:
    def odd(sums: Any) -> dict[str, Any]:
        return {"x": np.where(sums[:, 0] == 4, sums[:, 0], np.nan)}

    rows = csr_matrix(np.array([[2.0], [2.0]])), csr_matrix(np.array([[1.0], [3.0]]))
    assert p_values(odd, *rows, shuffles=99, seed=0)["x"] == 1.0


def test_the_standard_error_of_a_ratio_of_sums() -> None:
    """sqrt(n / (n - 1) * sum((y - r x)^2)) / sum(x) (Cochran, 1977, equation 6.9, for a large population)."""
    rows, _ = drawn(60, 7)
    y, x = rows[:, 0], rows[:, 0] + rows[:, 2]
    ratio = y.sum() / x.sum()
    expected = np.sqrt(60 / 59 * np.sum((y - ratio * x) ** 2)) / x.sum()
    added = contributions(lambda sums: {"recall": sums[:, 0] / (sums[:, 0] + sums[:, 2])}, csr_matrix(rows))["recall"]
    assert standard_error(added) == pytest.approx(expected, rel=1e-6)
    # of a mean, and of a sum
    mean = contributions(lambda sums: {"mean": sums[:, 0] / 60}, csr_matrix(rows))["mean"]
    assert standard_error(mean) == pytest.approx(np.std(y, ddof=1) / np.sqrt(60))


def test_the_standard_error_agrees_with_the_bootstrap() -> None:
    one, other = drawn(2000, 8)
    rows = [csr_matrix(part) for part in (one, other)]
    first, second = (contributions(f1, part)["f1"] for part in rows)
    weights = np.random.default_rng(0).multinomial(2000, np.full(2000, 1 / 2000), 2000)
    spread = np.std(f1(weights @ other)["f1"] - f1(weights @ one)["f1"], ddof=1)
    assert standard_error(second - first) == pytest.approx(spread, rel=0.08)


def test_intervals_and_the_smallest_difference() -> None:
    low, high = delta_interval(0.1, 0.02, 25, 0.95) or [0, 0]
    assert (high - low) / 2 == pytest.approx(0.02 * student.ppf(0.975, 24))
    expected = 0.02 * (student.ppf(0.975, 24) + student.ppf(0.8, 24))
    assert smallest_difference(0.02, 25, 0.05) == pytest.approx(expected)
    assert delta_interval(0.1, None, 1, 0.95) is None
    assert smallest_difference(None, 25, 0.05) is smallest_difference(0.02, 25, None) is None


def test_holm_by_the_table() -> None:
    """Step by step: the k-th smallest of m p-values is compared with level / (m - k + 1), until one is larger."""
    rng = np.random.default_rng(0)
    for size in range(1, 20):
        values = rng.choice([0.001, 0.004, 0.01, 0.02, 0.03, 0.2, 0.6, 1.0], size).tolist()
        corrected = holm(values)
        for level in (0.01, 0.05, 0.1, 0.5):
            rejected: set[int] = set()
            for rank, place in enumerate(np.argsort(values, kind="stable").tolist()):
                if values[place] > level / (size - rank):
                    break
                rejected.add(place)
            assert {place for place, value in enumerate(corrected) if value <= level} == rejected
    assert holm([0.01, 0.02, 0.03]) == pytest.approx([0.03, 0.04, 0.04])  # 3 x .01, 2 x .02, and not below that
    assert holm([0.5, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.integers(1, 7), st.data())
@examples(400)
def test_two_systems_share_a_letter_if_and_only_if_no_test_separates_them(number: int, data: st.DataObject) -> None:
    names = [f"s{place}" for place in range(number)]
    pairs = [*combinations(names, 2)]
    separated = data.draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    found = letters(names, separated)
    assert [*found] == names
    for one, other in pairs:
        assert bool({*found[one]} & {*found[other]}) == ((one, other) not in separated)
    assert found[names[0]].startswith("a")
    assert all(text == "".join(sorted(text)) and text for text in found.values())


@given(st.integers(0, 99), st.lists(st.integers(0, 4), min_size=12, max_size=12))
@examples(60)
def test_a_cluster_is_swapped_as_a_whole(seed: int, labels: list[int]) -> None:
    """Clusters of documents give what the sums of their counts give."""
    references = [{"x": ["r"] * 30}] * 12
    systems = [[{"x": ["r"] * int(right) + ["w"] * int(wrong)} for right, wrong, _ in part] for part in drawn(12, seed)]
    counted = [
        np.array(
            [
                kieval.count(row, reference).rows["entity", None, "x"]
                for row, reference in zip(system, references, strict=True)
            ]
        )
        for system in systems
    ]
    one, other = (
        np.array([part[np.array(labels) == label].sum(0) for label in dict.fromkeys(labels)], dtype=float)
        for part in counted
    )
    result = corpus.compare(kieval, {"a": systems[0], "b": systems[1]}, references, clusters=labels)
    [row] = result["comparisons"]
    assert result["units"] == len(one)
    assert row["p_value"] == p_value(one, other)
    added = [contributions(f1, csr_matrix(part))["f1"] for part in (one, other)]
    expected = delta_interval(row["difference"], standard_error(added[1] - added[0]), len(one), 0.95)
    assert row["interval"] == (None if expected is None else pytest.approx(expected))


def receipts(seed: int) -> tuple[list[Any], list[Any], list[Any]]:
    """References, and the answers of two systems."""
    rng = np.random.default_rng(seed)
    texts = ["latte", "late", "tea", "12.00", ""]

    def some() -> dict[str, Any]:
        items = [dict(zip("bd", rng.choice(texts, 2).tolist(), strict=True)) for _ in range(rng.integers(3))]
        return {"a": str(rng.choice(texts)), "c": str(rng.choice(texts)), "g": items}

    references = [some() for _ in range(12)]
    answers = [[reference if rng.random() < share else some() for reference in references] for share in (0.8, 0.5)]
    return references, answers[0], answers[1]


DOCUMENT_FAMILIES = [name for name in docie.families() if "document" in get(name).INPUTS]


@pytest.mark.parametrize("name", DOCUMENT_FAMILIES)
def test_rows_are_added_only_where_scores_need_no_more(name: str) -> None:
    """The p-values of sums over entity types are those of all rows, whatever a score is made of."""
    family, (references, *answers) = get(name), receipts(1)
    method = Method(family, family.Settings())
    systems = Systems(method)
    for system, rows in zip("ab", answers, strict=True):
        systems.add(system, method.pairs(rows, references))
    systems.close()
    whole = systems.rows()
    merged = False
    for score in family.score(systems.totals["a"]):

        def needed(counts: Counts, score: str = score) -> dict[str, Any]:
            return {score: family.score(counts)[score]}

        few = systems.rows(needed)
        merged |= few.columns.rows.shape[1] < whole.columns.rows.shape[1]
        found, expected = (
            p_values(
                each.columns.figures(needed),
                each.of_units("a"),
                each.of_units("b"),
                shuffles=500,
                seed=0,
                swapped=changed_rows(whole.of_units("a"), whole.of_units("b")),
            )
            for each in (few, whole)
        )
        assert found == expected, score
    assert merged == (name != "nted"), "most scores need no entity types"


def test_documents_that_some_systems_do_not_have_are_left_out() -> None:
    references, *answers = receipts(2)
    reading = {"join": {"missing": "drop", "extra": "drop"}}
    expected = [{"id": f"r-{number}", "document": each} for number, each in enumerate(references)]
    rows = [[{"id": f"r-{number}", "document": each} for number, each in enumerate(own)] for own in answers]
    left = [number for number in range(12) if number not in (2, 7, 8)]
    systems = {"a": [row for row in rows[0] if row["id"] != "r-2"], "b": rows[1][:7] + rows[1][9:]}
    for family in (kieval, hed):
        found = corpus.compare(family, systems, expected, config=reading, shuffles=99, suspects=True)
        of_both = {name: [own[place] for place in left] for name, own in zip("ab", rows, strict=True)}
        whole = corpus.compare(family, of_both, [expected[place] for place in left], shuffles=99, suspects=True)
        assert found | {"signature": ""} == whole | {"signature": ""}
        assert found["documents"] == 9
