"""The keys of objects, and the paths that they make."""

from __future__ import annotations

import enum
import json
from typing import Any

import numpy as np

from docie.core.errors import DocumentError, shortened
from docie.core.values.plain import plain_value


def key_text(key: Any) -> str:
    """The key of an object as JSON writes it.

    Raises:
        DocumentError: if JSON has no such key.
    """
    if isinstance(key, str):
        return str.__str__(key)
    if isinstance(key, enum.Enum):
        return key_text(key.value)
    if isinstance(key, bool | int | float | np.generic) or key is None:
        return json.dumps(plain_value(key))
    raise DocumentError(f"keys must be text, got {type(key).__name__} {shortened(key)}")


def longer_path(path: str, root: str, key: str) -> str:
    """The path of `key` inside of `path`. A key that starts with `root` (the top-level key and a dot) is a whole path.

    >>> longer_path("menu.sub", "menu.", "nm"), longer_path("menu.sub", "menu.", "menu.sub_nm")
    ('menu.sub.nm', 'menu.sub_nm')
    """
    return key if key.startswith(root) else f"{path}.{key}"
