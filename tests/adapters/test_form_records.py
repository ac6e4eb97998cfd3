"""Records of forms, questions and long documents → references, in the columns of the Hub's versions."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import docie
from docie import kieval
from docie.adapters import records

COLUMNS: list[Any] = [list, tuple, np.array, lambda values: np.array(values, dtype=object)]


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
        (None, "field 'NAME' must be a list of objects, got null"),
        ("{", "field 'NAME' is not JSON"),
        (["x"], "field 'NAME' must be a list of objects, got text at 0"),
        ({"id": [1], "text": []}, "field 'NAME' must have columns of one length, got {'id': 1, 'text': 0}"),
        ({"id": 1}, "field 'id' must be a list, got a number"),
        ([part(None, "answer", "x")], "NAME 0: field 'id' must be a whole number or text, got null"),
        ([part(0, None, "x")], "NAME 0: field 'label' must be text or a number, got null"),
        ([part(0, "title", "x")], "NAME 0: field 'label' must be one of header, question, answer, other, got 'title'"),
        ([part(0, 4, "x")], "NAME 0: field 'label' must be one of header, question, answer, other, got 4"),
        ([part(0, "answer", "x"), part(1, "answer", None)], "NAME 1: field 'text' must be text, got null"),
        (
            [{"id": 0, "label": "answer", "text": "x"}],
            "NAME 0: field 'linking' must be a list of pairs of ids, got null",
        ),
        ([part(0, "answer", "x", [0])], r"NAME 0: field 'linking' must be a list of pairs of ids, got \[0\] at 0"),
        (
            [part(0, "answer", "x", [0, [0]])],
            r"NAME 0: field 'linking' must be a list of pairs of ids, got \[0, \[0\]\] at 0",
        ),
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
    for output, message in (("[]", "must be an object, got a list"), ("x", "is not JSON")):
        with pytest.raises(ValueError, match=f"^FUNSD record: field 'text_output' {message}"):
            records.funsd({"text_output": output})
    with pytest.raises(ValueError, match="^FUNSD record: field 'form' must be a list of objects, got null$"):
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
        ({"input_ids": ["a"]}, "field 'input_ids' must be a list of whole numbers, got text at 0"),
        ({"entities": None}, "field 'entities' must be a list of objects, got null"),
        (
            {"entities": {"start": [0], "end": ["x"], "label": [0]}},
            "entities 0: field 'end' must be a whole number, got text",
        ),
        (
            {"entities": {"start": [0], "end": [3], "label": [0]}},
            "entities 0: expected 0 <= start <= end <= 2, got 0 and 3",
        ),
        (
            {"entities": {"start": [0], "end": [1], "label": [3]}},
            "entities 0: field 'label' must be one of header, question, answer, got 3",
        ),
        ({"relations": {"head": [0]}}, "field 'tail' must be a whole number, got null"),
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
        ValueError,
        match="^XFUND record: field 'input_ids' holds numbers, which need the tokenizer's decode=, got None$",
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
        ({"questionId": "49153", "answers": None}, "'49153': field 'answers' must be a list of text, got null"),
        ({"questionId": 49153}, "49153: field 'answers' must be a list of text, got null"),
        ({"id": "q1", "answers": []}, "'q1': field 'answers' has none"),
        ({"id": "q1", "answers": "[]"}, "'q1': field 'answers' has none"),
        ({"id": "q1", "answers": ["a", 4]}, "'q1': field 'answers' must be a list of text, got a number at 1"),
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
        ({"name": "a"}, "Kleister record 'a': field 'annotations' must be a list of objects, got null"),
        ({"expected": ["party=x"]}, "Kleister record: field 'expected' must be text, got a list"),
        ({"id": 1, "expected": "party=x y"}, "Kleister record 1: field 'expected' must be pairs key=value, got 'y'"),
        ({"expected": "=x"}, "Kleister record: field 'expected' must be pairs key=value, got '=x'"),
        ({"annotations": "x"}, "Kleister record: field 'annotations' is not JSON"),
        ({"annotations": [{"values": []}]}, "Kleister record: annotations 0: field 'key' must be text, got null"),
        (
            {"annotations": [{"key": "a"}]},
            "Kleister record: annotations 0: field 'values' must be a list of objects, got null",
        ),
        (
            {"annotations": [{"key": "a", "values": [{}]}]},
            "Kleister record: annotations 0: field 'value' must be text, got null",
        ),
        (
            {"annotations": [{"key": "a", "values": [{"value": "b", "value_variants": "c"}]}]},
            "Kleister record: annotations 0: field 'value_variants' must be a list of text, got text",
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
        (None, "field 'annotations' must be a list, got null"),
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
