"""Hard inputs for the families that compare JSON trees, nTED and ANLS*. All texts of the two sides differ."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import generate
from hard_inputs import Case

Pair = tuple[Any, Any]
Text = Callable[[], str]
"""Gives a new random text."""


def both(make: Callable[..., Any], *sizes: int, letters: int = 4) -> Pair:
    """Prediction and reference of one shape, with other texts."""
    prediction, reference = (make(_texts(random.Random(seed), letters), *sizes) for seed in (1, 2))
    return prediction, reference


def _texts(rng: random.Random, letters: int) -> Text:
    return lambda: "".join(rng.choices("abcdefghij", k=letters))


def caterpillar(text: Text, levels: int) -> Any:
    """Objects in objects, with a text before and a text after each."""
    value: Any = {"a": text()}
    for _ in range(levels):
        value = {"a": text(), "bb": value, "ccc": text()}
    return value


def zigzag(text: Text, levels: int) -> Any:
    """Lists of two objects, of which now the first, now the second goes on."""
    value: Any = {"a": text()}
    for level in range(levels):
        pair = [{"a": text()}, value]
        value = {"b": pair if level % 2 else pair[::-1]}
    return value


def balanced(text: Text, depth: int) -> Any:
    """Objects of two keys."""
    return {"a": balanced(text, depth - 1), "b": balanced(text, depth - 1)} if depth else text()


def lists(text: Text, *lengths: int) -> Any:
    """Lists of so many lists of so many ... texts."""
    return [lists(text, *lengths[1:]) for _ in range(lengths[0])] if lengths else text()


def alternatives(text: Text, number: int) -> Any:
    """Each value is one of two objects."""
    return [({"a": text()}, {"a": text()}) for _ in range(number)]


def objects(text: Text, number: int) -> Any:
    """Objects of a key with a text."""
    return [{"a": text()} for _ in range(number)]


def mixed(text: Text, number: int) -> Any:
    """Texts, objects, lists and nothing in turns."""
    kinds: list[Callable[[], Any]] = [text, lambda: {"a": text()}, lambda: [text(), text()], lambda: None]
    return [kinds[place % 4]() for place in range(number)]


def with_alternatives(number: int) -> Pair:
    return both(objects, number)[0], both(alternatives, number)[1]


CASES = [
    Case("caterpillar", "nted", partial(both, caterpillar, 98, letters=2)),
    Case("zigzag lists", "nted", partial(both, zigzag, 49, letters=2)),
    Case("balanced tree", "nted", partial(both, balanced, 12), before="93 s"),
    Case("5,000 line items", "nted", partial(generate.invoice, 5_000), before="96 s, 2.5 GB"),
    Case("list of 1,000 lists of two texts", "anls_star", partial(both, lists, 1_000, 2), before="54 s"),
    Case("lists of lists of two", "anls_star", partial(both, lists, 400, 2, 2, letters=2), before="65 s"),
    Case("binary tree of lists", "anls_star", partial(both, lists, *[2] * 10), before="63 s"),
    Case("2,000 objects with alternatives", "anls_star", partial(with_alternatives, 2_000), before="56 s, 1.6 GB"),
    Case("5,000 mixed values", "anls_star", partial(both, mixed, 5_000), before="90 s, 2 GB"),
]
