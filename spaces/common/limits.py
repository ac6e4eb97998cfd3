"""The limits of inputs. A larger input is refused with one sentence, before anything is computed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

MAX_CHARACTERS = 1_000_000
"""The largest text of a field."""
MAX_BYTES = 10_000_000
"""The largest files that can be opened at a time."""
MAX_DOCUMENTS = 1_000
"""Documents of a side: more are a corpus, for which there is the command."""
TIME_LIMIT = 10.0
"""Seconds after which a computation is stopped."""
MAX_MEMORY = 1 << 30
"""Bytes that a computation may use."""
NAMES = {
    "references": "The reference",
    "predictions": "The prediction",
    "options": "The options",
    "scans": "The picture of a page",
    "record": "The form",
    "attacks": "The attack",
    "before": "The answer to the unattacked form",
    "after": "The answer to the attacked form",
}
"""The names of fields, for the beginning of a sentence."""

_ENOUGH = "`pip install docie` scores it on your own machine"


class RefusedError(ValueError):
    """An input that is not computed, and the field that is to blame.

    Args:
        message: one sentence for the visitor.
        field: a key of `NAMES`; "" if no single field is to blame.
        line, column: the place in that field, counted from 1; None if it is unknown.

    >>> str(RefusedError("No documents.", field="references"))
    'No documents.'
    """

    def __init__(self, message: str, *, field: str = "", line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.field, self.line, self.column = field, line, column


@contextlib.contextmanager
def refused(field: str, end: str = "") -> Iterator[None]:
    """Turn what is wrong with a value into the refusal of a field.

    >>> with contextlib.suppress(RefusedError), refused("options"):
    ...     int("many")
    """
    try:
        yield
    except RefusedError:
        raise
    except (ValueError, TypeError, ImportError) as error:  # random texts need a package
        raise RefusedError(f"{error}{end}", field=field) from None


def check_text(text: str, field: str) -> None:
    """Refuse a text that is too long.

    Raises:
        RefusedError: the message has the limit.

    >>> check_text('{"total": "12.00"}', "references")
    """
    if len(text) > MAX_CHARACTERS:
        message = f"{NAMES[field]} has too many characters; here at most {MAX_CHARACTERS:,} are read: {_ENOUGH}."
        raise RefusedError(message, field=field)


def check_given(text: str, field: str, how: str = "write JSON, open a file or take an example") -> None:
    """Refuse a text that is too long or empty; `how` tells what to do then.

    Raises:
        RefusedError: the message says which.

    >>> check_given('{"total": "12.00"}', "references")
    """
    check_text(text, field)
    if not text.strip():
        raise RefusedError(f"{NAMES[field]} is empty: {how}.", field=field)


def check_rows(rows: Sequence[object], field: str) -> None:
    """Refuse too many documents.

    Raises:
        RefusedError: the message has the number.

    >>> check_rows([{"total": "12"}], "references")
    """
    check_number(len(rows), MAX_DOCUMENTS, "documents", field)


def check_number(number: int, most: int, what: str, field: str) -> None:
    """Refuse too many parts of a field.

    Raises:
        RefusedError: the message has the number.

    >>> check_number(12, 100, "words", "record")
    """
    if number > most:
        message = f"{NAMES[field]} has {number:,} {what}; here at most {most:,} are read: {_ENOUGH}."
        raise RefusedError(message, field=field)
