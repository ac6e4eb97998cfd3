"""HED, UHED and text match: textbook loops, the authors' counts, order, degenerate documents."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, hed, text_match
from docie.core.counts import Outcomes
from docie.core.values.json_text import ANY_OF
from docie.corpus.matrix import Matrix

from sizes import examples

Item = dict[str, str]
NAMES = ("true_positives", "false_positives", "false_negatives")


# --- the textbook -----------------------------------------------------------------------------------------------------


@cache
def common(one: str, other: str) -> int:
    """Longest common subsequence."""
    row = [0] * (len(other) + 1)
    for a in one:
        last = 0
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], last + 1 if a == b else max(row[j], row[j - 1])
    return row[-1]


def field_counts(predicted: Item, expected: Item) -> tuple[int, int, int]:
    tp = sum(common(predicted.get(kind, ""), expected.get(kind, "")) for kind in predicted.keys() | expected.keys())
    return tp, sum(map(len, predicted.values())) - tp, sum(map(len, expected.values())) - tp


def ordered(predicted: list[Item], expected: list[Item]) -> tuple[int, int, int]:
    """The alignment of fewest wrong and missing characters, by the definition's recursion."""

    @cache
    def best(i: int, j: int) -> tuple[int, int, int]:
        ways = []
        if i and j:
            ways.append(add(best(i - 1, j - 1), field_counts(predicted[i - 1], expected[j - 1])))
        if j:
            ways.append(add(best(i, j - 1), field_counts({}, expected[j - 1])))
        if i:
            ways.append(add(best(i - 1, j), field_counts(predicted[i - 1], {})))
        return min(ways, key=lambda counts: counts[1] + counts[2]) if ways else (0, 0, 0)

    return best(len(predicted), len(expected))


def unordered(predicted: list[Item], expected: list[Item], *, ignore: bool) -> tuple[int, int, int]:
    """Every assignment: most right characters, then fewest others, then fewest missing."""
    flipped = len(predicted) > len(expected)
    short, long = (expected, predicted) if flipped else (predicted, expected)
    options = []
    for places in permutations(range(len(long)), len(short)):
        pairs = [
            (long[place], item) if flipped else (item, long[place]) for item, place in zip(short, places, strict=True)
        ]
        totals = add(*(field_counts(*pair) for pair in pairs))
        alone = [long[place] for place in range(len(long)) if place not in places]
        rest = add(*(field_counts(item, {}) if flipped else field_counts({}, item) for item in alone))
        options.append((totals[0], -(totals[1] + totals[2]), -totals[2], totals if ignore else add(totals, rest)))
    return max(options)[3]


def add(*counts: tuple[int, int, int]) -> tuple[int, int, int]:
    tp, fp, fn = (sum(column) for column in zip((0, 0, 0), *counts, strict=True))
    return tp, fp, fn


TEXTS = st.text("ab ", min_size=1, max_size=4).filter(lambda text: not text.isspace())
ITEMS = st.lists(st.dictionaries(st.sampled_from(["g.a", "g.b"]), TEXTS, min_size=1, max_size=2), max_size=4)
DOCUMENTS = st.fixed_dictionaries({"g": ITEMS, "h": ITEMS}, optional={"x": TEXTS, "y": TEXTS})


def characters(row: Outcomes) -> tuple[int, int, int]:
    return row.true_positives, row.false_positives, row.false_negatives


def totals(counts: Any, metric: str) -> tuple[int, int, int]:
    return characters(counts.total(metric, hed.metric.Field))


def header(document: dict[str, Any]) -> Item:
    return {key: value for key, value in document.items() if key in "xy"}


@given(prediction=DOCUMENTS, reference=DOCUMENTS)
@examples(1500)
def test_agrees_with_the_textbook(prediction: Any, reference: Any) -> None:
    top = field_counts(header(prediction), header(reference))
    counts = hed.count(prediction, reference)
    assert totals(counts, "hed") == add(top, *(ordered(prediction[g], reference[g]) for g in "gh"))
    for mode in ("count", "ignore"):
        found = totals(hed.count(prediction, reference, hed.Settings(unmatched=mode)), "uhed")
        assert found == add(top, *(unordered(prediction[g], reference[g], ignore=mode == "ignore") for g in "gh"))


@given(prediction=DOCUMENTS, reference=DOCUMENTS, seed=st.randoms(use_true_random=False))
@examples(500)
def test_shuffling_line_items_changes_no_uhed_figure(prediction: Any, reference: Any, seed: Any) -> None:
    def mixed(document: Any) -> Any:
        return {key: seed.sample(value, len(value)) if key in "gh" else value for key, value in document.items()}

    for mode in ("count", "ignore"):
        options = hed.Settings(unmatched=mode)
        one, other = (
            corpus.evaluate(hed, [p], [r], options, breakdown=True)
            for p, r in ((prediction, reference), (mixed(prediction), mixed(reference)))
        )
        assert _without_hed(one) == _without_hed(other)


def _without_hed(results: Any) -> Any:
    if isinstance(results, dict):
        return {key: _without_hed(value) for key, value in results.items() if not str(key).startswith("hed_")}
    return [_without_hed(value) for value in results] if isinstance(results, list) else results


@given(prediction=DOCUMENTS, reference=DOCUMENTS)
@examples(500)
def test_text_match_sees_the_pairs_of_uhed(prediction: Any, reference: Any) -> None:
    fields = text_match.count(prediction, reference).total("field", text_match.metric.Fields)
    tp, fp, fn = totals(hed.count(prediction, reference), "uhed")
    assert (fields.lcs_length, fields.lcs_distance) == (tp, fp + fn)


@given(prediction=DOCUMENTS, reference=DOCUMENTS)
@examples(300)
def test_fields_add_up(prediction: Any, reference: Any) -> None:
    counts = hed.count(prediction, reference)
    for metric in ("hed", "uhed"):
        for position in (1, 2):
            rows = counts.by(metric, position, hed.metric.Field).values()
            assert add(*map(characters, rows)) == totals(counts, metric)
    assert totals(counts, "hed")[0] <= totals(counts, "uhed")[0]


# --- worked cases -----------------------------------------------------------------------------------------------------


def figures(prediction: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return corpus.evaluate(hed, [prediction], [reference], hed.Settings(**options), breakdown=True)


LINES = [{"nm": "Latte", "price": "4.50"}, {"nm": "Mocha", "price": "5.00"}, {"nm": "Bagel", "price": "3.00"}]


def test_an_invented_line_item() -> None:
    """9 of 9 characters right in one item; the other's 9 are false positives, or free where they are ignored."""
    reference, prediction = {"menu": LINES[:1]}, {"menu": LINES[:2]}
    assert figures(prediction, reference)["uhed_precision"] == 0.5
    assert figures(prediction, reference, unmatched="ignore")["uhed_precision"] == 1.0
    assert figures(prediction, reference, unmatched="ignore")["hed_precision"] == 0.5


def test_line_items_in_another_order() -> None:
    """In order, two of the three can stay: 18 of 27 characters."""
    result = figures({"menu": [LINES[1], LINES[0], LINES[2]]}, {"menu": LINES})
    assert result["uhed_f1"] == 1.0
    assert result["hed_f1"] == pytest.approx(2 * 18 / (27 + 27))
    assert result["per_group"]["menu"]["hed_f1_micro"] == result["hed_f1"]


def test_several_lists_of_line_items() -> None:
    reference = {"menu": LINES[:1], "tax": [{"nm": "Latte", "price": "4.50"}]}
    assert figures(reference, reference)["hed_f1"] == 1.0
    result = figures({"menu": LINES[:1]}, reference)
    assert (result["hed_recall"], result["hed_precision"]) == (0.5, 1.0)
    assert (result["per_group"]["tax"]["hed_f1_micro"], result["per_group"]["tax"]["support"]) == (0.0, 2)
    result = figures({"menu": LINES, "x": "1"}, {"menu": LINES[:2]})
    assert {kind: row["support"] for kind, row in result["per_entity"].items()} == {
        "menu.nm": 2,
        "menu.price": 2,
        "x": 0,
    }


def test_several_values_are_joined_in_order() -> None:
    assert figures({"a": ["one", "two"]}, {"a": "one two"})["hed_f1"] == 1.0
    assert figures({"a": ["two", "one"]}, {"a": ["one", "two"]})["hed_f1"] < 1.0


def test_means_over_documents_and_micro() -> None:
    """Document 1: 2 of 2 characters; document 2: 0 of 8. Precision 1 and 0, of which the mean is a half; micro .2."""
    result = corpus.evaluate(hed, [{"a": "ab"}, {"a": "xxxxxxxx"}], [{"a": "ab"}, {"a": "y"}], breakdown=True)
    assert (result["hed_precision"], result["hed_precision_micro"]) == (0.5, 0.2)
    assert (result["per_entity"]["a"]["hed_precision"], result["per_entity"]["a"]["hed_precision_micro"]) == (0.5, 0.2)
    assert result["per_entity"]["a"]["support"] == 2
    # of a field: the documents that have it
    result = corpus.evaluate(hed, [{"a": "ab"}, {}, {}], [{"a": "ab"}, {"b": "x"}, {}], breakdown=True)
    assert (result["per_entity"]["a"]["hed_f1"], result["per_entity"]["b"]["hed_f1"]) == (1.0, 0.0)
    assert result["hed_f1"] == pytest.approx(2 / 3)


def test_on_ties_a_pair_comes_first() -> None:
    """Nothing in common: a pair or two skips cost the same, and no total depends on it."""
    counts = hed.count({"g": [{"a": "x"}]}, {"g": [{"a": "y"}]})
    assert counts.rows["hed", "g", "g.a"][:3] == [0, 1, 1]


def test_ties_are_decided_from_the_end_of_the_lists() -> None:
    # either pair has one character in common: the last ones are a pair
    counts = hed.count({"g": [{"a": "x", "b": "y"}]}, {"g": [{"a": "x"}, {"b": "y"}]})
    assert [counts.rows["hed", "g", kind][0] for kind in ("g.a", "g.b")] == [0, 1]
    # the last ones have none: the reference's is left without a counterpart before the predicted one
    counts = hed.count({"g": [{"a": "x"}, {"b": "y"}]}, {"g": [{"b": "y"}, {"a": "x"}]})
    assert [counts.rows["hed", "g", kind][0] for kind in ("g.a", "g.b")] == [0, 1]


@pytest.mark.parametrize("answers", [("31.12.2023", "2023-12-31"), {ANY_OF: ["31.12.2023", "2023-12-31"]}])
def test_the_best_alternative_counts(answers: Any) -> None:
    result = figures({"date": "2023-12-3"}, {"date": answers})
    assert (result["hed_precision"], result["hed_recall"]) == (1.0, 0.9)
    assert figures({}, {"date": answers})["per_entity"]["date"]["support"] == 1
    for reference, expected in ((("ab", "c"), [0, 2, 1]), (("ab", "z"), [1, 1, 0]), (("az", "z"), [1, 1, 0])):
        counts = hed.count({"g": [{"d": "zz"}]}, {"g": [{"d": reference}]})
        assert [counts.rows[metric, "g", "g.d"][:3] for metric in ("hed", "uhed")] == [expected] * 2


def test_settings() -> None:
    with pytest.raises(ValueError, match="^unmatched must be 'count' or 'ignore', got 'drop'$"):
        hed.Settings(unmatched="drop")  # type: ignore[arg-type]
    assert figures({"a": "X"}, {"a": "x"}, normalize="casefold")["hed_f1"] == 1.0


# --- text match -------------------------------------------------------------------------------------------------------


def test_the_text_metrics() -> None:
    """kitten → sitting: distance 3 of 7; common subsequence ittn, 4 of 6 and of 7."""
    result = corpus.evaluate(text_match, [{"a": "kitten"}], [{"a": "sitting"}])
    assert result["levenshtein_distance"] == 3.0
    assert result["levenshtein_similarity"] == pytest.approx(1 - 3 / 7)
    assert (result["lcs_length"], result["lcs_distance"]) == (4.0, 5.0)
    assert (result["lcs_precision"], result["lcs_recall"]) == (pytest.approx(4 / 6), pytest.approx(4 / 7))
    assert result["lcs_f1"] == pytest.approx(8 / 13)


def test_letters_and_digits_only() -> None:
    result = corpus.evaluate(text_match, [{"a": "12,50", "b": "x", "c": "-"}], [{"a": "12.50", "b": "y", "c": "*"}])
    assert (result["exact_match"], result["exact_match_alphanumeric"]) == (0.0, pytest.approx(2 / 3))


@pytest.mark.parametrize(("prediction", "reference"), [({"a": "abc"}, {}), ({}, {"a": "abc"})])
def test_a_field_of_one_side_only(prediction: Any, reference: Any) -> None:
    result = corpus.evaluate(text_match, [prediction], [reference])
    expected = dict.fromkeys(text_match.metric.FIGURES, 0.0) | {"levenshtein_distance": 3.0, "lcs_distance": 3.0}
    assert {name: result[name] for name in expected} == expected


def test_means_over_fields_and_by_type() -> None:
    prediction = {"menu": [{"nm": "Latte"}, {"nm": "Mokka"}], "total": "9"}
    result = corpus.evaluate(text_match, [prediction], [{"menu": LINES[:2], "total": "9"}], breakdown=True)
    assert result["exact_match"] == pytest.approx(2 / 5)
    assert result["per_entity"]["menu.nm"]["exact_match"] == 0.5
    assert (result["per_entity"]["menu.price"]["lcs_length"], result["per_entity"]["menu.price"]["support"]) == (0.0, 2)
    assert result["per_group"]["menu"]["exact_match"] == 0.25
    result = corpus.evaluate(text_match, [{"a": "1", "g": [{"b": "1"}] * 2}], [{"g": {"b": "1"}}], breakdown=True)
    assert {kind: row["support"] for kind, row in result["per_entity"].items()} == {"a": 0, "g.b": 1}


def test_nothing_has_no_characters() -> None:
    result = corpus.evaluate(text_match, [], [])
    assert (result["levenshtein_distance"], result["lcs_length"], result["lcs_distance"]) == (0.0, 0.0, 0.0)


def test_documents_without_a_field_add_nothing_to_its_means() -> None:
    columns = Matrix(hed.count({name: "x"}, {name: "x"}) for name in "ab").columns()
    row = hed.breakdown(columns.counts(columns.rows.toarray()))["per_entity"]["a"]
    assert {name: row[name].tolist() for name in ("hed_f1", "uhed_recall", "support")} == {
        "hed_f1": [1.0, 0.0],
        "uhed_recall": [1.0, 0.0],
        "support": [1, 0],
    }


def test_an_item_is_missed_or_invented_beside_longer_ones() -> None:
    """The sums that choose pairs are far above the numbers of common characters, which are kept in a byte each."""
    items = [{"name": "Flat White", "amount": "4.50"}, {"name": "Bagel", "amount": "3.00"}, {"name": "Cookie"}]
    few, many = {"items": items[:2]}, {"items": items}
    assert corpus.evaluate(hed, [few], [many])["uhed_recall_micro"] == pytest.approx(23 / 29)
    assert corpus.evaluate(hed, [many], [few])["uhed_recall_micro"] == 1.0
