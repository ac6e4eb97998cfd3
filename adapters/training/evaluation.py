"""One evaluation: the rows of a model become documents, which are counted batch by batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from .row_check import RowCheck
from .scores import Scorer, Tally, View


class Source(Protocol):
    """The documents of an evaluation: what reads their rows, and what it reads."""

    kinds: tuple[str, ...]
    references: Sequence[Any]

    def reader(self) -> Any:
        """What reads the rows of one evaluation: it has the methods `read` and `rest`."""

    def label_reader(self) -> Any:
        """What reads their labels."""

    def document(self, number: int, content: Any) -> Any:
        """The document of what was read."""

    def prediction(self, number: int, content: Any) -> View:
        """What was read, as metrics take it."""

    def reference(self, number: int) -> View:
        """The reference, as metrics take it."""

    def nothing(self, number: int) -> Any:
        """What is read if the model finds nothing."""

    def facts(self, reader: Any) -> dict[str, float]:
        """Figures of the reading itself."""


class Evaluation:
    """One evaluation, batch by batch."""

    def __init__(self, source: Source, scorer: Scorer, check_rows: bool, *, with_ceiling: bool) -> None:
        self.source = source
        self.scorer = scorer
        self.tally = scorer.start()
        self.reader = source.reader()
        self.label_reader = source.label_reader() if check_rows else None
        self.labels = scorer.start() if check_rows and with_ceiling else None
        self.check = RowCheck()

    def read(self, predictions: Any, label_ids: Any) -> None:
        count_into(self.source, self.tally, self.reader.read(predictions, label_ids))
        if label_ids is None:
            self.labels = None
        elif self.label_reader is not None:
            self._read_labels(self.label_reader.read(label_ids, label_ids))

    def figures(self) -> dict[str, float]:
        count_into(self.source, self.tally, self.reader.rest())
        self.check.finish()
        if not self.check.compared:  # rows without labels, as of a test set
            self.labels = None
        if self.labels is not None and self.label_reader is not None:
            self._read_labels(self.label_reader.rest())
        return self.scorer.pick({**self.tally.figures(), **self.source.facts(self.reader)})

    def _read_labels(self, documents: Iterable[tuple[int, Any]]) -> None:
        for number, content in documents:
            self.check.add(number, self.source.document(number, content), self.source.reference(number)("document"))
            if self.labels is not None:
                count_into(self.source, self.labels, [(number, content)])


def tally_of(source: Source, scorer: Scorer, documents: Iterable[tuple[int, Any]]) -> Tally:
    """The tally of what was read of documents, each with its number."""
    tally = scorer.start()
    count_into(source, tally, documents)
    return tally


def count_into(source: Source, tally: Tally, documents: Iterable[tuple[int, Any]]) -> None:
    """Add what was read of documents, each with its number, to a tally."""
    for number, content in documents:
        tally.add(number, source.prediction(number, content), source.reference(number))
