"""Predictions of token classification, in every form in which trainers and models give them → rows of tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import shortened

_MOST_LISTS = 8  # around a number; more are a list that contains itself


class Row(NamedTuple):
    """The label ids of a row of tokens. Of logits also the probabilities (tokens × labels), and the largest of each
    token."""

    ids: NDArray[np.int64]
    confidences: NDArray[np.float64] | None = None
    probabilities: NDArray[np.float64] | None = None


def read_rows(values: Any) -> Iterator[Row]:
    """The rows of logits or of label ids.

    Args:
        values (array): logits, which are floating-point numbers (rows × tokens × labels), or label ids, which are whole
            numbers (rows × tokens): an array or a tensor, a list of such batches or of single rows, a tuple of a
            model's outputs, logits first, or a tuple of ids and confidences.

    Returns:
        iterator of Row: the rows.

    Raises:
        ValueError: for anything else.

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


def _check_lists(values: Any) -> None:
    """Raise ValueError for lists in lists of which there is no end."""
    inner = values
    for _ in range(_MOST_LISTS):
        if not isinstance(inner, list | tuple) or not inner:
            return
        inner = inner[0]
    raise ValueError(f"expected rows of tokens in less than {_MOST_LISTS} lists, got {shortened(values)}")


def _outputs(values: tuple[Any, ...]) -> Iterator[Row]:
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
        yield Row(ids, np.nan_to_num(confidences_of_row))


def _array(values: Any) -> NDArray[Any] | None:
    """A tensor or nested lists as an array; None for a list whose parts differ in shape, or are arrays."""
    if hasattr(values, "detach"):  # a tensor of torch
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
    """The row of logits, by softmax. NaN, which a model that has diverged gives, has the confidence 0."""
    scores = logits.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        powers = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        probabilities = np.nan_to_num(powers / powers.sum(axis=1, keepdims=True))
    return Row(scores.argmax(axis=1), probabilities.max(axis=1, initial=0.0), probabilities)
