"""A `compute_metrics` for one data set: what all ready-made ones do. Documents are counted batch by batch."""

from __future__ import annotations

import inspect
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from traceback import walk_stack
from types import FrameType
from typing import Any, Protocol

from docie.core.errors import shortened, warn
from docie.core.notes import noted
from docie.inputs.kinds import entity_types

from .labels import Labels
from .scores import Forms, Scorer, Tally

Contents = Iterable[tuple[int, Any]]
"""Documents that were read, each with its number: answers, or the labels of words."""


class Outputs(Protocol):
    """The argument of `compute_metrics`, and the result of `Trainer.predict`."""

    @property
    def predictions(self) -> object: ...
    @property
    def label_ids(self) -> object: ...


class Reader(Protocol):
    """Reads the rows of one evaluation, batch by batch: all in which token metrics and generation metrics differ."""

    @property
    def cut(self) -> int:
        """The number of documents so far that are cut off."""

    def read(self, predictions: object, label_ids: object = None, /) -> Iterator[tuple[int, Any]]:
        """Read the next rows, and return the documents that end in them, each with its number."""

    def rest(self) -> Iterator[tuple[int, Any]]:
        """The remaining documents. Raises ValueError if rows are missing."""

    def facts(self) -> dict[str, float]:
        """Facts about the reading itself."""


class TrainingMetrics(ABC):
    """A `compute_metrics` for one data set, made by `token_classification_metrics` and `generation_metrics`.

    Documents are counted as soon as all of their rows are read, so only counts are kept between batches.

    Attributes:
        labels: the counts of the labels as predictions, for each family; None before the first evaluation.
    """

    def __init__(self, scorer: Scorer, references: Sequence[Forms], *, check_rows: bool = True) -> None:
        self.scorer, self.references, self.check_rows = scorer, references, check_rows
        self.labels: Tally | None = None
        self._under_way: _Evaluation | None = None  # between two batches
        self._loop: FrameType | None = None  # the loop that passes these batches
        # raises now, and not after an epoch, if something cannot be scored
        nothing = self._count(scorer.tally(), ((number, self._nothing(number)) for number in range(len(references))))
        scorer.learn(nothing, self._reader().facts())

    @abstractmethod
    def _reader(self, *, of_labels: bool = False) -> Reader:
        """The reader of the rows of one evaluation, or of their labels."""

    @abstractmethod
    def _forms(self, number: int, content: Any) -> Forms:
        """A document that was read, as metrics take it."""

    @abstractmethod
    def _nothing(self, number: int) -> Any:
        """What would be read of a model that finds nothing."""

    def _count(self, tally: Tally, contents: Contents) -> Tally:
        for number, content in contents:
            self.scorer.add(tally, number, self._forms(number, content), self.references[number])
        return tally

    def __call__(self, evaluation: Outputs, compute_result: bool | None = None) -> dict[str, float]:
        """The scores of an evaluation.

        Args:
            evaluation: what a Trainer passes, with `predictions` and `label_ids`.
            compute_result: with `batch_eval_metrics=True`, a Trainer passes one batch after the other; this is true for
                the last one.

        Returns:
            Plain numbers, under names that any logger accepts; nothing before the last batch.
        """
        # if this one fails, the next evaluation starts afresh
        current, self._under_way, loop, self._loop = self._under_way, None, self._loop, None
        running = _evaluation_loop()
        if current is None or compute_result is None or loop is not running:  # the last loop was interrupted
            current = _Evaluation(self)
        current.read(evaluation.predictions, _labels(evaluation))
        if compute_result is False:
            self._under_way, self._loop = current, running
            return {}
        figures = current.figures()
        if current.labels is not None and current.labels.tally is not None:
            self.labels = current.labels.tally
            self._warn_of_labels(current.labels, current.label_reader.cut)
        return figures

    def ceiling(self, label_ids: object = None) -> dict[str, float]:
        """The scores of the labels themselves, as if a model had predicted them.

        They are below 1 if labels are truncated to the model's length, or if labels and references differ: in the names
        of types, in groups, in texts.

        Args:
            label_ids: the labels of all rows, in order; None for those of the first evaluation.

        Returns:
            The scores, under the same names as in evaluations.

        Raises:
            ValueError: if no labels are known yet.

        >>> from .labelled import token_classification_metrics
        >>> compute_metrics = token_classification_metrics(
        ...     words=[["Latte", "4.50"]], references=[{"item": "Latte", "total": "4.50"}], word_ids=[[0, 1]],
        ...     id2label=["O", "B-item", "B-sum"], scores=["kieval_entity_f1"],
        ... )
        >>> compute_metrics.ceiling([[1, 2]])
        {'kieval_entity_f1': 0.5}
        """
        tally = self.labels
        if label_ids is not None:
            reader = self._reader(of_labels=True)
            tally = self._count(self.scorer.tally(), chain(reader.read(label_ids, label_ids), reader.rest()))
        if tally is None:
            raise ValueError("the labels are not known before the first evaluation: pass those of all rows")
        with noted(warns=False):  # labels have no confidences, and need none
            return self.scorer.figures(tally)

    def _warn_of_labels(self, labels: Labels, cut: int) -> None:
        """Warn once if no model can score 1; with several processes, only the first one warns."""
        expected = set().union(*(entity_types(each["document"], "reference") for each in self.references))
        message = labels.shortfall(
            expected, cut=f"{cut} of {len(self.references)} documents are cut off" if cut else ""
        )
        if message and os.environ.get("RANK", "0") == "0":
            warn(message)

    def predicted(self, output: Outputs) -> list[object]:
        """The documents that the model has predicted; `output` is the result of `Trainer.predict`."""
        reader = self._reader()
        contents = dict(chain(reader.read(output.predictions, _labels(output)), reader.rest()))
        return [self._forms(number, contents[number])["document"] for number in range(len(contents))]


class _Evaluation:
    """One evaluation, batch by batch. Labels are compared with the references, and counted until they were once."""

    def __init__(self, metrics: TrainingMetrics) -> None:
        self.metrics = metrics
        self.tally = metrics.scorer.tally()
        self.reader, self.label_reader = metrics._reader(), metrics._reader(of_labels=True)
        self.labels = Labels(metrics.scorer, counts=metrics.labels is None) if metrics.check_rows else None

    def read(self, predictions: object, label_ids: object) -> None:
        self.metrics._count(self.tally, self.reader.read(predictions, label_ids))
        if self.labels is not None:
            if label_ids is None:
                self.labels.tally = None
            else:
                self._compare(self.labels, self.label_reader.read(label_ids, label_ids))

    def figures(self) -> dict[str, float]:
        self.metrics._count(self.tally, self.reader.rest())
        if self.labels is not None:
            self.labels.check()
            if not self.labels.compared:  # rows without labels, as in a test set
                self.labels.tally = None
            if self.labels.tally is not None:
                self._compare(self.labels, self.label_reader.rest())
        return self.metrics.scorer.figures(self.tally, self.reader.facts())

    def _compare(self, labels: Labels, contents: Contents) -> None:
        for number, content in contents:
            labels.add(number, self.metrics._forms(number, content), self.metrics.references[number])


class MetricsBySet:
    """A `compute_metrics` for a Trainer whose `eval_dataset` is a dict of data sets.

    Args:
        sets (dict): from the name of each data set to its metrics.

    Attributes:
        sets: the same.

    Raises:
        ValueError: if it is not a dict of metrics; in a call, if the Trainer evaluates another data set.

    >>> MetricsBySet({"receipts": None})
    Traceback (most recent call last):
    ...
    ValueError: 'receipts': expected metrics of a data set, as of token_classification_metrics, got None
    """

    def __init__(self, sets: Mapping[str, TrainingMetrics]) -> None:
        if not isinstance(sets, Mapping):
            raise ValueError(f"expected metrics by the names of data sets, got {shortened(sets)}")
        for name, metrics in sets.items():
            if not isinstance(metrics, TrainingMetrics):
                expected = "metrics of a data set, as of token_classification_metrics"
                raise ValueError(f"{name!r}: expected {expected}, got {shortened(metrics)}")
        self.sets = dict(sets)

    def __call__(self, evaluation: Outputs, compute_result: bool | None = None) -> dict[str, float]:
        """The scores of the data set that the Trainer evaluates, as `TrainingMetrics` returns them."""
        loop = _evaluation_loop()  # the prefix of its results ends with the name: eval_receipts
        prefix = "" if loop is None else str(loop.f_locals.get("metric_key_prefix", ""))
        found = [name for name in self.sets if prefix == name or prefix.endswith(f"_{name}")]
        if not found:
            got = f"results with the prefix {prefix!r}" if prefix else "a call outside of a Trainer's loop"
            raise ValueError(f"expected one of the data sets {', '.join(map(repr, self.sets))}, got {got}")
        return self.sets[max(found, key=len)](evaluation, compute_result)


def _evaluation_loop() -> FrameType | None:
    """The running loop of a Trainer; None outside any.

    A Trainer does not tell where an evaluation begins, or that one was interrupted. Only the loop itself shows it.
    """
    return next(
        (frame for frame, _ in walk_stack(inspect.currentframe()) if frame.f_code.co_name == "evaluation_loop"), None
    )


def _labels(output: Outputs) -> object:
    """The labels, which come first if a Trainer has several `label_names`."""
    return output.label_ids[0] if isinstance(output.label_ids, tuple) else output.label_ids
