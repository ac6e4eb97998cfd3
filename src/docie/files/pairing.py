"""Files become pairs of rows in one way: two files, or their partitions one after the other."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docie.core.errors import DocumentError, InputError
from docie.core.reading import Reading
from docie.documents.pairs.joining import PairedRows
from docie.files.partitions import Partition, is_partitioned, open_source, partitions_of, read_once
from docie.files.source import STDIN

NOTED = 5
"""The number of notes on files that are kept."""


def paired_sources(
    partition: Partition,
    contents: Mapping[str, bytes] | None = None,
    *,
    reading: Reading | None,
    accepts_text: bool,
    may_be_empty: bool = True,
) -> PairedRows:
    """The documents of two files side by side. `contents` are those of `read_once`."""
    references, predictions = (
        open_source(path, side, reading=reading, accepts_text=accepts_text, content=(contents or {}).get(path))
        for path, side in zip(partition, ("reference", "prediction"), strict=True)
    )
    return PairedRows(references, predictions, may_be_empty=may_be_empty)


class PairedFiles:
    """The pairs (prediction, reference) of two paths: of two files, or of one partition after the other.

    Args:
        references, predictions: what the user named: files, folders, patterns, URLs, or "-".
        reading: how rows are read; None for as they are.
        accepts_text: whether a document may be a text.
        contents: those of `read_once`, where the paths are read more than once.

    Raises:
        InputError: for partitions that do not belong together, and for what cannot be read.
    """

    def __init__(
        self,
        references: str,
        predictions: str,
        reading: Reading | None = None,
        *,
        accepts_text: bool = False,
        contents: Mapping[str, bytes] | None = None,
    ) -> None:
        self.references, self.predictions = references, predictions
        self.reading, self.accepts_text = reading, accepts_text
        self.is_partitioned = is_partitioned(references) or is_partitioned(predictions)
        self._opened: list[PairedRows] = []
        self._starts: list[int] = []  # the number of the first document of each
        if self.is_partitioned:
            self.partitions = partitions_of(references, predictions)
            return
        self.partitions = [Partition(references, predictions)]
        contents = read_once(references, predictions) if contents is None else contents
        self._first = self._paired(self.partitions[0], contents, may_be_empty=False)

    def __iter__(self) -> Iterator[tuple[object, object]]:
        """The pairs, in order. Errors of partitions name their files."""
        self._opened, self._starts, number = [], [], 0
        for partition in self.partitions:
            pairs = self._paired(partition) if self.is_partitioned else self._first
            self._opened.append(pairs)
            self._starts.append(number)
            for pair in pairs:
                yield pair
                number += 1
        if not number:
            raise InputError(f"{self.partitions[0].references}: no documents, and none in other partitions")

    def _paired(self, *partition: Any, **options: Any) -> PairedRows:
        return paired_sources(*partition, reading=self.reading, accepts_text=self.accepts_text, **options)

    @property
    def names(self) -> tuple[str, str]:
        """What the references and the predictions are called in messages."""
        references, predictions = ("<stdin>" if path == STDIN else path for path in (self.references, self.predictions))
        return references, predictions

    @property
    def joined_by(self) -> str:
        """How rows were joined: "id", "order", or both, if partitions differ."""
        return " and ".join(sorted({pairs.joined_by for pairs in self._opened} - {""}))

    def name(self, number: int) -> str | int:
        """The id of a document that was read; without one, its number, counted from 0."""
        pairs, place = self._find(number)
        return number if isinstance(name := pairs.name(place), int) else name

    def warnings(self) -> list[str]:
        """What a user should know about the input that was read."""
        notes = [note for pairs in self._opened for note in pairs.warnings()]
        return first_notes(notes) if self.is_partitioned else notes

    def located(self, error: DocumentError) -> DocumentError:
        """The error, with the place of its document in the files instead of its position in the corpus."""
        if not isinstance(error.document, int) or not self._opened:
            return error
        pairs, error.document = self._find(error.document)
        return pairs.located(error)

    def _find(self, number: int) -> tuple[PairedRows, int]:
        """The files of a document, and its number in them."""
        part = bisect(self._starts, number) - 1
        return self._opened[part], number - self._starts[part]


def first_notes(notes: Iterable[str]) -> list[str]:
    """The first notes on files, each once: of a thousand partitions, each may have its own."""
    distinct = list(dict.fromkeys(notes))
    more = len(distinct) - NOTED
    return [*distinct[:NOTED], f"{more} more lines like these, of other files"] if more > 0 else distinct
