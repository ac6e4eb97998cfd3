"""The predictions of several systems for the same documents, counted: rows of one matrix."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import isclose
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from docie.core.counts import Counts, Key
from docie.core.errors import DocumentError, errors_of_document
from docie.corpus.clusters.units import Clusters, Labels, Units
from docie.corpus.counting import count_rows
from docie.corpus.figures import made_up
from docie.corpus.matrix import Columns, Matrix
from docie.corpus.method import Method
from docie.corpus.partial import Partial
from docie.corpus.progress import with_progress_bar
from docie.corpus.runs.answers import Runs
from docie.documents.values import has_values
from docie.inputs.row import Pair


class Systems:
    """Counts systems one after the other, and keeps their counts, not their documents.

    Errors and warnings are of all documents of a system, also of those that others do not have.

    Args:
        method: how documents are counted.
        clusters: which documents are swapped together.
        workers, progress, max_seconds: as in `corpus.evaluate`.

    Attributes:
        totals: from the name of each system to its counts.
        documents: the id of each document, or its number.
        empty: from the name of each system to the positions of the documents for which it gave no value at all.
        labels: which documents belong together.
        runs: from the name of each system to its answers, where documents may have several.
    """

    def __init__(
        self,
        method: Method,
        clusters: Clusters = None,
        *,
        workers: int = 1,
        progress: bool = False,
        max_seconds: float | None = None,
    ) -> None:
        self.totals: dict[str, Counts] = {}
        self.empty: dict[str, set[int]] = {}
        self.labels = Labels(clusters)
        self._method = method
        self._workers, self._progress, self._max_seconds = workers, progress, max_seconds
        self.runs: dict[str, Runs] = {}
        self._matrices: dict[str, Matrix] = {}
        self._ids: list[str | None] = []
        self._joined: dict[str, list[str | None]] = {}  # the ids of the references of each system

    @property
    def documents(self) -> list[str | int]:
        return [number if identity is None else identity for number, identity in enumerate(self._ids)]

    def add(self, name: str, pairs: Iterable[Pair], number: int | None = None) -> None:
        """Count the predictions of a system, with their references; `number`: how many there are, if that is known.

        Raises:
            DocumentError: if a document cannot be scored or takes too long, or if its id differs from that of an
                earlier system.
        """
        if self._progress:
            pairs = with_progress_bar(pairs, number, f"scoring {name}")
        partial = Partial(documents=(matrix := Matrix()))
        empty, joined = set[int](), list[str | None]()
        rows = self._checked(pairs, empty, joined)
        count_rows(self._method, rows, partial, workers=self._workers, max_seconds=self._max_seconds)
        partial.check()
        if not self.totals:
            self.labels.check()
        first = next(iter(self._joined.values()), joined)
        self._joined[name] = first if joined == first else joined
        self.totals[name], self.empty[name], self._matrices[name] = partial.counts, empty, matrix
        if partial.runs is not None:
            self.runs[name] = partial.runs
        partial.warn(self._method.family, system=name)

    def _checked(self, pairs: Iterable[Pair], empty: set[int], joined: list[str | None]) -> Iterator[Pair]:
        """Pass the pairs on, check their ids and clusters, and note the empty predictions and the ids."""
        is_first = not self.totals
        for number, pair in enumerate(pairs):
            (predicted, expected), identity = pair, pair.id
            with errors_of_document(number, pair.places):
                if is_first:
                    self._ids.append(identity)
                    self.labels.note(predicted, expected)
                elif expected.id is None:  # with ids on both sides, each system may leave out others
                    known = self._ids[number]
                    if None not in (known, identity) and known != identity:
                        raise DocumentError(f"its id is {identity!r}, and {known!r} in other systems; sort all by id")
                    self._ids[number] = known if identity is None else identity
            read = [row.document for row in predicted.answers]
            if None not in read and not any(map(has_values, read)):  # None could not be read
                empty.add(number)
            joined.append(expected.id)
            yield pair

    def close(self) -> None:
        """Leave out the documents that not all systems have, once all systems were counted.

        Raises:
            ValueError: if there are none, or if clusters have other numbers of labels.
        """
        if (places := places_of_common(self._joined)) is not None:
            first = next(iter(self._joined))
            self._ids, self.labels = [self._ids[place] for place in places[first]], self.labels.of(places[first])
            for name, own in places.items():
                self._matrices[name] = self._matrices[name].of(np.array(own))
                self.totals[name] = self._matrices[name].total()
                self.runs |= {name: self.runs[name].of(own)} if name in self.runs else {}
                self.empty[name] = {place for place, own_place in enumerate(own) if own_place in self.empty[name]}
        self.labels.close()

    @cached_property
    def matrix(self) -> Matrix:
        """The counts of all systems, one after the other."""
        matrix = Matrix()
        for name in self.totals:
            matrix += self._matrices.pop(name)
        return matrix

    def rows(self, figures_of: Callable[[Counts], Mapping[Any, Any]] | None = None) -> Rows:
        """The counts of all systems; of rows that these scores add up in any case, only the sum."""
        merged = {} if figures_of is None else mergeable(figures_of, self.totals.values())
        return Rows(self.matrix.columns(merged), [*self.totals], self.labels.units())


def mergeable(figures_of: Callable[[Counts], Mapping[Any, Any]], totals: Iterable[Counts]) -> dict[Key, Key]:
    """The keys of rows that scores need only together with others, such as entity types in a micro average.

    Where the sum of all rows of a table gives made-up counts the same scores, the scores are made of sums.

    Args:
        figures_of: computes the scores from counts.
        totals: counts with all rows.

    Returns:
        From each such key to the one that may stand for them.

    >>> from docie import kieval
    >>> total = kieval.count({"a": "1", "b": "2"}, {"a": "1"})
    >>> mergeable(lambda counts: {"f1": kieval.score(counts)["entity_f1"]}, [total])
    {('entity', None, 'b'): ('entity', None, 'a')}
    >>> mergeable(kieval.score, [total])  # the macro average needs all
    {}
    """
    counts = made_up(Counts.sum_of(totals))
    expected, merged = figures_of(counts), dict[Key, Key]()
    tables: dict[tuple[Any, ...], list[Key]] = {}
    for key in sorted(counts.rows, key=repr):
        tables.setdefault((key[0], *(part is None for part in key[1:])), []).append(key)
    for first, *others in tables.values():
        proposed = merged | dict.fromkeys(others, first)
        rows: dict[Key, list[Any]] = {}
        for key, numbers in counts.rows.items():
            known = rows.get(to := proposed.get(key, key))
            rows[to] = numbers if known is None else [one + other for one, other in zip(known, numbers, strict=True)]
        try:
            found = figures_of(Counts(counts.documents, counts.invalid_predictions, rows))
        except (KeyError, ValueError):  # a score asks for one of these rows
            continue
        if found.keys() == expected.keys() and all(isclose(found[name], expected[name]) for name in found):
            merged = proposed
    return merged


class Rows:
    """The counts of systems: a row for each document, a column for each number.

    Attributes:
        columns: the rows of the documents of all systems.
        units: the number of units: clusters, or documents if there are no clusters.
    """

    def __init__(self, columns: Columns, names: Sequence[str], unit_of: Units) -> None:
        self.columns = columns
        self._place, self._unit_of = {name: number for number, name in enumerate(names)}, unit_of
        self.units = len(set(unit_of.tolist()))

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
        start = self._place[name] * len(self._unit_of)
        return self.columns.rows[start : start + len(self._unit_of)].astype(np.float64)

    def of_units(self, name: str) -> csr_matrix:
        """The sums over the documents of each unit, as a sparse matrix."""
        size = len(self._unit_of)
        if self.units == size:
            return self.of_documents(name)
        member = csr_matrix((np.ones(size), (self._unit_of, np.arange(size))), shape=(self.units, size))
        return (member @ self.of_documents(name)).tocsr()


def places_of_common(ids: Mapping[str, list[str | None]]) -> dict[str, list[int]] | None:
    """The positions of the documents that all systems have, for each system; None if all have the same.

    Args:
        ids: from the name of each system to the ids of its references, which are None where rows have none.

    Raises:
        ValueError: if no document is there in all.

    >>> places_of_common({"a": ["r-1", "r-2"], "b": ["r-2", "r-3"]})
    {'a': [1], 'b': [0]}
    """
    first, *others = ids.values()
    if all(other == first for other in others) or any(None in own for own in ids.values()):
        return None
    common = set(first).intersection(*others)
    if not common:
        raise ValueError("no id is in the predictions of all systems")
    return {name: [place for place, each in enumerate(own) if each in common] for name, own in ids.items()}


def of_all_systems(
    pairs: Mapping[str, Iterable[Pair]], ids: Mapping[str, list[str | None]]
) -> Iterator[tuple[Pair, ...]]:
    """The pairs of all systems in step: of the documents that all have.

    Args:
        pairs: from the name of each system to its pairs.
        ids: as in `places_of_common`.

    Raises:
        ValueError: if there are none.
    """
    places = places_of_common(ids)
    kept = pairs.values() if places is None else (_at(rows, {*places[name]}) for name, rows in pairs.items())
    yield from zip(*kept, strict=True)


def _at(rows: Iterable[Pair], places: Collection[int]) -> Iterator[Pair]:
    return (pair for place, pair in enumerate(rows) if place in places)
