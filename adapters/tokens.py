"""Predictions of token classification → one label a word, whatever the sub-words and windows.

A model sees sub-word tokens, and of a long document one window after the other. `word_ids` says which word each token
of a row belongs to; where windows overlap, each word is read in the one that shows most of what stands around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.adapters.token_rows import Row, rows
from docie.adapters.token_words import STRATEGIES, Words, read_window
from docie.errors import shortened
from docie.settings import check_choice

__all__ = ["STRATEGIES", "Joiner", "WordLabels", "label_names", "word_labels"]

Id2Label = Mapping[int, str] | Mapping[str, str] | Sequence[str]
IGNORED = -100
"""The label id of tokens that do not count."""
OUTSIDE = "O"


class WordLabels(NamedTuple):
    """The labels of a document's words, and how sure the model is of each: in [0, 1], None where that is not known."""

    labels: list[str]
    confidences: list[float | None]


def word_labels(
    predictions: Any,
    word_ids: Sequence[Sequence[int | None]],
    id2label: Id2Label,
    *,
    documents: Sequence[int] | None = None,
    lengths: Sequence[int] | None = None,
    label_ids: Any = None,
    strategy: str = "first",
) -> list[WordLabels]:
    """The label of every word, and the model's confidence in it.

    `predictions` has a row a window: logits (rows × tokens × labels), label ids (rows × tokens), or the pair (ids,
    confidences) that `training.preprocess_logits_for_metrics` keeps; numpy arrays, torch tensors or lists, also a list
    of batches that differ in length. `word_ids` gives for each row the word of each token, None for special ones and
    padding; a row of predictions may be longer. `documents` says for each row which document it is a window of, a
    document's windows in order; None: every row is a document. `lengths` are the documents' numbers of words: words
    that no token stands for, cut off by truncation, say, are "O". `label_ids` are the true labels as the model got
    them: words all of whose tokens have -100 do not count in that window.

    A fast tokenizer gives both for all documents at once; in a data set's `map` with batches, on the other hand,
    `overflow_to_sample_mapping` counts from 0 in every batch.

        encoding = tokenizer(words, boxes=boxes, truncation=True, stride=128, return_overflowing_tokens=True)
        documents = encoding["overflow_to_sample_mapping"]
        word_ids = [encoding.word_ids(row) for row in range(len(documents))]

    A word's label comes of its first sub-word ("first"), of the mean of its sub-words' probabilities ("mean", which
    needs logits) or of the sub-word that the model is most sure of ("max"). Of several windows, the one counts that
    has the word's beginning ("first") or most of its sub-words, then that with most tokens on the shorter side, where
    the ends of the document are no ends of a window; then the earlier one.

    Raises ValueError, naming the row, for rows that do not fit together: too few or too many, a label for a token that
    is no word's, a word beyond its document.

    >>> logits = [[[0.0, 9.0], [9.0, 0.0], [9.0, 0.0], [0.0, 1.0]]]
    >>> word_labels(logits, [[None, 0, 0, 1]], ["O", "B-total"])[0].labels
    ['O', 'B-total']
    >>> word_labels([[0, 1], [1, 0]], [[0, 1], [1, 2]], ["O", "B-total"], documents=[0, 0])[0].labels
    ['O', 'B-total', 'O']
    """
    joiner = Joiner(word_ids, id2label, documents=documents, lengths=lengths, strategy=strategy)
    found = dict(chain(joiner.read(predictions, label_ids), joiner.rest()))
    return [found[document] for document in range(len(found))]


class Joiner:
    """`word_labels` for rows that come batch by batch: gives each document when its last row was read, and forgets it.

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
        self.word_ids = word_ids
        self.names = label_names(id2label)
        self.strategy = strategy
        self.documents = _checked_documents(len(word_ids), documents, lengths)
        self.count = max(self.documents, default=-1) + 1 if lengths is None else len(lengths)
        self.lengths = lengths
        self.last_rows = {document: row for row, document in enumerate(self.documents)}
        self.known: dict[int, _Known] = {}  # of documents of which rows are still to come
        self.seen = 0

    def read(self, predictions: Any, label_ids: Any = None) -> Iterator[tuple[int, WordLabels]]:
        """Read the next rows; gives the documents that end in them, each with its position."""
        labels: Iterable[Row | None] = repeat(None) if label_ids is None else rows(label_ids)
        for row, label_row in zip(rows(predictions), labels, strict=False):
            if self.seen == len(self.documents):
                raise ValueError(f"expected {self.seen} rows, as many as word_ids has, got more")
            try:
                self._read_row(row, None if label_row is None else label_row.ids)
            except ValueError as error:
                raise ValueError(f"row {self.seen}: {error}") from None
            document = self.documents[self.seen]
            if self.last_rows[document] == self.seen:
                yield document, self.known.pop(document).labels(self.names)
            self.seen += 1

    def rest(self) -> Iterator[tuple[int, WordLabels]]:
        """The documents that have no row. Raises ValueError if rows are missing."""
        if self.seen != len(self.documents):
            raise ValueError(f"expected {len(self.documents)} rows, as many as word_ids has, got {self.seen}")
        for document in range(self.count):
            if document not in self.last_rows:
                yield document, self._new(document).labels(self.names)

    def _read_row(self, row: Row, label_ids: NDArray[np.int64] | None) -> None:
        document = self.documents[self.seen]
        word_ids = _fitted(self.word_ids[self.seen], len(row.ids))
        found = read_window(
            row,
            word_ids,
            None if label_ids is None else _counted(word_ids, label_ids),
            self.strategy,
            is_first=document not in self.known,
            is_last=self.last_rows[document] == self.seen,
        )
        self._check_ids(found)
        if document not in self.known:
            self.known[document] = self._new(document)
        known = self.known[document]
        begins = int(found.words[0]) if len(found.words) else known.begins
        if begins < known.begins:
            raise ValueError(f"expected a document's windows in order, got word {begins} after {known.begins}")
        known.begins = begins
        known.improve(found)

    def _new(self, document: int) -> _Known:
        return _Known(None if self.lengths is None else int(self.lengths[document]))

    def _check_ids(self, found: Words) -> None:
        for label in set(found.ids.tolist()) - self.names.keys():
            word = int(found.words[found.ids == label][0])
            raise ValueError(f"word {word} has the label id {label}, which id2label does not have")


class _Known:
    """What is known so far of a document's words."""

    def __init__(self, length: int | None) -> None:
        self.length = length
        self.begins = 0  # the first word of the last window
        self.ids = np.full(length or 0, -1)
        self.confidences = np.full(length or 0, np.nan)
        self.ranks = np.full(length or 0, -1)

    def improve(self, found: Words) -> None:
        """Take over what a window knows better."""
        more = int(found.words.max(initial=-1)) + 1 - len(self.ids)
        if more > 0:
            if self.length is not None:
                raise ValueError(f"word_ids names word {len(self.ids) + more - 1} of a document of {self.length} words")
            self.ids = np.append(self.ids, np.full(more, -1))
            self.confidences = np.append(self.confidences, np.full(more, np.nan))
            self.ranks = np.append(self.ranks, np.full(more, -1))
        better = found.ranks > self.ranks[found.words]
        words = found.words[better]
        self.ids[words] = found.ids[better]
        self.confidences[words] = found.confidences[better]
        self.ranks[words] = found.ranks[better]

    def labels(self, names: Mapping[int, str]) -> WordLabels:
        labels = [names[label] if label >= 0 else OUTSIDE for label in self.ids.tolist()]
        return WordLabels(labels, [None if sure != sure else sure for sure in self.confidences.tolist()])


def label_names(id2label: Id2Label) -> dict[int, str]:
    """Label id → name, from a model's `id2label` (whose keys are text after a trip through JSON) or a list of names.

    >>> label_names({"0": "O", "1": "B-total"}) == label_names(["O", "B-total"])
    True
    """
    items = id2label.items() if isinstance(id2label, Mapping) else enumerate(id2label)
    try:
        return {int(number): str(name) for number, name in items}
    except (TypeError, ValueError):
        raise ValueError(f"id2label must give names by numbers, got {shortened(id2label)}") from None


def _checked_documents(rows: int, documents: Sequence[int] | None, lengths: Sequence[int] | None) -> list[int]:
    """The document of each row."""
    if documents is None:
        if lengths is not None and len(lengths) != rows:
            raise ValueError(f"expected a row a document, got {rows} rows and {len(lengths)} documents; give documents")
        return list(range(rows))
    if len(documents) != rows:
        raise ValueError(f"expected as many documents as word_ids has rows, got {len(documents)} and {rows}")
    found = [int(document) for document in documents]
    end = max(found, default=-1) + 1 if lengths is None else len(lengths)
    for row, document in enumerate(found):
        if not 0 <= document < end:
            raise ValueError(f"row {row}: expected a document between 0 and {end - 1}, got {document}")
    return found


def _fitted(word_ids: Sequence[int | None], length: int) -> NDArray[np.int64]:
    """The word of each of a row's tokens, -1 for none: word_ids may be without the padding that a batch added."""
    words = np.nan_to_num(np.asarray(word_ids, dtype=np.float64), nan=-1).astype(np.int64)
    if (words[length:] >= 0).any():
        raise ValueError(f"expected predictions for {len(words)} tokens, as in word_ids, got {length}")
    return np.append(words[:length], np.full(max(length - len(words), 0), -1))


def _counted(word_ids: NDArray[np.int64], label_ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which tokens have labels. Raises ValueError if one is no word's: then the labels are those of another row."""
    counted = np.zeros(len(word_ids), bool)
    counted[: len(label_ids)] = label_ids[: len(word_ids)] != IGNORED
    wrong = np.flatnonzero(counted & (word_ids < 0))
    if len(wrong):
        problem = f"token {wrong[0]} has a label, but belongs to no word in word_ids"
        raise ValueError(f"{problem}; are these the rows of word_ids, in their order?")
    return counted
