"""Attacks on forms: change a page as another OCR, another vendor or another layout might have.

`apply` changes a form, `can_act` tells whether an attack finds anything to change in it, `ATTACKS` lists what each
attack may change, and `severity` measures how much it changed.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021), unless
an attack is marked as docie's own.
"""

from docie.robustness.attacks import page_attacks, value_attacks  # noqa: F401  (they enter their attacks)
from docie.robustness.attacks.application import RecordAttack, acted, apply, can_act, strength_for
from docie.robustness.attacks.entries import ATTACKS
from docie.robustness.attacks.measurement import Severity, severity
from docie.robustness.attacks.pictures import redraw
from docie.robustness.attacks.sequences import combinations, names

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
