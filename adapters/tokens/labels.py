"""Rows of tokens, one for each window → the labels of a document's words.

A model reads sub-word tokens, and a long document window by window. `word_ids` maps each token of a row to its word. If
windows overlap, each word is read from the window that shows most of its context.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import inside, shortened, warn
from docie.core.settings import check_choice, check_list
from docie.documents.tagging.schemes import OUTSIDE

from .predictions import STRATEGIES, Row, Words, read_rows, read_window
from .word_ids import IGNORED, documents_of_rows, labelled, word_ids_of_tokens

Id2Label = Mapping[int, str] | Mapping[str, str] | Sequence[str]


class WordLabels(NamedTuple):
    """The labels of a document's words, and the model's confidence in each: in [0, 1], or None if it is unknown."""

    labels: list[str]
    confidences: list[float | None]


def word_labels(
    predictions: object,
    word_ids: Sequence[Sequence[int | None]],
    id2label: Id2Label,
    *,
    documents: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    label_ids: object = None,
    strategy: str = "first",
) -> list[WordLabels]:
    """The label of every word, and the model's confidence in it.

    A fast tokenizer returns `word_ids` and `documents` for all documents at once. In a data set's `map` with batches,
    however, `overflow_to_sample_mapping` starts from 0 in every batch.

        encoding = tokenizer(words, boxes=boxes, truncation=True, stride=128, return_overflowing_tokens=True)
        documents = encoding["overflow_to_sample_mapping"]
        word_ids = [encoding.word_ids(row) for row in range(len(documents))]

    If several windows show a word, the one with its beginning ("first") or most of its sub-words is used; then the one
    with most tokens on the shorter side of the word, where the ends of the document are not ends of a window; then the
    earlier one.

    Args:
        predictions (array): a row for each window: logits (rows × tokens × labels), label ids (rows × tokens), or the
            pair (ids, confidences) that `training.preprocess_logits_for_metrics` keeps. Numpy arrays, torch tensors or
            lists; also a list of batches of different lengths.
        word_ids (list of list of int): for each row the word of each token; None for special tokens and padding. A row
            of predictions may be longer.
        id2label (dict or list): the names of the label ids.
        documents (list of int): for each row the document to which the window belongs. The windows of a document are in
            order. None means that every row is a document.
        lengths (list of int): the number of words of each document. Words without any token, because of truncation,
            say, are "O".
        label_ids (array): the true labels as passed to the model. A word is ignored in a window if all of its tokens
            have -100 there, unless the document has no label at all.
        strategy (str): how the label of a word is derived from its sub-words: that of the "first" one; that of the
            "mean" of their probabilities, which needs logits; or that with the highest confidence, "max".

    Returns:
        list of WordLabels: for each document, the labels and the confidences of its words.

    Raises:
        ValueError: if rows do not match: too few or too many, a label for a token outside words, a word beyond its
            document. It names the row. A warning says if logits of words are NaN.

    >>> logits = [[[0.0, 9.0], [9.0, 0.0], [9.0, 0.0], [0.0, 1.0]]]
    >>> word_labels(logits, [[None, 0, 0, 1]], ["O", "B-total"])[0].labels
    ['O', 'B-total']
    >>> word_labels([[0, 1], [1, 0]], [[0, 1], [1, 2]], ["O", "B-total"], documents=[0, 0])[0].labels
    ['O', 'B-total', 'O']
    """
    joiner = Joiner(word_ids, id2label, documents=documents, lengths=lengths, strategy=strategy)
    labels = dict(chain(joiner.read(predictions, label_ids), joiner.rest()))
    return [labels[document] for document in range(len(labels))]


class Joiner:
    """`word_labels` for rows that arrive batch by batch. It returns each document after its last row, and forgets it.

    Args:
        word_ids, id2label, documents, lengths, strategy: as in `word_labels`.

    Attributes:
        cut: the number of documents so far whose last words have no label, because they were truncated.

    >>> joiner = Joiner([[0, 1], [2], [0]], ["O", "B-total"], documents=[0, 0, 1])
    >>> [document for document, words in joiner.read([[0, 1]])]
    []
    >>> [(document, words.labels) for document, words in joiner.read([[1], [1]])]
    [(0, ['O', 'B-total', 'B-total']), (1, ['B-total'])]
    >>> list(joiner.rest())
    []
    """

    def __init__(
        self,
        word_ids: Sequence[Sequence[int | None]],
        id2label: Id2Label,
        *,
        documents: Sequence[int] | None = None,
        lengths: Sequence[int] | None = None,
        strategy: str = "first",
    ) -> None:
        check_choice("strategy", strategy, *STRATEGIES)
        check_list("word_ids", word_ids)
        self.word_ids = list(word_ids)
        self.names = label_names(id2label)
        self.strategy = strategy
        self.documents = documents_of_rows(len(word_ids), documents, lengths)
        self.count = max(self.documents, default=-1) + 1 if lengths is None else len(lengths)
        self.lengths = lengths
        self.last_rows = {document: row for row, document in enumerate(self.documents)}
        self.known: dict[int, _KnownWords] = {}  # documents with more rows to come
        self.without_labels: dict[int, _KnownWords] = {}  # the same, as if labels were not given
        self.nan_rows: list[int] = []
        self.seen = self.cut = 0

    def read(self, predictions: object, label_ids: object = None) -> Iterator[tuple[int, WordLabels]]:
        """Read the next rows, and return the documents that end in them, each with its position."""
        labels: Iterable[Row | None] = repeat(None) if label_ids is None else read_rows(label_ids)
        for row, label_row in zip(read_rows(predictions), labels, strict=False):
            if self.seen == len(self.documents):
                raise ValueError(f"expected {self.seen} rows, as many as word_ids has, got more")
            with inside(f"row {self.seen}"):
                self._read_row(row, None if label_row is None else label_row.ids)
            document = self.documents[self.seen]
            if self.last_rows[document] == self.seen:
                yield document, self._finished(document).labels(self.names)
            self.seen += 1

    def rest(self) -> Iterator[tuple[int, WordLabels]]:
        """The documents without a row. Raises ValueError if rows are missing."""
        if self.seen != len(self.documents):
            raise ValueError(f"expected {len(self.documents)} rows, as many as word_ids has, got {self.seen}")
        if self.nan_rows:
            rows = f"{len(self.nan_rows)} of {self.seen} rows, the first of which is row {self.nan_rows[0]}"
            warn(
                f"the logits of words are NaN in {rows}: their labels mean nothing, and the training may have diverged"
            )
        for document in range(self.count):
            if document not in self.last_rows:
                yield document, self._new_document(document).labels(self.names)

    def facts(self) -> dict[str, float]:
        """Facts about the reading: none, since labels of words are always valid."""
        return {}

    def _read_row(self, row: Row, label_ids: NDArray[np.int64] | None) -> None:
        document = self.documents[self.seen]
        word_ids = word_ids_of_tokens(self.word_ids[self.seen], len(row.ids))
        is_word = word_ids >= 0
        if row.is_nan is not None and row.is_nan[is_word].any():
            self.nan_rows.append(self.seen)
        is_labelled = None if label_ids is None else labelled(word_ids, label_ids)
        known = self._read_words(self.known, row, word_ids, is_labelled)
        known.has_labels |= is_labelled is None or bool(is_labelled.any())
        if known.has_labels:
            self.without_labels.pop(document, None)
        elif not (row.ids[is_word] == IGNORED).any():  # or they are labels
            self._read_words(self.without_labels, row, word_ids, None)

    def _read_words(
        self,
        of_documents: dict[int, _KnownWords],
        row: Row,
        word_ids: NDArray[np.int64],
        is_labelled: NDArray[np.bool_] | None,
    ) -> _KnownWords:
        """Read the words of a row into what is known of its document."""
        document = self.documents[self.seen]
        is_last = self.last_rows[document] == self.seen
        is_first = document not in of_documents
        words = read_window(row, word_ids, is_labelled, self.strategy, is_first=is_first, is_last=is_last)
        for label in set(words.ids.tolist()) - self.names.keys():
            word = int(words.words[words.ids == label][0])
            raise ValueError(f"word {word} has the label id {label}, which id2label does not have")
        if is_first:
            of_documents[document] = self._new_document(document)
        known = of_documents[document]
        begins = int(words.words[0]) if len(words.words) else known.begins
        if begins < known.begins:
            raise ValueError(f"expected a document's windows in order, got word {begins} after {known.begins}")
        known.begins = begins
        known.improve(words)
        return known

    def _finished(self, document: int) -> _KnownWords:
        """What is known of a document after its last row."""
        known = self.known.pop(document)
        self.cut += bool(known.has_labels and len(known.ids) and known.ids[-1] < 0)
        return self.without_labels.pop(document, known)

    def _new_document(self, document: int) -> _KnownWords:
        return _KnownWords(None if self.lengths is None else int(self.lengths[document]))


class _KnownWords:
    """What the windows read so far tell about a document's words; `length` is their number, if it is known."""

    def __init__(self, length: int | None) -> None:
        self.length = length
        self.has_labels = False
        self.begins = 0  # the first word of the last window
        self.ids = np.full(length or 0, -1)
        self.confidences = np.full(length or 0, np.nan)
        self.ranks = np.full(length or 0, -1)

    def improve(self, window: Words) -> None:
        """Take over the words that a window shows with more context."""
        missing = int(window.words.max(initial=-1)) + 1 - len(self.ids)
        if missing > 0:
            if self.length is not None:
                word = len(self.ids) + missing - 1
                raise ValueError(f"word_ids names word {word} of a document of {self.length} words")
            self.ids = np.append(self.ids, np.full(missing, -1))
            self.confidences = np.append(self.confidences, np.full(missing, np.nan))
            self.ranks = np.append(self.ranks, np.full(missing, -1))
        is_better = window.ranks > self.ranks[window.words]
        words = window.words[is_better]
        self.ids[words] = window.ids[is_better]
        self.confidences[words] = window.confidences[is_better]
        self.ranks[words] = window.ranks[is_better]

    def labels(self, names: Mapping[int, str]) -> WordLabels:
        labels = [names[label] if label >= 0 else OUTSIDE for label in self.ids.tolist()]
        return WordLabels(labels, [None if math.isnan(known) else known for known in self.confidences.tolist()])


def label_names(id2label: Id2Label) -> dict[int, str]:
    """The names of label ids.

    Args:
        id2label (dict or list): a model's `id2label`, whose keys are text after loading from JSON, or a list of names.

    Returns:
        dict of int to str: from each label id to its name.

    Raises:
        ValueError: if it is anything else.

    >>> label_names({"0": "O", "1": "B-total"}) == label_names(["O", "B-total"])
    True
    """
    try:
        items = id2label.items() if isinstance(id2label, Mapping) else enumerate(id2label)
        names: dict[int, Any] = {int(number): name for number, name in items}
    except (TypeError, ValueError):
        names = {0: None}
    if not all(isinstance(name, str) for name in names.values()):
        raise ValueError(f"id2label must give names by numbers, got {shortened(id2label)}")
    return names
