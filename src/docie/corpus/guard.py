"""Expensive documents: named on stderr while they are counted, and stopped if there is a limit."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

from docie.core.errors import DocumentError, shortened
from docie.core.values.plain import is_number, scalars

LONG = 10.0
"""Seconds after which a document is named."""
_STEP = 1.0  # seconds between two checks of the clock


def failure_of(family: str, task: tuple[Any, ...], reason: str) -> DocumentError:
    """The error of a task that has no result: its arguments are the number of the first document, and documents.

    A document ends with the places of its prediction and its reference, as `docie.corpus.counting.Document` has them.
    """
    start, documents = task
    first, last = (documents[at][-1][1] or start + at % len(documents) for at in (0, -1))
    among = "" if len(documents) == 1 else f", here or up to {last}; max_seconds tells where"
    return DocumentError(f"{family} {reason}{among}", document=first)


def check_seconds(name: str, value: object) -> None:
    """Raise ValueError unless a limit is a number of seconds above 0, or None for no limit.

    Args:
        name (str): the name of the option in the message.
        value: the limit.

    Raises:
        ValueError: if it is any other value, including infinity.

    >>> check_seconds("max_seconds", 0)
    Traceback (most recent call last):
    ...
    ValueError: max_seconds must be a number of seconds above 0, got 0
    """
    if value is not None and not (is_number(value) and value > 0):
        raise ValueError(f"{name} must be a number of seconds above 0, got {shortened(value)}")


class LongDocuments:
    """Inside this block, a line on stderr names each document that has taken more than LONG seconds so far.

    A thread watches the clock, so the line appears while the document is still being counted.

    Args:
        family: the name of the metric.

    >>> with LongDocuments("kieval") as long_documents:
    ...     long_documents.begin(0, None, {"total": "12.00"}, {"total": "12.00"})
    """

    def __init__(self, family: str) -> None:
        self._family = family
        self._current: tuple[float, int, str | None, object, object] | None = None
        self._is_over = threading.Event()

    def begin(self, number: int, identity: str | None, prediction: object, reference: object) -> None:
        """A document begins."""
        self._current = time.monotonic(), number, identity, prediction, reference

    def end(self) -> None:
        """The document has been counted."""
        self._current = None

    def __enter__(self) -> LongDocuments:
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()

    def _watch(self) -> None:
        named: object = None
        while not self._is_over.wait(_STEP):
            current = self._current
            if current is None or current is named or time.monotonic() - current[0] < LONG:
                continue
            named = current
            _, number, identity, prediction, reference = current
            place = f"document {number}" if identity is None else f"document {number}, id {shortened(identity)}"
            sizes = f"{_size('prediction', prediction)}; {_size('reference', reference)}"
            line = f"{place}: {self._family} has taken {LONG:g} s so far ({sizes}); max_seconds sets a limit"
            print(line, file=sys.stderr, flush=True)


def _size(side: str, document: object) -> str:
    """The size of a document.

    >>> _size("prediction", {"menu": [{"nm": "Latte"}, {"nm": "Mocha", "cnt": 1}]})
    'prediction: 3 values, the longest text of 5 characters'
    """
    values = longest = 0
    for value in scalars(document):
        values += 1
        longest = max(longest, len(value) if isinstance(value, str) else 0)
    return f"{side}: {values:,} values, the longest text of {longest:,} characters"
