"""The same scores elsewhere: by a link to the page, in Python, and on the command line."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import math
import pprint
import shlex
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from docie.core.family import WithColumns, get, options_of
from docie.core.values.plain import JsonObject

from . import limits
from .inputs import Form
from .limits import RefusedError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MAX_INLINE = 20_000
"""The most characters of documents inside the lines themselves. Larger documents are files to download."""


def python_lines(
    families: Sequence[str],
    predictions: Sequence[object],
    references: Sequence[object],
    options: Mapping[str, object],
    *,
    confidence_level: float | None = None,
) -> str:
    """Python code that stores the results of each family in a variable of its name.

    Args:
        families: the names of the families.
        predictions, references: rows.
        options: options by name; each family uses those that it has.
        confidence_level: the level of the intervals; None for none.

    Returns:
        str: a program.

    >>> print(python_lines(["hed"], [{"a": "1"}], [{"a": "2"}], {"unmatched": "ignore"}))
    import docie
    <BLANKLINE>
    references = [{'a': '2'}]
    predictions = [{'a': '1'}]
    hed = docie.load("hed", unmatched='ignore').compute(
        predictions=predictions, references=references, breakdown=True
    )
    print(hed)
    """
    lines = ["import docie", "", *_documents(references=references, predictions=predictions)]
    level = "" if confidence_level is None else f", confidence_level={confidence_level!r}"
    for family in families:
        known = [f"{name}={value!r}" for name, value in options.items() if name in options_of(get(family))]
        if isinstance(get(family), WithColumns):  # its module has a row for each version, not such rows
            lines += [
                f"from docie import corpus, {family}",
                f"settings = {family}.Settings({', '.join(known)})",
                f"{family} = corpus.evaluate(",
                f"    {family}, predictions, references, settings, breakdown=True{level}",
            ]
        else:
            lines += [
                f"{family} = docie.load({', '.join([json.dumps(family), *known])}).compute(",
                f"    predictions=predictions, references=references, breakdown=True{level}",
            ]
        lines += [")", f"print({family})"]
    return "\n".join(lines)


def _documents(**sides: Sequence[object]) -> Iterator[str]:
    """A variable for references, and one for predictions."""
    if any(map(_is_large, sides.values())):
        yield from (f'{name} = docie.read("{name}.jsonl")' for name in sides)
        return
    if any(map(_has_no_literal, sides.values())):
        yield 'nan, inf = float("nan"), float("inf")'
    for name, rows in sides.items():
        yield f"{name} = {pprint.pformat([*rows], width=100, sort_dicts=False)}"


def _has_no_literal(value: object) -> bool:
    """Whether a part of the value is a name in Python: nan, inf."""
    if isinstance(value, dict | list | tuple):
        return any(map(_has_no_literal, value.values() if isinstance(value, dict) else value))
    return isinstance(value, float) and not math.isfinite(value)


def command_lines(
    families: Sequence[str],
    predictions: Sequence[object],
    references: Sequence[object],
    options: Mapping[str, object],
    *,
    confidence_level: float | None = None,
) -> str:
    """Commands for a shell, which print the results of all families as JSON.

    Args:
        families, predictions, references, options, confidence_level: as in `python_lines`.

    Returns:
        str: a script.

    >>> print(command_lines(["hed"], [{"a": "1"}], [{"a": "2"}], {"unmatched": "ignore"}))
    cat > references.jsonl <<'END'
    {"a": "2"}
    END
    cat > predictions.jsonl <<'END'
    {"a": "1"}
    END
    docie score references.jsonl predictions.jsonl --metric hed --option unmatched=ignore --by-field --format json
    """
    lines = []
    if not (_is_large(references) or _is_large(predictions)):
        for name, rows in (("references", references), ("predictions", predictions)):
            lines += [f"cat > {name}.jsonl <<'END'", json_lines(rows), "END"]
    arguments = ["docie", "score", "references.jsonl", "predictions.jsonl"]
    for family in families:
        arguments += ["--metric", family]
    for name, value in options.items():
        if name == "reading":
            continue
        arguments += ["--option", f"{name}={_text(value)}"]
    if isinstance(reading := options.get("reading"), Mapping):
        arguments += _arguments_of(reading)
        if "normalize_by" in reading:
            lines += ["cat > normalize_by.json <<'END'", _json(reading["normalize_by"]), "END"]
    arguments += ["--by-field"]
    if confidence_level is not None:
        arguments += ["--confidence-level", str(confidence_level)]
    return "\n".join([*lines, shlex.join([*arguments, "--format", "json"])])


def _arguments_of(reading: Mapping[str, object]) -> Iterator[str]:
    """The options of a reading on the command line."""
    for name, value in reading.items():
        option = f"--{name.replace('_', '-')}"
        if name == "normalize_by":
            yield from (option, "normalize_by.json")
        elif value is True:
            yield option
        elif isinstance(value, Mapping):
            for each in value.items():
                yield from (option, "=".join(map(str, each)))
        elif value is not False:
            for each in [value] if isinstance(value, str) else value:  # type: ignore[attr-defined]
                yield from (option, str(each))


def json_lines(rows: Sequence[object]) -> str:
    """The rows as a file of JSON Lines, without the last line's end."""
    return "\n".join(map(_json, rows))


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def _text(value: object) -> str:
    """The value of an option for the command line: JSON, or a text that is not JSON."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except (ValueError, RecursionError):
            return value
    return json.dumps(value, ensure_ascii=False)


def _is_large(rows: Sequence[object]) -> bool:
    return len(json_lines(rows)) > MAX_INLINE


PARAMETER = "state"
"""The key of the query, for a `Form`."""
State = TypeVar("State", bound="DataclassInstance")
_JSON_TYPES: dict[type, Any] = {
    tuple: list,
    dict: dict,
    int: int,
    float: int | float,  # a slider returns either
    type(None): float,  # the level of intervals
}
"""The JSON types of a value, by the type of its default. Texts are texts."""


def encode(state: DataclassInstance, parameter: str = PARAMETER) -> str | None:
    """The query that restores a page.

    Args:
        state (Form): the state of the page: a dataclass whose fields have defaults and JSON values.
        parameter (str): the key of the query.

    Returns:
        str: "?state=..."; None if it would be too long for an address.

    >>> decode(encode(Form(references='{"total": "12"}')).removeprefix("?state=")).references
    '{"total": "12"}'
    """
    defaults = type(state)()
    values = {
        each.name: value
        for each in dataclasses.fields(state)
        if (value := getattr(state, each.name)) != getattr(defaults, each.name)
    }
    packed = zlib.compress(json.dumps(values).encode(), 9)
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"?{parameter}={text}" if len(text) <= limits.MAX_LINK else None


def decode(text: str, kind: type[State] = Form) -> State:  # type: ignore[assignment]
    """The state of a page, from the value of its query.

    Args:
        text (str): the text after "?state=".
        kind (type): the dataclass that was encoded.

    Returns:
        Form: with the correct types; values are checked where they are used.

    Raises:
        RefusedError: if `encode` did not make the text.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        # a short link may unpack to gigabytes
        values = json.loads(zlib.decompressobj().decompress(packed, 4 * limits.MAX_CHARACTERS))
        return _checked(kind, values)
    except (ValueError, TypeError, binascii.Error, zlib.error, RecursionError):
        raise RefusedError("The link is damaged: it holds nothing that could be read.") from None


def _checked(kind: type[State], values: JsonObject) -> State:
    """The state with these values.

    Raises:
        TypeError: if a name is unknown, or if a value has another type than the default.
    """
    defaults = kind()
    state = kind(**values)
    for name, value in values.items():
        if not isinstance(value, _JSON_TYPES.get(type(getattr(defaults, name)), str)):
            raise TypeError(name)
    return state
