"""Columns of data sets, and the references in them, which are read as in rows of files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from docie.core.errors import inside, shortened, with_close_names
from docie.inputs.openers import CONTENT_KEYS, read_row

REFERENCES = [key for key in CONTENT_KEYS["reference"] if key != "prediction"]
"""The names of columns that hold references."""


class Columns:
    """The columns of one split of a data set, or of a list of rows.

    Args:
        dataset: a data set of `datasets`, or a list of dicts.

    Raises:
        ValueError: if it is anything else.

    >>> columns = Columns([{"words": ["Latte"], "reference": '{"item": "Latte"}'}])
    >>> columns.names, columns.references("reference")
    (['words', 'reference'], [{'item': 'Latte'}])
    """

    def __init__(self, dataset: Any) -> None:
        names = getattr(dataset, "column_names", None)
        if isinstance(names, Mapping):
            raise ValueError(
                f"expected one split of a data set, got several: {', '.join(names)}; MetricsBySet has metrics of each"
            )
        if isinstance(dataset, list | tuple) and all(isinstance(row, Mapping) for row in dataset):
            names = list(dict.fromkeys(name for row in dataset for name in row))
        if not isinstance(names, list) or not hasattr(dataset, "__len__"):  # streamed data cannot be read twice
            raise ValueError(f"expected a data set of datasets, or a list of dicts, got {shortened(dataset)}")
        self.names: list[str] = names
        # without the format, which may be tensors, or a transformation of each row
        self.dataset = dataset.with_format(None) if hasattr(dataset, "with_format") else dataset
        self._cells: dict[str, list[Any]] = {}

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, name: str) -> list[Any]:
        """The cells of a column. Raises ValueError if there is no such column."""
        if not isinstance(name, str):
            raise ValueError(f"expected the name of a column, got {shortened(name)}")
        if name not in self.names:
            got = ", ".join(map(str, self.names))
            raise ValueError(f"the data set has no column {with_close_names([name], map(str, self.names))}, got {got}")
        if name not in self._cells:  # data sets read a column again each time
            is_list = isinstance(self.dataset, list | tuple)
            self._cells[name] = [row.get(name) for row in self.dataset] if is_list else list(self.dataset[name])
        return self._cells[name]

    def lists(self, name: str) -> list[Any]:
        """The lists in a column. Raises ValueError if a cell is none."""
        cells = self[name]
        for row, cell in enumerate(cells):
            if isinstance(cell, str | Mapping) or not hasattr(cell, "__len__"):
                raise ValueError(f"column {name!r}, row {row}: expected a list, got {shortened(cell)}")
        return cells

    def first(self, names: Iterable[str]) -> str | None:
        """The first of some names that a column has; None if none has."""
        return next((name for name in names if name in self.names), None)

    def find(self, what: str, names: Sequence[str]) -> str:
        """The first of some names that a column has. Raises ValueError if none has."""
        found = self.first(names)
        if found is None:
            expected, got = ", ".join(names), ", ".join(map(str, self.names)) or "none"
            raise ValueError(f"the data set has no column of {what} (one of {expected}), got {got}")
        return found

    def references(self, name: str) -> list[object]:
        """The references in a column. Raises ValueError if one cannot be read."""
        references = []
        for row, value in enumerate(self[name]):
            with inside(f"column {name!r}, row {row}"):
                if value is None:
                    raise ValueError("there is no reference; leave the row out")
                reference = read_row(value, "reference")
                if isinstance(reference, dict) and "gt_parse" in reference:
                    reference = reference["gt_parse"]
                references.append(reference)
        return references

    def class_names(self, name: str) -> Sequence[str] | None:
        """The names of the classes in a column of lists; None if its features name none."""
        feature = (getattr(self.dataset, "features", None) or {}).get(name)
        names: Sequence[str] | None = getattr(getattr(feature, "feature", None), "names", None)
        return names
