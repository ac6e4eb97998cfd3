"""Forms with attacked versions."""

from __future__ import annotations

from collections.abc import Mapping

ATTACKS = "attacks"
"""The only key of a form with attacked versions: it holds a document for each attack."""


def is_attacked(value: object) -> bool:
    """Whether a row holds the versions of a form under attacks.

    >>> is_attacked({"attacks": {"none": {"total": "12.00"}, "key_drop": {}}}), is_attacked({"attacks": "12"})
    (True, False)
    """
    return isinstance(value, Mapping) and value.keys() == {ATTACKS} and isinstance(value[ATTACKS], Mapping)
