"""Entities in any order, seen: which predicted entity is compared with which of the reference, and at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from docie.documents.tagging import find_spans
from docie.documents.tagging.words import is_tagged_words, parse_tagged_words
from docie.metrics import oi_entities
from docie.metrics.oi_entities import Assigned

from ..common.computing import Part, Request
from ..views import (
    Block,
    Row,
    compared_parts,
    counted,
    document_figures,
    figure,
    joined,
    limited_list,
    percent,
    render,
    render_fields,
    verb,
)

MOST_WORDS = 1_000


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The tagged text of both sides, if there are words, and the assignment."""
    assigned = _assigned(request)
    html = render_fields(_blocks(assigned), lead=_sum_in_words(request, results, assigned), noun="entity")
    found = [Part("Which entity is compared with which", html)]
    if is_tagged_words(request.reference):
        sides = [
            (title, *limited_list(_pieces(value, assigned, is_reference=title == "Reference"), MOST_WORDS, "piece"))
            for title, value in (("Reference", request.reference), ("Prediction", request.prediction))
        ]
        found.insert(0, Part("Tagged text", render("oi_entities/templates/tagged.html.j2", sides=sides)))
    return found


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What OIECER means for the document that is shown."""
    figures = document_figures(request, results)
    assigned = _assigned(request)
    expected = sum(each.reference is not None for each in assigned)
    right = sum(each.cer == 0 for each in assigned)
    near = sum(each.cer is not None and 0 < each.cer < 1 for each in assigned)
    missed, invented = _left_over(assigned)
    rate = figure(figures["oi_ecer"])
    if not expected:
        predicted = f"{counted(invented, 'entity')} {verb(invented, 'was', 'were')} predicted"
        return f"The reference has no entities, and {predicted}: OIECER is {rate}, and 0 is best."
    if right == len(assigned):
        return f"All {counted(expected, 'entity')} were read without a mistake, in whatever order: OIECER is {rate}."
    numbers = ((near, "similar"), (missed, "missed"), (invented, "invented"))
    rest = joined(
        (f"{number:,} {verb(number)} {name}" for number, name in numbers if number), empty="the others are all wrong"
    )
    return (
        f"{right:,} of {counted(expected, 'entity')} ({percent(right, expected)}) {verb(right)} right, whatever the "
        f"order; {rest}: OIECER is {rate}, and 0 is best."
    )


def _assigned(request: Request) -> list[Assigned]:
    return oi_entities.assignment(request.prediction, request.reference, request.settings)


def _left_over(assigned: Sequence[Assigned]) -> tuple[int, int]:
    """Entities without a counterpart in the reference and in the prediction."""
    return sum(each.prediction is None for each in assigned), sum(each.reference is None for each in assigned)


def _sum_in_words(request: Request, results: dict[str, Any], assigned: Sequence[Assigned]) -> str:
    """How the distance adds up."""
    pairs = [each.cer for each in assigned if each.cer is not None]
    missed, invented = _left_over(assigned)
    expected = sum(each.reference is not None for each in assigned)
    distance = sum(pairs) + max(missed, invented)
    figures = document_figures(request, results)
    left = ""
    if missed or invented:
        left = (
            f" Without a counterpart are {missed:,} of the reference and {invented:,} of the prediction. One may "
            f"replace another for 1, so they cost {max(missed, invented):,}."
        )
    return (
        f"The cheapest assignment has {counted(len(pairs), 'pair')}, whose character error rates (CER) add up to "
        f"{figure(sum(pairs))}.{left} {figure(distance)} / {expected:,} is the OIECER, {figure(figures['oi_ecer'])}; "
        f"in reading order, the ECER is {figure(figures['ecer'])}."
    )


def _blocks(assigned: Sequence[Assigned]) -> list[Block]:
    """The entities by category."""
    blocks = []
    for category in dict.fromkeys(each.category for each in assigned):
        rows = [_row(each) for each in assigned if each.category == category]
        right = sum(row.outcome == "right" for row in rows)
        blocks.append(Block(category, f"{right:,} of {len(rows):,} right", rows))
    return blocks


def _row(each: Assigned) -> Row:
    parts_of_texts = compared_parts(each.prediction, each.reference)
    if each.reference is None:
        return Row(f"predicted {_ordinal(each.predicted_place)}", "invented", *parts_of_texts)
    name = _ordinal(each.reference_place)
    if each.cer is None or each.wer is None:
        return Row(name, "missed", *parts_of_texts)
    if each.predicted_place != each.reference_place:
        name = f"{name} with {_ordinal(each.predicted_place)}"
    numbers = f"CER {figure(each.cer)} · WER {figure(each.wer)}" if each.cer or each.wer else ""
    label = "" if each.prediction == each.reference else "match" if each.is_match else "no match"
    return Row(name, "right" if each.prediction == each.reference else "changed", *parts_of_texts, numbers, label)


def _ordinal(place: int | None) -> str:
    return "" if place is None else f"no. {place + 1}"


class _Piece(NamedTuple):
    """A stretch of words: an entity with its category, its number and what became of it, or words outside of all."""

    text: str
    category: str = ""
    number: int = 0
    tone: str = ""


def _pieces(value: Any, assigned: Sequence[Assigned], *, is_reference: bool) -> list[_Piece]:
    """The text of one side."""
    tagged = parse_tagged_words(value)
    if tagged is None:
        return []
    tones = {}
    for each in assigned:
        place = each.reference_place if is_reference else each.predicted_place
        lonely = "addition" if is_reference else "deletion"
        if place is not None:
            tones[place] = lonely if each.cer is None else "right" if each.cer == 0 else "substitution"
    words, pieces, end = [str(word) for word in tagged.words], [], 0
    for number, span in enumerate(find_spans(tagged.tags, sentences=tagged.sentences)):
        pieces += [_Piece(word) for word in words[end : span.first]]
        end = span.last + 1
        pieces.append(_Piece(" ".join(words[span.first : end]), span.type, number + 1, tones.get(number, "")))
    return pieces + [_Piece(word) for word in words[end:]]
