"""A file that gets all of a text or nothing."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def errors_of(name: str | os.PathLike[str], problem: str = "cannot be written") -> Iterator[None]:
    """Inside this block, what the system refuses is a ValueError that names the file or folder."""
    try:
        yield
    except OSError as error:
        raise ValueError(f"{os.fspath(name)}: {problem} ({error.strerror or error})") from None


class Destination:
    """A file that will be written. What stands there stays until the new text is complete.

    A device or a pipe is written as it is. A path that cannot be written is a ValueError. `name` is the path as given.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Destination(f"{folder}/report.html") as file:
    ...     file.save("<!doctype html>")
    ...     file.path.read_text()
    '<!doctype html>'
    >>> Destination("none/report.html")
    Traceback (most recent call last):
    ...
    ValueError: none/report.html: cannot be written (No such file or directory)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.name = os.fspath(path)
        self.path = self._draft = Path(path)
        with errors_of(self.name):
            if self.path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if self.path.is_file() or not self.path.exists():
                self.path = Path(os.path.realpath(path))
                self._draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
                self._draft.open("x").close()

    def __enter__(self) -> Destination:
        return self

    def __exit__(self, *error: object) -> None:
        if self._draft != self.path:
            self._draft.unlink(missing_ok=True)

    @contextlib.contextmanager
    def opened(self, errors: str = "backslashreplace") -> Iterator[TextIO]:
        """The stream to write to. The file takes its place once the block ends well.

        `errors` says, as of `open`, what becomes of a lone surrogate, which no file can hold. What cannot be written,
        say for want of space, is a ValueError.
        """
        with errors_of(self.name):
            with self._draft.open("w", encoding="utf-8", errors=errors, newline="") as file:
                yield file
            if self._draft != self.path:
                os.replace(self._draft, self.path)

    def save(self, html: str) -> None:
        """Write a page, and put it into its place. A lone surrogate becomes a replacement character in browsers."""
        with self.opened("xmlcharrefreplace") as file:
            file.write(html)
