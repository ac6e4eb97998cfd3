"""What form robustness says first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.phrases import counted, figure, verb
from docie.core.scores import Headline

NOTABLE = 0.05
"""A drop that is told."""
_F1, _DROP, _FORMS = "f1_", "drop_f1_", "forms_"


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The quality of unattacked forms, and what the worst attack costs.

    Args:
        counts (Counts): the counts of a form or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.form_robustness import count, score
    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> counts = count({"attacks": {"none": {"total": "9"}, "key_drop": {}}}, reference)
    >>> [each.sentence for each in headlines(counts, score(counts))][1]
    'most by key_drop: 1.0000 → 0.0000; 1 of 1 attack costs more than 0.05'
    """
    versions = {name.removeprefix(_FORMS): number for name, number in figures.items() if name.startswith(_FORMS)}
    drops = {attack: figures[f"{_DROP}{attack}"] for attack in versions}
    forms = counts.documents - sum(versions.values())
    said = f"mean F1 of the fields, unattacked; {counted(forms, 'form')} in {counted(counts.documents, 'version')}"
    yield Headline("f1", said)
    if drops:
        worst = max(drops, key=lambda attack: drops[attack])
        after = figures[f"{_F1}{worst}"]
        notable = sum(drop > NOTABLE for drop in drops.values())
        cost = f"{notable:,} of {counted(len(drops), 'attack')} {verb(notable, 'costs', 'cost')} more than {NOTABLE}"
        yield Headline("worst_drop", f"most by {worst}: {figure(after + drops[worst])} → {figure(after)}; {cost}")
