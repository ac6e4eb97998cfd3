"""Attacks on forms: the same page as another OCR, another vendor or another layout would have given it.

`apply` changes a form, `can_act` says whether an attack finds anything in it, `ATTACKS` says what each attack may
change, and `severity` measures what it did.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021), unless
an attack says that it is docie's own.
"""

from docie.robustness.attacks.application import RecordAttack, acted, apply, can_act, strength_for
from docie.robustness.attacks.measurement import Severity, severity
from docie.robustness.attacks.pictures import redraw
from docie.robustness.attacks.registry import ATTACKS, combinations, names

__all__ = [
    "ATTACKS",
    "RecordAttack",
    "Severity",
    "acted",
    "apply",
    "can_act",
    "combinations",
    "names",
    "redraw",
    "severity",
    "strength_for",
]
