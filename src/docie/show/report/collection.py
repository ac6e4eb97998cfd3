"""What a report needs of a corpus, collected in one pass: totals, and the costliest documents."""

from __future__ import annotations

import dataclasses
import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from docie.confidence import Values
from docie.confidence.values import Collector
from docie.core.counts import Counts
from docie.core.errors import errors_of_document
from docie.documents.kinds import INPUT_KINDS, input_kind_of
from docie.documents.pairs.joining import paired_rows
from docie.documents.rows import OpenedPair
from docie.metrics import kieval
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.repairs import analyse

THRESHOLDS = (0.0, *(step / 10 for step in range(1, 9)), 0.85, 0.9, *(step / 100 for step in range(92, 100)), 1.0)
"""Where the automation curve is drawn: counts at thresholds need less memory than all confidences of a corpus."""
SHOWN_THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.98, 1.0)
"""Those of them that the table shows."""


class Costly(NamedTuple):
    """A document that the report shows, with its counts. They sort by what they cost; of equal ones, earlier first."""

    cost: float
    minus_number: int
    name: str | int
    prediction: object
    reference: object
    counts: Counts


class Collection:
    """Collects from the documents of a corpus while they are scored.

    Args:
        settings (kieval.Settings): the options of KIEval.
        documents (int): how many of the costliest documents are kept.
        name_of: gives the name of a document that has no id, from its number.

    >>> collection = Collection(kieval.Settings(), documents=1)
    >>> for pair in collection.watch([{"a": "1"}, {"a": "2"}], [{"a": "1"}, {"a": "3", "b": "4"}]):
    ...     pass
    >>> [(document.name, document.cost) for document in collection.costliest()], collection.counts.documents
    ([(1, 2)], 2)
    """

    def __init__(
        self,
        settings: kieval.Settings,
        *,
        documents: int = 100,
        name_of: Callable[[int], str | int] = lambda number: number,
    ) -> None:
        self.settings, self.documents, self.name_of = settings, documents, name_of
        self.counts = Counts()
        self.taken: Counter[tuple[str, str]] = Counter()
        """From (correct type, predicted type) to the number of errors."""
        self._settings = dataclasses.replace(settings, thresholds=[*THRESHOLDS, *(settings.thresholds or ())])
        self._costliest: list[Costly] = []
        self._judged = Collector()

    def watch(self, predictions: Iterable[object], references: Iterable[object]) -> Iterator[OpenedPair]:
        """Pass the rows on in pairs, as they were read, and collect from them.

        Raises:
            DocumentError, ValueError: as `docie.corpus.evaluate`.
        """
        # each pair is read before it is passed on, so that unequal numbers and ids come to light
        rows = paired_rows(predictions, references, reading=self.settings.reading)
        for number, (predicted, expected) in enumerate(rows):
            if not number:
                check_kind(input_kind_of(expected.document))
            with errors_of_document(number):
                identity = predicted.id if expected.id is None else expected.id
                self._look(number, identity, predicted.document, expected.document)
            yield predicted, expected

    def _look(self, number: int, identity: str | None, prediction: object, reference: object) -> None:
        name = self.name_of(number) if identity is None else identity
        rows, counts, judged = analyse(prediction, reference, self._settings, name)
        self.counts += counts
        self._judged.add(judged)
        self.taken.update(filter(None, (taken_for(row, rows) for row in rows)))
        cost = len(rows) if self.settings.costs is None else kieval.score(counts)["correction_cost"]
        document = Costly(cost, -number, name, prediction, reference, counts)
        if len(self._costliest) < self.documents:
            heapq.heappush(self._costliest, document)
        elif self._costliest and document[:2] > self._costliest[0][:2]:
            heapq.heapreplace(self._costliest, document)

    def costliest(self) -> list[Costly]:
        """The costliest documents, in order."""
        return sorted(self._costliest, reverse=True)

    def automation(self) -> list[dict[str, float]]:
        """The scores after review at `THRESHOLDS`; none if no prediction has a confidence."""
        has_confidence = any(self.counts.rows.get(("with_confidence",), ()))
        return list(kieval.details(self.counts)["automation"]) if has_confidence else []

    def values(self) -> Values | None:
        """The predicted values with their confidences; None if no prediction has one."""
        values = self._judged.values()
        return values if values.has_confidence.any() else None


def check_kind(input_kind: str | None) -> None:
    """Refuse input that a report cannot show.

    Args:
        input_kind (str): one of `docie.documents.INPUT_KINDS`; None, a kind that is not known, passes.

    Raises:
        ValueError: for another kind than documents.

    >>> check_kind("tags")
    Traceback (most recent call last):
    ...
    ValueError: a report shows documents, but these are tags
    """
    if input_kind not in ("document", None):
        raise ValueError(f"a report shows documents, but these are {INPUT_KINDS[input_kind]}")


def taken_for(row: ErrorRow, rows: Iterable[ErrorRow]) -> tuple[str, str] | None:
    """Which entity type was taken for which: (the correct one, the predicted one); None unless the kind is "type".

    Args:
        row: an error.
        rows: all errors of its document.

    >>> rows = kieval.error_rows({"date": "7"}, {"due_date": "7"})
    >>> [taken_for(row, rows) for row in rows]
    [('due_date', 'date'), ('due_date', 'date')]
    """
    if row.kind != "type":
        return None
    elsewhere = str(row.elsewhere)
    is_missed_there = row.operation == "deletion" or any(
        other.entity_type == elsewhere and other.reference == row.prediction is not None for other in rows
    )
    return (elsewhere, row.entity_type) if is_missed_there else (row.entity_type, elsewhere)
