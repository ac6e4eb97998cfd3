"""From files that a visitor opens to the text of a field, by the rules of the command line."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from docie.documents.rows import is_wrapper
from docie.documents.tagging.words import SUFFIXES
from docie.files.source import CERTAIN_SUFFIXES, InputError, Source

from . import limits
from .limits import RefusedError

TAKEN = sorted({".json", ".jsonl", ".ndjson", *SUFFIXES})
"""The suffixes of files that can be opened."""
HINT = (
    f"Files may be JSON, JSON Lines or words with their tags ({', '.join(CERTAIN_SUFFIXES)}). "
    "Of several files, each is one document, and its name is the id."
)


def text_of(files: Mapping[str, bytes], side: str) -> str:
    """What the field holds once files are opened as it.

    Args:
        files (dict): from the name of a file to what is in it. One file of JSON is taken as it is; others become rows
            of JSON Lines, as `docie score` reads a folder of them.
        side (str): "references" or "predictions".

    Returns:
        str: the text.

    Raises:
        RefusedError: for what is too large or cannot be read.

    >>> print(text_of({"a.bio": b"Kedai B-shop", "b.bio": b"Kopi O"}, "references"))
    {"id": "a", "reference": {"words": ["Kedai"], "tags": ["B-shop"]}}
    {"id": "b", "reference": {"words": ["Kopi"], "tags": ["O"]}}
    """
    [name, *others] = files
    if others or Path(name).suffix.lower() in CERTAIN_SUFFIXES:
        text = _lines(files, side.removesuffix("s"), is_folder=bool(others))
    else:
        try:
            text = files[name].decode("utf-8-sig")
        except UnicodeDecodeError:
            raise RefusedError(f"{name}: this file is no UTF-8 text.") from None
    limits.check_text(text, side)
    return text


def _lines(files: Mapping[str, bytes], side: str, *, is_folder: bool) -> str:
    """A row of JSON Lines for each file. The folder that holds them meanwhile is deleted."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        try:
            source = Source(folder if is_folder else str(Path(folder, *files)), side)
            rows = [(row.id, source.document(row)) for row in source]
        except InputError as error:
            raise RefusedError(f"{error}.".replace(f"{folder}/", "").replace(folder, "These files")) from None
    left_out = len(files) - len(rows)
    if left_out:
        raise RefusedError(f"{left_out} of {len(files)} files are no documents: open files of one kind.")
    if not is_folder:
        return json.dumps(rows[0][1], ensure_ascii=False)
    wrapped = (row if is_wrapper(row) else {"id": identity, side: row} for identity, row in rows)
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in wrapped)
