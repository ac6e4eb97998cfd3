"""From opened files to the texts of a page, by the rules of the command line."""

from __future__ import annotations

import contextlib
import io
import json
import mimetypes
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from docie.core.errors import DocumentError, InputError
from docie.core.phrases import some_of
from docie.core.values.json_text import as_json
from docie.inputs.opened import OpenedRows
from docie.inputs.reading import Side
from docie.inputs.row import Row
from docie.inputs.sources.folders import Folder
from docie.inputs.sources.lines import CERTAIN_SUFFIXES, TEXT, Lines
from docie.inputs.sources.paths import LINES, sources_of
from docie.inputs.sources.table_files import PACKED
from docie.inputs.sources.zips import ZIP, Zip, first_bytes
from docie.show.page.images import scan_of
from docie.show.section import Scan

from . import limits
from .inputs import as_given
from .limits import RefusedError

FILES_HINT = (
    "Files may be JSON, JSON Lines, tables (CSV, Excel, Parquet) or words with their tags "
    f"({', '.join(CERTAIN_SUFFIXES)}); a zip is a folder of files. "
    "Of several files with a document in each, its name is the id."
)
_AS_TEXT = (".json", *LINES, TEXT)
"""The suffixes of files that are shown as they are written."""


class Opened(NamedTuple):
    """What opened files hold.

    Attributes:
        text: the text of a side.
        form: how it is written, a key of `FORMS`.
        left_out: what was not read, in a sentence.
    """

    text: str
    form: str = "json"
    left_out: str = ""


def text_of_files(files: Mapping[str, bytes], side: str) -> Opened:
    """The text of a side after files are opened, by their names.

    A single file of JSON is used as it is; others become rows of JSON Lines, as `docie score` reads them.

    Raises:
        RefusedError: if a file is too large, also when it is unpacked, or cannot be read.

    >>> print(text_of_files({"a.bio": b"Kedai B-shop", "b.bio": b"Kopi O"}, "references").text)
    {"id": "a", "reference": {"words": ["Kedai"], "tags": ["B-shop"]}}
    {"id": "b", "reference": {"words": ["Kopi"], "tags": ["O"]}}
    """
    files = _unpacked(files)
    if all(map(_is_picture, _members(files))):
        said = f"{next(iter(files))} has pictures only: open what was read from them, such as JSON or a table."
        raise RefusedError(said)
    [name, *others] = files
    if not others and Path(name).suffix.lower() in _AS_TEXT:
        try:
            text = files[name].decode("utf-8-sig")
        except UnicodeDecodeError:
            raise RefusedError(f"{name}: this file is not UTF-8 text.") from None
        opened = Opened(text, _form_of(text) if name.lower().endswith(TEXT) else "json")
    else:
        opened = _lines(files, side.removesuffix("s"))
    limits.check_text(opened.text, side)
    return opened


def _form_of(text: str) -> str:
    """How the text of a model's answer is written, a key of `FORMS`."""
    try:
        [*Lines("", text.encode(), side="prediction")]
    except InputError:
        return "donut" if "<s_" in text.partition("{")[0] else "llm"
    return "json"


def scans_of_files(files: Mapping[str, bytes]) -> list[Scan]:
    """The pictures of pages, also those in a zip, small enough for a page; nothing else of the files is kept.

    Raises:
        RefusedError: if a file is no picture, or too large a one.
    """
    try:
        return [scan_of(io.BytesIO(content)) for content in _members(_unpacked(files)).values()]
    except (MemoryError, RefusedError):
        raise
    except Exception:  # of whatever kind a picture is, its reader has errors of its own
        said = "Only pictures can be opened here, such as PNG or JPEG files, and none of very many pixels."
        raise RefusedError(said, field="scans") from None


def _is_picture(name: str) -> bool:
    return (mimetypes.guess_type(name)[0] or "").startswith("image/")


def _members(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, and in place of a zip those in it."""
    found = dict[str, bytes]()
    with _refusing():
        for name, content in files.items():
            zipped = Zip(name, content) if name.lower().endswith(ZIP) else None
            found |= {each: zipped.read(each) for each in zipped.files} if zipped else {name: content}
    return found


def _unpacked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, those that are packed by themselves (.gz) without that. No zip or workbook holds too much."""
    unpacked, left = dict[str, bytes](), limits.MAX_BYTES
    for name, content in files.items():
        if name.lower().endswith(PACKED):
            with _refusing():
                name, content = name.rpartition(".")[0], first_bytes(name, content, left + 1)
        elif zipfile.is_zipfile(io.BytesIO(content)):  # workbooks are such, too
            with _refusing():
                Zip(name, content, limit=limits.MAX_BYTES)
        unpacked[name], left = content, left - len(content)
        if left < 0:
            raise RefusedError(f"These files have more than {limits.MAX_BYTES:,} bytes, unpacked.")
    if len(unpacked) < len(files):
        raise RefusedError("Two of these files have the same name.")
    return unpacked


def _lines(files: Mapping[str, bytes], side: str) -> Opened:
    """The rows of files in JSON Lines, each with its id. The temporary folder with the files is deleted."""
    left_out: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            Path(folder, name).write_bytes(content)
        path = folder if len(files) > 1 else str(Path(folder, *files))
        with _refusing(folder):
            rows = [row.document if side == "record" else as_given(row, side) for row in _rows(path, side, left_out)]
    limits.check_rows(rows, f"{side}s")
    written = (as_json(row, is_reference=side == "reference") for row in rows)  # tables may hold dates
    said = f"Not read, as they are pictures: {some_of(left_out)}." if left_out else ""
    return Opened("\n".join(json.dumps(row, ensure_ascii=False) for row in written), left_out=said)


def _rows(path: str, side: str, left_out: list[str]) -> Iterator[Row]:
    """The rows of a path. Texts stay as they are until references are known. Pictures are left out."""
    for source in sources_of(path, side):
        rest = [each.name for each in source.rest] if isinstance(source, Folder) else []
        left_out += filter(_is_picture, rest)
        if isinstance(source, Folder) and len(rest) > len(left_out):
            number = len(source.files) + len(rest)
            raise RefusedError(f"{len(rest)} of {number} files are not documents: open files of one kind.")
        yield from OpenedRows(source, side, Side(), ids=True)


@contextlib.contextmanager
def _refusing(folder: str = "") -> Iterator[None]:
    """Inside this block, what cannot be read is refused, without the name of a temporary folder."""
    try:
        yield
    except (InputError, DocumentError) as error:
        said = f"{error}."
        raise RefusedError(said.replace(f"{folder}/", "").replace(folder, "These files") if folder else said) from None
