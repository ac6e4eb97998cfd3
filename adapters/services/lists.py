"""What answers that are lists of fields share."""

from __future__ import annotations

from collections import Counter
from typing import Any

from docie.core.values.plain import JsonObject

from .places import found_at


def label_of(text: object) -> str:
    """A printed label as a name."""
    return " ".join(text.split()).rstrip(": ") if isinstance(text, str) else ""


def objects_in(holder: Any, key: str, issues: Counter[str]) -> list[JsonObject]:
    """The objects in a list. What else is there is dropped."""
    found = found_at(holder, key)
    elements = found if isinstance(found, list) else [] if found is None else [found]
    objects = [each for each in elements if isinstance(each, dict)] if isinstance(found, list) else []
    issues[f"dropped what is no object in a list at {key!r}"] += len(elements) - len(objects)
    return objects
