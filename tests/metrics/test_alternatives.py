"""Alternatives: whichever is predicted scores as the reference itself, and the best pairing counts, by brute force."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import LCSseq

from docie import corpus, families, hed, nted, text_match
from docie.core.explanation import Fields
from docie.core.family import get
from docie.core.matching import open_texts
from docie.core.matching.open_texts import OpenText, extra_values, fewest_others, most_common
from docie.core.scores import score_of
from docie.core.values.json_text import ANY_OF
from docie.documents import line_items

from sizes import examples, times
from strategies import documents

MENU = {"menu": [{"nm": "Tea", "q": "1"}, {"nm": ("Tea", "Latte"), "q": "2"}]}
ORDERED = {"hed", "nted"}  # some or all of their scores depend on the order of line items
OF_DOCUMENTS = [name for name in families() if "document" in get(name).INPUTS]
every_family = pytest.mark.parametrize("name", [*OF_DOCUMENTS, "form_robustness"])


# --- any alternative anywhere -----------------------------------------------------------------------------------------

WORDS = st.sampled_from(["1", "2", "12", "a b", "Tea", "Tea hot", "hot"])
ALTERNATIVES = st.one_of(WORDS, st.lists(WORDS, min_size=2, max_size=3).map(tuple))
REFERENCES = documents(st.one_of(ALTERNATIVES, ALTERNATIVES.map(lambda value: {ANY_OF: [value]} if isinstance(value, str) else {ANY_OF: [*value]})))  # fmt: skip


def chosen(value: Any, rng: random.Random) -> Any:
    """A prediction: of alternatives, any."""
    if isinstance(value, dict):
        return rng.choice(value[ANY_OF]) if ANY_OF in value else {key: chosen(value[key], rng) for key in value}
    if isinstance(value, tuple):
        return rng.choice(value)
    return [chosen(element, rng) for element in value] if isinstance(value, list) else value


def in_another_order(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The line items in another order; HED and text match join the values of a field, so these keep theirs."""
    return {key: rng.sample(value, len(value)) if key in "gh" else value for key, value in document.items()}


def shares(name: str, row: dict[str, Any], *, is_shuffled: bool) -> dict[str, Any]:
    """The scores of which 1 is best, without those that need options."""
    scores = {key: score_of(get(name), key) for key, value in row.items() if isinstance(value, float)}
    best = {
        key
        for key, score in scores.items()
        if (score.better, score.kind) in (("higher", "share"), ("higher", "documents"))
    }
    return {key: row[key] for key in best if not (is_shuffled and key.startswith("hed_"))}


@every_family
@given(reference=REFERENCES, seed=st.integers(0, 10**6), is_shuffled=st.booleans())
@examples(300, 60)
def test_a_prediction_that_takes_any_alternative_scores_as_the_reference(
    name: str, reference: Any, seed: int, is_shuffled: bool
) -> None:
    rng = random.Random(seed)
    prediction = chosen(reference, rng)
    if is_shuffled := is_shuffled and name != "nted":
        prediction = in_another_order(prediction, rng)
    if name == "form_robustness":
        prediction, reference = ({"attacks": {"none": side, "blur": side}} for side in (prediction, reference))
    results = corpus.evaluate(get(name), [prediction], [reference], breakdown=True)
    found = shares(name, results, is_shuffled=is_shuffled)
    assert found
    assert found == dict.fromkeys(found, 1.0)
    for table in ("per_entity", "per_group"):
        for row in results.get(table, {}).values():
            found = shares(name, row, is_shuffled=is_shuffled)
            assert found == dict.fromkeys(found, 1.0)
    explanation = get(name).explain(prediction, reference, get(name).Settings())
    assert all(
        (pair.verdict, pair.credit, pair.predicted) == ("correct", 1.0, pair.expected) for pair in explanation.pairs
    )


@every_family
def test_an_alternative_that_another_line_item_has(name: str) -> None:
    """Two line items have the value Tea among theirs: which alternative counts depends on what is paired."""
    prediction: Any = {"menu": [{"nm": "Tea", "q": "1"}, {"nm": "Latte", "q": "2"}]}
    reference: Any = MENU
    if name == "form_robustness":
        prediction, reference = ({"attacks": {"none": side}} for side in (prediction, reference))
    found = shares(name, corpus.evaluate(get(name), [prediction], [reference]), is_shuffled=False)
    assert found == dict.fromkeys(found, 1.0)


# --- brute force ------------------------------------------------------------------------------------------------------

Counts = tuple[int, int, int]  # true positives, false positives, false negatives
Item = dict[str, list[str]]  # the texts that a field may have, in the order of the alternatives


@cache
def common(one: str, other: str) -> int:
    return int(LCSseq.similarity(one, other))


def texts_of(value: Any) -> list[str]:
    """All texts that a field may have."""
    values = value if isinstance(value, list) else [value]
    return [" ".join(texts) for texts in product(*(each if isinstance(each, tuple) else (each,) for each in values))]


def uhed_key(counts: Counts) -> tuple[int, ...]:
    return counts[0], -counts[1] - counts[2], -counts[2]


def hed_key(counts: Counts) -> tuple[int, ...]:
    return -counts[1] - counts[2], counts[0]


def pair_counts(predicted: dict[str, str], expected: Item, key: Any) -> Counts:
    """Of each field, the best alternative; of a field that is missing, the first."""
    found = [(0, len(text), 0) for kind, text in predicted.items() if kind not in expected]
    for kind, texts in expected.items():
        if kind not in predicted:
            found.append((0, 0, len(texts[0])))
            continue
        shared = [(common(predicted[kind], text), text) for text in texts]
        found.append(max(((tp, len(predicted[kind]) - tp, len(text) - tp) for tp, text in shared), key=key))
    return add(*found)


def add(*counts: Counts) -> Counts:
    tp, fp, fn = (sum(column) for column in zip((0, 0, 0), *counts, strict=True))
    return tp, fp, fn


def pairings(predicted: int, expected: int) -> Iterator[list[tuple[int, int]]]:
    """All assignments of the smaller number."""
    for places in permutations(range(max(predicted, expected)), min(predicted, expected)):
        yield [(place, at) if predicted > expected else (at, place) for at, place in enumerate(places)]


def unordered(predicted: list[dict[str, str]], expected: list[Item]) -> tuple[Counts, Counts]:
    """The best assignment: the characters of its pairs, and of all items."""
    options = []
    for pairs in pairings(len(predicted), len(expected)):
        paired = add(*(pair_counts(predicted[row], expected[column], uhed_key) for row, column in pairs))
        rows, columns = ({pair[side] for pair in pairs} for side in (0, 1))
        alone = [pair_counts(item, {}, uhed_key) for row, item in enumerate(predicted) if row not in rows]
        alone += [pair_counts({}, item, uhed_key) for column, item in enumerate(expected) if column not in columns]
        total = add(paired, *alone)
        options.append((uhed_key(paired), -total[2], paired, total))
    return max(options)[2:]


def ordered(predicted: list[dict[str, str]], expected: list[Item]) -> Counts:
    """The best of all alignments: fewest characters that are not in common, then most that are."""

    def alignments(row: int, column: int) -> Iterator[Counts]:
        if row == len(predicted) and column == len(expected):
            yield 0, 0, 0
        if row < len(predicted) and column < len(expected):
            pair = pair_counts(predicted[row], expected[column], hed_key)
            yield from (add(pair, rest) for rest in alignments(row + 1, column + 1))
        if row < len(predicted):
            yield from (add(pair_counts(predicted[row], {}, hed_key), rest) for rest in alignments(row + 1, column))
        if column < len(expected):
            yield from (add(pair_counts({}, expected[column], hed_key), rest) for rest in alignments(row, column + 1))

    return max(alignments(0, 0), key=hed_key)


TEXTS = st.text("ab", min_size=1, max_size=4)
CELLS = st.one_of(TEXTS, st.lists(TEXTS, min_size=2, max_size=3).map(tuple))
FIELDS = st.one_of(CELLS, st.lists(CELLS, min_size=1, max_size=2))
KINDS = st.sampled_from(["g.a", "g.b"])
PREDICTED = st.lists(st.dictionaries(KINDS, TEXTS, min_size=1, max_size=2), max_size=3)
EXPECTED = st.lists(st.dictionaries(KINDS, FIELDS, min_size=1, max_size=2), max_size=3)


def totals(counts: Any, metric: str) -> Counts:
    row = counts.total(metric, hed.metric.Field)
    return row.true_positives, row.false_positives, row.false_negatives


@given(predicted=PREDICTED, expected=EXPECTED, few=st.sampled_from([0, 32]))
@examples(600, 100)
def test_the_best_pairing_with_the_best_alternatives_counts(predicted: Any, expected: Any, few: int) -> None:
    items = [{kind: texts_of(value) for kind, value in item.items()} for item in expected]
    with mock.patch.object(open_texts, "_FEW", few):
        count = hed.count({"g": predicted}, {"g": expected})
        ignoring = hed.count({"g": predicted}, {"g": expected}, hed.Settings(unmatched="ignore"))
        fields = text_match.count({"g": predicted}, {"g": expected}).total("field", text_match.metric.Fields)
    paired, total = unordered(predicted, items)
    assert totals(count, "uhed") == total
    assert totals(ignoring, "uhed") == paired
    assert totals(count, "hed") == totals(ignoring, "hed") == ordered(predicted, items)
    assert (fields.lcs_length, fields.lcs_distance) == (total[0], total[1] + total[2])
    for counts in (count, ignoring):
        for metric, position in product(("hed", "uhed"), (1, 2)):
            rows = counts.by(metric, position, hed.metric.Field).values()
            sums = add(*((row.true_positives, row.false_positives, row.false_negatives) for row in rows))
            assert sums == totals(counts, metric)


@given(predicted=PREDICTED, expected=EXPECTED, seed=st.randoms(use_true_random=False))
@examples(500)
def test_the_order_of_line_items_changes_no_score(predicted: Any, expected: Any, seed: Any) -> None:
    one, other = (
        {
            name: corpus.evaluate(get(name), [{"g": rows}], [{"g": items}], breakdown=True)["per_entity"]
            for name in ("text_match", "hed")
        }
        for rows, items in (
            (predicted, expected),
            (seed.sample(predicted, len(predicted)), seed.sample(expected, len(expected))),
        )
    )
    assert one["text_match"] == other["text_match"]
    for kind, row in one["hed"].items():
        assert {key: row[key] for key in row if key[:4] != "hed_"} == {
            key: value for key, value in other["hed"][kind].items() if key[:4] != "hed_"
        }


@given(predicted=FIELDS.filter(lambda value: isinstance(value, str)), expected=FIELDS)
@examples(500)
def test_a_field_is_compared_with_one_text(predicted: str, expected: Any) -> None:
    """Most common characters, then the shortest, then the first: of that text are all scores of text match."""
    text = max(texts_of(expected), key=lambda text: (common(predicted, text), -len(text)))
    one, other = (text_match.score(text_match.count({"a": predicted}, {"a": value})) for value in (expected, text))
    assert one == other
    [pair] = text_match.explain({"a": predicted}, {"a": expected}).pairs
    assert (pair.predicted, pair.expected) == (predicted, text)


@times(300)
def test_many_values_with_alternatives(times: int) -> None:
    """Value by value as all texts written out: the values, and the first of the best texts."""
    rng = random.Random(4)

    def word() -> str:
        return "".join(rng.choices("ab ", k=rng.randint(1, 4)))

    for _ in range(times):
        values = [tuple(word() for _ in range(rng.choice([1, 2, 3]))) for _ in range(rng.randint(1, 4))]
        text, predicted = OpenText(values), [word() + word() for _ in range(3)] + [""]
        for order in (most_common, fewest_others):
            weights = order(100)
            tables = []
            for few in (0, 10**6):
                with mock.patch.multiple(open_texts, _FEW=few, _BLOCK=rng.choice([1, 2**22])):
                    tables.append(extra_values(predicted, [text, "ab"], weights).tolist())
                    tables[-1] += [text.taken(each, order) for each in predicted[:-1]]
            assert tables[0] == tables[1]


@pytest.mark.exhaustive
def test_a_thousand_values_with_alternatives_are_compared_exactly() -> None:
    """2 to the 1,000th texts: no way to write them out."""
    reference: Any = {"a": [(f"{number}", f"no {number}") for number in range(1000)]}
    prediction = chosen(reference, random.Random(0))
    for family in (hed, text_match, nted):
        found = shares(family.NAME, corpus.evaluate(family, [prediction], [reference]), is_shuffled=False)
        assert found == dict.fromkeys(found, 1.0)


@given(predicted=PREDICTED, expected=EXPECTED)
@examples(200)
def test_very_long_documents_need_no_numbers_that_floats_have_not(predicted: Any, expected: Any) -> None:
    items = [{kind: texts_of(value) for kind, value in item.items()} for item in expected]
    with mock.patch.object(line_items, "_EXACT", 0):
        found = totals(hed.count({"g": predicted}, {"g": expected}, hed.Settings(unmatched="ignore")), "uhed")
    paired, _ = unordered(predicted, items)
    assert (found[0], found[1] + found[2]) == (paired[0], paired[1] + paired[2])


# --- worked cases -----------------------------------------------------------------------------------------------------


def test_what_is_paired_with_nothing_counts_as_its_first_alternative() -> None:
    reference = {"menu": [{"nm": ("Latte", "Tea"), "q": ("10", "2")}]}
    rows = hed.count({}, reference).rows
    assert [rows[metric, "menu", "menu.nm"][:3] for metric in ("hed", "uhed")] == [[0, 0, 5]] * 2
    assert text_match.explain({}, reference).pairs[0].expected == "Latte"
    assert type(text_match.explain({}, reference).pairs[0].expected) is str
    rows = hed.count({"menu": [{"nm": "Tea"}]}, reference).rows  # the item is paired, its other field is not
    assert [rows["uhed", "menu", f"menu.{kind}"][:3] for kind in ("nm", "q")] == [[3, 0, 0], [0, 0, 2]]


def test_each_metric_takes_alternatives_in_its_own_order() -> None:
    """UHED prefers the two common characters in a long text, HED the one character of a short text."""
    counts = hed.count({"a": "ab"}, {"a": ("b", "a----b")})
    assert counts.rows["uhed", None, "a"][:3] == [2, 0, 4]
    assert counts.rows["hed", None, "a"][:3] == [1, 1, 0]
    assert nted.score(nted.count({"a": "ab"}, {"a": ("b", "a----b")})) == {"nted_accuracy": 0.5}  # 1 of 2


def test_of_equally_good_alternatives_and_alignments_hed_takes_those_with_most_in_common() -> None:
    assert hed.count({"a": "ab"}, {"a": ("b", "a-b")}).rows["hed", None, "a"][:3] == [2, 0, 1]
    menu = [{"nm": ("z", "a-b")}, {"nm": "b"}]  # beside ab, either leaves two characters over
    assert hed.count({"menu": [{"nm": "ab"}]}, {"menu": menu}).rows["hed", "menu", "menu.nm"][:3] == [2, 0, 2]


def test_of_equally_good_pairs_uhed_takes_those_that_miss_least() -> None:
    menu = [{"nm": ("b", "a")}, {"nm": ("bbb", "a")}]  # z goes with either a; what remains is b, or bbb
    assert hed.count({"menu": [{"nm": "z"}]}, {"menu": menu}).rows["uhed", "menu", "menu.nm"][:3] == [0, 1, 2]
    menu = [{"nm": ("aaa", "b")}]  # aa and bcd: one in common with the shortest, four characters in all
    predicted = [{"nm": "bcd"}, {"nm": "a"}]
    assert totals(hed.count({"menu": predicted}, {"menu": menu}), "uhed") == (1, 3, 0)


def test_an_explanation_has_the_alternatives_that_count() -> None:
    """Each drawing of HED and UHED its own; nTED those of its pairs, and the first of what is missing."""
    explanation = hed.explain({"a": "ab"}, {"a": ("b", "a----b")})
    drawings = [drawing for drawing in explanation.drawings if isinstance(drawing, Fields)]
    assert [pair.expected for drawing in drawings for pair in drawing.groups[0].pairs] == ["a----b", "b"]
    reference = {"a": ("Tea", "Latte"), "b": ("Mocha", "Tea")}
    pairs = [pair for pair in nted.explain({"a": "Late"}, reference).pairs if pair.entity_type == "text"]
    assert [(pair.predicted, pair.expected, pair.note) for pair in pairs] == [
        ("Late", "Latte", "costs 1"),
        (None, "Mocha", "costs 5"),
    ]
    [tree] = nted.explain({"a": "Late"}, reference).drawings
    assert " 1 − 7 / 10." in tree.lead
