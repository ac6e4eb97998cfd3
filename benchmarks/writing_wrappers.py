"""Planted differences of what stands around documents: keys, envelopes, texts, columns, pages, failures."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

from planted_sources import Document
from writing_cases import (
    PREDICTIONS,
    REFERENCES,
    Difference,
    Rows,
    Sides,
    Write,
    documents,
    groups_of,
    rows_as,
)


def dumped(value: Any, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **options)


def at(path: str, *, as_text: bool = False) -> Write:
    """The document at the end of a chain of keys and positions."""

    def write(row: Document, _: int) -> Document:
        content: Any = dumped(row["document"]) if as_text else row["document"]
        for key in reversed(path.split(".")):
            content = [content] if key == "0" else {key: content}
        return {"id": row["id"], **content}

    return rows_as(write)


def flat(**columns: Callable[[int], Any]) -> Write:
    """The fields beside the id, and beside columns that belong to the row."""
    return rows_as(
        lambda row, number: {"id": row["id"], **row["document"], **{name: of(number) for name, of in columns.items()}}
    )


def beside(**columns: Callable[[int], Any]) -> Write:
    """The document under a key, beside columns that belong to the row."""
    return rows_as(
        lambda row, number: {
            "id": row["id"],
            "parsed": row["document"],
            **{name: of(number) for name, of in columns.items()},
        }
    )


def texts_of(function: Callable[[Document], str], key: str = "document") -> Write:
    """The document as a text."""
    return rows_as(lambda row, _: {"id": row["id"], key: function(row["document"])})


def envelope(*path: str, row: Callable[[Document], Document] = lambda row: row, **more: Any) -> Write:
    """One object that holds all rows in a list."""

    def write(rows: Rows, _: random.Random) -> Rows:
        content: Any = [row(each) for each in rows]
        for key in reversed(path):
            content = {key: content}
        return [{**more, **content}]

    return write


def as_yaml(value: Any, indent: str = "") -> str:
    """A document as YAML, as models write it."""
    lines = []
    for key, child in value.items():
        if isinstance(child, dict):
            lines += [f"{indent}{key}:", as_yaml(child, indent + "  ")]
        elif isinstance(child, list):
            lines.append(f"{indent}{key}:")
            for each in child:
                block = as_yaml(each, indent + "    ") if isinstance(each, dict) else f"{indent}    {dumped(each)}"
                lines.append(f"{indent}  - {block.strip()}")
        else:
            lines.append(f"{indent}{key}: {dumped(child)}")
    return "\n".join(lines)


def as_xml(name: str, value: Any) -> str:
    """A document as XML."""
    if isinstance(value, list):
        return "".join(as_xml(name, each) for each in value)
    if isinstance(value, dict):
        return f"<{name}>{''.join(as_xml(key, child) for key, child in value.items())}</{name}>"
    return f"<{name}>{escape(str(value))}</{name}>"


def by_type(row: Document, number: int) -> Document:
    """The document under the name of its type, which differs."""
    return {"id": row["id"], "prediction": {("invoice", "receipt", "credit_note")[number % 3]: row["document"]}}


def pages(column: str, *, in_id: bool = False) -> Write:
    """A row for each page: two records of each group a page, and the other fields on the first."""

    def write(rows: Rows, _: random.Random) -> Rows | None:
        written = []
        for row in rows:
            groups = groups_of(row["document"])
            number = max([1, *(-(-len(row["document"][name]) // 2) for name in groups)])
            for page in range(number):
                rest = {} if page else {name: row["document"][name] for name in row["document"] if name not in groups}
                parts = {name: row["document"][name][2 * page : 2 * page + 2] for name in groups}
                document = {**rest, **{name: part for name, part in parts.items() if part}}
                named = {"id": f"{row['id']}{column}{page + 1}"} if in_id else {"id": row["id"], column: page + 1}
                written.append({**named, "document": document})
        return written if len(written) > 1.2 * len(rows) else None

    return write


FAILED = 0.3


def failing(report: Any, *, is_row: bool = False) -> Write:
    """Some answers, or their whole rows, are reports of a failure."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        failed = set(dice.sample(range(len(rows)), round(FAILED * len(rows))))
        content = report if is_row else {"document": report}
        return [{"id": row["id"], **content} if number in failed else row for number, row in enumerate(rows)]

    return write


def without_failed(sides: Sides, dice: random.Random) -> list[Sides]:
    """The sides as they are meant: documents that failed are empty."""
    failed = set(dice.sample(range(len(sides.predictions)), round(FAILED * len(sides.predictions))))
    rows = [{**row, "document": {}} if n in failed else row for n, row in enumerate(sides.predictions)]
    return [sides._replace(predictions=rows)]


def _schema(document: Document) -> Document:
    return {"type": "object", "title": "Document", "properties": document}


def _json_api(row: Document) -> Document:
    return {"type": "extractions", "id": row["id"], "attributes": row["document"]}


def _usage(number: int) -> Document:
    return {"prompt_tokens": 1200 + 7 * number, "completion_tokens": 210 + number % 9}


def _service(row: Document, number: int) -> Document:
    document = {"docType": "invoice", "confidence": 0.9 + number % 9 / 100, "fields": row["document"]}
    result = {"apiVersion": "2024-11-30", "modelId": "m-1", "pages": [{"pageNumber": 1}], "documents": [document]}
    return {
        "id": row["id"],
        "status": "succeeded",
        "createdDateTime": f"2024-11-30T10:00:{number:02}Z",
        "result": result,
    }


def _studio(row: Document, number: int) -> Document:
    annotation = {
        "id": 7000 + number,
        "completed_by": 3,
        "was_cancelled": False,
        "result": [{"value": row["document"]}],
    }
    return {"id": row["id"], "data": {"image": f"/uploads/{number}.png"}, "annotations": [annotation]}


_UNWRAP = r"^unwrap|^(warning|error).*\b{}\b"
_TEXT = (
    r"^(unwrap|parse|failures|warning|error).*(JSON|Python|YAML|XML|text|unreadable|not (be )?read|invalid|no document)"
)
_BESIDE = r"^(unwrap|alone|ignore|beside|warning).*\b({})\b"
_FAILURES = r"^failures|^(warning|error).*(fail|error|invalid|refus|not (be )?read|no document)"
_PAGE = r"\bpages?\b"
_ERROR = {"error": {"code": 429, "message": "Rate limit reached", "type": "requests", "param": None}}

DIFFERENCES = [
    *(
        Difference("document under a key", key, at(key), _UNWRAP.format(key), side)
        for key, side in (
            ("invoice", PREDICTIONS),
            ("Extracted Data", PREDICTIONS),
            ("gold", REFERENCES),
            ("pred", PREDICTIONS),
        )
    ),
    Difference("document under a key", "in the wrapper", at("document.fields"), _UNWRAP.format("fields")),
    Difference("document under a key", "list of one", at("document.0"), r"^unwrap|^(warning|error).*\blist"),
    Difference(
        "document under a key", "named by its type", rows_as(by_type), r"invoice.*receipt|receipt.*invoice|credit_note"
    ),
    Difference("document under a key", "beside a schema", documents(_schema), _UNWRAP.format("properties")),
    *(
        Difference("document at a path", path, at(path), _UNWRAP.format(path.rpartition(".")[2]), side)
        for path, side in (
            ("output.data", PREDICTIONS),
            ("response.body.result", PREDICTIONS),
            ("outputs.0.value", PREDICTIONS),
            ("annotations.0.fields", REFERENCES),
            ("result.documents.0.extraction", PREDICTIONS),
        )
    ),
    Difference("document at a path", "service", rows_as(_service), _UNWRAP.format("fields")),
    Difference("document at a path", "annotation tool", rows_as(_studio), _UNWRAP.format("value"), REFERENCES),
    *(
        Difference("JSON text", path, at(path, as_text=True), _UNWRAP.format(path.rpartition(".")[2]), side)
        for path, side in (
            ("answer", PREDICTIONS),
            ("label_json", REFERENCES),
            ("result.message.content.0.text", PREDICTIONS),
            ("candidates.0.output", PREDICTIONS),
        )
    ),
    Difference("JSON text", "encoded twice", texts_of(lambda document: dumped(dumped(document))), _TEXT),
    Difference("JSON text", "fenced", texts_of(lambda document: f"```json\n{dumped(document, indent=2)}\n```"), _TEXT),
    Difference(
        "JSON text",
        "in prose",
        texts_of(lambda document: f"Sure! Here is the data:\n\n{dumped(document)}\n\nLet me know.", "completion"),
        _TEXT,
    ),
    Difference("JSON text", "in tags", texts_of(lambda document: f"<answer>{dumped(document)}</answer>", "raw"), _TEXT),
    Difference("text that is no JSON", "Python", texts_of(repr), _TEXT),
    Difference("text that is no JSON", "YAML", texts_of(as_yaml), _TEXT),
    Difference("text that is no JSON", "XML", texts_of(lambda document: as_xml("document", document)), _TEXT),
    Difference("all rows in one object", "results", envelope("results"), _UNWRAP.format("results")),
    Difference(
        "all rows in one object", "data.items", envelope("data", "documents", status="ok"), _UNWRAP.format("documents")
    ),
    Difference(
        "all rows in one object",
        "of references",
        envelope("annotations", version=3),
        _UNWRAP.format("annotations"),
        REFERENCES,
    ),
    Difference(
        "all rows in one object", "JSON:API", envelope("data", row=_json_api), _UNWRAP.format("attributes|data")
    ),
    Difference(
        "all rows in one object",
        "of both",
        envelope("results"),
        _UNWRAP.format("results|samples"),
        other=envelope("samples"),
    ),
    Difference(
        "columns beside",
        "of a flat row",
        flat(model=lambda n: "m-2", latency=lambda n: 0.8 + n / 77),
        _BESIDE.format("model|latency"),
    ),
    Difference("columns beside", "usage", flat(usage=_usage), _BESIDE.format("usage")),
    Difference(
        "columns beside",
        "of a key",
        beside(model=lambda n: "m-2", cost=lambda n: 0.01 * n, finish=lambda n: "stop"),
        _BESIDE.format("parsed|model"),
    ),
    Difference(
        "columns beside",
        "of references",
        flat(annotator=lambda n: f"a{n % 3}", reviewed=lambda n: "2024-05-02"),
        _BESIDE.format("annotator|reviewed"),
        REFERENCES,
    ),
    Difference("pages as rows", "page", pages("page"), _PAGE),
    Difference("pages as rows", "page_no", pages("page_no"), _PAGE),
    Difference("pages as rows", "of references", pages("Seite"), _PAGE, REFERENCES),
    Difference("pages as rows", "in the id", pages("_p", in_id=True), _PAGE),
    *(
        Difference("failures", name, failing(report, is_row=is_row), _FAILURES, sound=without_failed)
        for name, report, is_row in (
            ("error", {"error": "timeout"}, False),
            ("error object", _ERROR, False),
            ("error row", _ERROR, True),
            ("status", {"status": "failed", "message": "Document could not be processed", "trace": "a91"}, False),
            ("refusal", "I'm sorry, but I can't help with documents that contain personal data.", False),
            ("refusal in a field", {"refusal": "I can't read this image."}, False),
            ("nothing", None, False),
            ("page of HTML", "<html><body><h1>502 Bad Gateway</h1></body></html>", False),
        )
    ),
]
