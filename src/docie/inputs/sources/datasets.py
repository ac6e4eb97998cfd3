"""Data sets as rows: those of `datasets`, in a folder or on the Hugging Face Hub."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

from docie.core.errors import InputError, shortened
from docie.core.values.plain import JsonObject
from docie.inputs.reading import DATASETS, Side
from docie.inputs.row import Row
from docie.inputs.sources.dataset_records import datasets_like
from docie.inputs.sources.source import in_one_line, reason_of
from docie.inputs.sources.table import BATCH, Cells, batch_rows
from docie.inputs.sources.table_files import TableFile

PREFIX = "dataset:"
"""What the path of a data set begins with: `dataset:NAME#SPLIT`."""
_SAVED = ("dataset_dict.json", "state.json")
"""The files of a folder that `save_to_disk` wrote."""
_LARGE = re.compile(r"\b(?:Image|Audio|Video|Pdf|Array[345]D)\(|'(?:large_)?binary'(?!:)")
"""What the features of columns that are not read are, or hold."""
_WITH_CONFIGURATION = re.compile(r"[\w-][\w.-]*/[\w.-]+/[\w.-]+")
_OFFLINE = "offline, name a folder that save_to_disk wrote, or one of Parquet or JSON files"


class DataSet(TableFile):
    """The rows of one split of a data set: records of a known data set, or rows of a table. Images are not read.

    Args:
        path: `dataset:NAME#SPLIT`, where the name is a folder, or that of a data set on the Hub (with its
            configuration, if it has several, as `owner/name/configuration`).
        side: "prediction" or "reference".
        how: how its rows are read.
    """

    def __init__(self, path: str, *, side: str, how: Side) -> None:
        super().__init__(path, side=side, how=how)
        self.name = self.file = path.removeprefix(PREFIX).removesuffix("#")
        self.loaded, self.cells = _loaded(path), _cells
        self.dataset = how.dataset or self._proposed()

    def place(self, number: int) -> str:
        return f"{self.name}, row {number}" if number else self.name

    def __iter__(self) -> Iterator[Row]:
        if not self.dataset:
            yield from super().__iter__()
        for place, record in self._records() if self.dataset else ():
            yield Row(record, place)

    def _records(self) -> Iterator[tuple[str, JsonObject]]:
        cells = _cells(self)
        _, names = next(cells)
        return ((self.place(number), dict(zip(map(str, names), row, strict=True))) for number, row in cells)

    def _proposed(self) -> str:
        """The data set whose records these are, by their columns; an empty text for rows of a table.

        Raises:
            InputError: if they may be of several.
        """
        _, record = next(self._records(), ("", {}))
        tags = [tag for tag in record.get("ner_tags") or () if isinstance(tag, str)]
        found = datasets_like(record, _labels(self.loaded.features.get("ner_tags")) or tags)
        if len(found) > 1:
            options = " or ".join(found[1:])
            say = f"{self.asked_by({'references.records': found[0]})}, or {options}"
            raise InputError(f"{self.name}: tagged words, which may be of several data sets; say {say}")
        if found and found[0] in DATASETS:
            self.note(f"{self.name}: its columns are those of {found[0]}: read with references.records={found[0]}")
        return found[0] if found else ""


def _cells(source: TableFile) -> Cells:
    """The cells of the rows, with the names of labels in place of their numbers."""
    assert isinstance(source, DataSet)
    features = source.loaded.features
    names = source.kept([name for name, feature in features.items() if not _LARGE.search(str(feature))])
    yield 0, names
    labels = [_labels(features[name]) for name in names]
    with in_one_line(source.name):
        batches = source.loaded.select_columns(names).with_format("arrow").iter(BATCH)
        rows = chain.from_iterable(map(batch_rows, batches))
        for number, row in enumerate(rows, 1):
            yield number, [_labelled(cell, each) if each else cell for cell, each in zip(row, labels, strict=True)]


def _labels(feature: Any) -> list[str]:
    """The names of the labels of a column, or of the elements of its lists; none for other columns."""
    inner = feature[0] if isinstance(feature, list) else getattr(feature, "feature", feature)
    return list(getattr(inner, "names", None) or ())


def _labelled(cell: Any, names: list[str]) -> Any:
    if isinstance(cell, list):
        return [_labelled(each, names) for each in cell]
    return names[cell] if isinstance(cell, int) and cell >= 0 else None  # -1 is no label


def _loaded(path: str) -> Any:
    """The split that a path names.

    Raises:
        InputError: for a data set that cannot be loaded, and unless the split is one that it has.
    """
    name, mark, split = path.removeprefix(PREFIX).rpartition("#")
    name, split = (name, split) if mark else (split, "")
    import datasets

    with in_one_line(name), _quietly(datasets):
        try:
            place = name.rsplit("/", 1) if _WITH_CONFIGURATION.fullmatch(name) else [name]
            place = [os.path.abspath(name)] if os.path.isdir(name) else place  # load_dataset has names such as "json"
            if any(os.path.exists(os.path.join(name, each)) for each in _SAVED):
                saved = datasets.load_from_disk(name)
                splits = saved if isinstance(saved, dict) else {str(saved.split or ""): saved}
            else:
                names = [split] if split else datasets.get_dataset_split_names(*place)
                splits = {
                    each: datasets.load_dataset(*place, split=each) if len(names) == 1 else None for each in names
                }
        except ConnectionError as error:
            problem = f"no folder, and no connection to the Hub ({reason_of(error)})"
            raise InputError(f"{name}: {problem}; {_OFFLINE}") from None
    if split not in splits and (split or len(splits) > 1):
        problem = f"no split {shortened(split)}; it has" if split else f"name its split, as dataset:{name}#SPLIT:"
        raise InputError(f"{name}: {problem} {', '.join(map(str, splits)) or 'no splits'}")
    return splits[split] if split in splits else next(iter(splits.values()))


@contextlib.contextmanager
def _quietly(datasets: Any) -> Iterator[None]:
    """Inside this block, only a terminal shows progress, and errors are not printed before they are raised."""
    level, has_bars = datasets.logging.get_verbosity(), not datasets.are_progress_bars_disabled()
    datasets.logging.set_verbosity(datasets.logging.CRITICAL)
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
    try:
        yield
    finally:
        datasets.logging.set_verbosity(level)
        if has_bars:
            datasets.enable_progress_bars()
