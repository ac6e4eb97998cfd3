"""Corpora of files that are counted in parts: partition by partition, or a large file in blocks of documents."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from docie import corpus
from docie.core.errors import DocumentError
from docie.core.family import get
from docie.files.joined import Joined
from docie.files.once import is_stream
from docie.files.partitions import Partition, identity, open_source
from docie.files.source import STDIN, InputError

BLOCK = 4096
"""The number of documents of a block."""
Pair = tuple[Any, Any]
Tallies = dict[str, Any]
"""What is known of a part: `parts`, one for each family; `joined_by`; and `notes`, what a user should know."""


class Reading(NamedTuple):
    """How files are read."""

    id_key: str = "id"
    missing_empty: bool = False
    accepts_text: bool = False

    def join(self, partition: Partition) -> Joined:
        """The documents of a partition side by side."""
        references, predictions = (
            open_source(path, side, accepts_text=self.accepts_text, id_key=self.id_key)
            for path, side in zip(partition, ("reference", "prediction"), strict=True)
        )
        return Joined(references, predictions, missing_empty=self.missing_empty, may_be_empty=True)


class PartitionedFiles:
    """A corpus in partitions. Each is read by who counts it.

    Args:
        partitions: the files.
        reading: how they are read.
    """

    def __init__(self, partitions: list[Partition], reading: Reading) -> None:
        self.partitions, self.reading = partitions, reading

    def __len__(self) -> int:
        return len(self.partitions)

    def pairs(self) -> Iterator[Pair]:
        """The rows (prediction, reference), to look at the first ones."""
        for partition in self.partitions:
            joined = self.reading.join(partition)
            try:
                yield from joined
            except DocumentError as error:
                raise joined.located(error) from None

    def tasks(self) -> Iterator[tuple[Partition]]:
        """The arguments of `work`."""
        return ((partition,) for partition in self.partitions)

    def work(self, jobs: Mapping[str, Any], options: Mapping[str, Any]) -> Callable[[Partition], Tallies]:
        """What counts a partition.

        Args:
            jobs: from the names of families to their settings.
            options: those of `corpus.count_part`.
        """
        return partial(_count_partition, self.reading, dict(jobs), dict(options))

    def identify(self, partition: Partition) -> list[Any]:
        """What tells whether a partition is the same as before."""
        return [identity(path) for path in dict.fromkeys(partition)]


class Blocks:
    """A corpus of two files, in blocks of documents. They are read and joined here, and counted elsewhere.

    Args:
        joined: the files.
        pairs: their rows.
    """

    def __init__(self, joined: Joined, pairs: Iterator[Pair]) -> None:
        for source in joined.sources.values():
            if is_stream(source.path):
                what = "standard input" if source.path == STDIN else source.path
                raise InputError(f"{what} cannot be read again, so it has no --checkpoint")
        self._pairs = pairs
        self._files = [identity(source.path) for source in joined.sources.values()]

    def tasks(self) -> Iterator[tuple[int, list[Pair]]]:
        """The arguments of `work`."""
        start = 0
        while block := list(itertools.islice(self._pairs, BLOCK)):
            yield start, block
            start += len(block)

    def work(self, jobs: Mapping[str, Any], options: Mapping[str, Any]) -> Callable[[int, list[Pair]], Tallies]:
        """What counts a block; the arguments are those of `PartitionedFiles.work`."""
        return partial(_count_block, dict(jobs), dict(options))

    def identify(self, start: int, block: list[Pair]) -> list[Any]:
        """What tells whether a block is the same as before: its files, and its place in them."""
        return [self._files, start, len(block)]


def _count_partition(reading: Reading, jobs: dict[str, Any], options: dict[str, Any], partition: Partition) -> Tallies:
    joined = reading.join(partition)
    try:
        parts = _parts(jobs, options | {"first": os.path.basename(partition.references)}, joined)
    except DocumentError as error:
        raise joined.located(error) from None
    return {"parts": parts, "joined_by": joined.joined_by, "notes": joined.warnings()}


def _count_block(jobs: dict[str, Any], options: dict[str, Any], start: int, block: list[Pair]) -> Tallies:
    try:
        return {"parts": _parts(jobs, options | {"first": start}, block), "joined_by": "", "notes": []}
    except DocumentError as error:
        if isinstance(error.document, int):
            error.document += start
        raise


def _parts(jobs: dict[str, Any], options: dict[str, Any], pairs: Iterable[Pair]) -> dict[str, Any]:
    rows = list(pairs) if len(jobs) > 1 else pairs
    parts = {}
    for name, settings in jobs.items():
        predictions, references = itertools.tee(rows)
        parts[name] = corpus.count_part(
            get(name),
            (prediction for prediction, _ in predictions),
            (reference for _, reference in references),
            settings,
            **options,
        )
    return parts
