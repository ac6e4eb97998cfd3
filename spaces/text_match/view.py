"""Text match, seen: both texts of every field, and how far apart they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rapidfuzz.distance import Levenshtein

from docie.core.rules.match import Rule
from docie.documents.line_items import assigned_items, sections

from ..common.computing import Part, Request
from ..views import (
    Block,
    Row,
    compared_parts,
    counted,
    document_figures,
    figure,
    outcome_of,
    percent,
    place_of,
    places,
    render_fields,
    verb,
)


class _Field(Row):
    """A row with its figures: whether it is an exact match, the edits between both texts, and their similarity."""

    def __init__(self, name: str, rule: Rule | None, prediction: str | None, reference: str | None) -> None:
        self.distance = Levenshtein.distance(prediction or "", reference or "")
        self.similarity, self.is_exact = 0.0, False
        if prediction is not None and reference is not None:
            self.similarity = Levenshtein.normalized_similarity(prediction, reference)
            self.is_exact = rule.holds(prediction, reference) if rule else prediction == reference
        super().__init__(
            name,
            outcome_of(prediction, reference, is_right=self.is_exact),
            *compared_parts(prediction, reference),
            numbers=f"{counted(self.distance, 'edit')} · similarity {figure(self.similarity)}" if self.distance else "",
            label="counts as equal" if self.is_exact and prediction != reference else "",
        )


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The texts of all fields."""
    figures, fields = document_figures(request, results), _fields(request)
    lead = (
        f"Means over {counted(len(fields), 'field')}: similarity {figure(figures['levenshtein_similarity'])}, "
        f"distance {figure(figures['levenshtein_distance'])}, exact {figure(figures['exact_match'])}."
    )
    return [Part("Texts, field by field", render_fields(_blocks(request), lead=lead))]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What the figures mean for the document that is shown."""
    fields = _fields(request)
    if not fields:
        return "Neither side has a field, so there is nothing to compare."
    exact = sum(field.is_exact for field in fields)
    edits = sum(field.distance for field in fields)
    similarity = figure(document_figures(request, results)["levenshtein_similarity"])
    found = f"{exact:,} of {counted(len(fields), 'field')} ({percent(exact, len(fields))}) {verb(exact)} exactly right"
    if not edits:
        return f"{found}, and no character differs: the mean similarity is {similarity}."
    return (
        f"{found}; {counted(edits, 'edit')} of single characters would make all equal, "
        f"so the mean similarity of a field is {similarity}."
    )


def _fields(request: Request) -> list[_Field]:
    return [row for block in _blocks(request) for row in block.rows if isinstance(row, _Field)]


def _blocks(request: Request) -> Iterator[Block]:
    rules = request.settings.rules
    for section in sections(request.prediction, request.reference, request.settings.normalizer):
        predicted, expected = places(section.prediction), places(section.reference)
        pairs = [(pair, predicted.get(id(pair[0])), expected.get(id(pair[1]))) for pair in assigned_items(section)]
        prefix, last = f"{section.group_type}.", len(expected)
        pairs.sort(key=lambda each: (last if each[2] is None else each[2], each[1] or 0))
        for (prediction, reference), predicted_place, place in pairs:
            name, note = "Header", ""
            if section.group_type is not None:
                name, note = place_of(section.group_type, predicted_place, place)
            rows: list[Row] = [
                _Field(
                    each.removeprefix(prefix),
                    rules.of(each) if rules else None,
                    prediction.get(each),
                    reference.get(each),
                )
                for each in {**reference, **prediction}
            ]
            if rows:
                exact = sum(row.outcome == "right" for row in rows)
                yield Block(name, f"{exact:,} of {len(rows):,} exact", rows, note)
