"""nTED accuracy and its tree distance: worked cases, a recursive oracle, deep and wide documents, CORD."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from docie import corpus, nted
from docie.adapters import llm, records
from docie.core.errors import DocumentError
from docie.metrics.nted import key_roots, tree_edit_distance
from docie.metrics.nted import trees as trees_module
from docie.metrics.nted.key_roots import Columns
from docie.metrics.nted.trees import Side, Trees

from sizes import examples, length, times
from strategies import ONE_OFS, documents

Tree = Any  # a leaf: its text, or Choice; an inner node: (label, its children)


@dataclass(frozen=True)
class Choice:
    """A leaf with alternatives, and what it costs to insert."""

    texts: tuple[str, ...]
    price: int


def accuracy(prediction: Any, reference: Any, **options: Any) -> float:
    figure: float = nted.score(nted.count(prediction, reference, nted.Settings(**options)))["nted_accuracy"]
    return figure


# The oracle: the recursion that defines the distance, on forests, and Donut's trees


@cache
def forest_distance(left: tuple[Tree, ...], right: tuple[Tree, ...]) -> int:
    """Either the last root of a side goes, and its children take its place, or the two last roots are a pair."""
    if not left and not right:
        return 0
    ways = []
    if left:
        ways.append(forest_distance(left[:-1] + children(left[-1]), right) + node_cost(left[-1]))
    if right:
        ways.append(forest_distance(left, right[:-1] + children(right[-1])) + node_cost(right[-1]))
    if left and right:
        one, other = left[-1], right[-1]
        below = forest_distance(children(one), children(other))
        ways.append(forest_distance(left[:-1], right[:-1]) + below + change_cost(one, other))
    return min(ways)


def children(tree: Tree) -> tuple[Tree, ...]:
    return () if is_leaf(tree) else tree[1]


def is_leaf(tree: Tree) -> bool:
    return isinstance(tree, str | Choice)


def texts_of(leaf: Tree) -> tuple[str, ...]:
    return leaf.texts if isinstance(leaf, Choice) else (leaf,)


def node_cost(tree: Tree) -> int:
    if isinstance(tree, Choice):
        return tree.price
    return len(tree) if is_leaf(tree) else 1


def change_cost(one: Tree, other: Tree) -> int:
    if is_leaf(one) and is_leaf(other):
        if not one:
            return node_cost(other)  # no text is nothing
        return min(Levenshtein.distance(*texts) for texts in product(texts_of(one), texts_of(other)))
    if is_leaf(one) or is_leaf(other):
        return node_cost(one) + node_cost(other)
    return int(one[0] != other[0])


def tree_cost(tree: Tree) -> int:
    return node_cost(tree) + sum(map(tree_cost, children(tree)))


def document_tree(document: dict[str, Any], label: Any = 0) -> Tree:
    values = ((key, tuple(value_trees(document[key]))) for key in sorted(sorted(document), key=len))
    return (label, tuple((key, trees) for key, trees in values if trees))


def value_trees(value: Any) -> list[Tree]:
    values = value if isinstance(value, list) else [value]
    values = [element["value"] if isinstance(element, dict) and "value" in element else element for element in values]
    texts = [choice(element) for element in values if isinstance(element, str | tuple) and choice(element)]
    objects = [document_tree(element, 1) for element in values if isinstance(element, dict)]
    return texts or [tree for tree in objects if tree[1]]


def choice(value: str | tuple[str, ...]) -> str | Choice:
    """A leaf; "" if there is none."""
    texts = (value,) if isinstance(value, str) else value
    texts = tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))
    return Choice(texts, len(texts[0])) if len(texts) > 1 else "".join(texts)


def by_definition(prediction: dict[str, Any], reference: dict[str, Any]) -> float:
    left, right = document_tree(prediction), document_tree(reference)
    if not right[1]:
        return float(not left[1])
    distance = forest_distance((left,), (right,))
    assert forest_distance(((0, ()),), (right,)) == tree_cost(right) - 1
    return max(0.0, 1 - distance / (tree_cost(right) - 1))


# The distance


def distance(left: Tree, right: Tree) -> int:
    trees = Trees()
    return tree_edit_distance.distance(trees, built(left, trees), built(right, trees))


def built(tree: Tree, trees: Trees) -> int:
    if is_leaf(tree):
        return trees.leaf(*texts_of(tree))
    return trees.inner(tree[0], [built(child, trees) for child in tree[1]])


def random_tree(rng: random.Random, depth: int, alternatives: float = 0.0) -> Tree:
    """Of so few labels and texts that equal subtrees abound; at the root's place always an inner node."""
    below = [
        random_leaf(rng, alternatives)
        if depth == 1 or rng.random() < 0.4
        else random_tree(rng, depth - 1, alternatives)
        for _ in range(rng.choice([0, 1, 1, 2, 3]))
    ]
    return (rng.choice("xy"), tuple(below))


def random_leaf(rng: random.Random, alternatives: float) -> Tree:
    """Alternatives with this probability, some of them far longer or shorter than the first."""
    text = "".join(rng.choices("ab", k=rng.randint(0, 3)))
    if rng.random() >= alternatives:
        return text
    others = [rng.choice(["", "a", "bab", "a" * 20, "ab" * 20]) for _ in range(rng.randint(1, 2))]
    return Choice((text, *others), len(text))


def any_choice(tree: Tree, rng: random.Random) -> Tree:
    """The tree with one of its alternatives in each leaf."""
    return (
        rng.choice(texts_of(tree)) if is_leaf(tree) else (tree[0], tuple(any_choice(below, rng) for below in tree[1]))
    )


def resolved(tree: Tree) -> Iterator[Tree]:
    """The tree with every choice of alternatives; to insert a leaf costs what it did."""
    if isinstance(tree, Choice):
        yield from (Choice((text,), tree.price) for text in tree.texts)
    elif is_leaf(tree):
        yield tree
    else:
        yield from ((tree[0], below) for below in product(*map(resolved, tree[1])))


@contextmanager
def forced(*, stripping: bool, rare: bool) -> Iterator[None]:
    """Whether equal trees are left out; rare: small blocks, wide integers."""
    with ExitStack() as stack:
        if not stripping:
            stack.enter_context(patch.object(trees_module, "_without_equal_fronts", lambda left, right: (left, right)))
        if rare:
            for module in (tree_edit_distance, key_roots):
                stack.enter_context(patch.object(module, "integers_for", lambda largest: np.dtype(np.int64)))
            stack.enter_context(patch.object(tree_edit_distance, "BLOCK", 1))
        yield


@pytest.mark.parametrize("stripping", [False, True], ids=["whole", "stripped"])
@pytest.mark.parametrize("rare", [False, True], ids=["usual", "rare"])
@times(1000)
def test_the_distance_is_that_of_the_definition(stripping: bool, rare: bool, times: int) -> None:
    rng = random.Random(7)
    with forced(stripping=stripping, rare=rare):
        for _ in range(times):
            left, right = (random_tree(rng, rng.randint(1, 5)) for _ in range(2))
            assert distance(left, right) == forest_distance((left,), (right,)), (left, right)
    forest_distance.cache_clear()


@pytest.mark.parametrize("stripping", [False, True], ids=["whole", "stripped"])
@pytest.mark.parametrize("rare", [False, True], ids=["usual", "rare"])
@times(1000)
def test_the_distance_to_alternatives_is_that_of_the_definition(stripping: bool, rare: bool, times: int) -> None:
    rng = random.Random(8)
    with forced(stripping=stripping, rare=rare):
        for _ in range(times):
            left = any_choice(random_tree(rng, rng.randint(1, 4), rng.choice([0.0, 0.6])), rng)
            right = random_tree(rng, rng.randint(1, 4), rng.choice([0.2, 0.6]))
            assert distance(left, right) == forest_distance((left,), (right,)), (left, right)
    forest_distance.cache_clear()


def test_an_alternative_far_longer_than_the_first_saves_nothing_elsewhere() -> None:
    """It saves more than twice what its tree costs; the forest tables of other trees are in the same row."""
    long = "ab" * 20
    left: Tree = ("x", ("q", ("y", (long, "b")), ("z", ("e", "f")), ("z", ("g", long))))
    right: Tree = ("x", ("q", ("y", (Choice(("a", long), 1), "b")), ("z", ("c", "d")), ("z", ("c", "d"))))
    with forced(stripping=False, rare=False):
        assert distance(left, right) == forest_distance((left,), (right,)) == 43  # e, f and g, and the second long text


@times(300)
def test_the_distance_to_alternatives_is_that_of_the_best_choice(times: int) -> None:
    rng = random.Random(9)
    for _ in range(times):
        left, right = random_tree(rng, 2), random_tree(rng, 2, 0.5)
        assert distance(left, right) == min(forest_distance((left,), (choice,)) for choice in resolved(right))
    forest_distance.cache_clear()


@pytest.mark.parametrize("kind", ["caterpillar", "zigzag", "balanced", "deep siblings"])
@length(40, 12)
def test_large_trees_are_as_far_apart_as_their_mirror_images(kind: str, length: int) -> None:
    left, right = (large_tree(kind, length + extra, random.Random(extra)) for extra in (0, 2))
    found = {distance(left, right), distance(right, left), distance(mirrored(left), mirrored(right))}
    for stripping, rare in product((False, True), repeat=2):
        with forced(stripping=stripping, rare=rare):
            found.add(distance(left, right))
    assert len(found) == 1


def mirrored(tree: Tree) -> Tree:
    return tree if is_leaf(tree) else (tree[0], tuple(map(mirrored, reversed(tree[1]))))


def large_tree(kind: str, length: int, rng: random.Random) -> Tree:
    tree: Tree = ("x", ("a", "b"))
    for level in range(length):
        text = "".join(rng.choices("abc", k=3))
        if kind == "balanced":
            return large_forest(length.bit_length(), rng)
        if kind == "caterpillar":
            tree = ("x", (text, tree, ("y", (text[::-1],))))
        elif kind == "zigzag":
            tree = ("y", (text, tree) if level % 2 else (tree, text))
        else:  # beside the heavy path hang trees that are deep themselves
            tree = ("x", (tree, large_tree("zigzag", level % 5, rng), text, large_tree("caterpillar", level % 4, rng)))
    return tree


def large_forest(depth: int, rng: random.Random) -> Tree:
    below = tuple(large_forest(depth - 1, rng) for _ in range(2)) if depth else (rng.choice("abc"), "ab")
    return (rng.choice("xy"), below)


TREES = st.recursive(
    st.sampled_from(["", "a", "b", "ab", "bba"]),
    lambda below: st.tuples(st.sampled_from("xy"), st.lists(below, max_size=3).map(tuple)),
    max_leaves=6,
)


@examples(300)
@given(TREES, TREES)
def test_the_distance_is_symmetric_and_that_of_the_definition(left: Tree, right: Tree) -> None:
    found = distance(left, right)
    assert found == distance(right, left) == forest_distance((left,), (right,))
    assert distance(left, left) == 0


def test_the_distance_between_leaves_and_inner_nodes() -> None:
    assert distance("abc", "abd") == 1
    assert distance("abc", ("x", ())) == 4  # the leaf's three characters and the node
    assert distance(("x", ()), ("y", ())) == 1
    assert distance("", ("x", ())) == 1
    assert distance(("x", ("abc",)), ("x", ())) == 3
    assert distance(("x", ("a", "b")), ("y", ("b", "a"))) == 3  # the label, and both texts


@pytest.mark.parametrize(("letters", "expected"), [(2**14 - 2, np.int16), (2**14 - 1, np.int32)])
def test_rows_of_units_have_the_integers_that_they_need(letters: int, expected: Any) -> None:
    trees = Trees()
    forests = [(trees.leaf(letter * letters), trees.inner("x", [trees.leaf(letter)] * 2)) for letter in "cd"]
    sides = [Side(trees, forest) for forest in forests]
    unit, *_, larger = tree_edit_distance._unit_savings(sides[0], sides[1], 2**31)
    assert [unit.dtype, larger.dtype] == [np.dtype(expected), np.dtype(np.int64)]
    assert distance("c" * letters, "d" * letters + "c") == letters


def test_offsets_beyond_32_bits_need_wide_integers() -> None:
    trees = Trees()
    side = Side(trees, (trees.inner("x", [trees.leaf("a"), trees.leaf("b")]),))
    table = [[side.nodes(2)]]
    assert Columns(side, [], table).offsets.dtype == np.int32
    side.most[-1] = side.all = 2**30
    assert Columns(side, [], table).offsets.dtype == np.int64


# Documents

MENU = {"menu": {"nm": "tea"}}  # menu, <subtree>, nm: 1 each; the text: 3; together 6


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ({"total": "12.00"}, {"total": "12.50"}, 1 - 1 / 6),  # one character; a key and five characters
        ({"a": "x"}, {"a": "x", "bb": "yz"}, 1 - 3 / 5),  # a key and two characters are missing
        ({"a": "x", "bb": "yz"}, {"a": "x"}, 0.0),  # 1 - 3 / 2, and never below 0
        ({"b": "x"}, {"a": "x"}, 1 - 1 / 2),  # the label
        ({"menu": [{"nm": "tea"}, {"nm": "pie"}]}, MENU, 1 - 5 / 6),  # an item: <subtree>, key, three characters
        ({"nm": "tea"}, MENU, 1 - 2 / 6),  # menu and <subtree> are missing
        ({"menu": "tea"}, MENU, 1 - 2 / 6),  # <subtree> and nm are missing
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, 1 - 2 / 3),  # the order of values counts: x goes and comes again
        ({"a": ["x", "y"]}, {"a": "x"}, 1 - 1 / 2),
        ({"<subtree>": "tea"}, {"0": "tea"}, 1 - 1 / 4),  # no key is a root or <subtree>
    ],
)  # fmt: skip
def test_worked_by_hand(prediction: Any, reference: Any, expected: float) -> None:
    assert accuracy(prediction, reference) == pytest.approx(expected, abs=1e-15)
    assert by_definition(prediction, reference) == pytest.approx(expected, abs=1e-15)


EMPTY = [{}, {"a": None}, {"a": ""}, {"a": " \t"}, {"a": []}, {"a": {}}, {"a": [{}, None, [], "", {"b": {"c": " "}}]},
         {"a": {"value": None, "confidence": 0.5}}]  # fmt: skip


@pytest.mark.parametrize("empty", EMPTY, ids=str)
def test_absent_values_are_nothing(empty: dict[str, Any]) -> None:
    assert accuracy(empty, {}) == accuracy({}, empty) == accuracy(empty, empty) == 1.0  # nothing on either side
    assert accuracy({"b": "x"}, empty) == 0.0
    assert accuracy(empty, {"b": "x"}) == 0.0
    assert accuracy({**empty, "b": "x"}, {"b": "x"}) == accuracy({"b": "x"}, {**empty, "b": "x"}) == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("x", ["x"]),
        ("x", " x\n"),
        ("x", ("x",)),
        ("x", {"value": "x", "confidence": 0.5}),
        ({"b": "x"}, [{"b": "x"}]),
        ({"b": "x"}, [None, {"b": "x"}, {}]),
        ([["x", ["y"]], "z"], ["x", "y", "z"]),
        ([[{"b": "x"}], [[{"c": "y"}]]], [{"b": "x"}, {"c": "y"}]),
        (["x", {"b": "y"}], ["x"]),  # beside scalars, objects do not count
        ([[{"b": "y"}], ["x"], {"value": "y", "confidence": 1}], ["x", "y"]),
        ([{"b": "y"}, None, " "], {"b": "y"}),  # absent elements are no scalars
        (0, "0"),
        (12.0, "12"),
        (1e16, "10000000000000000"),
        (False, "false"),
        ([0, False, None], ["0", "false"]),
        ([math.nan, "x"], "x"),
        (np.array([1, 2]), ["1", "2"]),
    ],
)  # fmt: skip
def test_the_same_trees(one: Any, other: Any) -> None:
    assert accuracy({"a": one}, {"a": other}) == accuracy({"a": other}, {"a": one}) == 1.0
    assert accuracy({"a": one}, {}) == accuracy({}, {"a": one}) == 0.0


@pytest.mark.parametrize("prediction", [None, "not JSON", 3, [], [{"a": "x"}]], ids=repr)
def test_a_prediction_that_is_no_object_is_empty(prediction: Any) -> None:
    counts = nted.count(prediction, {"a": "x"}) + nted.count(prediction, {})
    assert (counts.documents, counts.invalid_predictions, counts.rows) == (2, 2, {("document",): [1.0, 1]})


def test_a_reference_that_is_no_object_is_an_error() -> None:
    with pytest.raises(DocumentError, match="^reference must be a JSON object, got a list$") as caught:
        nted.count({}, [])
    assert caught.value.side == "reference"


def test_a_document_that_looks_like_a_value_is_an_object() -> None:
    leaf = {"value": "x", "confidence": 0.5}
    assert accuracy(leaf, leaf) == 1.0
    assert accuracy({"value": "x"}, leaf) == pytest.approx(1 - 4 / 6)  # value, x; confidence, 0.5
    assert accuracy({"$any_of": ["x", "y"]}, {"$any_of": ["x", "y"]}) == 1.0


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ({"a": "2"}, {"a": ("1", "2")}, 1.0),
        ({"a": "2"}, {"a": {"$any_of": ["1", 2]}}, 1.0),
        ({"a": "9"}, {"a": ("1", "22")}, 1 - 1 / 2),  # the first on ties
        ({"b": "2"}, {"a": ("1", "22")}, 1 - 2 / 2),  # nothing predicted: the first; the label and the text
        ({"a": [" 3 ", "12"]}, {"a": ["3", ("1", "12 ")]}, 1.0),  # one value of a list, and stripped
        ({"a": {"b": "2"}}, {"a": [{"b": ("1", "2")}, {"b": ("2", "1")}]}, 1 - 3 / 7),  # of any group
        ({"a": {"s": {"a.t": "2"}}}, {"a": {"a.t": ("1", "2")}}, 1 - 2 / 4),  # both are of the type a.t
        ({"a": {"s": {"t": "2"}}}, {"a": {"t": ("1", "2")}}, 1 - 2 / 4),  # whatever is paired: <subtree> and s go
        ({"a": "12"}, {"a": ("3", "12345", "123")}, 1 - 1 / 2),  # the nearest, of what the first costs
        ({}, {"a": ("3", "12345")}, 0.0),
        ({"a": ["b"]}, {"a": ["b", ("aaaa", "b")]}, 1 - 1 / 6),  # b goes with the alternatives, the shorter b is new
        ({"m": [{"n": "Tea"}, {"n": "Latte"}]}, {"m": [{"n": "Tea"}, {"n": ("Tea", "Latte")}]}, 1.0),
        ({"a": "2"}, {"a": (None, " ", "2")}, 1.0),  # absent alternatives are dropped
        ({}, {"a": (None, " ", "")}, 1.0),
        ({"a": ["x", {"b": "2"}]}, {"a": {"b": ("1", "2")}}, 1 - 3 / 4),  # <subtree>, b; x becomes 2
    ],
)  # fmt: skip
def test_alternatives(prediction: Any, reference: Any, expected: float) -> None:
    assert accuracy(prediction, reference) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(
    ("alternatives", "kind"),
    [(("x", {"b": "y"}), "an object"), (("x", ["y"]), "a list"), (("x", ("y", "z")), "alternatives")],
)
def test_alternatives_must_be_single_values(alternatives: Any, kind: str) -> None:
    with pytest.raises(
        DocumentError, match=f"^entity 'g.a': alternatives must be single values, got {kind}$"
    ) as caught:
        nted.count({}, {"g": [{"a": alternatives}]})
    assert (caught.value.entity, caught.value.side) == ("g.a", "reference")


def test_normalisers_see_entity_types() -> None:
    assert accuracy({"a": "X", "b": {"c": "Y"}}, {"a": "x", "b": {"c": "y"}}, normalize="casefold") == 1.0
    by_type = accuracy({"a": "X", "b": {"c": "Y"}}, {"a": "x", "b": {"c": "y"}}, normalize={"b.c": "casefold"})
    assert by_type == pytest.approx(1 - 1 / 6)
    assert accuracy({"a": "--"}, {}, normalize="alphanumeric") == 1.0  # what becomes empty is nothing
    with pytest.raises(ValueError, match="unknown normalizer 'upper'"):
        nted.Settings(normalize="upper")


@examples(500)
@given(documents(), documents(), st.randoms(use_true_random=False))
def test_random_documents(prediction: dict[str, Any], reference: dict[str, Any], rng: random.Random) -> None:
    expected = by_definition(prediction, reference)
    assert accuracy(prediction, reference) == pytest.approx(expected, abs=1e-15)
    assert accuracy(reference, reference) == 1.0
    assert accuracy(keys_shuffled(prediction, rng), keys_shuffled(reference, rng)) == accuracy(prediction, reference)


@examples(100)
@given(documents(), documents(ONE_OFS))
def test_random_documents_with_alternatives(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    expected = by_definition(prediction, reference)
    assert accuracy(prediction, reference) == pytest.approx(expected, abs=1e-15)


def keys_shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: keys_shuffled(value[key], rng) for key in rng.sample(list(value), len(value))}
    return [keys_shuffled(element, rng) for element in value] if isinstance(value, list) else value


def test_a_corpus() -> None:
    predictions, references = [{"a": "x"}, {"a": "y"}, None], [{"a": "x"}, {"a": "x"}, {"a": "x"}]
    result = corpus.evaluate(nted, predictions, references, breakdown=True, confidence_level=0.95)
    assert result["nted_accuracy"] == 0.5
    assert (result["documents"], result["invalid_predictions"]) == (3, 1)
    assert result["per_document"] == [{"nted_accuracy": 1.0}, {"nted_accuracy": 0.5}, {"nted_accuracy": 0.0}]
    low, high = result["nted_accuracy_interval"]
    assert 0 <= low < 0.5 < high <= 1
    assert "|normalize:none|" in result["signature"]
    assert corpus.evaluate(nted, [], [])["nted_accuracy"] == 1.0


# Deep and wide

LEVELS: dict[str, Callable[[Any, str], Any]] = {
    "chain": lambda inner, _: {"k": inner},
    "list": lambda inner, _: {"k": [inner]},
    "first": lambda inner, text: {"bb": text, "a": inner},
    "last": lambda inner, text: {"a": text, "bb": inner},
    "middle": lambda inner, text: {"a": text, "bb": inner, "ccc": text},
}


def deep(kind: str, levels: int, leaf: Any, *, wrong: Collection[int] = ()) -> Any:
    """Objects in objects. Beside each but in chains and lists is its level as a text of five, in some a wrong one."""
    for number in range(levels):
        text = f"{number:05}"
        leaf = LEVELS[kind](leaf, text[:4] + "x" if number in wrong else text)
    return leaf


SIBLINGS = {"chain": 0, "list": 0, "first": 1, "last": 1, "middle": 2}


@pytest.mark.parametrize("kind", LEVELS)
@length(48, 30)
def test_deep_documents(kind: str, length: int) -> None:
    one, other = deep(kind, length, "abc"), deep(kind, length, "abd")
    assert accuracy(one, one) == 1.0
    nodes = 2 * length + 2 + SIBLINGS[kind] * 6 * length  # keys, <subtree>s, three characters; a key and five
    assert accuracy(one, other) == pytest.approx(1 - 1 / nodes)
    wrong = range(0, length, 3)  # siblings that differ, from top to bottom
    edits = 1 + SIBLINGS[kind] * len(wrong)  # a character each
    assert accuracy(deep(kind, length, "abd", wrong=wrong), one) == pytest.approx(1 - edits / nodes)
    assert accuracy(one, deep(kind, length - 7, "abc")) < 1.0


@pytest.mark.parametrize("kind", LEVELS)
def test_documents_that_are_too_deep(kind: str) -> None:
    one = deep(kind, 50 if kind == "list" else 100, "abc")  # a list is a level too
    assert accuracy(one, one) == 1.0
    with pytest.raises(DocumentError, match="nested more than 100 levels deep"):
        nted.count({"k": one}, {})


def test_deep_documents_deep_in_a_program() -> None:
    def called(calls: int) -> float:
        return called(calls - 1) if calls else accuracy(deep("chain", 99, "abc"), deep("chain", 99, ("abd", "xyz")))

    for calls in range(0, 500, 50):  # of the thousand that Python has
        assert called(calls) == pytest.approx(1 - 1 / 200)


def test_deep_lists() -> None:
    value: Any = "x"
    for _ in range(99):
        value = [value]
    assert accuracy({"a": value}, {"a": "x"}) == 1.0


def test_wide_documents() -> None:
    reference = {f"key{number}": f"{number:05}" for number in range(10_000)}
    total = sum(1 + 5 for _ in reference)
    assert accuracy(dict(reversed(reference.items())), reference) == 1.0
    few = {**reference, "key5000": "x5000", "key5010": "x5010"}
    assert accuracy(few, reference) == pytest.approx(1 - 2 / total)
    many = {key: text if int(text) % 5 else "x" + text[1:] for key, text in reference.items() if int(text) < 1500}
    fewer = {key: reference[key] for key in many}
    assert accuracy(many, fewer) == pytest.approx(1 - 300 / (1500 * 6))


# Real documents


@pytest.fixture(scope="module")
def qwen(cord: dict[str, list[Any]]) -> list[tuple[Any, Any]]:
    predictions = [records.cord_names(llm.to_document(row["prediction"]).document) for row in cord["qwen"]]
    return list(zip(predictions, map(records.cord, cord["references"]), strict=True))


def test_cord_equals_zss(qwen: list[tuple[Any, Any]], root: Path) -> None:
    golden = (root / "tests" / "golden" / "nted_cord.txt").read_text(encoding="utf-8").splitlines()
    expected = [float(line) for line in golden if not line.startswith("#")]
    found = [accuracy(prediction, reference) for prediction, reference in qwen]
    assert found == pytest.approx(expected, abs=1e-12)
    result = corpus.evaluate(nted, *map(list, zip(*qwen, strict=True)))
    assert result["nted_accuracy"] == pytest.approx(0.8543018935669936, abs=1e-12)


@times(2000)
def test_equals_zss(times: int) -> None:
    """The reference package, with Donut's cost functions, on random documents."""
    zss = pytest.importorskip("zss", reason="the reference package zss is not installed")
    rng = random.Random(5)

    def node(tree: Tree) -> Any:
        label, children = (tree, ()) if isinstance(tree, str) else tree
        result = zss.Node((isinstance(tree, str), label))
        for child in children:
            result.addkid(node(child))
        return result

    def cost(one: Any) -> int:
        leaf, label = one.label
        return len(label) if leaf else 1

    def change(one: Any, other: Any) -> int:
        if one.label[0] and other.label[0]:
            return Levenshtein.distance(one.label[1], other.label[1])
        return cost(one) + cost(other) if one.label[0] != other.label[0] else int(one.label != other.label)

    for _ in range(times):
        one, other = random_tree(rng, 4), random_tree(rng, 4)
        expected = zss.distance(node(one), node(other), zss.Node.get_children, cost, cost, change)
        assert distance(one, other) == expected
