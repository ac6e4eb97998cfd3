"""A table of texts, and how numbers and names stand in it."""

from __future__ import annotations

from typing import Any, NamedTuple


class Table(NamedTuple):
    """A title, the headings of the columns, rows of text, and how many first columns hold no numbers."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    texts: int = 1


def number(value: Any) -> str:
    """A score to four digits, a count as it is.

    >>> number(2 / 3), number(12)
    ('0.6667', '12')
    """
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def printable(text: str) -> str:
    """The text, with characters escaped that would move the cursor or break a row.

    >>> print(printable("new\\nline"))
    new\\nline
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
