"""Draws documents into resampled corpora while they are counted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from docie.core.counts import Counts
from docie.corpus.groups import OpenedPair
from docie.corpus.poisson.replicates import Replicates


class Draws:
    """Draws each document by its id; one without an id by its number.

    Args:
        replicates: where the counts of the samples are added.
        first: the number of the first document in the whole corpus. Where that is not known, a name for these
            documents, such as that of their file.
    """

    def __init__(self, replicates: Replicates, first: int | str = 0) -> None:
        self.replicates, self._first = replicates, first
        self._waiting: deque[int | str] = deque()  # documents that were read, and are not counted yet

    def watch(self, pairs: Iterable[OpenedPair]) -> Iterator[OpenedPair]:
        """Pass the pairs on, and look at their ids."""
        for number, (predicted, expected) in enumerate(pairs):
            identity = predicted.id if expected.id is None else expected.id
            self._waiting.append(self._name(number) if identity is None else identity)
            yield predicted, expected

    def _name(self, number: int) -> int | str:
        return f"{self._first}:{number}" if isinstance(self._first, str) else self._first + number

    def add_counts(self, counts: Iterable[Counts]) -> None:
        """Take the counts of the next documents."""
        each = [*counts]
        self.replicates.add([self._waiting.popleft() for _ in each], each)


def draws_of(group_by: str | None, samples: int, seed: int, first: int | str = 0) -> Draws:
    """What draws documents into new replicates.

    Raises:
        ValueError: if groups are wanted too: their documents would have to be drawn apart.
    """
    if group_by is not None:
        raise ValueError("interval 'poisson' has no intervals by group: take 'percentile' or 't' with group_by")
    return Draws(Replicates(samples, seed), first)
