"""A table of texts, and how numbers and names stand in it."""

from __future__ import annotations

from typing import Any, NamedTuple

from docie.core.scores import rounded


class Table(NamedTuple):
    """A title, the headings of the columns, rows of text, and how many first columns hold no numbers."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    texts: int = 1


def brief(value: float, digits: int = 4, *, whole: float = 1.0) -> str:
    """A number as `rounded` shows it, without zeros at its end.

    >>> brief(0.5), brief(1.0), brief(0.99999), brief(2.0)
    ('0.5', '1', '0.9999', '2')
    """
    return rounded(value, digits, whole=whole).rstrip("0").rstrip(".")


def number(value: Any) -> str:
    """A score to four digits, as `rounded` shows it; a count as it is.

    >>> number(2 / 3), number(19_999 / 20_000), number(12)
    ('0.6667', '0.9999', '12')
    """
    return rounded(value) if isinstance(value, float) else str(value)


def printable(text: str) -> str:
    """The text, with characters escaped that would move the cursor or break a row.

    >>> print(printable("new\\nline"))
    new\\nline
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
