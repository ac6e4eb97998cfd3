"""One evaluation: the rows of a model become documents, which are counted batch by batch; checks whether rows and
references belong together, and scores of the labels against the references; arguments and a mix-in for a Trainer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Generic, Protocol, TypeVar

from docie.core import family
from docie.core.counts import Counts
from docie.core.errors import shortened
from docie.core.notes import noted
from docie.core.phrases import some_of
from docie.documents.leaves import OneOf
from docie.documents.tree import parse_tree, tree_leaves
from docie.inputs.fit.hint import FitHint

from .scores import Scorer, Tally, View

Content = TypeVar("Content")
"""What is read of a document: an answer, or the labels of its words."""
ContentRead = TypeVar("ContentRead", covariant=True)


class Reader(Protocol[ContentRead]):
    """Reads the rows of one evaluation, batch by batch."""

    @property
    def cut(self) -> int:
        """The number of documents so far that are cut off."""

    def read(self, predictions: object, label_ids: object = None, /) -> Iterator[tuple[int, ContentRead]]:
        """Read the next rows, and return the documents that end in them, each with its number."""

    def rest(self) -> Iterator[tuple[int, ContentRead]]:
        """The remaining documents. Raises ValueError if rows are missing."""

    def facts(self) -> dict[str, float]:
        """Facts about the reading itself."""


class Source(Protocol[Content]):
    """The documents of an evaluation: their readers, and views of them for metrics."""

    references: Sequence[object]

    def reader(self) -> Reader[Content]:
        """The reader of the rows of one evaluation."""

    def label_reader(self) -> Reader[Content]:
        """The reader of their labels."""

    def document(self, number: int, content: Content) -> object:
        """The document of an answer or of labelled words."""

    def prediction(self, number: int, content: Content) -> View:
        """A prediction in the format of metrics."""

    def reference(self, number: int) -> View:
        """The reference in the format of metrics."""

    def nothing(self, number: int) -> Content:
        """The result of a model that finds nothing."""


class Evaluation(Generic[Content]):
    """One evaluation, batch by batch."""

    def __init__(self, source: Source[Content], scorer: Scorer, check_rows: bool, *, with_ceiling: bool) -> None:
        self.source = source
        self.scorer = scorer
        self.tally = Tally(scorer)
        self.reader = source.reader()
        self.label_reader = source.label_reader() if check_rows else None
        self.labels = Tally(scorer) if check_rows and with_ceiling else None
        self.fit = FitHint(scorer.families[0].family, scorer.families[0].settings)
        self.check = RowCheck()

    def read(self, predictions: object, label_ids: object) -> None:
        count_into(self.tally, self.source, self.reader.read(predictions, label_ids))
        if label_ids is None:
            self.labels = None
        elif self.label_reader is not None:
            self._read_labels(self.label_reader.read(label_ids, label_ids))

    def figures(self) -> dict[str, float]:
        count_into(self.tally, self.source, self.reader.rest())
        self.check.finish()
        if not self.check.compared:  # rows without labels, as in a test set
            self.labels = None
        if self.labels is not None and self.label_reader is not None:
            self._read_labels(self.label_reader.rest())
        return self.scorer.pick({**self.tally.figures(), **self.reader.facts()})

    @property
    def cut(self) -> str:
        """How many documents are cut off by their labels; empty if none is."""
        number = 0 if self.label_reader is None else self.label_reader.cut
        return f"{number} of {len(self.source.references)} documents are cut off" if number else ""

    def _read_labels(self, documents: Iterable[tuple[int, Content]]) -> None:
        for number, content in documents:
            label, reference = self.source.document(number, content), self.source.reference(number)("document")
            self.check.add(number, label, reference)
            if self.labels is not None:
                self.fit.note(label, reference)
                count_into(self.labels, self.source, [(number, content)])


def count_into(tally: Tally, source: Source[Content], documents: Iterable[tuple[int, Content]]) -> Tally:
    """Add documents that were read, each with its number, to a tally, which is returned."""
    for number, content in documents:
        tally.add(number, source.prediction(number, content), source.reference(number))
    return tally


class RowCheck:
    """Compares the labels of rows with the references, because both should have the same content.

    Labels may be truncated, and references may be spelt differently. So a document counts as different only if the two
    share no text at all, and it is an error only if most documents are different.

    >>> check = RowCheck()
    >>> check.add(0, {"shop": "Kedai"}, {"total": "9.00"})
    >>> check.finish()
    Traceback (most recent call last):
    ...
    ValueError: 1 of 1 documents share no text with their reference (document 0 has 'Kedai');
    check that evaluation rows and references are in the same order
    """

    def __init__(self) -> None:
        self.compared = 0
        self.different: list[tuple[int, str]] = []

    def add(self, number: int, label: object, reference: object) -> None:
        """Compare the document that labels make, or the answer that they spell, with the reference."""
        texts = _texts(label)
        if texts:
            self.compared += 1
            if not texts.keys() & _texts(reference).keys():
                self.different.append((number, min(texts.values())))

    def finish(self) -> None:
        """Raise ValueError if most documents are different."""
        if 2 * len(self.different) > self.compared:
            number, text = self.different[0]
            share = f"{len(self.different)} of {self.compared} documents share no text with their reference"
            example = f"document {number} has {shortened(text)}"
            raise ValueError(f"{share} ({example}); check that evaluation rows and references are in the same order")


def _texts(value: object) -> dict[str, str]:
    """The texts in a value, each under its letters and digits in lower case."""
    leaves = tree_leaves(parse_tree(value, "reference"))
    alternatives = [leaf.alternatives if isinstance(leaf, OneOf) else [leaf] for leaf in leaves]
    texts = [text for text in chain.from_iterable(alternatives) if isinstance(text, str)]
    by_letters = {"".join(filter(str.isalnum, text.casefold())): text for text in texts}
    by_letters.pop("", None)
    return by_letters


_ENOUGH = 1 - 1e-9  # a mean of ones may miss 1 by the last digit
_NAMED = 5
"""The number of entity types that a message names."""


def shortfall(tally: Tally, expected: Collection[str], *, cut: str = "", fit: FitHint | None = None) -> str:
    """One line on labels that do not score 1 against the references; empty if they do.

    Considers the scores whose best value is 1, which is also their value without predicted and expected items.

    Args:
        tally: the labels, counted as predictions.
        expected: the entity types of the references.
        cut: how many documents are cut off; empty if none is.
        fit: knows some of the labels with their references, to say what differs.

    >>> from .scores import Scorer, Tally, view_of_document
    >>> tally = Tally(Scorer("kieval", kinds=["document"]))
    >>> tally.add(0, view_of_document({"sum": "9.00"}, "prediction"), view_of_document({"total": "9.00"}, "reference"))
    >>> shortfall(tally, ["total"])
    "the labels do not score 1 against the references: kieval_entity_f1 is 0; never correct are 'total' of the
    references and 'sum' of the labels; check whether labels, groups and references have the same names"
    """
    figures: list[str] = []
    never: set[str] = set()
    with noted(warns=False):  # labels have no confidences, and need none
        all_results = list(tally.results(breakdown=True))
    for name, results in all_results:
        best = [figure for figure, value in family.get(name).score(Counts()).items() if value == 1.0]
        low = [figure for figure in best if results.get(figure, 1) < _ENOUGH]
        figures += [f"{name}_{figure} is {results[figure]:.4g}" for figure in low[:1]]
        for entity_type, row in results.get("per_entity", {}).items():
            values = [row[figure] for figure in best if figure in row]
            if values and not any(values):
                never.add(entity_type)
    if not figures:
        return ""
    sides = {"references": never.intersection(expected), "labels": never.difference(expected)}
    names = " and ".join(
        f"{some_of(map(repr, sorted(types)), _NAMED)} of the {side}" for side, types in sides.items() if types
    )
    problem = "; ".join(["the labels do not score 1 against the references: " + ", ".join(figures), *[cut] * bool(cut)])
    advice = "check whether labels, groups and references have the same names"
    if fit is not None and (change := fit.change()):
        advice = change.text.replace("prediction", "label")  # which is what they are counted as
    return f"{problem}; never correct are {names}; {advice}" if names else problem


_IN_ORDER = ("SequentialSampler", "_InfiniteConstantSampler")  # the second one for streamed data


def preprocess_logits_for_metrics(logits: Any, labels: object = None) -> Any:
    """Keep the part of a Trainer's logits that metrics need: for each token the best label's id and probability.

    For `Trainer(preprocess_logits_for_metrics=...)`, which otherwise keeps all logits of an evaluation in memory. It
    works with the strategies "first" and "max" of `tokens.word_labels`.

    Args:
        logits (torch.Tensor): logits (rows × tokens × labels), or a tuple of a model's outputs, logits first. Generated
            tokens are returned as they are.
        labels: ignored.

    Returns:
        tuple of torch.Tensor: label ids and probabilities (rows × tokens).

    >>> import torch
    >>> ids, probabilities = preprocess_logits_for_metrics(torch.tensor([[[0.0, 0.0], [5.0, -5.0]]]))
    >>> ids.tolist(), probabilities.round(decimals=2).tolist()
    ([[0, 0]], [[0.5, 1.0]])
    """
    scores = logits[0] if isinstance(logits, tuple) else logits
    if not scores.is_floating_point():
        return logits
    best, ids = scores.float().max(dim=-1)
    return ids.int(), (best - scores.float().logsumexp(dim=-1)).exp()


class EachRowOnce:
    """A mix-in for a Trainer: evaluates every row once and in the data set's order, in any number of processes.

    With several processes, a Seq2SeqTrainer repeats rows to fill the last batch, and counts them twice. Put this class
    first: `class MyTrainer(EachRowOnce, Seq2SeqTrainer): ...`.

    Raises:
        ValueError: if the data loader does not keep the order of the data.
    """

    def evaluation_loop(self, dataloader: object, *args: object, **kwargs: object) -> object:
        """The Trainer's own loop, over each row once."""
        sampler = _sampler(dataloader)
        if sampler is not None and type(sampler).__name__ not in _IN_ORDER:
            raise ValueError(f"expected rows in the data set's order, got them from a {type(sampler).__name__}")
        self.gather_function = self.accelerator.gather_for_metrics  # type: ignore[attr-defined]
        return super().evaluation_loop(dataloader, *args, **kwargs)  # type: ignore[misc]


def _sampler(dataloader: object) -> object:
    """The sampler of a data loader. With several processes, batch samplers wrap one another."""
    batches: object = getattr(dataloader, "batch_sampler", None)
    while hasattr(batches, "batch_sampler"):
        batches = batches.batch_sampler
    return getattr(batches, "sampler", None)
