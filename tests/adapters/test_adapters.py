"""Model outputs and tagged words → documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from docie.adapters import grouping
from docie.adapters.grouping.documents import Entity
from docie.adapters.grouping.labelled_words import from_words
from docie.documents.boxes import parse_boxes

WORDS = [
    Entity("menu.nm", "Latte", 0.9, 1),
    Entity("date", "2023-12-31"),
    Entity("menu.cnt", "2", 0.8, 1),
    Entity("menu.nm", "Mocha", 0.7, ""),
    Entity("total.price", "9", None, None),
    Entity("menu.cnt", "1", 0.6, 2),
    Entity("menu.cnt", "3", 0.5, 2),
]


def leaf(value: str, confidence: float) -> dict[str, Any]:
    return {"value": value, "confidence": confidence}


def test_by_group_id() -> None:
    assert grouping.by_group_id(WORDS, ["menu", "total"]) == {
        "menu": [
            {"menu.nm": leaf("Latte", 0.9), "menu.cnt": leaf("2", 0.8)},
            {"menu.nm": leaf("Mocha", 0.7)},
            {"menu.cnt": [leaf("1", 0.6), leaf("3", 0.5)]},
        ],
        "total": [{"total.price": "9"}],
        "date": "2023-12-31",
    }


def test_slot_filling() -> None:
    # other types do not close a group: the total stands between Mocha and its count
    assert grouping.slot_filling(WORDS, {"menu": ["menu.nm", "menu.cnt"], "total": ["total.price"]}) == {
        "menu": [
            {"menu.nm": leaf("Latte", 0.9), "menu.cnt": leaf("2", 0.8)},
            {"menu.nm": leaf("Mocha", 0.7), "menu.cnt": leaf("1", 0.6)},
            {"menu.cnt": leaf("3", 0.5)},
        ],
        "total": [{"total.price": "9"}],
        "date": "2023-12-31",
    }


def test_grouping_without_groups_or_entities() -> None:
    assert grouping.slot_filling([], ["menu"]) == {}
    pairs: Any = iter([("a", "1"), ("a", "2")])
    assert grouping.slot_filling(pairs, []) == {"a": ["1", "2"]}
    with pytest.raises(ValueError, match="groups must be a list of group types, got 'menu'"):
        grouping.by_group_id(WORDS, "menu")
    with pytest.raises(ValueError, match="groups must map each group type to a list of entity types"):
        grouping.by_group_id(WORDS, {"menu": "menu.nm"})


def test_group_types_are_whole_names_and_blank_ids_are_none() -> None:
    entities = [Entity("menu.nm", "a", None, ""), Entity("menu.cnt", "1", None, None), Entity("menus.x", "b")]
    assert grouping.by_group_id(entities, ["menu"]) == {"menu": [{"menu.nm": "a", "menu.cnt": "1"}], "menus.x": "b"}


def test_a_group_type_that_is_an_entity_type_too() -> None:
    document = grouping.to_document([("menu", [Entity("menu.nm", "Latte")])], [Entity("menu", "x")])
    assert document == {"menu": [{"menu.nm": "Latte"}, "x"]}


def test_from_words() -> None:
    words, labels = (
        ["2", "Iced", "Latte", "x", "Mocha", "9"],
        ["menu.cnt", "menu.nm", "menu.nm", "O", "menu.nm", "total.price"],
    )
    groups = ["menu", "total"]
    lines: list[Any] = [1, 1, 1, 1, 2, ""]
    menu: list[dict[str, Any]] = [{"menu.cnt": "2", "menu.nm": ["Iced", "Latte"]}, {"menu.nm": "Mocha"}]
    total = [{"total.price": "9"}]
    assert from_words(words, labels, groups=groups, line_numbers=lines) == {"menu": menu, "total": total}
    menu[0]["menu.nm"] = "Iced Latte"
    joined = from_words(words, labels, groups=groups, line_numbers=lines, join_words=True)
    assert joined == {"menu": menu, "total": total}
    assert from_words(words, labels, groups=groups) == {
        "menu": [{"menu.cnt": "2", "menu.nm": "Iced"}, {"menu.nm": "Latte"}, {"menu.nm": "Mocha"}], "total": total
    }  # fmt: skip
    sure = from_words(
        words, labels, groups=groups, line_numbers=lines, confidences=[0.9, 0.8, 0.7, 0.1, None, 0.5], join_words=True
    )
    assert sure == {
        "menu": [{"menu.cnt": leaf("2", 0.9), "menu.nm": leaf("Iced Latte", 0.7)}, {"menu.nm": "Mocha"}],
        "total": [{"total.price": leaf("9", 0.5)}],
    }
    assert from_words(["a", "b", "c"], ["", "O", None], groups=[]) == {}


def test_joined_words_need_not_be_neighbours() -> None:
    """A name over two lines of a table, the words of other labels between; no line number is a number too."""
    found = from_words(
        ["Iced", "5", "Latte", "A", "B"],
        ["menu.nm", "menu.price", "menu.nm", "shop", "shop"],
        groups=["menu"],
        line_numbers=[1, 1, 1, None, ""],
        confidences=[None, None, 0.5, None, None],
        join_words=True,
    )
    assert found == {"menu": [{"menu.nm": leaf("Iced Latte", 0.5), "menu.price": "5"}], "shop": "A B"}


def test_lists_of_unequal_lengths() -> None:
    with pytest.raises(ValueError, match="^expected as many labels as words, got 1 and 2$"):
        from_words(["a", "b"], ["x"], groups=[])
    with pytest.raises(ValueError, match="^expected as many line_numbers as words, got 0 and 1$"):
        from_words(["a"], ["x"], groups=[], line_numbers=[])
    with pytest.raises(ValueError, match="^expected as many confidences as words, got 2 and 1$"):
        from_words(["a"], ["x"], groups=[], confidences=[1, 1])
    with pytest.raises(ValueError, match="^join_words needs line_numbers$"):
        from_words(["a"], ["x"], groups=[], join_words=True)
    with pytest.raises(ValueError, match="^expected as many boxes as labels, got 0 and 1$"):
        grouping.labelled_boxes(["x"], [])
    with pytest.raises(ValueError, match="^expected as many groups as labels, got 2 and 1$"):
        grouping.labelled_boxes(["x"], [[0, 0, 1, 1]], [1, 2])


def test_labelled_boxes() -> None:
    box, points, numbers = [0, 0, 2, 1], [[0, 0], [2, 0], [2, 1], [0, 1]], [0, 0, 2, 0, 2, 1, 0, 1]
    shapes: list[Any] = [box, points, numbers, np.array(box), np.array(points), tuple(numbers), box, box]
    found = grouping.labelled_boxes(["a"] * 8, shapes, [None, "", 0, "0", 3, "x", None, None])
    assert [row.keys() - {"label", "group"} for row in found] == [
        {"box"},
        {"quad"},
        {"quad"},
        {"box"},
        {"quad"},
        {"quad"},
        {"box"},
        {"box"},
    ]
    assert [row.get("group") for row in found] == [None, None, 0, "0", 3, "x", None, None]
    boxes = parse_boxes(found, "reference")
    assert boxes is not None
    assert {*map(tuple, boxes.corners.tolist())} == {(0, 0, 2, 1)}
    labels = ["a", "", "O", None, "b"]
    assert [row["label"] for row in grouping.labelled_boxes(labels, [box] * 5)] == ["a", "b"]
    assert [row["label"] for row in grouping.labelled_boxes(labels, [box] * 5, outside=["a", "", None])] == ["O", "b"]
    for bad in ([0, 0, 1], [[0, 0]] * 3, [0] * 7, [[0, 0, 1]] * 4, []):
        with pytest.raises(ValueError, match="^box 1: expected four numbers, four points or eight numbers, got "):
            grouping.labelled_boxes(["a", "a"], [box, bad])
