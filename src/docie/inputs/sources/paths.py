"""What a path means: a file, a stream, or partitions, on this machine or at a URL.

A corpus may be cut into partitions: a folder or a pattern of JSON Lines or Parquet files. Partition i of the references
belongs to partition i of the predictions. A partition is read as any file is, by the process that counts it.
"""

from __future__ import annotations

import glob
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from docie.core.errors import InputError, shortened
from docie.core.phrases import NAMED, some_of
from docie.documents.tagging.tagged_words import SUFFIXES
from docie.inputs.reading import SIDES, Side
from docie.inputs.sources.datasets import PREFIX, DataSet
from docie.inputs.sources.folders import Folder
from docie.inputs.sources.lines import Lines
from docie.inputs.sources.source import STDIN, Source, in_one_line
from docie.inputs.sources.table_files import PACKED, READERS, TABLES, TableFile, split_sheet, suffix_of, what_it_holds
from docie.inputs.sources.zips import ZIP, Zip, is_zip, split_zip

LINES = (".jsonl", ".ndjson")
PARQUET = ".parquet"
SUFFIXES_OF_FOLDERS = (".json", *SUFFIXES, *LINES, PARQUET, *PACKED)
"""The suffixes of files that are read in a folder."""
SUFFIXES_READ = tuple(dict.fromkeys((*SUFFIXES_OF_FOLDERS, *TABLES, ZIP)))
"""The suffixes of all files that are read."""
_KINDS = {".json", *LINES, *READERS} - {".tsv"}  # which may hold tagged words


class Partition(NamedTuple):
    """The files of one partition: paths or URLs. They are equal if the rows hold both sides."""

    references: str
    predictions: str


def is_partitioned(path: str) -> bool:
    """Whether a path means partitions: a URL, a pattern, a packed file, or a folder or a zip of such files."""
    path, sheet = split_sheet(path)
    if path == STDIN or sheet or path.startswith(PREFIX):
        return False
    if is_url(path):
        return True
    if os.path.isdir(path):
        names = [entry.name for entry in os.scandir(path) if entry.is_file()]
        _check_kinds(path, names)
        return bool(_of_folder(names))
    if os.path.isfile(path) and is_zip(path):
        return bool(_in_zip(path))
    if os.path.exists(path):
        return path.lower().endswith(PACKED)
    return glob.has_magic(path) and not split_zip(path)[1]


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
        for side, (own, other) in zip(SIDES, (names, names[::-1]), strict=True):
            if alone := own.keys() - other.keys():
                there = SIDES[side == SIDES[0]]
                raise InputError(f"partition {shortened(min(alone))} is in the {side} but not in the {there}")
        if len(shared) == len(expected) == len(predicted):
            return [Partition(path, names[1][_stem(path)]) for path in expected]
    if len(expected) != len(predicted):
        problem = "expected as many partitions of predictions as of references"
        raise InputError(f"{predictions}: {problem}, got {len(predicted)} and {len(expected)}{_advice(*names)}")
    return [Partition(*paths) for paths in zip(expected, predicted, strict=True)]


def _advice(expected: Mapping[str, str], predicted: Mapping[str, str]) -> str:
    """How the answers of several systems are read, if each has a file beside those of others."""
    if len(expected) > 1 or len(predicted) < 2:
        return ""
    paths = [*predicted.values()]
    held = f"it holds {some_of([os.path.basename(path) for path in paths])}"
    return f"; {held}; if each is a system, docie compare REFERENCES {shlex.join(paths[:NAMED])} compares them"


def partition_files(path: str) -> list[str]:
    """The files that a path means, in order.

    Raises:
        InputError: if there are none, and for what cannot be listed.
    """
    with in_one_line(path):
        files = _remote_files(path) if is_url(path) else _local_files(path)
    if not files:
        expected = ", ".join((*LINES, PARQUET))
        raise InputError(f"{path}: no partitions ({expected}, packed or not)")
    return sorted(files, key=_in_natural_order)


def sources_of(
    path: str, side: str, how: Side | None = None, *, contents: Mapping[str, bytes] | None = None
) -> Iterator[Source]:
    """The files that a path means, opened one after the other.

    Args:
        path, side, how: as in `open_source`.
        contents: those of `read_once`, which are read in place of files.

    Raises:
        InputError: if there are none, and for what cannot be read.
    """
    for file in partition_files(path) if is_partitioned(path) else [path]:
        yield open_source(file, side, how, content=(contents or {}).get(file))


def open_source(path: str, side: str, how: Side | None = None, *, content: bytes | None = None) -> Source:
    """The rows of one file, or of a folder or a zip of documents.

    Args:
        path: where it is; a slash and the name of a file may follow the path of a zip.
        side: "prediction" or "reference".
        how: how its rows are read; None for as they are.
        content: what is read in place of a file, which `path` then only names.

    Raises:
        InputError: if it cannot be read.
    """
    how = how or Side()
    if path.startswith(PREFIX):
        return DataSet(path, side=side, how=how)
    if content is None and (is_url(path) or path.lower().endswith(PACKED)) and not path.lower().endswith(PARQUET):
        import fsspec

        compression = None if is_zip(path) else "infer"
        with in_one_line(path), fsspec.open(split_sheet(path)[0], "rb", compression=compression) as file:
            content = file.read()
    if content is None and (member := split_zip(path)[1]):
        content = Zip(split_zip(path)[0]).read(member)
    archive = Zip(path, content) if is_zip(path) else None
    if archive and (name := archive.only_file) and not name.lower().endswith((ZIP, *PACKED)):
        return open_source(f"{path}/{name}", side, how, content=archive.read(name))
    if content is None and not is_url(path) and is_stream(path) and suffix_of(path):  # tables are read twice
        content = _content(path)
    holds = what_it_holds(path, content, how.id_key)
    if holds == "table":
        return TableFile(path, content, side=side, how=how)
    if how.lines:
        problem = f"{how.lines} has line items for a table ({side}s.lines), and this is none"
        raise InputError(f"{path}: {problem}")
    if archive:
        return Folder(path, side=side, parse=how.parse, entries=archive.entries())
    if content is None and path != STDIN and os.path.isdir(path):
        return Folder(path, side=side, parse=how.parse)
    return Lines(path, content, side=side, parse=how.parse, is_words=holds == "words")


def is_url(path: str) -> bool:
    """Whether a path is a URL, which fsspec reads."""
    return "://" in path


def _local_files(path: str) -> list[str]:
    if os.path.isdir(path):
        names = _of_folder(entry.name for entry in os.scandir(path) if entry.is_file())
        return [os.path.join(path, name) for name in names]
    if os.path.isfile(path) and is_zip(path):
        return _in_zip(path) or [path]
    if os.path.exists(path) or split_zip(path)[1]:
        return [path]
    return [found for found in glob.glob(path, recursive=True) if os.path.isfile(found)]


def _in_zip(path: str) -> list[str]:
    """The paths of the partitions in a zip; none of packed ones."""
    names = [name for name in Zip(path).files if "/" not in name and not name.lower().endswith(PACKED)]
    return [f"{path}/{name}" for name in _of_folder(names)]


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
    streams = [path for path in paths if is_stream(path)]
    identities = [*map(_identity_of_stream, streams)]
    contents: dict[object, bytes] = {}
    for path, same in zip(streams, identities, strict=True):
        if identities.count(same) > 1 and same not in contents:
            contents[same] = _content(path)
    return {path: contents[same] for path, same in zip(streams, identities, strict=True) if same in contents}


def _identity_of_stream(path: str) -> object:
    """What tells a stream from others: a pipe may have several names."""
    try:
        facts = os.stat(path) if path != STDIN else os.fstat(sys.stdin.fileno())
    except (OSError, ValueError, AttributeError):  # standard input may be closed, or no file
        return path
    return facts.st_dev, facts.st_ino


def _content(path: str) -> bytes:
    if path == STDIN and sys.stdin is None:
        raise InputError("standard input is closed")
    with in_one_line(path):
        return sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
