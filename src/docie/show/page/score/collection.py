"""What a report needs of a corpus, collected while its documents are counted."""

from __future__ import annotations

import heapq
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import NamedTuple, cast

from docie.confidence import Values
from docie.confidence.values import Collector
from docie.core.counts import Counts
from docie.core.explanation import no_document
from docie.core.family import Family
from docie.core.values.plain import JsonObject
from docie.corpus.files import Counting
from docie.corpus.partial import Partial
from docie.diagnosis.patterns import Patterns
from docie.documents.document import Document
from docie.inputs.row import Pair, each_run
from docie.metrics import kieval
from docie.metrics.kieval.automation import rows_of_corpus
from docie.metrics.kieval.corrections import CORRECT, ErrorRow
from docie.metrics.kieval.explanation import groups_in_order
from docie.metrics.kieval.hints import Hints
from docie.metrics.kieval.pairs import Judged, judged
from docie.metrics.kieval.repairs import analyse
from docie.show.page.meta import Columns, images_of, meta_of
from docie.show.page.values import groups_of

THRESHOLDS = (0.0, *(step / 10 for step in range(1, 9)), 0.85, 0.9, *(step / 100 for step in range(92, 100)), 1.0)
"""Where the automation curve is drawn."""
SURE, MOST_SURE = 0.9, 10
"""The least confidence of an error that makes its label suspect, and how many of these a report shows."""


class Seen(NamedTuple):
    """What is seen of a document while it is counted.

    Attributes:
        rows: its errors.
        changes: what is counted beside the scores.
        reference: the document as it should be.
        judged: its predicted values.
        substituted: the confidences of those that are substitutions.
        groups: its values as JSON, as a page has them.
        equal: how many are correct that are not written as in the reference.
        places: the numbers of the values of the errors, in the order of the rows.
        problem: why its prediction counts as empty; "" if it does not.
        cost: its corrections, or what they cost.
    """

    rows: list[ErrorRow]
    changes: Counts
    reference: Document
    judged: Judged
    substituted: list[float]
    groups: str
    equal: int
    places: list[int]
    problem: str
    cost: float


def count_seen(prediction: object, reference: object, settings: kieval.Settings, hints: Hints | None = None) -> Counts:
    """Count a document as KIEval does. `listed` has what is `Seen` of it.

    >>> [seen] = count_seen({"total": "8"}, {"date": "1", "total": "9"}, kieval.Settings()).listed
    >>> print(seen.groups, [row.kind for row in seen.rows], seen.places)
    [["","","",0,[["date","1",[null,"missing"]],["total","9",["8","value"]]]]] ['value', 'missing'] [1, 0]
    """
    found = analyse(prediction, reference, settings)
    comparisons = [pair.comparison for pair in found.pairs]
    if hints is not None:
        hints.note(comparisons)
    values = groups_of(groups_in_order(prediction, reference, found.pairs, found.by_pair), settings.rules)
    numbers = {id(row): number for row, number in values.errors}
    seen = Seen(
        found.rows,
        found.changes,
        found.reference,
        judged(comparisons),
        [pair.predicted[incorrect] for pair in found.pairs if pair.predicted for incorrect, _ in pair.substituted],
        values.groups,
        values.equal,
        [numbers[id(row)] for row in found.rows],
        no_document(prediction),
        sum(row.kind not in CORRECT for row in found.rows)
        if settings.costs is None
        else kieval.score(found.scored)["correction_cost"],
    )
    found.scored.listed.append(seen)
    return found.scored


_SEEING = cast(Family, SimpleNamespace(**{**vars(kieval), "count": count_seen, "Hints": Hints}))
"""KIEval as a family whose counts list what is seen: `corpus.count` then reads, checks and counts the documents."""


class Costly(NamedTuple):
    """A document that the report shows. They sort by what they cost; of equal ones, earlier first.

    Attributes:
        cost: its corrections, or what they cost.
        minus_number: its number, below 0.
        name: its id, or its number.
        meta: what is known beside it, in the order of the columns.
        groups: its values as JSON.
        keys: of values of errors, each number followed by that of the pattern that it may belong to.
        images: the names of the images of its pages, as `meta` has them.
        problem: why its prediction counts as empty.
        errors: the numbers of its errors by kind.
    """

    cost: float
    minus_number: int
    name: str | int
    meta: list[str]
    groups: str
    keys: list[int]
    images: object
    problem: str
    errors: Mapping[str, int]


class Surest(NamedTuple):
    """An error of a high confidence, and the number of its value in the document."""

    confidence: float
    row: ErrorRow
    place: int


class Collection:
    """Collects from the documents of a corpus while they are counted, and keeps so many of the costliest ones.

    `corpus.files.count_files` counts what `watch` passes on, as `counting` says.
    """

    def __init__(self, settings: kieval.Settings, *, documents: int) -> None:
        self.settings, self.documents = settings, documents
        self.counts = Counts()
        """The counts of KIEval, and what is counted beside them: of several runs, of all answers."""
        self.patterns = Patterns()
        """What errors have in common."""
        self.columns = Columns()
        """The columns of `meta`."""
        self.in_documents: Counter[str] = Counter()
        """From an entity type to the number of documents with an error in it."""
        self.equal = 0
        """The number of correct values that are not written as in the reference."""
        self.surest: list[Surest] = []
        """The errors of the highest confidence, first of all, that no other place explains."""
        self._costliest: list[Costly] = []
        self._judged = Collector()
        self._substituted = array("d")
        self._read: deque[tuple[str | None, JsonObject]] = deque()
        self._number = 0

    @property
    def counting(self) -> Counting:
        """What counts in place of KIEval."""
        return Counting(_SEEING, self.settings, self._take)

    def watch(self, rows: Iterable[Pair]) -> Iterator[Pair]:
        """Pass the rows on, and keep what they know beside their documents, until these are counted."""
        for pair in rows:
            self._read += ((each.name, meta_of((each.reference, each.prediction))) for each in each_run([pair]))
            yield pair

    def _take(self, part: Partial) -> None:
        """Collect from documents that were counted."""
        seen: list[Seen] = part.counts.listed
        part.counts.listed = []
        self.counts += part.counts if part.runs is None else part.runs.matrix.total()
        self.counts += Counts.sum_of(each.changes for each in seen)
        for each in seen:
            name, meta = self._read.popleft()
            self._look(self._number if name is None else name, meta, each)
            self._number += 1

    def _look(self, name: str | int, meta: JsonObject, seen: Seen) -> None:
        rows = seen.rows
        keys = self.patterns.add(name, rows, seen.changes, seen.reference)
        self._judged.add(seen.judged)
        self.equal += seen.equal
        self._substituted.extend(seen.substituted)
        self.in_documents.update({row.entity_type for row in rows})
        sure = [
            Surest(row.confidence, row._replace(document=name), place)
            for row, place in zip(rows, seen.places, strict=True)
            if row.confidence is not None and row.confidence >= SURE and row.kind in ("value", "spurious")
        ]
        if sure:
            self.surest = heapq.nlargest(MOST_SURE, [*self.surest, *sure], key=lambda each: each.confidence)
        order = seen.cost, -self._number
        if len(self._costliest) == self.documents:
            if not self.documents or order < self._costliest[0][:2]:
                return
            heapq.heappop(self._costliest)
        errors = Counter[str](row.kind for row in rows)
        of_columns, images = self.columns.cells(meta), images_of(meta)
        places = [number for row, key in keys.items() for number in (seen.places[row], key)]
        kept = Costly(*order, name, of_columns, seen.groups, places, images, seen.problem, errors)
        heapq.heappush(self._costliest, kept)

    def costliest(self) -> list[Costly]:
        """The costliest documents, in order."""
        return sorted(self._costliest, key=lambda each: each[:2], reverse=True)

    def automation(self) -> list[dict[str, float]]:
        """The scores after review at `THRESHOLDS`, and at those of the settings."""
        values = self._judged.values()
        rows = rows_of_corpus(
            values.confidences,
            values.sizes,
            correct=values.correct,
            substituted=self._substituted,
            correct_documents=values.correct_documents,
            thresholds=sorted({*THRESHOLDS, *(self.settings.thresholds or ())}),
        )
        return list(kieval.details(replace(self.counts, rows=self.counts.rows | rows))["automation"])

    def values(self) -> Values | None:
        """The predicted values with their confidences; None if no prediction has one."""
        values = self._judged.values()
        return values if values.has_confidence.any() else None
