"""What label corrections do to scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from docie.core.counts import Counts, Number
from docie.core.errors import DocumentError
from docie.core.family import Family, get
from docie.core.phrases import counted
from docie.core.scores import headline_of
from docie.core.settings import settings_of_document
from docie.corpus.runs.answers import answers_of, counts_of
from docie.inputs.row import Pair
from docie.show.section import number

Scores = Mapping[str, Mapping[str, Number]]
"""From each family to its scores."""


class Before:
    """Counts documents as they were before their labels were corrected, by each family."""

    def __init__(self, families: Mapping[str, Family], settings: Mapping[str, Any]) -> None:
        self._families, self._settings = families, settings
        self._counts = {name: Counts() for name in families}

    def watched(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """The pairs, which are counted while they pass."""
        for pair in pairs:
            reference = pair.reference
            label = reference.document if reference.uncorrected is None else reference.uncorrected
            for name, family in self._families.items():
                with suppress(DocumentError):  # whoever counts the document will say so
                    settings = settings_of_document(self._settings[name], pair.id)
                    each = counts_of(family.count, answers_of(pair.prediction), label, settings)
                    self._counts[name] += Counts.mean_of(each)
            yield pair

    @property
    def scores(self) -> Scores:
        """The scores of each family."""
        return {name: family.score(self._counts[name]) for name, family in self._families.items()}


def effect_lines(before: Scores, after: Scores, corrections: int) -> Iterator[str]:
    """The headline of each family before and after so many labels were corrected.

    >>> [*effect_lines({"hed": {"uhed_f1": 0.5}}, {"hed": {"uhed_f1": 0.75}}, 2)]
    ['uhed_f1 0.5000 → 0.7500 by 2 label corrections']
    """
    for name, scores in before.items():
        headline = headline_of(get(name))
        change = f"{number(scores[headline])} → {number(after[name][headline])}"
        yield f"{headline} {change} by {counted(corrections, 'label correction')}"
