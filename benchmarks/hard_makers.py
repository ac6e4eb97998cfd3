"""What makes inputs that take long, for the table of hard.toml."""

from __future__ import annotations

import datetime
import random
import string
from collections.abc import Callable
from typing import Any

import generate
from oi_entities_rows import entity_list

from docie import corpus, hed, kieval
from docie.adapters import donut, grouping
from docie.core.normalizers import NORMALIZERS

Pair = tuple[Any, Any]


# values, groups, entities, boxes and texts that are matched


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


def overlapping_boxes(number: int, *, is_grouped: bool = False) -> Pair:
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


def two_texts(length: int, *, errors: float) -> Pair:
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


# JSON trees: all texts of the two sides differ


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


# match rules, error rows, repairs and comparisons


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
    _, reference = two_texts(length, errors=1)
    return dict(reference), reference


def errors(pair: Pair) -> object:
    return list(corpus.errors([pair[0]], [pair[1]]))


def repaired(pair: Pair) -> object:
    return corpus.repaired([pair[0]], [pair[1]])


def compared(systems: Any) -> object:
    return corpus.compare(kieval, *systems, breakdown=True)


def limited(pair: Pair) -> object:
    return corpus.evaluate(hed, [pair[0]], [pair[1]], max_seconds=1)


# ordinary receipts, and other parts of docie


RECEIPTS = 200


def receipts(form: Callable[[Any], Any]) -> list[Pair]:
    """Receipts of CORD's size, as a family reads them."""
    return [(form(prediction), form(reference)) for prediction, reference in generate.receipts(RECEIPTS)]


def boxes_of(document: Any) -> list[dict[str, Any]]:
    """A box for every value of a receipt, on lines of a page; the texts' lengths are the boxes' widths."""
    return [
        {"label": label, "box": [10, 12 * place, 11 + 7 * len(text), 12 * place + 10]}
        for place, (label, text) in enumerate(entity_list(document))
    ]


def as_document(document: Any) -> Any:
    return document


def marks(number: int) -> str:
    """Combining marks of two classes in turns, which normal forms put in order."""
    return "a" + "\u0315\u0300" * (number // 2)


def of_many_types(number: int) -> list[tuple[str, str]]:
    """As many entities as types, all of one group type."""
    return [(f"line.field {each}", str(each)) for each in range(number)]


def scores_elsewhere(tokens: int) -> dict[str, Any]:
    """A sequence, and scores of tokens that it does not hold."""
    return {"sequence": "<s_a>" + "ab " * tokens + "</s_a>", "token_scores": [("xyz", 0.5)] * tokens}


def nfkc(text: str) -> str:
    return NORMALIZERS["nfkc"](text)


def slots(entities: Any) -> object:
    return grouping.slot_filling(entities, ["line"])


def of_sequence(answer: dict[str, Any]) -> object:
    return donut.to_document(**answer)
