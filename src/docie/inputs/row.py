"""Rows: documents on their way from a file, a table or a sequence to a metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from typing import Any, NamedTuple, TypeVar

Predicted = TypeVar("Predicted")
Expected = TypeVar("Expected")


class Row(NamedTuple):
    """A document and what stands beside it. Every source yields rows, and every step on the way returns them.

    Attributes:
        document: what the source holds there; once it is opened, the document.
        place: where it stands, such as "refs.jsonl:17"; empty for a row in Python.
        id: the id of the document, or the name of its file in a folder; None for none.
        meta: what is known beside the document, such as the vendor.
        issues: a line for each thing that was repaired or dropped in the answer of a model or service.
        uncorrected: the document of a reference before its labels were corrected; None if none was.
    """

    document: Any
    place: str = ""
    id: str | None = None
    meta: Any = None
    issues: Sequence[str] = ()
    uncorrected: Any = None


class Pair(NamedTuple):
    """A prediction and its reference."""

    prediction: Row
    reference: Row

    @property
    def id(self) -> str | None:
        """The id of both; None if neither has one."""
        return self.prediction.id if self.reference.id is None else self.reference.id

    @property
    def places(self) -> tuple[str, str]:
        """Where the prediction and the reference stand."""
        return self.prediction.place, self.reference.place


def unzip(pairs: Iterable[tuple[Predicted, Expected]]) -> tuple[Iterator[Predicted], Iterator[Expected]]:
    """The predictions and the references of pairs, to be read in step."""
    pairs, again = tee(pairs)
    return (prediction for prediction, _ in pairs), (reference for _, reference in again)
