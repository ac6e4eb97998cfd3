"""Answers of services, written from known values: what each service would have answered. No adapter is imported here.

The shapes are those of the services' Python packages (azure-ai-documentintelligence 1.0, azure-ai-contentunderstanding
1.1, google-cloud-documentai 3.16, llama-cloud 2.19, reductoai 0.25, extend-ai 1.20, landingai-ade 1.18, mistralai 3.7,
docling-core 2.104, langextract 1.7) and of Textract's service model in botocore 1.44.
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


def textract_expense(invoice: Invoice) -> Answer:
    rows = []
    for item in invoice.items:
        fields = [_textract_field(name, value) for name, value in item.items()]
        row = {"Type": {"Text": "EXPENSE_ROW", "Confidence": 99.0}, "ValueDetection": {"Text": "the whole row"}}
        rows.append({"LineItemExpenseFields": [*fields, row]})
    groups = [{"LineItemGroupIndex": 1, "LineItems": rows}]
    summary = [_textract_field(name, value) for name, value in invoice.header.items()]
    return {"ExpenseDocuments": [{"ExpenseIndex": 1, "SummaryFields": summary, "LineItemGroups": groups}]}


def textract_id(invoice: Invoice) -> Answer:
    fields = []
    for name, value in invoice.header.items():
        detection = {"Text": value.text, "Confidence": 100 * value.confidence}
        fields.append({"Type": {"Text": name, "Confidence": 100.0}, "ValueDetection": detection})
    return {"IdentityDocuments": [{"DocumentIndex": 1, "IdentityDocumentFields": fields}]}


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


def reducto(invoice: Invoice) -> Answer:
    result = tree(invoice, lambda value: {"value": value.text, "citations": [_citation(value)]})
    return {"job_id": "1", "response_type": "extract", "usage": {}, "result": result}


def reducto_legacy(invoice: Invoice) -> Answer:
    citations = [tree(invoice, lambda value: [_citation(value)])]
    return {"job_id": "1", "usage": {}, "result": [tree(invoice, _text)], "citations": citations}


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


def mistral(invoice: Invoice) -> Answer:
    pages = [{"index": 0, "markdown": "", "dimensions": {"dpi": 200, "width": 1700, "height": 2200}}]
    return {"pages": pages, "model": "m", "usage_info": {}, "document_annotation": json.dumps(tree(invoice, _text))}


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


def langextract(invoice: Invoice) -> Answer:
    def extraction(name: str, value: Value, attributes: Answer | None) -> Answer:
        return {"extraction_class": name, "extraction_text": value.text, "char_interval": {"start_pos": 0, "end_pos": 1},
                "alignment_status": "match_exact", "extraction_index": 1, "group_index": 0, "description": None,
                "attributes": attributes}  # fmt: skip

    found = [extraction(name, value, None) for name, value in invoice.header.items()]
    for number, item in enumerate(invoice.items):
        found += [extraction(name, value, {"items": str(number)}) for name, value in item.items()]
    return {"extractions": found, "text": "", "document_id": "r-1"}


def openai_batch(invoice: Invoice) -> Answer:
    """A chat completion in JSON, with log-probabilities: one token for each value, and one for what is between."""
    values: list[Value] = []

    def leaf(value: Value) -> str:
        values.append(value)
        return f"@{len(values) - 1}@"

    pieces = re.split(r"@(\d+)@", json.dumps(tree(invoice, leaf)))
    tokens = []
    for place, piece in enumerate(pieces):
        value = values[int(piece)] if place % 2 else None
        text = piece if value is None else json.dumps(value.text, ensure_ascii=False)[1:-1]
        logprob = 0.0 if value is None else math.log(value.confidence)
        tokens.append({"token": text, "logprob": logprob, "bytes": [*text.encode()], "top_logprobs": []})
    message = {"role": "assistant", "content": "".join(str(token["token"]) for token in tokens), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": {"content": tokens}, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 9}}
    response = {"status_code": 200, "request_id": "q", "body": body}
    return {"id": "b", "custom_id": "r-1", "response": response, "error": None}


WRITERS: dict[str, Callable[[Invoice], Answer]] = {
    writer.__name__: writer
    for writer in (
        azure_document_intelligence, azure_content_understanding, textract_expense, textract_id, google_document_ai,
        llama_extract, reducto, extend, landing_ai, mistral, docling, langextract,
        openai_batch,
    )
}  # fmt: skip
"""One for each service, by the name of the function that reads its answers."""
