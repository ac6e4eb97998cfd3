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
        run: the run of the system that gave this answer; "" if there is one answer for each document.
        runs: the answers of all runs for the same document, this one first; empty if there is no other one.
    """

    document: Any
    place: str = ""
    id: str | None = None
    meta: Any = None
    issues: Sequence[str] = ()
    uncorrected: Any = None
    run: str = ""
    runs: Sequence[Row] = ()

    @property
    def answers(self) -> Sequence[Row]:
        """The answers of all runs for this document."""
        return self.runs or (self,)


class Pair(NamedTuple):
    """A prediction and its reference."""

    prediction: Row
    reference: Row

    @property
    def id(self) -> str | None:
        """The id of both; None if neither has one."""
        return self.prediction.id if self.reference.id is None else self.reference.id

    @property
    def name(self) -> str | None:
        """The id and, where several runs read documents, the run that gave this answer."""
        return answer_name(self.id, self.prediction.run) if self.prediction.run else self.id

    @property
    def places(self) -> tuple[str, str]:
        """Where the prediction and the reference stand."""
        return self.prediction.place, self.reference.place


def answer_name(document: str | int | None, run: str) -> str:
    """What the answer of a run is called, as people see it.

    >>> answer_name("r-7", "2")
    'r-7, run 2'
    """
    return f"{document}, run {run}"


def each_run(pairs: Iterable[Pair]) -> Iterator[Pair]:
    """A pair for each answer: those of a document that several runs read stand one after the other."""
    for pair in pairs:
        yield from (Pair(row, pair.reference) for row in pair.prediction.answers)


def unzip(pairs: Iterable[tuple[Predicted, Expected]]) -> tuple[Iterator[Predicted], Iterator[Expected]]:
    """The predictions and the references of pairs, to be read in step."""
    pairs, again = tee(pairs)
    return (prediction for prediction, _ in pairs), (reference for _, reference in again)
