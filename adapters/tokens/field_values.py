"""Scores of words → the values of fields."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from docie.core.settings import check_fraction, check_list, check_whole
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag

from ..grouping.documents import Entity
from .labels import Id2Label, label_names


def field_values(
    scores: object,
    words: Sequence[str],
    id2label: Id2Label,
    *,
    threshold: float = 0.1,
    multi_word: Collection[str] = (),
    gap: int = 2,
) -> list[Entity]:
    """The values of a form's fields from the scores of its words, as input for `grouping.to_document`, say.

    A word belongs to the field with its highest score. The value of a field is the word with the highest score, if that
    is above the threshold. For fields of several words, all words above it count, and words near each other form one
    value.

    Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021). The
    paper does not state how near words must be: `gap` is docie's choice.

    Args:
        scores (array): words × labels, probabilities from 0 to 1: a numpy array, a torch tensor or lists.
        words (list of str): the words.
        id2label (dict or list): the names of the labels: fields and "O", or tags. B-total and I-total are one field,
            whose score is their sum.
        threshold (float): the score that a word must exceed, from 0 to 1.
        multi_word (list of str): the fields of several words, such as ["company", "address"].
        gap (int): the largest number of other words between two words of one value.

    Returns:
        list of Entity: the values in the order of their first words. The confidence of a value is its lowest score.

    Raises:
        ValueError: if scores have another shape or are outside 0 to 1, or if an option is out of range.

    >>> words, labels = ["Kedai", "Kopi", "Total", "4.50"], ["O", "company", "total"]
    >>> scores = [[0.1, 0.8, 0.1], [0.3, 0.6, 0.1], [0.6, 0.0, 0.4], [0.2, 0.0, 0.8]]
    >>> field_values(scores, words, labels, multi_word=["company"])
    [Entity(type='company', value='Kedai Kopi', confidence=0.6, group=None),
     Entity(type='total', value='4.50', confidence=0.8, group=None)]
    """
    check_list("words", words)
    check_list("multi_word", multi_word)
    check_fraction("threshold", threshold)
    check_whole("gap", gap, 0)
    fields, columns = _by_field(_matrix(scores, len(words), len(id2label)), label_names(id2label))
    if not fields:
        return []
    best, highest = columns.argmax(axis=1), columns.max(axis=1)
    found: list[list[int]] = []
    for number, field in enumerate(fields):
        own = np.flatnonzero((best == number) & (highest > threshold))
        if len(own) and field not in multi_word:
            own = own[[highest[own].argmax()]]
        values = np.split(own, np.flatnonzero(np.diff(own) > gap + 1) + 1)  # words near each other are one
        found += [value.tolist() for value in values if len(value)]
    return [
        Entity(fields[best[value[0]]], " ".join(words[word] for word in value), float(highest[value].min()))
        for value in sorted(found)
    ]


def _matrix(scores: object, words: int, labels: int) -> NDArray[np.float64]:
    matrix = np.asarray(scores, dtype=float)
    if words == 0 and matrix.size == 0:
        return np.zeros((0, labels))
    if matrix.shape != (words, labels):
        raise ValueError(f"scores must be {words} words × {labels} labels, got the shape {matrix.shape}")
    if not ((matrix >= 0) & (matrix <= 1)).all():
        raise ValueError("scores must be probabilities from 0 to 1; logits need a softmax first")
    return matrix


def _by_field(scores: NDArray[np.float64], names: dict[int, str]) -> tuple[list[str], NDArray[np.float64]]:
    """The fields, and the score of each word in each. The columns of one field are added."""
    are_tags = all(map(is_tag, names.values()))
    columns: dict[str, list[int]] = {}
    for column, number in enumerate(sorted(names)):
        field = split_tag(names[number])[1] if are_tags else names[number]
        if field not in ("", OUTSIDE):
            columns.setdefault(field, []).append(column)
    totals = [scores[:, own].sum(axis=1) for own in columns.values()]
    return [*columns], np.minimum(np.stack(totals, axis=1), 1.0) if totals else scores[:, :0]
