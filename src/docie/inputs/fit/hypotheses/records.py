"""Groups that are written as records of another kind."""

from __future__ import annotations

from collections.abc import Iterator

from docie.inputs.fit.change import Change
from docie.inputs.fit.sample import SIDES, Sample
from docie.inputs.fit.telling import worth_telling
from docie.inputs.reading import RECORDS, both

HIDDEN = {"pairs", "numbered", "columns", "cells"}
"""The kinds of records whose values agree in the wrong rows, if references and predictions have them."""


def propose(sample: Sample) -> Iterator[Change]:
    """Groups that are written as records of another kind, each kind by itself and with what it brings to light."""
    for kind in _kinds(sample):
        if found := list(_records(sample, [kind])):
            yield from found
            continue
        for other in _kinds(sample.under(both("records", [kind]))):
            if other != kind:
                yield from _records(sample, [kind, other])


def _kinds(sample: Sample) -> list[str]:
    """The kinds of records in a sample that are not read yet."""
    return [
        kind
        for kind in RECORDS
        if kind in set().union(*sample.records) and kind not in sample.reading.predictions.records
    ]


def _records(sample: Sample, kinds: list[str]) -> Iterator[Change]:
    listed = " and ".join(repr(kind) for kind in kinds)
    sides = [f"{side}s" for side, found in zip(SIDES, sample.records, strict=True) if found & {*kinds}]
    text = f"groups are written as {listed} in the {' and the '.join(sides)}"
    is_trap = len(sides) == 2 and {*kinds} <= HIDDEN
    yield from worth_telling(sample, "records", both("records", kinds), text, is_trap=is_trap)
