"""The counts of forms and their attacked versions, and the scores.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from docie.core.counts import PRF, Counts, Key, Number, Outcomes, Row, macro_scores
from docie.core.errors import DocumentError, with_close_names
from docie.core.scores import Score
from docie.core.settings import Valued
from docie.documents.document import parse_document
from docie.documents.multisets import count_values
from docie.metrics.form_robustness.versions import UNATTACKED, attacked_forms

SCORES = (
    Score("f1", "higher", "share", "Mean over fields of the F1 score of the unattacked forms.", headline=True),
    Score("precision", "higher", "share", "Mean over fields of the precision of the unattacked forms.", part_of="f1"),
    Score("recall", "higher", "share", "Mean over fields of the recall of the unattacked forms.", part_of="f1"),
    Score("worst_drop", "lower", "difference", "Largest drop of F1 under any of the attacks."),
    Score("f1_<attack>", "higher", "share", "Mean over fields of the F1 score under the attack."),
    Score("drop_f1_<attack>", "lower", "difference", "Drop of F1: unattacked minus under the attack."),
    Score(
        "drop_precision_<attack>", "lower", "difference", "Drop of precision under the attack.",
        part_of="drop_f1_<attack>",
    ),
    Score(
        "drop_recall_<attack>", "lower", "difference", "Drop of recall under the attack.", part_of="drop_f1_<attack>"
    ),
    Score("forms_<attack>", "neither", "count", "Number of forms that the attack applies to."),
    Score("support", "neither", "count", "Number of values in the unattacked references."),
)  # fmt: skip


NAME, INPUTS = "form_robustness", ("attacked",)
Settings = Valued
DEFAULT = Settings()


@dataclass(slots=True)
class Versions(Row):
    """The column of ("version", attack): forms with this version; of ("alone", attack): those without "none"."""

    forms: Number = 0


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one form with all of its versions.

    Args:
        prediction (dict): {"attacks": {attack: document}}, with the answer for each version in the reference. An answer
            that is missing or not an object is scored as the empty document and counted in `invalid_predictions`.
        reference (dict): the reference of each version. Attacks that change values change the reference too.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the form; `documents` is the number of its versions.

    Raises:
        DocumentError: if a document cannot be read, or if there is an answer to a version that the reference lacks.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> count({"attacks": {"none": {"total": "9"}, "key_drop": {}}}, reference).rows["field", "key_drop", "total"]
    [0, 0, 1]
    """
    expected = attacked_forms(reference, "reference")
    predicted = attacked_forms(prediction, "prediction")
    if unknown := [attack for attack in predicted if attack not in expected]:
        problem = f"there is an answer under the attack {with_close_names(unknown[:1], expected)}, but no reference"
        raise DocumentError(problem, side="prediction")
    outcomes: dict[str, dict[str, Outcomes]] = {}
    invalid = 0
    for attack, document in expected.items():
        answer = predicted.get(attack)
        invalid += not isinstance(answer, Mapping)
        try:
            outcomes[attack] = _outcomes(answer, document, settings)
        except DocumentError as error:
            error.item = error.item or f"attack {attack!r}"
            raise
    counts = Counts.of_document(_rows(outcomes))
    counts.documents, counts.invalid_predictions = len(expected), invalid
    return counts


def _rows(outcomes: Mapping[str, Mapping[str, Outcomes]]) -> dict[Key, Row]:
    """The rows of a form. ("before", attack, field) copies the unattacked version, so that sums over forms hold the
    baseline of a drop: the unattacked versions of the forms that have a version under the attack.
    """
    rows: dict[Key, Row] = {}
    unattacked = outcomes.get(UNATTACKED)
    for attack, fields in outcomes.items():
        rows["version", attack] = Versions(1)
        for field, row in fields.items():
            rows["field", attack, field] = row
        if unattacked is None:
            rows["alone", attack] = Versions(1)
        elif attack != UNATTACKED:
            for field, row in unattacked.items():
                rows["before", attack, field] = row
    return rows


def _outcomes(prediction: object, reference: object, settings: Settings) -> dict[str, Outcomes]:
    """True positives, false positives and false negatives of each field, regardless of groups, as in entity F1."""
    predicted = parse_document(prediction, "prediction", normalize=settings.normalizer)
    expected = parse_document(reference, "reference", normalize=settings.normalizer)
    return count_values(predicted, expected, settings.rules)


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts.

    Args:
        counts (Counts): the counts of a form or of a corpus.

    Returns:
        dict of str to float: `f1`, `precision` and `recall` of the unattacked forms, macro averages: each is the mean
        over the fields; for each attack `f1_<attack>` and `drop_f1_<attack>`, `drop_precision_<attack>`,
        `drop_recall_<attack>`: the unattacked score of the same forms minus that under the attack, negative if the
        attack raises the score. Forms without a version under an attack are left out there. If some forms have no
        unattacked version, the baseline is all unattacked forms. `forms_<attack>` is the number of forms under the
        attack. `worst_drop` is the largest drop of F1; 0.0 without attacks.

    Raises:
        ValueError: if no form is unattacked.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> score(count({"attacks": {"none": {"total": "9"}, "key_drop": {}}}, reference))["drop_f1_key_drop"]
    1.0
    """
    fields = _fields(counts, "field")
    if fields and UNATTACKED not in fields:
        found = ", ".join(fields)
        raise ValueError(f"no form is unattacked: the attack {UNATTACKED!r} is missing among {found}")
    scores, before = (
        {attack: macro_scores(rows.values()) for attack, rows in found.items()} for found in (fields, _before(counts))
    )
    unattacked = scores.pop(UNATTACKED, macro_scores(()))
    figures = _figures(unattacked, {attack: (before.get(attack, unattacked), scores[attack]) for attack in scores})
    return figures | {f"forms_{attack}": counts.rows["version", attack][0] for attack in scores}


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each field.

    Args:
        counts (Counts): the counts of a form or of a corpus.

    Returns:
        dict: `per_entity`, from each field to the scores of `score` for this field, and `support`, the number of its
        values in the unattacked references. An attack on forms without the field has no scores.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> table = breakdown(count({"attacks": {"none": {"total": "9"}}}, reference))["per_entity"]
    >>> table["total"]["drop_recall_key_drop"], table["total"]["support"]
    (1.0, 1)
    """
    after, before = _fields(counts, "field"), _before(counts)
    unattacked = after.pop(UNATTACKED, {})
    nothing = Outcomes()
    table = {}
    for field in sorted({field for rows in (unattacked, *after.values()) for field in rows}):
        attacked = {
            attack: (before.get(attack, unattacked).get(field, nothing).scores, rows.get(field, nothing).scores)
            for attack, rows in after.items()
            if field in rows or field in before.get(attack, unattacked)
        }
        own = unattacked.get(field, nothing)
        table[field] = {**_figures(own.scores, attacked), "support": own.support}
    return {"per_entity": table}


def _fields(counts: Counts, name: str) -> dict[str, dict[str, Outcomes]]:
    """From each attack to the outcomes of each field, both in alphabetical order, so that sums are always the same."""
    by_attack: dict[str, dict[str, Outcomes]] = {key[1]: {} for key in sorted(counts.rows) if key[0] == "version"}  # type: ignore[misc]
    for key in sorted(key for key in counts.rows if key[0] == name):
        by_attack[key[1]][key[2]] = Outcomes(*counts.rows[key])  # type: ignore[index]
    return by_attack


def _before(counts: Counts) -> dict[str, dict[str, Outcomes]]:
    """The outcomes of the unattacked versions of the forms under each attack, if all of these forms have one."""
    return {attack: rows for attack, rows in _fields(counts, "before").items() if ("alone", attack) not in counts.rows}


def _figures(unattacked: PRF, attacked: Mapping[str, tuple[PRF, PRF]]) -> dict[str, Number]:
    """The scores of unattacked forms, and those of the forms under each attack, before and after."""
    figures: dict[str, Number] = {
        "f1": unattacked.f1,
        "precision": unattacked.precision,
        "recall": unattacked.recall,
        "worst_drop": _largest([before.f1 - after.f1 for before, after in attacked.values()]),
    }
    for attack, (before, after) in attacked.items():
        figures[f"f1_{attack}"] = after.f1
        figures[f"drop_f1_{attack}"] = before.f1 - after.f1
        figures[f"drop_precision_{attack}"] = before.precision - after.precision
        figures[f"drop_recall_{attack}"] = before.recall - after.recall
    return figures


def _largest(drops: Sequence[Number]) -> Number:
    """The largest number, element by element; 0.0 without numbers."""
    if any(isinstance(drop, np.ndarray) for drop in drops):
        return np.maximum.reduce(np.broadcast_arrays(*drops))
    return max(drops, default=0.0)
