"""Hints that many corrections are values in another format."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.errors import DocumentError
from docie.core.normalizers.same_value import may_be_same_value
from docie.core.values.plain import scalars
from docie.documents.multisets import Token
from docie.metrics.kieval.errors.kinds import answers_of, is_form_only
from docie.metrics.kieval.errors.pairs import Pair, pairs_of
from docie.metrics.kieval.errors.rows import texts_of
from docie.metrics.kieval.options import Settings

LOOK_AT = 100
"""The number of documents that are matched once more."""
MOST_VALUES = 10_000
"""The number of values that are in these documents at most: further documents are left out."""
FEW, SHARE = 5, 0.05
"""There is a hint on at least so many corrections, and at least this share of them."""


class Hints:
    """Looks at the first documents of a corpus: how many of their corrections a normaliser may save.

    Args:
        settings (Settings): the options of KIEval.

    >>> hints = Hints(Settings())
    >>> hints.note({"total": [f"{n}.0" for n in range(9)]}, {"total": list(range(9))})
    >>> list(hints.lines(hints.seen(), documents=1))
    ['9 of 9 corrections are the same value in a different format; see the option normalize']
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pairs: list[tuple[object, object]] = []
        self._seen = {"documents": 0, "corrections": 0, "form": 0, "ambiguous": 0}
        self._example: list[str] = []

    def note(self, prediction: object, reference: object) -> None:
        """Keep a pair of documents, of the first ones."""
        if len(self._pairs) < LOOK_AT and self.settings.match is None:
            self._pairs.append((prediction, reference))

    def seen(self) -> dict[str, Any]:
        """The numbers of documents, of their corrections, and of values in another format; and an example."""
        pairs, self._pairs, left = self._pairs, [], MOST_VALUES
        for pair in pairs:
            with contextlib.suppress(DocumentError):  # who scores it says so
                left -= sum(1 for _ in scalars(pair))
                if left < 0:
                    break
                self._look(*pair)
        return {**self._seen, "example": self._example}

    def lines(self, seen: Mapping[str, Any], documents: int) -> Iterator[str]:
        """The hints on what was seen in a corpus of so many documents."""
        corrections = seen["corrections"]
        few = max(FEW, SHARE * corrections)
        where = f" in {seen['documents']:,} of {documents:,} documents" if seen["documents"] < documents else ""
        if seen["form"] >= few and self.settings.normalize is None and self.settings.schema is None:
            yield (
                f"{seen['form']:,} of {corrections:,} corrections{where} are the same value in a different format; "
                "see the option normalize"
            )
        if seen["ambiguous"] >= few:
            texts = " and ".join(map(repr, seen["example"]))
            yield (
                f"{seen['ambiguous']:,} of {corrections:,} corrections{where} may be the same amount or date ({texts}, "
                'say), but can be read in two ways: normalisers leave them as they are, unless money(decimal=",") or '
                "date(day_first=True) states the reading"
            )

    def _look(self, prediction: object, reference: object) -> None:
        self._seen["documents"] += 1
        for pair in pairs_of(prediction, reference, self.settings):
            for _, wrong, missed in pair.differences():
                self._seen["corrections"] += 1
                if wrong and missed:
                    self._compare(pair, wrong, missed)

    def _compare(self, pair: Pair, wrong: Token, missed: Token) -> None:
        """Look at a substitution: the values as they were written, and as they are compared."""
        if is_form_only(*texts_of(pair, wrong, missed)):
            self._seen["form"] += 1
            return
        same = next((text for text in answers_of(missed[1]) if may_be_same_value(wrong[1], text)), None)
        if same is not None:
            self._seen["ambiguous"] += 1
            self._example = self._example or [str(wrong[1]), str(same)]
