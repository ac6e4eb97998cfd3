"""Which documents broke from one system to another: they lost half of their own score, or can no longer be read.

A gate averages over documents, so a few that fail as wholes can hide behind many that do not. They are listed by name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from docie.comparison.results import BrokenDocument, Comparison
from docie.comparison.significance import ROUNDING
from docie.core.family import Family
from docie.core.phrases import counted, figure, some_of, verb
from docie.core.scores import is_better_low, main_of, score_of

Floats = NDArray[np.float64]
INVALID = "invalid_predictions"
LOST = 0.5
"""A document that loses this share of its own score, or more, is broken."""
UNREADABLE, EMPTY, FELL = "can no longer be read", "empty", "lost half of its score or more"
"""What happened to a document."""
MOST_NAMED = 10
"""The broken documents that are named in a line."""
_OPEN_ENDED = ("count", "length", "cost")


class Broken:
    """Finds documents that broke.

    Args:
        family: the family that scored the documents.
        scores: the scores that are compared.
        known: all scores of the family.

    Attributes:
        names: what has to be known of each document by itself.
    """

    def __init__(self, family: Family, scores: Iterable[str], known: Collection[str]) -> None:
        self._family = family
        self._own = {score: own_score(family, score, known) for score in scores}
        self.names = [*dict.fromkeys([*self._own, *filter(None, self._own.values()), INVALID])]

    def documents(
        self,
        row: Comparison,
        one: Mapping[str, Floats],
        other: Mapping[str, Floats],
        places: Iterable[int],
        names: Sequence[str | int],
        empty: Collection[int],
    ) -> list[BrokenDocument]:
        """The documents that broke, in the given order.

        Args:
            row: the comparison of two systems.
            one, other: for each system, the values of `names` of all documents.
            places: the documents to look at, by their positions.
            names: the ids of all documents.
            empty: those for which the second system gave no value.
        """
        score = self._own[row["score"]]
        unreadable = other[INVALID] > one[INVALID]
        fell = np.zeros(len(unreadable), dtype=bool)
        if score is not None:
            fell = fallen(one[score], other[score], is_better_low=is_better_low(self._family, score))
        shown = score or row["score"]
        return [
            {
                "document": names[place],
                "score": shown,
                "value_a": float(one[shown][place]),
                "value_b": float(other[shown][place]),
                "reason": UNREADABLE if unreadable[place] else EMPTY if place in empty else FELL,
            }
            for place in places
            if unreadable[place] or fell[place]
        ]


def fallen(one: Floats, other: Floats, *, is_better_low: bool) -> NDArray[np.bool_]:
    """Which documents lost half of their own score or more; where lower is better, half of 1 - score, not below 0.

    >>> fallen(np.array([1.0, 0.8, 0.0]), np.array([0.5, 0.5, 0.0]), is_better_low=False).tolist()
    [True, False, False]
    >>> fallen(np.array([0.1, 0.2, 1.5]), np.array([0.6, 0.4, 3.0]), is_better_low=True).tolist()
    [True, False, False]
    """
    if is_better_low:
        one, other = np.maximum(0, 1 - one), np.maximum(0, 1 - other)
    lost: NDArray[np.bool_] = (one > ROUNDING) & (other <= (1 - LOST) * one + ROUNDING)
    return lost


def own_score(family: Family, score: str, known: Collection[str]) -> str | None:
    """The score of which half can be lost: this one or, for one that counts errors or what they cost, the headline.

    >>> from docie import kieval
    >>> known = ["entity_f1", "corrections", "true_positives"]
    >>> [own_score(kieval, name, known) for name in known]
    ['entity_f1', 'entity_f1', 'true_positives']
    """
    for name in (score, main_of(family, known)) if _is_open_ended(family, score) else (score,):
        if not _is_open_ended(family, name):
            return name
    return None


def _is_open_ended(family: Family, score: str) -> bool:
    return score_of(family, score).kind in _OPEN_ENDED and is_better_low(family, score)


def broken_line(row: Comparison) -> str:
    """The documents of a comparison that broke, with what happened to each; empty if none did.

    >>> fallen = {"document": "r-7", "score": "f1", "value_a": 0.9, "value_b": 0.0, "reason": "empty"}
    >>> broken_line({"b": "new", "broken": [fallen]})
    '1 document of new lost half of its f1 or more, or can no longer be read: r-7 (0.9000 → 0.0000, empty).'
    """
    broken = row.get("broken")
    if not broken:
        return ""
    what = f"lost half of {verb(len(broken), 'its', 'their')} {broken[0]['score']} or more, or can no longer be read"
    return f"{counted(len(broken), 'document')} of {row['b']} {what}: {some_of(_told(broken), MOST_NAMED)}."


def _told(broken: Iterable[BrokenDocument]) -> Iterator[str]:
    for each in broken:
        values = f"{figure(each['value_a'])} → {figure(each['value_b'])}"
        said = {FELL: values, EMPTY: f"{values}, empty"}.get(each["reason"], each["reason"])
        yield f"{each['document']} ({said})"
