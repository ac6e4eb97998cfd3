"""Ready-made `compute_metrics`: one for models that label tokens, one for models that write."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from types import FrameType
from typing import Any, Protocol

from docie.core.errors import warn
from docie.documents.kinds import entity_types

from .. import donut
from ..grouping.documents import GroupTypes
from ..tokens.labels import Id2Label
from .evaluation import Evaluation, Source, shortfall, tally_of
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

    Entities are read from the tags of the words leniently, in any scheme but BILOU. If labels are no tags, neighbours
    with the same label are one entity. The label outside of entities is O.

    The first evaluation also scores the labels themselves. If they do not score 1, a warning says what no model can
    reach, and which entity types are never right: those that labels and references name in different ways, say.

    Args:
        words (list of list of str): the words of each evaluated document.
        references (list): the reference of each document: a document, or a list of tags or label ids, one a word.
        word_ids (list of list of int): for each evaluated row, in order, the word of every token, as in
            `tokens.word_labels`.
        id2label (dict or list): the names of the label ids.
        documents (list of int): for each row the document it is a window of; None: every row is a document.
        groups (list of str, or dict): the group types, as in `grouping.slot_filling`, which makes the groups. Without a
            group in any reference, figures of groups (`kieval_group_f1`) mean nothing and are left out.
        metrics (str, list or dict): names of families, or a mapping from them to their options. If the references are
            tags, families that read tagged words get these.
        strategy (str): how the label of a word is made of those of its sub-words, as in `tokens.word_labels`.
        per_entity (bool): add the figures of each entity type of the references.
        scores (list of str): the figures that are wanted, by name or by a pattern such as "kieval_entity_f1/*"; None
            for all.
        check_rows (bool): check that the labels of the rows are those of the references, and score them once.

    Returns:
        TrainingMetrics: the function.

    Raises:
        ValueError: now, for arguments that do not fit together, such as groups that no label belongs to; when rows are
            evaluated, for rows that do not fit `word_ids`, and for labels that share no text with the references in
            most documents. `eval_on_start=True` in the Trainer's arguments finds that out before the first epoch.

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

    Besides the figures it gives `invalid_predictions`, the number of answers of which no document could be read, and
    `repaired_predictions`, the number of those in which something was repaired or dropped. In several processes, make
    the trainer an `EachRowOnce`.

    Args:
        tokenizer: a tokenizer or a processor, which decodes what the model generates.
        references (list): the reference of each evaluated row, in order: a document, or the answer to a question.
        read (function): makes a document of the text, or a value of the answer to a question: `donut.to_document`,
            `llm.to_document` or any function, which must not raise. The text has all special tokens except those of
            padding, beginning and end.
        metrics, per_entity, scores, check_rows: as in `token_classification_metrics`.

    Returns:
        TrainingMetrics: the function.

    Raises:
        ValueError: now, for a reference that cannot be scored; when rows are evaluated, for rows that are not those of
            the references, as far as their number and their labels tell.

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
    """What a Trainer gives and `Trainer.predict` returns."""

    @property
    def predictions(self) -> object: ...
    @property
    def label_ids(self) -> object: ...


class TrainingMetrics:
    """A `compute_metrics` for one data set, as the functions of this module make it.

    Documents are counted as soon as all of their rows are read, so that batches leave only counts behind.

    Attributes:
        labels: the tally of the labels, counted as predictions; None before the first evaluation.
    """

    def __init__(self, source: Source[Any], scorer: Scorer, *, check_rows: bool = True) -> None:
        self.source = source
        self.scorer = scorer
        self.check_rows = check_rows
        self.labels: Tally | None = None
        self._under_way: Evaluation[Any] | None = None  # between two batches
        self._loop: FrameType | None = None  # what gives these batches
        numbers = range(len(source.references))
        # what cannot be scored is an error now, and not after an epoch
        nothing = tally_of(source, scorer, ((number, source.nothing(number)) for number in numbers))
        scorer.learn(nothing, source.reader().facts())

    def __call__(self, evaluation: Outputs, compute_result: bool | None = None) -> dict[str, float]:
        """The scores of an evaluation.

        Args:
            evaluation: what a Trainer gives, with `predictions` and `label_ids`.
            compute_result: with `batch_eval_metrics=True`, a Trainer gives one batch after the other; this is true for
                the last one.

        Returns:
            Plain numbers, under names that any logger takes; nothing before the last batch.
        """
        # if this one fails, the next evaluation starts anew
        current, self._under_way, loop, self._loop = self._under_way, None, self._loop, None
        running = _evaluation_loop()
        if current is None or compute_result is None or loop is not running:  # another loop: the last was interrupted
            current = Evaluation(self.source, self.scorer, self.check_rows, with_ceiling=self.labels is None)
        current.read(evaluation.predictions, _labels(evaluation))
        if compute_result is False:
            self._under_way, self._loop = current, running
            return {}
        figures = current.figures()
        if current.labels is not None:
            self.labels = current.labels
            self._warn_of_labels(self.labels)
        return figures

    def ceiling(self, label_ids: object = None) -> dict[str, float]:
        """The scores of the labels themselves, read as if a model had predicted them.

        They are below 1 if labels are cut off at the model's length, or if labels and references differ: in the names
        of types, in groups, in texts.

        Args:
            label_ids: the labels of all rows, in order; None for those of the first evaluation.

        Returns:
            The figures, under the names that evaluations give them.

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
            tally = tally_of(self.source, self.scorer, chain(reader.read(label_ids, label_ids), reader.rest()))
        if tally is None:
            raise ValueError("the labels are not known before the first evaluation: give those of all rows")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # labels have no confidences, and need none
            figures = tally.figures()
        return self.scorer.pick(figures)

    def _warn_of_labels(self, labels: Tally) -> None:
        """Say once if no model can score 1; of several processes, the first one says it."""
        references = (self.source.reference(number)("document") for number in range(len(self.source.references)))
        message = shortfall(labels, set().union(*(entity_types(each, "reference") for each in references)))
        if message and os.environ.get("RANK", "0") == "0":
            warn(message)

    def predicted(self, output: Outputs) -> list[object]:
        """The documents that the model has predicted; `output` is what `Trainer.predict` returned."""
        reader = self.source.reader()
        contents = dict(chain(reader.read(output.predictions, _labels(output)), reader.rest()))
        return [self.source.document(number, contents[number]) for number in range(len(contents))]


def _evaluation_loop() -> FrameType | None:
    """The loop of a Trainer that is running; None outside of any.

    A Trainer does not say where an evaluation begins, or that one was interrupted. Only the loop itself tells.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "evaluation_loop":
        frame = frame.f_back
    return frame


def _labels(output: Outputs) -> object:
    """The labels, which come first if a Trainer has several `label_names`."""
    return output.label_ids[0] if isinstance(output.label_ids, tuple) else output.label_ids
