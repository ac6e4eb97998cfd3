"""AWS Textract: fields in a list, whose groups and rows stand elsewhere."""

from __future__ import annotations

from collections import Counter

from docie.core.values.plain import JsonObject
from docie.documents.rows import Parsed

from .layouts import LAYOUTS
from .places import found_at, label_of, objects_in
from .walking import read


def textract_expense(answer: object, *, index: int = 0) -> Parsed:
    """Read an answer of AWS Textract AnalyzeExpense.

    The confidence of a value is the lower one of its type's and its text's. A field of the type OTHER has the name that
    is printed beside it. Fields that `GroupProperties` name stand in an object for each group, such as
    RECEIVER_SHIP_TO. Rows are `LineItems`, whose EXPENSE_ROW, the text of the whole row, is left out.

    Args:
        answer (dict): the answer. Of several pages of one answer, the documents in a list.
        index (int): which of several `ExpenseDocuments`, from 0.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> field = {"Type": {"Text": "TOTAL", "Confidence": 99.5}, "ValueDetection": {"Text": "$7.50", "Confidence": 98}}
    >>> textract_expense({"ExpenseDocuments": [{"SummaryFields": [field]}]}).document
    {'TOTAL': {'value': '$7.50', 'confidence': 0.98}}
    """
    return read(LAYOUTS["textract_expense"], answer, index=index, prepare=_expenses)


def _expenses(answer: JsonObject, issues: Counter[str]) -> JsonObject:
    documents = found_at(answer, "ExpenseDocuments")
    if not isinstance(documents, list):
        return answer
    return {"ExpenseDocuments": [_expense(each, issues) if isinstance(each, dict) else each for each in documents]}


def _expense(document: JsonObject, issues: Counter[str]) -> JsonObject:
    """The fields of a document with their names, those of a group or of a row in one field."""
    if not document.keys() & {"SummaryFields", "LineItemGroups"}:
        return document
    groups: dict[tuple[str, str], list[JsonObject]] = {}
    for field in map(_named, objects_in(document, "SummaryFields", issues)):
        properties = objects_in(field, "GroupProperties", issues)
        places = [(str(name), str(each.get("Id"))) for each in properties for name in _texts(each.get("Types"))]
        for place in places or [("", "")]:
            groups.setdefault(place, []).append(field)
    fields = groups.pop(("", ""), [])
    fields += [{"Name": name, "SummaryFields": members} for (name, _), members in groups.items()]
    for group in objects_in(document, "LineItemGroups", issues):
        issues["dropped a group without 'LineItems'"] += "LineItems" not in group
        for row in objects_in(group, "LineItems", issues):
            cells = [_named(cell) for cell in objects_in(row, "LineItemExpenseFields", issues)]
            parts = [cell for cell in cells if cell["Name"] != "EXPENSE_ROW"]
            fields.append({"Name": "LineItems", "SummaryFields": parts or cells})
    return {"SummaryFields": fields}


def _named(field: JsonObject) -> JsonObject:
    name = found_at(field, "Type.Text")
    printed = label_of(found_at(field, "LabelDetection.Text"))
    return {**field, "Name": printed if name == "OTHER" and printed else name}


def textract_id(answer: object, *, index: int = 0, normalized: bool = False) -> Parsed:
    """Read an answer of AWS Textract AnalyzeID. It has neither boxes nor pages of fields.

    Args:
        answer (dict): the answer.
        index (int): which of several `IdentityDocuments`, from 0.
        normalized (bool): whether to take the normalized value of a date rather than its text.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> field = {"Type": {"Text": "LAST_NAME"}, "ValueDetection": {"Text": "GARCIA", "Confidence": 98}}
    >>> textract_id({"IdentityDocuments": [{"IdentityDocumentFields": [field]}]}).document
    {'LAST_NAME': {'value': 'GARCIA', 'confidence': 0.98}}
    """
    return read(LAYOUTS["textract_id"], answer, index=index, normalized=normalized)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
