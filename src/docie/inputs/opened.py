"""The rows of one side on their way to documents: opened, merged from pages, and with other names."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from docie.core.errors import DocumentError, InputError
from docie.core.values.json_text import parsed
from docie.core.values.plain import identity_text
from docie.inputs.answer_rows import SPECIAL_KEYS, Answers
from docie.inputs.kinds import input_kind_of
from docie.inputs.openers import Opened, from_text, is_wrapper, open_row, plain_row, unwrapped
from docie.inputs.pages import PAGE_NAMES, merged
from docie.inputs.reading import ANY_KEY, BY_NAME, BY_ORDER, BY_ROWS, Side, both
from docie.inputs.row import Row
from docie.inputs.shapes import Shape
from docie.inputs.sources.dataset_records import record_row
from docie.inputs.sources.item_rows import grouped, is_flat
from docie.inputs.sources.source import Source

RUN_NAMES = re.compile(r"(run|seed|sample|trial|attempt|repetition)([_ -]?(id|no|nr|number|index))?", re.IGNORECASE)
"""What a key may be called that tells apart the runs of a system."""
_REFERENCES = {"reference", "ground_truth"}
_IDENTITIES, _METAS = {str, type(None)}, {dict, type(None)}
"""The types that most ids and most of what stands beside documents have."""


class OpenedRows:
    """The documents of one side, in order, as a `Side` asks for them.

    Args:
        source: the rows.
        side: "prediction" or "reference".
        how: how they are read.
        ids: whether the field of a document may be its id, and either all rows or none have one.

    Attributes:
        kind: what a text is here, as by `docie.inputs.openers.kind_of_texts`; the join sets it.
        keys: the keys of wrappers that held documents.
        refuses_pairs: whether a row that holds both a prediction and a reference is an error.
        has_id_among_fields: whether an id stood among the fields of a document.
        shape: what gives documents their names, and knows which names it never saw.
    """

    def __init__(self, source: Source, side: str, how: Side, *, ids: bool) -> None:
        self.source, self.side, self.how, self.ids = source, side, how, ids
        self.name, self.kind = source.name, ""
        self.keys = set[str]()
        self.has_id_among_fields = False
        self.shape = Shape(side, how)
        self.answers = Answers(side, how, file=source.file)
        self.path = how.path
        self.refuses_pairs = False
        self._number = 0  # of the row that was read last, where rows have no places
        self.forms = set[bool]()  # whether documents stood in wrappers
        self._special = SPECIAL_KEYS | {*how.failures}
        self._key = how.id_key if ids else ""
        self._wrapper_keys = {"meta", "id", side} if how.id_key else {"meta", side}
        self._dataset = source.dataset or how.dataset
        self._is_simple = not (self.path or self._dataset) and how.parse in ("auto", "no")
        self._is_simple &= how.id in (None, "", "id")  # one that was asked for must be there

    def __iter__(self) -> Iterator[Row]:
        if self.how.pages:
            yield from map(self.shape.named, merged(self.paged(), self.source, self.shape))
        elif self.shape.is_plain:
            yield from self._alike(self._opened())
        else:
            yield from map(self._shaped, self._alike(self._opened()))

    @property
    def notes(self) -> list[str]:
        """What a user should know about the rows that were read."""
        notes = [*self.source.notes]
        is_one = self.source.is_one_object and not self.path and not self.answers.read
        if is_one:
            notes.append(f"{self.name}: one object, read as one document; several are a list or JSON Lines")
        return [*notes, *filter(None, [self.answers.summary(self.name)])]

    def given(self) -> Iterator[Row]:
        """The rows as they stand, with documents in place of the answers, and of the records of a data set, in them."""
        return filter(None, map(self._given, self._numbered()))

    def _numbered(self) -> Iterator[Row]:
        """The rows as they stand."""
        for number, row in enumerate(self._elements()):
            self._number = number
            yield row
        if self.answers.absent and not self.answers.read:
            raise InputError(f"{self.name}: no task has a {self.side}")

    def _given(self, row: Row) -> Row | None:
        """A row with its document in place of an answer, or of a record; None for a task without anything here."""
        with self.located(row):
            if self._dataset:
                return row._replace(document=record_row(row.document, self._dataset, self.how.id_key))
            if self.how.parse == "no":
                return row
            self.answers.texts = self.kind if self.side == "prediction" else ""
            return self.answers.opened(row, self.path)

    def unopened(self) -> Iterator[Row]:
        """The rows for which other readings may be tried: with pages merged, and documents in place of answers."""
        self.kind = "answer"  # other texts are documents of ANLS*, which nothing is tried for
        self.answers.texts = self.kind if self.side == "prediction" else ""
        if not self.how.pages:
            yield from map(self._unopened, self.given())
            return
        for row in merged(self.paged(), self.source, self.shape):
            document = row.document
            for key in reversed(self.how.path or ["document"]):
                document = {key: document}
            meta = {"meta": row.meta} if row.meta else {}
            yield Row({self.how.id_key or "id": row.id, **document, **meta}, row.place)

    def _unopened(self, row: Row) -> Row:
        """A row with documents in place of answers; an element of one object again at the place that `unwrap` names."""
        document: Any = self.answers.with_columns(row.document)
        if taken := self.how.path[: len(self.how.path) - len(self.path)]:
            fields = dict(document) if isinstance(document, dict) else {}
            identity = {self.how.id_key: fields.pop(self.how.id_key)} if self.how.id_key in fields else {}
            document = fields or document
            for step in reversed(taken):
                document = {step: document}
            document = {**identity, taken[0]: document[taken[0]]}
        elif self.how.path[:1] == [ANY_KEY] and isinstance(document, dict) and len(document) == 1:
            return row._replace(document=document, id=row.id or str(next(iter(document))))
        return row._replace(document=document)

    def _elements(self) -> Iterator[Row]:
        """The rows of the source; the elements of the list at the path of a single one."""
        rows = iter(self.source)
        if self.how.has_item_rows:
            rows = grouped(rows, self.how.id_key, self.source.note, self.name)
        if not self.how.unwrap:
            return rows
        self.path = self.how.path
        head = list(islice(rows, 2))
        if len(head) == 1 and self.path[0] == ANY_KEY and len(keyed := keyed_rows(head[0].document)) > 1:
            self.path, self.source.has_elements = self.path[1:], True
            return (row._replace(place=f"{self.name}, {row.id}") for row in keyed)
        for depth in range(1, len(self.path) + 1) if len(head) == 1 else ():
            if depth < len(self.path) and self.path[depth].isdecimal():  # the position of the document
                continue
            if (elements := _list_at(head[0].document, self.path[:depth])) is None:
                continue
            self.path, self.source.has_elements = self.path[depth:], True
            return (Row(each, f"{self.name}, element {number}") for number, each in enumerate(elements, 1))
        return chain(head, rows)

    def _opened(self) -> Iterator[Row]:
        for row in self._numbered():
            run = ""
            if self.how.run not in ("", BY_ORDER):
                row, run = self._without_run(row)
            opened = self._plain(row)
            if opened is None and (given := self._given(row)) is not None:
                opened = self.opened(given)
            if opened is not None:
                yield opened._replace(run=run) if run else opened

    def _without_run(self, row: Row) -> tuple[Row, str]:
        """A row without the key of its run, and the run."""
        key, value = self.how.run, plain_row(row.document)
        with self.located(row):
            run = identity_text(key, value.get(key)) if isinstance(value, dict) else None
        if not isinstance(value, dict) or run is None:
            raise InputError(f"{row.place}: no key {key!r}, which {self.side}s.run names")
        return row._replace(document={name: child for name, child in value.items() if name != key}), run

    def _plain(self, row: Row) -> Row | None:
        """What `opened` makes of most rows, in a fifth of its time: documents as they stand, or with an id beside them.

        None for all other rows: those in which an answer, words with tags or an id may have to be looked for.
        """
        value = row.document
        if not self._is_simple or type(value) is not dict or row.id is not None or row.meta is not None:
            return None
        if is_wrapped := self.side in value:
            document, identity, meta = value[self.side], value.get("id"), value.get("meta")
            if not value.keys() <= self._wrapper_keys or type(document) is not dict or "confidence" in document:
                return None
            if type(identity) not in _IDENTITIES or type(meta) not in _METAS:
                return None
        elif self._key in value:
            return None
        else:
            document = value
        if not self._special.isdisjoint(document):
            return None
        if document and not self.answers.read:
            self.forms.add(is_wrapped)
        if not is_wrapped:
            return row
        self.keys.add(self.side)
        return Row(document, row.place, identity and self.how.stripped(identity), meta)

    def _shaped(self, row: Row) -> Row:
        with self.located(row):
            return self.shape.of(row)

    def opened(self, row: Row) -> Row:
        """A row with its document and its id.

        Raises:
            DocumentError, InputError: for a row that cannot be read.
        """
        if self.refuses_pairs and _holds_both(plain_row(row.document)):
            raise InputError(f"{row.place}: a prediction and a reference; name one of them with `side`")
        with self.located(row):
            found = open_row(row.document, self.side, self.how, path=self.path, kind=self.kind, ids=self.ids)
        version = row.meta or ""  # of a form under attack
        identity = None if found.id is None else self.how.stripped(found.id) + version
        self._check_id(row, identity, found)
        self.has_id_among_fields |= found.is_field
        if isinstance(found.document, dict) and found.document and not row.issues and not self.answers.read:
            self.forms.add(found.key is not None)
        if found.key is not None:
            self.keys.add(found.key)
        if identity is None and row.id is not None:
            identity = self.how.stripped(row.id)
        return Row(found.document, row.place, identity, found.meta, row.issues)

    def _check_id(self, row: Row, identity: str | None, found: Opened) -> None:
        """Raise InputError for a row without the id that was asked for, or with one that cannot be right."""
        key, value = self.how.id_key, row.document
        if identity is None and key not in ("", "id") and isinstance(plain_row(value), dict):
            raise InputError(f"{row.place}: no key {key!r}, which {self.side}s.id names")
        if not found.is_field:
            return
        if row.id is not None and identity != self.how.stripped(row.id):
            hint = f"if {key!r} is a field of the documents, say {self.source.asked_by({f'{self.side}s.id': ''})}"
            raise InputError(f"{row.place}: the id {identity!r} is not the name of the file; {hint}")
        is_alone = isinstance(value, dict) and len(value) == 1 and not self.has_id_among_fields
        if is_alone and not self.source.is_table:
            raise InputError(f"{row.place}: an id, but no document{self.id_hint(may_be_field=True)}")

    def _alike(self, rows: Iterator[Row]) -> Iterator[Row]:
        """The rows, of which all have an id, or none."""
        if not self.ids:
            yield from rows
            return
        has_id: bool | None = None
        for row in rows:
            if has_id is None:
                has_id = row.id is not None
            elif (row.id is None) is has_id:
                here, there = ("no id", "one") if row.id is None else ("an id", "none")
                hint = self.several_hint(row) if has_id and self.source.is_table else self.id_hint()
                raise InputError(f"{row.place}: {here}, but the first row has {there}{hint}")
            yield row

    def paged(self) -> Iterator[tuple[Row, object]]:
        """Opened rows, each with what stands under the key of the numbers of pages."""
        key = None if self.how.pages == BY_NAME else self.how.pages
        for row in self.given():
            page, value = None, plain_row(row.document)
            if key is not None and isinstance(value, dict):
                page = value.get(key)
                row = row._replace(document={name: child for name, child in value.items() if name != key})
            yield self.opened(row), page

    def id_hint(self, *, may_be_field: bool = False) -> str:
        """What an error about ids adds if the id may be a field of the documents."""
        if not (self.has_id_among_fields or may_be_field):
            return ""
        return (
            f"; if {self.how.id_key!r} is a field of the documents, join them by order with "
            f"{self.source.asked_by(both('id', ''))}"
        )

    def several_hint(self, row: Row) -> str:
        """What an error about rows of one document adds: how they become one, by what such a row has."""
        fields = row.document if isinstance(row.document, dict) else {}
        if page := next((key for key in fields if isinstance(key, str) and PAGE_NAMES.fullmatch(key)), ""):
            return f"; if rows are pages, {self.source.asked_by({f'{self.side}s.pages': page})} merges them"
        if fields and is_flat(fields) and not self.how.has_item_rows:
            items = self.source.asked_by({f"{self.side}s.records": BY_ROWS})
            return f"; if rows are items of one document, {items} groups them"
        return self.id_hint()

    def run_hint(self, row: Row) -> str:
        """What an error about an id that stands twice adds: how rows are read as the answers of several runs."""
        if self.side == "reference" or self.how.run:
            return ""
        fields = row.document if isinstance(row.document, dict) else {}
        key = next((key for key in fields if isinstance(key, str) and RUN_NAMES.fullmatch(key)), BY_ORDER)
        return f"; if they are answers of several runs, {self.source.asked_by({'predictions.run': key})} reads them"

    @contextlib.contextmanager
    def located(self, row: Row) -> Iterator[None]:
        """Inside this block, errors name the place of a row."""
        try:
            yield
        except DocumentError as error:
            error.document = row.place or self._number
            error.side = error.side or self.side
            raise
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{row.place or self.name}: {error}") from None


def _holds_both(row: object) -> bool:
    return is_wrapper(row) and "prediction" in row and not _REFERENCES.isdisjoint(row)


def keyed_rows(value: object) -> list[Row]:
    """The rows of one object whose keys are their ids; none if it is no such object.

    >>> [(row.id, row.document) for row in keyed_rows({"r-1": {"total": "9"}, "r-2": {"total": "8"}})]
    [('r-1', {'total': '9'}), ('r-2', {'total': '8'})]
    """
    given = parsed(plain_row(value))
    if not isinstance(given, dict) or not all(isinstance(parsed(each), dict) for each in given.values()):
        return []
    return [Row(each, id=str(key)) for key, each in given.items()]


def _list_at(value: object, path: list[str]) -> list[Any] | None:
    """The rows that one row holds at a path; None if it holds a document there."""
    row = plain_row(value)
    try:
        found = unwrapped(from_text(row, "prediction", "answer") if isinstance(row, str) else row, path)
    except KeyError:
        return None
    is_document = input_kind_of(found) in ("entities", "boxes", "tags")
    return found if isinstance(found, list) and not is_document else None
