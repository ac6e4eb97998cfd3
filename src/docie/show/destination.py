"""A file that gets all of a text or nothing."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO


class Destination:
    """A file that will be written. What stands there stays until the new text is complete.

    A device or a pipe is written as it is.

    Args:
        path (str or Path): the file. One that is there is replaced.

    Raises:
        ValueError: for a path that cannot be written.

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
        self._name = os.fspath(path)
        self.path = self._draft = Path(path)
        with self._errors():
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
    def _errors(self) -> Iterator[None]:
        """Inside this block, what the system refuses is a ValueError that names the file."""
        try:
            yield
        except OSError as error:
            raise ValueError(f"{self._name}: cannot be written ({error.strerror or error})") from None

    @contextlib.contextmanager
    def opened(self, errors: str = "backslashreplace") -> Iterator[TextIO]:
        """The stream to write to. The file takes its place once the block ends well.

        Args:
            errors (str): as of `open`: what becomes of a lone surrogate, which no file can hold.

        Raises:
            ValueError: if it cannot be written, say for want of space.
        """
        with self._errors():
            with self._draft.open("w", encoding="utf-8", errors=errors, newline="") as file:
                yield file
            if self._draft != self.path:
                os.replace(self._draft, self.path)

    def save(self, html: str) -> None:
        """Write a page, and put it into its place.

        Args:
            html (str): the page. A lone surrogate becomes a replacement character in browsers.

        Raises:
            ValueError: as `opened`.
        """
        with self.opened("xmlcharrefreplace") as file:
            file.write(html)
