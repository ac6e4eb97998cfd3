"""Rows: the forms in which a document is handed over. Files and Python are read by the same rules.

A row is a document, its JSON text, or a wrapper: an object all of whose keys are among `id`, `meta`, `document`,
`prediction`, `reference`, `ground_truth` and `gt_parse`. What an adapter returns (`Parsed`), a pydantic model and a
dataclass are documents too.

"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, tee
from typing import Any, NamedTuple, TypeGuard, TypeVar

from docie.core.errors import DocumentError, located_errors, shortened
from docie.core.reading import Reading
from docie.core.values.json_text import loads
from docie.core.values.plain import identity_text, plain_value
from docie.documents.leaves import is_scored_leaf
from docie.documents.markup import records_in
from docie.documents.table_rows import frame_rows, is_frame
from docie.documents.tagging.words import OTHER_NAMES, check_names_of_words

CONTENT_KEYS = {
    "prediction": ("prediction", "document", "reference", "ground_truth", "gt_parse"),
    "reference": ("reference", "ground_truth", "gt_parse", "document", "prediction"),
}
"""The keys of a wrapper that hold a document. The first one that is there is read."""
_NOT_CONTENT = {"id", "meta"}
_CONTENT = frozenset(CONTENT_KEYS["prediction"])
_WRAPPER_KEYS = _CONTENT | _NOT_CONTENT
_SPECIAL = _CONTENT | OTHER_NAMES


class Parsed(NamedTuple):
    """A document, or the records of a table; None if none could be read. And a line for each thing that was repaired or
    dropped.

    >>> Parsed({"total": "12.00"}, []).document
    {'total': '12.00'}
    """

    document: dict[str, Any] | list[dict[str, Any]] | None
    issues: list[str]


class Opened(NamedTuple):
    """A row that was read: its document, and of its wrapper the id, the key that held the document, and `meta`.

    `names` are those that options of a `Reading` name and that the pair had before it was read so.
    """

    document: Any
    id: str | None = None
    key: str | None = None
    meta: Any = None
    names: frozenset[str] = frozenset()


Each = TypeVar("Each")
Predicted = TypeVar("Predicted")
Expected = TypeVar("Expected")
OpenedPair = tuple[Opened, Opened]
"""A prediction and its reference."""


def plain_row(value: object) -> Any:
    """The row without its Python type: the document of a `Parsed`, the fields of a pydantic model or of a dataclass.

    >>> plain_row(Parsed({"total": "12.00"}, ["added a comma"]))
    {'total': '12.00'}
    """
    if isinstance(value, Parsed):
        return value.document
    is_object = isinstance(value, Mapping) or (dataclasses.is_dataclass(value) and not isinstance(value, type))
    if type(value) is not dict and (is_object or hasattr(type(value), "model_dump")):
        value = plain_value(value)
    if is_wrapper(value):
        return {key: plain_row(child) for key, child in value.items()}
    return value


def is_wrapper(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a row is a wrapper around a document.

    >>> is_wrapper({"id": 7, "prediction": {"total": "12.00"}}), is_wrapper({"id": 7, "total": "12.00"})
    (True, False)
    """
    return isinstance(value, dict) and value.keys() <= _WRAPPER_KEYS and not value.keys() <= _NOT_CONTENT


def is_plain(value: object) -> TypeGuard[dict[str, object]]:
    """Whether a row is a document as it stands, which most are: an object without any key of a wrapper.

    >>> is_plain({"total": "12.00"}), is_plain({"reference": {"total": "12.00"}})
    (True, False)
    """
    return type(value) is dict and _SPECIAL.isdisjoint(value)


def id_of(wrapper: Mapping[str, object]) -> str | None:
    """The id of a wrapper as text; None if it has none.

    Raises:
        ValueError: if it is neither text nor a whole number.

    >>> id_of({"id": 7}), id_of({"id": 7.0}), id_of({"id": None})
    ('7', '7', None)
    """
    return identity_text("id", wrapper.get("id"))


def find_id(value: object, key: str) -> tuple[str | None, bool]:
    """The id that stands under a key of a row, and whether it is one of the fields of a document.

    Raises:
        ValueError: for the id of a wrapper that is neither text nor a whole number.

    >>> find_id({"id": 7, "document": {}}, "id"), find_id({"page": 7, "total": "12.00"}, "page"), find_id({}, "id")
    (('7', False), ('7', True), (None, False))
    """
    if not isinstance(value, dict) or key not in value:
        return None, False
    if is_wrapper(dict.fromkeys(value.keys() - {key})):
        return id_of({"id": value[key]}), False
    try:
        identity = id_of({"id": value[key]})
    except ValueError:
        return None, False  # a field, or a group, of this name
    return identity, identity is not None


def without_id(value: object, key: str, identity: str | None) -> object:
    """The row without its id, as `read_row` reads it. A wrapper has its id as `id`."""
    if not isinstance(value, dict):
        return value
    if is_wrapper(value) and not key:
        return {name: child for name, child in value.items() if name != "id"}
    fields = {name: child for name, child in value.items() if name != key}
    if is_wrapper(fields):
        # under another name, an id has been read; beside it, "id" may be a field of the other side
        return {**fields, "id": identity} if identity is not None and key == "id" else fields
    return value if identity is None else fields


def open_row(value: object, side: str, *, accepts_text: bool = False) -> Opened:
    """Read a row, as `read_row` does, with what its wrapper says.

    >>> open_row({"id": 7, "prediction": {"total": "12.00"}}, "prediction")
    Opened(document={'total': '12.00'}, id='7', key='prediction', meta=None, names=frozenset())
    """
    if is_plain(value) or type(value) is list:  # most rows: documents, tags
        return Opened(value)
    if isinstance(value, Opened):
        return value
    opened = _open(value, side, accepts_text=accepts_text)
    check_names_of_words(opened.document, side)
    return opened


def _open(value: Any, side: str, *, accepts_text: bool) -> Opened:
    value = plain_row(value)
    if isinstance(value, str):
        value = from_text(value, side, accepts_text=accepts_text)
    if not is_wrapper(value):
        _check_columns(value, side)
        return Opened(value)
    key = next(key for key in CONTENT_KEYS[side] if key in value)
    content = value[key]
    if isinstance(content, str):
        content = from_text(content, side, accepts_text=accepts_text, key=key)
    if isinstance(content, dict) and key == "ground_truth":
        content = content.get("gt_parse", content)
    if _is_field(key, content, value, side):
        return Opened(value)
    with located_errors(side=side):
        return Opened(content, id_of(value), key, value.get("meta"))


def read_row(value: object, side: str, *, accepts_text: bool = False) -> object:
    """The document of a row.

    Args:
        value: the row.
        side (str): "prediction" or "reference".
        accepts_text (bool): whether a document may be a text. If so, a text is read as JSON only if it is an object.

    Returns:
        The document as it stands in the row. A prediction that is no JSON stays a text.

    Raises:
        DocumentError: for a reference that must be JSON and is not.

    >>> read_row({"id": 7, "prediction": '{"total": "12.00"}'}, "prediction")
    {'total': '12.00'}
    >>> read_row({"total": "12.00"}, "prediction"), read_row("Sorry, I cannot.", "prediction")
    ({'total': '12.00'}, 'Sorry, I cannot.')
    """
    return open_row(value, side, accepts_text=accepts_text).document


def _check_columns(value: object, side: str) -> None:
    """Refuse a row of a table that has predictions, references and other columns."""
    if isinstance(value, dict) and "prediction" in value and {"reference", "ground_truth"} & value.keys():
        others = shortened(sorted(map(str, value.keys() - _WRAPPER_KEYS)))
        problem = f"a prediction and a reference stand beside {others} in a row; put other keys into 'meta'"
        raise DocumentError(problem, side=side)


def _is_field(key: str, content: object, row: Mapping[str, object], side: str) -> bool:
    """Whether a predicted object that has only a wrapper's keys is a document, such as {"reference": "INV-7"}."""
    if isinstance(content, dict):
        return is_scored_leaf(content)
    return side == "prediction" and key != side and "id" not in row and isinstance(content, str | int | float)


def from_text(text: str, side: str, *, accepts_text: bool, key: str | None = None) -> object:
    """The object or list of a JSON text; any other text stays as it is. `key` is the key of the wrapper around it."""
    if accepts_text and not text.lstrip().startswith("{"):
        return text
    try:
        value = loads(text)
    except (ValueError, RecursionError) as error:
        is_meant = key is not None or text.lstrip()[:1] in ("{", "[")
        if side == "reference" and is_meant and not accepts_text and not records_in(text):
            name, hint = "the reference", ""
            if key is not None:
                name, hint = repr(key), f'; if it is a field, write {{"document": {{"{key}": ...}}}}'
            raise DocumentError(f"{name} is not JSON ({error}){hint}", side=side) from None
        return text
    return value if isinstance(value, dict | list) else text  # "60.000" is a text, no number


def unzip(pairs: Iterable[tuple[Predicted, Expected]]) -> tuple[Iterator[Predicted], Iterator[Expected]]:
    """The predictions and the references of pairs, to be read in step."""
    pairs, again = tee(pairs)
    return (prediction for prediction, _ in pairs), (reference for _, reference in again)


def spy(values: Iterable[Each]) -> tuple[Each | None, Iterator[Each]]:
    """The first of some values, None if there is none, and all of them."""
    rest = iter(values)
    first = list(islice(rest, 1))
    return first[0] if first else None, chain(first, rest)


def open_pair(prediction: object, reference: object, *, accepts_text: bool) -> OpenedPair:
    """Read a prediction and its reference: what one of them is may tell what the other one is."""
    predicted = open_row(prediction, "prediction", accepts_text=accepts_text)
    expected = open_row(reference, "reference", accepts_text=accepts_text)
    if predicted.key is None and expected.key is None:
        return predicted, expected
    if predicted.key in ("reference", "ground_truth") and expected.key == "prediction":
        raise DocumentError("the prediction holds a 'reference', and the reference a 'prediction': they are swapped")
    predicted, expected = (
        _as_document(predicted, prediction, expected),
        _as_document(expected, reference, predicted),
    )
    predicted, expected = _with_id_of_field(predicted, expected), _with_id_of_field(expected, predicted)
    if predicted.id is not None and expected.id is not None and predicted.id != expected.id:
        problem = f"the prediction has the id {predicted.id!r}, the reference {expected.id!r}; sort both by id"
        raise DocumentError(problem)
    return predicted, expected


def _as_document(opened: Opened, row: object, counterpart: Opened) -> Opened:
    """A wrapper's only key may be a field, too: then a document on the other side has it among its fields."""
    document = counterpart.document
    if opened.key is None or counterpart.key is not None or not isinstance(document, dict):
        return opened
    if opened.key not in document:
        return opened
    fields = plain_row(loads(row) if isinstance(row, str) else row)
    return Opened({key: value for key, value in fields.items() if key != "id" or "id" in document})


def _with_id_of_field(opened: Opened, counterpart: Opened) -> Opened:
    """A document whose counterpart is a wrapper with an id: its field `id` is its id, too."""
    document = opened.document
    if counterpart.id is None or opened.key is not None or not isinstance(document, dict) or "id" not in document:
        return opened
    try:
        identity = id_of(document)
    except ValueError:
        return opened
    return Opened({key: value for key, value in document.items() if key != "id"}, identity)


def sequence_of(name: str, documents: Any, reading: Reading | None = None) -> Any:
    """The documents of a sequence, or of a frame.

    Args:
        name: whose documents they are.
        documents: the sequence, or the frame.
        reading: how they will be read. Without one, a frame's row with an id becomes a wrapper.

    Raises:
        ValueError: for what is neither.
    """
    if is_frame(documents):
        return frame_rows(documents, name, reading)
    try:
        is_iterable = iter(documents) is not None
    except TypeError:
        is_iterable = False
    if isinstance(documents, str | bytes | Mapping) or not is_iterable:
        raise ValueError(f"{name} must be a sequence of documents, got {type(documents).__name__}")
    return documents


def check_lengths(predictions: int, references: int) -> None:
    """Raise ValueError unless there are as many predictions as references."""
    if predictions != references:
        raise ValueError(f"expected as many predictions as references, got {predictions} and {references}")
