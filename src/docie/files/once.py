"""What can be read only once, such as standard input and pipes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from docie.files.source import STDIN, InputError


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
    paths_of: dict[Any, list[str]] = {}
    for path in filter(is_stream, paths):
        paths_of.setdefault(_identity_of_stream(path), []).append(path)
    contents: dict[str, bytes] = {}
    for names in paths_of.values():
        if len(names) > 1:
            contents |= dict.fromkeys(names, _content(names[0]))
    return contents


def _identity_of_stream(path: str) -> Any:
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
