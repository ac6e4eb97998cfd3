"""Dataset records and model outputs → documents."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from docie import boxes, kieval
from docie.adapters import grouping, records
from docie.adapters.grouping import Entity

PARSE = {"menu": [{"nm": "Latte", "sub": {"nm": "oat"}}], "total": {"total_price": "4.50"}}
NAMED = {
    "menu": [{"menu.nm": "Latte", "menu.sub": {"menu.sub_nm": "oat"}}],
    "total": {"total.total_price": "4.50"},
}


@pytest.mark.parametrize(
    "record",
    [
        {"image": None, "ground_truth": json.dumps({"gt_parse": PARSE, "meta": {"image_id": 3}, "valid_line": []})},
        {"ground_truth": {"gt_parse": PARSE}},
        {"gt_parse": PARSE, "valid_line": []},
    ],
)
def test_cord(record: Any) -> None:
    assert records.cord(record) == NAMED


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "r1", "ground_truth": "{"}, "CORD record 'r1': field 'ground_truth' is not JSON"),
        ({"ground_truth": "[]"}, "CORD record: field 'ground_truth' is no object, got list"),
        ("text", "CORD record must be an object, got str"),
        ({"ground_truth": '{"a":' * 100_000}, "CORD record: field 'ground_truth' is not JSON"),
        ({"meta": "x"}, "CORD record: field 'gt_parse' must be an object, got NoneType"),
        ({"meta": {"image_id": 3}}, "CORD record 3: field 'gt_parse' must be an object, got NoneType"),
    ],
)
def test_cord_names_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        records.cord(record)


@pytest.mark.parametrize(
    "prediction",
    [
        PARSE,
        NAMED,
        {"menu": [{"menu.nm": "Latte", "sub": [{"sub_nm": "oat"}]}], "total": [{"total_price": "4.50"}]},
        {"menu": {"nm": "Latte", "menu.sub_nm": "oat"}, "total": {"total_price": {"value": "4.50", "confidence": 0.5}}},
        {"menu": {"nm": "Latte", "sub": {"nm": "oat", "sub_nm": None}}, "total": {"total_price": ["4.50"]}},
    ],
)
def test_one_renaming_serves_every_spelling(prediction: Any) -> None:
    assert kieval.score(kieval.count(records.cord_names(prediction), NAMED))["document_accuracy"] == 1.0


@pytest.mark.parametrize("value", [None, "text", [PARSE]])
def test_what_is_no_document_is_not_renamed(value: Any) -> None:
    assert records.cord_names(value) == value


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
    assert grouping.slot_filling(iter([("a", "1"), ("a", "2")]), []) == {"a": ["1", "2"]}
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
    assert grouping.from_words(words, labels, groups=groups, line_numbers=lines) == {"menu": menu, "total": total}
    menu[0]["menu.nm"] = "Iced Latte"
    joined = grouping.from_words(words, labels, groups=groups, line_numbers=lines, join_words=True)
    assert joined == {"menu": menu, "total": total}
    assert grouping.from_words(words, labels, groups=groups) == {
        "menu": [{"menu.cnt": "2", "menu.nm": "Iced"}, {"menu.nm": "Latte"}, {"menu.nm": "Mocha"}], "total": total
    }  # fmt: skip
    sure = grouping.from_words(
        words, labels, groups=groups, line_numbers=lines, confidences=[0.9, 0.8, 0.7, 0.1, None, 0.5], join_words=True
    )
    assert sure == {
        "menu": [{"menu.cnt": leaf("2", 0.9), "menu.nm": leaf("Iced Latte", 0.7)}, {"menu.nm": "Mocha"}],
        "total": [{"total.price": leaf("9", 0.5)}],
    }
    assert grouping.from_words(["a", "b", "c"], ["", "O", None], groups=[]) == {}


def test_joined_words_need_not_be_neighbours() -> None:
    """A name over two lines of a table, the words of other labels between; no line number is a number too."""
    found = grouping.from_words(
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
        grouping.from_words(["a", "b"], ["x"], groups=[])
    with pytest.raises(ValueError, match="^expected as many line_numbers as words, got 0 and 1$"):
        grouping.from_words(["a"], ["x"], groups=[], line_numbers=[])
    with pytest.raises(ValueError, match="^expected as many confidences as words, got 2 and 1$"):
        grouping.from_words(["a"], ["x"], groups=[], confidences=[1, 1])
    with pytest.raises(ValueError, match="^join_words needs line_numbers$"):
        grouping.from_words(["a"], ["x"], groups=[], join_words=True)
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
    assert {row.corners for row in boxes.read(found, "reference") or []} == {(0, 0, 2, 1)}
    labels = ["a", "", "O", None, "b"]
    assert [row["label"] for row in grouping.labelled_boxes(labels, [box] * 5)] == ["a", "b"]
    assert [row["label"] for row in grouping.labelled_boxes(labels, [box] * 5, outside=["a", "", None])] == ["O", "b"]
    for bad in ([0, 0, 1], [[0, 0]] * 3, [0] * 7, [[0, 0, 1]] * 4, []):
        with pytest.raises(ValueError, match="^box 1: expected four numbers, four points or eight numbers, got "):
            grouping.labelled_boxes(["a", "a"], [box, bad])


QUAD = {"x1": 5, "y1": 2, "x2": 9, "y2": 3, "x3": 8, "y3": 6, "x4": 4, "y4": 5}
LINES = [
    {
        "category": "menu.nm",
        "group_id": 3,
        "words": [
            {"text": "Iced", "quad": QUAD, "is_key": 0, "row_id": 1},
            {"text": "Latte", "quad": QUAD | {"x2": 10.5}, "is_key": False},
        ],
    },
    {
        "category": "total.price",
        "group_id": 4,
        "words": [{"text": "TOTAL", "quad": dict.fromkeys(QUAD, 0), "is_key": 1}],
    },
]
META = {"image_id": 7, "image_size": {"width": 432, "height": 648}}


@pytest.mark.parametrize(
    "record",
    [
        {"image": None, "ground_truth": json.dumps({"meta": META, "valid_line": LINES})},
        {"ground_truth": {"meta": META, "valid_line": LINES}},
        {"meta": META, "valid_line": LINES, "gt_parse": {}},
    ],
)
def test_words_and_boxes(record: Any) -> None:
    quad = [[5, 2], [9, 3], [8, 6], [4, 5]]
    assert records.words_and_boxes(record) == {
        "words": ["Iced", "Latte", "TOTAL"],
        "quads": [quad, [[5, 2], [10.5, 3], [8, 6], [4, 5]], [[0, 0]] * 4],
        "boxes": [[4, 2, 9, 6], [4, 2, 10.5, 6], [0, 0, 0, 0]],  # as annotated, area or not
        "labels": ["menu.nm", "menu.nm", "total.price"],
        "groups": [3, 3, 4],
        "is_key": [False, False, True],
        "page": [432, 648],
    }


def word(**fields: Any) -> dict[str, Any]:
    """An annotation whose only word is wrong."""
    words = [{"text": "Iced", "quad": QUAD, "is_key": 0} | fields]
    return {"meta": META, "valid_line": [{"category": "menu.nm", "group_id": 3, "words": words}]}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("text", "CORD record must be an object, got str"),
        ({"id": "r1", "ground_truth": "{"}, "CORD record 'r1': field 'ground_truth' is not JSON"),
        ({"valid_line": []}, "CORD record: field 'meta' must be an object, got NoneType"),
        ({"meta": {"image_id": 7}, "valid_line": []}, "CORD record 7: field 'image_size' must be an object, got NoneType"),
        ({"meta": {"image_size": {"width": 1}}, "valid_line": []}, "CORD record: field 'height' must be a number, got NoneType"),
        ({"meta": META}, "CORD record 7: field 'valid_line' must be a list, got NoneType"),
        ({"meta": META, "valid_line": ["x"]}, "CORD record 7: line 0: field 'category' must be text, got NoneType"),
        ({"meta": META, "valid_line": [{"category": "x", "group_id": True}]}, "CORD record 7: line 0: field 'group_id' must be a whole number or text, got bool"),
        ({"meta": META, "valid_line": [{"category": "x", "group_id": 1}]}, "CORD record 7: line 0: field 'words' must be a list, got NoneType"),
        (word(text=None), "CORD record 7: line 0: field 'text' must be text, got NoneType"),
        (word(quad=[1]), "CORD record 7: line 0: field 'quad' must be an object, got list"),
        (word(quad=QUAD | {"y3": "4"}), "CORD record 7: line 0: field 'y3' must be a number, got str"),
        (word(quad=QUAD | {"x4": float("nan")}), "CORD record 7: line 0: field 'x4' must be finite, got nan"),
        (word(is_key="no"), "CORD record 7: line 0: field 'is_key' must be 0 or 1, got str"),
    ],
)  # fmt: skip
def test_words_and_boxes_name_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        records.words_and_boxes(record)


def test_the_words_of_cord(cord: dict[str, list[Any]]) -> None:
    """2,356 words, 590 of them keys; three begin one pixel left of the page, the others lie on it."""
    pages = [records.words_and_boxes(record) for record in cord["references"]]
    assert sum(len(page["words"]) for page in pages) == 2356
    assert sum(sum(page["is_key"]) for page in pages) == 590
    for page in pages:
        assert len({len(page[name]) for name in page.keys() - {"page"}}) == 1
        for quad, box in zip(page["quads"], page["boxes"], strict=True):
            assert box == [*map(min, zip(*quad, strict=True)), *map(max, zip(*quad, strict=True))]
            assert -1 <= box[0] < box[2] <= page["page"][0]
            assert 0 <= box[1] < box[3] <= page["page"][1]
    assert sum(box[0] < 0 for page in pages for box in page["boxes"]) == 3
