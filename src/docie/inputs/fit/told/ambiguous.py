"""Amounts and dates that can be read in two ways: nobody but the user knows which is meant."""

from __future__ import annotations

from collections.abc import Iterator

from docie.core.normalizers.same_value import may_be_same_value, same_value
from docie.core.phrases import counted
from docie.inputs.fit.change import LEAST, Change
from docie.inputs.fit.hypotheses.formats import MOST_PAIRS, open_texts
from docie.inputs.fit.sample import Sample


def propose(sample: Sample) -> Iterator[Change]:
    """Amounts and dates that may be the same, but can be read in two ways: nobody but the user knows which is meant."""
    number, example = 0, ("", "")
    for texts in open_texts(sample, sample.entities).values():
        for predicted, expected, _ in texts:
            if len(predicted) * len(expected) > MOST_PAIRS:
                continue
            left = [*expected]
            for text in predicted:
                same = next((each for each in left if _may_be_same(text, each)), None)
                if same is not None:
                    left.remove(same)
                    number, example = number + 1, example if number else (text, same)
    if number >= LEAST:
        text = (
            f"{counted(number, 'value')} can be read in two ways ({example[0]!r} and {example[1]!r}, say) and were "
            'left as text: number(decimal=","), date(day_first=True) and values.normalize_by say how they are meant'
        )
        yield Change("ambiguous", {}, number, 0, text, sample)


def _may_be_same(one: str, other: str) -> bool:
    return may_be_same_value(one, other) and not same_value(one, other)
