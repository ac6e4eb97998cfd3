"""Dataset records → reference documents, in the columns of the Hub's versions."""

from __future__ import annotations

import json
from typing import Any

import datasets
import numpy as np
import pytest

import docie
from docie import kieval
from docie.adapters import grouping, records
from docie.adapters.records.receipts import CORD_ONTOLOGY

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
        ({"ground_truth": "[]"}, "CORD record: field 'ground_truth' must be an object, got a list"),
        ("text", "CORD record must be an object, got text"),
        ({"ground_truth": '{"a":' * 100_000}, "CORD record: field 'ground_truth' is not JSON"),
        ({"meta": "x"}, "CORD record: field 'gt_parse' must be an object, got null"),
        ({"meta": {"image_id": 3}}, "CORD record 3: field 'gt_parse' must be an object, got null"),
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
        "entities": [0, 0, 1],
        "page": [432, 648],
    }


def word(**fields: Any) -> dict[str, Any]:
    """An annotation whose only word is wrong."""
    words = [{"text": "Iced", "quad": QUAD, "is_key": 0} | fields]
    return {"meta": META, "valid_line": [{"category": "menu.nm", "group_id": 3, "words": words}]}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("text", "CORD record must be an object, got text"),
        ({"id": "r1", "ground_truth": "{"}, "CORD record 'r1': field 'ground_truth' is not JSON"),
        ({"valid_line": []}, "CORD record: field 'meta' must be an object, got null"),
        ({"meta": {"image_id": 7}, "valid_line": []}, "CORD record 7: field 'image_size' must be an object, got null"),
        ({"meta": {"image_size": {"width": 1}}, "valid_line": []}, "CORD record: field 'height' must be a number, got null"),
        ({"meta": META}, "CORD record 7: field 'valid_line' must be a list, got null"),
        ({"meta": META, "valid_line": ["x"]}, "CORD record 7: line 0: field 'category' must be text, got null"),
        ({"meta": META, "valid_line": [{"category": "x", "group_id": True}]}, "CORD record 7: line 0: field 'group_id' must be a whole number or text, got a boolean"),
        ({"meta": META, "valid_line": [{"category": "x", "group_id": 1}]}, "CORD record 7: line 0: field 'words' must be a list, got null"),
        (word(text=None), "CORD record 7: line 0: field 'text' must be text, got null"),
        (word(quad=[1]), "CORD record 7: line 0: field 'quad' must be an object, got a list"),
        (word(quad=QUAD | {"y3": "4"}), "CORD record 7: line 0: field 'y3' must be a number, got text"),
        (word(quad=QUAD | {"x4": float("nan")}), "CORD record 7: line 0: field 'x4' must be finite, got nan"),
        (word(is_key="no"), "CORD record 7: line 0: field 'is_key' must be 0 or 1, got text"),
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
    assert len(CORD_ONTOLOGY) == 30
    assert {kind.split(".")[0] for kind in CORD_ONTOLOGY} == set(records.CORD_GROUPS)
    assert len(set(CORD_ONTOLOGY.values())) == 30
    document = records.cord({"gt_parse": {"menu": {"nm": "Latte", "colour": "brown"}}})
    results = docie.load("kieval").compute(predictions=[document], references=[document], ontology=CORD_ONTOLOGY)
    assert results["true_positives"] == 1


def types_of(document: Any) -> set[str]:
    return {entity.type for entity in grouping.entities(document)}


def test_the_types_of_cord(cord: dict[str, list[Any]]) -> None:
    documents = [types_of(records.cord(record)) for record in cord["references"]]
    found = set().union(*documents)
    assert CORD_ONTOLOGY.keys() - found == {
        "menu.vatyn", "menu.sub_unitprice", "menu.sub_etc", "void_menu.nm", "void_menu.price", "sub_total.othersvc_price"
    }  # fmt: skip
    assert found <= CORD_ONTOLOGY.keys()
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
        ({"ner_tags": [0]}, "field 'words' must be a list of text, got null"),
        ({"words": "ab", "ner_tags": [0]}, "field 'words' must be a list of text, got text"),
        ({"words": ["a", None], "ner_tags": [0, 0]}, "field 'words' must be a list of text, got null at 1"),
        ({"tokens": [1], "ner_tags": [0]}, "field 'tokens' must be a list of text, got a number at 0"),
        ({"words": ["a"], "ner_tags": None}, "field 'ner_tags' must be a list of whole numbers or text, got null"),
        (
            {"words": ["a"], "ner_tags": [True]},
            "field 'ner_tags' must be a list of whole numbers or text, got a boolean at 0",
        ),
        (
            {"words": ["a"], "ner_tags": np.array([0.5])},
            "field 'ner_tags' must be a list of whole numbers or text, got a decimal number at 0",
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
        "entities": [0, 0, None, 1],
        "page": [1000, 1000],
    }
    assert len(grouping.labelled_boxes(found["labels"], found["boxes"])) == 3
    assert records.words_and_boxes({"words": [], "bboxes": [], "ner_tags": []})["words"] == []


@pytest.mark.parametrize(
    ("boxes", "message"),
    [
        (None, "must be a list, got null"),
        ([], "must be as long as the words, got 0 and 1"),
        ([[1, 2, 3]], "must be lists of four numbers, got \\[1, 2, 3\\] at 0"),
        (["abcd"], "must be lists of four numbers, got 'abcd' at 0"),
        ([[1, 2, 3, None]], "must be lists of four numbers, got \\[1, 2, 3, null\\] at 0"),
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
        (None, "SROIE record must be an object, got null"),
        ({"id": 3}, "SROIE record 3: field 'ground_truth' must be an object, got null"),
        ({"ground_truth": "x"}, "SROIE record: field 'ground_truth' is not JSON"),
        ({"ground_truth": "[]"}, "SROIE record: field 'ground_truth' must be an object, got a list"),
        ({"ground_truth": "{}"}, "SROIE record: field 'gt_parse' must be an object, got null"),
        (
            {"ground_truth": {"gt_parse": {"total": 9.0}}},
            "SROIE record: field 'total' must be text, got a decimal number",
        ),
    ],
)
def test_sroie_names_record_and_field(record: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        records.sroie(record)


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
@pytest.mark.parametrize(("record", "kind"), [(None, "null"), ("text", "text"), ([1], "a list")])
def test_what_is_no_record(read: Any, record: Any, kind: str) -> None:
    with pytest.raises(ValueError, match=f" record must be an object, got {kind}$"):
        read(record)


FORMATS = pytest.mark.parametrize("kind", [None, "numpy", "pandas"])


@FORMATS
def test_words_from_datasets(kind: str | None) -> None:
    """Of the features that `nielsr/cord-layoutlmv3` has."""
    names = datasets.Sequence(datasets.ClassLabel(names=records.CORD_TAGS))
    boxes = datasets.Sequence(datasets.Sequence(datasets.Value("int64")))
    words = datasets.Sequence(datasets.Value("string"))
    features = datasets.Features({"id": datasets.Value("string"), "words": words, "bboxes": boxes, "ner_tags": names})
    row = {"id": "0", "words": ["Iced", "Latte"], "bboxes": [[1, 2, 3, 4], [3, 2, 5, 4]], "ner_tags": [1, 31]}
    data = datasets.Dataset.from_list([row, row | {"words": [], "bboxes": [], "ner_tags": []}], features=features)
    assert data.features["ner_tags"].feature.names == records.CORD_TAGS
    found, empty = rows_of(data, kind)
    assert records.cord(found) == {"menu": [{"menu.nm": "Iced Latte"}]}
    assert records.cord(empty) == {}
    assert records.words_and_boxes(found, names=records.CORD_TAGS)["boxes"] == row["bboxes"]


def rows_of(data: Any, kind: str | None) -> list[dict[str, Any]]:
    """The records of a data set in a format; pandas gives tables of one row."""
    rows = list(data.with_format(kind))
    return [{name: row[name].iloc[0] for name in row} for row in rows] if kind == "pandas" else rows


def columns_of(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


@FORMATS
def test_forms_from_datasets(kind: str | None) -> None:
    """Of the features that `ArneBinder/xfund` (objects) and `nielsr/XFUN` (tokens) have: a Sequence is an object of lists."""
    whole, text = datasets.Value("int64"), datasets.Value("string")
    label = datasets.ClassLabel(names=["header", "question", "answer", "other"])
    linking = datasets.Sequence(datasets.Sequence(whole))
    entity = {"id": whole, "text": text, "label": label, "linking": linking}
    rows = [
        {"id": 4, "text": "Nom :", "label": 1, "linking": [[4, 9]]},
        {"id": 9, "text": "Ada", "label": 2, "linking": [[4, 9]]},
        {"id": 2, "text": "FAX", "label": 0, "linking": []},
    ]
    expected = {"field": [{"field.question": "Nom :", "field.answer": "Ada"}], "header": "FAX"}
    forms: list[Any] = [(datasets.Sequence(entity), columns_of(rows)), ([entity], rows)]
    for feature, form in forms:
        features = datasets.Features({"id": text, "document": feature})
        data = datasets.Dataset.from_list([{"id": "fr_val_0", "document": form}], features=features)
        assert [records.xfund(row) for row in rows_of(data, kind)] == [expected]
    token = {"start": whole, "end": whole, "label": datasets.ClassLabel(names=["HEADER", "QUESTION", "ANSWER"])}
    pair = {"head": whole, "tail": whole, "start_index": whole, "end_index": whole}
    columns = {"input_ids": whole, "entities": token, "relations": pair}
    features = datasets.Features({"id": text} | {name: datasets.Sequence(column) for name, column in columns.items()})
    tokens = {
        "id": "fr_val_0_0",
        "input_ids": [0, 1, 2, 3],
        "entities": {"start": [0, 2, 3], "end": [2, 3, 4], "label": [1, 2, 0]},
        "relations": {"head": [0], "tail": [1], "start_index": [0], "end_index": [3]},
    }
    texts = ["Nom", ":", "Ada", "FAX"]
    for row in rows_of(datasets.Dataset.from_list([tokens], features=features), kind):
        assert records.xfund(row, decode=lambda numbers: " ".join(texts[number] for number in numbers)) == expected


@FORMATS
def test_answers_from_datasets(kind: str | None) -> None:
    """Of `lmms-lab/DocVQA`, whose test part has no answers."""
    data = datasets.Dataset.from_list(
        [{"questionId": "7", "answers": ["a", "b"]}, {"questionId": "8", "answers": None}]
    )
    found, none = rows_of(data, kind)
    assert records.docvqa(found) == ("a", "b")
    with pytest.raises(ValueError, match="^DocVQA record '8': field 'answers' must be a list of text, got null$"):
        records.docvqa(none)
