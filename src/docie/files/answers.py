"""Rows that hold answers of models and services, or tasks of annotation tools, become wrappers around documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from docie.core.errors import InputError
from docie.core.phrases import counted, some_of
from docie.core.reading import Reading
from docie.core.values.json_text import parsed
from docie.core.values.plain import JsonObject
from docie.documents.pairs.found import at, meta_of
from docie.documents.rows import CONTENT_KEYS, Opened, is_wrapper

if TYPE_CHECKING:
    from docie.adapters.answers import Answer

MARKS = frozenset({
    "analyzeResult", "modelId", "result", "analyzerId", "ExpenseDocuments", "IdentityDocuments", "entities", "document",
    "extract_result", "extraction_metadata", "output", "document_annotation", "usage_info", "schema_name",
    "extractions", "custom_id", "response", "choices", "pages",
    "annotations", "predictions", "label", "labels", "responses",
})  # fmt: skip
"""Keys of which every answer that can be detected has one. Adapters are imported for such rows only."""
MAY_HOLD = MARKS | {*CONTENT_KEYS["prediction"]}
"""Keys of which every row that may hold an answer has one, if nothing is said about rows."""
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


class Answers:
    """Reads the answers among the rows of one side, and counts what becomes of them.

    Args:
        side: "prediction" or "reference".
        reading: how rows are read; None for as they are.
        accepts_text: whether a document may be a text.
        place: gives the place of the row with a number.
        name: the name of the file; an empty text if each row has one of its own.

    Raises:
        InputError: if nothing reads answers as the reading says.
    """

    def __init__(
        self, side: str, reading: Reading | None, *, accepts_text: bool, place: Callable[[int], str], name: str
    ) -> None:
        reading = reading or Reading()
        self.side, self.id_key, self.how = side, reading.id_key_of(side), reading.asked_of("parse", side) or "auto"
        self.place, self.name, self.names_id = place, name, reading.id_key is not None
        self.reads_texts = side == "prediction" and not accepts_text
        self.clear()
        if self.how not in ("auto", "no"):
            from docie.adapters import answers

            try:
                answers.check(self.how)
            except ValueError as error:
                raise InputError(f"--parse: {error}") from None

    def clear(self) -> None:
        """Forget what was counted."""
        self.read, self.issues = Counter[str](), Counter[str]()
        self.changed = self.unread = self.absent = 0

    def row(self, number: int, row: object, path: Sequence[str]) -> object:
        """A row with its document in place of the answer in it.

        Args:
            number: its number.
            row: the row.
            path: the keys that lead to its document.

        Returns:
            The row itself if it holds no answer; None for a task that has nothing for this side.

        Raises:
            InputError: for a reference that cannot be read.
            ValueError: for an annotated task that is malformed.
        """
        if not path and is_wrapper(row):
            path = [next(key for key in CONTENT_KEYS[self.side] if key in row)]
        try:
            value = at(row, path) if path else row
        except KeyError:
            return row
        if (answer := self._answer(value)) is None:
            return row
        if answer.is_absent:
            self.absent += 1
            return None
        place = self.place(number)
        if answer.document is None and self.side == "reference":
            problem = f"the reference cannot be read as {answer.how} ({next(iter(answer.issues), 'it is empty')})"
            raise InputError(f"{place}: {problem}; --parse references:no takes rows as they stand")
        if answer.document is not None or self.how != "auto" or not isinstance(value, str):
            row = self._with_document(row, path, answer, file=self.name or place)
        identity = row.get(self.id_key) if isinstance(row, dict) else None
        if identity is None and not self.name:
            identity = Path(place).stem
        self._count(answer, place, None if identity is None else str(identity))
        return row

    def with_columns(self, row: object) -> object:
        """A row with documents in place of the answers under its keys, which a path may lead to."""
        if self.how != "auto" or not isinstance(row, dict) or is_wrapper(row):
            return row
        fields = dict(row)
        for key, value in row.items():
            if not isinstance(value, str) or "{" in value or "<s_" in value:
                answer = self._answer(value)
                fields[key] = value if answer is None or answer.document is None else answer.document
        return fields

    def _answer(self, value: object) -> Answer | None:
        """The answer that stands in a row; None for none."""
        if self.how == "auto":
            value = parsed(value)
            if (
                MARKS.isdisjoint(value)
                if isinstance(value, dict)
                else not (isinstance(value, str) and self.reads_texts)
            ):
                return None
        from docie.adapters import answers

        return None if value is None else answers.read(value, self.how, self.side, reads_texts=self.reads_texts)

    def _with_document(self, row: object, path: Sequence[str], answer: Answer, *, file: str) -> JsonObject:
        """The row with the document, what is known of its source, and its id if the row has none."""
        fields = row if isinstance(row := parsed(row), dict) else {}
        meta = meta_of(row, self.id_key, path) if path and not is_wrapper(row) else fields.get("meta")
        if meta is None or isinstance(meta, dict):
            meta = {"source": {"file": Path(file).name, **answer.source}, **answer.meta, **(meta or {})}
        found = _replaced(row, path, answer.document) if path else {self.side: answer.document}
        identity = fields.get(self.id_key) if self.names_id else answer.id
        own = {self.id_key: identity} if isinstance(identity, str | int | float) else {}
        return {**own, **found, "meta": meta}

    def _count(self, answer: Answer, place: str, identity: str | None) -> None:
        self.read[answer.how] += 1
        self.unread += answer.document is None
        if answer.document is not None and answer.issues:
            self.changed += 1
            self.issues.update({_TIMES.sub("", issue) for issue in answer.issues})
        if (kept := ISSUES.get()) is not None:
            kept.update({Issue(f"{self.side}s", place, identity, issue): None for issue in answer.issues})

    def summary(self, name: str) -> str:
        """How answers were read, and what became of them; an empty text if there were none.

        Args:
            name: what the side is called.
        """
        is_of_texts = self.read.keys() <= {"llm", "donut"}
        if not self.absent and self.read.total() == self.unread * is_of_texts:
            return ""  # texts without a document count as invalid, as texts do
        read = [f"{counted(number, self.side)} as {how}" for how, number in self.read.items()]
        kinds = some_of([f"{issue} ({number:,})" for issue, number in self.issues.most_common()], SHOWN)
        parts = {
            f"read {' and '.join(read)}": read,
            f"left out {counted(self.absent, 'task')} without a {self.side}": self.absent,
            f"found no document in {self.unread:,}": self.unread,
            f"repaired or lost parts of {self.changed:,}: {kinds}": self.changed,
            "docie score --issues FILE lists all issues": self.changed or self.unread,
        }
        return f"{name}: {'; '.join(part for part, is_true in parts.items() if is_true)}"


def source_of(row: object) -> str:
    """The service and the model that the `meta` of a row names; an empty text for none.

    >>> source_of({"prediction": {}, "meta": {"source": {"file": "p.jsonl", "service": "mistral", "model": "ocr-4"}}})
    'mistral ocr-4'
    """
    meta = row.meta if isinstance(row, Opened) else row.get("meta") if isinstance(row, dict) else None
    source = meta.get("source") if isinstance(meta, dict) else None
    names = map(source.get, ("service", "model")) if isinstance(source, dict) else ()
    return " ".join(name for name in names if isinstance(name, str))


def _replaced(row: object, path: Sequence[str], document: object) -> JsonObject:
    """The row with a document at a path of it."""
    fields = parsed(row)
    assert isinstance(fields, dict)
    inner = document if len(path) == 1 else _replaced(fields[path[0]], path[1:], document)
    return {**fields, path[0]: inner}
