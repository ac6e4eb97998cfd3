"""`docie check` finds which rows belong together: ids in other places and spellings, pages, tries, another order."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.inputs.reading import Side

NAMES = ("Latte", "Mocha", "Bagel", "Scone", "Toast", "Juice", "Muffin", "Water")
NUMBERS = range(40)


def document(number: int) -> dict[str, Any]:
    items = [{"name": NAMES[(number + each) % 8], "amount": f"{number}.{each}5"} for each in range(2)]
    return {"number": f"INV-{number:04}", "total": f"{number * 3}.40", "items": items}


def rows(write: Callable[[str, dict[str, Any]], Any], name: str = "inv-{:03}") -> list[Any]:
    return [write(name.format(number), document(number)) for number in NUMBERS]


REFERENCES = rows(lambda name, value: {"id": name, "reference": value})


def shuffled(values: list[Any]) -> list[Any]:
    return random.Random(0).sample(values, len(values))


WRITTEN: dict[str, tuple[list[Any], dict[str, Any]]] = {
    "capitals": (
        rows(lambda name, value: {"id": name.upper(), "prediction": value}),
        {"predictions.strip_id": ("case",)},
    ),
    "blanks": (
        rows(lambda name, value: {"id": f" {name.replace('-', ' - ')}", "prediction": value}),
        {"predictions.strip_id": ("blanks",)},
    ),
    "leading zeros": (
        rows(lambda name, value: {"id": name, "prediction": value}, "inv-{:07}"),
        {"predictions.strip_id": ("zeros",)},
    ),
    "capitals, a folder and an ending": (
        rows(lambda name, value: {"file": f"Scans/{name.upper()}.PDF", "prediction": value}),
        {"predictions.strip_id": ("folder", "ending", "case"), "predictions.id": "file"},
    ),
    "a prefix": (
        rows(lambda name, value: {"id": f"Run7_{name.upper()}", "prediction": value}),
        {"predictions.strip_id": ("inv-", "Run7_INV-")},
    ),
    "inside the answer": (
        rows(lambda name, value: {"answer": {"doc_id": name, **value}}),
        {"predictions.id": "answer.doc_id", "predictions.unwrap": "answer"},
    ),
    "inside the text of an answer": (
        rows(lambda name, value: {"answer": json.dumps({"doc_id": name, **value})}),
        {"predictions.id": "answer.doc_id", "predictions.unwrap": "answer"},
    ),
    "beside the answer": (
        rows(lambda name, value: {"info": {"file_name": f"{name}.png", "seconds": 3}, "answer": value}),
        {"predictions.id": "info.file_name", "predictions.unwrap": "answer"},
    ),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_ids_in_other_places_and_spellings(case: str) -> None:
    predictions, expected = WRITTEN[case]
    found = docie.check(references=REFERENCES, predictions=shuffled(predictions))
    asked = {name: value for finding in found for name, value in finding.config.items()}
    assert {name: value for name, value in asked.items() if name in expected} == expected
    results = corpus.evaluate(kieval, shuffled(predictions), REFERENCES, config=found.config)
    assert (results["entity_f1"], results["deletions"]) == (1.0, 0), "the id is not scored"


def test_strip_id_removes_what_it_names() -> None:
    assert Side(strip_id=["case", "blanks", "_GT"]).stripped(" Doc 7_gt") == "doc7"
    assert Side(strip_id="blanks").stripped("A b\t c") == "Abc"
    assert Side(strip_id="_GT").stripped("doc_gt") == "doc_gt", "without case, letters count"


PAGES: list[dict[str, Any]] = [
    {"file": f"inv-{number:03}", "page_no": page, "prediction": part}
    for number in NUMBERS
    for page, part in enumerate(
        ({**document(number), "items": document(number)["items"][:1]}, {"items": document(number)["items"][1:]}), 1
    )
]


@pytest.mark.parametrize("is_flat", [False, True])
def test_pages_that_a_column_numbers(is_flat: bool) -> None:
    flat = [{"file": row["file"], "page_no": row["page_no"], **row["prediction"]} for row in PAGES]
    written = flat if is_flat else PAGES
    found = docie.check(references=REFERENCES, predictions=written)
    assert [(each.kind, each.config) for each in found] == [
        ("join", {"predictions.pages": "page_no", "predictions.id": "file"})
    ]
    assert found.findings[0].text == "the rows of the predictions are the pages of 40 documents, by 'page_no'"
    assert corpus.evaluate(kieval, written, REFERENCES, config=found.config)["entity_f1"] == 1.0


def test_pages_that_their_ids_number() -> None:
    written = [{"id": f"{row['file']}_p{row['page_no']}", "prediction": row["prediction"]} for row in PAGES]
    found = docie.check(references=REFERENCES, predictions=written)
    assert [each.config for each in found] == [{"predictions.pages": "name"}]
    assert found.findings[0].after == 1.0


def test_the_references_may_be_pages() -> None:
    pages = [{"file": row["file"], "page_no": row["page_no"], "reference": row["prediction"]} for row in PAGES]
    predictions = rows(lambda name, value: {"id": name, "prediction": value})
    found = docie.check(references=pages, predictions=predictions)
    assert [each.config for each in found] == [{"references.pages": "page_no", "references.id": "file"}]


@pytest.mark.parametrize("name", ["Seite", "página", "page_number"])
def test_pages_under_a_key_of_another_language(name: str) -> None:
    pages = [{"id": row["file"], name: row["page_no"], "prediction": row["prediction"]} for row in PAGES]
    [finding] = docie.check(references=REFERENCES, predictions=pages)
    assert finding.after == 1.0


def test_documents_under_a_key_of_the_elements_of_a_list() -> None:
    answer = {"data": rows(lambda name, value: {"type": "extraction", "id": name, "attributes": value})}
    found = docie.check(references=REFERENCES, predictions=[answer])
    assert [each.config for each in found] == [{"predictions.unwrap": "data.attributes"}]
    assert found.findings[0].text == "the documents stand in a list, at 'data.attributes' of one object"
    assert corpus.evaluate(kieval, [answer], REFERENCES, config=found.config)["entity_f1"] == 1.0


def test_several_tries_are_told() -> None:
    tries = [row for row in rows(lambda name, value: {"id": name, "prediction": value}) for _ in range(3)]
    [finding] = docie.check(references=REFERENCES, predictions=tries)
    assert (finding.kind, finding.options) == ("join", [])
    assert finding.text.startswith("120 rows of the predictions have 40 ids: several tries")


def test_another_order_is_told_and_not_joined() -> None:
    references = [{**row["reference"], "number": ""} for row in REFERENCES]
    predictions = shuffled([{**row, "total": row["total"].replace("12.40", "12.90")} for row in references])
    found = docie.check(references=references, predictions=predictions)
    told = [each for each in found if "another reference" in each.text]
    assert [(each.kind, each.options, each.before) for each in told] == [("join", [], told[0].after)]
    assert told[0].text.startswith("39 of 40 predictions share more values with another reference")


@pytest.mark.parametrize("value", ["{}7.40", "2024-{:02}-17", "1.{}00,50 €", "{:02}. Januar 2024"])
def test_an_amount_or_a_date_is_no_id(value: str) -> None:
    days = range(1, 13)
    references = [{"value": value.format(number), "name": f"name {number}", "code": f"c{number}"} for number in days]
    predictions = [{**row, "code": "c0"} for row in shuffled(references)]
    names_join = [
        each.config for each in docie.check(references=references, predictions=predictions) if each.kind == "join"
    ]
    assert names_join == [{"references.id": "name", "predictions.id": "name"}]
    for row in predictions:
        row["name"] = "?"
    assert not [
        each for each in docie.check(references=references, predictions=predictions) if "references.id" in each.config
    ]


@pytest.mark.parametrize("wrong", [0, 10])
def test_rows_in_their_order_are_not_told(wrong: int) -> None:
    references = [row["reference"] for row in REFERENCES]
    predictions = [*references[1 : wrong + 1], *references[wrong:]][: len(references)]
    assert not [
        each for each in docie.check(references=references, predictions=predictions) if "another reference" in each.text
    ]


def test_alike_documents_are_not_told_of_another_order() -> None:
    references = [{"currency": "EUR", "country": "DE", "total": f"{number}.00"} for number in NUMBERS]
    predictions = [{"currency": "EUR", "country": "DE", "total": "?"} for _ in NUMBERS]
    assert not [
        each for each in docie.check(references=references, predictions=predictions) if "another reference" in each.text
    ]


def test_an_id_inside_a_document_is_read_and_not_scored() -> None:
    predictions = [{"head": {"doc_id": "b", "total": "7"}}, {"head": {"doc_id": "a", "total": "9"}}]
    references = [{"id": "a", "document": {"head": {"total": "9"}}}, {"id": "b", "document": {"head": {"total": "7"}}}]
    config = {"predictions": {"id": "head.doc_id"}, "references": {"id": "id"}}
    results = corpus.evaluate(kieval, predictions, references, config=config)
    assert (results["entity_f1"], results["deletions"]) == (1.0, 0)


def test_a_path_without_an_id_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"no key 'head\.doc_id', which predictions\.id names"):
        corpus.evaluate(
            kieval, [{"head": {"total": "7"}}], [{"id": "a", "head": {}}], config="predictions.id=head.doc_id"
        )
