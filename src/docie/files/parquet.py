"""The rows of a Parquet file, as those of JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from docie.core.errors import InputError
from docie.core.reading import Reading
from docie.core.values.json_text import as_json, with_deep_recursion
from docie.files.source import NAMED, Source

PARQUET = ".parquet"
BATCH = 1000  # rows in memory at a time
_CONTENT = {"prediction": ("prediction",), "reference": ("reference", "ground_truth")}
_FACTS = ("id", "meta")
_MAY_BE_NULL = ("prediction", "reference", "ground_truth", "document", "gt_parse")


class ParquetSource(Source):
    """The rows of a Parquet file, with a key for each column.

    A table that holds predictions and references may have other columns, which are not read.

    Args:
        path: a path, or a URL that fsspec reads.
        side, reading, accepts_text: as for `Source`.
    """

    def __init__(self, path: str, side: str, *, reading: Reading | None = None, accepts_text: bool = False) -> None:
        super().__init__(path, side, reading=reading, accepts_text=accepts_text, content=b"")

    def place(self, number: int) -> str:
        return f"{self.name}, row {number}"

    def _texts(self) -> Iterator[tuple[int, bytes]]:
        import fsspec
        import pyarrow
        from pyarrow import parquet

        try:
            with fsspec.open(self.path, "rb") as file, parquet.ParquetFile(file) as table:
                columns = self._columns(table.schema_arrow.names)
                number = 0
                for batch in table.iter_batches(BATCH, columns=columns):
                    for row in batch.to_pylist():
                        number += 1
                        yield number, self._text(number, row)
        except (OSError, ImportError, pyarrow.ArrowException) as error:
            reason = getattr(error, "strerror", None) or " ".join(str(error).split())
            raise InputError(f"{self.path}: {reason}") from None

    def _columns(self, names: list[str]) -> list[str]:
        """The columns to read. A warning names those that belong to neither side."""
        if self.unwraps or not all({*names} & {*each} for each in _CONTENT.values()):
            return names
        known = (self.id_key, *_FACTS, *_CONTENT["prediction"], *_CONTENT["reference"])
        rest = [name for name in names if name not in known]
        if rest:
            others = ", ".join(rest[:NAMED]) + (f" and {len(rest) - NAMED} more" if len(rest) > NAMED else "")
            self.warnings.append(f"columns that are not read: {others}")
        return [name for name in names if name in (self.id_key, *_FACTS, *_CONTENT[self.side])]

    def _text(self, number: int, row: dict[str, object]) -> bytes:
        """A row as JSON text, without the nulls that a table has in place of missing fields."""
        present = {
            name: _without_missing(value) for name, value in row.items() if value is not None or name in _MAY_BE_NULL
        }
        try:
            value = as_json(present, is_reference=self.side == "reference")
            return with_deep_recursion(partial(json.dumps, value)).encode()
        except (TypeError, ValueError) as error:
            raise InputError(f"{self.place(number)}: {error}") from None


def _without_missing(value: object) -> object:
    if isinstance(value, dict):
        return {name: _without_missing(child) for name, child in value.items() if child is not None}
    return [_without_missing(child) for child in value] if isinstance(value, list) else value
