"""Form robustness, explained: the fields of a form under each attack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.core.counts import Counts
from docie.core.explanation import Explanation, Fields, Group, explained, pairs_of
from docie.core.phrases import counted, figure, verb
from docie.core.scores import Headline
from docie.documents.value_pairs import shown_pair, value_pairs
from docie.documents.values import values_of
from docie.metrics.form_robustness.metric import DEFAULT, SCORES, Settings, count, score
from docie.metrics.form_robustness.versions import UNATTACKED, attacked_forms

_LEAD = "The unattacked form comes first, then the attacks, worst first. Macro F1 is the mean of the fields' F1."
NOTABLE = 0.05
"""A drop that is told."""
_F1, _DROP, _FORMS = "f1_", "drop_f1_", "forms_"


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """The values of a form under each attack.

    Source: as in `count`.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`; one of its versions is "none".
        settings (Settings): the options.

    Returns:
        Explanation: a pair for each correct, missing and spurious value of each version; its group is the attack.

    Raises:
        DocumentError: as in `count`.
        ValueError: if the form has no unattacked version.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> explanation = explain({"attacks": {"none": {"total": "9"}, "key_drop": {}}}, reference)
    >>> [(pair.group, pair.entity_type, pair.verdict) for pair in explanation.pairs]
    [('unattacked', 'total', 'correct'), ('key_drop', 'total', 'missing')]
    """
    figures = score(count(prediction, reference, settings))
    expected, predicted = attacked_forms(reference, "reference"), attacked_forms(prediction, "prediction")
    order = sorted(expected, key=lambda attack: -figures.get(f"drop_f1_{attack}", float("inf")))
    groups = [
        _group(attack, predicted.get(attack), expected[attack], settings, figures)
        for attack in order
    ]  # fmt: skip
    fields = Fields("Fields under each attack", groups, _LEAD, noun="value")
    return explained(pairs_of(groups), [fields], SCORES, figures, "f1", "worst_drop")


def _group(attack: str, answer: Any, document: Any, settings: Settings, figures: Mapping[str, float]) -> Group:
    """The fields of one version, with its macro F1."""
    name = "unattacked" if attack == UNATTACKED else attack
    predicted = values_of(answer, "prediction", normalize=settings.normalizer)
    expected = values_of(document, "reference", normalize=settings.normalizer)
    pairs = [
        shown_pair(name, field, values)
        for field, found in value_pairs(predicted, expected, settings.rules).items()
        for values in found
    ]
    f1 = figures["f1" if attack == UNATTACKED else f"f1_{attack}"]
    note = "" if isinstance(answer, Mapping) else "no readable answer"
    return Group(name, pairs, f"macro F1 {figure(f1)}", note)


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
    versions = {
        name.removeprefix(_FORMS): number
        for name, number in figures.items()
        if name.startswith(_FORMS) and isinstance(number, int | float)  # and no interval
    }
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
