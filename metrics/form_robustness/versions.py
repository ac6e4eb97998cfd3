"""The versions of a form: unattacked, and under each attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from docie.core.errors import DocumentError, json_kind, shortened
from docie.documents.kinds import ATTACKS, is_attacked

UNATTACKED = "none"
"""The name under which a form's unattacked version stands."""


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
    """Refuse what cannot name an attack in results.

    Args:
        name: the name.

    Raises:
        DocumentError: for what is no text, for a blank one, and for one that ends as an interval does.

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
