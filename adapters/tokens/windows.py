"""One window of tokens → the label, the confidence and the rank of each of its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rows import Row

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_STEP = 1 << 32  # more than any number of tokens


class Words(NamedTuple):
    """Distinct words by their positions in the document, with their label ids, confidences (NaN: not known) and ranks.

    Of two windows that show a word, the one with the higher rank counts.
    """

    words: Integers
    ids: Integers
    confidences: Floats
    ranks: Integers


def read_window(
    row: Row, word_ids: Integers, is_labelled: NDArray[np.bool_] | None, strategy: str, *, is_first: bool, is_last: bool
) -> Words:
    """The words of one window; see `word_labels`.

    Args:
        row: what the model says of the tokens.
        word_ids: the word of each token, -1 for none.
        is_labelled: which tokens have labels; None: all tokens of words.
        strategy: how the label of a word is made of those of its sub-words.
        is_first: whether it is the first window of its document.
        is_last: whether it is the last one.
    """
    inside = np.flatnonzero(word_ids >= 0)
    tokens = inside
    if is_labelled is not None:  # usually only the first sub-word of a word is; the others are the word's all the same
        tokens = np.flatnonzero(is_labelled if strategy == "first" else np.isin(word_ids, word_ids[is_labelled]))
    tokens = tokens[np.argsort(word_ids[tokens], kind="stable")]
    if not len(tokens):
        return Words(tokens, tokens, tokens.astype(np.float64), tokens)
    words, starts, counts = np.unique(word_ids[tokens], return_index=True, return_counts=True)
    ids, confidences = _READERS[strategy](row, tokens, starts, counts)
    # how many tokens stand before and behind a word in the window; the document's own ends cut nothing off
    before, behind = tokens[starts] - inside[0], inside[-1] - tokens[starts + counts - 1]
    none_cut = np.full(len(words), _STEP - 1)
    context = np.minimum(none_cut if is_first else before, none_cut if is_last else behind)
    shown = counts
    if strategy == "first":  # the word at the beginning of the window may have begun before it
        shown = ((before > 0) | is_first | (is_labelled is not None)).astype(np.int64)
    return Words(words, ids, np.full(len(ids), np.nan) if confidences is None else confidences, shown * _STEP + context)


def _first(row: Row, tokens: Integers, starts: Integers, counts: Integers) -> tuple[Integers, Floats | None]:
    at = tokens[starts]
    return row.ids[at], None if row.confidences is None else row.confidences[at]


def _max(row: Row, tokens: Integers, starts: Integers, counts: Integers) -> tuple[Integers, Floats | None]:
    if row.confidences is None:
        raise ValueError("strategy 'max' needs logits, or label ids with confidences")
    word = np.repeat(np.arange(len(starts)), counts)
    at = tokens[np.lexsort((-row.confidences[tokens], word))[starts]]
    return row.ids[at], row.confidences[at]


def _mean(row: Row, tokens: Integers, starts: Integers, counts: Integers) -> tuple[Integers, Floats | None]:
    if row.probabilities is None:
        raise ValueError("strategy 'mean' needs logits: label ids do not say how probable the other labels are")
    means = np.add.reduceat(row.probabilities[tokens], starts, axis=0) / counts[:, None]
    return means.argmax(axis=1), means.max(axis=1)


_READERS: dict[str, Callable[[Row, Integers, Integers, Integers], tuple[Integers, Floats | None]]] = {
    "first": _first,
    "mean": _mean,
    "max": _max,
}
STRATEGIES = tuple(_READERS)
"""How the label of a word is made of those of its sub-words."""
