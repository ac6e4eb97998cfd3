"""A zip file, read as a folder of files. Nothing of it is written anywhere, so the names in it can do no harm."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from docie.core.errors import InputError
from docie.inputs.sources.source import in_one_line

ZIP = ".zip"
MAX_UNPACKED = 1 << 30
"""Bytes that the files of a zip may have in all: a small one may hold very large ones."""


class Zip:
    """The files of a zip. Hidden ones are left out, and the one folder that all others stand in is.

    Args:
        path: where it is.
        content: what is read in place of a file, which `path` then only names.
        limit: the bytes that its files may have in all.

    Raises:
        InputError: if it is no zip, or too large. Sizes are those that it states, and no file is read any further.

    >>> content = io.BytesIO()
    >>> with zipfile.ZipFile(content, "w") as file:
    ...     file.writestr("answers/r-1.json", '{"total": "12.00"}')
    >>> answers = Zip("answers.zip", content.getvalue())
    >>> [*answers.files], answers.read("r-1.json")
    (['r-1.json'], b'{"total": "12.00"}')
    """

    def __init__(self, path: str, content: bytes | None = None, *, limit: int = MAX_UNPACKED) -> None:
        self.path = path
        with in_one_line(path):
            self.file = zipfile.ZipFile(path if content is None else io.BytesIO(content))
        size = sum(info.file_size for info in self.file.infolist())
        if size > limit:
            problem = f"its files have {size:,} bytes, and at most {limit:,} are read from a zip"
            raise InputError(f"{path}: {problem}")
        whole = [info for info in self.file.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
        parts = [info.filename.split("/") for info in whole]
        common = len(os.path.commonprefix([each[:-1] for each in parts]))  # noqa: RUF071 -- of lists
        self.files = {"/".join(each[common:]): info for each, info in zip(parts, whole, strict=True)}
        """From the names of its files, in its one folder, to what `zipfile` knows of them."""

    @property
    def only_file(self) -> str:
        """The name of its file, if it has only one; else an empty text."""
        return next(iter(self.files)) if len(self.files) == 1 else ""

    def read(self, name: str) -> bytes:
        """What a file holds."""
        if name not in self.files:
            raise InputError(f"{self.path}: no file {name} in this zip")
        with in_one_line(f"{self.path}/{name}"):
            return self.file.read(self.files[name])

    def entries(self) -> Iterator[Entry]:
        """Its files and folders, as those of a folder."""
        yield from (Entry(name, self) for name in self.files if "/" not in name)
        yield from (Entry(name, self) for name in {name.split("/")[0] for name in self.files if "/" in name})


@dataclass(frozen=True, order=True)
class Entry:
    """A file or a folder in a zip: what is read of a path in a folder."""

    name: str
    archive: Zip = field(compare=False)

    def __str__(self) -> str:
        return f"{self.archive.path}/{self.name}"

    @property
    def suffix(self) -> str:
        """The end of its name, from the last dot on."""
        return PurePosixPath(self.name).suffix

    @property
    def stem(self) -> str:
        """Its name without the suffix."""
        return PurePosixPath(self.name).stem

    def is_file(self) -> bool:
        """Whether it is a file."""
        return self.name in self.archive.files

    def is_dir(self) -> bool:
        """Whether it is a folder."""
        return not self.is_file()

    def exists(self) -> bool:
        """Whether it is there."""
        return True

    def read_bytes(self) -> bytes:
        """What it holds."""
        return self.archive.read(self.name)


def is_zip(path: str) -> bool:
    """Whether a path is that of a zip, rather than of a folder of this name."""
    return path.lower().endswith(ZIP) and not os.path.isdir(path)


def split_zip(path: str) -> tuple[str, str]:
    """The path of a zip and the name of a file in it, which may follow after a slash; else the path and nothing.

    >>> split_zip("answers.json")
    ('answers.json', '')
    """
    place = path.lower().find(f"{ZIP}/") + len(ZIP)
    return (path[:place], path[place + 1 :]) if place >= len(ZIP) and os.path.isfile(path[:place]) else (path, "")


def first_bytes(name: str, content: bytes, size: int) -> bytes:
    """The first bytes of what a packed file holds, such as a .gz, which does not state how many they are.

    Raises:
        InputError: if it cannot be read.
    """
    import fsspec

    with in_one_line(name):
        unpacked = fsspec.compression.compr[fsspec.utils.infer_compression(name)]
        with unpacked(io.BytesIO(content), mode="rb") as file:
            return bytes(file.read(size))


def _is_hidden(name: str) -> bool:
    """Whether a file or a folder on its way is hidden, or made by macOS beside the files."""
    return any(part.startswith(".") or part == "__MACOSX" for part in name.split("/"))
