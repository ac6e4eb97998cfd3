"""Inputs that take long where values, groups, entities, boxes and texts are matched."""

from __future__ import annotations

import random
import string
from collections.abc import Callable
from functools import partial
from typing import Any

import generate
from hard_inputs import Case

Pair = tuple[Any, Any]


def one_of_values(number: int) -> Pair:
    """One list of values, each with two right answers; a third of the predictions are wrong."""
    reference = [(str(value), f"x{value}") for value in range(number)]
    prediction = [str(value + number * (value % 3 == 0)) for value in range(number)]
    return {"a": prediction}, {"a": reference}


def one_of_in_groups(number: int) -> Pair:
    """Groups of two values, of which one has two right answers; every third group is wrong in the other."""
    reference = [{"nm": (f"n{item}", f"m{item}"), "price": f"p{item}"} for item in range(number)]
    prediction = [{"nm": f"n{item}", "price": f"{'pq'[item % 3 == 0]}{item}"} for item in range(number)]
    return {"line": prediction[::-1]}, {"line": reference}


def distinct_groups(number: int, *, are_alike: bool = True) -> Pair:
    """Groups that share no value with any other; their types are alike, or the prediction lacks one in some."""
    reference = [{"nm": f"n{item}", "price": f"p{item}", "cnt": f"c{item}"} for item in range(number)]
    prediction = [{key: f"not {text}" for key, text in group.items()} for group in reference]
    for item, group in enumerate(prediction):
        if not are_alike and item % 5:
            del group[("nm", "price", "cnt")[item % 3]]
    return {"line": prediction}, {"line": reference}


def entities(number: int, *, only_words: bool = False) -> Pair:
    """Entities of one category, in another order; half of them are misread."""
    rng = random.Random(number)
    texts = [_name(rng) for _ in range(number)]
    misread = [text if rng.random() < 0.5 else text[:-1] + "?" for text in texts]
    rng.shuffle(misread)
    return [["name", text] for text in misread], [["name", text] for text in texts]


def _name(rng: random.Random) -> str:
    return " ".join([*rng.choices(generate.WORDS, k=rng.randint(0, 3)), generate.price(rng)])


def distinct_entities(number: int) -> Pair:
    """Entities of one category: random words, none in common."""
    rng = random.Random(number)
    sides = ([["name", _letters(rng, 6)] for _ in range(number)] for _ in range(2))
    prediction, reference = sides
    return prediction, reference


def tagged_words(number: int) -> Pair:
    """One page of words, every tenth of them a date; one word of fifty is misread."""
    rng = random.Random(number)
    words = [_letters(rng, rng.randint(1, 9)) for _ in range(number)]
    tags = ["B-date" if place % 10 == 0 else "O" for place in range(number)]
    misread = [word if rng.random() < 0.98 else word + "?" for word in words]
    return {"words": misread, "tags": tags}, {"words": words, "tags": tags}


def boxes(number: int, *, is_grouped: bool = False) -> Pair:
    """Boxes of one label that all overlap each other, those of the prediction a little off."""
    rng = random.Random(number)
    sides = []
    for _ in range(2):
        side = []
        for place in range(number):
            x, y = rng.uniform(0, 20), rng.uniform(0, 20)
            group = {"group": place} if is_grouped else {}
            side.append({"label": "a", "box": [x, y, x + 100, y + 100], **group})
        sides.append(side)
    return sides[0], sides[1]


def groups_on_a_page(number: int) -> Pair:
    """Groups of one label, of two boxes each, in lines of twenty down a page."""
    rng = random.Random(number)
    sides = []
    for _ in range(2):
        side = []
        for place in range(number):
            line, column = divmod(place, 20)
            x, y = 50 * column + rng.uniform(0, 20), 12 * line + rng.uniform(0, 6)
            corners = [[x + shift, y, x + shift + 12, y + 10] for shift in (0, 15)]
            side += [{"label": "a", "box": box, "group": place} for box in corners]
        sides.append(side)
    return sides[0], sides[1]


def texts(length: int, *, errors: float) -> Pair:
    """Two long texts; errors: the share of letters that differ (1.0: nothing to do with each other)."""
    rng = random.Random(length)
    reference = _letters(rng, length)
    if errors == 1:
        return {"text": _letters(rng, length)}, {"text": reference}
    letters = list(reference)
    for place in rng.sample(range(length), int(length * errors)):
        letters[place] = "?"
    return {"text": "".join(letters)}, {"text": reference}


def as_entities(pair: Pair) -> Pair:
    """The fields of two documents as lists of entities."""
    prediction, reference = ([[key, text] for key, text in side.items()] for side in pair)
    return prediction, reference


def many_values(number: int) -> Pair:
    """One field with so many values; the last of the prediction is wrong."""
    reference = [str(value % 7) for value in range(number)]
    return {"a": [*reference[:-1], "8"]}, {"a": reference}


def _letters(rng: random.Random, length: int) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=length))


def long_texts(make: Callable[[Pair], Pair], errors: float) -> Pair:
    """Two texts of 1 MB, as a family reads them."""
    return make(texts(10**6, errors=errors))


_TEXT_FAMILIES: dict[str, Callable[[Pair], Pair]] = {
    "hed": lambda pair: pair,
    "text_match": lambda pair: pair,
    "oi_entities": as_entities,
}

CASES = [
    Case("5,000 one-of values", "kieval", partial(one_of_values, 5000), before="19–33 s"),
    Case("5,000 one-of values", "entity_f1", partial(one_of_values, 5000), before="19–33 s"),
    Case("a one-of in each of 5,000 groups", "kieval", partial(one_of_in_groups, 5000), before="40 s"),
    Case("10,000 distinct groups", "kieval", partial(distinct_groups, 10_000), before="30 s, 2.5 GB"),
    Case("10,000 distinct groups, some types missing", "kieval", partial(distinct_groups, 10_000, are_alike=False)),
    Case("10,000 distinct groups, greedy", "kieval", partial(distinct_groups, 10_000), {"matching": "greedy"}),
    Case("5,000 of one category", "oi_entities", partial(entities, 5000), before="19–25 s"),
    Case("5,000 of one category, all distinct", "oi_entities", partial(distinct_entities, 5000)),
    Case("100,000 words", "oi_entities", partial(tagged_words, 100_000), before="14 s"),
    Case("5,000 overlapping boxes", "box_iou", partial(boxes, 5000), before="12–67 s, 1.5 GB"),
    Case(
        "5,000 overlapping groups of one label",
        "box_iou",
        partial(boxes, 5000, is_grouped=True),
        before="12–67 s, 1.5 GB",
    ),
    Case("5,000 groups of one label on a page", "box_iou", partial(groups_on_a_page, 5000)),
    *(
        Case(f"two texts of 1 MB, {name}", family, partial(long_texts, make, errors), before="41 s to minutes")
        for family, make in _TEXT_FAMILIES.items()
        for name, errors in (("nothing alike", 1.0), ("1 letter in 100 wrong", 0.01))
    ),
    Case("one field with 1,000,000 values", "hed", partial(many_values, 10**6), before="102 s"),
    Case("one field with 1,000,000 values", "text_match", partial(many_values, 10**6)),
]
