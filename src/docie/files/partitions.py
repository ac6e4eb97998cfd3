"""What a path means: a file, a stream, or partitions, on this machine or at a URL.

A corpus may be cut into partitions: a folder or a pattern of JSON Lines or Parquet files. Partition i of the references
belongs to partition i of the predictions. A partition is read as any file is, by the process that counts it.
"""

from __future__ import annotations

import glob
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from docie.core.errors import InputError, shortened
from docie.core.reading import Reading
from docie.documents.tagging.words import SUFFIXES
from docie.files.datasets import PREFIX, DatasetSource, fingerprint
from docie.files.source import STDIN, Source, reason_of
from docie.files.tables import PACKED, READERS, TableSource, split_sheet, suffix_of, what_it_holds

LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
SUFFIXES_OF_FOLDERS = (".json", *SUFFIXES, *LINES, PARQUET, *PACKED)
"""The suffixes of files that are read in a folder."""
_KINDS = {".json", *LINES, *READERS} - {".tsv"}  # which may hold tagged words


class Partition(NamedTuple):
    """The files of one partition: paths or URLs. They are equal if the rows hold both sides."""

    references: str
    predictions: str


def is_partitioned(path: str) -> bool:
    """Whether a path means partitions: a URL, a pattern, a packed file, or a folder of such files."""
    path, sheet = split_sheet(path)
    if path == STDIN or sheet or path.startswith(PREFIX):
        return False
    if is_url(path):
        return True
    if os.path.isdir(path):
        names = [entry.name for entry in os.scandir(path) if entry.is_file()]
        _check_kinds(path, names)
        return bool(_of_folder(names))
    if os.path.exists(path):
        return path.lower().endswith(PACKED)
    return glob.has_magic(path)


def partitions_of(references: str, predictions: str) -> list[Partition]:
    """The partitions of two paths, in order of their names; in a name, 2 comes before 10.

    Raises:
        InputError: if there are none, and unless there are as many on both sides, with the same names if they share
            any.
    """
    for path in filter(is_stream, (references, predictions)):
        what = "standard input" if path == STDIN else f"{path}: a pipe"
        raise InputError(f"{what} has no partitions, and is read only once; write it to a file")
    expected = partition_files(references)
    if references == predictions:
        return [Partition(path, path) for path in expected]
    predicted = partition_files(predictions)
    names = [{_stem(path): path for path in paths} for paths in (expected, predicted)]
    if shared := names[0].keys() & names[1].keys():
        for side, other, alone in (
            ("references", "predictions", names[0].keys() - shared),
            ("predictions", "references", names[1].keys() - shared),
        ):
            if alone:
                raise InputError(f"partition {shortened(min(alone))} is in the {side} but not in the {other}")
        if len(shared) == len(expected) == len(predicted):
            return [Partition(path, names[1][_stem(path)]) for path in expected]
    if len(expected) != len(predicted):
        problem = "expected as many partitions of predictions as of references"
        raise InputError(f"{problem}, got {len(predicted)} and {len(expected)}")
    return [Partition(*paths) for paths in zip(expected, predicted, strict=True)]


def partition_files(path: str) -> list[str]:
    """The files that a path means, in order.

    Raises:
        InputError: if there are none, and for what cannot be listed.
    """
    try:
        files = _remote_files(path) if is_url(path) else _local_files(path)
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"{path}: {reason_of(error)}") from None
    if not files:
        expected = ", ".join((*LINES, PARQUET))
        raise InputError(f"{path}: no partitions ({expected}, packed or not)")
    return sorted(files, key=_in_natural_order)


def open_source(
    path: str,
    side: str,
    *,
    reading: Reading | None = None,
    accepts_text: bool = False,
    content: bytes | None = None,
) -> Source:
    """The rows of one file, or of a folder of documents.

    Args:
        path: where it is.
        side, reading, accepts_text, content: as for `Source`.

    Raises:
        InputError: if it cannot be read.
    """
    how: dict[str, Any] = {"reading": reading, "accepts_text": accepts_text}
    if path.startswith(PREFIX):
        return DatasetSource(path, side, **how)
    if content is None and (is_url(path) or path.lower().endswith(PACKED)) and not path.lower().endswith(PARQUET):
        import fsspec

        try:
            with fsspec.open(split_sheet(path)[0], "rb", compression="infer") as file:
                content = file.read()
        except (OSError, ValueError, ImportError, EOFError) as error:
            raise InputError(f"{path}: {reason_of(error)}") from None
    if content is None and not is_url(path) and is_stream(path) and suffix_of(path):  # tables are read twice
        content = _content(path)
    holds = what_it_holds(path, content, (reading or Reading()).id_key_of(side))
    if holds == "table":
        return TableSource(path, side, content=content, **how)
    if lines := reading and reading.lines_of(side):
        raise InputError(
            f"{path}: {lines} has line items for a table, and this is none; say references: or predictions:"
        )
    return Source(path, side, content=content, is_words=holds == "words", **how)


def identity(path: str) -> list[object]:
    """What tells whether a file is the same as before: its name, size and time; of a folder, those of all in it.

    Raises:
        InputError: if it cannot be found.
    """
    if path.startswith(PREFIX):
        return [path, fingerprint(path)]
    try:
        if is_url(path):
            import fsspec

            system, place = fsspec.url_to_fs(path)
            return [path, system.ukey(place)]
        facts = os.stat(split_sheet(path)[0])
        if os.path.isdir(path):
            return [os.path.abspath(path), [identity(os.path.join(path, name)) for name in sorted(os.listdir(path))]]
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"{path}: {reason_of(error)}") from None
    return [os.path.abspath(path), facts.st_size, facts.st_mtime_ns]


def is_url(path: str) -> bool:
    """Whether a path is a URL, which fsspec reads."""
    return "://" in path


def _local_files(path: str) -> list[str]:
    if os.path.isdir(path):
        names = _of_folder(entry.name for entry in os.scandir(path) if entry.is_file())
        return [os.path.join(path, name) for name in names]
    if os.path.exists(path):
        return [path]
    return [found for found in glob.glob(path, recursive=True) if os.path.isfile(found)]


def _remote_files(url: str) -> list[str]:
    import fsspec

    system, place = fsspec.url_to_fs(url)
    if glob.has_magic(place):
        found = system.glob(place)
    elif system.isdir(place):
        inside = {each.rstrip("/").rpartition("/")[2]: each for each in system.ls(place, detail=False)}
        found = [inside[name] for name in _of_folder(inside)]
    else:
        found = [place] if system.exists(place) else []
    return [system.unstrip_protocol(each) for each in found]


def _of_folder(names: Iterable[str]) -> list[str]:
    """The names of partitions; none where the folder holds a document in each file."""
    names = [name for name in names if not name.startswith((".", "_"))]
    suffixes = {name: _unpacked(name)[1].lower() for name in names}
    if ".json" in suffixes.values():
        return []
    return [name for name in names if suffixes[name] in (*LINES, PARQUET)]


def _check_kinds(folder: str, names: Iterable[str]) -> None:
    """Raise InputError for tables beside files of another kind."""
    kinds = {suffix: name for name in sorted(names, reverse=True) if (suffix := _unpacked(name)[1].lower()) in _KINDS}
    if len(kinds) > 1 and not READERS.keys().isdisjoint(kinds):
        listed = ", ".join(sorted(kinds.values()))
        pattern = os.path.join(folder, "*" + min(READERS.keys() & kinds))
        raise InputError(
            f"{folder}: files of several kinds ({listed}); move some, or name a pattern such as {pattern!r}"
        )


def _unpacked(name: str) -> tuple[str, str]:
    """The stem and the suffix of a name, without the suffix of a packed file."""
    stem, suffix = os.path.splitext(name)
    return os.path.splitext(stem) if suffix.lower() in PACKED else (stem, suffix)


def _stem(path: str) -> str:
    return _unpacked(path.rpartition("/")[2] if is_url(path) else Path(path).name)[0]


def _in_natural_order(path: str) -> tuple[list[str | int], ...]:
    return ([int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", path)],)


def is_stream(path: str) -> bool:
    """Whether a path can be read only once: standard input, a pipe, or what a shell writes as <(command)."""
    if path == STDIN:
        return True
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def read_once(*paths: str) -> dict[str, bytes]:
    """The contents of what can be read only once and is wanted more often, by its paths.

    Args:
        *paths: a path for each time that it will be read.

    Raises:
        InputError: if it cannot be read.
    """
    paths_of: dict[object, list[str]] = {}
    for path in filter(is_stream, paths):
        paths_of.setdefault(_identity_of_stream(path), []).append(path)
    contents: dict[str, bytes] = {}
    for names in paths_of.values():
        if len(names) > 1:
            contents |= dict.fromkeys(names, _content(names[0]))
    return contents


def _identity_of_stream(path: str) -> object:
    """What tells a stream from others: a pipe may have several names."""
    try:
        facts = os.stat(path) if path != STDIN else os.fstat(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):  # standard input may be closed, or no file
        return path
    return facts.st_dev, facts.st_ino


def _content(path: str) -> bytes:
    try:
        if path != STDIN:
            return Path(path).read_bytes()
        if sys.stdin is None:
            raise InputError("standard input is closed")
        return sys.stdin.buffer.read()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
