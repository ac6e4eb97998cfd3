"""The words for verdicts and for kinds of errors that people read; JSON and rows for programs have their names."""

from __future__ import annotations

from collections.abc import Mapping

VERDICTS: Mapping[str | None, str] = {
    "right": "correct",
    "form": "correct",
    "wrong": "incorrect",
    "missed": "missing",
    "invented": "spurious",
}
"""The words for a verdict. A value of the verdict "form" is correct, though its text differs."""
KINDS: Mapping[str | None, str] = {
    "form": "different format",
    "group": "wrong group",
    "type": "wrong type",
    "duplicate": "duplicate",
    "value": "incorrect value",
    "missed": VERDICTS["missed"],
    "invented": VERDICTS["invented"],
}
"""The words for a kind of error. "form" is the same value in a different format."""
