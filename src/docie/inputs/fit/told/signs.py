"""Texts that differ in accents, case, punctuation or blanks only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from docie.core.normalizers.signs import KINDS, differences
from docie.core.phrases import enumerated, some_of
from docie.inputs.fit.change import LISTED, OF_TEXTS, Change, is_found
from docie.inputs.fit.hypotheses.formats import MOST_NAMES, MOST_PAIRS, Open, is_enough, open_texts
from docie.inputs.fit.sample import Sample

_ADVICE = "; alphanumeric drops punctuation and blanks, those of 1.5 too"
Pair = tuple[str, str, list[str]]
"""A predicted text, one of the references, and the kinds of signs in which they differ."""


def propose(sample: Sample) -> Iterator[Change]:
    """The types whose texts differ so from those of the references: told, since a model that drops signs is wrong."""
    found: dict[bool, dict[str, list[Pair]]] = {False: {}, True: {}}
    for name, texts in open_texts(sample, sample.entities).items():
        concerned = sum(min(len(each.predicted), len(each.expected)) for each in texts)
        pairs = [pair for each in texts for pair in _pairs(each)]
        for has_accents, of_types in found.items():
            same = [pair for pair in pairs if ("accents" in pair[2]) == has_accents]
            if is_found(len(same), concerned, OF_TEXTS) and is_enough(sample, name, len(same)):
                of_types[name] = same
    for has_accents, of_types in found.items():
        pairs = [*chain(*of_types.values())]
        if pairs:
            text = f"values of {some_of(map(repr, of_types), MOST_NAMES)} {_difference(pairs)}"
            yield Change("format", {}, len(pairs), 0, text + _ADVICE * (not has_accents), sample)


def _difference(pairs: Sequence[Pair]) -> str:
    """In which kinds of signs texts differ, with examples."""
    kinds = [kind for kind in KINDS if any(kind in pair[2] for pair in pairs)]
    examples = dict.fromkeys(f"{one!r} for {other!r}" for one, other, _ in pairs)
    return f"differ from those in the references in {enumerated(kinds)} only: {', '.join([*examples][:LISTED])}"


def _pairs(texts: Open) -> Iterator[Pair]:
    """The texts of a document that differ so, each paired once."""
    left = [*texts.expected]
    for text in texts.predicted if len(left) * len(texts.predicted) <= MOST_PAIRS else ():
        for other in left:
            if kinds := differences(text, other):
                left.remove(other)
                yield text, other, kinds
                break
