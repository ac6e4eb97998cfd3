"""To which documents rows belong, to which words tokens, and which tokens have labels; with checks."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.errors import shortened
from docie.core.settings import check_list

MOST_WORDS = 10_000_000  # in a document; larger numbers are not word_ids
IGNORED = -100
"""The label id of ignored tokens."""


def documents_of_rows(rows: int, documents: Sequence[int] | None, lengths: Sequence[int] | None) -> list[int]:
    """The document of each row."""
    _check_whole_numbers("lengths", lengths)
    _check_whole_numbers("documents", documents)
    if documents is None:
        if lengths is not None and len(lengths) != rows:
            problem = f"got {rows} rows for {len(lengths)} documents"
            raise ValueError(f"{problem}; pass `documents=` to assign rows to documents")
        return list(range(rows))
    if len(documents) != rows:
        raise ValueError(f"expected as many documents as word_ids has rows, got {len(documents)} and {rows}")
    numbers = [int(document) for document in documents]
    end = max(numbers, default=-1) + 1 if lengths is None else len(lengths)
    for row, number in enumerate(numbers):
        if not 0 <= number < end:
            raise ValueError(f"row {row}: expected a document between 0 and {end - 1}, got {number}")
    return numbers


def _check_whole_numbers(name: str, numbers: Any) -> None:
    """Raise ValueError unless these are None, or whole numbers of at least 0."""
    if numbers is None:
        return
    check_list(name, numbers)
    wrong = [
        number for number in numbers if not (isinstance(number, Integral) or hasattr(number, "detach"))
    ]  # a tensor
    if wrong:
        raise ValueError(f"{name} must be whole numbers, got {shortened(wrong[0])}")


def word_ids_of_tokens(word_ids: Sequence[int | None], tokens: int) -> NDArray[np.int64]:
    """The word of each token of a row, -1 for none. `word_ids` may lack a batch's padding."""
    has_lists = isinstance(word_ids, list | tuple) and any(isinstance(word, list | tuple) for word in word_ids[:1])
    try:
        numbers = np.nan_to_num(np.asarray(() if has_lists else word_ids, dtype=np.float64), nan=-1)
    except (TypeError, ValueError, OverflowError):
        numbers = np.zeros(())
    if has_lists or numbers.ndim != 1 or not (np.abs(numbers) <= MOST_WORDS).all():
        raise ValueError(f"word_ids must be whole numbers up to {MOST_WORDS:,} or None, got {shortened(word_ids)}")
    words = numbers.astype(np.int64)
    if (words[tokens:] >= 0).any():
        raise ValueError(f"expected predictions for {len(words)} tokens, as in word_ids, got {tokens}")
    return np.append(words[:tokens], np.full(max(tokens - len(words), 0), -1))


def labelled(word_ids: NDArray[np.int64], label_ids: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which tokens have labels. Raises ValueError if one of them is outside words: the labels belong to another row."""
    is_labelled = np.zeros(len(word_ids), bool)
    is_labelled[: len(label_ids)] = label_ids[: len(word_ids)] != IGNORED
    wrong = np.flatnonzero(is_labelled & (word_ids < 0))
    if len(wrong):
        problem = f"token {wrong[0]} has a label, but belongs to no word in word_ids"
        raise ValueError(f"{problem}; check that rows and word_ids are of the same data set, in the same order")
    return is_labelled
