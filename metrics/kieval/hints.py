"""Hints that incorrect values are the correct ones in a different format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from docie.core.normalizers.same_value import may_be_same_value, same_value
from docie.documents.leaves import answers_of
from docie.documents.multisets import Token
from docie.metrics.kieval.automation import pair_substitutions

if TYPE_CHECKING:
    from docie.metrics.kieval.metric import Comparison
    from docie.metrics.kieval.options import Settings

LOOK_AT = 10
"""The number of substitutions in the sample: reading two values as amounts and dates takes up to a third of the time
that a receipt takes."""
MOST_PAIRS = 1000
"""Groups with more pairs of an incorrect and a missing value are left out: pairing them takes long."""
FEW, SHARE = 2, 0.1
"""A hint needs at least this many substitutions, and at least this share of the sample."""
IS_FORM = "are the same value in a different format; see the option normalize"


class Hints:
    """Inspects a sample of substitutions while documents are counted: how many of them a normalizer may fix.

    Args:
        settings (Settings): the options of KIEval.

    >>> from docie import kieval
    >>> hints = Hints(kieval.Settings())
    >>> counts = kieval.count({"total": ["1.0", "2.0"]}, {"total": [1, 2]}, hints.settings, hints)
    >>> list(Hints.lines(hints.seen, is_normalized=False))
    ['2 of 2 substitutions are the same value in a different format; see the option normalize']
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.seen: dict[str, Any] = {"substitutions": 0, "form": 0, "ambiguous": 0, "left_out": 0, "example": []}

    def note(self, comparisons: Iterable[Comparison]) -> None:
        """Inspect the groups of a document, as they were compared."""
        if self.settings.match is not None or self.seen["left_out"]:
            return
        for _, predicted, _, _, wrong, missed in comparisons:
            if not wrong or not missed or not predicted:
                continue
            if len(wrong) * len(missed) > MOST_PAIRS:
                self.seen["left_out"] = 1
                return
            for pair in sorted(pair_substitutions(predicted, wrong, missed)):
                if self.seen["substitutions"] == LOOK_AT:
                    self.seen["left_out"] = 1
                    return
                self._compare(*pair)

    @staticmethod
    def lines(seen: Mapping[str, Any], *, is_normalized: bool) -> Iterator[str]:
        """The hints for a corpus, from the sum of `seen` over its parts, and from how it was scored."""
        few = max(FEW, SHARE * seen["substitutions"])
        sample = f"{seen['substitutions']:,} {'sampled ' if seen['left_out'] else ''}substitutions"
        if seen["form"] >= few and not is_normalized:
            yield f"{seen['form']:,} of {sample} {IS_FORM}"
        if seen["ambiguous"] >= few:
            texts = " and ".join(map(repr, seen["example"]))
            yield (
                f"{seen['ambiguous']:,} of {sample} may be the same amount or date ({texts}, "
                'say), but can be read in two ways: normalizers leave them as they are, unless money(decimal=",") or '
                "date(day_first=True) states the reading"
            )

    def _compare(self, wrong: Token, missed: Token) -> None:
        self.seen["substitutions"] += 1
        if is_form_only(wrong[1], answers_of(missed[1])):
            self.seen["form"] += 1
            return
        same = next((text for text in answers_of(missed[1]) if may_be_same_value(wrong[1], text)), None)
        if same is not None:
            self.seen["ambiguous"] += 1
            self.seen["example"] = self.seen["example"] or [str(wrong[1]), str(same)]


def is_form_only(prediction: str | None, answers: Iterable[str]) -> bool:
    """Whether a predicted value is one of the accepted answers in a different format."""
    return prediction is not None and any(same_value(prediction, answer) for answer in answers)
