"""Ready-made `compute_metrics`: one for models that label tokens, one for generative models."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from types import FrameType
from typing import Any, Protocol

from docie.core.errors import warn
from docie.documents.fit.hint import FitHint
from docie.documents.kinds import entity_types

from .. import donut
from ..grouping.documents import GroupTypes
from ..tokens.labels import Id2Label
from .evaluation import Evaluation, Source, count_into, shortfall
from .outputs import GeneratedDocuments, TaggedDocuments
from .scores import Metrics, Scorer, Tally


def token_classification_metrics(
    words: Sequence[Sequence[str]],
    references: Sequence[object],
    word_ids: Sequence[Sequence[int | None]],
    id2label: Id2Label,
    *,
    documents: Sequence[int] | None = None,
    groups: GroupTypes = (),
    metrics: Metrics = "kieval",
    strategy: str = "first",
    per_entity: bool = False,
    scores: Iterable[str] | None = None,
    check_rows: bool = True,
) -> TrainingMetrics:
    """A `compute_metrics` for a Trainer whose model labels tokens.

    It works with `batch_eval_metrics=True`, with `preprocess_logits_for_metrics` (except for the strategy "mean"), and
    in several processes. It is for one data set: before `trainer.predict(test)`, set `trainer.compute_metrics` to the
    metrics of the test set.

    Entities are read from the tags of the words leniently, in any scheme but BILOU. If labels are not tags, neighbours
    with the same label are one entity. The label outside entities is O.

    The first evaluation also scores the labels themselves. If they do not score 1, a warning states what no model can
    reach, and which entity types are never correct, or what differs in how both were written, such as names of types.

    Args:
        words (list of list of str): the words of each evaluated document.
        references (list): the reference of each document: a document, or a list of tags or label ids, one a word.
        word_ids (list of list of int): for each evaluated row, in order, the word of every token, as in
            `tokens.word_labels`.
        id2label (dict or list): the names of the label ids.
        documents (list of int): for each row the document to which the window belongs; None: every row is a document.
        groups (list of str, or dict): the group types, as in `grouping.slot_filling`, which makes the groups. If no
            reference has a group, group scores (`kieval_group_f1`) are meaningless and left out.
        metrics (str, list or dict): names of families, or a mapping from them to their options. If the references are
            tags, families that read tagged words get tags.
        strategy (str): how the label of a word is derived from its sub-words, as in `tokens.word_labels`.
        per_entity (bool): add the scores of each entity type of the references.
        scores (list of str): the scores to return, by name or by a pattern such as "kieval_entity_f1/*"; None for all.
        check_rows (bool): check that the labels of the rows are those of the references, and score them once.

    Returns:
        TrainingMetrics: the function.

    Raises:
        ValueError: now, if arguments do not match, such as groups to which no label belongs; during evaluation, if rows
            do not match `word_ids`, or if labels share no text with the references in most documents.
            `eval_on_start=True` in the Trainer's arguments raises these errors before the first epoch.

    >>> compute_metrics = token_classification_metrics(
    ...     words=[["Latte", "4.50"]], references=[{"items": {"items.name": "Latte", "items.amount": "4.50"}}],
    ...     word_ids=[[None, 0, 0, 1, None]], id2label=["O", "B-items.name", "B-items.amount"], groups=["items"],
    ... )
    >>> from types import SimpleNamespace
    >>> output = SimpleNamespace(predictions=[[0, 1, 1, 0, 0]], label_ids=[[-100, 1, -100, 2, -100]])
    >>> compute_metrics(output)["kieval_entity_recall"], compute_metrics.predicted(output)
    (0.5, [{'items': [{'items.name': 'Latte'}]}])
    """
    source = TaggedDocuments(
        words, references, word_ids, id2label, documents=documents, groups=groups, strategy=strategy
    )
    scorer = Scorer(metrics, kinds=source.kinds, per_entity=per_entity, scores=scores)
    return TrainingMetrics(source, scorer, check_rows=check_rows)


def generation_metrics(
    tokenizer: object,
    references: Sequence[object],
    *,
    read: Callable[[str], object] = donut.to_document,
    metrics: Metrics = "kieval",
    per_entity: bool = False,
    scores: Iterable[str] | None = None,
    check_rows: bool = True,
) -> TrainingMetrics:
    """A `compute_metrics` for a Seq2SeqTrainer with `predict_with_generate=True`.

    Besides the scores it returns `invalid_predictions`, the number of answers without a readable document, and
    `repaired_predictions`, the number of answers in which something was repaired or dropped. With several processes,
    use a trainer with `EachRowOnce`.

    Args:
        tokenizer: a tokenizer or a processor, which decodes what the model generates.
        references (list): the reference of each evaluated row, in order: a document, or the answer to a question.
        read (function): turns the text into a document, or into the answer to a question: `donut.to_document`,
            `llm.to_document` or any function that does not raise. The text has all special tokens except those for
            padding, beginning and end.
        metrics, per_entity, scores, check_rows: as in `token_classification_metrics`.

    Returns:
        TrainingMetrics: the function.

    Raises:
        ValueError: now, if a reference cannot be scored; during evaluation, if rows do not match the references, as far
            as their number and their labels show.

    >>> class Words:
    ...     def decode(self, ids, **options):
    ...         return " ".join(["<s_shop>", "</s_shop>", "Kedai"][number] for number in ids)
    >>> compute_metrics = generation_metrics(Words(), [{"shop": "Kedai"}, {"shop": "Kopi"}])
    >>> from types import SimpleNamespace
    >>> figures = compute_metrics(SimpleNamespace(predictions=[[0, 2, 1], [0, 2, -100]], label_ids=None))
    >>> figures["kieval_entity_f1"], figures["repaired_predictions"]
    (0.5, 1)
    """
    source = GeneratedDocuments(tokenizer, references, read)
    scorer = Scorer(metrics, kinds=source.kinds, per_entity=per_entity, scores=scores)
    return TrainingMetrics(source, scorer, check_rows=check_rows)


class Outputs(Protocol):
    """The argument of `compute_metrics`, and the result of `Trainer.predict`."""

    @property
    def predictions(self) -> object: ...
    @property
    def label_ids(self) -> object: ...


class TrainingMetrics:
    """A `compute_metrics` for one data set, made by the functions of this module.

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
            self._warn_of_labels(self.labels, current.fit)
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # labels have no confidences, and need none
            figures = tally.figures()
        return self.scorer.pick(figures)

    def _warn_of_labels(self, labels: Tally, fit: FitHint) -> None:
        """Warn once if no model can score 1; with several processes, only the first one warns."""
        references = (self.source.reference(number)("document") for number in range(len(self.source.references)))
        message = shortfall(labels, set().union(*(entity_types(each, "reference") for each in references)), fit)
        if message and os.environ.get("RANK", "0") == "0":
            warn(message)

    def predicted(self, output: Outputs) -> list[object]:
        """The documents that the model has predicted; `output` is the result of `Trainer.predict`."""
        reader = self.source.reader()
        contents = dict(chain(reader.read(output.predictions, _labels(output)), reader.rest()))
        return [self.source.document(number, contents[number]) for number in range(len(contents))]


def _evaluation_loop() -> FrameType | None:
    """The running loop of a Trainer; None outside any.

    A Trainer does not tell where an evaluation begins, or that one was interrupted. Only the loop itself shows it.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "evaluation_loop":
        frame = frame.f_back
    return frame


def _labels(output: Outputs) -> object:
    """The labels, which come first if a Trainer has several `label_names`."""
    return output.label_ids[0] if isinstance(output.label_ids, tuple) else output.label_ids
