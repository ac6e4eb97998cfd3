"""Rows that hold answers of models and services, or tasks of annotation tools, become wrappers around documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

from docie.core.errors import InputError, shortened, with_close_names
from docie.core.phrases import counted, some_of
from docie.core.values.json_text import parsed
from docie.core.values.plain import JsonObject
from docie.documents.markup import records_in
from docie.inputs.openers import CONTENT_KEYS, SPECIAL, at, is_wrapper, meta_of
from docie.inputs.reading import TEXTS, Side
from docie.inputs.row import Row

MARKS = frozenset({
    "analyzeResult", "analyze_result", "modelId", "model_id", "formType", "form_type", "result", "analyzerId",
    "analyzer_id", "ExpenseDocuments", "IdentityDocuments", "Results", "Blocks", "JobStatus", "entities", "document",
    "extract_result", "extraction_metadata", "output", "document_annotation", "usage_info", "schema_name",
    "extractions", "inference", "custom_id", "response", "choices", "pages", "modelOutput", "model_output",
    "candidates", "key", "stopReason", "stop_reason",
    "annotations", "predictions", "label", "labels", "responses",
})  # fmt: skip
"""Keys of which every answer that can be detected has one. Adapters are imported for such rows only."""
SPECIAL_KEYS = SPECIAL | MARKS
"""Keys of which a document as it stands has none: those of wrappers, of tagged words and of answers."""
_TIMES = re.compile(r" \(\d+ times\)$")
SHOWN = 3
"""The number of kinds of issues that a line names."""


class Issue(NamedTuple):
    """What was repaired or dropped in an answer, or why it holds no document."""

    side: str
    place: str
    id: str | None
    issue: str


ISSUES: ContextVar[dict[Issue, None] | None] = ContextVar("issues", default=None)
"""The issues of all answers that are read, each once, as keys; None where they are not kept."""


@contextmanager
def kept_issues() -> Iterator[dict[Issue, None]]:
    """Inside this block, `ISSUES` are kept."""
    issues: dict[Issue, None] = {}
    token = ISSUES.set(issues)
    try:
        yield issues
    finally:
        ISSUES.reset(token)


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

    @property
    def is_read(self) -> bool:
        """Whether it is an answer of its kind: no service's of which more was lost than read."""
        if self.how in TEXTS:
            return self.document is not None
        return isinstance(self.document, dict) and len(self.document) >= len(self.issues)


def check_parse(how: str) -> None:
    """Check that there is something that reads answers so.

    Args:
        how (str): "auto", "no", "llm", "donut", or the name of a service or of an annotation tool.

    Raises:
        ValueError: if there is not.

    >>> check_parse("azure_document")
    Traceback (most recent call last):
    ...
    ValueError: expected auto, no, llm, donut, or a service or an annotation tool, got 'azure_document' (close: ...)
    """
    is_text = isinstance(how, str)  # other types may refuse to be compared, such as pandas.NA
    if is_text and how in ("auto", "no", *TEXTS):
        return
    from docie.adapters import exports
    from docie.adapters.services.layouts import LAYOUTS

    known = ["auto", "no", *TEXTS, *LAYOUTS, *exports.NAMES]
    if not is_text or how not in known:
        got = with_close_names([how], known) if is_text else shortened(how)
        raise ValueError(f"expected auto, no, llm, donut, or a service or an annotation tool, got {got}")


def answer_in(value: object, how: str, side: str, *, texts: str = "answer") -> Answer | None:
    """The answer that a row holds.

    Args:
        value: a row, or what stands in it, with JSON text parsed.
        how (str): what reads it, as for `check_parse`.
        side (str): "prediction" or "reference": which of them a task of an annotation tool is read for.
        texts (str): what "auto" takes texts that are no JSON for: "answer" has an object, "list" a list of objects.

    Returns:
        Answer: what was read; None if the value is no answer.

    Raises:
        ValueError: for an annotated task that is malformed.

    >>> answer_in('Here it is: {"total": "7.50"}', "auto", "prediction")
    Answer(document={'total': '7.50'}, issues=['dropped the text around the JSON object'], how='llm', ...)
    >>> answer_in({"total": "7.50"}, "auto", "prediction")
    """
    is_text, is_list = isinstance(value, str), texts == "list"
    if how in ("auto", "no") and not (is_text and texts in ("answer", "list")) and not _is_marked(value):
        return None
    from docie.adapters import donut, exports, llm, services
    from docie.adapters.services.layouts import LAYOUTS
    from docie.adapters.services.places import first

    if how == "auto":
        how = services.detect(value) or exports.detect(value) or (_text_form(value) if is_text else "no")
    if how == "no" or (how in TEXTS and not is_text):
        return None
    if how in TEXTS:
        read = donut.to_document if how == "donut" else llm.to_list if is_list else llm.to_document
        found = read(str(value))
        return Answer(found.document, found.issues, how)
    value = parsed(value)
    if how in exports.NAMES:
        return _of_task(value, how, side)
    document, issues = services.to_document(value, how)
    model = first(value, LAYOUTS[how].model)
    source = {"service": how, **({"model": model} if isinstance(model, str) else {})}
    return Answer(document, issues, how, first(value, LAYOUTS[how].id), source)


def _is_marked(value: object) -> bool:
    return isinstance(value, dict) and not MARKS.isdisjoint(value)


def _text_form(text: Any) -> str:
    from docie.adapters.thoughts import outside_thoughts

    if "<s_" in outside_thoughts(text)[0].partition("{")[0]:
        return "donut"
    return "no" if "{" not in text and records_in(text) else "llm"  # `records` reads tables


def _of_task(task: object, how: str, side: str) -> Answer:
    """What an annotator, or a model, said about a task."""
    from docie.adapters import exports

    if how == "doccano":  # which has only annotations
        side = "reference"
    for row in getattr(exports, how)([task]):
        if side in row:
            return Answer(row[side], [], how, row["id"], {"service": how}, row["meta"])
    return Answer(None, [], how, is_absent=True)


class Answers:
    """Reads the answers among the rows of one side, and counts what becomes of them.

    Args:
        side: "prediction" or "reference".
        how: how rows are read.
        file: the file of all rows; an empty text if each has one of its own, or none.

    Attributes:
        texts: what a text is, where nothing else is said, as by `docie.inputs.openers.kind_of_texts`.
        absent: the number of tasks without anything for this side.
    """

    def __init__(self, side: str, how: Side, *, file: str) -> None:
        self.side, self.how, self.file = side, how, file
        self.texts = ""
        self.read, self.issues, self.reasons = Counter[str](), Counter[str](), Counter[str]()
        self.changed = self.unread = self.absent = 0

    def opened(self, row: Row, path: Sequence[str]) -> Row | None:
        """A row with its document in place of the answer in it.

        Args:
            row: the row.
            path: the keys that lead to its document.

        Returns:
            The row itself if it holds no answer; None for a task that has nothing for this side.

        Raises:
            InputError: for a reference that cannot be read.
            ValueError: for an annotated task that is malformed.
        """
        given = row.document
        if not path and is_wrapper(given):
            path = [next(key for key in CONTENT_KEYS[self.side] if key in given)]
        try:
            value = at(given, path) if path else given
        except KeyError:
            return row
        if (answer := self._answer(value)) is None:
            return row
        if answer.is_absent:
            self.absent += 1
            return None
        if answer.document is None and self.side == "reference":
            problem = f"the reference cannot be read as {answer.how} ({next(iter(answer.issues), 'it is empty')})"
            raise InputError(f"{row.place}: {problem}; --config references.parse=no takes rows as they stand")
        if answer.document is not None or self.how.parse != "auto" or not isinstance(value, str):
            given = self._with_document(row, path, answer)
        self._count(answer, row, given)
        return row._replace(document=given, issues=answer.issues)

    def with_columns(self, row: object) -> object:
        """A row with documents in place of the answers under its keys, which a path may lead to."""
        if self.how.parse != "auto" or not isinstance(row, dict) or is_wrapper(row):
            return row
        fields = dict(row)
        for key, value in row.items():
            is_json = isinstance(value, str) and isinstance(parsed(value), list)  # of line items, say
            if not is_json and (not isinstance(value, str) or "{" in value or "<s_" in value):
                answer = self._answer(value)
                fields[key] = answer.document if answer is not None and answer.is_read else value
        return fields

    def _answer(self, value: object) -> Answer | None:
        """The answer that stands in a row; None for none."""
        if self.how.parse == "auto":
            found = parsed(value)
            value = value if isinstance(found, list) and self.texts == "answer" else found  # a list of one object, say
        return None if value is None else answer_in(value, self.how.parse, self.side, texts=self.texts)

    def _with_document(self, row: Row, path: Sequence[str], answer: Answer) -> JsonObject:
        """The row with the document, what is known of its source, and its id if the row has none."""
        given = parsed(row.document)
        fields = given if isinstance(given, dict) else {}
        key = self.how.id_key
        meta = meta_of(given, key, path) if path and not is_wrapper(given) else fields.get("meta")
        if meta is None or isinstance(meta, dict):
            file = Path(self.file or row.place).name
            meta = {"source": {**({"file": file} if file else {}), **answer.source}, **answer.meta, **(meta or {})}
        found = _replaced(given, path, answer.document) if path else {self.side: answer.document}
        # in a folder, the name of the file is the id
        identity = fields.get(key) if self.how.id is not None else answer.id if row.id is None else None
        own = {key: identity} if isinstance(identity, str | int | float) else {}
        return {**own, **found, "meta": meta}

    def _count(self, answer: Answer, row: Row, given: object) -> None:
        self.read[answer.how] += 1
        self.unread += answer.document is None
        if answer.document is None and answer.how not in TEXTS:
            self.reasons.update(answer.issues[:1])
        elif answer.document is not None and answer.issues:
            self.changed += 1
            self.issues.update({_TIMES.sub("", issue) for issue in answer.issues})
        if (kept := ISSUES.get()) is not None:
            identity = given.get(self.how.id_key) if isinstance(given, dict) else None
            name = row.id if identity is None else str(identity)
            kept.update({Issue(f"{self.side}s", row.place, name, issue): None for issue in answer.issues})

    def summary(self, name: str) -> str:
        """How answers were read, and what became of them; an empty text if there were none.

        Args:
            name: what the side is called.
        """
        is_of_texts = self.read.keys() <= {*TEXTS}
        if not self.absent and self.read.total() == self.unread * is_of_texts:
            return ""  # texts without a document count as invalid, as texts do
        read = [f"{counted(number, self.side)} as {how}" for how, number in self.read.items()]
        kinds, reasons = (
            some_of([f"{issue} ({number:,})" for issue, number in found.most_common()], shown)
            for found, shown in ((self.issues, SHOWN), (self.reasons, 1))
        )
        parts = {
            f"read {' and '.join(read)}": read,
            f"left out {counted(self.absent, 'task')} without a {self.side}": self.absent,
            f"found no document in {self.unread:,}{f': {reasons}' if reasons else ''}": self.unread,
            f"repaired or lost parts of {self.changed:,}: {kinds}": self.changed,
            "docie score --format json lists all issues": self.changed or self.unread,
        }
        return f"{name}: {'; '.join(part for part, is_true in parts.items() if is_true)}"


def source_of(meta: object) -> str:
    """The service and the model that the `meta` of a row names; an empty text for none.

    >>> source_of({"source": {"file": "p.jsonl", "service": "mistral", "model": "ocr-4"}})
    'mistral ocr-4'
    """
    source = meta.get("source") if isinstance(meta, dict) else None
    names = map(source.get, ("service", "model")) if isinstance(source, dict) else ()
    return " ".join(name for name in names if isinstance(name, str))


def _replaced(row: object, path: Sequence[str], document: object) -> Any:
    """The row with a document at a path of it."""
    if not path:
        return document
    fields, (key, *rest) = parsed(row), path
    if isinstance(fields, list):
        return [_replaced(each, rest, document) if place == int(key) else each for place, each in enumerate(fields)]
    assert isinstance(fields, dict)
    return {**fields, key: _replaced(fields[key], rest, document)}
