"""What no layout can say: a function for each service brings such parts of its answer into the shape of its layout."""

from __future__ import annotations

from collections import Counter
from typing import Any

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject

from ..llm import to_document
from .layouts import LAYOUTS, Asked
from .places import first, found_at, label_of, objects_in

_OF_MINDEE = ("confidence", "polygon", "page_id", "raw_value", "is_computed")
"""What Mindee's first version says of a value, or of a line of a list."""
_NO_FIELDS = (
    "has no fields: analyze with a model for invoices or receipts or a custom one, or with features=keyValuePairs"
)


def azure_document_intelligence(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """Pairs of keys and values are fields, if there are no documents."""
    result = first(answer, ("analyzeResult", ""))
    if not isinstance(result, dict) or first(result, ("documents",)):
        return answer
    pairs = objects_in(result, "keyValuePairs", issues)
    fields: dict[str, list[JsonObject]] = {}
    for pair in pairs:
        if isinstance(value := pair.get("value"), dict):
            field = {**value, "confidence": pair.get("confidence")}
            fields.setdefault(label_of(found_at(pair, "key.content")), []).append(field)
    issues["dropped a value without a key"] += len(fields.pop("", ()))
    is_done = answer.get("status") in (None, "succeeded") and found_at(result, "documents") is None
    if is_done and not pairs and (model := found_at(result, "modelId")):
        issues[f"the answer of {shortened(model)} {_NO_FIELDS}"] += 1
    document = {"fields": {name: {"valueArray": each} for name, each in fields.items()}}
    return {**result, "documents": [document]} if pairs else answer


def azure_form_recognizer(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """The form of a Python package is a document, with its own pages."""
    if found_at(answer, "formType") is not None:
        return {**answer, "analyzeResult": {"documentResults": [answer], "readResults": answer.get("pages")}}
    issues[f"the answer {_NO_FIELDS}"] += not first(answer, LAYOUTS["azure_form_recognizer"].root)
    return answer


def google_document_ai(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """Form fields are entities, if there are no others."""
    if first(answer, LAYOUTS["google_document_ai"].root):
        return answer
    document = first(answer, ("document", ""))
    whole, pages, entities = found_at(document, "text"), found_at(document, "pages"), []
    for number, page in enumerate(objects_in(document, "pages", issues)):
        for field in objects_in(page, "formFields", issues):
            value = found_at(field, "fieldValue")
            place = {**value, "page": number} if isinstance(value, dict) else {}
            name, text = (_anchored(each, whole) for each in (found_at(field, "fieldName"), value))
            about = {"confidence": place.get("confidence"), "pageAnchor": place}
            entities.append({"type": label_of(name), "mentionText": text, **about})
    return {**answer, "entities": entities, "pages": pages} if entities else answer


def _anchored(part: Any, whole: Any) -> str:
    """The text of a part of a page: it stands there, or the part names where it stands in the whole text."""
    text = found_at(part, "textAnchor.content")
    if not isinstance(text, str) and isinstance(whole, str):
        segments = objects_in(part, "textAnchor.textSegments", Counter())
        ends = [[str(found_at(each, key) or 0) for key in ("startIndex", "endIndex")] for each in segments]
        text = "".join(whole[int(start) : int(end)] for start, end in ends if (start + end).isdecimal())
    return text.strip() if isinstance(text, str) else ""


def reducto(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """An answer may be the result of a job."""
    inner = answer.get("result")
    return inner if isinstance(inner, dict) and {"result", "usage"} <= inner.keys() else answer


def landing_ai(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """The chunks that values refer to stand in the answer of Parse."""
    if asked.parse is None:
        issues["read no boxes and pages: they stand in the answer of Parse; pass it as `parse`"] += 1
        return answer
    opened = to_document(asked.parse)
    issues.update(opened.issues)
    grounding = found_at(opened.document, "grounding")
    chunks = {str(each.get("id")): each.get("grounding") for each in objects_in(opened.document, "chunks", issues)}
    return {**answer, "grounding": chunks | (grounding if isinstance(grounding, dict) else {})}


def langextract(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """Extractions that share an attribute are the fields of a group."""
    if not isinstance(answer.get("extractions"), list):
        return answer
    fields: list[JsonObject] = []
    groups: dict[str, JsonObject] = {}
    for extraction in objects_in(answer, "extractions", issues):
        if extraction.get("char_interval") is None:
            name = shortened(extraction.get("extraction_class"))
            issues[f"read a value of {name} that does not stand in the text"] += 1
        attributes = extraction.get("attributes")
        attributes = attributes if isinstance(attributes, dict) else {}
        issues.update(f"dropped the attribute {shortened(key)}" for key in attributes if key != asked.group_by)
        group = attributes.get(asked.group_by)
        if group is None:
            fields.append(extraction)
        else:
            holder = groups.setdefault(str(group), {"extraction_class": asked.group_by, "fields": []})
            holder["fields"].append(extraction)
    return {"extractions": [*fields, *groups.values()]}


def mindee(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """Of the first version, the lines of a list have plain values, and one confidence and one place for all of them."""
    fields = found_at(answer, "document.inference.prediction")
    if not isinstance(fields, dict):
        return answer
    prediction = {name: _of_mindee(name, each, issues) for name, each in fields.items()}
    return {"document": {"inference": {"prediction": prediction}}}


def _of_mindee(name: str, field: Any, issues: Counter[str]) -> Any:
    if isinstance(field, list):
        return {"items": [_of_mindee(name, each, issues) for each in field]} if field else {"value": None}
    if not isinstance(field, dict) or "values" in field:
        return field
    about = {key: each for key, each in field.items() if key in _OF_MINDEE}
    parts = {key: each for key, each in field.items() if key not in about}
    if "value" not in field:
        return {"fields": {key: {"value": each, **about} for key, each in parts.items()}}
    lost = [key for key, each in parts.items() if key != "value" and each not in (None, "", [], {})]
    issues.update(f"dropped {shortened(key)} beside the value of {shortened(name)}" for key in lost)
    return field
