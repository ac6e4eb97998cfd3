"""What a configuration says of the references and the predictions alike, written once."""

from __future__ import annotations

from docie.inputs.reading import SIDES


def entries(*texts: str) -> list[str]:
    """Entries of a configuration, KEY=VALUE. Keys without a section are said of references and predictions.

    >>> entries("id=file", "join.missing=empty")
    ['references.id=file', 'predictions.id=file', 'join.missing=empty']
    """
    return [
        entry for text in texts for entry in ([text] if _has_section(text) else [f"{side}.{text}" for side in SIDES])
    ]


def configured(*texts: str) -> list[str]:
    """The arguments of the command line for `entries`."""
    return [part for entry in entries(*texts) for part in ("--config", entry)]


def _has_section(text: str) -> bool:
    return text.startswith(tuple(f"{name}." for name in (*SIDES, "systems", "join", "values")))
