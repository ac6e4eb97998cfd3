"""The predictions of several systems for the same documents, counted: rows of one matrix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.core.counts import Counts
from docie.core.errors import DocumentError, errors_of_document, errors_of_system
from docie.corpus.clusters.units import Clusters, Labels, Units
from docie.corpus.counting import count_rows, with_progress_bar
from docie.corpus.method import Method
from docie.corpus.partial import Partial
from docie.corpus.stack import Stack
from docie.documents.values import has_values
from docie.inputs.row import Pair
from docie.inputs.sources.python import check_lengths, sequence_of


class Systems:
    """Counts systems one after the other, and finds which documents belong together.

    Args:
        method: how documents are counted.
        references: the references, the same for all systems.
        clusters: which documents are swapped together.
        workers, progress, max_seconds: as in `corpus.evaluate`.

    Attributes:
        totals: from the name of each system to its counts.
        documents: the id of each document, or its number.
        empty: from the name of each system to the positions of the documents for which it gave no value at all.
        labels: which documents belong together.
    """

    def __init__(
        self,
        method: Method,
        references: Iterable[object],
        clusters: Clusters = None,
        *,
        workers: int = 1,
        progress: bool = False,
        max_seconds: float | None = None,
    ) -> None:
        self.references = list(sequence_of("references", references))
        self.totals: dict[str, Counts] = {}
        self.empty: dict[str, set[int]] = {}
        self._method = method
        self._workers, self._progress, self._max_seconds = workers, progress, max_seconds
        self._stack = Stack()
        self._ids: list[str | None] = [None] * len(self.references)
        self.labels = Labels(clusters)
        self.labels.check_given(len(self.references))

    @property
    def documents(self) -> list[str | int]:
        return [number if identity is None else identity for number, identity in enumerate(self._ids)]

    def add(self, name: str, predictions: Iterable[object]) -> None:
        """Count the predictions of a system.

        Raises:
            DocumentError: if a document cannot be scored or takes too long, or if its id differs from that of the
                reference or of an earlier system; the error has the name of the system.
            ValueError: if there are more or fewer predictions than references.
        """
        family = self._method.family
        with errors_of_system(name):
            if isinstance(predictions, Sized):
                check_lengths(len(predictions), len(self.references))
            rows = self._method.of_system(name).pairs(predictions, self.references)
            if self._progress:
                rows = with_progress_bar(rows, len(self.references))
            stack = Stack()
            partial = Partial(documents=stack)
            count_rows(
                self._method,
                self._checked(rows, self.empty.setdefault(name, set())),
                partial,
                workers=self._workers,
                max_seconds=self._max_seconds,
            )
            partial.check()
            if not self.totals:
                self.labels.close()
                self.labels.check()
        self.totals[name] = partial.counts
        self._stack.add(stack)
        partial.warn(family, system=name)

    def _checked(self, pairs: Iterable[Pair], empty: set[int]) -> Iterator[Pair]:
        """Pass the pairs on, check their ids and clusters, and note the empty predictions."""
        for number, pair in enumerate(pairs):
            (predicted, expected), identity = pair, pair.id
            with errors_of_document(number, pair.places):
                known = self._ids[number]
                if None not in (known, identity) and known != identity:
                    raise DocumentError(f"its id is {identity!r}, and {known!r} in other systems; sort all by id")
                if not self.totals:
                    self.labels.note(predicted, expected)
            self._ids[number] = known if identity is None else identity
            if predicted.document is not None and not has_values(predicted.document):  # None could not be read
                empty.add(number)
            yield pair

    def rows(self) -> Rows:
        """The counts of all systems."""
        matrix, column_of = self._stack.matrix()
        units = self.labels.units()
        return Rows(self._stack, matrix.astype(np.float64), column_of, [*self.totals], units)


class Rows:
    """The counts of systems: a row for each document, a column for each number.

    Attributes:
        units: the number of units: clusters, or documents if there are no clusters.
    """

    def __init__(self, stack: Stack, matrix: csr_matrix, column_of: list[int], names: list[str], units: Units) -> None:
        self._stack, self._matrix, self._column_of = stack, matrix, column_of
        self._start = {name: number * len(units) for number, name in enumerate(names)}
        self._unit_of = units
        self.units = len(set(units.tolist()))

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of documents of each unit."""
        return np.bincount(self._unit_of)

    def names(self, documents: Sequence[str | int]) -> dict[int, str]:
        """The names of units in messages: a document, or a cluster by its first document."""
        first = {unit: place for place, unit in reversed([*enumerate(self._unit_of.tolist())])}
        kinds = ["document" if size == 1 else "the cluster of document" for size in self.sizes.tolist()]
        return {unit: f"{kinds[unit]} {documents[place]!r}" for unit, place in first.items()}

    def of_documents(self, name: str) -> csr_matrix:
        """The rows of a system's documents, as a sparse matrix."""
        start = self._start[name]
        return self._matrix[start : start + len(self._unit_of)]

    def of_units(self, name: str) -> csr_matrix:
        """The sums over the documents of each unit, as a sparse matrix."""
        size = len(self._unit_of)
        member = csr_matrix((np.ones(size), (self._unit_of, np.arange(size))), shape=(self.units, size))
        return (member @ self.of_documents(name)).tocsr()

    def counts(self, sums: NDArray[np.float64]) -> Counts:
        """Sums of rows as counts whose numbers are arrays."""
        return self._stack.counts_of(sums, self._column_of)


def read_systems(
    method: Method, predictions: Mapping[str, Iterable[object]], references: Iterable[object]
) -> tuple[Mapping[str, Iterable[object]], Iterable[object]]:
    """The rows of systems and their references, as the method reads them; without a reading, as they are.

    Raises:
        DocumentError, ValueError: for rows that cannot be read or joined, with the name of the system.
    """
    references = sequence_of("references", references, method.reading.references)
    given = {}
    for name, rows in predictions.items():
        with errors_of_system(name):
            given[name] = sequence_of("predictions", rows, method.of_system(name).reading.predictions)
    if method.reading.is_plain and not method.reading.systems:
        return given, references
    expected, pairs = list(references), dict[str, list[Pair]]()
    for name, rows in given.items():
        with errors_of_system(name):
            pairs[name] = list(method.of_system(name).pairs(rows, expected))
    return of_all_systems(pairs)


def of_all_systems(pairs: Mapping[str, list[Any]]) -> tuple[dict[str, list[Any]], list[Any]]:
    """The predictions of systems and their references: of the documents that all systems have.

    Raises:
        ValueError: if there are none.
    """
    each = list(pairs.values())
    ids = [[expected.id for _, expected in rows] for rows in each]
    is_by_order = any(None in own for own in ids) and len(set(map(len, ids))) == 1
    if not is_by_order and any(others != ids[0] for others in ids):
        common = set(ids[0]).intersection(*ids)
        if not common:
            raise ValueError("no id is in the predictions of all systems")
        each = [[pair for pair in rows if pair[1].id in common] for rows in each]
    predictions = {name: [predicted for predicted, _ in rows] for name, rows in zip(pairs, each, strict=True)}
    return predictions, [expected for _, expected in each[0]]
