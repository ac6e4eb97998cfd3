"""Dataset records → reference documents, in the columns of the Hub's versions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import docie
from docie import kieval
from docie.adapters import grouping, records

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


CORD_TYPES = """
NM NUM UNITPRICE CNT DISCOUNTPRICE PRICE ITEMSUBTOTAL VATYN ETC SUB_NM SUB_UNITPRICE SUB_CNT SUB_PRICE SUB_ETC
VOID_MENU.NM VOID_MENU.PRICE
SUB_TOTAL.SUBTOTAL_PRICE SUB_TOTAL.DISCOUNT_PRICE SUB_TOTAL.SERVICE_PRICE SUB_TOTAL.OTHERSVC_PRICE SUB_TOTAL.TAX_PRICE
SUB_TOTAL.ETC TOTAL.TOTAL_PRICE TOTAL.TOTAL_ETC TOTAL.CASHPRICE TOTAL.CHANGEPRICE TOTAL.CREDITCARDPRICE
TOTAL.EMONEYPRICE TOTAL.MENUTYPE_CNT TOTAL.MENUQTY_CNT
"""


def test_the_published_tags() -> None:
    """In the order of the data sets' own features: of CORD all B before all I, of the others B and I in turn."""
    types = [kind if "." in kind else f"MENU.{kind}" for kind in CORD_TYPES.split()]
    assert ["O", *(f"B-{kind}" for kind in types), *(f"I-{kind}" for kind in types)] == records.CORD_TAGS
    assert len(records.CORD_TAGS) == 61
    sroie, funsd = " ".join(records.SROIE_TAGS), " ".join(records.FUNSD_TAGS)
    assert sroie == "O B-COMPANY I-COMPANY B-DATE I-DATE B-ADDRESS I-ADDRESS B-TOTAL I-TOTAL"
    assert funsd == "O B-HEADER I-HEADER B-QUESTION I-QUESTION B-ANSWER I-ANSWER"


def test_the_ontology_of_cord() -> None:
    assert len(records.CORD_ONTOLOGY) == 30
    assert {kind.split(".")[0] for kind in records.CORD_ONTOLOGY} == set(records.CORD_GROUPS)
    assert len(set(records.CORD_ONTOLOGY.values())) == 30
    document = records.cord({"gt_parse": {"menu": {"nm": "Latte", "colour": "brown"}}})
    results = docie.load("kieval").compute(
        predictions=[document], references=[document], ontology=records.CORD_ONTOLOGY
    )
    assert results["true_positives"] == 1


def types_of(document: Any) -> set[str]:
    return {entity.type for entity in grouping.entities(document)}


def test_the_types_of_cord(cord: dict[str, list[Any]]) -> None:
    documents = [types_of(records.cord(record)) for record in cord["references"]]
    found = set().union(*documents)
    assert records.CORD_ONTOLOGY.keys() - found == {
        "menu.vatyn", "menu.sub_unitprice", "menu.sub_etc", "void_menu.nm", "void_menu.price", "sub_total.othersvc_price"
    }  # fmt: skip
    assert found <= records.CORD_ONTOLOGY.keys()
    rare = {kind for kind in found if sum(kind in document for document in documents) < 4}
    assert rare == {"menu.etc", "total.emoneyprice", "menu.itemsubtotal", "total.total_etc"}


def as_words(record: Any) -> dict[str, Any]:
    """A record of CORD as `nielsr/cord-layoutlmv3` has it: all words of a line, keys too, in the annotation's order."""
    words, tags = [], []
    for line in json.loads(record["ground_truth"])["valid_line"]:
        for number, word in enumerate(line["words"]):
            words.append(word["text"])
            tags.append(records.CORD_TAGS.index(f"{'I' if number else 'B'}-{line['category'].upper()}"))
    return {"id": record["id"], "words": words, "bboxes": [[0, 0, 1, 1]] * len(words), "ner_tags": tags}


def test_the_words_of_cord_have_the_types_of_its_parses(cord: dict[str, list[Any]]) -> None:
    """But for four lines that the parses leave out: keys without a value, and a currency sign."""
    differences = []
    for record in cord["references"]:
        tagged = as_words(record)
        document = records.cord(tagged)
        differences += [(record["id"][-2:], kind) for kind in types_of(document) ^ types_of(records.cord(record))]
        assert set(records.words_and_boxes(tagged, names=records.CORD_TAGS)["labels"]) == types_of(document)
        assert set(document) <= set(records.CORD_GROUPS)
    assert differences == [
        ("09", "sub_total.discount_price"),
        ("39", "menu.discountprice"),
        ("60", "total.emoneyprice"),
        ("84", "total.total_etc"),
    ]


COLUMNS: list[Any] = [list, tuple, np.array, lambda values: np.array(values, dtype=object)]


@pytest.mark.parametrize("column", COLUMNS)
def test_cord_of_words(column: Any) -> None:
    words = ["2", "Iced", "Latte", "oat", "9.00", "Mocha", "!", "TOTAL", "9.00"]
    numbers = [4, 1, 31, 10, 6, 1, 0, 23, 53]
    record = {"id": "0", "words": column(words), "bboxes": column([[0, 0, 1, 1]] * 9), "ner_tags": column(numbers)}
    expected = {
        "menu": [
            {"menu.cnt": "2", "menu.nm": "Iced Latte", "menu.sub_nm": "oat", "menu.price": "9.00"},
            {"menu.nm": "Mocha"},
        ],
        "total": [{"total.total_price": "TOTAL 9.00"}],
    }
    assert records.cord(record) == expected
    assert records.cord(record | {"ner_tags": [records.CORD_TAGS[number] for number in numbers]}) == expected
    names = ["I-MENU.SUB.NM", "O"]  # other versions' names and order
    assert records.cord({"words": ["oat"], "ner_tags": column([0])}, names=names) == {"menu": [{"menu.sub_nm": "oat"}]}


@pytest.mark.parametrize(
    "read", [records.cord, records.sroie, records.funsd, lambda record: records.xfund(record, links=False)]
)
@pytest.mark.parametrize(("words", "tags"), [([], []), (["a", "b"], ["O", "O"]), (["", " "], ["B-TOTAL", "I-TOTAL"])])
def test_words_without_entities(read: Any, words: Any, tags: Any) -> None:
    assert read({"words": words, "ner_tags": tags}) == {}


TAGGED: list[Any] = [
    ("CORD", records.cord), ("SROIE", records.sroie), ("FUNSD", records.funsd),
    ("XFUND", lambda record: records.xfund(record, links=False, names=["O"])),
    ("tagged", lambda record: records.words_and_boxes(record, names=["O"])),
]  # fmt: skip


@pytest.mark.parametrize(("dataset", "read"), TAGGED)
@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"ner_tags": [0]}, "field 'words' must be a list of text, got NoneType"),
        ({"words": "ab", "ner_tags": [0]}, "field 'words' must be a list of text, got str"),
        ({"words": ["a", None], "ner_tags": [0, 0]}, "field 'words' must be a list of text, got NoneType at 1"),
        ({"tokens": [1], "ner_tags": [0]}, "field 'tokens' must be a list of text, got int at 0"),
        ({"words": ["a"], "ner_tags": None}, "field 'ner_tags' must be a list of whole numbers or text, got NoneType"),
        (
            {"words": ["a"], "ner_tags": [True]},
            "field 'ner_tags' must be a list of whole numbers or text, got bool at 0",
        ),
        (
            {"words": ["a"], "ner_tags": np.array([0.5])},
            "field 'ner_tags' must be a list of whole numbers or text, got float at 0",
        ),
        ({"words": ["a"], "ner_tags": [0, 0]}, "field 'ner_tags' must be as long as the words, got 2 and 1"),
        ({"words": ["a"], "ner_tags": [-1]}, "field 'ner_tags' must be from 0 to [0-9]+, got -1 at 0"),
        ({"words": ["a"], "ner_tags": [61]}, "field 'ner_tags' must be from 0 to [0-9]+, got 61 at 0"),
        ({"words": ["a"], "ner_tags": ["TOTAL"]}, "field 'ner_tags': tag 0: 'TOTAL' is no tag"),
    ],
)
def test_tagged_words_name_record_and_field(dataset: str, read: Any, record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{dataset} record 'r1': {message}"):
        read({"id": "r1", "bboxes": [[0, 0, 1, 1]]} | record)


def test_numbers_without_names() -> None:
    record = {"words": ["a"], "bboxes": [[0, 0, 1, 1]], "ner_tags": [1]}
    for read in (records.words_and_boxes, lambda record: records.xfund(record, links=False)):
        with pytest.raises(
            ValueError, match="record: field 'ner_tags' has numbers, whose names must be given as names=$"
        ):
            read(record)


@pytest.mark.parametrize("column", COLUMNS)
def test_boxes_of_words(column: Any) -> None:
    record = {
        "id": "0",
        "tokens": column(["Sent", "by:", "-", "Ada"]),
        "bboxes": column([[1, 2, 3, 4], [3, 2, 5, 4], [6, 2, 7, 4], [8, 2, 9, 1000]]),
        "ner_tags": column([3, 4, 0, 5]),
    }
    found = records.words_and_boxes(record, names=records.FUNSD_TAGS)
    assert found == {
        "words": ["Sent", "by:", "-", "Ada"],
        "boxes": [[1, 2, 3, 4], [3, 2, 5, 4], [6, 2, 7, 4], [8, 2, 9, 1000]],
        "labels": ["question", "question", "O", "answer"],
        "page": [1000, 1000],
    }
    assert len(grouping.labelled_boxes(found["labels"], found["boxes"])) == 3
    assert records.words_and_boxes({"words": [], "bboxes": [], "ner_tags": []})["words"] == []


@pytest.mark.parametrize(
    ("boxes", "message"),
    [
        (None, "must be a list, got NoneType"),
        ([], "must be as long as the words, got 0 and 1"),
        ([[1, 2, 3]], "must be lists of four numbers, got \\[1, 2, 3\\] at 0"),
        (["abcd"], "must be lists of four numbers, got 'abcd' at 0"),
        ([[1, 2, 3, None]], "must be lists of four numbers, got \\[1, 2, 3, None\\] at 0"),
    ],
)
def test_boxes_of_words_name_record_and_field(boxes: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^tagged record 7: field 'bboxes' {message}$"):
        records.words_and_boxes({"id": np.int64(7), "words": ["a"], "bboxes": boxes, "ner_tags": ["O"]})


def test_sroie() -> None:
    words = ["KEDAI", "KOPI", "12", "JALAN", "ABC", "-", "JOHOR", "31/12/2018", "9.00"]
    record = {"id": "0", "words": words, "ner_tags": [1, 2, 5, 6, 6, 0, 5, 3, 7], "image_path": "x.jpg"}
    expected = {"company": "KEDAI KOPI", "address": ["12 JALAN ABC", "JOHOR"], "date": "31/12/2018", "total": "9.00"}
    assert records.sroie(record) == expected
    # versions that tag every word as a span of its own
    single = {"words": ["9.00"], "ner_tags": [1]}
    assert records.sroie(single, names=["O", "S-TOTAL"]) == {"total": "9.00"}


@pytest.mark.parametrize("form", [json.dumps, lambda annotation: annotation])
def test_sroie_for_donut(form: Any) -> None:
    parse = {"company": "KEDAI KOPI", "date": None, "address": "", "total": "9.00"}
    document = records.sroie({"image": None, "ground_truth": form({"gt_parse": parse})})
    assert document == parse
    assert types_of(document) == {"company", "total"}
    assert records.sroie({"ground_truth": form({"gt_parse": {}})}) == {}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (None, "SROIE record must be an object, got NoneType"),
        ({"id": 3}, "SROIE record 3: field 'ground_truth' must be an object, got NoneType"),
        ({"ground_truth": "x"}, "SROIE record: field 'ground_truth' is not JSON"),
        ({"ground_truth": "[]"}, "SROIE record: field 'ground_truth' must be an object, got list"),
        ({"ground_truth": "{}"}, "SROIE record: field 'gt_parse' must be an object, got NoneType"),
        ({"ground_truth": {"gt_parse": {"total": 9.0}}}, "SROIE record: field 'total' must be text, got float"),
    ],
)
def test_sroie_names_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        records.sroie(record)


def part(number: Any, label: Any, text: Any, *links: Any) -> dict[str, Any]:
    """An entity of a form's annotation."""
    return {
        "id": number, "label": label, "text": text, "linking": [*links], "box": [0, 0, 1, 1],
        "words": [{"box": [0, 0, 1, 1], "text": word} for word in str(text).split()],
    }  # fmt: skip


FORM = [
    part(0, "header", "ORDER", [0, 1]),
    part(1, "question", "Name:", [0, 1], [1, 3], [1, 2]),
    part(2, "answer", "Ada", [1, 2]),
    part(3, "answer", "Lovelace", [3, 1]),  # either way round
    part(4, "question", "Fax:"),
    part(5, "answer", "approved"),
    part(6, "question", "Price", [6, 8]),
    part(7, "question", "Tea", [7, 8], [6, 7]),  # a table's heads of column and row
    part(8, "answer", "9.00", [6, 8], [7, 8], [8, 9]),
    part(9, "answer", "EUR", [8, 9]),  # a chain, not followed
    part(10, "other", "page 1", [10, 2]),
    part(11, "question", " ", [11, 12]),
    part(12, "answer", "no question's text", [11, 12]),
    part(13, "question", ""),
    part(14, "header", ""),
]
UNGROUPED = {
    "header": "ORDER",
    "question": ["Name:", "Fax:", "Price", "Tea"],
    "answer": ["Ada", "Lovelace", "approved", "9.00", "EUR", "no question's text"],
}
GROUPED = {
    "field": [
        {"field.question": "Name:", "field.answer": ["Ada", "Lovelace"]},
        {"field.question": "Fax:"},
        {"field.answer": "approved"},
        {"field.question": "Price", "field.answer": "9.00"},
        {"field.question": "Tea", "field.answer": "9.00"},
        {"field.answer": "EUR"},
        {"field.answer": "no question's text"},
    ],
    "header": "ORDER",
}
COLUMNS_OF_FORM = {
    name: [entity[name] for entity in FORM] for name in ("id", "label", "text", "linking")
}  # as `datasets` gives a list of objects
NUMBERED = COLUMNS_OF_FORM | {
    "id": np.arange(len(FORM)),
    "label": np.array([["header", "question", "answer", "other"].index(entity["label"]) for entity in FORM]),
    "linking": [np.array(entity["linking"]) for entity in FORM],
}


@pytest.mark.parametrize(
    "record",
    [
        {"form": FORM},
        {"form": json.dumps(FORM)},
        {"id": "0", "text_output": json.dumps({"form": FORM})},
        {"form": COLUMNS_OF_FORM},
    ],
)
def test_funsd_annotation(record: Any) -> None:
    assert records.funsd(record) == UNGROUPED
    assert records.funsd(record, links=True) == GROUPED


@pytest.mark.parametrize("form", [FORM, json.dumps(FORM), COLUMNS_OF_FORM, NUMBERED])
def test_xfund_annotation(form: Any) -> None:
    record = {"id": "fr_val_0", "uid": "0", "document": form, "img": {"fname": "fr_val_0.jpg"}}
    assert records.xfund(record) == GROUPED
    assert records.xfund(record, links=False) == UNGROUPED


def test_funsd_of_words() -> None:
    tokens, tags = ["FAX", "COVER", "To:", "Ada", "Jane", "x"], [1, 2, 3, 5, 5, 0]
    expected = {"header": "FAX COVER", "question": "To:", "answer": ["Ada", "Jane"]}
    assert records.funsd({"id": "0", "tokens": tokens, "ner_tags": tags}) == expected
    assert records.funsd({"id": "0", "words": tokens, "ner_tags": tags}) == expected
    names = ["O", "B-QUESTION", "B-ANSWER", "B-HEADER", "I-ANSWER", "I-QUESTION", "I-HEADER"]
    others = {"tokens": tokens, "ner_tags": [3, 6, 1, 2, 2, 0]}
    assert records.funsd(others, names=names) == records.xfund(others, names=names, links=False) == expected


@pytest.mark.parametrize("entities", [[], [part(0, "other", "x")], [part(0, "answer", " ")]])
def test_forms_without_entities(entities: Any) -> None:
    for links in (False, True):
        assert (
            records.funsd({"form": entities}, links=links) == records.xfund({"document": entities}, links=links) == {}
        )


@pytest.mark.parametrize(
    ("dataset", "read", "name"), [("FUNSD", records.funsd, "form"), ("XFUND", records.xfund, "document")]
)
@pytest.mark.parametrize(
    ("form", "message"),
    [
        (None, "field 'NAME' must be a list of objects, got NoneType"),
        ("{", "field 'NAME' is not JSON"),
        (["x"], "field 'NAME' must be a list of objects, got str at 0"),
        ({"id": [1], "text": []}, "field 'NAME' must have columns of one length, got {'id': 1, 'text': 0}"),
        ({"id": 1}, "field 'id' must be a list, got int"),
        ([part(None, "answer", "x")], "NAME 0: field 'id' must be a whole number or text, got NoneType"),
        ([part(0, None, "x")], "NAME 0: field 'label' must be text or a number, got NoneType"),
        ([part(0, "title", "x")], "NAME 0: field 'label' must be one of header, question, answer, other, got 'title'"),
        ([part(0, 4, "x")], "NAME 0: field 'label' must be one of header, question, answer, other, got 4"),
        ([part(0, "answer", "x"), part(1, "answer", None)], "NAME 1: field 'text' must be text, got NoneType"),
        (
            [{"id": 0, "label": "answer", "text": "x"}],
            "NAME 0: field 'linking' must be a list of pairs of ids, got NoneType",
        ),
        ([part(0, "answer", "x", [0])], r"NAME 0: field 'linking' must be a list of pairs of ids, got \[0\] at 0"),
        ([part(0, "answer", "x", 5)], "NAME 0: field 'linking' must be a list of pairs of ids, got 5 at 0"),
        ([part(0, "answer", "x", [0, 9])], "links name the entity 9, which is none"),
        ([part(0, "answer", "x"), part(0, "answer", "y")], "field 'id' must differ between entities"),
    ],
)
def test_forms_name_record_and_field(dataset: str, read: Any, name: str, form: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{dataset} record 'r1': {message.replace('NAME', name)}"):
        read({"id": "r1", name: form}, links=True)


def test_records_without_links() -> None:
    words = {"id": "r1", "tokens": ["a"], "ner_tags": [0]}
    for read, name in ((records.funsd, "form"), (records.xfund, "document")):
        message = f"record 'r1': field '{name}' is missing, and tagged words have no links; links=False reads them$"
        with pytest.raises(ValueError, match=message):
            read(words, links=True)
    for output, message in (("[]", "must be an object, got list"), ("x", "is not JSON")):
        with pytest.raises(ValueError, match=f"^FUNSD record: field 'text_output' {message}"):
            records.funsd({"text_output": output})
    with pytest.raises(ValueError, match="^FUNSD record: field 'form' must be a list of objects, got NoneType$"):
        records.funsd({"text_output": "{}"})


def decode(numbers: list[int]) -> str:
    return " ".join(f"t{number}" for number in numbers)


@pytest.mark.parametrize("column", COLUMNS)
def test_xfund_of_tokens(column: Any) -> None:
    record = {
        "id": "fr_val_0_0",
        "input_ids": column([5, 6, 7, 8, 9]),
        "bbox": column([[0, 0, 1, 1]] * 5),
        "labels": column([1, 5, 2, 3, 0]),
        "entities": {"start": column([0, 2, 3, 5]), "end": column([2, 3, 4, 5]), "label": column([1, 2, 0, 2])},
        "relations": {"head": column([0]), "tail": column([1]), "start_index": column([0]), "end_index": column([3])},
    }
    expected = {"field": [{"field.question": "t5 t6", "field.answer": "t7"}], "header": "t8"}
    assert records.xfund(record, decode=decode) == expected
    ungrouped = {"question": "t5 t6", "answer": "t7", "header": "t8"}
    assert records.xfund(record, decode=decode, links=False) == ungrouped


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"input_ids": ["a"]}, "field 'input_ids' must be a list of whole numbers, got str at 0"),
        ({"entities": None}, "field 'entities' must be a list of objects, got NoneType"),
        (
            {"entities": {"start": [0], "end": ["x"], "label": [0]}},
            "entities 0: field 'end' must be a whole number, got str",
        ),
        (
            {"entities": {"start": [0], "end": [3], "label": [0]}},
            "entities 0: expected 0 <= start <= end <= 2, got 0 and 3",
        ),
        (
            {"entities": {"start": [0], "end": [1], "label": [3]}},
            "entities 0: field 'label' must be one of header, question, answer, got 3",
        ),
        ({"relations": {"head": [0]}}, "field 'tail' must be a whole number, got NoneType"),
        ({"relations": {"head": [0], "tail": [1]}}, "links name the entity 1, which is none"),
    ],
)
def test_xfund_of_tokens_names_record_and_field(change: Any, message: str) -> None:
    entities = {"start": [0], "end": [1], "label": [0]}
    record = {"id": "r1", "input_ids": [5, 6], "entities": entities, "relations": []} | change
    with pytest.raises(ValueError, match=f"^XFUND record 'r1': {message}"):
        records.xfund(record, decode=decode)


def test_tokens_need_their_tokenizer() -> None:
    with pytest.raises(
        ValueError, match="^XFUND record: field 'input_ids' holds numbers, which need the tokenizer's decode=$"
    ):
        records.xfund({"input_ids": [5], "entities": [], "relations": []})


QUESTIONS: list[Any] = [("DocVQA", records.docvqa), ("MP-DocVQA", records.mp_docvqa)]


@pytest.mark.parametrize(("_dataset", "read"), QUESTIONS)
@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (["a"], "a"),
        (["a", "b", "a"], ("a", "b")),
        (np.array(["b", "a"]), ("b", "a")),
        (("a", " ", ""), "a"),
        ([""], None),
        ("['a', 'b']", ("a", "b")),
        ("""["it's", 'b']""", ("it's", "b")),
        ('["a", "\\u00e9"]', ("a", "é")),
        (' ["a"]\n', "a"),
        ("a", "a"),
        ("12", "12"),
        ("[illegible]", "[illegible]"),
        ("[1]", "[1]"),
        ("{'a': 1}", "{'a': 1}"),
        ("", None),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_answers(_dataset: str, read: Any, answers: Any, expected: Any) -> None:
    assert read({"questionId": "49153", "question": "?", "answers": answers, "answer": {"text": "other"}}) == expected


@pytest.mark.parametrize(("dataset", "read"), QUESTIONS)
@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"questionId": "49153", "answers": None}, "'49153': field 'answers' must be a list of text, got NoneType"),
        ({"questionId": 49153}, "49153: field 'answers' must be a list of text, got NoneType"),
        ({"id": "q1", "answers": []}, "'q1': field 'answers' has none"),
        ({"id": "q1", "answers": "[]"}, "'q1': field 'answers' has none"),
        ({"id": "q1", "answers": ["a", 4]}, "'q1': field 'answers' must be a list of text, got int at 1"),
        ({"id": "q1", "answers": "['a', 'b"}, "'q1': field 'answers' begins as the text of a list but is none"),
        ({"id": "q1", "answers": '["a", 4]'}, "'q1': field 'answers' begins as the text of a list but is none"),
    ],
)
def test_answers_name_record_and_field(dataset: str, read: Any, record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{dataset} record {message}$"):
        read(record)


def test_answers_are_references() -> None:
    answers = [records.docvqa({"answers": ["31 May 1990", "May 31, 1990"]}), records.mp_docvqa({"answers": "['4']"})]
    results = docie.load("anls_star").compute(predictions=["May 31, 1990", "5"], references=answers)
    assert results["anls_star"] == 0.5
    assert kieval.score(kieval.count({"answer": "May 31, 1990"}, {"answer": answers[0]}))["entity_f1"] == 1.0


def test_kleister() -> None:
    charity = "address__post_town=WESTCLIFF-ON-SEA address__postcode=SS0_8HX charity_number=1022119 income=10.00"
    assert records.kleister({"filename": "a.pdf", "expected": charity}) == {
        "address__post_town": "WESTCLIFF-ON-SEA", "address__postcode": "SS0 8HX", "charity_number": "1022119", "income": "10.00"
    }  # fmt: skip
    nda = "party=Ada_Ltd.\tparty=A=B_Inc. term=11_months party=Ada_Ltd. jurisdiction=\n"
    assert records.kleister({"expected": nda}) == {"party": ["Ada Ltd.", "A=B Inc.", "Ada Ltd."], "term": "11 months"}
    assert records.kleister({"expected": ""}) == {}


@pytest.mark.parametrize("form", [json.dumps, lambda annotations: annotations])
def test_kleister_of_due(form: Any) -> None:
    annotations = [
        {
            "id": "0",
            "key": "report_date",
            "values": [{"value": "2016-03-31", "value_variants": ["31.3.2016", "2016-03-31"]}],
        },
        {"key": "party", "values": [{"value": "Ada Ltd."}, {"value": "B Inc.", "value_variants": None}]},
        {"key": "term", "values": [{"value": ""}]},
        {"key": "jurisdiction", "values": []},
    ]
    expected = {"report_date": ("2016-03-31", "31.3.2016"), "party": ["Ada Ltd.", "B Inc."]}
    assert records.kleister({"name": "a", "annotations": form(annotations)}) == expected
    assert records.kleister({"name": "a", "annotations": form([])}) == {}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"name": "a"}, "Kleister record 'a': field 'annotations' must be a list of objects, got NoneType"),
        ({"expected": ["party=x"]}, "Kleister record: field 'expected' must be text, got list"),
        ({"id": 1, "expected": "party=x y"}, "Kleister record 1: field 'expected' must be pairs key=value, got 'y'"),
        ({"expected": "=x"}, "Kleister record: field 'expected' must be pairs key=value, got '=x'"),
        ({"annotations": "x"}, "Kleister record: field 'annotations' is not JSON"),
        ({"annotations": [{"values": []}]}, "Kleister record: annotations 0: field 'key' must be text, got NoneType"),
        (
            {"annotations": [{"key": "a"}]},
            "Kleister record: annotations 0: field 'values' must be a list of objects, got NoneType",
        ),
        (
            {"annotations": [{"key": "a", "values": [{}]}]},
            "Kleister record: annotations 0: field 'value' must be text, got NoneType",
        ),
        (
            {"annotations": [{"key": "a", "values": [{"value": "b", "value_variants": "c"}]}]},
            "Kleister record: annotations 0: field 'value_variants' must be a list of text, got str",
        ),
    ],
)
def test_kleister_names_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        records.kleister(record)


def place(text: Any) -> list[Any]:
    """A place of an entity, as VRDU annotates it."""
    return [text, [0, 0.46, 0.33, 0.5, 0.34], [[2380, 2385]]]


VRDU = [
    ["advertiser", [place("Ada for\nMayor\n")]],
    ["flight_from", [place("07/01/20"), place("7/1/2020\n"), place("07/01/20 ")]],
    ["signer", [place("A")]],
    ["signer", [place("B"), place("b")]],
    ["agency", [place("\n")]],
    [["channel", "sub_amount"], [[place("WABC\n"), place("$90")]]],
    [["channel"], [[place("KXYZ")]]],
    [["channel"], [[place(" ")]]],
]


@pytest.mark.parametrize("annotations", [VRDU, json.dumps(VRDU), tuple(VRDU)])
def test_vrdu(annotations: Any) -> None:
    assert records.vrdu({"filename": "a.pdf", "ocr": {}, "annotations": annotations}) == {
        "line_item": [{"line_item.channel": "WABC", "line_item.sub_amount": "$90"}, {"line_item.channel": "KXYZ"}],
        "advertiser": "Ada for Mayor",
        "flight_from": ("07/01/20", "7/1/2020"),
        "signer": ["A", ("B", "b")],
    }
    assert records.vrdu({"filename": "a.pdf", "annotations": []}) == {}


def test_vrdu_is_scored() -> None:
    reference = records.vrdu({"annotations": VRDU})
    item = {"channel": "KXYZ"}, {"sub_amount": "$90", "channel": "WABC"}
    prediction = {"advertiser": "Ada for Mayor", "flight_from": "7/1/2020", "signer": ["b", "A"], "line_item": [*item]}
    assert kieval.score(kieval.count(prediction, reference))["document_accuracy"] == 1.0


@pytest.mark.parametrize(
    ("annotations", "message"),
    [
        (None, "field 'annotations' must be a list, got NoneType"),
        ("[", "field 'annotations' is not JSON"),
        (["x"], "annotations 0: expected a name and its places, got 'x'"),
        ([VRDU[0], ["a"]], r"annotations 1: expected a name and its places, got \['a'\]"),
        ([[7, [place("x")]]], "annotations 0: expected an entity's name, got 7"),
        ([["a", []]], r"annotations 0: expected a list of places, got \[\]"),
        ([["a", "b"]], "annotations 0: expected a list of places, got 'b'"),
        ([["a", ["b"]]], r"annotations 0: expected a place \[text, box, spans\], got 'b'"),
        ([["a", [place(3)]]], "annotations 0: expected a place's text, got 3"),
        ([[["a"], []]], "annotations 0: expected one list of places, got"),
        ([[["a", "b"], [[place("x")]]]], "annotations 0: expected 2 places, one of each name, got"),
        ([[[3], [[place("x")]]]], "annotations 0: expected an entity's name, got 3"),
    ],
)
def test_vrdu_names_record_and_field(annotations: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^VRDU record 'a.pdf': {message}"):
        records.vrdu({"filename": "a.pdf", "annotations": annotations})


@pytest.mark.parametrize(
    "read",
    [
        records.cord,
        records.sroie,
        records.funsd,
        records.xfund,
        records.docvqa,
        records.mp_docvqa,
        records.kleister,
        records.vrdu,
    ],
)
@pytest.mark.parametrize("record", [None, "text", [1]])
def test_what_is_no_record(read: Any, record: Any) -> None:
    with pytest.raises(ValueError, match=f" record must be an object, got {type(record).__name__}$"):
        read(record)
