"""Rows in Python: sequences, and frames of pandas, polars or Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from docie.core.errors import warn
from docie.core.values.plain import JsonObject
from docie.inputs.config import entries_of
from docie.inputs.reading import Side
from docie.inputs.row import Row
from docie.inputs.sources.source import Source
from docie.inputs.sources.table import BATCH, CONTENT, Cells, Table, batch_rows

UNDER = " under "
"""What stands between an id and the version of its document."""


class Listed(Source):
    """The rows of a sequence in Python. Rows that were read before stay as they are.

    Args:
        name: what they are called in messages: "predictions" or "references".
        rows: the sequence, or a frame.
        how: how they are read; None for as they are.
        is_placed: whether rows have places, which those that are joined by their order need not.
        versions: of each row, what tells it from others of its id; empty for none.

    Raises:
        ValueError: for what is neither.
    """

    is_table = True  # a row may have an id and nothing else

    def __init__(
        self, name: str, rows: Any, how: Side | None = None, *, is_placed: bool = False, versions: Sequence[str] = ()
    ) -> None:
        super().__init__(name)
        self.is_placed, self.versions = is_placed, versions
        self.rows: Iterable[object] = sequence_of(name, rows, how)

    def __iter__(self) -> Iterator[Row]:
        for number, value in enumerate(self.rows):
            place = f"{self.name}, document {number}" if self.is_placed else ""
            version = UNDER + self.versions[number] if number < len(self.versions) else None
            yield value if isinstance(value, Row) else Row(value, place, meta=version)

    def asked_by(self, options: Mapping[str, Any]) -> str:
        """How a user asks for options by their names in Python."""
        entries = entries_of(options)
        return f"config={(entries[0] if len(entries) == 1 else entries)!r}"


def sequence_of(name: str, documents: Any, how: Side | None = None) -> Any:
    """The documents of a sequence, or of a frame.

    Args:
        name: whose documents they are.
        documents: the sequence, or the frame.
        how: how they will be read; without it, a frame's row with an id becomes a wrapper.

    Raises:
        ValueError: for what is neither.
    """
    if is_frame(documents):
        return frame_rows(documents, name, how)
    try:
        is_iterable = iter(documents) is not None
    except TypeError:
        is_iterable = False
    if isinstance(documents, str | bytes | Mapping) or not is_iterable:
        raise ValueError(f"{name} must be a sequence of documents, got {type(documents).__name__}")
    return documents


def frame_rows(frame: Any, name: str, how: Side | None = None) -> list[JsonObject]:
    """The rows of a frame, as those of a file.

    Args:
        frame: a frame of pandas, polars or Arrow.
        name: what it is called in messages: "predictions" or "references".
        how: how its rows will be read.
    """
    asked = how or Side()
    place = lambda number: name if number < 0 else f"{name}, row {number}"  # noqa: E731
    cells, keeps_all = partial(frame_cells, frame), bool(asked.unwrap)
    side = "reference" if name == "references" else "prediction"
    table = Table(cells, side, asked.id_key, place=place, tell=warn, keeps_all=keeps_all)
    return [_wrapped(row) if asked.id is None and not asked.has_item_rows else row for _, row in table.rows()]


def _wrapped(row: JsonObject) -> JsonObject:
    """A row with its id beside the document; documents in Python may have a field of this name."""
    if "id" not in row or any((name,) in CONTENT for name in row):
        return row
    return {"id": row.pop("id"), "document": row}


def frame_cells(frame: Any) -> Cells:
    """The cells of a frame: of pandas, polars or Arrow."""
    if hasattr(frame, "to_batches"):
        names: Iterable[object] = frame.schema.names
        rows = chain.from_iterable(map(batch_rows, frame.to_batches(max_chunksize=BATCH)))
    elif hasattr(frame, "iter_rows"):
        names, rows = frame.columns, frame.iter_rows()
    else:
        frame = frame.reset_index() if any(name is not None for name in frame.index.names) else frame
        names, rows = frame.columns, frame.itertuples(index=False, name=None)
    yield -1, [".".join(map(str, name)) if isinstance(name, tuple) else name for name in names]
    yield from enumerate(rows)


def is_frame(value: object) -> bool:
    """Whether a value is a frame: of pandas, polars or Arrow."""
    is_table = hasattr(value, "columns") and (hasattr(value, "itertuples") or hasattr(value, "iter_rows"))
    return is_table or hasattr(value, "to_batches")


def check_lengths(predictions: int, references: int) -> None:
    """Raise ValueError unless there are as many predictions as references."""
    if predictions != references:
        raise ValueError(f"expected as many predictions as references, got {predictions} and {references}")
