"""A function for each service: its layout, and what is special in its answers."""

from __future__ import annotations

from collections import Counter
from functools import partial

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject
from docie.documents.rows import Parsed

from ..llm import to_document
from .layouts import LAYOUTS
from .places import first, found_at, label_of, objects_in
from .walking import read

_ANCHORED = ("textAnchor.content", "text_anchor.content")
"""The text of a part of a page, of Google."""


def azure_document_intelligence(answer: object, *, index: int = 0, normalized: bool = False) -> Parsed:
    """Read an answer of Azure Document Intelligence: `documents`, of prebuilt and custom models, or `keyValuePairs`.

    Pages have their sizes, so that boxes in inches and in pixels become shares. A field without a value is left out.
    The tables of layout models are not read: see `docie.adapters.tables`.

    Args:
        answer (dict): the operation's JSON with `analyzeResult`, or an `AnalyzeResult` of the Python package.
        index (int): which of several documents in the file, from 0.
        normalized (bool): whether to take `valueDate`, `valueCurrency` and so on (ISO dates, numbers) rather than
            `content`, the text as it is printed. What has only one of them gives that one, as addresses do.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> field = {"type": "date", "valueDate": "2024-02-01", "content": "1 Feb 24", "confidence": 0.9}
    >>> azure_document_intelligence({"documents": [{"fields": {"InvoiceDate": field}}]}).document
    {'InvoiceDate': {'value': '1 Feb 24', 'confidence': 0.9}}

    A table of an answer becomes a list of records:

    >>> from docie.adapters import tables
    >>> name = {"kind": "columnHeader", "rowIndex": 0, "columnIndex": 0, "content": "Name"}
    >>> answer = {"tables": [{"cells": [name, {"rowIndex": 1, "columnIndex": 0, "content": "Bagel"}]}]}
    >>> tables.to_records(answer["tables"][0]).document
    [{'Name': 'Bagel'}]
    """
    layout = LAYOUTS["azure_document_intelligence"]
    return read(layout, answer, index=index, normalized=normalized, prepare=_with_pairs)


def _with_pairs(answer: JsonObject, issues: Counter[str]) -> JsonObject:
    """An answer without documents, with its pairs of keys and values as the fields of one."""
    result = answer.get("analyzeResult", answer)
    pairs = [] if first(result, ("documents",)) else objects_in(result, "keyValuePairs", issues)
    fields: dict[str, list[JsonObject]] = {}
    for pair in pairs:
        if isinstance(value := pair.get("value"), dict):
            field = {**value, "confidence": pair.get("confidence")}
            fields.setdefault(label_of(found_at(pair, "key.content")), []).append(field)
    issues["dropped a value without a key"] += len(fields.pop("", ()))
    document = {"fields": {name: {"valueArray": each} for name, each in fields.items()}}
    return {**result, "documents": [document]} if pairs else answer


def azure_content_understanding(answer: object, *, index: int = 0) -> Parsed:
    """Read an answer of Azure Content Understanding. Its values are normalized; there are no printed ones.

    Args:
        answer (dict): the operation's JSON with `result`, or an `AnalysisResult` of the Python package.
        index (int): which of several `contents`, from 0.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> field = {"type": "number", "valueNumber": 7.5, "confidence": 0.9, "source": "D(1,1,1,2,1,2,2,1,2)"}
    >>> pages = [{"pageNumber": 1, "width": 10, "height": 20}]
    >>> answer = {"result": {"contents": [{"fields": {"Total": field}, "pages": pages}]}}
    >>> azure_content_understanding(answer).document
    {'Total': {'value': 7.5, 'confidence': 0.9, 'box': [0.1, 0.05, 0.2, 0.1], 'page': 1}}
    """
    return read(LAYOUTS["azure_content_understanding"], answer, index=index)


def google_document_ai(answer: object, *, normalized: bool = False) -> Parsed:
    """Read a `Document` of Google Document AI, as REST, `Document.to_json` and `Document.to_dict` write it.

    Nested entities lose the name of their parent (`line_item/amount` is `line_item.amount`), whose text, the whole row,
    is left out. A confidence of 0 means that there is none. Of an answer without entities, the form fields are read.

    Args:
        answer (dict): the document, or the answer of `process` around it.
        normalized (bool): whether to take the normalized value (numbers of amounts, ISO dates) rather than the text as
            it is printed.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> amount = {"type": "line_item/amount", "mentionText": "3.00", "pageAnchor": {"pageRefs": [{}]}}
    >>> answer = {"entities": [{"type": "line_item", "mentionText": "Bagel 3.00", "properties": [amount]}]}
    >>> google_document_ai(answer).document
    {'line_item': [{'amount': {'value': '3.00', 'confidence': None, 'page': 1}}]}
    """
    return read(LAYOUTS["google_document_ai"], answer, normalized=normalized, prepare=_with_form_fields)


def _with_form_fields(answer: JsonObject, issues: Counter[str]) -> JsonObject:
    """An answer without entities, with the form fields on its pages as entities."""
    if first(answer, LAYOUTS["google_document_ai"].root):
        return answer
    pages, entities = first(answer, ("pages", "document.pages")), []
    for number, page in enumerate(objects_in({"pages": pages}, "pages", issues)):
        for field in objects_in(page, "formFields", issues) + objects_in(page, "form_fields", issues):
            value = first(field, ("fieldValue", "field_value"))
            name, text = (
                found.strip() if isinstance(found := first(part, _ANCHORED), str) else ""
                for part in (first(field, ("fieldName", "field_name")), value)
            )
            place = {**value, "page": number} if isinstance(value, dict) else {}
            about = {"confidence": place.get("confidence"), "pageAnchor": place}
            entities.append({"type": label_of(name), "mentionText": text, **about})
    return {**answer, "entities": entities, "pages": pages} if entities else answer


def llama_extract(answer: object, *, index: int = 0) -> Parsed:
    """Read an answer of LlamaExtract, of either version.

    Args:
        answer (dict): the job with its `extract_result` and, for confidences and boxes, its `extract_metadata`.
        index (int): which of several results (of targets `per_page` and `per_table_row`), from 0.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> metadata = {"field_metadata": {"document_metadata": {"total": {"confidence": 0.9, "citation": [{"page": 1}]}}}}
    >>> llama_extract({"extract_result": {"total": 7.5}, "extract_metadata": metadata}).document
    {'total': {'value': 7.5, 'confidence': 0.9, 'page': 1}}
    """
    return read(LAYOUTS["llama_extract"], answer, index=index)


def reducto(answer: object, *, index: int = 0) -> Parsed:
    """Read an answer of Reducto Extract, with citations in the result or beside it.

    The first citation of a value gives its confidence: the lower one of extraction and parsing. The words "high" and
    "low" are no probabilities, and dropped.

    Args:
        answer (dict): the answer, or a job's with the answer as its `result`.
        index (int): which of several results, from 0.

    Returns:
        Parsed: the document, and a line for everything that was dropped. None for results that stand at a URL.

    >>> citation = {"bbox": {"left": 0.5, "top": 0.25, "width": 0.25, "height": 0.25, "page": 1},
    ...             "granular_confidence": {"extract_confidence": 0.95, "parse_confidence": 0.9}}
    >>> reducto({"result": {"total": {"value": 7.5, "citations": [citation]}}}).document
    {'total': {'value': 7.5, 'confidence': 0.9, 'box': [0.5, 0.25, 0.75, 0.5], 'page': 1}}
    """
    return read(LAYOUTS["reducto"], answer, index=index, prepare=_without_job)


def _without_job(answer: JsonObject, issues: Counter[str]) -> JsonObject:
    inner = answer.get("result")
    return inner if isinstance(inner, dict) and {"result", "usage"} <= inner.keys() else answer


def extend(answer: object) -> Parsed:
    """Read an extract run of Extend. The confidence of a value is the lower one of `ocrConfidence` and
    `logprobsConfidence`.

    Args:
        answer (dict): the run, with its `output`.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> output = {"value": {"items": [{"name": "Bagel"}]}, "metadata": {"items[0].name": {"ocrConfidence": 0.9}}}
    >>> extend({"output": output}).document
    {'items': [{'name': {'value': 'Bagel', 'confidence': 0.9}}]}
    """
    return read(LAYOUTS["extend"], answer)


def landing_ai(answer: object, *, parse: object = None) -> Parsed:
    """Read an answer of LandingAI's ADE Extract. It has no confidences. A box is that of a chunk, which many values may
    share.

    Args:
        answer (dict): the answer of Extract.
        parse (dict): the answer of Parse, which has the pages and the boxes.

    Returns:
        Parsed: the document, and a line for everything that was dropped.

    >>> answer = {"extraction": {"total": "7.50"}, "extraction_metadata": {"total": {"references": ["c1"]}}}
    >>> chunk = {"page": 0, "box": {"left": 0.5, "top": 0.25, "right": 0.75, "bottom": 0.5}}
    >>> landing_ai(answer, parse={"grounding": {"c1": chunk}}).document
    {'total': {'value': '7.50', 'confidence': None, 'box': [0.5, 0.25, 0.75, 0.5], 'page': 1}}
    """
    if parse is None:
        parsed = read(LAYOUTS["landing_ai"]._replace(regions=()), answer)
        hint = "read no boxes and pages: they stand in the answer of Parse; pass it as `parse`"
        return parsed if parsed.document is None else Parsed(parsed.document, [*parsed.issues, hint])
    chunks = to_document(parse)
    return read(LAYOUTS["landing_ai"], answer, prepare=partial(_with_chunks, chunks))


def _with_chunks(parse: Parsed, answer: JsonObject, issues: Counter[str]) -> JsonObject:
    issues.update(parse.issues)
    grounding = found_at(parse.document, "grounding")
    chunks = {str(each.get("id")): each.get("grounding") for each in objects_in(parse.document, "chunks", issues)}
    return {**answer, "grounding": chunks | (grounding if isinstance(grounding, dict) else {})}


def mistral(answer: object) -> Parsed:
    """Read the `document_annotation` of Mistral OCR, a JSON text. It has neither confidences nor boxes.

    Args:
        answer (dict): the answer.

    Returns:
        Parsed: the document, and a line for everything that was repaired or dropped.

    >>> mistral({"document_annotation": '{"total": "7.50"}'}).document
    {'total': {'value': '7.50', 'confidence': None}}
    """
    return read(LAYOUTS["mistral"], answer)


def langextract(answer: object, *, group_by: str | None = None) -> Parsed:
    """Read an annotated document of LangExtract. It has neither confidences nor boxes.

    Args:
        answer (dict): a line of what `save_annotated_documents` writes.
        group_by (str): the attribute that extractions of one group share, which becomes the name of the groups. Other
            attributes are dropped.

    Returns:
        Parsed: the document, and a line for everything that was dropped, and for values that do not stand in the text.

    >>> name = {"extraction_class": "name", "extraction_text": "Bagel", "char_interval": {"start_pos": 0, "end_pos": 5}}
    >>> amount = {"extraction_class": "amount", "extraction_text": "3.00", "char_interval": None}
    >>> extractions = [{**each, "attributes": {"item": "1"}} for each in (name, amount)]
    >>> found = langextract({"extractions": extractions}, group_by="item")
    >>> found.document
    {'item': [{'name': {'value': 'Bagel', 'confidence': None}, 'amount': {'value': '3.00', 'confidence': None}}]}
    >>> found.issues
    ["read a value of 'amount' that does not stand in the text"]
    """
    layout = LAYOUTS["langextract"]._replace(lists=(group_by or "",))
    return read(layout, answer, prepare=partial(_grouped, group_by))


def _grouped(group_by: str | None, answer: JsonObject, issues: Counter[str]) -> JsonObject:
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
        issues.update(f"dropped the attribute {shortened(key)}" for key in attributes if key != group_by)
        group = attributes.get(group_by)
        if group is None:
            fields.append(extraction)
        else:
            holder = groups.setdefault(str(group), {"extraction_class": group_by, "fields": []})
            holder["fields"].append(extraction)
    return {"extractions": [*fields, *groups.values()]}
