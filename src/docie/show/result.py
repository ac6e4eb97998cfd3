"""The answer to a question, which every command, call, report and page gets."""

from __future__ import annotations

import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from docie._version import __version__
from docie.show.section import Part, Section, Table, Text

if TYPE_CHECKING:  # numpy comes with it
    from docie.core.values.plain import JsonObject

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)


def _today() -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))


@dataclass(frozen=True, kw_only=True)
class Facts:
    """How a result was made.

    Attributes:
        title: what it is called.
        system, data: what the predictions and the references are called in it.
        date: the day on which it was made. SOURCE_DATE_EPOCH sets it, so that a report can be made again.
        references, predictions: where these come from; empty if it is not known.
        command: the command that made it.
        joined_by: "id" or "order".
        notes: what a reader should know, a line each.
    """

    title: str = "Extraction report"
    system: str = ""
    data: str = ""
    date: str = field(default_factory=_today)
    references: str = ""
    predictions: str = ""
    command: str = ""
    joined_by: str = ""
    notes: Sequence[str] = ()

    def lead(self, documents: str, options: Sequence[str] = ()) -> str:
        """What a report is about: the system, the data and the day, and the options that are not at their defaults.

        >>> Facts(system="hasty", data="receipts", date="2024-02-29").lead("9 documents")
        'hasty on receipts: 9 documents, scored on 2024-02-29.'
        """
        named = f"{self.system} on {self.data}: {documents}" if self.system else f"Predictions for {documents}"
        return f"{named}, scored on {self.date}{', with ' * bool(options)}{', '.join(options)}."


class Fact(NamedTuple):
    """One line of how a page was made."""

    term: str
    text: str
    is_code: bool = False


class Page(NamedTuple):
    """A page: its title, what it is about, its sections, how it was made, and when."""

    title: str
    lead: str
    sections: Sequence[Section]
    making: Sequence[Fact]
    date: str = ""


class Rows(NamedTuple):
    """Rows that are written one by one: their headings, and the cells of each."""

    title: str
    columns: Sequence[str]
    cells: Iterable[Sequence[object]]


@dataclass(frozen=True, kw_only=True)
class Result(ABC):
    """The answer to a question. `docie.write` puts it into any form; printed, it is what the command prints.

    Attributes:
        facts: how it was made.
        signature: the line that records the method.
    """

    facts: Facts
    signature: str

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know, a line each."""
        return self.facts.notes

    @abstractmethod
    def to_dict(self) -> JsonObject:
        """All of it as plain values, as `--format json` prints them."""

    @abstractmethod
    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """What there is to see on a page or, if `brief`, in a terminal, in Markdown and in LaTeX."""

    def page(self) -> Page:
        """The page of a report."""
        own = Fact("Signature", self.signature, is_code=True)
        return Page(self.facts.title, "", [*self.sections()], making_of(self.facts, own), self.facts.date)

    def tables(self) -> Iterator[Rows]:
        """The tables, for CSV and Excel. Those of a long answer are read one after the other, a row at a time."""
        for section in self.sections(brief=True):
            for part in section.parts:
                if isinstance(part, Table):
                    yield rows_of(part)

    def __str__(self) -> str:
        from docie.show.terminal import to_terminal

        return to_terminal(self.sections(brief=True))


def rows_of(table: Table) -> Rows:
    """The rows of a table, with numbers."""
    return Rows(table.title, table.columns, (_with_numbers(row, table.texts) for row in table.rows))


def _with_numbers(row: Sequence[str], texts: int) -> list[str | float]:
    """A row for a spreadsheet. Its first columns hold no numbers: an entity type may be called "2024"."""
    return [*row[:texts], *map(_plain, row[texts:])]


def _plain(cell: str) -> str | float:
    """A cell for a spreadsheet, where a number is one.

    >>> _plain("0.9660"), _plain("-27"), _plain("none")
    (0.966, -27, 'none')
    """
    if not _NUMBER.fullmatch(cell):
        return cell
    return float(cell) if "." in cell else int(cell)


def notes_of(notes: Iterable[str]) -> list[Part]:
    """What a reader should know."""
    return [Text(note, "note", "Note:") for note in notes]


def making_of(
    facts: Facts, *own: Fact, names: tuple[str, str] = ("References", "Predictions"), said: str = ""
) -> list[Fact]:
    """How a page was made: where from, what is its own, and by which program; `said` of it."""
    command = [Fact("Command", facts.command, is_code=True)] if facts.command else []
    sources = [*map(Fact, names, (facts.references, facts.predictions))] if facts.references else []
    program = Fact("Program", f"docie {__version__}. {said}The same input gives the same file on the same day.")
    return [*command, *sources, *own, program]
