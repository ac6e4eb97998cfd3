"""Form robustness, seen: the fields of a form under each attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docie.core.counts import Outcomes
from docie.metrics.form_robustness import UNATTACKED, attacked_forms

from ..common.computing import Part, Request
from ..views import (
    Block,
    compared_values,
    counted,
    document_figures,
    figure,
    joined,
    outcomes_in_words,
    render_fields,
)

MOST_NAMES = 6
"""The attacks that the sentence names at most."""
_LEAD = (
    "The unattacked form comes first, then the attacks, the worst one first. Macro F1 is the mean of the fields' F1."
)


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The values of the form under each attack."""
    figures = document_figures(request, results)
    versions = _by_drop(attacked_forms(request.reference, "reference"), figures)
    blocks = [
        block_of(request, attack, document, figures["f1" if attack == UNATTACKED else f"f1_{attack}"])
        for attack, document in versions.items()
    ]
    return [Part("Fields under each attack", render_fields(blocks, lead=_LEAD, noun="value"))]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What the drops mean for the form that is shown."""
    figures = document_figures(request, results)
    _, *attacks = _by_drop(attacked_forms(request.reference, "reference"), figures)
    before = f"Of the unattacked form, the macro F1 is {figure(figures['f1'])}"
    if not attacks:
        return f"{before}, and it was not attacked."
    if not figures["f1"]:
        return f"{before}, so no attack can lower it."
    worst, after = attacks[0], figure(figures[f"f1_{attacks[0]}"])
    hurt = sum(figures[f"drop_f1_{attack}"] > 0 for attack in attacks)
    if not hurt:
        return f"{before}, and none of {counted(len(attacks), 'attack')} lowers it."
    tied = [_short(attack) for attack in attacks if figures[f"f1_{attack}"] == figures[f"f1_{worst}"]]
    more = [f"{len(tied) - MOST_NAMES} more"] if len(tied) > MOST_NAMES else []
    names = joined([*tied[:MOST_NAMES], *more])
    return f"{before}; {hurt:,} of {counted(len(attacks), 'attack')} lower it, {names} most, to {after}."


def _by_drop(versions: Mapping[str, Any], figures: Mapping[str, float]) -> dict[str, Any]:
    """The versions of a form, the unattacked one first, then those with the largest drops."""
    order = sorted(versions, key=lambda attack: -figures.get(f"drop_f1_{attack}", float("inf")))
    return {attack: versions[attack] for attack in order}


def block_of(request: Request, attack: str, document: Any, f1: float) -> Block:
    """The fields of one version, with its macro F1."""
    answer = attacked_forms(request.prediction, "prediction").get(attack)
    compared = compared_values(answer, document, request.settings)
    rows = [row for field, values in compared.items() for row in values.rows(field, field)]
    total = Outcomes(*(sum(column) for column in zip(*(v.outcomes.numbers() for v in compared.values()), strict=True)))
    name = "unattacked" if attack == UNATTACKED else attack
    note = "" if isinstance(answer, Mapping) else "no answer that could be read"
    return Block(name, outcomes_in_words(total, macro_f1=f1), rows, note)


def _short(name: str) -> str:
    return name if len(name) <= 80 else f"{name[:80]}…"
