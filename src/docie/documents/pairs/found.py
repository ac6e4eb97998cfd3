"""Pairs of rows as a `Reading` asks for them: where a row has its id and its document, and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from docie.core.errors import DocumentError, shortened
from docie.core.reading import Reading
from docie.core.values.plain import JSON_TYPES
from docie.documents.kinds import entity_types, input_kind_of
from docie.documents.pairs.records import with_records
from docie.documents.restructure import is_failure, restructured, unwrapped
from docie.documents.rows import (
    Opened,
    OpenedPair,
    find_id,
    from_text,
    id_of,
    open_pair,
    open_row,
    plain_row,
    without_id,
)


class Found(NamedTuple):
    """A row without its id, and without the number of its page, if that stood under a key.

    A document that stood deeper in the row is `Opened`.
    """

    row: object
    id: str | None
    has_id_among_fields: bool = False
    page: object = None


def find(value: object, side: str, reading: Reading, path: Sequence[str], *, accepts_text: bool) -> Found:
    """Find the id and the document of a row.

    Args:
        value: the row.
        side: "prediction" or "reference".
        reading: how it is read.
        path: the keys that lead to its document.
        accepts_text: whether a document may be a text.

    Raises:
        DocumentError, ValueError: for a row that cannot be read.

    >>> find({"file": "a", "out": {"data": {"total": "9"}}}, "prediction", Reading(id_key="file"), ["out", "data"],
    ...     accepts_text=False)
    Found(row=Opened(document={'total': '9'}, id=None, key=None, meta=None, names=frozenset()), id='a', ...)
    """
    row, key = plain_row(value), reading.id_key_of(side)
    if isinstance(row, str):
        row = from_text(row, side, accepts_text=accepts_text)
    if side == "prediction" and is_failure(row, reading.failures):
        return Found(Opened(None, meta=meta_of(row, key, path)), _stripped(id_of({"id": row.get(key)}), reading))
    if not path:
        identity, is_field = find_id(row, key)
        identity = _stripped(identity, reading)
        return Found(without_id(row, key, identity), identity, is_field)
    try:
        document = at(row, path)
    except KeyError as error:
        keys = f"the row has {', '.join(map(repr, row))}" if isinstance(row, dict) else f"got {shortened(row)}"
        raise DocumentError(f"no key {error.args[0]!r}, which unwrap names; {keys}") from None
    if isinstance(document, str):
        document = from_text(document, side, accepts_text=accepts_text)
    if path[-1] == "ground_truth" and isinstance(document, dict):
        document = document.get("gt_parse", document)
    meta, is_field = meta_of(row, key, path), False
    identity = id_of({"id": row[key]}) if isinstance(row, dict) and key in row else None
    if identity is None:
        identity, is_field = find_id(document, key)
        document = document if identity is None else without_id(document, key, identity)
    return Found(Opened(document, meta=meta), _stripped(identity, reading), is_field)


def _stripped(identity: str | None, reading: Reading) -> str | None:
    return None if identity is None else reading.stripped(identity)


def at(row: object, path: Sequence[str]) -> object:
    """What stands at a path of a row; JSON text as it stands there.

    Raises:
        KeyError: for a key of the path that is not there.
    """
    *outer, last = path
    holder = unwrapped(row, outer)
    if not isinstance(holder, dict) or last not in holder:
        raise KeyError(last)
    return holder[last]


def opened_list(value: object, path: Sequence[str], *, accepts_text: bool) -> list[object] | None:
    """The rows that one row holds at a path; None if it holds a document there."""
    row = plain_row(value)
    try:
        found = unwrapped(from_text(row, "prediction", accepts_text=True) if isinstance(row, str) else row, path)
    except KeyError:
        return None
    is_document = not accepts_text and input_kind_of(found) in ("entities", "boxes", "tags")
    return found if isinstance(found, list) and not is_document else None


def meta_of(row: object, key: str, path: Sequence[str]) -> object:
    """The `meta` of a row, or what stands beside its document; None for nothing."""
    if not isinstance(row, dict):
        return None
    beside = {name: each for name, each in row.items() if name not in (key, *path[:1]) and _is_scalar(each)}
    return row.get("meta", beside or None)


def _is_scalar(value: object) -> bool:
    return value is not None and type(value) in JSON_TYPES and not isinstance(value, dict | list)


def asked_row(found: Found, side: str, reading: Reading) -> Opened:
    """One row without its counterpart, as a reading asks for it."""
    opened = open_row(found.row, side, accepts_text=True)
    return opened._replace(document=restructured(opened.document, side, reading, opened.meta))


def empty_document(reference: object) -> object:
    """What stands for a missing prediction: nothing; of tags, which need a number of them, an invalid prediction."""
    return [] if input_kind_of(reference) in (None, "entities", "boxes") else {}


class PairReader:
    """Reads pairs of rows, and looks for the names that options of a reading name.

    Args:
        reading: how they are read.
        accepts_text: whether a document may be a text.
    """

    def __init__(self, reading: Reading, *, accepts_text: bool) -> None:
        self.reading, self.accepts_text = reading, accepts_text
        self._unseen = {*reading.renamed(), *reading.ignore}

    def pair(self, prediction: Found | None, reference: Found) -> OpenedPair:
        """The documents of two rows; without a prediction, the empty document.

        Raises:
            DocumentError: for rows that cannot be read, and for two ids that differ.
        """
        row = prediction.row if prediction else Opened({})
        predicted, expected = open_pair(row, reference.row, accepts_text=self.accepts_text)
        if prediction is None:
            predicted = Opened(empty_document(expected.document))
        elif None not in (prediction.id, reference.id) and prediction.id != reference.id:
            problem = f"the prediction has the id {prediction.id!r}, the reference {reference.id!r}; sort both by id"
            raise DocumentError(problem)
        names = self._seen(predicted.document, expected.document) if self._unseen else frozenset[str]()
        meta = {**_object(predicted.meta), **_object(expected.meta)}
        identity = prediction.id if prediction else reference.id
        return (
            Opened(self._document(predicted, "prediction", meta), identity, None, predicted.meta, names),
            Opened(self._document(expected, "reference", meta), reference.id, None, expected.meta),
        )

    def _document(self, opened: Opened, side: str, meta: object) -> object:
        return restructured(opened.document, side, self.reading, meta)

    def _seen(self, prediction: object, reference: object) -> frozenset[str]:
        """Those of the names that nothing had so far, and that these documents have."""
        predicted, expected = (
            entity_types(with_records(document, self.reading.records), side)
            for document, side in ((prediction, "prediction"), (reference, "reference"))
        )
        seen = {name for name in self.reading.renamed() if _has(predicted, name)}
        seen |= {name for name in self.reading.ignore if _has(predicted | expected, name)}
        self._unseen -= seen
        return frozenset(seen)


def _has(types: set[str], name: str) -> bool:
    """Whether there is an entity type or a group of this name."""
    return name in types or any(each.startswith(name + ".") for each in types)


def _object(meta: object) -> Mapping[str, object]:
    return meta if isinstance(meta, Mapping) else {}
