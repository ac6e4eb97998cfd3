"""Attacks on forms: the same page as another OCR, another vendor or another layout would have given it.

`apply` changes a form, `ATTACKS` says what each attack may change, and `severity` measures what it did.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021), unless
an attack says that it is docie's own.
"""

from docie.attacks.measurement import Severity, severity, strength_for
from docie.attacks.pictures import Redrawn, redraw
from docie.attacks.random_values import data_type_of
from docie.attacks.records import RecordAttack
from docie.attacks.registry import ATTACKS, CHANGES, ORIGINS, Attack, Step, apply, combinations, names, plan

__all__ = [
    "ATTACKS",
    "CHANGES",
    "ORIGINS",
    "Attack",
    "RecordAttack",
    "Redrawn",
    "Severity",
    "Step",
    "apply",
    "combinations",
    "data_type_of",
    "names",
    "plan",
    "redraw",
    "severity",
    "strength_for",
]
