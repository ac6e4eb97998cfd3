"""HED and UHED, seen: which characters of each field both sides share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from docie.core.counts import Outcomes
from docie.core.matching.similarity import common_length
from docie.documents.line_items import ItemPair, aligned_items, assigned_items, sections

from ..common.computing import Part, Request
from ..views import (
    Block,
    Row,
    counted,
    document_figures,
    figure,
    joined,
    outcome_of,
    percent,
    place_of,
    places,
    render_fields,
    shared_parts,
)

HEADER = "Header"
Pairing = Callable[[Any], Iterable[ItemPair]]


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The characters of all fields, with line items paired in any order, and in order if that makes a difference."""
    figures = document_figures(request, results)
    in_any_order, in_order = _blocks(request, assigned_items), _blocks(request, aligned_items, counts_all=True)
    if [*map(_key, in_any_order)] == [*map(_key, in_order)]:
        lead = f"{_lead(in_any_order)}, F1 {figure(figures['uhed_f1'])}. The order of line items makes no difference."
        return [Part("Characters", render_fields(in_any_order, lead=lead))]
    leads = (
        f"{_lead(blocks)}, F1 {figure(figures[name])}."
        for blocks, name in ((in_any_order, "uhed_f1"), (in_order, "hed_f1"))
    )
    return [
        Part("Characters, line items in any order (UHED)", render_fields(in_any_order, lead=next(leads))),
        Part("Characters, line items in their order (HED)", render_fields(in_order, lead=next(leads))),
    ]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What UHED and HED mean for the document that is shown."""
    figures = document_figures(request, results)
    total = _total(_blocks(request, assigned_items))
    expected = total.true_positives + total.false_negatives
    order = ""
    if figures["hed_f1"] < figures["uhed_f1"]:
        order = f" If line items must keep their order, HED F1 is {figure(figures['hed_f1'])}."
    if not expected:
        found = f"The reference has no characters, and {counted(total.false_positives, 'character')} were predicted"
    else:
        share = percent(total.true_positives, expected)
        found = f"{total.true_positives:,} of {counted(expected, 'character')} ({share}) were read"
        found += f", and {total.false_positives:,} predicted ones should not be there" * bool(total.false_positives)
    return f"{found}: UHED F1 is {figure(figures['uhed_f1'])}.{order}"


class _Counted(Block):
    """A block with its characters: shared, extra and missing."""

    def __init__(self, pair: ItemPair, name: str, note: str, *, is_counted: bool) -> None:
        rows, self.outcomes = [], Outcomes()
        prefix = "" if name == HEADER else f"{name.rpartition('[')[0]}."
        for entity_type in {**pair[1], **pair[0]}:
            row, counts = _row(entity_type.removeprefix(prefix), *(item.get(entity_type) for item in pair))
            rows.append(row)
            if is_counted:
                self.outcomes.true_positives += counts.true_positives
                self.outcomes.false_positives += counts.false_positives
                self.outcomes.false_negatives += counts.false_negatives
        super().__init__(name, _numbers(self.outcomes) if is_counted else "not counted", rows, note)


def _blocks(request: Request, pairing: Pairing, *, counts_all: bool = False) -> list[_Counted]:
    """All items, paired. UHED may leave those without a counterpart out of the count."""
    return [*_iterate(request, pairing, counts_all or request.settings.unmatched == "count")]


def _iterate(request: Request, pairing: Pairing, counts_all: bool) -> Iterator[_Counted]:
    for section in sections(request.prediction, request.reference, request.settings.normalizer):
        predicted, expected = places(section.prediction), places(section.reference)
        pairs = [(pair, predicted.get(id(pair[0])), expected.get(id(pair[1]))) for pair in pairing(section)]
        last = len(expected)
        pairs.sort(key=lambda each: (last if each[2] is None else each[2], each[1] or 0))
        for pair, predicted_place, place in pairs:
            if section.group_type is None:
                if pair[0] or pair[1]:
                    yield _Counted(pair, HEADER, "", is_counted=True)
                continue
            name, note = place_of(section.group_type, predicted_place, place)
            is_pair = predicted_place is not None and place is not None
            # what is ignored is a side without any field, as the family asks
            yield _Counted(pair, name, note, is_counted=counts_all or (is_pair and bool(pair[0] and pair[1])))


def _key(block: Block) -> tuple[str, str, str]:
    return block.name, block.note, block.numbers


def _row(entity_type: str, prediction: str | None, reference: str | None) -> tuple[Row, Outcomes]:
    shared = common_length(prediction or "", reference or "")
    counts = Outcomes(shared, len(prediction or "") - shared, len(reference or "") - shared)
    is_right = not counts.false_positives and not counts.false_negatives
    outcome = outcome_of(prediction, reference, is_right=is_right)
    return Row(entity_type, outcome, *shared_parts(prediction, reference), _numbers(counts)), counts


def _numbers(counts: Outcomes) -> str:
    """The counts in words."""
    numbers = (
        (counts.true_positives, "right"),
        (counts.false_positives, "extra"),
        (counts.false_negatives, "missing"),
    )
    return " · ".join(f"{number:,} {name}" for number, name in numbers if number) or "nothing"


def _total(blocks: Iterable[_Counted]) -> Outcomes:
    total = Outcomes()
    for block in blocks:
        total.true_positives += block.outcomes.true_positives
        total.false_positives += block.outcomes.false_positives
        total.false_negatives += block.outcomes.false_negatives
    return total


def _lead(blocks: Iterable[_Counted]) -> str:
    total = _total(blocks)
    numbers = (
        (total.true_positives, "right"),
        (total.false_positives, "extra in the prediction"),
        (total.false_negatives, "missing"),
    )
    return f"Characters in all: {joined((f'{number:,} {name}' for number, name in numbers), empty='none')}"
