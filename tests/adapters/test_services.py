"""Answers of services: planted values come back with their confidences, boxes and pages; traps; answers that are broken."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import kieval
from docie.adapters import services
from docie.adapters.services.layouts import LAYOUTS, Layout, Where
from docie.documents.document import parse_document
from docie.documents.parsed import Parsed

import service_answers
from checkout import ROOT, needs
from mutations import Mutator
from service_answers import WRITERS, WRITTEN, Invoice, Value
from sizes import examples, times

ITEMS = {"textract_expense": "LineItems", "textract_lending": "LineItems", "google_document_ai": "line_item"}
"""The names of line items where the service chooses them."""
WITHOUT_ITEMS = {name for name, written in WRITTEN.items() if not written.has_items}
WITHOUT_CONFIDENCES = {name for name, written in WRITTEN.items() if "confidence" not in written.carries}
MODELS = {"openai_batch", "anthropic_batch", "gemini_batch"}
WITHOUT_PLACES = {name for name, written in WRITTEN.items() if "box" not in written.carries} - {"landing_ai"}
"""The places of LandingAI stand in the answer of Parse, which tests pass."""
SPELLINGS = {
    "azure_document_intelligence": (service_answers.azure_to_dict, service_answers.azure_javascript),
    "reducto": (service_answers.reducto_legacy,),
}
"""How else the answers of a service are written."""
EXAMPLE = Invoice(
    {"vendor": Value("ACME GmbH", 0.75, (0.125, 0.0, 0.5, 0.25), 1), "total": Value("€ 7,50", 0.5, (0.5, 0.75, 1.0, 1.0), 2)},
    [
        {"name": Value("Bagel", 0.25, (0.0, 0.0, 0.25, 0.5), 1), "amount": Value("3,00", 1.0, (0.5, 0.0, 0.75, 0.5), 1)},
        {"name": Value("Latte", 0.875, (0.0, 0.5, 0.25, 0.75), 1), "amount": Value("4,50", 0.625, (0.5, 0.5, 0.75, 0.75), 1)},
    ],
)  # fmt: skip


@needs("docs")
@pytest.mark.parametrize("service", sorted({*LAYOUTS, *WRITERS}))
def test_a_service_is_everywhere(service: str) -> None:
    described = (ROOT / "docs" / "outputs.md").read_text(encoding="utf-8")
    places = {
        "adapters/services/layouts.json": service in LAYOUTS,
        "tests/support/service_answers.py": service in WRITERS,
        "docs/outputs.md": f"\n| `{service}` |" in described,
    }
    assert [place for place, is_there in places.items() if not is_there] == []


def read(service: str, answer: object, **options: Any) -> Parsed:
    return services.to_document(answer, service, **options)


def reader(service: str, invoice: Invoice) -> Any:
    """What reads answers of a service, with what else it needs for this invoice."""
    if service == "landing_ai":
        return partial(read, service, parse=service_answers.landing_ai_parse(invoice))
    return partial(read, service, group_by="items") if service == "langextract" else partial(read, service)


def expected(service: str, invoice: Invoice) -> dict[str, Any]:
    def leaves(fields: service_answers.Fields) -> dict[str, Any]:
        return {name: leaf(value) for name, value in fields.items()}

    def leaf(value: Value) -> Any:
        if service == "anthropic_batch":
            return value.text
        made: dict[str, Any] = {"value": value.text, "confidence": None}
        if service not in WITHOUT_CONFIDENCES:
            made["confidence"] = pytest.approx(value.confidence)
        if service not in WITHOUT_PLACES:
            made |= {"box": pytest.approx([*value.box], abs=2e-6), "page": value.page}
        return made

    items = [leaves(item) for item in invoice.items]
    if service in WITHOUT_ITEMS:
        return leaves(invoice.header)
    return {**leaves(invoice.header), ITEMS.get(service, "items"): items}


@pytest.mark.parametrize("service", WRITERS)
def test_what_a_service_answers_comes_back(service: str) -> None:
    for write in (WRITERS[service], *SPELLINGS.get(service, ())):
        answer = write(EXAMPLE)
        found = reader(service, EXAMPLE)(answer)
        assert found == Parsed(expected(service, EXAMPLE), [])
        assert reader(service, EXAMPLE)(json.dumps(answer)) == found
        assert services.detect(answer) == service
        parse_document(found.document, "prediction")


shares = st.integers(0, 999).map(lambda number: number / 1000)
boxes = st.tuples(shares, shares, shares, shares).map(
    lambda box: (min(box[::2]), min(box[1::2]), max(box[::2]) + 0.001, max(box[1::2]) + 0.001)
)
texts = st.text("aé7,.€ -", min_size=1).filter(str.strip)
planted = st.builds(
    Value, texts, st.integers(1, 1000).map(lambda number: number / 1000), boxes, st.sampled_from([1, 2])
)
fields = st.dictionaries(st.sampled_from(["vendor", "total", "date", "tax"]), planted, min_size=1)
items = st.lists(st.dictionaries(st.sampled_from(["name", "amount"]), planted, min_size=1), min_size=2, max_size=4)


@pytest.mark.parametrize("service", WRITERS)
@given(st.builds(Invoice, fields, items))
@examples(500, 30)
def test_planted_confidences_and_boxes_come_back(service: str, invoice: Invoice) -> None:
    for write in (WRITERS[service], *SPELLINGS.get(service, ())):
        assert reader(service, invoice)(write(invoice)) == Parsed(expected(service, invoice), [])


def test_detect_names_the_service_and_no_other() -> None:
    for service, write in WRITERS.items():
        assert services.detect(write(EXAMPLE)) == service
    documents: tuple[Any, ...] = ({"total": "7.50"}, {"result": "7"}, {"documents": ["a"], "pages": 3}, {"entities": []}, {"output": "x"},
                 {"id": 1, "text": "a", "entities": [{"id": 1, "label": "name", "start_offset": 0}]},
                 {"id": 1, "data": {}, "annotations": []}, None, "text", [], 7)  # fmt: skip
    assert {services.detect(document) for document in documents} == {None}


def test_pairs_beside_groups_of_their_own_are_no_answer_of_google() -> None:
    pairs = {"id": "a", "entities": [{"type": "total", "mentionText": "7.50"}]}
    for group in ({"items": [{"name": "Bagel"}]}, {"summary": {"tax": "1.00"}}):
        assert services.detect({**pairs, **group}) is None
        assert services.detect({**pairs, **group, "pages": []}) == "google_document_ai"
    assert services.detect(pairs) == "google_document_ai"


def test_a_service_is_detected_or_named() -> None:
    for service, write in WRITERS.items():
        if service not in ("landing_ai", "langextract"):
            assert services.to_document(write(EXAMPLE)) == read(service, write(EXAMPLE))
    assert services.to_document({"total": "7.50"}) == (None, ["expected the answer of a service; none has these keys"])
    with pytest.raises(ValueError, match=r"^expected the name of a service, got 'azure_document' \(close: "):
        read("azure_document", {})


def test_layouts_have_the_types_of_their_attributes() -> None:
    """They are read from a file, which mypy does not check."""
    defaults = {**Layout._field_defaults, **Where._field_defaults}
    kinds = {name: type(default) for name, default in defaults.items() if default is not None}
    for layout in LAYOUTS.values():
        found = layout._asdict() | layout.where._asdict()
        assert {name: type(found[name]) for name in kinds} == kinds
        assert {type(found["fields"]), type(found["default_page"])} <= {str, int, type(None)}
        assert all(found["signs"])
        texts = [*layout.signs, *(each for name, each in found.items() if type(each) is tuple and name != "signs")]
        assert {type(text) for each in texts for text in each} <= {str}


def leaf(value: object, confidence: float | None = None, **place: object) -> dict[str, Any]:
    return {"value": value, "confidence": confidence, **place}


def azure(fields: object, **result: object) -> Any:
    return {"analyzeResult": {"modelId": "m", "documents": [{"fields": fields}], **result}}


def expense(*summary: object, **document: object) -> Any:
    return {"ExpenseDocuments": [{"SummaryFields": [*summary], **document}]}


def detected(name: str, text: str, confidence: float = 100, **more: object) -> dict[str, Any]:
    return {
        "Type": {"Text": name, "Confidence": 100},
        "ValueDetection": {"Text": text, "Confidence": confidence},
        **more,
    }


def google(*entities: object, **document: object) -> Any:
    return {"entities": [*entities], "mimeType": "image/png", **document}


# Traps: what reads as something else than it is.


def test_an_unset_confidence_of_google_reads_0() -> None:
    found = read("google_document_ai", google({"type": "total", "mentionText": "7.50", "confidence": 0.0}))
    assert found == Parsed({"total": leaf("7.50")}, ["read a confidence of 0 as none"])
    sure = {"type": "string", "content": "7.50", "confidence": 0}  # elsewhere, 0 is a confidence
    assert read("azure_document_intelligence", azure({"total": sure})).document == {"total": leaf("7.50", 0)}


def test_percent_of_textract_and_the_lower_one_of_two_confidences() -> None:
    field = {"Type": {"Text": "TOTAL", "Confidence": 0.5}, "ValueDetection": {"Text": "7.50", "Confidence": 98}}
    assert read("textract_expense", expense(field)).document == {"TOTAL": leaf("7.50", 0.005)}
    field["Type"] = {"Text": "TOTAL", "Confidence": 99.5}
    assert read("textract_expense", expense(field)).document == {"TOTAL": leaf("7.50", 0.98)}


@pytest.mark.parametrize("confidence", ["high", 1.5, -0.1, True, [], {}])
def test_what_is_no_probability_is_dropped_and_said(confidence: object) -> None:
    found = read("azure_document_intelligence", azure({"total": {"content": "7.50", "confidence": confidence}}))
    issue = f"dropped the confidence {confidence!r} of 'total', which is no number from 0 to 1"
    assert found == Parsed({"total": leaf("7.50")}, [issue])


def test_words_for_confidences_of_reducto() -> None:
    citation: dict[str, Any] = {
        "bbox": {"left": 0.5, "top": 0.5, "width": 0.25, "height": 0.25, "page": 3},
        "confidence": "high",
    }
    answer = {"job_id": "1", "usage": {}, "result": {"total": {"value": 7.5, "citations": [citation]}}}
    issue = "dropped the confidence 'high' of 'total', which is no number from 0 to 1"
    place = {"box": [0.5, 0.5, 0.75, 0.75], "page": 3}
    assert read("reducto", answer) == Parsed({"total": leaf(7.5, None, **place)}, [issue])
    citation["granular_confidence"] = {"extract_confidence": 0.75, "parse_confidence": 0.5}
    assert read("reducto", answer) == Parsed({"total": leaf(7.5, 0.5, **place)}, [])


def test_citations_of_reducto_beside_the_result_and_in_a_job() -> None:
    answer = service_answers.reducto_legacy(EXAMPLE)
    assert read("reducto", answer) == Parsed(expected("reducto", EXAMPLE), [])
    assert read("reducto", {"status": "Completed", "result": answer}) == Parsed(expected("reducto", EXAMPLE), [])


def test_lists_of_values_with_citations() -> None:
    values = {
        "tags": [{"value": "a", "citations": []}, {"value": "b", "citations": []}],
        "none": {"value": None, "citations": []},
    }
    assert read("reducto", {"result": values}).document == {"tags": [leaf("a"), leaf("b")], "none": None}


@pytest.mark.parametrize("page", [{}, {"page": 0}, {"page": "0"}])
def test_pages_of_google_from_0_or_left_out(page: dict[str, object]) -> None:
    entity = {"type": "total", "mentionText": "7.50", "pageAnchor": {"pageRefs": [page]}}
    assert read("google_document_ai", google(entity)).document == {"total": leaf("7.50", page=1)}


def test_a_box_of_google_in_pixels() -> None:
    """With to_json's spelling of an unset list, and a coordinate of 0 left out."""
    polygon = {"normalizedVertices": [], "vertices": [{"y": 50}, {"x": 100, "y": 100}]}
    entity = {
        "type": "total",
        "mentionText": "7.50",
        "pageAnchor": {"pageRefs": [{"page": "1", "boundingPoly": polygon}]},
    }
    pages = [{"pageNumber": number, "dimension": {"width": 200 * number, "height": 200}} for number in (1, 2)]
    found = read("google_document_ai", google(entity, pages=pages))
    assert found == Parsed({"total": leaf("7.50", box=[0.0, 0.25, 0.25, 0.5], page=2)}, [])
    found = read("google_document_ai", google(entity))
    assert found.document == {"total": leaf("7.50", box=[0, 50, 100, 100], page=2)}
    assert found.issues == ["kept the box of 'total' in its own unit: the size of its page is unknown"]


def test_the_three_spellings_of_google() -> None:
    """Of one document, as google-cloud-documentai 3.16 wrote it."""
    rest = google(
        {"type": "line_item", "mentionText": "Bagel 3.50", "properties": [
            {"type": "line_item/amount", "mentionText": "3.50", "confidence": 0.5,
             "pageAnchor": {"pageRefs": [{"boundingPoly": {"normalizedVertices": [{"y": 0.2}, {"x": 0.5, "y": 0.25}]}}]},
             "normalizedValue": {"text": "3.5 USD", "moneyValue": {"currencyCode": "USD", "units": "3", "nanos": 500000000}}}]},
        {"type": "invoice_date", "mentionText": "1.2.24", "normalizedValue": {"dateValue": {"year": 2024, "month": 2, "day": 1}}},
    )  # fmt: skip
    to_json = google(
        {"type": "line_item", "mentionText": "Bagel 3.50", "properties": [
            {"type": "line_item/amount", "mentionText": "3.50", "confidence": 0.5,
             "pageAnchor": {"pageRefs": [{"boundingPoly": {"normalizedVertices": [{"y": 0.2, "x": 0.0}, {"x": 0.5, "y": 0.25}],
                                                           "vertices": []}, "page": "0", "layoutId": "", "confidence": 0.0}]},
             "normalizedValue": {"text": "3.5 USD", "moneyValue": {"currencyCode": "USD", "units": "3", "nanos": 500000000}},
             "mentionId": "", "id": "", "properties": [], "redacted": False, "method": 0}],
         "mentionId": "", "confidence": 0.0, "id": "", "redacted": False, "method": 0},
        {"type": "invoice_date", "mentionText": "1.2.24", "mentionId": "", "confidence": 0.0, "properties": [],
         "normalizedValue": {"dateValue": {"year": 2024, "month": 2, "day": 1}, "text": ""}},
    )  # fmt: skip
    other = {"type": "type_", "mentionText": "mention_text", "pageAnchor": "page_anchor", "pageRefs": "page_refs",
             "boundingPoly": "bounding_poly", "normalizedVertices": "normalized_vertices", "mimeType": "mime_type",
             "normalizedValue": "normalized_value", "moneyValue": "money_value", "dateValue": "date_value"}  # fmt: skip
    text = json.dumps(to_json)
    for name, snake in other.items():
        text = text.replace(f'"{name}"', f'"{snake}"')
    place = {"box": [0, 0.2, 0.5, 0.25], "page": 1}
    for answer in (rest, to_json, json.loads(text), {"document": rest}):
        assert services.detect(answer) == "google_document_ai"
        document = {"line_item": [{"amount": leaf("3.50", 0.5, **place)}], "invoice_date": leaf("1.2.24")}
        assert read("google_document_ai", answer).document == document
        document = {"line_item": [{"amount": leaf(3.5, 0.5, **place)}], "invoice_date": leaf("2024-02-01")}
        assert read("google_document_ai", answer, normalized=True).document == document


@pytest.mark.parametrize(("unit", "width", "height"), [("inch", 8.0, 16.0), ("pixel", 800, 1600)])
def test_inches_and_pixels_of_azure(unit: str, width: float, height: float) -> None:
    polygon = [width / 4, 0, width / 2, 0, width / 2, height / 4, width / 4, height / 4]
    fields = {"total": {"content": "7.50", "boundingRegions": [{"pageNumber": 1, "polygon": polygon}]}}
    pages = [{"pageNumber": 1, "width": width, "height": height, "unit": unit}]
    found = read("azure_document_intelligence", azure(fields, pages=pages))
    assert found == Parsed({"total": leaf("7.50", box=[0.25, 0, 0.5, 0.25], page=1)}, [])
    found = read("azure_document_intelligence", azure(fields))
    assert found.document == {"total": leaf("7.50", box=[width / 4, 0, width / 2, height / 4], page=1)}
    assert found.issues == ["kept the box of 'total' in its own unit: the size of its page is unknown"]


@pytest.mark.parametrize("polygon", [[1, 2, 3], [0, 0, 1e308, 1], [{}, 7], [0, 0, True, 1], "x", {"left": 1}])
def test_a_box_that_cannot_be_read(polygon: object) -> None:
    fields = {"total": {"content": "7.50", "boundingRegions": [{"pageNumber": 1, "polygon": polygon}]}}
    found = read("azure_document_intelligence", azure(fields, pages=[{"pageNumber": 1, "width": 0.001, "height": 1}]))
    assert found == Parsed({"total": leaf("7.50", page=1)}, ["dropped the box of 'total', which cannot be read"])


def test_a_value_in_several_regions() -> None:
    regions = [{"pageNumber": page, "polygon": polygon} for page, polygon in (
        (1, [1, 1, 2, 1, 2, 2, 1, 2]), (1, [1, 2, 4, 2, 4, 3, 1, 3]), (2, [1, 1, 2, 1, 2, 2, 1, 2]))]  # fmt: skip
    pages = [{"pageNumber": page, "width": 8, "height": 8} for page in (1, 2)]
    found = read(
        "azure_document_intelligence", azure({"address": {"content": "A", "boundingRegions": regions}}, pages=pages)
    )
    assert found.document == {"address": leaf("A", box=[0.125, 0.125, 0.5, 0.375], page=1)}
    assert found.issues == ["dropped the places of 'address' on other pages than its first"]


AZURE_FIELDS: list[tuple[dict[str, Any], object, object]] = [  # a field, its printed and its normalized value
    ({"type": "currency", "valueCurrency": {"amount": 7.5, "currencyCode": "USD"}, "content": "$7.50"}, "$7.50", 7.5),
    ({"type": "date", "valueDate": "2024-02-01", "content": "1 Feb 24"}, "1 Feb 24", "2024-02-01"),
    ({"type": "date", "content": "32 Feb"}, "32 Feb", "32 Feb"),
    ({"type": "number", "valueNumber": 0}, 0, 0),
    ({"type": "address", "valueAddress": {"city": "Trier"}, "content": "Trier"}, "Trier", "Trier"),
    ({"type": "selectionMark", "valueSelectionMark": "selected", "content": ":selected:"}, "selected", "selected"),
    ({"type": "boolean", "valueBoolean": False, "content": ":unselected:"}, False, False),
]


@pytest.mark.parametrize(("field", "printed", "normalized"), AZURE_FIELDS)
def test_printed_and_normalized_values(field: dict[str, Any], printed: object, normalized: object) -> None:
    assert read("azure_document_intelligence", azure({"x": field})) == Parsed({"x": leaf(printed)}, [])
    found = read("azure_document_intelligence", azure({"x": field}), normalized=True)
    assert found == Parsed({"x": leaf(normalized)}, [])


def test_a_selection_group_is_several_values() -> None:
    field = {"type": "selectionGroup", "valueSelectionGroup": ["a", "b"], "content": ":selected: a", "confidence": 0.5}
    assert read("azure_document_intelligence", azure({"x": field})).document == {"x": [leaf("a", 0.5), leaf("b", 0.5)]}


def test_normalized_dates_of_identity_documents() -> None:
    detection = {
        "Text": "1 FEB 24",
        "NormalizedValue": {"Value": "2024-02-01T00:00:00", "ValueType": "Date"},
        "Confidence": 50,
    }
    answer = {
        "IdentityDocuments": [{"IdentityDocumentFields": [{"Type": {"Text": "DOB"}, "ValueDetection": detection}]}]
    }
    assert read("textract_id", answer).document == {"DOB": leaf("1 FEB 24", 0.5)}
    assert read("textract_id", answer, normalized=True).document == {"DOB": leaf("2024-02-01T00:00:00", 0.5)}


def test_a_field_that_was_not_found_is_no_value() -> None:
    fields = {"a": {"type": "string", "confidence": 0.9}, "b": {"type": "array"}, "c": {"content": "x"}}
    assert read("azure_document_intelligence", azure(fields)) == Parsed({"a": None, "b": None, "c": leaf("x")}, [])


@pytest.mark.parametrize(
    ("service", "answer"),
    [
        ("textract_id", {"IdentityDocuments": [{"IdentityDocumentFields": [
            {"Type": {"Text": "SUFFIX"}, "ValueDetection": {"Text": "", "Confidence": 99.6}},
            {"Type": {"Text": "NAME"}, "ValueDetection": {"Text": "ANN", "Confidence": 50.0}},
        ]}]}),
        ("google_document_ai", {"mimeType": "a", "entities": [
            {"type": "SUFFIX", "mentionText": "", "confidence": 0.9},
            {"type": "NAME", "mentionText": "ANN", "confidence": 0.5},
        ]}),
    ],
)  # fmt: skip
def test_an_empty_text_is_a_field_that_was_not_found(service: str, answer: Any) -> None:
    parsed = read(service, answer)
    assert parsed == ({"SUFFIX": None, "NAME": {"value": "ANN", "confidence": 0.5}}, [])


def test_pairs_of_keys_and_values_of_azure() -> None:
    polygon = [1, 1, 2, 1, 2, 2, 1, 2]
    value = {"content": "A-7", "boundingRegions": [{"pageNumber": 1, "polygon": polygon}]}
    pairs = [
        {"key": {"content": "Case:"}, "value": value, "confidence": 0.75},
        {"key": {"content": "Judge"}, "confidence": 0.5},
        {"key": {"content": ""}, "value": {"content": "7"}, "confidence": 0.5},
    ]
    pages = [{"pageNumber": 1, "width": 4, "height": 8}]
    answer = {"analyzeResult": {"modelId": "prebuilt-layout", "keyValuePairs": pairs, "pages": pages}}
    assert services.detect(answer) == "azure_document_intelligence"
    leaf = {"value": "A-7", "confidence": 0.75, "box": [0.25, 0.125, 0.5, 0.25], "page": 1}
    assert read("azure_document_intelligence", answer) == ({"Case": [leaf]}, ["dropped a value without a key"])


def test_form_fields_of_google() -> None:
    corners = [{"x": 0.5, "y": 0.25}, {"x": 0.75, "y": 0.5}]
    value = {"textAnchor": {"content": "A-7\n"}, "confidence": 0.75, "boundingPoly": {"normalizedVertices": corners}}
    fields = [
        {"fieldName": {"textAnchor": {"content": "Case: "}}, "fieldValue": value},
        {"fieldName": {}, "fieldValue": value},
    ]
    answer = {"pages": [{"formFields": []}, {"formFields": fields}]}
    assert services.detect(answer) == "google_document_ai"
    leaf = {"value": "A-7", "confidence": 0.75, "box": [0.5, 0.25, 0.75, 0.5], "page": 2}
    assert read("google_document_ai", answer) == ({"Case": leaf}, ["dropped '?', which has no name"])


def test_form_fields_of_google_without_their_text() -> None:
    """They name where it stands in the text of the document."""
    name = {"textAnchor": {"textSegments": [{"endIndex": "5"}]}}
    value = {"textAnchor": {"textSegments": [{"startIndex": "6", "endIndex": "9"}]}, "confidence": 0.75}
    answer = {"text": "Case: A-7", "pages": [{"formFields": [{"fieldName": name, "fieldValue": value}]}]}
    assert services.to_document(answer) == ({"Case": leaf("A-7", 0.75, page=1)}, [])


def test_pages_of_textract_are_one_document() -> None:
    """What the second page repeats counts once."""
    box = (0.25, 0.25, 0.5, 0.5)
    item = {name: Value(name, 0.5, box, 2) for name in ("name", "amount")}
    invoice = Invoice({"vendor": Value("ACME", 0.5, box, 1), "total": Value("7.50", 0.5, box, 2)}, [item, item])
    answer = service_answers.textract_pages(invoice)
    repeated = "left out a field that another page has, too"
    assert services.to_document(answer) == (expected("textract_expense", invoice), [repeated])
    first = services.to_document(answer, index=0)
    assert first == ({"vendor": leaf("ACME", 0.5, box=[*box], page=1)}, ["read document 1 of 2"])
    for field in answer["ExpenseDocuments"][1]["SummaryFields"]:
        field["PageNumber"] = 1  # several receipts on a page
    assert services.to_document(answer) == first
    answer["NextToken"] = "x"
    assert services.to_document(answer).issues[0] == "further pages stand behind 'NextToken', in other answers"


def test_the_front_and_the_back_of_an_identity_document() -> None:
    def side(**texts: str) -> Any:
        return {"IdentityDocumentFields": [detected(name, text) for name, text in texts.items()]}

    answer = {
        "IdentityDocuments": [
            side(NAME="ANN", SUFFIX="", CLASS="", ID="7"),
            side(NAME="ANN", SUFFIX="", CLASS="B", ID="8"),
        ]
    }
    document = {"NAME": leaf("ANN", 1), "SUFFIX": None, "ID": [leaf("7", 1), leaf("8", 1)], "CLASS": leaf("B", 1)}
    assert services.to_document(answer) == (document, ["left out a field that another page has, too"])
    assert services.to_document(answer, index=1).document == {**document, "ID": leaf("8", 1)}
    assert services.to_document(answer, index=2).issues[0] == "expected a list of more than 2 documents, got 2"


def test_forms_and_queries_of_textract() -> None:
    blocks: list[dict[str, Any]] = [
        {"Id": "q", "BlockType": "QUERY", "Query": {"Text": "What is the date?"}},
        {"Id": "k", "BlockType": "KEY_VALUE_SET", "EntityTypes": ["KEY"], "Confidence": 50,
         "Relationships": [{"Type": "VALUE", "Ids": ["v"]}, {"Type": "CHILD", "Ids": ["w1", "w2"]}]},
        {"Id": "w1", "BlockType": "WORD", "Text": "Paid"}, {"Id": "w2", "BlockType": "WORD", "Text": "cash:"},
        {"Id": "v", "BlockType": "KEY_VALUE_SET", "EntityTypes": ["VALUE"], "Confidence": 75,
         "Relationships": [{"Type": "CHILD", "Ids": ["s", "gone"]}]},
        {"Id": "s", "BlockType": "SELECTION_ELEMENT", "SelectionStatus": "NOT_SELECTED"},
        {"Id": "e", "BlockType": "KEY_VALUE_SET", "EntityTypes": ["KEY"], "Relationships": [{"Type": "CHILD", "Ids": ["w1"]}]},
        {"Id": "o", "BlockType": "QUERY_RESULT", "Text": "lost"}, {"Id": "t", "BlockType": "TABLE"},
    ]  # fmt: skip
    found = services.to_document({"Blocks": blocks, "DocumentMetadata": {}})
    assert found.document == {"What is the date?": None, "Paid cash": leaf("NOT_SELECTED", 0.5), "Paid": None}
    assert {*found.issues} == {
        "left out a table", "dropped a link to a block that is not there", "read a key of a form without a value",
        "dropped a value without a key",
    }  # fmt: skip


def test_a_loan_package_of_textract() -> None:
    other = {
        "Type": "OTHER",
        "KeyDetection": {"Text": "Loan Term:"},
        "ValueDetections": [{"Text": "30 years", "Confidence": 50}],
    }
    mark = {"Type": "PAID", "ValueDetections": [{"SelectionStatus": "SELECTED", "Confidence": 50}]}
    empty = {"Type": "STATE", "ValueDetections": []}
    lending = {"LendingFields": [other, mark, empty], "SignatureDetections": [{"Confidence": 99}]}
    identity = {"IdentityDocumentFields": [detected("NAME", "ANN")]}
    pages = [
        {"Page": 1, "Extractions": [{"LendingDocument": lending}]}, {"Page": 2, "Extractions": [{"IdentityDocument": identity}]},
        {"Page": 3, "Extractions": []},
    ]  # fmt: skip
    found = services.to_document({"Results": pages})
    assert found.document == {
        "Loan Term": leaf("30 years", 0.5, page=1), "PAID": leaf("SELECTED", 0.5, page=1), "STATE": None,
        "NAME": leaf("ANN", 1, page=2),
    }  # fmt: skip
    assert {*found.issues} == {
        "left out a signature",
        "a page has nothing that is extracted: its type is not supported",
    }


def test_the_first_version_of_mindee() -> None:
    item = {"quantity": 2, "code": None, "confidence": 0.5, "polygon": [[0, 0], [0.5, 0.25]], "page_id": 1}
    fields = {
        "total": {"value": 7.5, "confidence": 0.75, "polygon": [[0, 0], [0.5, 0.25]], "page_id": 0, "raw_value": "7,50"},
        "taxes": [{"value": 1.5, "rate": 20, "confidence": 0.5}], "line_items": [item], "notes": [], "date": {"value": None},
    }  # fmt: skip
    found = services.to_document({"document": {"inference": {"product": {"name": "m"}, "prediction": fields}}})
    place = {"box": [0, 0, 0.5, 0.25]}
    assert found.document == {
        "total": leaf(7.5, 0.75, **place, page=1), "taxes": [leaf(1.5, 0.5)], "notes": None, "date": None,
        "line_items": [{"quantity": leaf(2, 0.5, **place, page=2), "code": None}],
    }  # fmt: skip
    assert found.issues == ["dropped 'rate' beside the value of 'taxes'"]


def test_the_first_document_with_fields_is_read() -> None:
    """Content Understanding puts the whole file before its segments."""
    contents = [{"kind": "document"}, {"fields": {"a": {"type": "string", "valueString": "1"}}}]
    found = services.to_document({"result": {"contents": contents}})
    assert found == ({"a": leaf("1")}, ["read document 2 of 2"])


def test_amounts_and_marks_in_the_spellings_of_azure() -> None:
    fields = {
        "total": {"kind": "currency", "value": {"amount": 7.5, "currencySymbol": "$"}, "content": "$7.50"},
        "paid": {"value_type": "selectionMark", "value": "selected", "content": ":selected:"},
        "none": {"value_type": "date", "value": None, "content": None, "bounding_regions": [], "confidence": 0.5},
    }
    answer = {"apiVersion": "1", "modelId": "m", "documents": [{"docType": "invoice", "fields": fields}]}
    assert services.to_document(answer) == ({"total": leaf("$7.50"), "paid": leaf("selected"), "none": None}, [])
    document = services.to_document(answer, normalized=True).document
    assert document == {"total": leaf(7.5), "paid": leaf("selected"), "none": None}


def test_rows_with_similar_keys_are_no_answers() -> None:
    rows: list[dict[str, Any]] = [
        {"model_id": "m", "documents": [{"total": "7.50"}]}, {"model_id": "m", "api_version": "1", "output": "{}"},
        {"key": "r-1", "total": "7.50"}, {"content": "x", "role": "user"}, {"candidates": ["a"]}, {"response": {"content": "x"}},
        {"Blocks": ["a"]}, {"Results": [{"a": 1}]}, {"inference": {"total": 1}}, {"form_type": "W-2", "total": "1"},
    ]  # fmt: skip
    assert {services.detect(row) for row in rows} == {None}


def test_texts_of_parents_are_no_values() -> None:
    row = detected("EXPENSE_ROW", "Bagel 3.00")
    rows = [{"LineItemExpenseFields": [detected("ITEM", "Bagel"), row]}, {"LineItemExpenseFields": [row]}]
    found = read("textract_expense", expense(LineItemGroups=[{"LineItems": rows}]))
    assert found.document == {"LineItems": [{"ITEM": leaf("Bagel", 1)}, {"EXPENSE_ROW": leaf("Bagel 3.00", 1)}]}
    found = read("azure_document_intelligence", azure({"items": {"type": "array", "content": "Bagel 3.00"}}))
    assert found == Parsed({}, ["dropped 'items', of which no value can be read"])


def test_names_and_groups_of_textract() -> None:
    vendor: Any = {"GroupProperties": [{"Types": ["VENDOR_REMIT_TO"], "Id": "g1"}]}
    both: Any = {"GroupProperties": [{"Types": ["RECEIVER_BILL_TO", "RECEIVER_SHIP_TO"], "Id": "g2"}]}
    fields = (
        detected("NAME", "ACME", **vendor), detected("CITY", "Trier", **vendor), detected("NAME", "Rossi", **both),
        detected("OTHER", "42", LabelDetection={"Text": "Order  no.:"}), detected("OTHER", "?"), detected("TAX", "1"), detected("TAX", "2"),
    )  # fmt: skip
    assert read("textract_expense", expense(*fields)).document == {
        "Order no.": leaf("42", 1), "OTHER": leaf("?", 1), "TAX": [leaf("1", 1), leaf("2", 1)],
        "VENDOR_REMIT_TO": {"NAME": leaf("ACME", 1), "CITY": leaf("Trier", 1)},
        "RECEIVER_BILL_TO": {"NAME": leaf("Rossi", 1)}, "RECEIVER_SHIP_TO": {"NAME": leaf("Rossi", 1)},
    }  # fmt: skip


SEVERAL: list[tuple[str, Any]] = [
    ("azure_document_intelligence", {"documents": [{"fields": {"a": {"content": str(n)}}} for n in range(2)]}),
    ("azure_content_understanding", {"contents": [{"fields": {"a": {"type": "string", "valueString": str(n)}}} for n in range(2)]}),
    ("textract_expense", {"ExpenseDocuments": [{"SummaryFields": [{"Type": {"Text": "a"}, "ValueDetection": {"Text": str(n)}}]} for n in range(2)]}),
    ("llama_extract", {"extract_result": [{"a": "0"}, {"a": "1"}]}),
    ("reducto", {"result": [{"a": "0"}, {"a": "1"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("service", "answer"), SEVERAL, ids=[service for service, _ in SEVERAL])
def test_several_documents_in_a_file(service: str, answer: Any) -> None:
    assert read(service, answer) == Parsed({"a": leaf("0")}, ["read document 1 of 2"])
    assert read(service, answer, index=1) == Parsed({"a": leaf("1")}, ["read document 2 of 2"])
    found = read(service, answer, index=2)
    assert found.document is None
    assert "expected a list of more than 2 documents" in found.issues[0]


def test_metadata_of_several_results() -> None:
    metadata = {"field_metadata": {"page_metadata": [{"a": {"confidence": 0.25}}, {"a": {"confidence": 0.5}}]}}
    found = read("llama_extract", {"extract_result": [{"a": "0"}, {"a": "1"}], "extract_metadata": metadata}, index=1)
    assert found.document == {"a": leaf("1", 0.5)}


def test_the_older_version_of_llama_extract() -> None:
    answer = {"data": {"phone": "1"}, "extraction_metadata": {"field_metadata": {"phone": {"confidence": 0.5}}}}
    assert services.detect(answer) == "llama_extract"
    assert read("llama_extract", answer) == Parsed({"phone": leaf("1", 0.5)}, [])


def test_the_older_version_of_extend() -> None:
    citation = {"page": 2, "polygon": [{"x": 50, "y": 100}, {"x": 100, "y": 200}], "pageWidth": 200, "pageHeight": 400}
    answer = {
        "output": {"value": {"total": 7.5}, "metadata": {"total": {"ocrConfidence": 0.5, "citations": [citation]}}}
    }
    assert read("extend", answer) == Parsed({"total": leaf(7.5, 0.5, box=[0.25, 0.25, 0.5, 0.5], page=2)}, [])
    citation |= {"polygon": None, "cellRange": "A1"}  # of a spreadsheet
    assert read("extend", answer) == Parsed({"total": leaf(7.5, 0.5, page=2)}, [])


def test_lists_whose_elements_share_their_place() -> None:
    metadata = {"field_metadata": {"document_metadata": {"tags": {"confidence": 0.5, "citation": [{"page": 2}]}}}}
    found = read("llama_extract", {"extract_result": {"tags": ["a", "b"]}, "extract_metadata": metadata})
    assert found == Parsed({"tags": [leaf("a", 0.5, page=2), leaf("b", 0.5, page=2)]}, [])


def test_a_url_in_place_of_results() -> None:
    found = read(
        "reducto",
        {"usage": {}, "job_id": "1", "result": {"type": "url", "url": "https://x.example/1", "result_id": "1"}},
    )
    assert found == Parsed(None, ["expected results, got the URL 'https://x.example/1'; download what it holds"])


@pytest.mark.parametrize(
    ("service", "answer", "issue"),
    [
        ("llama_extract", {"status": "FAILED", "extract_result": None}, "expected an object at 'extract_result', got nothing (status 'FAILED')"),
        ("extend", {"output": {"value": "x"}}, "expected an object at 'output.value', got text"),
        ("mistral", {"document_annotation": None}, "expected an object at 'document_annotation', got nothing"),
        ("google_document_ai", {"entities": {}}, "expected a list of fields at 'entities', got an object"),
        ("textract_expense", {"ExpenseDocuments": []}, "expected a list of fields at 'ExpenseDocuments', got nothing"),
        ("textract_document", {"JobStatus": "FAILED", "StatusMessage": "No."}, "expected a list of fields at 'Blocks', got nothing (status 'FAILED')"),
        ("mindee", {"inference": {"model": {"id": "1"}, "result": {"crops": []}}}, "expected an object at 'inference.result.fields', got nothing"),
        ("docling", [], "expected a JSON object, got a list"),
    ],
)  # fmt: skip
def test_answers_without_a_document(service: str, answer: object, issue: str) -> None:
    assert read(service, answer) == Parsed(None, [issue])


def test_answers_with_an_empty_document() -> None:
    assert read("azure_document_intelligence", {"documents": [{"docType": "receipt"}]}) == Parsed(
        {}, ["no 'fields' in the document"]
    )
    assert read("google_document_ai", {"entities": []}) == Parsed({}, [])
    assert read("reducto", {"result": {}}) == Parsed({}, [])


def test_boxes_of_landing_ai_stand_elsewhere() -> None:
    answer = service_answers.landing_ai(EXAMPLE)
    found = read("landing_ai", answer)
    assert found.document == read("mistral", service_answers.mistral(EXAMPLE)).document
    assert found.issues == ["read no boxes and pages: they stand in the answer of Parse; pass it as `parse`"]
    parse = service_answers.landing_ai_parse(EXAMPLE)
    chunks = [
        {"id": key, "grounding": {"page": chunk["page"], "box": chunk["box"]}}
        for key, chunk in parse["grounding"].items()
    ]
    assert read("landing_ai", answer, parse={"chunks": chunks}) == Parsed(expected("landing_ai", EXAMPLE), [])
    found = read("landing_ai", answer, parse={"grounding": {}})
    assert "dropped a place of 'vendor', which cannot be read" in found.issues


def test_an_annotation_of_mistral_that_is_cut_off() -> None:
    found = read("mistral", {"document_annotation": '{"total": "7.50", "items": [{"name": "Ba'})
    assert found == Parsed(
        {"total": leaf("7.50"), "items": [{"name": leaf("Ba")}]}, ["added the end, which is missing"]
    )


def test_links_of_docling() -> None:
    def answer(cells: str, *links: tuple[str, int, int]) -> dict[str, Any]:
        made = [
            {"label": {"k": "key", "v": "value"}[cell], "cell_id": n, "text": f"{cell}{n}"}
            for n, cell in enumerate(cells)
        ]
        ends = [{"label": label, "source_cell_id": source, "target_cell_id": target} for label, source, target in links]
        return {"schema_name": "DoclingDocument", "key_value_items": [{"graph": {"cells": made, "links": ends}}]}

    both = answer("kvv", ("to_value", 0, 1), ("to_key", 1, 0), ("to_key", 2, 0))  # one link in both directions
    assert read("docling", both) == Parsed({"k0": [leaf("v1"), leaf("v2")]}, [])
    found = read("docling", answer("kvv", ("to_value", 0, 7), ("near", 0, 1)))
    assert found.document == {}
    assert {*found.issues} == {
        "dropped a link between cells (2 times)",
        "dropped a key without a value",
        "dropped a value without a key (2 times)",
    }
    circle = read("docling", answer("kkv", ("to_child", 0, 1), ("to_child", 1, 0), ("to_value", 1, 2)))
    assert circle.document == {}
    assert {*circle.issues} == {"dropped a key without a value (2 times)", "dropped a value without a key"}
    forms = {"schema_name": "DoclingDocument", "form_items": both["key_value_items"]}
    assert read("docling", forms).document == {"k0": [leaf("v1"), leaf("v2")]}


def test_field_items_of_docling() -> None:
    """Keys and values are texts in items, which may stand in regions inside of values."""

    def node(reference: str, label: str, *children: str, text: str = "") -> dict[str, Any]:
        return {"self_ref": reference, "label": label, "children": [{"$ref": each} for each in children], "text": text}

    box = {"l": 10, "t": 80, "r": 20, "b": 60, "coord_origin": "BOTTOMLEFT"}
    answer = {
        "schema_name": "DoclingDocument",
        "texts": [
            node("#/texts/0", "field_key", text="Seller:"),
            node("#/texts/1", "field_value", "#/field_regions/0"),
            node("#/texts/2", "field_key", text="Name"),
            {**node("#/texts/3", "field_value", text="ACME"), "prov": [{"page_no": 1, "bbox": box}]},
            node("#/texts/4", "field_value", text="lost"),
            node("#/texts/5", "field_key", "#/texts/6"),
            node("#/texts/6", "text", text="Total:"),
            node("#/texts/7", "field_value", text="7.50"),
        ],
        "groups": [node("#/groups/0", "inline", "#/field_items/2")],
        "field_regions": [node("#/field_regions/0", "field_region", "#/field_items/1")],
        "field_items": [
            node("#/field_items/0", "field_item", "#/texts/0", "#/texts/1"),
            node("#/field_items/1", "field_item", "#/texts/2", "#/texts/3"),
            node("#/field_items/2", "field_item", "#/texts/4", "#/field_items/2"),
            node("#/field_items/3", "field_item", "#/texts/5", "#/texts/7", "#/nowhere"),
        ],
        "pages": {"1": {"page_no": 1, "size": {"width": 100, "height": 100}}},
    }
    assert services.detect(answer) == "docling"
    parsed = read("docling", answer)
    assert parsed.document == {
        "Seller": {"Name": {"value": "ACME", "confidence": None, "box": [0.1, 0.2, 0.2, 0.4], "page": 1}},
        "Total": {"value": "7.50", "confidence": None},
    }
    assert parsed.issues == ["dropped a value without a key"]


def test_attributes_and_ungrounded_values_of_langextract() -> None:
    answer = {"extractions": [
        {"extraction_class": "drug", "extraction_text": "aspirin", "char_interval": {"start_pos": 0, "end_pos": 7}, "attributes": {"dose": "1", "row": 1}},
        {"extraction_class": "drug", "extraction_text": "ibuprofen", "char_interval": None, "attributes": {"row": 2}},
    ], "document_id": "d"}  # fmt: skip
    found = read("langextract", answer)
    assert found.document == {"drug": [leaf("aspirin"), leaf("ibuprofen")]}
    assert {*found.issues} == {
        "dropped the attribute 'dose'", "dropped the attribute 'row' (2 times)", "read a value of 'drug' that does not stand in the text",
    }  # fmt: skip
    assert read("langextract", answer, group_by="row").document == {
        "row": [{"drug": leaf("aspirin")}, {"drug": leaf("ibuprofen")}]
    }


def test_what_cannot_be_read_is_said() -> None:
    regions = [{"pageNumber": 0, "polygon": [1, 2, 3]}, "x"]
    fields = {"a": {"content": "x", "boundingRegions": regions}, "b": "text", "c": {"valueUnknown": 1}, "d": None}
    found = read("azure_document_intelligence", azure(fields))
    assert found.document == {"a": leaf("x"), "d": None}
    assert found.issues == [
        "dropped a place of 'a', which cannot be read", "dropped the page 0 of 'a'", "dropped the box of 'a', which cannot be read",
        "dropped 'b', which is text, not an object", "dropped 'c', of which no value can be read",
    ]  # fmt: skip
    answer = {
        "extract_result": {"a": ["x"], "b": "y"},
        "extract_metadata": {"field_metadata": {"document_metadata": {"a": 7, "b": 7}}},
    }
    assert read("llama_extract", answer).issues == [
        "dropped what is said about 'a', which cannot be read",
        "dropped what is said about 'b', which cannot be read",
    ]  # fmt: skip
    nameless = read("google_document_ai", google({"mentionText": "7"}, 7))
    assert nameless == Parsed({}, ["dropped '?', which has no name (2 times)"])


def test_an_empty_text_is_no_value() -> None:
    """Textract names the fields that it has not found, with an empty text."""
    assert read("textract_expense", expense(detected("TAX", ""), detected("TOTAL", "7.50"))) == Parsed(
        {"TAX": None, "TOTAL": leaf("7.50", 1)}, []
    )


def test_metadata_of_extend_that_belong_to_no_value() -> None:
    metadata = {name: {"ocrConfidence": 0.5} for name in ("total", "items", "items[0].name", "items.0.name")}
    found = read("extend", {"output": {"value": {"total": "7.50", "items": [{"name": "Bagel"}]}, "metadata": metadata}})
    assert found.document == {"total": leaf("7.50", 0.5), "items": [{"name": leaf("Bagel", 0.5)}]}
    assert found.issues == ["dropped what is said about 'items.0.name', which is no value"]


# Names


def test_names_for_invoices_and_receipts() -> None:
    for kind in ("invoices", "receipts"):
        common = [
            {*services.names(kind, service).values()}
            for service in ("azure_document_intelligence", "textract_expense", "google_document_ai")
        ]
        assert {"vendor_name", "total", "items.amount"} <= set.intersection(*common)
    for arguments in (("invoices", "mistral"), ("../pyproject", "x")):
        with pytest.raises(ValueError, match="^expected names for 'invoices' or 'receipts' of a service, got "):
            services.names(*arguments)


def test_services_agree_under_common_names() -> None:
    row = {"LineItemExpenseFields": [detected("ITEM", "Bagel"), detected("PRICE", "3.00")]}
    textract = read("textract_expense", expense(detected("TOTAL", "7.50"), LineItemGroups=[{"LineItems": [row]}]))
    cells = {"Description": {"content": "Bagel"}, "Amount": {"content": "3.00"}}
    items = {"type": "array", "valueArray": [{"type": "object", "valueObject": cells}]}
    azure_answer = read("azure_document_intelligence", azure({"InvoiceTotal": {"content": "7.50"}, "Items": items}))
    entity = {
        "type": "line_item",
        "properties": [
            {"type": "line_item/description", "mentionText": "Bagel"},
            {"type": "line_item/amount", "mentionText": "3.00"},
        ],
    }
    google_answer = read("google_document_ai", google({"type": "total_amount", "mentionText": "7.50"}, entity))
    reference = {"total": "7.50", "items": [{"description": "Bagel", "amount": "3.00"}]}
    found = {
        "textract_expense": textract,
        "azure_document_intelligence": azure_answer,
        "google_document_ai": google_answer,
    }
    for service, answer in found.items():
        assert isinstance(answer.document, dict)
        document = services.renamed(answer.document, services.names("invoices", service))
        assert kieval.score(kieval.count(document, reference))["entity_f1"] == 1


RENAMED: list[tuple[dict[str, Any], dict[str, str], dict[str, Any]]] = [
    ({"a": "1", "b": "2"}, {"a": "x"}, {"x": "1", "b": "2"}),
    ({"a": "1", "b": ["2", "3"]}, {"a": "x", "b": "x"}, {"x": ["1", "2", "3"]}),
    ({"g": [{"a": leaf("1"), "b": "2"}]}, {"g.a": "h.x"}, {"h": [{"x": leaf("1"), "b": "2"}]}),
    ({"g": [{"a": "1"}, {"a": "2"}]}, {"g.a": "x"}, {"x": ["1", "2"]}),
    ({"g": {"a": "1", "b": "2"}}, {"g.a": "x"}, {"g": {"b": "2"}, "x": "1"}),
    ({"a": "1", "b": "2"}, {"a": "g.x", "b": "g.y"}, {"g": {"x": "1", "y": "2"}}),
    ({"g": [], "h": {}, "n": None}, {"g": "x", "h": "y", "n": "z"}, {"x": [], "y": {}, "z": None}),
    ({"a": "1", "b": "2"}, {"a": "b", "b": "a"}, {"b": "1", "a": "2"}),
]  # fmt: skip


@pytest.mark.parametrize(("document", "mapping", "result"), RENAMED)
def test_renamed(document: dict[str, Any], mapping: dict[str, str], result: dict[str, Any], tmp_path: Any) -> None:
    before = copy.deepcopy(document)
    assert services.renamed(document, mapping) == result
    assert document == before
    (tmp_path / "names.json").write_text(json.dumps(mapping), encoding="utf-8")
    (tmp_path / "names.yaml").write_text("".join(f"{old}: '{new}'\n" for old, new in mapping.items()), encoding="utf-8")
    assert services.renamed(document, tmp_path / "names.json") == result
    assert services.renamed(document, str(tmp_path / "names.yaml")) == (
        {"z": None, **result} if "n" in document else result
    )


@pytest.mark.parametrize("mapping", [{"a": 7}, ["a"], {7: "a"}])
def test_what_is_no_mapping(mapping: Any) -> None:
    with pytest.raises(ValueError, match="^expected a mapping from names to names, got "):
        services.renamed({"a": "1"}, mapping)


# Broken answers

ODD: list[Any] = [
    None,
    7,
    -1,
    0.5,
    float("nan"),
    float("inf"),
    10**400,
    True,
    "",
    "x",
    "D(1,2)",
    "D(x,y)",
    [],
    {},
    [[]],
    [{}],
    {"x": 1},
    ["a", 7],
    object(),
    b"x",
    {1},
]


def check(found: Parsed) -> None:
    """A document that every metric reads, or a reason why there is none."""
    assert isinstance(found, Parsed)
    assert all(isinstance(issue, str) and "\n" not in issue for issue in found.issues)
    if found.document is None:
        assert found.issues
    else:
        parse_document(found.document, "prediction")
        json.dumps(found.document)


@pytest.mark.parametrize("service", WRITERS)
@times(4_000, 200)
def test_no_answer_is_too_broken(service: str, times: int) -> None:
    mutator = Mutator([json.dumps(WRITERS[service](EXAMPLE))], random.Random(service), [*'{}[]",:0"x', "null"])
    answer, read_it = WRITERS[service](EXAMPLE), reader(service, EXAMPLE)
    for _ in range(times):
        broken = mutator.value(answer, ODD)
        services.detect(broken)
        check(read_it(broken))
    for _ in range(times // 10):
        check(read_it(mutator.text()))


FORMS: list[tuple[str, Any]] = [  # special forms of fields
    ("azure_document_intelligence", azure({f"x{n}": field for n, (field, _, _) in enumerate(AZURE_FIELDS)})),
    ("google_document_ai", google({"type": "a", "normalizedValue": {"moneyValue": {"units": "3", "nanos": 5}}},
                                         {"type": "b", "normalizedValue": {"dateValue": {"year": 2024, "month": 2, "day": 1}}})),
    ("textract_id", {"IdentityDocuments": [{"IdentityDocumentFields": [{"Type": {"Text": "a"}, "ValueDetection": {"NormalizedValue": {"Value": "x"}}}]}]}),
    ("textract_expense", expense(detected("NAME", "ACME", GroupProperties=[{"Types": ["VENDOR"], "Id": "1"}]), LineItemGroups=[{"LineItems": [{"LineItemExpenseFields": [detected("EXPENSE_ROW", "x")]}]}])),
    ("landing_ai", {"grounding": {"a": {"page": 0, "box": {"left": 0.5}}}, "chunks": [{"id": "b", "grounding": {}}]}),
]  # fmt: skip


@times(20_000, 200)
def test_no_form_is_too_broken(times: int) -> None:
    mutator = Mutator([""], random.Random(7), [*"xv"])
    landing = service_answers.landing_ai(EXAMPLE)
    for service, answer in FORMS:
        for _ in range(times // len(FORMS)):
            broken = mutator.value(answer, ODD)
            is_parse = service == "landing_ai"
            check(read(service, landing, parse=broken) if is_parse else read(service, broken, normalized=True))


def parts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in an answer."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, child in children for found in [(*path, key), *parts(child, (*path, key))]]


def replaced(value: Any, path: tuple[Any, ...], new: object) -> Any:
    result = copy.deepcopy(value)
    holder = result
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = new
    return result


PLAIN = {
    "llama_extract": ("extract_result",),
    "reducto": ("result",),
    "extend": ("output", "value"),
    "landing_ai": ("extraction",),
    "mistral": ("document_annotation",),
    "openai_batch": ("response", "body", "choices", 0, "message", "content"),
    "anthropic_batch": ("result", "message", "content", 2, "input"),
    "gemini_batch": ("response", "candidates", 0, "content", "parts", 1, "text"),
}
"""Where plain JSON values stand, of which any may be right."""


def known(document: Any) -> list[str]:
    """What leaves say: their values, and of which there are confidences, boxes and pages."""
    if isinstance(document, dict) and "value" in document:
        return [key for key, each in document.items() if each is not None]
    children = document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    return [key for child in children for key in known(child)]


@pytest.mark.parametrize("service", WRITERS)
@pytest.mark.parametrize(
    "odd",
    [-7.25, *(pytest.param(each, marks=pytest.mark.exhaustive) for each in (True, "odd", ["odd"])), {"odd": 1}],
    ids=str,
)
def test_every_loss_is_said(service: str, odd: object) -> None:
    """Each part of an answer in turn is of a wrong type. Either nothing is lost by it, or the issues say so."""
    answer, read_it = WRITERS[service](EXAMPLE), reader(service, EXAMPLE)
    whole = Counter(known(read_it(answer).document))
    start = PLAIN.get(service, ("",))
    silent = []
    for path in parts(answer):
        found = read_it(replaced(answer, path, odd))
        check(found)
        lost = whole - Counter(known(found.document))
        if lost and not found.issues and (path[: len(start)] != start or "citations" in path):
            silent.append((path, lost))
    assert silent == []


def test_answers_nested_in_themselves_and_very_deep() -> None:
    holder: dict[str, Any] = {"type": "object"}
    holder["valueObject"] = {"x": holder}
    check(read("azure_document_intelligence", azure({"a": holder})))
    deep: Any = "x"
    for _ in range(5000):
        deep = {"a": deep}
    check(read("mistral", {"document_annotation": deep}))
    check(read("mistral", {"document_annotation": json.dumps({"a": "b"})[:-1] * 3}))
    chain = [{"label": "key", "cell_id": number, "text": "k"} for number in range(20000)]
    links = [{"label": "to_child", "source_cell_id": number, "target_cell_id": number + 1} for number in range(19999)]
    check(read("docling", {"key_value_items": [{"graph": {"cells": chain, "links": links}}]}))
