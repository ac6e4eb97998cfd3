"""The signature: one line that says how a figure was made, defaults spelled out, so that it can be made again."""

from __future__ import annotations

import dataclasses
from typing import Any

from docie._version import __version__
from docie.normalizers import describe


def signature(family: str, settings: Any, **more: object) -> str:
    """The family's name, its options in alphabetical order, and docie's version last.

    `settings` is a dataclass; a field with the metadata `{"optional": True}` adds figures, changes none, and stays out
    at its default.

    >>> from docie import kieval
    >>> signature("kieval", kieval.Settings(normalize=["nfkc", "casefold"]))
    'kieval|empty_groups:ignore|matching:optimal|normalize:nfkc+casefold|ontology:all|version:0.1.0'
    """
    options = {
        field.name: getattr(settings, field.name)
        for field in dataclasses.fields(settings)
        if field.init and not (field.metadata.get("optional") and getattr(settings, field.name) == field.default)
    }
    parts = [f"{name}:{_text(name, value)}" for name, value in sorted({**options, **more}.items())]
    return "|".join([family, *parts, f"version:{__version__}"])


def _text(name: str, value: Any) -> str:
    if name == "normalize":
        return describe(value)
    if name == "scheme" and value is None:
        return "any"
    if name == "ontology":
        return "all" if value is None else ",".join(sorted(value))
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)
