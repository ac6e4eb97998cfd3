"""What a report needs before it is made: its packages, and its file, which gets all of it or nothing."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


@functools.cache
def imported(name: str) -> Any:
    """A package of the extra `report`.

    Raises:
        ModuleNotFoundError: if it is not installed; the message says how to get it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f'a report needs the package {name}: pip install "docie[report]"') from None


def check_packages() -> None:
    """Find out whether the packages of the extra `report` are there.

    Raises:
        ModuleNotFoundError: if one of them is not; the message says how to get it.

    >>> check_packages()
    """
    for name in ("jinja2", "regex"):
        imported(name)


class Destination:
    """A file that will be written. What stands there stays until the new text is complete.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, destination(f"{folder}/report.html") as file:
    ...     file.save("<!doctype html>")
    ...     file.path.read_text()
    '<!doctype html>'
    """

    def __init__(self, path: Path, draft: Path) -> None:
        self.path, self._draft = path, draft

    def save(self, text: str) -> None:
        """Write the text, and put it into its place.

        Args:
            text (str): HTML. A lone surrogate, which no file can hold, becomes a replacement character in browsers.

        Raises:
            ValueError: if it cannot be written, say for want of space.
        """
        try:
            self._draft.write_text(text, encoding="utf-8", errors="xmlcharrefreplace", newline="\n")
            os.replace(self._draft, self.path)
        except OSError as error:
            raise ValueError(f"{self.path}: cannot write the report ({error.strerror or error})") from None


@contextlib.contextmanager
def destination(path: str | os.PathLike[str]) -> Iterator[Destination]:
    """Inside this block a file can be written: that it can be is found out at its beginning.

    Args:
        path (str or Path): the file. One that is there is replaced.

    Returns:
        Destination: its `save` writes the file. Without it, nothing changes.

    Raises:
        ValueError: for a path that cannot be written.

    >>> with destination("none/report.html"):
    ...     pass
    Traceback (most recent call last):
    ...
    ValueError: none/report.html: cannot write the report (No such file or directory)
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            raise ValueError(f"{os.fspath(path)}: a report is a file, and this is none")
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        draft.open("x").close()
    except OSError as error:
        raise ValueError(f"{os.fspath(path)}: cannot write the report ({error.strerror or error})") from None
    try:
        yield Destination(target, draft)
    finally:
        draft.unlink(missing_ok=True)
