"""A page's state in its own address: nothing is stored on a server."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import json
import zlib
from typing import Any

from . import limits
from .inputs import Form
from .limits import RefusedError

PARAMETER = "state"
"""The key of the query."""
_DEFAULTS = Form()


def encode(form: Form) -> str | None:
    """The query that reopens a page.

    Args:
        form (Form): what the page holds.

    Returns:
        str: "?state=..."; None if it would be too long for an address.

    >>> decode(encode(Form(references='{"total": "12"}')).removeprefix("?state=")).references
    '{"total": "12"}'
    """
    values = {
        each.name: value
        for each in dataclasses.fields(Form)
        if (value := getattr(form, each.name)) != getattr(_DEFAULTS, each.name)
    }
    packed = zlib.compress(json.dumps(values).encode(), 9)
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"?{PARAMETER}={text}" if len(text) <= limits.MAX_LINK else None


def decode(text: str) -> Form:
    """What a page holds, from the value of its query.

    Args:
        text (str): what stands behind "?state=".

    Returns:
        Form: with types as they must be; what the values mean is checked where they are used.

    Raises:
        RefusedError: for a text that `encode` did not make.
    """
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        # a short link may unpack to gigabytes
        values = json.loads(zlib.decompressobj().decompress(packed, 4 * limits.MAX_CHARACTERS))
        return _form(values)
    except (ValueError, TypeError, binascii.Error, zlib.error, RecursionError):
        raise RefusedError("The link is damaged: it holds no documents that could be read.") from None


def _form(values: dict[str, Any]) -> Form:
    """The form of these values.

    Raises:
        TypeError: for an unknown name, and for a value of another type.
    """
    form = Form(**values)
    expected = {"families": list, "options": dict, "controls": dict, "document": int, "confidence_level": float}
    for name, value in values.items():
        if not isinstance(value, expected.get(name, str)):
            raise TypeError(name)
    return form
