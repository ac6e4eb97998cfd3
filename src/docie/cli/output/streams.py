"""Standard output and standard error, which may be closed, full, or a pipe whose reader has gone."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from collections.abc import Iterator
from typing import Any, TextIO


class Messages:
    """A stream of messages. What cannot be written is lost, and results are not lost with it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text."""
        try:
            return self._stream.write(text)
        except OSError:
            discard(self._stream)
            return len(text)

    def flush(self) -> None:
        """Write what waits to be written."""
        try:
            self._stream.flush()
        except OSError:
            discard(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def prepare() -> None:
    """Make standard error a stream of `Messages`, and both streams write any text: a name may have a lone surrogate.

    What does not go to a terminal is UTF-8 whatever the locale, as are the files that docie reads and writes.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            is_readable = stream.isatty() and codecs.lookup(stream.encoding).name != "ascii"
            keeps = is_readable or "PYTHONIOENCODING" in os.environ
            stream.reconfigure(encoding=stream.encoding if keeps else "utf-8", errors="backslashreplace")
    messages: Any = Messages(sys.stderr or io.StringIO())
    sys.stderr = messages


def discard(stream: TextIO) -> None:
    """Write nothing more to a stream: neither what it still keeps, nor what comes."""
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


@contextlib.contextmanager
def results() -> Iterator[None]:
    """Inside this block, results are printed. A reader that closes the pipe, as `head` does, has seen enough.

    Raises:
        OSError: if they cannot be written; its message says that it is about standard output.
    """
    if sys.stdout is None:
        raise OSError("standard output is closed")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        discard(sys.stdout)
    except OSError as error:
        discard(sys.stdout)
        raise OSError(f"standard output: {error.strerror or error}") from None
