"""AWS Textract: of every kind of answer, the fields in one list, those of a group or a row in one field.

The pages of an answer are one document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from docie.core.values.plain import JsonObject

from .layouts import Asked
from .places import first, found_at, label_of, objects_in


def textract_expense(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """The fields of AnalyzeExpense. Those that `GroupProperties` name stand in an object for each group, such as
    RECEIVER_SHIP_TO. Rows are `LineItems`, whose EXPENSE_ROW, the text of the whole row, is left out.

    Each page has a document, which repeats the vendor and the number. Several receipts may share a page: then the first
    one is read.
    """
    return _pages("ExpenseDocuments", _expense, asked.index, answer, issues)


def textract_id(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """The fields of AnalyzeID: of the front and the back."""
    return _pages("IdentityDocuments", _identity, asked.index, answer, issues)


def textract_lending(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """The fields of AnalyzeLending: of each page, as its type asks for."""
    return _pages("Results", _loan_page, asked.index, answer, issues)


def textract_document(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    """The answers to queries under their aliases, and the pairs of forms, of AnalyzeDocument."""
    if not isinstance(answer.get("Blocks"), list):
        return answer
    _say_more(answer, issues)
    blocks = {str(block.get("Id")): block for block in objects_in(answer, "Blocks", issues)}
    kinds = Counter(str(block.get("BlockType")) for block in blocks.values())
    issues["left out a table"] += kinds["TABLE"]
    issues["left out a signature"] += kinds["SIGNATURE"]
    fields = [field for block in blocks.values() for field in _of_block(block, blocks, issues)]
    read = {str(field["ValueDetection"].get("Id")) for field in fields}
    values = [key for key, block in blocks.items() if _is_value(block)]
    issues["dropped a value without a key"] += sum(key not in read for key in values)
    if fields or values:
        return {"Blocks": fields}
    issues["the answer has neither queries nor forms: analyze with FeatureTypes QUERIES or FORMS"] += 1
    return {"JobStatus": answer.get("JobStatus")}


def _say_more(answer: JsonObject, issues: Counter[str]) -> None:
    issues["further pages stand behind 'NextToken', in other answers"] += bool(answer.get("NextToken"))


def _pages(key: str, read: Any, index: int | None, answer: JsonObject, issues: Counter[str]) -> JsonObject:
    """The fields of all pages of a document, or of one of them."""
    if not isinstance(answer.get(key), list):
        return answer
    _say_more(answer, issues)
    documents = objects_in(answer, key, issues)
    pages = [[*read(each, issues)] for each in documents]
    places = [{str(field.get("PageNumber", "")) for field in _leaves(page)} - {""} for page in pages]
    is_apart = key != "ExpenseDocuments" or (all(places) and sum(map(len, places)) == len(set().union(*places)))
    if index is None and not is_apart:
        index = 0
    if index is not None:
        pages = pages[index : index + 1] if index >= 0 else []
        issues[f"expected a list of more than {index} documents, got {len(documents)}"] += not pages
        issues[f"read document {index + 1} of {len(documents)}"] += len(documents) > len(pages) > 0
    if not pages:
        return {"JobStatus": answer.get("JobStatus")}
    return {key: [*_joined(pages, issues)]}


def _joined(pages: list[list[JsonObject]], issues: Counter[str]) -> Iterator[JsonObject]:
    """The fields of pages, without what stands on an earlier one, and of fields that one page has those with a text."""
    texts = [[(_key(field), field) for field in page] for page in pages]
    filled = {name for name, text in map(_key, chain(*pages)) if text}
    earlier = set[tuple[str, str]]()
    for page in texts:
        for key, field in page:
            is_repeated = bool(earlier) and key in earlier and key[0] != "LineItems"
            if is_repeated or (len(pages) > 1 and not key[1] and key[0] in filled):
                issues["left out a field that another page has, too"] += bool(key[1])
            else:
                yield field
        earlier |= {key for key, _ in page}


def _key(field: JsonObject) -> tuple[str, str]:
    """The name of a field and its text, or the texts of the fields in it."""
    if "Fields" in field:
        return str(field.get("Name")), repr(sorted(map(_key, field["Fields"])))
    return str(field.get("Name")), str(first(field, ("ValueDetection.Text", "ValueDetection.SelectionStatus")) or "")


def _leaves(fields: list[JsonObject]) -> Iterator[JsonObject]:
    for field in fields:
        yield from _leaves(field["Fields"]) if "Fields" in field else [field]


def _expense(document: JsonObject, issues: Counter[str]) -> Iterator[JsonObject]:
    groups: dict[tuple[str, str], list[JsonObject]] = {}
    issues["no 'SummaryFields' in a document"] += not document.keys() & {"SummaryFields", "LineItemGroups"}
    for field in map(_named, objects_in(document, "SummaryFields", issues)):
        properties = objects_in(field, "GroupProperties", issues)
        places = [(str(name), str(each.get("Id"))) for each in properties for name in _texts(each.get("Types"))]
        for place in places or [("", "")]:
            groups.setdefault(place, []).append(field)
    yield from groups.pop(("", ""), [])
    yield from ({"Name": name, "Fields": members} for (name, _), members in groups.items())
    for group in objects_in(document, "LineItemGroups", issues):
        issues["dropped a group without 'LineItems'"] += "LineItems" not in group
        for row in objects_in(group, "LineItems", issues):
            cells = [_named(cell) for cell in objects_in(row, "LineItemExpenseFields", issues)]
            parts = [cell for cell in cells if cell["Name"] != "EXPENSE_ROW"]
            yield {"Name": "LineItems", "Fields": parts or cells}


def _named(field: JsonObject) -> JsonObject:
    """A field with its name. That of the type OTHER is printed beside it."""
    name = found_at(field, "Type.Text")
    printed = label_of(found_at(field, "LabelDetection.Text"))
    about = {key: each for key, each in field.items() if key != "Fields"}
    return {**about, "Name": printed if name == "OTHER" and printed else name}


def _identity(document: JsonObject, issues: Counter[str]) -> Iterator[JsonObject]:
    issues["no 'IdentityDocumentFields' in a document"] += "IdentityDocumentFields" not in document
    return map(_named, objects_in(document, "IdentityDocumentFields", issues))


def _loan_page(page: JsonObject, issues: Counter[str]) -> Iterator[JsonObject]:
    readers = {"LendingDocument": _lending, "ExpenseDocument": _expense, "IdentityDocument": _identity}
    extractions = objects_in(page, "Extractions", issues)
    issues["a page has nothing that is extracted: its type is not supported"] += not extractions
    for extraction in extractions:
        found = {key: each for key in readers if isinstance(each := extraction.get(key), dict)}
        issues["dropped what is extracted as another kind of document"] += len(extraction) - len(found)
        for key, document in found.items():
            yield from ({"PageNumber": page.get("Page"), **field} for field in readers[key](document, issues))


def _lending(document: JsonObject, issues: Counter[str]) -> Iterator[JsonObject]:
    issues["no 'LendingFields' in a document"] += "LendingFields" not in document
    issues["left out a signature"] += len(objects_in(document, "SignatureDetections", issues))
    for field in objects_in(document, "LendingFields", issues):
        printed = label_of(found_at(field, "KeyDetection.Text"))
        name = printed if field.get("Type") == "OTHER" and printed else field.get("Type")
        for value in objects_in(field, "ValueDetections", issues) or [{"Text": ""}]:
            yield {"Name": name, "ValueDetection": value}


Blocks = dict[str, JsonObject]


def _is_value(block: JsonObject) -> bool:
    kind, roles = block.get("BlockType"), _texts(block.get("EntityTypes"))
    return kind == "QUERY_RESULT" or (kind == "KEY_VALUE_SET" and "KEY" not in roles)


def _of_block(block: JsonObject, blocks: Blocks, issues: Counter[str]) -> Iterator[JsonObject]:
    """The fields of a query, or of the key of a form."""
    if block.get("BlockType") == "QUERY":
        name, values = first(block, ("Query.Alias", "Query.Text")), _linked(block, "ANSWER", blocks, issues)
    elif "KEY" in _texts(block.get("EntityTypes")):
        name, values = label_of(_text(block, blocks, issues)), _linked(block, "VALUE", blocks, issues)
        values = [{**value, "Text": _text(value, blocks, issues)} for value in values]
        issues["read a key of a form without a value"] += not any(value["Text"] for value in values)
    else:
        return
    for value in values or [{"Text": ""}]:
        kind = {"Confidence": block.get("Confidence")}
        yield {"Name": name or None, "Type": kind, "ValueDetection": value, "PageNumber": value.get("Page")}


def _linked(block: JsonObject, kind: str, blocks: Blocks, issues: Counter[str]) -> list[JsonObject]:
    """The blocks that a block names."""
    links = [each for each in objects_in(block, "Relationships", issues) if each.get("Type") == kind]
    ids = [str(each) for link in links for each in (link["Ids"] if isinstance(link.get("Ids"), list) else [None])]
    issues["dropped a link to a block that is not there"] += sum(each not in blocks for each in ids)
    return [blocks[each] for each in ids if each in blocks]


def _text(block: JsonObject, blocks: Blocks, issues: Counter[str]) -> str:
    """The words in a block, and the states of its boxes."""
    parts = _linked(block, "CHILD", blocks, issues)
    return " ".join(str(first(part, ("Text", "SelectionStatus")) or "") for part in parts)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
