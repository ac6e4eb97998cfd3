"""Form robustness: field F1 of unattacked forms, and how far it falls under each attack.

Source: Xue, Gao, Chen, Xiong and Xu, "Robustness Evaluation of Transformer-based Form Field Extractors via Form
Attacks" (2021): exact matches by field, F1 averaged over fields, and its drop against the unattacked set.

A row is one form with all of its versions: an object with the only key "attacks", from the name of each attack to a
document. "none" is the unattacked form. So intervals and comparisons are paired: they resample forms, not versions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from docie.cost import DOCUMENT, foretold
from docie.counts import PRF, Counts, Key, Number, Outcomes, Row, macro_scores
from docie.documents import (
    ATTACKS,
    Document,
    Group,
    check_sequence,
    compare_tokens,
    is_attacked,
    paired_rows,
    parse_document,
    seconds_of_rules,
    tokens_of,
)
from docie.errors import DocumentError, errors_of_document, shortened, warn, with_close_names
from docie.settings import Valued

__all__ = [
    "COLUMNS",
    "INPUTS",
    "NAME",
    "UNATTACKED",
    "Settings",
    "attacked_forms",
    "breakdown",
    "check_attack",
    "cost",
    "count",
    "from_columns",
    "score",
]

NAME, INPUTS = "form_robustness", ("attacked",)
UNATTACKED = "none"
"""The name under which a form's unattacked version stands."""
COLUMNS = ("attack",)
"""What rows of the evaluate module have beside predictions and references."""
ENTITY = 3.5e-6
"""Seconds: of an entity."""
Settings = Valued
DEFAULT = Settings()


@dataclass(slots=True)
class Versions(Row):
    """The column of the ("version", attack) rows: the number of forms that were attacked so."""

    forms: Number = 0


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one form with all of its versions.

    Args:
        prediction (dict): {"attacks": {attack: document}}, with the answer for each version in the reference. An answer
            that is missing or no object finds nothing and is counted in `invalid_predictions`.
        reference (dict): likewise. Attacks that change values change the reference too.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the form; `documents` is the number of its versions.

    Raises:
        DocumentError: for a document that cannot be read, and for an answer to a version that the reference lacks.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> count({"attacks": {"none": {"total": "9"}, "key_drop": {}}}, reference).rows["field", "key_drop", "total"]
    [0, 0, 1]
    """
    expected = attacked_forms(reference, "reference")
    predicted = attacked_forms(prediction, "prediction")
    if unknown := [attack for attack in predicted if attack not in expected]:
        problem = f"there is an answer under the attack {with_close_names(unknown[:1], expected)}, but no reference"
        raise DocumentError(problem, side="prediction")
    rows: dict[Key, Row] = {}
    invalid = 0
    for attack, document in expected.items():
        answer = predicted.get(attack)
        invalid += not isinstance(answer, Mapping)
        rows["version", attack] = Versions(1)
        try:
            outcomes = _outcomes(answer, document, settings)
        except DocumentError as error:
            error.item = error.item or f"attack {attack!r}"
            raise
        for field, row in outcomes.items():
            rows["field", attack, field] = row
    counts = Counts.of_document(rows)
    counts.documents, counts.invalid_predictions = len(expected), invalid
    return counts


def attacked_forms(value: object, side: str) -> Mapping[str, Any]:
    """The versions of a form.

    Args:
        value (dict): {"attacks": {attack: document}}.
        side (str): "prediction", of which anything else has no versions, or "reference".

    Returns:
        dict: from the name of each attack to the document.

    Raises:
        DocumentError: for another reference, for one without any version, and for a name that no attack may have.

    >>> attacked_forms({"attacks": {"none": {"total": "9"}}}, "reference")
    {'none': {'total': '9'}}
    """
    if not is_attacked(value):
        if side == "prediction":
            return {}
        got = "" if isinstance(value, Mapping) else f", got {type(value).__name__}"
        raise DocumentError(f'{side} must be an object {{"attacks": {{attack: document}}}}{got}', side=side)
    versions: Mapping[str, Any] = value[ATTACKS]  # type: ignore[index]
    if side == "reference":
        if not versions:
            raise DocumentError(f'{side} has no version of the form, not even "none"', side=side)
        for attack, document in versions.items():
            check_attack(attack)
            if not isinstance(document, Mapping):
                problem = f"{side} must be a JSON object, got {type(document).__name__}"
                raise DocumentError(problem, item=f"attack {attack!r}", side=side)
    return versions


def check_attack(name: object) -> None:
    """Refuse what cannot name an attack in results.

    Args:
        name: the name.

    Raises:
        DocumentError: for what is no text, for a blank one, and for one that ends as an interval does.

    >>> check_attack("global_shuffle+key_drop")
    >>> check_attack(None)
    Traceback (most recent call last):
    ...
    docie.errors.DocumentError: attack must be the name of an attack, or 'none' if there was none, got None
    """
    if not isinstance(name, str) or not name or name != name.strip():
        raise DocumentError(
            f"attack must be the name of an attack, or {UNATTACKED!r} if there was none, got {shortened(name)}"
        )
    if name.endswith("_interval"):
        raise DocumentError(f"no attack may end in '_interval', as intervals of scores do, got {shortened(name)}")


def _outcomes(prediction: object, reference: object, settings: Settings) -> dict[str, Outcomes]:
    """What was found, invented and missed of each field. Groups have no say, as in entity F1."""
    predicted = parse_document(prediction, "prediction", normalize=settings.normalizer)
    expected = parse_document(reference, "reference", normalize=settings.normalizer)
    right, wrong, missed = compare_tokens(
        tokens_of(_entities(predicted)),
        tokens_of(_entities(expected)),
        with_one_of=expected.has_one_of,
        rules=settings.rules,
    )
    by_field: defaultdict[str, Outcomes] = defaultdict(Outcomes)
    for field, _, _ in right:
        by_field[field].true_positives += 1
    for field, _, _ in wrong:
        by_field[field].false_positives += 1
    for field, _, _ in missed:
        by_field[field].false_negatives += 1
    return by_field


def _entities(document: Document) -> Group:
    return [*chain.from_iterable(document.parts())]


def cost(prediction: object, reference: object, settings: Settings = DEFAULT) -> float:
    """Roughly the seconds that `count` will take.

    Args:
        prediction: as in `count`.
        reference: as in `count`.
        settings (Settings): the options.

    Returns:
        float: the seconds, right within a factor of four on an ordinary machine; 0.0 for what cannot be read.

    >>> one, many = ({"attacks": {"none": {"a": ["x"] * number}}} for number in (1, 99))
    >>> cost(one, one) < cost(many, many) < 0.1
    True
    """
    return foretold(lambda: _seconds(prediction, reference, settings))


def _seconds(prediction: object, reference: object, settings: Settings) -> float:
    predicted = attacked_forms(prediction, "prediction")
    seconds = 0.0
    for attack, document in attacked_forms(reference, "reference").items():
        values = [
            _entities(parse_document(predicted.get(attack), "prediction")),
            _entities(parse_document(document, "reference")),
        ]
        seconds += DOCUMENT + ENTITY * sum(map(len, values))
        seconds += seconds_of_rules(values[0], values[1], settings.rules) if settings.rules else 0.0
    return seconds


def score(counts: Counts) -> dict[str, Number]:
    """The figures of counts.

    Args:
        counts (Counts): the counts of a form or of a corpus.

    Returns:
        dict of str to float: `f1`, `precision` and `recall` of the unattacked forms, each the mean over the fields
        that either side has; for each attack `f1_<attack>` and `drop_f1_<attack>`, `drop_precision_<attack>`,
        `drop_recall_<attack>`: the unattacked figure less that under the attack, negative where the attack helps.
        `worst_drop` is the largest drop of F1; 0.0 if there is no attack.

    Raises:
        ValueError: if no form is unattacked.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> score(count({"attacks": {"none": {"total": "9"}, "key_drop": {}}}, reference))["drop_f1_key_drop"]
    1.0
    """
    fields = _fields(counts)
    if fields and UNATTACKED not in fields:
        found = ", ".join(fields)
        raise ValueError(f"no form is unattacked: the attack {UNATTACKED!r} is missing among {found}")
    scores = {attack: macro_scores(rows.values()) for attack, rows in fields.items()}
    return _figures(scores.pop(UNATTACKED, macro_scores(())), scores)


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The figures of each field.

    Args:
        counts (Counts): the counts of a form or of a corpus.

    Returns:
        dict: `per_entity`, from each field to the figures of `score` for this field alone, and `support`, the number of
        its values in the unattacked references.

    >>> reference = {"attacks": {"none": {"total": "9"}, "key_drop": {"total": "9"}}}
    >>> table = breakdown(count({"attacks": {"none": {"total": "9"}}}, reference))["per_entity"]
    >>> table["total"]["drop_recall_key_drop"], table["total"]["support"]
    (1.0, 1)
    """
    by_attack = _fields(counts)
    nothing = Outcomes()
    table = {}
    for field in sorted({field for rows in by_attack.values() for field in rows}):
        rows = {attack: fields.get(field, nothing) for attack, fields in by_attack.items()}
        unattacked = rows.pop(UNATTACKED, nothing)
        figures = _figures(unattacked.scores, {attack: row.scores for attack, row in rows.items()})
        table[field] = {**figures, "support": unattacked.support}
    return {"per_entity": table}


def _fields(counts: Counts) -> dict[str, dict[str, Outcomes]]:
    """From each attack to the outcomes of each field, both in alphabetical order, so that sums are always the same."""
    by_attack: dict[str, dict[str, Outcomes]] = {key[1]: {} for key in sorted(counts.rows) if key[0] == "version"}  # type: ignore[misc]
    for key in sorted(key for key in counts.rows if key[0] == "field"):
        by_attack[key[1]][key[2]] = Outcomes(*counts.rows[key])  # type: ignore[index]
    return by_attack


def _figures(unattacked: PRF, attacked: Mapping[str, PRF]) -> dict[str, Number]:
    """The figures of unattacked forms, and those under each attack."""
    figures: dict[str, Number] = {
        "f1": unattacked.f1,
        "precision": unattacked.precision,
        "recall": unattacked.recall,
        "worst_drop": _largest([unattacked.f1 - scores.f1 for scores in attacked.values()]),
    }
    for attack, scores in attacked.items():
        figures[f"f1_{attack}"] = scores.f1
        figures[f"drop_f1_{attack}"] = unattacked.f1 - scores.f1
        figures[f"drop_precision_{attack}"] = unattacked.precision - scores.precision
        figures[f"drop_recall_{attack}"] = unattacked.recall - scores.recall
    return figures


def _largest(drops: Sequence[Number]) -> Number:
    """The largest number, element by element; 0.0 if there is none."""
    if any(isinstance(drop, np.ndarray) for drop in drops):
        return np.maximum.reduce(np.broadcast_arrays(*drops))
    return max(drops, default=0.0)


def from_columns(
    predictions: Iterable[object], references: Iterable[object], attack: Sequence[str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Make the rows that `count` reads of columns with one version a row.

    Versions of one form share the id of their wrappers. Without ids, the first row of each attack is the first form,
    and so on, if all attacks have as many rows. Else every row counts as a form of its own: figures stay the same, but
    intervals are wider than those of pairs.

    Args:
        predictions (iterable): a document for each version.
        references (iterable): the references, in the same order.
        attack (list of str): the name of the attack of each version, "none" if it is unattacked.

    Returns:
        tuple: predictions and references as `count` reads them, a row for each form.

    Raises:
        DocumentError: for a row that cannot be read; it has the number of the row.
        ValueError: unless the columns are equally long.

    >>> predictions, references = from_columns([{"a": "1"}, {}], [{"a": "1"}, {"a": "1"}], ["none", "key_drop"])
    >>> predictions, references
    ([{'attacks': {'none': {'a': '1'}, 'key_drop': {}}}], [{'attacks': {'none': {'a': '1'}, 'key_drop': {'a': '1'}}}])
    """
    check_sequence("attack", attack)
    names, pairs = list(attack), list(paired_rows(predictions, references))
    if len(names) != len(pairs):
        raise ValueError(f"expected as many attacks as references, got {len(names)} and {len(pairs)}")
    ids = [predicted.id if expected.id is None else expected.id for predicted, expected in pairs]
    forms: dict[object, dict[str, tuple[Any, Any]]] = {}
    for number, (name, (_, expected)) in enumerate(zip(names, pairs, strict=True)):
        with errors_of_document(number):
            attacked_forms({ATTACKS: {name: expected.document}}, "reference")
    for number, (form, name, (predicted, expected)) in enumerate(zip(_keys(ids, names), names, pairs, strict=True)):
        versions = forms.setdefault(form, {})
        if name in versions:
            raise DocumentError(f"the form {form!r} already has a row under the attack {name!r}", document=number)
        versions[name] = predicted.document, expected.document
    predicted_forms, expected_forms = (
        [{ATTACKS: {name: pair[side] for name, pair in versions.items()}} for versions in forms.values()]
        for side in (0, 1)
    )
    return predicted_forms, expected_forms


def _keys(ids: Sequence[str | None], names: Sequence[str]) -> list[object]:
    """What tells the form of each row."""
    if ids and None not in ids:
        return list(ids)
    seen: Counter[str] = Counter()
    keys: list[object] = []
    for name in names:
        keys.append(seen[name])
        seen[name] += 1
    if len({*seen.values()}) <= 1:
        return keys
    warn(
        "attacks have different numbers of rows, so each row counts as a form of its own, and intervals are wider; "
        'rows such as {"id": ..., "document": ...} say which versions are of one form'
    )
    return list(range(len(names)))
