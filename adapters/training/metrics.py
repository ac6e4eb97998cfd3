"""A `compute_metrics` for one data set: what all ready-made ones do."""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from itertools import chain
from traceback import walk_stack
from types import FrameType
from typing import Any, Protocol

from docie.core.errors import shortened, warn
from docie.core.notes import noted
from docie.inputs.kinds import entity_types

from .evaluation import Evaluation, Source, count_into, shortfall
from .scores import Scorer, Tally


class Outputs(Protocol):
    """The argument of `compute_metrics`, and the result of `Trainer.predict`."""

    @property
    def predictions(self) -> object: ...
    @property
    def label_ids(self) -> object: ...


class TrainingMetrics:
    """A `compute_metrics` for one data set, made by the classes of `ready_made`.

    Documents are counted as soon as all of their rows are read, so only counts are kept between batches.

    Attributes:
        labels: the tally of the labels, counted as predictions; None before the first evaluation.
    """

    def __init__(self, source: Source[Any], scorer: Scorer, *, check_rows: bool = True) -> None:
        self.source = source
        self.scorer = scorer
        self.check_rows = check_rows
        self.labels: Tally | None = None
        self._under_way: Evaluation[Any] | None = None  # between two batches
        self._loop: FrameType | None = None  # the loop that passes these batches
        numbers = range(len(source.references))
        # raises now, and not after an epoch, if something cannot be scored
        nothing = count_into(Tally(scorer), source, ((number, source.nothing(number)) for number in numbers))
        scorer.learn(nothing, source.reader().facts())

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
            current = Evaluation(self.source, self.scorer, self.check_rows, with_ceiling=self.labels is None)
        current.read(evaluation.predictions, _labels(evaluation))
        if compute_result is False:
            self._under_way, self._loop = current, running
            return {}
        figures = current.figures()
        if current.labels is not None:
            self.labels = current.labels
            self._warn_of_labels(self.labels, current)
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

        >>> from .ready_made import token_classification_metrics
        >>> compute_metrics = token_classification_metrics(
        ...     words=[["Latte", "4.50"]], references=[{"item": "Latte", "total": "4.50"}], word_ids=[[0, 1]],
        ...     id2label=["O", "B-item", "B-sum"], scores=["kieval_entity_f1"],
        ... )
        >>> compute_metrics.ceiling([[1, 2]])
        {'kieval_entity_f1': 0.5}
        """
        tally = self.labels
        if label_ids is not None:
            reader = self.source.label_reader()
            tally = count_into(Tally(self.scorer), self.source, chain(reader.read(label_ids, label_ids), reader.rest()))
        if tally is None:
            raise ValueError("the labels are not known before the first evaluation: pass those of all rows")
        with noted(warns=False):  # labels have no confidences, and need none
            figures = tally.figures()
        return self.scorer.pick(figures)

    def _warn_of_labels(self, labels: Tally, evaluation: Evaluation[Any]) -> None:
        """Warn once if no model can score 1; with several processes, only the first one warns."""
        references = (self.source.reference(number)("document") for number in range(len(self.source.references)))
        expected = set().union(*(entity_types(each, "reference") for each in references))
        message = shortfall(labels, expected, cut=evaluation.cut, fit=evaluation.fit)
        if message and os.environ.get("RANK", "0") == "0":
            warn(message)

    def predicted(self, output: Outputs) -> list[object]:
        """The documents that the model has predicted; `output` is the result of `Trainer.predict`."""
        reader = self.source.reader()
        contents = dict(chain(reader.read(output.predictions, _labels(output)), reader.rest()))
        return [self.source.document(number, contents[number]) for number in range(len(contents))]


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
        return self.sets[self._name()](evaluation, compute_result)

    def _name(self) -> str:
        """The name of the data set, which ends the prefix of the running loop's results: `eval_receipts`."""
        loop = _evaluation_loop()
        prefix = "" if loop is None else str(loop.f_locals.get("metric_key_prefix", ""))
        found = [name for name in self.sets if prefix == name or prefix.endswith(f"_{name}")]
        if not found:
            got = f"results with the prefix {prefix!r}" if prefix else "a call outside of a Trainer's loop"
            raise ValueError(f"expected one of the data sets {', '.join(map(repr, self.sets))}, got {got}")
        return max(found, key=len)


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
