"""ANLS*: the paper's cases, a textbook implementation, the reference package, degenerate and extreme values."""

from __future__ import annotations

import itertools
import json
import math
import random
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import docie
from docie import anls_star, corpus
from docie.core.errors import DocumentError
from docie.core.values.json_text import ANY_OF
from docie.documents.tree import TreeSizes
from docie.metrics.anls_star import assignment, pairwise, similarity
from docie.metrics.anls_star import nested as nested_lists
from docie.metrics.anls_star.comparison import Comparison

from sizes import examples
from strategies import shuffled


def anls_score(*documents: Any, **options: Any) -> Any:
    """What the reference package computes."""
    package = pytest.importorskip("anls_star", reason="the reference package anls-star is not installed")
    return package.anls_score(*documents, **options)


def anls(reference: Any, prediction: Any, **options: Any) -> float:
    counts = anls_star.count(prediction, reference, anls_star.Settings(**options))
    value: float = anls_star.score(counts)["anls_star"]
    return value


# The paper's tables 1 and 2, to the digits printed. Case 16's prediction is printed without the blank, which makes .64.
PAPER = [
    (1, "Hello World", "Hello World", "1.0"),
    (2, "Hello World", "Hello Wolrd", "0.82"),
    (3, "Hello World", "How are you?", "0.0"),
    (4, None, "Hello World!", "0.0"),
    (5, ("Hello", "World"), "Hello", "1.0"),
    (6, ("Hello", "World"), "Wolrd", "0.6"),
    (7, "Hello World", ["Hello", "World"], "0.0"),
    (8, ["Hello", "World"], ["World", "Hello"], "1.0"),
    (9, ["Hello", "World"], ["Hello"], "0.5"),
    (10, {"a": "Hello", "b": "World"}, {"b": "World", "a": "Hello"}, "1.0"),
    (11, {"a": "Hello", "b": "World"}, {"a": "Hello"}, "0.5"),
    (12, {"a": "Hello", "b": "World"}, {"b": "World", "a": "Hello", "c": "Great"}, "0.67"),
    (13, {"a": "Hello", "b": ["W", "r", "l", "d"]}, {"a": "Hello", "b": ["w", "r", "d"]}, "0.8"),
    (14, ["Hello", "World"], "Hello", "1.0"),
    (15, 0.2, 0.199999999, "0.0"),
    (16, "31.12.2023", "31. Dec 2023", "0.58"),
    (17, "Yesterday", "Last Week", "0.0"),
    (18, "Yesterday", None, "0.0"),
]


@pytest.mark.filterwarnings("ignore:lists of texts")
@pytest.mark.parametrize(("number", "reference", "prediction", "expected"), PAPER, ids=[str(case[0]) for case in PAPER])
def test_the_papers_cases(number: int, reference: Any, prediction: Any, expected: str) -> None:
    digits = len(expected.partition(".")[2])
    assert f"{anls(reference, prediction):.{digits}f}" == expected
    assert anls(reference, prediction) == pytest.approx(theirs(reference, prediction), abs=1e-12)


def theirs(reference: Any, prediction: Any) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value: float = anls_score(reference, prediction)
    return value


# (reference, prediction, ours, anls-star 1.0.1): the differences, each with its reason
DIFFERENCES = [
    ({"a": "x"}, {"a": "x", "b": None}, 1.0, 0.5),  # a predicted key without a value is no invention
    ({"a": "x"}, {"a": "x", "b": []}, 1.0, 0.5),
    ("", None, 1.0, 0.0),  # nothing and nothing
    ([], None, 1.0, 0.0),
    ({}, None, 1.0, 0.0),
    ({"a": [], "b": "x"}, {"a": [], "b": "y"}, 0.5, 0.0),  # a key that the reference names counts 1 of 1
    ({"a": {}, "b": "x"}, {"b": "y"}, 0.5, 0.0),
    ("  ", None, 1.0, 0.0),  # blank text is none
]


@pytest.mark.parametrize(("reference", "prediction", "ours", "other"), DIFFERENCES)
def test_the_differences_to_the_reference_package(reference: Any, prediction: Any, ours: float, other: float) -> None:
    assert (anls(reference, prediction), theirs(reference, prediction)) == (ours, other)


def test_the_reference_package_depends_on_order_where_assignments_tie() -> None:
    """Each pair has ANLS* 0; the shortest assignment leaves the long element alone or not."""
    reference, prediction = [{"a": "x"}, {"a": "x", "b": "p", "c": "q"}, "z"], [{"a": "x", "b": "y"}, {"d": "e"}]
    figures = {theirs(list(order), prediction) for order in itertools.permutations(reference)}
    ours = {anls(list(order), prediction) for order in itertools.permutations(reference)}
    assert len(ours) == 1
    assert ours <= figures


# --- the textbook -----------------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """What a textbook says of two values: `closest` is the value nearest to the prediction that the reference allows."""

    score: float
    length: int
    has_rival: bool  # whether another assignment of some list is as good
    closest: Any


def textbook(reference: Any, prediction: Any) -> Result:
    """ANLS*; every assignment is tried."""
    if isinstance(reference, tuple):
        results = [textbook(alternative, prediction) for alternative in reference]
        best = max(fraction(*result[:2]) for result in results)
        ties = [result for result in results if fraction(*result[:2]) == best]
        equal = [result for result in ties if result.closest == prediction]
        return (equal or ties)[0]._replace(has_rival=any(result.has_rival for result in results))
    if not reference and not prediction:
        return Result(1.0, 1, False, prediction)
    if isinstance(reference, dict) and isinstance(prediction, dict):
        keys = [*reference, *(key for key in prediction if key not in reference and prediction[key])]
        results = [textbook(reference.get(key), prediction.get(key)) for key in keys]
        named = {key: result.closest for key, result in zip(keys, results, strict=True)}
        return Result(*totals(results), {key: node for key, node in named.items() if node or key in prediction})
    if isinstance(reference, list) and isinstance(prediction, list):
        return best_assignment(reference, prediction)
    if isinstance(reference, str) and isinstance(prediction, str):
        longest = max(len(reference), len(prediction))
        similarity = 1 - levenshtein(reference.lower(), prediction.lower()) / longest
        return Result(similarity if similarity >= 0.5 else 0.0, 1, False, reference)
    return Result(0.0, max(length(reference), length(prediction)), False, reference)


def totals(results: list[Result]) -> tuple[float, int, bool]:
    return sum(r.score for r in results), sum(r.length for r in results), any(r.has_rival for r in results)


def fraction(score: float, length: int) -> float:
    return score / length if length else 1.0


def best_assignment(references: list[Any], predictions: list[Any]) -> Result:
    pairs = [[textbook(reference, prediction) for prediction in predictions] for reference in references]
    rows, columns = range(len(references)), range(len(predictions))
    if len(rows) <= len(columns):
        ways = [list(zip(rows, way, strict=True)) for way in itertools.permutations(columns, len(rows))]
    else:
        ways = [list(zip(way, columns, strict=True)) for way in itertools.permutations(rows, len(columns))]
    options = []
    for way in ways:
        results = [pairs[row][column] for row, column in way]
        score, matched, _ = totals(results)
        rest = [references[row] for row in rows if row not in {row for row, _ in way}]
        unmatched = rest + [predictions[column] for column in columns if column not in {column for _, column in way}]
        closest = [pairs[row][column].closest for row, column in sorted(way, key=lambda pair: pair[1])]
        total = matched + sum(map(length, unmatched))
        options.append((round(sum(fraction(*r[:2]) for r in results), 9), -total, score, [*closest, *rest]))
    best = max(options, key=lambda option: option[:3])
    rivals = {(round(score, 9), total) for ratios, total, score, _ in options if ratios == best[0]}
    has_rival = len(rivals) > 1 or any(pair.has_rival for row in pairs for pair in row)
    return Result(best[2], -best[1], has_rival, best[3])


def length(node: Any) -> int:
    if isinstance(node, tuple):
        return max(map(length, node))
    if isinstance(node, dict):
        return sum(map(length, node.values()))
    return sum(map(length, node)) if isinstance(node, list) else 1


def levenshtein(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


TEXTS = st.text("abC", min_size=1, max_size=4)


def values(leaves: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Any]:
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, min_size=least, max_size=4)
            | st.dictionaries(st.sampled_from("pqr"), inner, min_size=least, max_size=3)
        ),
        max_leaves=9,
    )


def with_alternatives(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return leaves | st.lists(leaves, min_size=2, max_size=3).map(tuple)


def objects(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects in objects; lists of at most one element, whose counterpart is no choice."""
    children: st.SearchStrategy[Any] = st.deferred(lambda: leaves | inner | st.lists(inner, min_size=1, max_size=1))
    inner = st.dictionaries(st.sampled_from("pqr"), children, min_size=1, max_size=2)
    return inner


ANYTHING = values(TEXTS | st.none() | st.just(""))
REFERENCES = values(with_alternatives(TEXTS | st.none()))
REAL, REAL_REFERENCES = values(TEXTS, 1), values(with_alternatives(TEXTS), 1)  # nothing that is none-like


@pytest.mark.parametrize("small", [0, pairwise.SMALL], ids=["tables", "one by one"])
@given(reference=REFERENCES, prediction=ANYTHING)
@examples(1500)
def test_agrees_with_the_textbook(small: int, reference: Any, prediction: Any) -> None:
    assume(not (isinstance(reference, list) and isinstance(prediction, str)))  # a question's accepted answers
    score, size, *_ = textbook(reference, prediction)
    with mock.patch.object(pairwise, "SMALL", small):
        assert anls(reference, prediction) == pytest.approx(fraction(score, size), abs=1e-12)


@pytest.mark.parametrize("small", [0, pairwise.SMALL], ids=["tables", "one by one"])
@given(reference=REAL_REFERENCES, prediction=REAL)
@examples(1500)
def test_equals_the_reference_package(small: int, reference: Any, prediction: Any) -> None:
    assume(not textbook(reference, prediction).has_rival)
    with mock.patch.object(pairwise, "SMALL", small):
        assert anls(reference, prediction) == pytest.approx(theirs(reference, prediction), abs=1e-12)


FLAT = st.lists(TEXTS | st.none(), max_size=5)
LISTS = st.lists(FLAT | st.lists(FLAT, max_size=3), max_size=5)
OBJECTS = st.lists(
    st.dictionaries(st.sampled_from("pq"), TEXTS | st.lists(TEXTS, min_size=1, max_size=3), min_size=1, max_size=2),
    min_size=1,
    max_size=3,
)
CHOICES = st.lists(st.lists(OBJECTS | TEXTS | st.none(), min_size=2, max_size=3).map(tuple), max_size=3)


@pytest.mark.parametrize("few", [0, nested_lists.FEW], ids=["looks", "all tried"])
@pytest.mark.parametrize("cells", [1, pairwise.CELLS], ids=["small blocks", "usual blocks"])
@given(reference=LISTS | CHOICES, prediction=LISTS | OBJECTS)
@examples(600)
def test_lists_of_lists_and_alternatives_in_tables(few: int, cells: int, reference: Any, prediction: Any) -> None:
    score, size, *_ = textbook(reference, prediction)
    with (
        mock.patch.object(nested_lists, "FEW", few),
        mock.patch.multiple(pairwise, SMALL=0, CELLS=cells, LARGE=cells, REMEMBERED=cells),
    ):
        assert anls(reference, prediction) == pytest.approx(fraction(score, size), abs=1e-12)


@pytest.mark.parametrize("crowded", [0, similarity._CROWDED, 2], ids=["table", "usual", "pairs"])
@pytest.mark.parametrize("long", [1, similarity._LONG], ids=["few errors first", "at once"])
@given(
    reference=st.lists(TEXTS | st.none(), min_size=1, max_size=6),
    prediction=st.lists(TEXTS | st.none(), min_size=1, max_size=6),
    threshold=st.sampled_from([0.5, 0.0, 0.75]),
    strict=st.booleans(),
)
@examples(300)
def test_many_texts_are_assigned_without_a_table(
    crowded: float, long: int, reference: list[Any], prediction: list[Any], threshold: float, strict: bool
) -> None:
    options = {"threshold": threshold, "strict_threshold": strict}
    expected, closest = anls(reference, prediction, **options), anls_star.closest(prediction, reference)
    with mock.patch.object(pairwise, "MANY", 0), mock.patch.multiple(similarity, _CROWDED=crowded, _LONG=long):
        assert anls(reference, prediction, **options) == pytest.approx(expected, abs=1e-12)
        assert Counter(anls_star.closest(prediction, reference)) == Counter(closest)


def test_texts_that_many_want_are_assigned_all_together() -> None:
    """Each is most similar to the same one; so the second best decide."""
    reference, prediction = ["abcdefgh", "abcdefgx", "abcdefxx"] * 2, ["abcdefgy", "abcdezzz"]
    with mock.patch.object(pairwise, "MANY", 0):
        assert anls(reference, prediction) == pytest.approx((7 / 8 + 5 / 8) / 6)
        assert anls(prediction, reference) == pytest.approx((7 / 8 + 5 / 8) / 6)


def test_lists_in_lists_are_compared_in_few_tables() -> None:
    """Not pair by pair: a table a level, though every list has two elements."""

    def tree(depth: int, letter: str) -> Any:
        return [tree(depth - 1, letter + other) for other in "xy"] if depth else letter

    with mock.patch.object(pairwise.Tables, "table", autospec=True, side_effect=pairwise.Tables.table) as tables:
        anls(tree(7, "a"), tree(7, "b"))
    assert tables.call_count < 1000  # of 4 ** 7 pairs of texts


def deep_text(levels: int, text: str) -> Any:
    return [deep_text(levels - 1, text), text] if levels else text


def deep_lists(levels: int, text: str) -> Any:
    return [deep_lists(levels - 1, text), [text]] if levels else text


def deep_wide(levels: int, text: str) -> Any:
    return [deep_wide(levels - 1, text), *([f"{text} {each}"] for each in range(33))] if levels else text


def deep_objects(levels: int, text: str) -> Any:
    return [{"a": deep_objects(levels - 1, text)}, {"b": text}] if levels else text


@pytest.mark.parametrize("make", [deep_text, deep_lists, deep_wide, deep_objects])
def test_twice_the_levels_take_twice_the_work(make: Callable[[int, str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Not four times: every level is compared once, and its size is counted once."""
    calls: Counter[str] = Counter()

    def count_calls(owner: type, name: str) -> None:
        function = getattr(owner, name)

        def call(*arguments: Any) -> Any:
            calls[owner.__name__] += 1
            return function(*arguments)

        monkeypatch.setattr(owner, name, call)

    for owner, name in ((pairwise.Tables, "table"), (Comparison, "compare"), (TreeSizes, "of")):
        count_calls(owner, name)
    anls(make(16, "foo"), make(16, "bar"))
    once = calls.copy()
    anls(make(32, "foo"), make(32, "bar"))
    assert len(once) == 3
    for name, number in once.items():
        assert number < calls[name] - number < 2.3 * number, name


def test_alternatives_that_are_perfect_alike() -> None:
    """The one that equals the prediction is chosen, and the length is its."""
    reference = [({"a": "X", "b": None}, {"a": "x"}), ("u", "v")]
    for small in (0, pairwise.SMALL):
        with mock.patch.object(pairwise, "SMALL", small):
            assert anls(reference, [{"a": "x"}, "w"]) == 1 / 2
            assert anls(reference, [{"a": "X"}, "w"]) == 2 / 3


def test_sums_that_differ_by_rounding_are_ties() -> None:
    """.1 + .2 is more than .3 to a computer; the second criterion decides all the same."""
    ratios, spared = np.array([[0.3, 0.1], [0.2, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    assert ratios[0, 1] + ratios[1, 0] > ratios[0, 0] + ratios[1, 1]
    assert assignment.assign_by(ratios, spared) == [(0, 0), (1, 1)]
    assert assignment.assign_by(ratios) == [(0, 1), (1, 0)]
    assert assignment.only_assignment(np.array([[0.1 + 0.2, 0.3], [0.0, 0.0]])) is None
    assert assignment.only_assignment(np.array([[0.3 + 1e-6, 0.3], [0.0, 0.1]])) == [(0, 0), (1, 1)]


@given(reference=objects(with_alternatives(TEXTS)), prediction=objects(TEXTS))
@examples(500)
def test_key_scores_equal_the_reference_packages(reference: Any, prediction: Any) -> None:
    _, expected = anls_score(reference, prediction, return_key_scores=True)
    found = anls_star.breakdown(anls_star.count(prediction, reference))["per_entity"]
    assert {path: row["anls_star"] for path, row in found.items()} == pytest.approx(flat(expected), abs=1e-12)


def nodes(value: Any) -> list[Any]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else []
    return [value, *(node for child in children for node in nodes(child))]


def flat(scores: dict[str, Any], path: str = "") -> dict[str, float]:
    result = {}
    for key, node in scores.items():
        inner = f"{path}.{key}" if path else key
        if node.anls_score is not None:
            result[inner] = node.anls_score
        result |= flat(node.children, inner)
    return result


@given(reference=REFERENCES, prediction=ANYTHING, seed=st.integers(0, 999))
@examples(1000)
def test_order_changes_no_figure(reference: Any, prediction: Any, seed: int) -> None:
    rng = random.Random(seed)
    assume(not (isinstance(reference, list) and isinstance(prediction, str)))
    one = corpus.evaluate(anls_star, [prediction], [reference], breakdown=True)
    other = corpus.evaluate(anls_star, [shuffled(prediction, rng)], [shuffled(reference, rng)], breakdown=True)
    assert one["anls_star"] == pytest.approx(other["anls_star"], abs=1e-12)
    assert one["per_entity"].keys() == other["per_entity"].keys()
    for path, row in one["per_entity"].items():
        assert row == pytest.approx(other["per_entity"][path], abs=1e-12)


@given(value=ANYTHING)
@examples(300)
def test_a_value_is_its_own_perfect_prediction(value: Any) -> None:
    assert anls(value, value) == 1.0


@given(reference=REAL_REFERENCES, prediction=REAL)
@examples(1000)
def test_the_closest_reference_is_an_allowed_one(reference: Any, prediction: Any) -> None:
    assume(not (isinstance(reference, list) and isinstance(prediction, str)))
    closest = anls_star.closest(prediction, reference)
    assert not any(isinstance(node, tuple) for node in nodes(closest))
    assert anls(_without_none(closest), prediction) >= anls(reference, prediction) - 1e-12


def test_the_closest_references_are_there_only_if_they_are_asked_for() -> None:
    for asked, found in ((False, {}), (True, {"closest": ["a"]})):
        assert anls_star.details(anls_star.count("a", "a", anls_star.Settings(closest=asked))) == found


def _without_none(value: Any) -> Any:
    """Without the keys whose invention the closest reference marks."""
    if isinstance(value, dict):
        return {key: _without_none(child) for key, child in value.items() if child is not None}
    return [_without_none(child) for child in value] if isinstance(value, list) else value


CLOSEST = [
    ({"a": ("hello", "world"), "b": ["this", "is", "a", "test"]}, {"a": "hello!", "b": ["a", "test", "this", "be"]}),
    (("Hello", "hello"), "hello"),
    (["Hello", "World"], ["world"]),
    ({"a": "x", "b": None}, {"a": "y"}),
    ({"a": "x"}, {"a": "x", "c": "invented"}),
    ([{"n": 1, "t": ("a", "b")}, {"n": 2}], [{"n": 2}, {"n": 1, "t": "b"}]),
    ({"a": [1.5, True, "x"]}, {"a": ["x", 1.5]}),
    ({"a": "x"}, ["a"]),
]


@pytest.mark.parametrize(("reference", "prediction"), CLOSEST)
def test_the_closest_reference_equals_the_reference_packages(reference: Any, prediction: Any) -> None:
    _, expected = anls_score(reference, prediction, return_gt=True)
    assert anls_star.closest(prediction, reference) == expected


def test_the_closest_references_of_a_corpus() -> None:
    references = [reference for reference, _ in CLOSEST] * 100
    predictions = [prediction for _, prediction in CLOSEST] * 100
    options = anls_star.Settings(closest=True)
    expected = [anls_star.closest(p, r) for p, r in zip(predictions, references, strict=True)]
    result = corpus.evaluate(anls_star, predictions, references, options, workers=2, breakdown=True)
    assert result["closest"] == expected
    assert result["signature"].split("|")[1] == "closest:True"
    metric = docie.load("anls_star", closest=True)
    assert metric.compute(predictions=predictions, references=references)["closest"] == expected
    halves = [
        corpus.count(anls_star, predictions[part], references[part], options) for part in (slice(300), slice(300, None))
    ]
    copies = [corpus.Partial.from_json(json.loads(json.dumps(half.to_json()))) for half in halves]
    assert corpus.results(copies[0] + copies[1])["closest"] == expected
    assert "closest" not in corpus.evaluate(anls_star, predictions, references)["signature"]
    with pytest.raises(ValueError, match="^closest must be True or False, got 1$"):
        anls_star.Settings(closest=1)  # type: ignore[arg-type]


# --- ANLS and ANLSL ---------------------------------------------------------------------------------------------------

QUESTIONS = [  # accepted answers, answer, ANLS (Biten et al., equation 1: the best similarity, 0 where it is below 1/2)
    (["TOTAL 12.00", "12.00"], "12.00", 1.0),
    (["itc limited", "itc ltd"], "ITC  Limited", 1.0),
    (["January 8, 1999", "1/8/99"], "1/8/98", 5 / 6),
    (["abcd"], "abxy", 0.5),
    (["yes"], "no", 0.0),
]


def test_anls_is_the_case_of_several_accepted_answers() -> None:
    references = [tuple(answers) for answers, _, _ in QUESTIONS]
    predictions = [answer for _, answer, _ in QUESTIONS]
    result = corpus.evaluate(anls_star, predictions, references, breakdown=True)
    assert [row["anls_star"] for row in result["per_document"]] == [expected for _, _, expected in QUESTIONS]
    # as the data sets write them, lists
    with pytest.warns(UserWarning, match=r"^lists of texts as references of texts \(5\)") as caught:
        as_lists = corpus.evaluate(anls_star, predictions, [answers for answers, _, _ in QUESTIONS])
    assert len(caught) == 1
    assert as_lists["anls_star"] == result["anls_star"]
    # the first definition of ANLS: 0 at exactly one half
    strict = corpus.evaluate(anls_star, predictions, references, anls_star.Settings(strict_threshold=True))
    assert strict["anls_star"] == pytest.approx((1 + 1 + 5 / 6 + 0 + 0) / 5)


def test_anlsl_is_the_case_of_lists() -> None:
    """ANLSL (Tito et al., 2021): Hungarian matching of the answers, divided by the longer list's length."""
    assert anls(["Paris", "Rome"], ["rome", "Pariss", "Oslo"]) == pytest.approx((1 + 5 / 6) / 3)
    assert anls(["abcd"], ["abxy"], strict_threshold=True) == 0.0


# --- decided cases ----------------------------------------------------------------------------------------------------

NAN = float("nan")
DECIDED: list[tuple[Any, Any, float]] = [
    (None, None, 1.0), ([], {}, 1.0), ("", [], 1.0), (None, "x", 0.0), ([], ["x"], 0.0), ({}, {"a": "x"}, 0.0),
    ({"a": "x"}, {}, 0.0), ([[]], {}, 1.0),  # out of no text
    ({"a": None}, {}, 1.0), ({"a": None, "b": "x"}, {"b": "y"}, 0.5), ({"a": None}, {"a": "x"}, 0.0),
    ({"a": "x"}, {"a": {"b": "x"}}, 0.0), ({"a": ["x", "y"]}, {"a": "x"}, 0.0), ({"a": ["x"]}, {"a": "x"}, 0.0),
    (12, "12", 1.0), (12.0, 12, 1.0), (12.0, "12.0", 0.5), (True, "TRUE", 1.0), (0, None, 0.0), (False, "false", 1.0), (NAN, NAN, 1.0), (NAN, None, 1.0), (NAN, "nan", 0.0),
    ({"a": {"value": "x", "confidence": 0.4}}, {"a": "x"}, 1.0), ({"a": "x"}, {"a": {"value": "x", "confidence": None}}, 1.0),
    ({"a": ()}, {}, 1.0), ({"a": ("x",)}, {"a": "x"}, 1.0), ((None, "x"), None, 1.0), ((None, "x"), "x", 1.0),
    ({"a": {ANY_OF: ["x", {"b": "y"}]}}, {"a": {"b": "y"}}, 1.0), (("x", ("y", "z")), "z", 1.0),
    (["a", "a"], ["a"], 0.5), (["a"], ["a", "a"], 0.5),
    ([([{}], None)], [[], ["C"]], 0.5), ([([{}],)], [[], ["C"]], 0.0),  # nothing equals [], out of 1; [{}] is out of 0
    ("İ", "i̇", 1.0), ("a\u00a0b", "a b", 1.0),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "prediction", "expected"), DECIDED)
def test_decided_cases(reference: Any, prediction: Any, expected: float) -> None:
    assert anls(reference, prediction) == expected
    many = [{"k": reference}] * 7, [{"k": prediction}] * 7  # through the tables too
    if reference or prediction:
        assert anls(*many) == anls({"k": reference}, {"k": prediction})


def test_tuples_and_any_of_are_a_references_own() -> None:
    assert anls(["a", "b"], ("b", "a")) == 1.0
    assert anls({"a": {ANY_OF: ["x"]}}, {"a": {ANY_OF: ["x"]}}) == 0.0
    with pytest.raises(DocumentError, match=r"^entity 'a': \$any_of must hold a list, got 'x'$"):
        anls({"a": {ANY_OF: "x"}}, {})


def test_bad_values() -> None:
    with pytest.raises(DocumentError, match="^entity 'a.b': expected text, a number, .* got set$"):
        anls({"a": [{"b": {1}}]}, {})
    with pytest.raises(DocumentError, match="^expected text, a number, .* got set$"):
        anls("x", {1})
    with pytest.raises(DocumentError, match="^entity 'a': confidence must be between 0 and 1, got 1.7$"):
        anls({}, {"a": {"value": "x", "confidence": 1.7}})
    for bad in (-0.1, 1.1, "0.5", True, NAN, None):
        with pytest.raises(ValueError, match="^threshold must be between 0 and 1"):
            anls_star.Settings(threshold=bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^strict_threshold must be True or False, got 'yes'$"):
        anls_star.Settings(strict_threshold="yes")  # type: ignore[arg-type]


@pytest.mark.parametrize(("threshold", "expected"), [(0, 0.1), (0.1, 0.1), (0.11, 0.0), (1, 0.0)])
def test_thresholds(threshold: float, expected: float) -> None:
    assert anls("abcdefghij", "A" + "y" * 9, threshold=threshold) == pytest.approx(expected)
    assert anls("abc", "ABC", threshold=threshold, strict_threshold=True) == 1.0
    exact = anls("abcdefghij", "a" + "y" * 9, threshold=threshold, strict_threshold=True)
    assert exact == (0.1 if threshold == 0 else 0.0)


def test_normalisers() -> None:
    options = {"normalize": {"menu.price": "number(decimal='.')"}}
    reference, prediction = {"menu": [{"price": "1,240.00", "n": "1,0"}]}, {"menu": [{"menu.price": 1240, "n": "1"}]}
    assert anls(reference, {"menu": [{"price": 1240, "n": "1"}]}, **options) == 0.5
    assert anls(reference, prediction, **options) < 0.5  # keys are compared as they stand


def nested(levels: int, wrap: Callable[[Any], Any]) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = wrap(value)
    return value


@pytest.mark.parametrize(
    "wrap",
    [
        pytest.param(lambda value: {"a": value}, id="{}"),
        pytest.param(lambda value: [value], id="[]"),
        pytest.param(lambda value: [value, "b"], id="[,]"),
        pytest.param(lambda value: {"a": value, "b": "y"}, id="{,}"),
    ],
)
def test_a_hundred_levels(wrap: Callable[[Any], Any]) -> None:
    deep = nested(100, wrap)
    assert anls(deep, deep) == 1.0
    assert anls_star.closest(deep, deep) == deep
    assert anls("x", deep) == 0.0
    assert docie.load("anls_star").compute(predictions=[deep], references=[deep])["anls_star"] == 1.0
    with pytest.raises(DocumentError, match="nested more than 100 levels deep$"):
        anls(nested(101, wrap), "x")


def test_alternatives_inside_of_alternatives_have_key_scores() -> None:
    reference = ((["q"], {"x": "a"}), "zz")
    found = anls_star.breakdown(anls_star.count({"x": "a"}, reference))["per_entity"]
    assert found == {"x": {"anls_star": 1.0, "support": 1}}


def test_alternatives_are_no_list_in_tables() -> None:
    more = [[f"z{number}"] for number in range(10)]
    reference, prediction = [[("a", "b")], [["a", "b"]]], [["a"], [["a", "b"]]]
    for references in (reference, reference[::-1]):
        assert anls([*references, *more], [*prediction, *more]) == 1.0


def test_of_ties_the_highest_score_is_taken() -> None:
    """Both assignments have ANLS* 1 in all, of length 3: with the first element right, or with the longer second."""
    assert anls([{"p": "a"}, {"p": "a", "q": None}], [{"p": "a"}, "zz"]) == pytest.approx(2 / 3)


def test_what_is_nearly_a_tie_is_none() -> None:
    """.995 beats .99, though leaving the other element alone makes the length 3 instead of 2."""
    prediction = [{"p": "a" * 199 + "b"}, {"p": "a" * 198 + "bb", "z": None}]
    assert anls([{"p": "a" * 200}], prediction) == pytest.approx(0.995 / 3)


def test_equal_texts_score_by_any_threshold_in_tables_too() -> None:
    texts = [f"text {number}" for number in range(7)]
    assert anls(texts, texts, threshold=1, strict_threshold=True) == 1.0


@pytest.mark.parametrize("first", [{"p": "a", "r": "x"}, {"r": "x", "p": "a"}])
def test_the_order_of_keys_decides_no_tie(first: dict[str, str]) -> None:
    result = anls_star.breakdown(anls_star.count([{"p": "a", "q": "a"}], [first, {"q": "a", "r": "x"}]))["per_entity"]
    assert {path: row["anls_star"] for path, row in result.items()} == {"p": 1.0, "q": 0.0, "r": 0.0}


def test_an_answer_with_a_confidence_is_an_answer() -> None:
    with pytest.warns(UserWarning, match=r"^lists of texts as references of texts \(1\)"):
        result = corpus.evaluate(anls_star, [{"value": "x", "confidence": 0.5}], [["x", "y"]])
    assert result["anls_star"] == 1.0
    assert anls(["12", "13"], 12) == theirs(["12", "13"], 12) == 0.0  # a number is no text


def test_nested_alternatives_are_compared_once() -> None:
    reference: Any = ("x", "y")
    prediction: Any = "y"
    for _ in range(33):  # three levels each
        reference, prediction = ("z", {"a": [reference]}), {"a": [prediction]}
    assert anls(reference, prediction) == 1.0


@pytest.mark.exhaustive
def test_ten_thousand_keys() -> None:
    wide = {f"key {number}": f"value {number}" for number in range(10_000)}
    assert anls(wide, wide | {"key 5": "?"}) == pytest.approx(0.9999)
    assert anls([wide] * 7, [wide] * 7) == 1.0


def test_many_elements_of_all_kinds() -> None:
    """More than one by one, so that every kind of table is made; half of the texts are wrong."""
    rng = random.Random(0)
    kinds: list[Callable[[int], Any]] = [
        lambda i: f"text {i}",
        lambda i: None,
        lambda i: {"a": f"name {i}", "b": [f"x{i % 3}", {"c": str(i)}]},
        lambda i: [f"x{i % 3}", f"y{i}"],
        lambda i: {},
    ]
    elements = [kinds[i % 5](i) for i in range(40)]
    reference = [(element, "other") if i % 7 == 0 else element for i, element in enumerate(elements)]
    reference += [("p", {"q": "r"}), {"a": ("name 7", None)}]
    prediction = [element for element in shuffled(elements, rng) if rng.random() < 0.8] + [{"q": "r"}]
    fast = anls(reference, prediction)
    with mock.patch.object(pairwise, "SMALL", 10_000):
        assert anls(reference, prediction) == pytest.approx(fast, abs=1e-12)
    assert 0.5 < fast < 1.0


def test_an_empty_corpus() -> None:
    assert corpus.evaluate(anls_star, [], [])["anls_star"] == 1.0


def test_scores_work_on_arrays() -> None:
    pairs = [("x", "x"), ("x", "y"), ({"a": "x"}, {"a": "x", "b": "y"})]
    result = corpus.evaluate(
        anls_star, [p for _, p in pairs], [r for r, _ in pairs], breakdown=True, confidence_level=0.9
    )
    assert [row["anls_star"] for row in result["per_document"]] == [1.0, 0.0, 0.5]
    assert result["anls_star"] == 0.5
    low, high = result["anls_star_interval"]
    assert 0.0 <= low < 0.5 < high <= 1.0
    assert not math.isnan(low)
    assert json.dumps(result)


def test_numpy_values() -> None:
    assert anls({"a": np.array([1, 2])}, {"a": [np.int64(2), 1]}) == 1.0
