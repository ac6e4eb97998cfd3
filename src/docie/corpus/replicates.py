"""The Poisson bootstrap: counts of resampled corpora, which can be added exactly and in any order.

A bootstrap draws n of n documents with replacement, so it must know n. The Poisson bootstrap draws each document a
number of times that follows a Poisson distribution with mean 1, independently of all others (Oza and Russell, 2001;
Chamandy et al., Google, 2012). The number comes from a hash, so it is the same wherever and in whatever order documents
are counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Counts, Key
from docie.core.errors import shortened
from docie.core.settings import check_whole
from docie.core.values.plain import JsonObject
from docie.corpus.stack import Stack

PARTS = 2**30
"""Floats are split into a whole number and parts of this size: such sums do not depend on their order."""
MOST_NUMBERS = 200_000_000
"""The largest number of values in replicates: 1.6 GB."""

_OF_65536 = (24109, 24110, 12055, 4018, 1004, 201, 33, 5, 1)
"""How many of 65,536 equally likely numbers stand for 0, 1, 2, ...: Poisson probabilities, with mean exactly 1."""
_TABLE = np.repeat(np.arange(len(_OF_65536), dtype=np.uint8), _OF_65536)

Sums = dict[Key, NDArray[np.int64]]
"""From the key of a row to its values in each sample: a row for each column of the counts."""
_OF_CORPUS: Key = ("",)
"""The key for the numbers of documents and of invalid predictions."""


@dataclass(slots=True)
class Replicates:
    """The counts of a part of a corpus, and of the same part resampled many times.

    Attributes:
        samples: the number of resampled corpora.
        seed: the seed of the draws.
        first: the number of the first document in the whole corpus; or, if it is unknown, a name for these documents,
            such as that of their file.
        whole: the sums of each sample, rounded down document by document.
        rest: the remainders of the rounding, in parts of `PARTS`; empty for counts of whole numbers.
        numbered: the numbers of the documents without an id, as ranges [first, end).
    """

    samples: int
    seed: int
    first: int | str = 0
    whole: Sums = field(default_factory=dict)
    rest: Sums = field(default_factory=dict)
    numbered: list[list[int]] = field(default_factory=list)

    def add(self, documents: Sequence[int | str], counts: Sequence[Counts]) -> None:
        """Add documents.

        Args:
            documents: the id of each document, or its number, counted from `first`. It determines the samples into
                which the document is drawn, so documents with the same id are drawn together.
            counts: the counts of each document.

        Raises:
            ValueError: if a number was added before, or if there are more names than memory holds.

        >>> replicates = Replicates(samples=100, seed=0)
        >>> replicates.add([0, 1], [Counts(1, 0, {("right",): [3]}), Counts(1, 0, {("right",): [5]})])
        >>> replicates.whole["right",].shape
        (1, 100)
        """
        documents = [self._name(document) for document in documents]
        numbers = [document for document in documents if isinstance(document, int)]
        self.numbered = _merged([*self.numbered, *([number, number + 1] for number in numbers)])
        stack = Stack()
        stack.extend(counts)
        matrix, column_of = stack.matrix()
        drawn = weights(documents, samples=self.samples, seed=self.seed)
        floor = matrix.astype(np.float64).floor()
        rest = ((matrix - floor) * PARTS).rint()
        for sums, part in ((self.whole, floor), (self.rest, rest)):
            if part is floor or part.count_nonzero():
                of_part = np.asarray(part.T @ drawn).T.astype(np.int64)
                _add(sums, _rows(stack.counts_of(of_part, column_of)))
        self._check_size()

    def _name(self, document: int | str) -> int | str:
        if isinstance(document, str):
            return document
        return f"{self.first}:{document}" if isinstance(self.first, str) else self.first + document

    def empty(self) -> Replicates:
        """Empty replicates, drawn in the same way."""
        return Replicates(self.samples, self.seed, self.first)

    def __iadd__(self, other: Replicates) -> Replicates:
        if (other.samples, other.seed) != (self.samples, self.seed):
            raise ValueError(
                f"cannot add {other.samples} samples of seed {other.seed} to {self.samples} of seed {self.seed}"
            )
        self.numbered = _merged([*self.numbered, *other.numbered])
        _add(self.whole, other.whole)
        _add(self.rest, other.rest)
        self._check_size()
        return self

    def _check_size(self) -> None:
        if self.samples * sum(map(len, self.whole.values())) > MOST_NUMBERS:
            raise ValueError(
                f"{self.samples:,} samples of the counts of {len(self.whole):,} names do not fit into memory; "
                "use fewer samples, or score fewer entity types (ontology)"
            )

    def sums(self, counts: Counts) -> Counts:
        """The counts of the samples, as arrays, each scaled to the number of documents. Empty samples are left out.

        If all are empty, the result is the counts of the corpus.

        Args:
            counts: the counts of the corpus.
        """
        documents = self.whole.get(_OF_CORPUS, np.zeros((2, self.samples)))[0]
        is_there = documents > 0
        if not is_there.any():
            return counts
        scale = counts.documents / documents[is_there]
        rows: dict[Key, list[NDArray[np.float64]]] = {}
        for key, whole in self.whole.items():
            total = whole + self.rest[key] / PARTS if key in self.rest else whole
            rows[key] = [numbers[is_there] * scale for numbers in total]
        documents, invalid = rows[_OF_CORPUS]
        # sorted: scaled numbers are not whole, so their sums depend on the order
        return Counts(documents, invalid, {key: rows[key] for key in sorted(counts.rows, key=repr)})

    def to_json(self) -> JsonObject:
        """Plain JSON values, for `from_json`."""
        return {
            "samples": self.samples,
            "seed": self.seed,
            **{
                name: [[list(key), numbers.tolist()] for key, numbers in sums.items()]
                for name, sums in (("whole", self.whole), ("rest", self.rest))
            },
            "numbered": self.numbered,
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> Replicates:
        """The replicates that `to_json` wrote.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        try:
            samples, seed = int(value["samples"]), int(value["seed"])
            whole, rest = (
                {tuple(key): _numbers(rows, samples) for key, rows in value[name]} for name in ("whole", "rest")
            )
            numbered = _merged([[int(first), int(end)] for first, end in value["numbered"]])
            return cls(samples, seed, 0, whole, rest, numbered)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError):
            raise ValueError(f"expected the JSON of replicates, got {shortened(value)}") from None


def _numbers(rows: object, samples: int) -> NDArray[np.int64]:
    numbers = np.array(rows)
    if numbers.shape[1:] != (samples,) or numbers.dtype != np.int64:
        raise ValueError(rows)
    return numbers


def _rows(counts: Counts) -> Sums:
    rows = {key: np.array(numbers) for key, numbers in counts.rows.items()}
    return {_OF_CORPUS: np.array([counts.documents, counts.invalid_predictions])} | rows


def _add(sums: Sums, more: Sums) -> None:
    for key, numbers in more.items():
        known = sums.get(key)
        sums[key] = numbers if known is None else known + numbers


def check_first(first: object) -> None:
    """Raise ValueError unless the value is the number of a document or a name."""
    if not isinstance(first, str):
        check_whole("first", first, 0)


def _merged(ranges: Iterable[list[int]]) -> list[list[int]]:
    """The smallest list of ranges [first, end) for some numbers.

    Raises:
        ValueError: if two of them overlap.

    >>> _merged([[4, 6], [0, 2], [2, 3]])
    [[0, 3], [4, 6]]
    """
    found: list[list[int]] = []
    for first, end in sorted(ranges):
        if found and first < found[-1][1]:
            raise ValueError(f"document {first} occurs twice; `first` sets the numbers of the documents in each part")
        if found and first == found[-1][1]:
            found[-1][1] = end
        else:
            found.append([first, end])
    return found


def weights(documents: Sequence[int | str], *, samples: int, seed: int) -> NDArray[np.float64]:
    """The number of times that each document is drawn into each sample.

    Args:
        documents: the number, or the id, of each document.
        samples: the number of samples.
        seed: the seed of the draws.

    Returns:
        An array of whole numbers: a row for each document, a column for each sample.

    >>> weights(["r-1", 2], samples=4, seed=0).shape
    (2, 4)
    """
    table = np.empty((len(documents), samples), dtype=np.float64)
    for row, document in zip(table, documents, strict=True):
        name = f"{seed} {'number' if isinstance(document, int) else 'id'} {document}"
        digest = hashlib.shake_128(name.encode("utf-8", "surrogatepass")).digest(2 * samples)
        row[:] = _TABLE[np.frombuffer(digest, dtype="<u2")]
    return table
