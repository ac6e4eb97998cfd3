"""A page's state in its own address: nothing is stored on a server."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import zlib
from typing import Any, TypeVar

from . import limits
from .inputs import Form
from .limits import RefusedError

PARAMETER = "state"
"""The key of the query, for a `Form`."""
State = TypeVar("State")
_JSON_TYPES: dict[type, Any] = {
    tuple: list,
    dict: dict,
    int: int,
    float: int | float,  # a slider gives either
    type(None): float,  # the level of intervals
}
"""What JSON has for a value, by the type of its default. Texts are texts."""


def encode(state: Any, parameter: str = PARAMETER) -> str | None:
    """The query that reopens a page.

    Args:
        state (Form): what the page holds: a dataclass whose fields have defaults, and values that JSON has.
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
    """What a page holds, from the value of its query.

    Args:
        text (str): what stands behind "?state=".
        kind (type): the dataclass that was encoded.

    Returns:
        Form: with types as they must be; what the values mean is checked where they are used.

    Raises:
        RefusedError: for a text that `encode` did not make.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        # a short link may unpack to gigabytes
        values = json.loads(zlib.decompressobj().decompress(packed, 4 * limits.MAX_CHARACTERS))
        return _checked(kind, values)
    except (ValueError, TypeError, binascii.Error, zlib.error, RecursionError):
        raise RefusedError("The link is damaged: it holds nothing that could be read.") from None


def _checked(kind: type[State], values: dict[str, Any]) -> State:
    """The state of these values.

    Raises:
        TypeError: for an unknown name, and for a value of another type than the default has.
    """
    defaults = kind()
    state = kind(**values)
    for name, value in values.items():
        if not isinstance(value, _JSON_TYPES.get(type(getattr(defaults, name)), str)):
            raise TypeError(name)
    return state
