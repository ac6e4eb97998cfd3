"""The words for kinds of errors that people read; JSON and rows for programs have their names."""

from __future__ import annotations

from collections.abc import Mapping

KIND_NAMES: Mapping[str | None, str] = {
    "format": "different format",
    "group": "wrong group",
    "type": "wrong type",
    "duplicate": "duplicate",
    "value": "incorrect value",
    "missing": "missing",
    "spurious": "spurious",
    "place": "wrong place",
}
"""The words for a kind of error. "format" is the same value in a different format, "place" a correct value."""
