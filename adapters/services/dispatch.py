"""The one way in: which service answered, what its answer needs before the walk, and the walk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from docie.core.errors import with_close_names
from docie.core.values.plain import JsonObject
from docie.documents.parsed import Parsed

from ..llm import to_document as opened
from . import key_values, preparing, textract
from .layouts import LAYOUTS, Asked, detect
from .models import model_answer
from .walking import read

Preparation = Callable[[JsonObject, Counter[str], Asked], JsonObject]
"""Brings what is special in an answer into the shape of its layout, and counts what it drops."""
_PREPARATIONS: dict[str, Preparation] = {
    name: value
    for module in (preparing, key_values, textract)
    for name, value in vars(module).items()
    if name in LAYOUTS
}
"""The functions that have the names of services."""
_MODELS = ("openai_batch", "anthropic_batch", "gemini_batch")


def to_document(
    answer: object,
    service: str | None = None,
    *,
    index: int | None = None,
    normalized: bool = False,
    parse: object = None,
    group_by: str | None = None,
    schema: object = None,
) -> Parsed:
    """Read the answer of a service, or a line of a batch.

    Args:
        answer (dict or str): the answer as JSON has it, what the service's Python package makes of it, or its text.
        service (str): whose answer it is, as `detect` names it; None to detect it.
        index (int): which of several documents in one answer, from 0; None for the first one with fields. The pages of
            Textract are one document, of which an index takes one page.
        normalized (bool): whether to take ISO dates and numbers, where a service gives them, rather than the text as it
            is printed. A value that has only one of them gives that one.
        parse (dict): for "landing_ai", the answer of Parse, which has the pages and the boxes.
        group_by (str): for "langextract", the attribute that extractions of one group share, which becomes the name of
            the groups. Other attributes are dropped.
        schema (dict): for the batches of models, a JSON Schema or a pydantic model class that names the keys, as in
            `llm.to_document`.

    Returns:
        Parsed: the document, and a line for everything that was repaired or dropped. None where there is none; the
        issues say why.

    Raises:
        ValueError: if there is no such service, or the schema is none; never for an answer.

    >>> field = {"type": "date", "valueDate": "2024-02-01", "content": "1 Feb 24", "confidence": 0.9}
    >>> answer = {"analyzeResult": {"documents": [{"fields": {"InvoiceDate": field}}]}}
    >>> to_document(answer).document
    {'InvoiceDate': {'value': '1 Feb 24', 'confidence': 0.9}}
    >>> to_document(answer, normalized=True).document
    {'InvoiceDate': {'value': '2024-02-01', 'confidence': 0.9}}
    """
    if service is not None and service not in LAYOUTS:
        raise ValueError(f"expected the name of a service, got {with_close_names([str(service)], [*LAYOUTS])}")
    found = opened(answer)
    if not isinstance(found.document, dict):
        return found
    name = service or detect(found.document)
    if name is None:
        return Parsed(None, [*found.issues, "expected the answer of a service; none has these keys"])
    layout, issues = LAYOUTS[name], Counter(found.issues)
    if name in _MODELS:
        return model_answer(layout, found.document, schema, issues)
    if name == "langextract":
        layout = layout._replace(lists=(group_by or "",))
    if name == "landing_ai" and parse is None:
        layout = layout._replace(where=layout.where._replace(regions=()))
    values = layout.normalized + layout.values if normalized else layout.values + layout.normalized
    prepare = _PREPARATIONS.get(name, _as_it_is)
    ready = prepare(found.document, issues, Asked(index, parse, group_by))
    return read(layout._replace(values=values), ready, index, issues)


def _as_it_is(answer: JsonObject, issues: Counter[str], asked: Asked) -> JsonObject:
    return answer
