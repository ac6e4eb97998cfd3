"""What a row may hold in place of a document: an answer of a service or of a model, or a task of an annotation tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from docie.core.errors import shortened, with_close_names
from docie.core.values.json_text import parsed
from docie.documents.markup import records_in
from docie.documents.rows import Parsed

from . import donut, exports, llm, services
from .services.layouts import LAYOUTS
from .services.places import first
from .thoughts import outside_thoughts

__all__ = ["Answer", "check", "read"]

TEXTS: Mapping[str, Callable[[object], Parsed]] = {"llm": llm.to_document, "donut": donut.to_document}
"""What reads texts, by name."""
EXPORTS = [name for name in exports.__all__ if name != "detect"]


class Answer(NamedTuple):
    """What was read in a row.

    Attributes:
        document: None if none could be read.
        issues: a line for each thing that was repaired or dropped.
        how: what read it: "llm", "donut", a service or an annotation tool.
        id: the id of the document, if the answer has one.
        source: who answered: the service, and the model if the answer names it.
        meta: what is known beside the document.
        is_absent: whether the task of an annotation tool has nothing for this side.
    """

    document: object
    issues: list[str]
    how: str
    id: object = None
    source: Mapping[str, object] = {}
    meta: Mapping[str, object] = {}
    is_absent: bool = False


def check(how: str) -> None:
    """Check that there is something that reads answers so.

    Args:
        how (str): "auto", "no", "llm", "donut", or the name of a service or of an annotation tool.

    Raises:
        ValueError: if there is not.

    >>> check("azure_document")
    Traceback (most recent call last):
    ...
    ValueError: expected auto, no, llm, donut, or a service or an annotation tool, got 'azure_document' (close: ...)
    """
    known = ["auto", "no", *TEXTS, *LAYOUTS, *EXPORTS]
    if how not in known:
        got = with_close_names([how], known) if isinstance(how, str) else shortened(how)
        raise ValueError(f"expected auto, no, llm, donut, or a service or an annotation tool, got {got}")


def read(value: object, how: str, side: str, *, reads_texts: bool = True) -> Answer | None:
    """Read the answer that a row holds.

    Args:
        value: a row, or what stands in it, with JSON text parsed.
        how (str): what reads it, as for `check`.
        side (str): "prediction" or "reference": which of them a task of an annotation tool is read for.
        reads_texts (bool): whether "auto" reads texts that are no JSON.

    Returns:
        Answer: what was read; None if the value is no answer.

    Raises:
        ValueError: for an annotated task that is malformed.

    >>> read('Here it is: {"total": "7.50"}', "auto", "prediction")
    Answer(document={'total': '7.50'}, issues=['dropped the text around the JSON object'], how='llm', ...)
    >>> read({"total": "7.50"}, "auto", "prediction")
    """
    if how == "auto":
        is_text = isinstance(value, str) and reads_texts
        how = services.detect(value) or exports.detect(value) or (_text_form(value) if is_text else "no")
    if how == "no" or (how in TEXTS and not isinstance(value, str)):
        return None
    if how in TEXTS:
        return Answer(*TEXTS[how](value), how)
    value = parsed(value)
    if how in EXPORTS:
        return _of_task(value, how, side)
    document, issues = getattr(services, how)(value)
    model = first(value, LAYOUTS[how].model)
    source = {"service": how, **({"model": model} if isinstance(model, str) else {})}
    return Answer(document, issues, how, first(value, LAYOUTS[how].id), source)


def _text_form(text: Any) -> str:
    if "<s_" in outside_thoughts(text)[0].partition("{")[0]:
        return "donut"
    return "no" if "{" not in text and records_in(text) else "llm"  # `--records tables` reads tables


def _of_task(task: object, how: str, side: str) -> Answer:
    """What an annotator, or a model, said about a task."""
    if how == "doccano":  # which has only annotations
        side = "reference"
    for row in getattr(exports, how)([task]):
        if side in row:
            return Answer(row[side], [], how, row["id"], {"service": how}, row["meta"])
    return Answer(None, [], how, is_absent=True)
