"""Clusters: documents that belong together, such as those of one vendor, are the units of intervals and tests."""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import shortened, warn
from docie.core.scores import rounded
from docie.core.settings import check_list
from docie.core.values.plain import JsonObject, scalar_text
from docie.corpus.clusters.column import WITHOUT, Column
from docie.inputs.row import Row

Clusters = str | Sequence[Hashable] | None
"""None, the name of a column in meta, or a list with a label for each document."""
GIVEN = "given"
"""What signatures call clusters that come as a list."""
MOST_COLUMNS = 30
"""The number of columns of `meta` that are kept: the first by name."""
MOST_VALUES = 20_000
"""A column with more different values is not kept: identifiers, times."""
LONGEST = 200
"""The number of characters of a text from which on it is no label."""
FEW_CLUSTERS = 10
"""With fewer effective clusters than this, intervals of unequal clusters are too narrow (`benchmarks/coverage.py`)."""
UNEQUAL = 0.8
"""Clusters are unequal if the effective number is below this share of their number."""
_WORDS = {"option": "clusters", "without": "are clusters of their own"}
Units = NDArray[np.int64]
"""The number of each document's unit, counted from 0 in the order of the first documents."""


class Codes:
    """A label for each document, as the number of its text; -1 for none. Numbers of documents need not be complete."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.codes = array("i")

    def set(self, document: int, label: str | None) -> None:
        """The label of the next document that has one."""
        if len(self.codes) < document:
            self._pad(document)
        self.codes.append(-1 if label is None else self.numbers.setdefault(label, len(self.numbers)))

    def add(self, other: Codes, start: int) -> None:
        """Add the labels of other documents; `start` is the number of the first."""
        self._pad(start)
        number_of = [self.numbers.setdefault(text, len(self.numbers)) for text in other.numbers]
        self.codes.extend(-1 if code < 0 else number_of[code] for code in other.codes)

    def _pad(self, documents: int) -> None:
        self.codes.extend([-1] * (documents - len(self.codes)))

    def of(self, documents: int) -> NDArray[np.int64]:
        """The numbers of all documents."""
        self._pad(documents)
        return np.array(self.codes, dtype=np.int64)

    def taken(self, places: Sequence[int], documents: int) -> Codes:
        """The labels of some of so many documents."""
        found = Codes()
        found.numbers, found.codes = self.numbers, array("i", self.of(documents)[places].tolist())
        return found

    def to_json(self) -> JsonObject:
        return {"texts": [*self.numbers], "codes": self.codes.tolist()}

    @classmethod
    def from_json(cls, value: JsonObject) -> Codes:
        codes = cls()
        codes.numbers = {text: number for number, text in enumerate(value["texts"])}
        codes.codes = array("i", value["codes"])
        return codes


class Labels:
    """The labels of documents: those of the clusters that were asked for or, without clusters, all columns of `meta`.

    Args:
        clusters: a column of `meta`, or a list with a label for each document; None to keep all columns.

    Raises:
        ValueError: for clusters that are neither.

    Attributes:
        name: the column of the clusters, `GIVEN` for a list, or None.
        documents: the number of documents.
        columns: from each column to its labels; None for one with too many values.
        groups: the groups of the documents, if they have some.

    >>> labels = Labels()
    >>> for vendor in ("ACME", "ACME", None):
    ...     labels.note(Row({}), Row({}, meta={"vendor": vendor}))
    >>> labels.columns["vendor"].of(3).tolist(), labels.units("vendor").tolist()
    ([0, 0, -1], [0, 0, 1])
    """

    def __init__(self, clusters: Clusters = None) -> None:
        self.name: str | None = None
        self.documents = 0
        self.columns: dict[str, Codes | None] = {}
        self.groups = Codes()
        self.column: Column | None = None
        self._given: list[str | None] = []
        if isinstance(clusters, str):
            self.column, self.name = Column(clusters, **_WORDS), clusters
        elif clusters is not None:
            self.name, self._given = GIVEN, _texts(clusters)

    def note(self, predicted: Row, expected: Row, group: str | None = None) -> None:
        """Take the labels of the next document.

        Raises:
            DocumentError: if the column of the clusters has no single value, or if `meta` is no object then.
        """
        number = self.documents
        self.documents += 1
        if self.column is not None:
            label = self.column.value_of(predicted, expected)
            self._set(self.column.name, number, None if label == WITHOUT else label)
        elif self.name is None and (predicted.meta or expected.meta):
            found = _texts_of(expected.meta)
            if predicted.meta:
                answered = _texts_of(
                    predicted.meta
                )  # of `source`, which says who answered, the prediction's goes first
                found = answered | found | {name: answered[name] for name in answered if name.startswith("source.")}
            for name, text in found.items():
                self._set(name, number, text)
        if group is not None:
            self.groups.set(number, group)

    def close(self) -> None:
        """Take the labels of a list, once all documents were counted. Raises ValueError as `check_given`."""
        self.check_given(self.documents)
        for place, label in enumerate(self._given):
            self._set(GIVEN, place, label)
        if missing := self._given.count(None):
            warn(f"clusters: {missing} of {self.documents} documents have no label, and {_WORDS['without']}")

    def check_given(self, documents: int) -> None:
        """Raise ValueError unless a list of labels has one for each of so many documents."""
        number = len(self._given)
        if self.name is not None and self.column is None and number != documents:
            problem = f"got {number} for {documents} documents"
            raise ValueError(f"clusters must have one label for each document, {problem}")

    def _set(self, name: str, document: int, label: str | None) -> None:
        if name not in self.columns:
            self.columns[name] = Codes()
            self._drop_last()
        if (codes := self.columns.get(name)) is not None:
            codes.set(document, label)
            if len(codes.numbers) > MOST_VALUES:
                self._drop_long(name)

    def _drop_last(self) -> None:
        if len(self.columns) > MOST_COLUMNS:
            del self.columns[max(self.columns)]

    def _drop_long(self, name: str) -> None:
        codes = self.columns[name]
        if self.name is None and codes is not None and len(codes.numbers) > MOST_VALUES:
            self.columns[name] = None

    def __iadd__(self, other: Labels) -> Labels:
        for name, codes in other.columns.items():
            own = self.columns.setdefault(name, Codes())
            if own is None or codes is None:
                self.columns[name] = None
            else:
                own.add(codes, self.documents)
                self._drop_long(name)
            self._drop_last()
        self.groups.add(other.groups, self.documents)
        self.documents += other.documents
        if self.column is not None and other.column is not None:
            self.column += other.column
        return self

    def units(self, name: str | None = None) -> Units:
        """The unit of each document by a column, or by the clusters. One without a label is a unit by itself."""
        codes = self.columns.get(name or self.name or "") or Codes()
        return units_of(codes.of(self.documents))

    def of(self, documents: Sequence[int]) -> Labels:
        """The labels of some documents, by their numbers; those of a list are of these documents already."""
        found = copy(self)
        found.documents = len(documents)
        found.columns = {name: codes and codes.taken(documents, self.documents) for name, codes in self.columns.items()}
        return found

    def texts(self) -> list[str | None]:
        """The label of each document by the clusters; None for none."""
        codes = self.columns.get(self.name or "") or Codes()
        texts = [*codes.numbers, None]
        return [texts[code] for code in codes.of(self.documents).tolist()]

    def of_group(self, label: str) -> NDArray[np.int64]:
        """The documents of a group, by their numbers."""
        return np.flatnonzero(self.groups.of(self.documents) == self.groups.numbers.get(label, -2))

    def check(self) -> None:
        """Raise ValueError if no document has the column; warn of documents without it."""
        if self.column is not None:
            self.column.check()

    def to_json(self) -> JsonObject:
        """Plain JSON values, for `from_json`."""
        return {
            "name": self.name,
            "documents": self.documents,
            "columns": {name: codes and codes.to_json() for name, codes in self.columns.items()},
            "groups": self.groups.to_json(),
            "column": self.column and self.column.to_json(),
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> Labels:
        """The labels that `to_json` wrote.

        Raises:
            ValueError: if `to_json` did not write this value.
        """
        labels = cls()
        try:
            labels.name, labels.documents = value["name"], int(value["documents"])
            labels.columns = {name: codes and Codes.from_json(codes) for name, codes in value["columns"].items()}
            labels.groups = Codes.from_json(value["groups"])
            if value["column"] is not None:
                labels.column = Column.from_json(value["column"], **_WORDS)
        except (AttributeError, KeyError, TypeError):
            raise ValueError(f"expected the JSON of documents' labels, got {shortened(value)}") from None
        return labels


def units_of(codes: NDArray[np.int64]) -> Units:
    """The unit of each document from the number of its label; one without a label, -1, is a unit by itself.

    >>> units_of(np.array([7, -1, 7, -1])).tolist()
    [0, 1, 0, 2]
    """
    alone = codes < 0
    keys = np.where(alone, codes.max(initial=0) + 1 + np.arange(len(codes)), codes)
    _, first, units = np.unique(keys, return_index=True, return_inverse=True)
    in_order = np.empty(len(first), dtype=np.int64)
    in_order[np.argsort(first)] = np.arange(len(first))
    return in_order[units]


def units_of_texts(labels: Iterable[str | None]) -> Units:
    """The unit of each document from its label; one without a label, None, is a unit by itself.

    >>> units_of_texts(["ACME", None, "ACME", None]).tolist()
    [0, 1, 0, 2]
    """
    codes, documents = Codes(), 0
    for documents, label in enumerate(labels, 1):
        codes.set(documents - 1, label)
    return units_of(codes.of(documents))


def _texts(clusters: Iterable[Hashable]) -> list[str | None]:
    """The labels of a list as texts; None for a document that is a cluster by itself."""
    check_list("clusters", clusters)
    texts = []
    for label in clusters:
        try:
            hash(label)
            texts.append(scalar_text(label))
        except (TypeError, ValueError):
            raise ValueError(f"clusters must hold texts or numbers, got {shortened(label)}") from None
    return texts


def _texts_of(meta: object) -> dict[str, str]:
    """The labels in `meta`: single values, also of the objects in it, by their names."""
    found: dict[str, str] = {}
    for name, value in meta.items() if isinstance(meta, Mapping) else ():
        if isinstance(value, Mapping):
            found |= {f"{name}.{key}": text for key, each in value.items() if (text := _text(each))}
        elif text := _text(value):
            found[str(name)] = text
    return found


def _text(value: object) -> str | None:
    """The value as a label; None if it can be none."""
    try:
        text = value if type(value) is str else scalar_text(value)  # twice as fast for most
    except (TypeError, ValueError):
        return None
    return text if text is not None and text.strip() and text != WITHOUT and len(text) < LONGEST else None


def effective(sizes: NDArray[np.int64]) -> float:
    """The number of equal clusters with the same weight: (sum of sizes)^2 / sum of squares.

    Source: Kish (1965).

    >>> effective(np.array([5, 5])), effective(np.array([9, 1]))
    (2.0, 1.2195121951219512)
    """
    return float(sizes.sum() ** 2 / (sizes**2).sum())


def warning_of_clusters(sizes: NDArray[np.int64]) -> str:
    """The warning on clusters that are few and unequal; empty for others.

    Args:
        sizes: the number of documents in each cluster.

    >>> warning_of_clusters(np.array([50] + [5] * 10))
    'the largest of 11 clusters holds 0.50 of the documents, so they weigh as 3.6 equal ones: ...'
    """
    number, weighs = len(sizes), effective(sizes)
    if number < 2 or weighs >= min(FEW_CLUSTERS, UNEQUAL * number):
        return ""
    part, equal = rounded(sizes.max() / sizes.sum(), 2), rounded(weighs, 1, whole=math.inf)
    return (
        f"the largest of {number} clusters holds {part} of the documents, so they weigh as {equal} equal ones: "
        "the interval is too narrow"
    )
