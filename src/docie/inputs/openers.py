"""From what a source holds to a document: its wrapper, the text or the keys around it, and its id.

A row is a document, its JSON text, or a wrapper: an object all of whose keys are among `id`, `meta`, `document`,
`prediction`, `reference`, `ground_truth` and `gt_parse`. What an adapter returns (`Parsed`), a pydantic model and a
dataclass are documents too.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

from docie.core.errors import DocumentError, located_errors, shortened
from docie.core.values.json_text import loads, parsed
from docie.core.values.plain import JSON_TYPES, identity_text, plain_value
from docie.documents.leaves import is_scored_leaf
from docie.documents.markup import records_in
from docie.documents.parsed import Parsed
from docie.documents.tagging.tagged_words import OTHER_NAMES, check_names_of_words
from docie.inputs.kinds import input_kind_of
from docie.inputs.reading import ANY_KEY, Side

CONTENT_KEYS = {
    "prediction": ("prediction", "document", "reference", "ground_truth", "gt_parse"),
    "reference": ("reference", "ground_truth", "gt_parse", "document", "prediction"),
}
"""The keys of a wrapper that hold a document. The first one that is there is read."""
_NOT_CONTENT = {"id", "meta"}
_CONTENT = frozenset(CONTENT_KEYS["prediction"])
_WRAPPER_KEYS = _CONTENT | _NOT_CONTENT
ERROR_KEYS = ("error", "errors", "error_message", "exception", "detail", "refusal")
"""The keys of a row that reports a failure."""
SPECIAL = _CONTENT | OTHER_NAMES
"""The keys of wrappers and of tagged words."""
_BEGINS_AS_JSON = re.compile(r"\s*(\{\s*[\"'}]|\[\s*[\[{\"])")


_AS_IT_STANDS = Side()


class Opened(NamedTuple):
    """A document that was found in a row, and what the row says of it.

    Attributes:
        document: the document.
        id: its id, as it stands there.
        meta: what stands beside it.
        key: the key of the wrapper that held it.
        is_field: whether the id is one of the fields of the document.
    """

    document: Any
    id: str | None = None
    meta: Any = None
    key: str | None = None
    is_field: bool = False


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


def kind_of_texts(reference: object) -> str:
    """What a text in the predictions is, by a reference: "answer", "list", "value" or "" for undecided.

    Where references are objects, or lists that hold objects, a text is the answer of a model: with an object, or with a
    list. Where they are texts, or lists of accepted answers, it is a value. Lists that may be tags or pairs decide
    nothing: texts that hold such lists are read, and others stay.

    >>> kind_of_texts({"total": "9"}), kind_of_texts([{"category": "total", "text": "9"}]), kind_of_texts(["Paris"])
    ('answer', 'list', 'value')
    >>> kind_of_texts(["B-total", "O"]), kind_of_texts([["total", "9"]])
    ('', '')
    """
    if isinstance(reference, list):
        if any(isinstance(each, Mapping) for each in reference):
            return "list"
        return "value" if input_kind_of(reference) == "value" else ""
    return "answer" if isinstance(reference, Mapping) else "" if reference is None else "value"


def from_text(text: str, side: str, kind: str, *, key: str | None = None) -> object:
    """What a text in a row holds: an object, or a list that a metric reads; any other text stays as it is.

    Args:
        text: the text.
        side: "prediction" or "reference".
        kind: what a text is here, as by `kind_of_texts`.
        key: the key of the wrapper around it.

    Raises:
        DocumentError: for a reference that begins as JSON and is none.

    >>> from_text('{"total": "9"}', "prediction", "answer"), from_text('["9"]', "prediction", "value")
    ({'total': '9'}, '["9"]')
    """
    if text.lstrip()[:1] not in ("{", "[") and key != "ground_truth":
        return text
    try:
        value = loads(text)
    except ValueError as error:
        if side == "reference" and kind != "value" and _is_meant_as_json(text, key) and not records_in(text):
            name, hint = "the reference", ""
            if key is not None:
                name, hint = repr(key), f'; if it is a field, write {{"document": {{"{key}": ...}}}}'
            raise DocumentError(f"{name} is not JSON ({error}){hint}", side=side) from None
        return text
    if isinstance(value, dict):
        return value
    if not isinstance(value, list):
        return text
    if kind == "":  # undecided: a list that a metric reads
        return value if input_kind_of(value) != "value" or any(isinstance(each, dict) for each in value) else text
    return text if kind == "value" else value


def _is_meant_as_json(text: str, key: str | None) -> bool:
    return key == "ground_truth" or _BEGINS_AS_JSON.match(text) is not None


def open_row(value: Any, side: str, how: Side, *, path: Sequence[str] = (), kind: str = "", ids: bool = True) -> Opened:
    """Find the document of a row, its id, and what stands beside it.

    Args:
        value: the row.
        side: "prediction" or "reference".
        how: how it is read.
        path: the keys that lead to its document.
        kind: what a text is here, as by `kind_of_texts`.
        ids: whether the field of a document may be its id; the key of a wrapper always is.

    Raises:
        DocumentError, ValueError: for a row that cannot be read.

    >>> open_row({"id": 7, "prediction": {"total": "12.00"}}, "prediction", Side())
    Opened(document={'total': '12.00'}, id='7', meta=None, key='prediction', is_field=False)
    >>> open_row({"file": "a", "out": {"data": {"total": "9"}}}, "prediction", Side(id="file"), path=["out", "data"])
    Opened(document={'total': '9'}, id='a', meta=None, key=None, is_field=False)
    """
    row = plain_row(value)
    if isinstance(row, str):
        row = from_text(row, side, kind)
    if is_failed(row, side, how):
        return Opened(None, _own_id(row, how.id_key), meta_of(row, how.id_key, path))
    inner = _own_id(row, how.id_key) if "." in how.id_key and how.id_key not in row else None
    if inner is not None:
        row = _without(row, how.id_key.split("."))
    found = _at_path(row, side, how, path, kind) if path else _in_row(row, side, how, kind, ids)
    if inner is not None:
        found = found._replace(id=inner)
    if is_failed(found.document, side, how):
        found = found._replace(document=None)
    if type(found.document) is dict and not OTHER_NAMES.isdisjoint(found.document):
        check_names_of_words(found.document, side)
    return found


def read_row(value: object, side: str) -> Any:
    """The document of a row that stands alone, whose id is of no interest.

    >>> read_row({"id": 7, "prediction": '{"total": "12.00"}'}, "prediction")
    {'total': '12.00'}
    """
    return open_row(value, side, _AS_IT_STANDS, kind="answer", ids=False).document


def _in_row(row: Any, side: str, how: Side, kind: str, ids: bool) -> Opened:
    """The document that a row is, or that its wrapper holds."""
    row, identity, is_field = _without_id(row, how.id_key, ids)
    if not is_wrapper(row):
        _check_columns(row, side)
        return Opened(row, identity, is_field=is_field)
    key = next(key for key in CONTENT_KEYS[side] if key in row)
    content = row[key]
    if isinstance(content, str):
        content = from_text(content, side, kind, key=key)
    if isinstance(content, dict) and key == "ground_truth":
        content = content.get("gt_parse", content)
    if _is_field(key, content, row, side, has_id=identity is not None):
        return Opened(row, identity, is_field=identity is not None)
    return Opened(content, identity, row.get("meta"), key)


def _at_path(row: Any, side: str, how: Side, path: Sequence[str], kind: str) -> Opened:
    """The document that stands deeper in a row."""
    try:
        document = at(row, path)
    except KeyError as error:
        keys = f"the row has {', '.join(map(repr, row))}" if isinstance(row, dict) else f"got {shortened(row)}"
        raise DocumentError(f"no key {error.args[0]!r}, which {side}s.unwrap names; {keys}") from None
    if isinstance(document, str):
        document = from_text(document, side, kind)
    if path[-1] == "ground_truth" and isinstance(document, dict):
        document = document.get("gt_parse", document)
    identity, is_field = _own_id(row, how.id_key), False
    if path[0] == ANY_KEY and identity is None and how.id_key:
        identity = str(next(iter(fields))) if isinstance(fields := parsed(row), dict) and len(fields) == 1 else None
    if identity is None:
        document, identity, is_field = _without_id(document, how.id_key, True)
    return Opened(document, identity, meta_of(row, how.id_key, path), is_field=is_field)


def _without_id(row: Any, key: str, ids: bool) -> tuple[Any, str | None, bool]:
    """A row without its id, the id, and whether it is one of the fields of a document."""
    if not isinstance(row, dict):
        return row, None, False
    if key and key in row:
        rest = {name: child for name, child in row.items() if name != key}
        if is_wrapper(rest):
            with located_errors():
                return rest, identity_text("id", row[key]), False
        if not ids:
            return row, None, False
        try:
            identity = identity_text("id", row[key])
        except ValueError:
            return row, None, False  # a field, or a group, of this name
        return (row, None, False) if identity is None else (rest, identity, True)
    if "id" in row and is_wrapper(row):  # of rows without ids, or with ids under another name
        return {name: child for name, child in row.items() if name != "id"}, None, False
    return row, None, False


def _own_id(row: Any, key: str) -> str | None:
    """The id that stands under a key of a row, or at a path, beside its document."""
    if not isinstance(row, dict) or not key:
        return None
    if key in row or "." not in key:
        return identity_text("id", row.get(key))
    try:
        return identity_text("id", unwrapped(row, key.split(".")))
    except KeyError:
        return None


def _without(value: object, path: Sequence[str]) -> object:
    """A copy without what stands at a path of keys."""
    key, *rest = path
    row: Any = parsed(value)
    others = {name: child for name, child in row.items() if name != key}
    return {**others, key: _without(row[key], rest)} if rest else others


def _check_columns(row: object, side: str) -> None:
    """Refuse a row of a table that has predictions, references and other columns."""
    if isinstance(row, dict) and "prediction" in row and {"reference", "ground_truth"} & row.keys():
        others = shortened(sorted(map(str, row.keys() - _WRAPPER_KEYS)))
        problem = f"a prediction and a reference stand beside {others} in a row; put other keys into 'meta'"
        raise DocumentError(problem, side=side)


def _is_field(key: str, content: object, row: Mapping[str, object], side: str, *, has_id: bool) -> bool:
    """Whether a predicted object that has only a wrapper's keys is a document, such as {"reference": "INV-7"}."""
    if isinstance(content, dict):
        return is_scored_leaf(content)
    return side == "prediction" and key != side and not has_id and isinstance(content, str | int | float)


def is_failed(row: object, side: str, how: Side) -> bool:
    """Whether a prediction only reports a failure."""
    return side == "prediction" and is_failure(row, how.failures)


def is_failure(row: object, keys: Iterable[str]) -> bool:
    """Whether a row has one of the keys that only the report of a failure has.

    >>> is_failure({"error": "timeout"}, ["error"]), is_failure({"error": None, "total": "9"}, ["error"])
    (True, False)
    """
    return isinstance(row, dict) and any(row.get(key) is not None for key in keys)


def unwrapped(row: object, path: Iterable[str]) -> object:
    """What stands at a path of keys in a row; JSON text on the way is parsed, and numbers are positions in lists.

    Raises:
        KeyError: for a key of the path that is not there.

    >>> unwrapped({"file": "a.pdf", "output": {"data": '{"total": "9"}'}}, ["output", "data"])
    {'total': '9'}
    >>> unwrapped({"results": [{"total": "9"}]}, ["results", "0"])
    {'total': '9'}
    """
    for key in path:
        row = _child(parsed(row), key)
    return parsed(row)


def _child(holder: object, key: str) -> object:
    """What an object has under a key, or a list at a position."""
    if isinstance(holder, dict) and key in holder:
        return holder[key]
    if isinstance(holder, dict) and key == ANY_KEY:
        inner = [*holder.values()] if len(holder) == 1 else [each for each in holder.values() if isinstance(each, dict)]
        if len(inner) == 1:
            return inner[0]
    if isinstance(holder, list) and key.isdecimal() and int(key) < len(holder):
        return holder[int(key)]
    raise KeyError(key)


def at(row: object, path: Sequence[str]) -> object:
    """What stands at a path of a row; JSON text as it stands there.

    Raises:
        KeyError: for a key of the path that is not there.
    """
    *outer, last = path
    return _child(unwrapped(row, outer), last)


def meta_of(row: object, key: str, path: Sequence[str]) -> object:
    """The `meta` of a row, or what stands beside its document; None for nothing."""
    if not isinstance(row, dict):
        return None
    beside = {name: each for name, each in row.items() if name not in (key, *path[:1]) and _is_scalar(each)}
    return row.get("meta", beside or None)


def _is_scalar(value: object) -> bool:
    return value is not None and type(value) in JSON_TYPES and not isinstance(value, dict | list)
