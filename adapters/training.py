"""Metrics inside the training loops of transformers: ready-made `compute_metrics` for Trainer and Seq2SeqTrainer.

What a Trainer evaluates, row by row, becomes documents, which any families score. The references are given
beforehand: those that a Trainer has are cut off at the model's length. That its rows are those meant is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, Protocol

from docie.adapters import donut
from docie.adapters.generated import GeneratedDocuments
from docie.adapters.grouping import GroupTypes
from docie.adapters.row_check import RowCheck
from docie.adapters.tagged_documents import TaggedDocuments
from docie.adapters.tokens import Id2Label
from docie.adapters.training_scores import Metrics, Scorer, Tally, View

__all__ = [
    "EachRowOnce",
    "TrainingMetrics",
    "generation_metrics",
    "preprocess_logits_for_metrics",
    "token_classification_metrics",
]


def token_classification_metrics(
    words: Sequence[Sequence[str]],
    references: Sequence[Any],
    word_ids: Sequence[Sequence[int | None]],
    id2label: Id2Label,
    *,
    documents: Sequence[int] | None = None,
    groups: GroupTypes = (),
    metrics: Metrics = "kieval",
    strategy: str = "first",
    per_entity: bool = False,
    check_rows: bool = True,
) -> TrainingMetrics:
    """A `compute_metrics` for a Trainer whose model labels tokens.

    `words` are the words of each evaluated document, `references` what is right: documents, or lists of tags, one a
    word. `word_ids` and `documents` say what the evaluated rows are, in order: for each row the word of every token,
    and which document it is a window of; `strategy` is how the label of a word comes of those of its sub-words (see
    `tokens.word_labels`). Entities are read from the words' tags leniently, in any scheme but BILOU; of labels that
    are no tags, neighbours of one label are an entity. The one label outside of entities is O. Groups come of slot
    filling, `groups` as in `grouping.slot_filling`. Reference tags are read in the same way.

    `metrics` are names of families, or a mapping from these to their options; if the references are tags, families
    that read tagged words get these. `per_entity` adds the figures of each entity type of the references.

    It works with `batch_eval_metrics=True`, with `preprocess_logits_for_metrics` (but for the strategy "mean"), and in
    several processes. It is for one data set: before `trainer.predict(test)`, set `trainer.compute_metrics` to the
    metrics of that one.

    Raises ValueError, now, for arguments that do not fit together and, when they are evaluated, for rows that do not
    fit `word_ids` and for labels that have nothing in common with the references in most documents (`check_rows`).
    `eval_on_start=True` in the Trainer's arguments finds that out before an epoch.

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
    scorer = Scorer(metrics, kinds=source.kinds, per_entity=per_entity)
    return TrainingMetrics(source, scorer, check_rows=check_rows)


def generation_metrics(
    tokenizer: Any,
    references: Sequence[Any],
    *,
    read: Callable[[str], Any] = donut.to_document,
    metrics: Metrics = "kieval",
    per_entity: bool = False,
    check_rows: bool = True,
) -> TrainingMetrics:
    """A `compute_metrics` for a Seq2SeqTrainer with `predict_with_generate=True`.

    `tokenizer` (or a processor) decodes what the model generates, `read` makes a document of the text, or of an answer
    to a question its value: `donut.to_document`, `llm.to_document` or any function, which must not raise; the text
    comes with all special tokens but those of padding, beginning and end. `references` are the documents or values that
    are right, one for each evaluated row, in order. The other options are those of `token_classification_metrics`.

    Besides the figures there are `invalid_predictions`, answers of which no document could be read, and
    `repaired_predictions`, those in which something was repaired or dropped.

    In several processes, make the trainer an `EachRowOnce`. Raises ValueError for a reference that cannot be scored,
    now, and, when they are evaluated, for rows that are not those of the references, as far as their number and their
    labels tell.

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
    scorer = Scorer(metrics, kinds=source.kinds, per_entity=per_entity)
    return TrainingMetrics(source, scorer, check_rows=check_rows)


class Source(Protocol):
    """The documents of an evaluation: what reads their rows, and what to make of it."""

    kinds: tuple[str, ...]
    references: Sequence[Any]

    def reader(self) -> Any:
        """What reads the rows of one evaluation: `read` them, and the `rest`."""

    def label_reader(self) -> Any:
        """What reads their labels."""

    def document(self, number: int, found: Any) -> Any:
        """The document that was found in rows."""

    def prediction(self, number: int, found: Any) -> View:
        """What was found, as metrics take it."""

    def reference(self, number: int) -> View:
        """What is right, as metrics take it."""

    def nothing(self, number: int) -> Any:
        """What is found where there is nothing."""

    def facts(self, reader: Any) -> dict[str, float]:
        """Figures of the reading itself."""


class TrainingMetrics:
    """A `compute_metrics`, as the two functions of this module give it, for one data set.

    Documents are counted as soon as all their rows are there, so that batches leave nothing but counts behind.
    """

    def __init__(self, source: Source, scorer: Scorer, *, check_rows: bool = True) -> None:
        self.source = source
        self.scorer = scorer
        self.check_rows = check_rows
        self._begun: _Evaluation | None = None  # between two batches
        tally = scorer.start()  # what cannot be scored is an error now, and not after an epoch
        for number in range(len(source.references)):
            tally.add(number, source.prediction(number, source.nothing(number)), source.reference(number))
        scorer.rows = tally.rows()

    def __call__(self, evaluation: Any, compute_result: bool | None = None) -> dict[str, float]:
        """The figures of an evaluation, plain numbers whose names any logger takes.

        `evaluation` is what a Trainer gives, with `predictions` and `label_ids`; with `batch_eval_metrics=True` it
        gives one batch after the other, `compute_result` being true with the last.
        """
        begun, self._begun = self._begun, None  # whatever fails, the next evaluation starts anew
        if begun is None or compute_result is None:
            begun = _Evaluation(self.source, self.scorer.start(), self.check_rows)
        begun.read(evaluation.predictions, _labels(evaluation))
        if compute_result is False:
            self._begun = begun
            return {}
        return begun.figures()

    def predicted(self, output: Any) -> list[Any]:
        """The documents that the model has predicted; `output` is what `Trainer.predict` returned."""
        reader = self.source.reader()
        found = dict(chain(reader.read(output.predictions, _labels(output)), reader.rest()))
        return [self.source.document(number, found[number]) for number in range(len(found))]


class _Evaluation:
    """One evaluation, batch by batch."""

    def __init__(self, source: Source, tally: Tally, check_rows: bool) -> None:
        self.source = source
        self.tally = tally
        self.reader = source.reader()
        self.labels = source.label_reader() if check_rows else None
        self.check = RowCheck()

    def read(self, predictions: Any, label_ids: Any) -> None:
        self._count(self.reader.read(predictions, label_ids))
        if self.labels is not None and label_ids is not None:
            for number, found in self.labels.read(label_ids, label_ids):
                reference = self.source.reference(number)("document")
                self.check.add(number, self.source.document(number, found), reference)

    def figures(self) -> dict[str, float]:
        self._count(self.reader.rest())
        self.check.finish()
        return {**self.tally.figures(), **self.source.facts(self.reader)}

    def _count(self, documents: Iterable[tuple[int, Any]]) -> None:
        for number, found in documents:
            self.tally.add(number, self.source.prediction(number, found), self.source.reference(number))


def _labels(output: Any) -> Any:
    """The labels, which come first where a Trainer has several `label_names`."""
    return output.label_ids[0] if isinstance(output.label_ids, tuple) else output.label_ids


def preprocess_logits_for_metrics(logits: Any, labels: Any = None) -> Any:
    """What metrics need of a Trainer's logits: for each token the best label's id and its probability.

    For `Trainer(preprocess_logits_for_metrics=...)`, which without it keeps all logits of an evaluation in memory.
    Generated tokens stay as they are. For the strategies "first" and "max" of `tokens.word_labels`.
    """
    scores = logits[0] if isinstance(logits, tuple) else logits
    if not scores.is_floating_point():
        return logits
    best, ids = scores.float().max(dim=-1)
    return ids.int(), (best - scores.float().logsumexp(dim=-1)).exp()


_IN_ORDER = ("SequentialSampler", "_InfiniteConstantSampler")  # the second of data that is read as a stream


class EachRowOnce:
    """For a Trainer of transformers: evaluates every row once and in the data set's order, in any number of processes.

    A Seq2SeqTrainer in several processes evaluates rows twice to fill the last batch, and counts them twice as well.
    Put it first: `class MyTrainer(EachRowOnce, Seq2SeqTrainer): ...`. Raises ValueError for a data loader that does not
    go through the data in order.
    """

    def evaluation_loop(self, dataloader: Any, *args: Any, **kwargs: Any) -> Any:
        """The Trainer's own, over each row once."""
        sampler = _sampler(dataloader)
        if sampler is not None and type(sampler).__name__ not in _IN_ORDER:
            raise ValueError(f"expected rows in the data set's order, got them from a {type(sampler).__name__}")
        self.gather_function = self.accelerator.gather_for_metrics  # type: ignore[attr-defined]
        return super().evaluation_loop(dataloader, *args, **kwargs)  # type: ignore[misc]


def _sampler(dataloader: Any) -> Any:
    """What a data loader takes its rows from; batch samplers of several processes stand around one another."""
    batches: Any = getattr(dataloader, "batch_sampler", None)
    while hasattr(batches, "batch_sampler"):
        batches = batches.batch_sampler
    return getattr(batches, "sampler", None)
