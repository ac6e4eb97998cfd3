"""Invoices as extraction services answer: a folder with the answer for each invoice, under the names of the service."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import service_answers
from .invoices import Case
from service_answers import Answer, Fields, Invoice

Names = dict[str, str]

AZURE = {
    "vendor_name": "VendorName", "customer_name": "CustomerName", "invoice_number": "InvoiceId", "invoice_date": "InvoiceDate",
    "due_date": "DueDate", "subtotal": "SubTotal", "tax": "TotalTax", "total": "InvoiceTotal",
    "description": "Description", "quantity": "Quantity", "unit_price": "UnitPrice", "amount": "Amount",
}  # fmt: skip
TEXTRACT = {
    "vendor_name": "VENDOR_NAME", "customer_name": "RECEIVER_NAME", "invoice_number": "INVOICE_RECEIPT_ID",
    "invoice_date": "INVOICE_RECEIPT_DATE", "due_date": "DUE_DATE", "subtotal": "SUBTOTAL", "tax": "TAX", "total": "TOTAL",
    "description": "ITEM", "quantity": "QUANTITY", "unit_price": "UNIT_PRICE", "amount": "PRICE",
}  # fmt: skip
GOOGLE = {
    "vendor_name": "supplier_name", "customer_name": "receiver_name", "invoice_number": "invoice_id", "invoice_date": "invoice_date",
    "due_date": "due_date", "subtotal": "net_amount", "tax": "total_tax_amount", "total": "total_amount",
    "description": "description", "quantity": "quantity", "unit_price": "unit_price", "amount": "amount",
}  # fmt: skip
"""The names of the models for invoices, from the services' own documentation."""


def under_names(invoice: Invoice, names: Names) -> Invoice:
    def renamed(fields: Fields) -> Fields:
        return {names.get(name, name): value for name, value in fields.items()}

    return Invoice(renamed(invoice.header), [renamed(item) for item in invoice.items])


def azure(invoice: Invoice) -> Answer:
    answer = service_answers.azure_document_intelligence(under_names(invoice, AZURE))
    return _with_items(answer, answer["analyzeResult"]["documents"])


def azure_to_dict(invoice: Invoice) -> Answer:
    answer = service_answers.azure_to_dict(under_names(invoice, AZURE))
    return _with_items(answer, answer["documents"])


def azure_javascript(invoice: Invoice) -> Answer:
    answer = service_answers.azure_javascript(under_names(invoice, AZURE))
    return _with_items(answer, answer["documents"])


def _with_items(answer: Answer, documents: list[Answer]) -> Answer:
    """The answer with the name that the service gives line items."""
    fields = documents[0]["fields"]
    fields["Items"] = fields.pop("items")
    return answer


def textract(invoice: Invoice) -> Answer:
    return service_answers.textract_expense(under_names(invoice, TEXTRACT))


def google_rest(invoice: Invoice) -> Answer:
    return service_answers.google_document_ai(under_names(invoice, GOOGLE))


def google_json(invoice: Invoice) -> Answer:
    """As `Document.to_json` writes it: what is unset has a default, and whole numbers are texts."""
    answer = google_rest(invoice)
    for entity in _entities(answer):
        pages = entity.get("pageAnchor", {"pageRefs": []})
        for page in pages["pageRefs"]:
            page |= {"page": page.get("page", "0"), "layoutType": 0, "layoutId": "", "confidence": 0.0}
            corners = [
                {"x": corner.get("x", 0.0), "y": corner.get("y", 0.0)}
                for corner in page["boundingPoly"]["normalizedVertices"]
            ]
            page["boundingPoly"] = {"vertices": [], "normalizedVertices": corners}
        unset = {"mentionId": "", "id": "", "redacted": False, "properties": [], "confidence": 0.0}
        entity |= {**unset, **entity, "pageAnchor": pages}
    return {**answer, "docid": "", "pages": [], "textStyles": [], "revisions": [], "textChanges": []}


def google_dict(invoice: Invoice) -> Answer:
    """As `Document.to_dict` writes it: with the names of the Python package."""
    answer = google_json(invoice)
    for entity in _entities(answer):
        entity["type_"] = entity.pop("type")
    found: Answer = json.loads(json.dumps(answer), object_hook=_in_snake_case)
    for entity in _entities(found):
        for page in entity["page_anchor"]["page_refs"]:
            page["page"] = int(page["page"])
    return found


def _in_snake_case(value: Answer) -> Answer:
    return {
        "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in key): each
        for key, each in value.items()
    }


def _entities(answer: Answer) -> list[Answer]:
    return [each for entity in answer["entities"] for each in (entity, *entity.get("properties", ()))]


def langextract(invoice: Invoice, *, number: str = "") -> Answer:
    return {**service_answers.langextract(invoice), "document_id": number}


def folder_of(write: Callable[[Invoice], Any]) -> Callable[[Path, list[Case]], None]:
    """Writes the folder `answers`, with a file for each invoice."""

    def write_all(folder: Path, cases: list[Case]) -> None:
        (folder / "answers").mkdir()
        for case in cases:
            text = json.dumps(write(case.found), ensure_ascii=False)
            (folder / "answers" / f"{case.id}.json").write_text(text, encoding="utf-8")

    return write_all


def annotated_lines(folder: Path, cases: list[Case]) -> None:
    """What LangExtract's `save_annotated_documents` writes: a line for each document."""
    lines = [json.dumps(langextract(case.found, number=case.id), ensure_ascii=False) for case in cases]
    (folder / "extractions.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
