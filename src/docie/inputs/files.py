"""References and predictions become pairs: those of two paths, of their partitions one after the other, or of rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.errors import InputError, warn
from docie.inputs.config import Config, reading_of
from docie.inputs.join import Join, Told
from docie.inputs.opened import OpenedRows
from docie.inputs.openers import is_wrapper
from docie.inputs.reading import Reading
from docie.inputs.row import Pair, Row
from docie.inputs.sources.datasets import PREFIX
from docie.inputs.sources.paths import Partition, is_partitioned, open_source, partitions_of, read_once, sources_of
from docie.inputs.sources.python import Listed
from docie.inputs.sources.source import STDIN, Source

ROWS = ("references", "predictions")
"""What rows in Python are called."""
NOTED = 5
"""The number of notes on partitions that are kept."""


def joined(partition: Partition, reading: Reading) -> Join:
    """The documents of a partition side by side."""
    references, predictions = (
        open_source(path, side, reading.side(side))
        for path, side in zip(partition, ("reference", "prediction"), strict=True)
    )
    return Join(references, predictions, reading, in_python=False, may_be_empty=True)


class Files:
    """The pairs of references and predictions: of two files, of one partition after the other, or of rows in Python.

    Args:
        references, predictions: what the user named (files, folders, patterns, URLs, or "-"), or their rows: a
            sequence, or a frame. Rows are read as those of files, so that a key `id` joins them.
        config: how rows are read, as in `docie.corpus.evaluate`; None for as they are.
        contents: those of `contents_of`, where the paths are read more than once.
        keeps_extra: whether predictions without a reference are expected, which needs ids and no partitions.

    Raises:
        InputError: for partitions that do not belong together, and for what cannot be read.
    """

    def __init__(
        self,
        references: Any,
        predictions: Any,
        config: Config = None,
        *,
        contents: Mapping[str, bytes] | None = None,
        keeps_extra: bool = False,
    ) -> None:
        self.reading = reading_of(config)
        self.references, self.predictions = (
            os.fspath(side) if isinstance(side, os.PathLike) else side for side in (references, predictions)
        )
        paths = [path for path in (self.references, self.predictions) if isinstance(path, str)]
        self.is_partitioned = any(map(is_partitioned, paths))
        self._joined: list[Join] = []
        self.partitions: list[Partition] = []
        if self.is_partitioned:
            if keeps_extra:
                raise InputError(f"{paths[0]}: a silver reading goes with files or rows, not with partitions")
            if self.reading.has_runs:
                raise InputError(f"{paths[0]}: several runs go with files or rows, not with partitions")
            if self.reading.corrections is not None:
                raise InputError(f"{self.references}: corrections go with files or rows, not with partitions")
            if len(paths) < 2:
                raise InputError(f"{paths[0]}: partitions go with partitions; name a path for both sides")
            self.partitions = partitions_of(self.references, self.predictions)
            return
        contents = contents_of(*paths) if contents is None else contents
        sides = ((self.references, "reference"), (self.predictions, "prediction"))
        expected, predicted = (self._source(rows, side, contents) for rows, side in sides)
        self._joined = [Join(expected, predicted, self.reading, in_python=False, keeps_extra=keeps_extra)]

    def _source(self, rows: Any, side: str, contents: Mapping[str, bytes]) -> Source:
        how = self.reading.side(side)
        if isinstance(rows, str):
            return open_source(rows, side, how, content=contents.get(rows))
        return Listed(f"{side}s", rows, how, is_placed=True)

    def __iter__(self) -> Iterator[Pair]:
        if not self.is_partitioned:
            yield from self._joined[0]
            return
        self._joined = []
        for partition in self.partitions:
            self._joined.append(joined(partition, self.reading))
            yield from self._joined[-1]
        self.check(self.told)

    def check(self, told: Told) -> None:
        """Raise InputError if no partition had a document."""
        if not told.joined_by:
            raise InputError(f"{self.partitions[0].references}: no documents, and none in other partitions")

    @property
    def names(self) -> tuple[str, str]:
        """What the references and the predictions are called in messages."""
        return name_of(ROWS[0], self.references), name_of(ROWS[1], self.predictions)

    @property
    def extra(self) -> dict[str, Row]:
        """The predictions without a reference by their ids, once all rows were read, if they are kept."""
        return self._joined[0].extra

    @property
    def told(self) -> Told:
        """What a user should know about the input that was read."""
        return Told.sum_of(each.told() for each in self._joined)

    @property
    def joined_by(self) -> str:
        """How rows were joined: "id", "order", or both, if partitions differ."""
        return self.told.joined_by

    def notes(self) -> list[str]:
        """What a user should know about the input that was read, a line each."""
        return self.told.lines(NOTED if self.is_partitioned else None)


def contents_of(*given: Any) -> dict[str, bytes]:
    """What `read_once` keeps of paths; rows in Python are there already.

    Args:
        *given: a path, or rows, for each time that they will be read.

    Raises:
        InputError: if a path cannot be read.
    """
    return read_once(*(os.fspath(each) for each in given if isinstance(each, str | os.PathLike)))


def name_of(side: str, given: Any) -> str:
    """What references or predictions are called in messages: by their path, and rows in Python by their side.

    >>> name_of("references", "cord.jsonl"), name_of("references", "-"), name_of("references", [{"total": "9.00"}])
    ('cord.jsonl', '<stdin>', 'references')
    """
    if not isinstance(given, str | os.PathLike):
        return side
    path = os.fspath(given)
    return "<stdin>" if path == STDIN else path


def read(path: str | os.PathLike[str], *, side: str | None = None, config: Config = None) -> list[Any]:
    """The documents of a file or a folder, in order.

    Args:
        path (path): JSON Lines, a JSON list, a table (CSV, TSV, Excel, Parquet), a folder of JSON files, tagged words,
            or a zip of these; "dataset:NAME#SPLIT", a data set in a folder or on the Hugging Face Hub; "-" is standard
            input. Partitions, such as a folder of JSON Lines or Parquet files, and URLs are read one after the other.
        side (str): "prediction" or "reference": which of them is wanted, if the rows hold both. Without it, data sets
            hold references, and other files predictions.
        config (path or dict): how rows are read, as in `docie.corpus.evaluate`: what it says of `side`, or without that
            of predictions, of data sets of references. Answers of services and tasks of annotation tools are read in
            any case, raw texts of models with `side="prediction"`; "predictions.parse=no" leaves them as they are.

    Returns:
        list: the documents. If rows have ids, each is `{"id": ..., "document": ...}`. All metrics read that, and
        compare the ids, so that a prediction is never scored against the reference of another document. The `meta` of
        wrappers is kept beside it.

    Raises:
        ValueError: for a file that cannot be read, and for rows with a prediction and a reference if `side` is None.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "references.jsonl")
    ...     with open(path, "w") as file:
    ...         print('{"id": "r-1", "total": "12.00"}', file=file)
    ...     read(path)
    [{'id': 'r-1', 'document': {'total': '12.00'}}]
    """
    if side not in (None, "prediction", "reference"):
        raise ValueError(f"side must be 'prediction' or 'reference', got {side!r}")
    path = os.fspath(path)
    read_as = side or ("reference" if path.startswith(PREFIX) else "prediction")
    how = reading_of(config).side(read_as)
    documents, facts = [], []
    for source in sources_of(path, read_as, how):
        rows = OpenedRows(source, read_as, how, ids=True)
        rows.kind = "answer" if side == "prediction" else ""  # other texts may be documents of ANLS*
        rows.refuses_pairs = side is None
        for row in rows:
            documents.append(row.document)
            facts.append({name: fact for name, fact in (("id", row.id), ("meta", row.meta)) if fact is not None})
        for note in rows.notes:
            warn(note)
    has_facts = any(facts)
    return [
        # a document that looks like a wrapper would be unwrapped once more
        {**of_row, "document": document} if has_facts or is_wrapper(document) else document
        for document, of_row in zip(documents, facts, strict=True)
    ]
