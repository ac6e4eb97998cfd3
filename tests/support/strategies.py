"""Random documents from three or four values, so that ties are everywhere."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from docie.robustness.form import Field, Page, Word

VALUES = st.sampled_from(["1", "2", "3", "12"])
CONFIDENCES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
LEAVES = st.one_of(VALUES, st.builds(lambda value, confidence: {"value": value, "confidence": confidence}, VALUES, CONFIDENCES))  # fmt: skip
ONE_OFS = st.one_of(VALUES, st.tuples(VALUES, VALUES))


def _groups(leaves: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Any]:
    fields = st.one_of(leaves, st.lists(leaves, max_size=2))
    flat = st.dictionaries(st.sampled_from("ab"), fields, max_size=2)
    nested = st.one_of(flat, st.builds(lambda group, sub: {**group, "sub": sub}, flat, st.lists(flat, max_size=2)))
    return st.lists(nested, max_size=most)


def documents(leaves: st.SearchStrategy[Any] = LEAVES, most: int = 3) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects with ungrouped values `x`, `y` and groups `g`, `h`, at most `most` of each type."""
    ungrouped = st.one_of(leaves, st.lists(leaves, max_size=3))
    return st.fixed_dictionaries(
        {}, optional={"x": ungrouped, "y": ungrouped, "g": _groups(leaves, most), "h": _groups(leaves, most)}
    )


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same document with its groups, the values in them and its keys in another order."""
    if isinstance(value, dict):
        keys = rng.sample(list(value), len(value))
        return {key: shuffled(value[key], rng) for key in keys}
    if isinstance(value, list):
        return [shuffled(element, rng) for element in rng.sample(value, len(value))]
    return value


def attacked(leaves: st.SearchStrategy[Any] = LEAVES) -> st.SearchStrategy[dict[str, Any]]:
    """Forms with an unattacked version and one under an attack."""
    versions = st.fixed_dictionaries({"none": documents(leaves), "global_shuffle": documents(leaves)})
    return st.fixed_dictionaries({"attacks": versions})


TEXTS = st.sampled_from(["a", "ab", "abc", "a b", "b a c"])
ENTITIES = st.lists(st.tuples(st.sampled_from("ABC"), TEXTS).map(list), max_size=5)
"""Lists of entities, [category, text]."""
TAGS = st.sampled_from(["O", "B-a", "I-a", "B-b", "I-b", "E-a", "S-b"])


def tags() -> st.SearchStrategy[tuple[list[str], list[str]]]:
    """Two sequences of tags of one length."""
    pairs = st.lists(st.tuples(TAGS, TAGS), max_size=6)
    return pairs.map(lambda tags: ([prediction for prediction, _ in tags], [reference for _, reference in tags]))


def tagged_words() -> st.SearchStrategy[tuple[Any, Any]]:
    """Two lists of tagged words, of one length, so that span scores can compare them too."""

    def split(rows: list[tuple[str, str, str, str]]) -> tuple[Any, Any]:
        columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
        return {"words": columns[0], "tags": columns[1]}, {"words": columns[2], "tags": columns[3]}

    words = st.sampled_from(["x", "y", "12"])
    return st.lists(st.tuples(words, TAGS, words, TAGS), max_size=5).map(split)


def boxes() -> st.SearchStrategy[list[dict[str, Any]]]:
    """Labelled boxes on a small grid, some in groups."""
    corner = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 4), st.integers(1, 4))
    box = corner.map(lambda c: [c[0], c[1], c[0] + c[2], c[1] + c[3]])
    plain = st.fixed_dictionaries({"label": st.sampled_from("ab"), "box": box}, optional={"group": st.integers(1, 2)})
    return st.lists(plain, max_size=4)


SIDE = 12
"""The width and height of a small page."""


def corners(limit: int = SIDE) -> st.SearchStrategy[Any]:
    """Boxes [x0, y0, x1, y1] of whole numbers on a small page."""
    edge = st.lists(st.integers(0, limit), min_size=2, max_size=2, unique=True).map(sorted)
    return st.tuples(edge, edge).map(lambda pair: (pair[0][0], pair[1][0], pair[0][1], pair[1][1]))


FORM_TEXTS = (
    "Invoice",
    "No.",
    "Total:",
    "1234",
    "INV-7",
    "12.50",
    "$1,240.00",
    "05/06/2021",
    "Ada",
    "é",
    "מספר",
    "合計",
)


@st.composite
def forms(draw: st.DrawFn, *, with_boxes: bool | None = None) -> Page:
    """Forms of up to eight words on a small page, with up to three fields that may share words."""
    texts = draw(st.lists(st.sampled_from(FORM_TEXTS), max_size=8))
    if with_boxes if with_boxes is not None else draw(st.booleans()):
        boxes: list[Any] = draw(st.lists(corners(100), min_size=len(texts), max_size=len(texts)))
    else:
        boxes = [None] * len(texts)
    fields = []
    for _ in range(draw(st.integers(0, 3)) if texts else 0):
        positions = draw(st.lists(st.sampled_from(range(len(texts))), max_size=4, unique=True))
        keys = draw(st.integers(0, len(positions)))
        entity_type = draw(st.sampled_from(["date", "total_tax", "total_amount", "company", "g.name"]))
        group = draw(st.sampled_from([None, 1]))
        fields.append(Field(entity_type, tuple(positions[keys:]), tuple(positions[:keys]), group=group))
    words = [Word(text, box) for text, box in zip(texts, boxes, strict=True)]
    return Page(words, fields, (100, 100), draw(st.sampled_from([None, "a", 7])))
