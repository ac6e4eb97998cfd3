"""Answers of services, written from known values: what each service would have answered. No adapter is imported here.

The shapes are those of the services' Python packages (azure-ai-documentintelligence 1.0, azure-ai-contentunderstanding
1.1, google-cloud-documentai 3.16, llama-cloud 2.19, reductoai 0.25, extend-ai 1.20, landingai-ade 1.18, mistralai 3.7,
docling-core 2.104, langextract 1.7, anthropic 2.13, google-genai 3.6), of Textract's service model in botocore 1.44, and
of recorded answers of Form Recognizer 2.1 and Mindee.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

SIZES = {1: (8.5, 11.0), 2: (600.0, 800.0)}
"""Widths and heights of the pages, in the unit of the service."""


class Value(NamedTuple):
    """A value, and where it stands: the box in shares of the page."""

    text: str
    confidence: float
    box: tuple[float, float, float, float]
    page: int


Fields = dict[str, Value]
Answer = dict[str, Any]


class Invoice(NamedTuple):
    """A document with header fields and line items."""

    header: Fields
    items: list[Fields]


class Written(NamedTuple):
    """What a service writes.

    Attributes:
        form: its name in the table of all forms, with what a user types; "" if the table has it in a form of its own.
        carries: what is read of a value beside its text.
        has_items: whether there are line items.
        checked: "the package" if the service's own package accepts it (`tests/adapters/test_service_packages.py`), or
            "built" as its documentation says.
    """

    form: str
    carries: tuple[str, ...]
    has_items: bool
    checked: str


WRITERS: dict[str, Callable[[Invoice], Answer]] = {}
"""What writes the answers of a service, by its name."""
WRITTEN: dict[str, Written] = {}


def service(
    form: str = "",
    *,
    carries: tuple[str, ...] = ("confidence", "box", "page"),
    has_items: bool = True,
    checked: str = "the package",
) -> Callable[[Callable[[Invoice], Answer]], Callable[[Invoice], Answer]]:
    """Decorates a writer that has the name of its service: all tests of services, and the table of forms, have it."""

    def registered(write: Callable[[Invoice], Answer]) -> Callable[[Invoice], Answer]:
        WRITERS[write.__name__] = write
        WRITTEN[write.__name__] = Written(form, carries, has_items, checked)
        return write

    return registered


def lengths(value: Value) -> tuple[float, float, float, float]:
    """The box of a value in the unit of the service."""
    (x0, y0, x1, y1), (width, height) = value.box, SIZES[value.page]
    return x0 * width, y0 * height, x1 * width, y1 * height


def polygon(value: Value) -> list[float]:
    x0, y0, x1, y1 = lengths(value)
    return [x0, y0, x1, y0, x1, y1, x0, y1]


def tree(invoice: Invoice, leaf: Callable[[Value], Any]) -> Answer:
    """An object with the fields, and a list of the items."""
    items = [{name: leaf(value) for name, value in item.items()} for item in invoice.items]
    return {**{name: leaf(value) for name, value in invoice.header.items()}, "items": items}


@service()
def azure_document_intelligence(invoice: Invoice) -> Answer:
    def field(value: Value) -> Answer:
        region = {"pageNumber": value.page, "polygon": polygon(value)}
        return {"type": "string", "valueString": f"={value.text}", "content": value.text, "confidence": value.confidence,
                "boundingRegions": [region], "spans": [{"offset": 0, "length": 1}]}  # fmt: skip

    fields = tree(invoice, field)
    items = [{"type": "object", "valueObject": item, "content": "the whole row"} for item in fields.pop("items")]
    pages = [
        {"pageNumber": page, "width": width, "height": height, "unit": "inch", "words": []}
        for page, (width, height) in SIZES.items()
    ]
    document = {
        "docType": "invoice",
        "confidence": 1,
        "fields": {**fields, "items": {"type": "array", "valueArray": items}},
    }
    result = {"apiVersion": "2024-11-30", "modelId": "prebuilt-invoice", "content": "", "pages": pages}
    return {"status": "succeeded", "analyzeResult": {**result, "documents": [document]}}


def azure_to_dict(invoice: Invoice) -> Answer:
    """As `AnalyzeResult.to_dict` of azure-ai-formrecognizer writes it."""

    def field(kind: str, value: Any, content: str | None, confidence: float | None, *regions: Answer) -> Answer:
        return {"value_type": kind, "value": value, "content": content, "bounding_regions": [*regions], "spans": [],
                "confidence": confidence}  # fmt: skip

    def leaf(value: Value) -> Answer:
        region = {"page_number": value.page, "polygon": points(value)}
        return field("string", f"={value.text}", value.text, value.confidence, region)

    fields = tree(invoice, leaf)
    items = [field("dictionary", item, "the whole row", 0.5) for item in fields.pop("items")]
    pages = [{"page_number": page, "width": w, "height": h, "unit": "inch"} for page, (w, h) in SIZES.items()]
    document = {"doc_type": "invoice", "confidence": 1.0, "spans": [], "bounding_regions": [],
                "fields": {**fields, "items": field("list", items, None, None)}}  # fmt: skip
    return {"api_version": "2023-07-31", "model_id": "prebuilt-invoice", "content": "", "pages": pages,
            "documents": [document]}  # fmt: skip


def azure_javascript(invoice: Invoice) -> Answer:
    """As the objects of @azure/ai-form-recognizer are written."""

    def leaf(value: Value) -> Answer:
        region = {"pageNumber": value.page, "polygon": points(value)}
        return {"kind": "string", "value": f"={value.text}", "content": value.text, "boundingRegions": [region],
                "spans": [], "confidence": value.confidence}  # fmt: skip

    fields = tree(invoice, leaf)
    items = [{"kind": "object", "properties": item, "content": "the whole row"} for item in fields.pop("items")]
    pages = [{"pageNumber": page, "width": w, "height": h, "unit": "inch"} for page, (w, h) in SIZES.items()]
    document = {
        "docType": "invoice",
        "confidence": 1,
        "fields": {**fields, "items": {"kind": "array", "values": items}},
    }
    return {"apiVersion": "2023-07-31", "modelId": "prebuilt-invoice", "content": "", "pages": pages,
            "documents": [document]}  # fmt: skip


@service("Azure Form Recognizer 2.1")
def azure_form_recognizer(invoice: Invoice) -> Answer:
    """Version 2.1 of the service."""

    def field(value: Value) -> Answer:
        return {"type": "string", "valueString": f"={value.text}", "text": value.text, "boundingBox": polygon(value),
                "page": value.page, "confidence": value.confidence, "elements": []}  # fmt: skip

    fields = tree(invoice, field)
    items = [{"type": "object", "valueObject": item} for item in fields.pop("items")]
    pages = [{"page": page, "angle": 0, "width": w, "height": h, "unit": "inch"} for page, (w, h) in SIZES.items()]
    document = {"docType": "prebuilt:invoice", "pageRange": [1, 2],
                "fields": {**fields, "items": {"type": "array", "valueArray": items}}}  # fmt: skip
    result = {"version": "2.1.0", "readResults": pages, "pageResults": [], "documentResults": [document]}
    return {"status": "succeeded", "createdDateTime": "2026-01-01T00:00:00Z", "analyzeResult": result}


def points(value: Value) -> list[Answer]:
    numbers = polygon(value)
    return [{"x": x, "y": y} for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


@service("Azure Content Understanding")
def azure_content_understanding(invoice: Invoice) -> Answer:
    def field(value: Value) -> Answer:
        source = f"D({value.page},{','.join(map(str, polygon(value)))})"
        return {"type": "string", "valueString": value.text, "confidence": value.confidence, "source": source}

    fields = tree(invoice, field)
    items = [{"type": "object", "valueObject": item} for item in fields.pop("items")]
    pages = [{"pageNumber": page, "width": width, "height": height} for page, (width, height) in SIZES.items()]
    content = {"kind": "document", "unit": "inch", "pages": pages,
               "fields": {**fields, "items": {"type": "array", "valueArray": items}}}  # fmt: skip
    return {"status": "Succeeded", "result": {"analyzerId": "prebuilt-invoice", "contents": [content]}}


def _textract_field(name: str, value: Value) -> Answer:
    x0, y0, x1, y1 = value.box
    box = {"Left": x0, "Top": y0, "Width": x1 - x0, "Height": y1 - y0}
    detection = {"Text": value.text, "Confidence": 100 * value.confidence, "Geometry": {"BoundingBox": box}}
    return {"Type": {"Text": name, "Confidence": 100.0}, "ValueDetection": detection, "PageNumber": value.page}


@service()
def textract_expense(invoice: Invoice) -> Answer:
    rows = []
    for item in invoice.items:
        fields = [_textract_field(name, value) for name, value in item.items()]
        row = {"Type": {"Text": "EXPENSE_ROW", "Confidence": 99.0}, "ValueDetection": {"Text": "the whole row"}}
        rows.append({"LineItemExpenseFields": [*fields, row]})
    groups = [{"LineItemGroupIndex": 1, "LineItems": rows}]
    summary = [_textract_field(name, value) for name, value in invoice.header.items()]
    return {"ExpenseDocuments": [{"ExpenseIndex": 1, "SummaryFields": summary, "LineItemGroups": groups}]}


def textract_pages(invoice: Invoice) -> Answer:
    """An ExpenseDocument for each page, of which the second repeats a field of the first."""
    made = []
    for page in SIZES:
        header = {name: value for name, value in invoice.header.items() if value.page == page}
        items = [item for item in invoice.items if {value.page for value in item.values()} == {page}]
        answer = textract_expense(Invoice(header, items))["ExpenseDocuments"][0]
        made.append({**answer, "ExpenseIndex": page})
    repeated = made[0]["SummaryFields"][:1]
    made[1]["SummaryFields"] += [{**field, "PageNumber": 2} for field in repeated]
    return {"DocumentMetadata": {"Pages": 2}, "JobStatus": "SUCCEEDED", "ExpenseDocuments": made}


@service("AWS Textract AnalyzeID", carries=("confidence",), has_items=False)
def textract_id(invoice: Invoice) -> Answer:
    fields = []
    for name, value in invoice.header.items():
        detection = {"Text": value.text, "Confidence": 100 * value.confidence}
        fields.append({"Type": {"Text": name, "Confidence": 100.0}, "ValueDetection": detection})
    return {"IdentityDocuments": [{"DocumentIndex": 1, "IdentityDocumentFields": fields}]}


@service()
def textract_lending(invoice: Invoice) -> Answer:
    """A page of a loan package for each page, and the line items as a receipt in it."""
    results: list[Answer] = []
    for page in SIZES:
        fields = []
        for name, value in invoice.header.items():
            if value.page == page:
                found = _textract_field(name, value)["ValueDetection"]
                fields.append({"Type": name, "ValueDetections": [found]})
        kind = {
            "PageType": [{"Value": "PAYSLIPS", "Confidence": 99.5}],
            "PageNumber": [{"Value": "1", "Confidence": 99.5}],
        }
        lending = {"LendingDocument": {"LendingFields": fields, "SignatureDetections": []}}
        results.append({"Page": page, "PageClassification": kind, "Extractions": [lending]})
    receipt = {**textract_expense(invoice)["ExpenseDocuments"][0], "SummaryFields": []}
    results[0]["Extractions"].append({"ExpenseDocument": receipt})
    return {"DocumentMetadata": {"Pages": 2}, "JobStatus": "SUCCEEDED", "Results": results,
            "AnalyzeLendingModelVersion": "1.0"}  # fmt: skip


@service("AWS Textract AnalyzeDocument, forms and queries", has_items=False)
def textract_document(invoice: Invoice) -> Answer:
    """A query for the first value, and the others as pairs of a form."""
    blocks: list[Answer] = [{"BlockType": "PAGE", "Id": "p", "Page": 1}]

    def add(kind: str, more: Answer, **links: list[str]) -> str:
        related = [{"Type": name, "Ids": ids} for name, ids in links.items()]
        blocks.append(
            {"BlockType": kind, "Id": f"b{len(blocks)}", **more, **({"Relationships": related} if related else {})}
        )
        return str(blocks[-1]["Id"])

    for number, (name, value) in enumerate(invoice.header.items()):
        place = _textract_field(name, value)["ValueDetection"]
        facts = {"Confidence": place["Confidence"], "Geometry": place["Geometry"], "Page": value.page}
        if not number:
            answer = add("QUERY_RESULT", {**facts, "Text": value.text})
            add("QUERY", {"Query": {"Text": f"What is the {name}?", "Alias": name}}, ANSWER=[answer])
            continue
        label = add("WORD", {"Text": f"{name}:", "Page": value.page})
        word = add("WORD", {"Text": value.text, "Page": value.page})
        found = add("KEY_VALUE_SET", {**facts, "EntityTypes": ["VALUE"]}, CHILD=[word])
        key = {"EntityTypes": ["KEY"], "Confidence": place["Confidence"], "Page": value.page}
        add("KEY_VALUE_SET", key, VALUE=[found], CHILD=[label])
    return {"DocumentMetadata": {"Pages": 1}, "Blocks": blocks, "AnalyzeDocumentModelVersion": "1.0"}


@service()
def google_document_ai(invoice: Invoice) -> Answer:
    """As REST writes it: without the page of the first page, and without coordinates that are 0."""

    def entity(name: str, value: Value) -> Answer:
        x0, y0, x1, y1 = value.box
        corners = [{"x": x0, "y": y0}, {"x": x1, "y": y0}, {"x": x1, "y": y1}, {"x": x0, "y": y1}]
        vertices = [{axis: number for axis, number in corner.items() if number} for corner in corners]
        reference: Answer = {"boundingPoly": {"normalizedVertices": vertices}}
        if value.page > 1:
            reference["page"] = str(value.page - 1)
        return {"type": name, "mentionText": value.text, "confidence": value.confidence,
                "pageAnchor": {"pageRefs": [reference]}}  # fmt: skip

    entities = [entity(name, value) for name, value in invoice.header.items()]
    for item in invoice.items:
        parts = [entity(f"line_item/{name}", value) for name, value in item.items()]
        entities.append({"type": "line_item", "mentionText": "the whole row", "confidence": 0.5, "properties": parts})
    return {"mimeType": "application/pdf", "text": "", "entities": entities}


@service("LlamaExtract")
def llama_extract(invoice: Invoice) -> Answer:
    def metadata(value: Value) -> Answer:
        (x0, y0, x1, y1), (width, height) = lengths(value), SIZES[value.page]
        citation = {"page": value.page, "matching_text": value.text,
                    "bounding_boxes": [{"x": x0, "y": y0, "w": x1 - x0, "h": y1 - y0}],
                    "page_dimensions": {"width": width, "height": height}}  # fmt: skip
        return {"confidence": value.confidence, "citation": [citation]}

    fields = {"field_metadata": {"document_metadata": tree(invoice, metadata)}}
    return {"id": "1", "status": "COMPLETED", "extract_result": tree(invoice, _text), "extract_metadata": fields}


def _text(value: Value) -> str:
    return value.text


def _citation(value: Value) -> Answer:
    x0, y0, x1, y1 = value.box
    box = {"left": x0, "top": y0, "width": x1 - x0, "height": y1 - y0, "page": 1, "original_page": value.page}
    granular = {"extract_confidence": value.confidence, "parse_confidence": 1.0}
    return {"type": "Text", "content": value.text, "bbox": box, "confidence": "high", "granular_confidence": granular}


@service("Reducto, with citations in the result")
def reducto(invoice: Invoice) -> Answer:
    result = tree(invoice, lambda value: {"value": value.text, "citations": [_citation(value)]})
    return {"job_id": "1", "response_type": "extract", "usage": {}, "result": result}


def reducto_legacy(invoice: Invoice) -> Answer:
    citations = [tree(invoice, lambda value: [_citation(value)])]
    return {"job_id": "1", "usage": {}, "result": [tree(invoice, _text)], "citations": citations}


@service("Extend")
def extend(invoice: Invoice) -> Answer:
    def metadata(value: Value) -> Answer:
        (x0, y0, x1, y1), (width, height) = lengths(value), SIZES[value.page]
        page = {"number": value.page, "width": width, "height": height}
        points = [{"x": x0, "y": y0}, {"x": x1, "y": y0}, {"x": x1, "y": y1}, {"x": x0, "y": y1}]
        return {"ocrConfidence": 1.0, "logprobsConfidence": value.confidence, "reviewAgentScore": 5,
                "citations": [{"page": page, "polygon": points, "referenceText": value.text}]}  # fmt: skip

    by_path = {name: metadata(value) for name, value in invoice.header.items()}
    for number, item in enumerate(invoice.items):
        by_path |= {f"items[{number}].{name}": metadata(value) for name, value in item.items()}
    output = {"value": tree(invoice, _text), "metadata": by_path}
    return {"object": "extract_run", "id": "1", "status": "PROCESSED", "output": output}


@service("LandingAI ADE", carries=())
def landing_ai(invoice: Invoice) -> Answer:
    metadata = tree(invoice, lambda value: {"value": value.text, "references": [_chunk_id(value)]})
    return {"extraction": tree(invoice, _text), "extraction_metadata": metadata, "metadata": {"job_id": "1"}}


def _chunk_id(value: Value) -> str:
    return json.dumps([value.page, *value.box])


def landing_ai_parse(invoice: Invoice) -> Answer:
    """The answer of Parse: a chunk for each value, on pages from 0."""
    chunks = {}
    for value in values_of(invoice):
        box = dict(zip(("left", "top", "right", "bottom"), value.box, strict=True))
        chunks[_chunk_id(value)] = {"page": value.page - 1, "box": box, "type": "chunkText"}
    return {"markdown": "", "grounding": chunks}


def values_of(invoice: Invoice) -> Iterator[Value]:
    for fields in (invoice.header, *invoice.items):
        yield from fields.values()


@service("Mistral OCR", carries=())
def mistral(invoice: Invoice) -> Answer:
    pages = [{"index": 0, "markdown": "", "dimensions": {"dpi": 200, "width": 1700, "height": 2200}}]
    return {"pages": pages, "model": "m", "usage_info": {}, "document_annotation": json.dumps(tree(invoice, _text))}


@service("Mindee", carries=("box", "page"))
def mindee(invoice: Invoice) -> Answer:
    def field(value: Value) -> Answer:
        x0, y0, x1, y1 = value.box
        place = {"page": value.page - 1, "polygon": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}
        return {"value": value.text, "confidence": None, "locations": [place]}

    fields = tree(invoice, field)
    items = [{"fields": item, "confidence": None, "locations": []} for item in fields.pop("items")]
    result = {"fields": {**fields, "items": {"items": items}}, "raw_text": None}
    model = {"id": "00000000-0000"}
    return {"inference": {"id": "1", "model": model, "file": {"name": "f.pdf", "page_count": 2}, "result": result}}


def mindee_first_version(invoice: Invoice) -> Answer:
    """A line of a list has plain values, with the confidence and the place of the first one."""

    def about(value: Value) -> Answer:
        x0, y0, x1, y1 = value.box
        polygon = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        return {"confidence": value.confidence, "polygon": polygon, "page_id": value.page - 1}

    fields = {name: {"value": value.text, "raw_value": "?", **about(value)} for name, value in invoice.header.items()}
    items = []
    for item in invoice.items:
        first, *_ = item.values()
        items.append({**{name: value.text for name, value in item.items()}, "unit_price": None, **about(first)})
    inference = {"product": {"name": "mindee/invoices"}, "prediction": {**fields, "items": items}, "pages": []}
    return {"api_request": {"status": "success"}, "document": {"id": "1", "name": "f.pdf", "inference": inference}}


@service("docling", carries=("box", "page"))
def docling(invoice: Invoice) -> Answer:
    cells: list[Answer] = []
    links: list[Answer] = []

    def add(label: str, text: str, value: Value | None = None) -> int:
        cell: Answer = {"label": label, "cell_id": len(cells), "text": text, "orig": text}
        if value is not None:
            (x0, y0, x1, y1), height = lengths(value), SIZES[value.page][1]
            box = {"l": x0, "t": height - y0, "r": x1, "b": height - y1, "coord_origin": "BOTTOMLEFT"}
            cell["prov"] = {"page_no": value.page, "bbox": box, "charspan": [0, 1]}
        cells.append(cell)
        return len(cells) - 1

    def add_fields(fields: Fields, parent: int | None) -> None:
        for name, value in fields.items():
            key = add("key", f"{name}:")
            links.append(
                {"label": "to_value", "source_cell_id": key, "target_cell_id": add("value", value.text, value)}
            )
            if parent is not None:
                links.append({"label": "to_parent", "source_cell_id": key, "target_cell_id": parent})

    add_fields(invoice.header, None)
    for item in invoice.items:
        add_fields(item, add("key", "items"))
    pages = {str(page): {"page_no": page, "size": {"width": w, "height": h}} for page, (w, h) in SIZES.items()}
    items = [{"label": "key_value_region", "graph": {"cells": cells, "links": links}}]
    return {
        "schema_name": "DoclingDocument",
        "version": "1.10.0",
        "pages": pages,
        "tables": [],
        "key_value_items": items,
    }


@service(carries=())
def langextract(invoice: Invoice) -> Answer:
    def extraction(name: str, value: Value, attributes: Answer | None) -> Answer:
        return {"extraction_class": name, "extraction_text": value.text, "char_interval": {"start_pos": 0, "end_pos": 1},
                "alignment_status": "match_exact", "extraction_index": 1, "group_index": 0, "description": None,
                "attributes": attributes}  # fmt: skip

    found = [extraction(name, value, None) for name, value in invoice.header.items()]
    for number, item in enumerate(invoice.items):
        found += [extraction(name, value, {"items": str(number)}) for name, value in item.items()]
    return {"extractions": found, "text": "", "document_id": "r-1"}


def tokens_of(invoice: Invoice) -> list[tuple[str, float]]:
    """An answer in JSON as tokens and their log-probabilities: a token for each value, and one for what is between."""
    values: list[Value] = []

    def leaf(value: Value) -> str:
        values.append(value)
        return f"@{len(values) - 1}@"

    tokens = []
    for place, piece in enumerate(re.split(r"@(\d+)@", json.dumps(tree(invoice, leaf)))):
        value = values[int(piece)] if place % 2 else None
        text = piece if value is None else json.dumps(value.text, ensure_ascii=False)[1:-1]
        tokens.append((text, 0.0 if value is None else math.log(value.confidence)))
    return tokens


def text_of(invoice: Invoice) -> str:
    return "".join(text for text, _ in tokens_of(invoice))


@service(carries=("confidence",))
def openai_batch(invoice: Invoice) -> Answer:
    """A chat completion in JSON, with log-probabilities."""
    tokens = [
        {"token": text, "logprob": logprob, "bytes": [*text.encode()], "top_logprobs": []}
        for text, logprob in tokens_of(invoice)
    ]
    message = {"role": "assistant", "content": text_of(invoice), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": {"content": tokens}, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 9}}
    response = {"status_code": 200, "request_id": "q", "body": body}
    return {"id": "b", "custom_id": "r-1", "response": response, "error": None}


@service(carries=("confidence",))
def anthropic_batch(invoice: Invoice) -> Answer:
    """A message, whose answer is the input of a tool."""
    content = [{"type": "thinking", "thinking": "?", "signature": "s"}, {"type": "text", "text": ""},
               {"type": "tool_use", "id": "t", "name": "extract", "input": tree(invoice, _text)}]  # fmt: skip
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
               "stop_reason": "tool_use", "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 9}}  # fmt: skip
    return {"custom_id": "r-1", "result": {"type": "succeeded", "message": message}}


@service(carries=("confidence",))
def gemini_batch(invoice: Invoice) -> Answer:
    """A candidate with a thought and the answer in JSON, with log-probabilities."""
    chosen = [{"token": text, "tokenId": 1, "logProbability": logprob} for text, logprob in tokens_of(invoice)]
    parts = [{"text": "The total is printed twice.", "thought": True}, {"text": text_of(invoice)}]
    candidate = {"content": {"parts": parts, "role": "model"}, "finishReason": "STOP", "index": 0,
                 "logprobsResult": {"chosenCandidates": chosen}}  # fmt: skip
    response = {
        "candidates": [candidate],
        "usageMetadata": {"totalTokenCount": 9},
        "modelVersion": "m",
        "responseId": "1",
    }
    return {"key": "r-1", "response": response}
