"""Token classification outputs, in all formats of trainers and models → rows of tokens, and for each window of tokens
the label, the confidence and the rank of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import shortened

_MOST_LISTS = 8  # around a number; more mean a list that contains itself


class Row(NamedTuple):
    """The label ids of a row of tokens. For logits also the probabilities (tokens × labels), the largest of each
    token, and which tokens have none, because their logits are NaN."""

    ids: NDArray[np.int64]
    confidences: NDArray[np.float64] | None = None
    probabilities: NDArray[np.float64] | None = None
    is_nan: NDArray[np.bool_] | None = None


def read_rows(values: Any) -> Iterator[Row]:
    """The rows of logits or of label ids.

    Args:
        values (array): logits, which are floating-point numbers (rows × tokens × labels), or label ids, which are whole
            numbers (rows × tokens): an array or a tensor, a list of such batches or of single rows, a tuple of a
                model's
            outputs, logits first, or a tuple of ids and confidences.

    Returns:
        iterator of Row: the rows.

    Raises:
        ValueError: if it is anything else.

    >>> [row.ids.tolist() for row in read_rows([[[0.5, 2.5], [3.0, 1.0]]])]
    [[1, 0]]
    >>> [row.ids.tolist() for row in read_rows([[1, 0], [2]])]
    [[1, 0], [2]]
    """
    if isinstance(values, tuple):
        yield from _outputs(values)
        return
    _check_lists(values)
    array = _array(values)
    if array is None or array.ndim > (3 if array.dtype.kind == "f" else 2):
        for part in values:
            yield from read_rows(part)
    elif array.dtype.kind == "f" and array.ndim in (2, 3):
        yield from map(_with_probabilities, array.reshape(-1, *array.shape[-2:]))
    elif array.dtype.kind in "iu" and array.ndim in (1, 2):
        yield from map(Row, np.atleast_2d(array).astype(np.int64))
    elif array.size or array.ndim != 1:
        raise ValueError(
            f"expected logits (rows × tokens × labels) or label ids (rows × tokens), got {shortened(values)}"
        )


def _check_lists(values: object) -> None:
    """Raise ValueError for endlessly nested lists."""
    inner = values
    for _ in range(_MOST_LISTS):
        if not isinstance(inner, list | tuple) or not inner:
            return
        inner = inner[0]
    raise ValueError(f"expected rows of tokens in less than {_MOST_LISTS} lists, got {shortened(values)}")


def _outputs(values: tuple[object, ...]) -> Iterator[Row]:
    """The rows of a model's outputs: logits and whatever follows, or ids and confidences."""
    if not values:
        raise ValueError("expected logits or label ids, got an empty tuple")
    first = _array(values[0])
    if first is None or first.dtype.kind == "f" or len(values) == 1:
        yield from read_rows(values[0])
        return
    confidences = _array(values[1])
    if confidences is None or confidences.shape != first.shape or first.ndim != 2:
        shapes = f"{first.shape} and {None if confidences is None else confidences.shape}"
        raise ValueError(f"expected label ids and as many confidences, got arrays of the shapes {shapes}")
    for ids, confidences_of_row in zip(first.astype(np.int64), confidences.astype(np.float64), strict=True):
        yield Row(ids, np.nan_to_num(confidences_of_row), is_nan=np.isnan(confidences_of_row))


def _array(values: Any) -> NDArray[Any] | None:
    """A tensor or nested lists as an array; None for a list whose parts differ in shape, or are arrays."""
    if hasattr(values, "detach"):  # a torch tensor
        values = values.detach().cpu()
        values = (values.float() if values.is_floating_point() else values).numpy()  # numpy has no bfloat16
    if isinstance(values, list) and any(isinstance(part, tuple) or hasattr(part, "shape") for part in values):
        return None
    try:
        return np.asarray(values)
    except ValueError:
        if isinstance(values, list):
            return None
        raise


def _with_probabilities(logits: NDArray[Any]) -> Row:
    """The row of logits, by softmax. NaN, the output of a model that has diverged, has the confidence 0."""
    scores = logits.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        powers = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        shares = powers / powers.sum(axis=1, keepdims=True)
    probabilities = np.nan_to_num(shares)
    best = probabilities.max(axis=1, initial=0.0)
    return Row(scores.argmax(axis=1), best, probabilities, np.isnan(shares).any(axis=1))


Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_STEP = 1 << 32  # more than any number of tokens


class Words(NamedTuple):
    """Distinct words by their positions in the document, with label ids, confidences (NaN: unknown) and ranks.

    If two windows show a word, the one with the higher rank is used.
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
        row: the model's output for the tokens.
        word_ids: the word of each token, -1 for none.
        is_labelled: which tokens have labels; None: all tokens of words.
        strategy: how the label of a word is derived from its sub-words.
        is_first: whether it is the first window of its document.
        is_last: whether it is the last one.
    """
    inside = np.flatnonzero(word_ids >= 0)
    tokens = inside
    if is_labelled is not None:  # often only the first sub-word has a label; the others belong to the word all the same
        tokens = np.flatnonzero(is_labelled if strategy == "first" else np.isin(word_ids, word_ids[is_labelled]))
    tokens = tokens[np.argsort(word_ids[tokens], kind="stable")]
    if not len(tokens):
        return Words(tokens, tokens, tokens.astype(np.float64), tokens)
    words, starts, counts = np.unique(word_ids[tokens], return_index=True, return_counts=True)
    ids, confidences = _READERS[strategy](row, tokens, starts, counts)
    # the number of tokens before and after a word in the window; the document's own ends cut nothing off
    before, behind = tokens[starts] - inside[0], inside[-1] - tokens[starts + counts - 1]
    none_cut = np.full(len(words), _STEP - 1)
    context = np.minimum(none_cut if is_first else before, none_cut if is_last else behind)
    shown = counts
    if strategy == "first":  # the first word of the window may have begun before it
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
"""How the label of a word is derived from its sub-words."""
