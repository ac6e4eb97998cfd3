"""What all reports say alike: shares in per cent, numbers with their nouns, and how figures were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from docie.show.tables import rounded


class Share(NamedTuple):
    """A fraction between 0 and 1, with its interval where there is one."""

    value: float
    low: float | None = None
    high: float | None = None

    @property
    def text(self) -> str:
        """The fraction in per cent."""
        return f"{percent(self.value)} %"

    @property
    def interval(self) -> str:
        """The interval in per cent; empty without one."""
        return "" if self.low is None or self.high is None else f"{percent(self.low)} – {percent(self.high)} %"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """How the figures were made.

    Attributes:
        title: the title of the report.
        references, predictions: where these come from; empty if it is not known.
        command: the command that made the report.
        joined_by: "id" or "order".
        notes: what a reader should know, a line each.
    """

    title: str = "Extraction report"
    references: str = ""
    predictions: str = ""
    command: str = ""
    joined_by: str = ""
    notes: Sequence[str] = field(default=())


def percent(value: float) -> str:
    """A fraction in per cent, with one digit behind the point. Only all is 100.0, and only nothing is 0.0.

    Args:
        value (float): the fraction, between 0 and 1.

    Returns:
        str: the text, without a sign of per cent.

    >>> percent(0.96598), percent(1.0), percent(0.9999), percent(0.0001), percent(0.0)
    ('96.6', '100.0', '99.9', '0.1', '0.0')
    """
    return rounded(100 * value, 1, whole=100)


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "document"), counted(12000, "document")
    ('1 document', '12,000 documents')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
