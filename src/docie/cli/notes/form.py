"""The hint that many corrections are values that differ in form only."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from docie.normalizers import standard_form

LOOK_AT = 500
"""The number of documents that are scored once more."""
FEW, SHARE = 5, 0.05
"""There is a hint if form alone makes at least so many corrections, and at least this share of them."""

Pair = tuple[Any, Any]


class FormHint:
    """Keeps the first documents of a corpus, and looks at the form of their values."""

    def __init__(self) -> None:
        self.pairs: list[Pair] = []
        self.documents = 0

    def watch(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Pass the pairs (prediction, reference) on."""
        for pair in pairs:
            if self.documents < LOOK_AT:
                self.pairs.append(pair)
            self.documents += 1
            yield pair

    def lines(self, settings: Any, corrections: int) -> Iterator[str]:
        """The hint, if there is one. Settings that already say when a value is right give none.

        Args:
            settings: those of KIEval.
            corrections: the number of corrections in all documents.
        """
        if settings.normalize is not None or settings.match is not None or settings.schema is not None:
            return
        plain = corrections if self.documents <= LOOK_AT else self._corrections(settings)
        same_form = self._corrections(dataclasses.replace(settings, normalize=standard_form))
        if plain - same_form >= max(FEW, SHARE * plain):
            where = f" in the first {LOOK_AT} documents" if self.documents > LOOK_AT else ""
            yield (
                f"{plain - same_form:,} of {plain:,} corrections{where} are values that differ in form only; "
                "see --normalize"
            )

    def _corrections(self, settings: Any) -> int:
        from docie import corpus, kieval

        predictions, references = ([pair[side] for pair in self.pairs] for side in (0, 1))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return int(corpus.evaluate(kieval, predictions, references, settings)["corrections"])
