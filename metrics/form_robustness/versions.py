"""The versions of a form: unattacked, and under each attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from docie.core.errors import DocumentError, errors_of_document, json_kind, shortened, warn
from docie.documents.attacked import ATTACKS, is_attacked

UNATTACKED = "none"
"""The name of a form's unattacked version."""


def attacked_forms(value: object, side: str) -> Mapping[str, Any]:
    """The versions of a form.

    Args:
        value (dict): {"attacks": {attack: document}}.
        side (str): "reference", or "prediction": a malformed prediction has no versions.

    Returns:
        dict: from the name of each attack to the document.

    Raises:
        DocumentError: if a reference is malformed, if it has no version, or if a name is not valid for an attack.

    >>> attacked_forms({"attacks": {"none": {"total": "9"}}}, "reference")
    {'none': {'total': '9'}}
    """
    if not is_attacked(value):
        if side == "prediction":
            return {}
        got = "" if isinstance(value, Mapping) else f", got {json_kind(value)}"
        raise DocumentError(f'{side} must be an object {{"attacks": {{attack: document}}}}{got}', side=side)
    versions: Mapping[str, Any] = value[ATTACKS]  # type: ignore[index]
    if side == "reference":
        if not versions:
            raise DocumentError(f'{side} has no version of the form, not even "none"', side=side)
        for attack, document in versions.items():
            check_attack(attack)
            if not isinstance(document, Mapping):
                problem = f"{side} must be a JSON object, got {json_kind(document)}"
                raise DocumentError(problem, item=f"attack {attack!r}", side=side)
    return versions


def check_attack(name: object) -> None:
    """Raise an error for an invalid name of an attack.

    Args:
        name: the name.

    Raises:
        DocumentError: if the name is not text, is blank, or ends like the name of an interval.

    >>> check_attack("global_shuffle+key_drop")
    >>> check_attack(None)
    Traceback (most recent call last):
    ...
    docie.core.errors.DocumentError: attack must be the name of an attack, or 'none' if there was none, got None
    """
    if not isinstance(name, str) or not name or name != name.strip():
        raise DocumentError(
            f"attack must be the name of an attack, or {UNATTACKED!r} if there was none, got {shortened(name)}"
        )
    if name.endswith("_interval"):
        raise DocumentError(f"no attack may end in '_interval', as intervals of scores do, got {shortened(name)}")


COLUMNS = ("attack",)
"""The columns of the evaluate module beside predictions and references."""


def from_columns(
    predictions: Sequence[object],
    references: Sequence[object],
    attack: Sequence[str],
    *,
    ids: Sequence[str | None] = (),
) -> tuple[list[Any], list[Any]]:
    """Make the documents for `count` from columns with one version a row.

    Versions of one form have the same id. Without ids, the first row of each attack is the first form,
    and so on, if all attacks have the same number of rows. Otherwise every row counts as a separate form: drops are
    measured against all unattacked forms, and intervals are wider than paired ones.

    Args:
        predictions (list): a document for each version.
        references (list): the references, in the same order.
        attack (list of str): the name of the attack of each version, "none" if it is unattacked.
        ids (list of str): the id of the form of each version; None, or no list, where it is unknown.

    Returns:
        tuple: predictions and references for `count`, one for each form.

    Raises:
        DocumentError: if a reference or the name of an attack is malformed; the error has the number of the row.
        ValueError: if the columns differ in length.

    >>> predictions, references = from_columns([{"a": "1"}, {}], [{"a": "1"}, {"a": "1"}], ["none", "key_drop"])
    >>> predictions, references
    ([{'attacks': {'none': {'a': '1'}, 'key_drop': {}}}], [{'attacks': {'none': {'a': '1'}, 'key_drop': {'a': '1'}}}])
    """
    for name, column in (("attacks", attack), ("predictions", predictions)):
        if len(column) != len(references):
            raise ValueError(f"expected as many {name} as references, got {len(column)} and {len(references)}")
    forms: dict[object, dict[str, tuple[Any, Any]]] = {}
    for number, (name, expected) in enumerate(zip(attack, references, strict=True)):
        with errors_of_document(number):
            attacked_forms({ATTACKS: {name: expected}}, "reference")
    rows = zip(_keys(ids, attack), attack, predictions, references, strict=True)
    for number, (form, name, predicted, expected) in enumerate(rows):
        versions = forms.setdefault(form, {})
        if name in versions:
            raise DocumentError(f"the form {form!r} already has a row under the attack {name!r}", document=number)
        versions[name] = predicted, expected
    predicted_forms, expected_forms = (
        [{ATTACKS: {name: pair[side] for name, pair in versions.items()}} for versions in forms.values()]
        for side in (0, 1)
    )
    return predicted_forms, expected_forms


def _keys(ids: Sequence[str | None], names: Sequence[str]) -> list[object]:
    """The key that identifies the form of each row."""
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
        "attacks have different numbers of rows, so each row counts as a separate form: drops are measured against "
        "all unattacked forms, and intervals are wider; "
        'rows such as {"id": ..., "document": ...} say which versions are of one form'
    )
    return list(range(len(names)))
