"""Inputs that take long under match rules, and in error rows, repairs and comparisons."""

from __future__ import annotations

import datetime
import random
import string
from collections.abc import Callable
from functools import partial
from typing import Any

import generate
from hard_inputs import Call, Case, Pair
from hard_inputs_groups import texts

from docie import corpus, hed, kieval

HALF = {"match": "similar(0.5)"}


def numbers_in_groups(number: int, *, groups: int = 2) -> Pair:
    """Groups with many values of one type, of which about a third fit each other."""
    rng = random.Random(number)
    sides = (
        [{"a": ["".join(rng.choices("0123456789", k=3)) for _ in range(number)]} for _ in range(groups)] for _ in "pr"
    )
    prediction, reference = ({"line": side} for side in sides)
    return prediction, reference


def one_value(number: int) -> Pair:
    """One text over and over on either side."""
    return {"a": ["ab"] * number}, {"a": ["ac"] * number}


def dates(number: int) -> Pair:
    """Days in a row, written in another way, and so all wrong."""
    days = [datetime.date(2004, 1, 1) + datetime.timedelta(day) for day in range(number)]
    return {"date": [f"{day:%d.%m.%Y}" for day in days]}, {"date": [day.isoformat() for day in days]}


def short_values(number: int) -> Pair:
    """Numbers below 1,000, odd ones for even ones."""
    rng = random.Random(number)
    return (
        {"a": [str(rng.randrange(0, 1000, 2)) for _ in range(number)]},
        {"a": [str(rng.randrange(1, 1000, 2)) for _ in range(number)]},
    )


def types(number: int) -> Pair:
    """A wrong value of each type."""
    return {f"t{each}": "1" for each in range(number)}, {f"t{each}": "2" for each in range(number)}


def line_items(number: int) -> Pair:
    """Line items in another order; every fifth value is misread."""
    rng = random.Random(number)
    words = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 8))) for _ in range(200)]
    reference = [
        {"nm": " ".join(rng.choices(words, k=2)), "cnt": str(rng.randint(1, 9)), "price": generate.price(rng)}
        for _ in range(number)
    ]
    prediction = [
        {key: text if rng.random() < 0.8 else text[:-1] + "?" for key, text in item.items()} for item in reference
    ]
    rng.shuffle(prediction)
    return {"menu": prediction}, {"menu": reference}


def groups_with_one_value_in_common(number: int) -> Pair:
    """Groups that all have the same count, and nothing else in common."""
    sides = (
        [{"nm": f"{side} {item}", "cnt": "1", "price": f"{item}.{side}"} for item in range(number)] for side in "pr"
    )
    prediction, reference = ({"menu": side} for side in sides)
    return prediction, reference


def two_systems(number: int, documents: int) -> Any:
    """The answers of two systems to the same documents, and the references."""
    wrong, right = types(number)
    half = documents // 2
    return {"a": [wrong] * documents, "b": [right] * half + [wrong] * (documents - half)}, [right] * documents


def equal_texts(length: int) -> Pair:
    """A long text on either side."""
    _, reference = texts(length, errors=1)
    return dict(reference), reference


def errors(pair: Pair) -> object:
    return list(corpus.errors([pair[0]], [pair[1]]))


def repaired(pair: Pair) -> object:
    return corpus.repaired([pair[0]], [pair[1]])


def compared(systems: Any) -> object:
    return corpus.compare(kieval, *systems, breakdown=True)


def limited(pair: Pair) -> object:
    return corpus.evaluate(hed, [pair[0]], [pair[1]], max_seconds=1)


_CALLS: list[tuple[str, str, Callable[[Any], object], Callable[[], Any], str]] = [
    ("errors of 7,100 wrong dates", "errors", errors, partial(dates, 7100), "6.7 s, 1.3 GB"),
    ("errors of 12,000 short values", "errors", errors, partial(short_values, 12_000), "24 s, 3.6 GB"),
    ("repaired, 5,000 entity types", "errors", repaired, partial(types, 5000), "> 60 s"),
    ("by type, 1,500 entity types, 50 documents", "compare", compared, partial(two_systems, 1500, 50), "4.6 s, 1.3 GB"),
    ("two equal texts of 1 MB, max_seconds=1", "hed", limited, partial(equal_texts, 10**6), "refused"),
]

CASES = [
    Case("similar(0.5), two groups of 850 values", "kieval", partial(numbers_in_groups, 850), HALF, "8.5 s"),
    Case("similar(0.5), two groups of 2,800 values", "kieval", partial(numbers_in_groups, 2800), HALF, "> 60 s"),
    Case("similar(0.5), one text 8,000 times", "kieval", partial(one_value, 8000), HALF, "21 s, 5.4 GB"),
    Case("6,000 line items", "hed", partial(line_items, 6000), before="4.6 s, 968 MB"),
    Case(
        "4,500 groups with one value in common",
        "kieval",
        partial(groups_with_one_value_in_common, 4500),
        before="4.9 s, 1.4 GB",
    ),
    *(Call(name, family, function, make, before) for name, family, function, make, before in _CALLS),
]
