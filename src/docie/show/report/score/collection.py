"""What a report needs of a corpus, collected in one pass: totals, and the costliest documents."""

from __future__ import annotations

import dataclasses
import heapq
import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from docie.confidence import Values
from docie.confidence.values import Collector
from docie.core.counts import Counts
from docie.core.errors import errors_of_document
from docie.corpus.method import Method
from docie.diagnosis.patterns import Patterns
from docie.inputs.config import Config
from docie.inputs.row import Pair
from docie.metrics import kieval
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.pairs import judged
from docie.metrics.kieval.repairs import analyse

SHOWN_DOCUMENTS = 20_000
"""The documents that a report shows, unless another number is asked for: 15 MB of receipts."""
THRESHOLDS = (0.0, *(step / 10 for step in range(1, 9)), 0.85, 0.9, *(step / 100 for step in range(92, 100)), 1.0)
"""Where the automation curve is drawn: counts at thresholds need less memory than all confidences of a corpus."""
SURE, MOST_SURE = 0.9, 10
"""The least confidence of an error that makes its label suspect, and how many of these a report shows."""
SHOWN_THRESHOLDS = (0.0, 0.5, 0.7, 0.8, 0.9, 0.98, 1.0)
"""Those of them that the table shows."""


class Contents(NamedTuple):
    """A prediction, its reference, their counts, and the names of the images of the pages, as `meta` has them."""

    prediction: object
    reference: object
    counts: Counts
    images: object


class Costly(NamedTuple):
    """A document that the report shows. They sort by what they cost; of equal ones, earlier first."""

    cost: float
    minus_number: int
    name: str | int
    contents: bytes

    def opened(self) -> Contents:
        """What it holds. Twenty thousand documents stay small because they are kept as bytes."""
        found: Contents = pickle.loads(self.contents)
        return found


class Collection:
    """Collects from the documents of a corpus while they are scored, and keeps so many of the costliest ones.

    `name_of` gives the name of a document that has no id, from its number.

    >>> collection = Collection(kieval.Settings(), documents=1)
    >>> for pair in collection.watch([{"a": "1"}, {"a": "2"}], [{"a": "1"}, {"a": "3", "b": "4"}]):
    ...     pass
    >>> [(document.name, document.cost) for document in collection.costliest()], collection.counts.documents
    ([(1, 2)], 2)
    """

    def __init__(self, settings: kieval.Settings, *, documents: int = SHOWN_DOCUMENTS) -> None:
        self.settings, self.documents = settings, documents
        self.counts = Counts()
        self.patterns = Patterns()
        """What errors have in common."""
        self.taken: Counter[tuple[str, str]] = Counter()
        """From (correct type, predicted type) to the number of errors."""
        self.surest: list[ErrorRow] = []
        """The errors of the highest confidence, first of all, that no other place explains."""
        self._settings = dataclasses.replace(settings, thresholds=[*THRESHOLDS, *(settings.thresholds or ())])
        self._costliest: list[Costly] = []
        self._judged = Collector()

    def watch(
        self,
        predictions: Iterable[object],
        references: Iterable[object],
        config: Config = None,
    ) -> Iterator[Pair]:
        """Pass the rows on in pairs, as they were read, and collect from them."""
        # each pair is read before it is passed on, so that unequal numbers and ids come to light
        rows = Method.of(kieval, self.settings, config).pairs(predictions, references)
        for number, pair in enumerate(rows):
            with errors_of_document(number, pair.places):
                self._look(number, pair)
            yield pair

    def _look(self, number: int, pair: Pair) -> None:
        predicted, expected = pair
        prediction, reference = predicted.document, expected.document
        name = number if pair.id is None else pair.id
        rows, counts, parsed, comparisons = analyse(prediction, reference, self._settings, name)
        self.counts += counts
        self.patterns.add(name, rows, counts, parsed)
        self._judged.add(judged(comparisons))
        sure = (row for row in rows if row.kind in ("value", "spurious") and (row.confidence or 0) >= SURE)
        self.surest = heapq.nlargest(MOST_SURE, [*self.surest, *sure], key=lambda row: row.confidence or 0)
        self.taken.update(filter(None, (taken_for(row, rows) for row in rows)))
        cost = len(rows) if self.settings.costs is None else kieval.score(counts)["correction_cost"]
        if len(self._costliest) == self.documents:
            if not self.documents or (cost, -number) < self._costliest[0][:2]:
                return
            heapq.heappop(self._costliest)
        metas = (row.meta for row in (expected, predicted) if isinstance(row.meta, Mapping))
        images = next((meta["image"] for meta in metas if meta.get("image") is not None), None)
        contents = pickle.dumps(Contents(prediction, reference, counts, images))
        heapq.heappush(self._costliest, Costly(cost, -number, name, contents))

    def costliest(self) -> list[Costly]:
        """The costliest documents, in order."""
        return sorted(self._costliest, reverse=True)

    def automation(self) -> list[dict[str, float]]:
        """The scores after review at `THRESHOLDS`; none of no documents."""
        return list(kieval.details(self.counts).get("automation", ()))

    def values(self) -> Values | None:
        """The predicted values with their confidences; None if no prediction has one."""
        values = self._judged.values()
        return values if values.has_confidence.any() else None


def taken_for(row: ErrorRow, rows: Iterable[ErrorRow]) -> tuple[str, str] | None:
    """Which entity type was taken for which: (the correct one, the predicted one); None unless the kind is "type".

    >>> rows = kieval.error_rows({"date": "7"}, {"due_date": "7"})
    >>> [taken_for(row, rows) for row in rows]
    [('due_date', 'date'), ('due_date', 'date')]
    """
    if row.kind != "type":
        return None
    elsewhere = str(row.elsewhere)
    is_missing_there = row.operation == "deletion" or any(
        other.entity_type == elsewhere and other.reference == row.prediction is not None for other in rows
    )
    return (elsewhere, row.entity_type) if is_missing_there else (row.entity_type, elsewhere)
