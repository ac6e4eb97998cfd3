"""Robustness of models: scores on attacked forms, compared with those on the unattacked forms.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021), which
measures the drops; Ribeiro et al., "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList" (2020), which
counts predictions that should not change, and do.
"""

from docie.robustness.form.drawing import form_picture
from docie.robustness.models.key_reader import KeyReader, KeyRule
from docie.robustness.result import RobustnessReport, UnderAttack
from docie.robustness.running import run

__all__ = [
    "KeyReader",
    "KeyRule",
    "RobustnessReport",
    "UnderAttack",
    "form_picture",
    "run",
]
