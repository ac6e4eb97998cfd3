"""The answers of several runs of a system for one document, and their counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from docie.core.counts import Counts
from docie.corpus.matrix import Matrix
from docie.inputs.row import Row


class Answers(NamedTuple):
    """What several runs of a system read for one reference, where others have one document.

    Attributes:
        documents: the document of each run.
        runs: their names.
    """

    documents: tuple[object, ...]
    runs: tuple[str, ...]


def answers_of(row: Row) -> object:
    """What was read: a document or, of several runs, `Answers`."""
    return Answers(*zip(*((each.document, each.run) for each in row.runs), strict=True)) if row.runs else row.document


def counts_of(count: Callable[..., Counts], read: object, *others: object) -> list[Counts]:
    """The counts of each answer.

    Args:
        count: counts one document, which is its first argument.
        read: what `answers_of` gives.
        *others: the further arguments.
    """
    return [count(each, *others) for each in (read.documents if type(read) is Answers else (read,))]


class Runs:
    """The counts of each answer.

    Attributes:
        matrix: a row for each answer: those for a document follow each other.
        names: the runs that have answered, for each document.

    >>> runs = Runs()
    >>> for right in ([1, 0], [1, 1], [0, 1]):
    ...     runs.add(Answers(({}, {}), ("a", "b")), [Counts(1, 0, {("right",): [each]}) for each in right])
    >>> runs.least, runs.most, len(runs)
    (2, 2, 3)
    """

    def __init__(self) -> None:
        self.matrix, self.names = Matrix(), list[tuple[str, ...]]()

    def __len__(self) -> int:
        """The number of documents."""
        return len(self.names)

    @property
    def least(self) -> int:
        """The smallest number of answers for a document."""
        return min(map(len, self.names), default=0)

    @property
    def most(self) -> int:
        """The largest number of answers for a document."""
        return max(map(len, self.names), default=0)

    def add(self, read: object, answers: Sequence[Counts]) -> None:
        """Add the answers for a document: what `answers_of` gives, and the counts of each."""
        self.matrix.extend(answers)
        self.names.append(read.runs if type(read) is Answers else ("",))

    def __iadd__(self, other: Runs) -> Runs:
        self.matrix += other.matrix
        self.names += other.names
        return self

    def of(self, documents: Iterable[int]) -> Runs:
        """The answers for some documents, by their numbers."""
        ends, found, rows = [0, *accumulate(map(len, self.names))], Runs(), list[int]()
        for each in documents:
            found.names.append(self.names[each])
            rows += range(ends[each], ends[each + 1])
        found.matrix = self.matrix.of(np.array(rows, dtype=np.int64))
        return found
