"""The documents of a comparison: read a second time, all systems in step, and aligned one by one."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from docie.core.errors import errors_of_document
from docie.core.explanation import no_document
from docie.inputs.row import Pair
from docie.metrics import kieval
from docie.metrics.kieval.evidence.sides import Side
from docie.show.page.comparison.aligned import aligned, is_right, is_suspect
from docie.show.page.data import document_text, numbered, text_of, unique_names
from docie.show.page.meta import Columns, meta_of
from docie.show.page.values import compared_values


class Found(NamedTuple):
    """A document that is shown. They sort by what they move in the scores, then by corrections; of equal ones, earlier
    first.

    Attributes:
        moved: how many documents move the scores less.
        most_corrections: the corrections of the system that has most.
        minus_number: its number, below 0.
        name: its id, or its number.
        meta: what is known beside it, in the order of the columns.
        groups: its values as JSON.
        problems: from each system whose prediction counts as empty to the reason.
        corrections: those of each system.
    """

    moved: int
    most_corrections: int
    minus_number: int
    name: str | int
    meta: list[str]
    groups: str
    problems: Mapping[str, str]
    corrections: list[int]

    def text(self, name: str) -> bytes:
        """The document as a page has it, under a name of its own."""
        more = numbered(self.name) | ({"problems": self.problems} if self.problems else {})
        return document_text(name, self.meta, self.groups, more)


class Suspected(NamedTuple):
    """A value on which all systems agree against the reference: its document, its number in it, and what is said."""

    document: str | int
    minus_number: int
    value: int
    field: str
    reference: str | None
    agreed: str


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What a report shows of documents.

    Attributes:
        systems: their names; the first is the baseline.
        read: reads the answers of all systems to each document.
        settings: the options of KIEval, with which documents are shown.
        most: the number of documents to show.
    """

    systems: Sequence[str]
    read: Callable[[], Iterable[Sequence[Pair]]]
    settings: kieval.Settings
    most: int

    def collected(self, moved: Iterable[str | int]) -> Collection:
        """All documents, aligned: those that move the scores most come first."""
        found = Collection(self, moved)
        for pairs in self.read():
            found.add(pairs)
        return found


class Collection:
    """Collects from documents while they are aligned, and keeps so many of them.

    Attributes:
        number: how many documents were aligned.
        columns: the columns of `meta`.
        worse, better: for each system, in how many values it is worse than the first, and better.
        suspects: the values on which all systems agree against the reference.
    """

    def __init__(self, shown: Shown, moved: Iterable[str | int]) -> None:
        self.number = 0
        self.columns = Columns()
        self.worse, self.better = ([0] * len(shown.systems) for _ in range(2))
        self.suspects: list[Suspected] = []
        self._shown, order = shown, [*moved]
        self._moved = {name: len(order) - place for place, name in enumerate(order)}
        self._kept: list[Found] = []

    def add(self, pairs: Sequence[Pair]) -> None:
        """Align the answers to a document, and keep it unless others come first."""
        number, self.number = self.number, self.number + 1
        name = next((pair.id for pair in pairs if pair.id is not None), number)
        groups = aligned([*self._answers(number, pairs)])
        corrections = self._counted(name, number, [(group[1], pair) for group in groups for pair in group[4]])
        order = self._moved.get(name, 0), max(corrections), -number
        if len(self._kept) == self._shown.most:
            if not self._kept or order < self._kept[0][:3]:
                return
            heapq.heappop(self._kept)
        said = zip(self._shown.systems, (no_document(predicted.document) for predicted, _ in pairs), strict=True)
        problems = {system: problem for system, problem in said if problem}
        rows = [pairs[0].reference, *(pair.prediction for pair in pairs)]
        found = Found(*order, name, self.columns.cells(meta_of(rows)), text_of(groups), problems, corrections)
        heapq.heappush(self._kept, found)

    def _answers(self, number: int, pairs: Iterable[Pair]) -> Iterator[list[Any]]:
        """The groups of each system."""
        settings, reference, expected = self._shown.settings, None, None
        for pair in pairs:
            prediction = pair.prediction.document
            with errors_of_document(number, pair.places):
                if expected is None or pair.reference.document != reference:  # most systems have the same, read once
                    reference = pair.reference.document
                    expected = Side(reference, "reference", settings)
                sides = Side(prediction, "prediction", settings), expected
                yield json.loads(compared_values((prediction, reference), sides, settings).groups)

    def _counted(self, name: str | int, number: int, pairs: Iterable[tuple[str, Any]]) -> list[int]:
        """Count what is worse and better, note suspects, and give the number of corrections of each system."""
        systems = len(self._shown.systems)
        corrections = [0] * systems
        for value, (kind, pair) in enumerate(pairs):
            wrong = [column for column, answer in enumerate(pair[2:]) if not is_right(answer)]
            for column in wrong:
                corrections[column] += 1
            if wrong and wrong[0]:
                for column in wrong:
                    self.worse[column] += 1
            elif wrong and len(wrong) < systems:
                for column in {*range(systems)}.difference(wrong):
                    self.better[column] += 1
            elif wrong and is_suspect(pair, systems):
                field = f"{kind}.{pair[0]}" if kind else pair[0]
                self.suspects.append(Suspected(name, -number, value, field, pair[1], pair[2][0]))
                pair[2][2:] = [{**(pair[2][2] if len(pair[2]) > 2 else {}), "f": 1}]
        return corrections

    def documents(self) -> dict[str, Found]:
        """The documents that are kept, in order, by names of their own."""
        documents = sorted(self._kept, reverse=True)
        return dict(zip(unique_names(str(each.name) for each in documents), documents, strict=True))
