"""How far a model falls when forms change: its answers to attacked forms, beside those to the forms as they are.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021), which
measures the drops; Ribeiro et al., "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList" (2020), which
counts the answers that must not change, and do.
"""

from docie.robustness.runs.answers import Predict, predicted
from docie.robustness.runs.key_reader import KeyReader, KeyRule
from docie.robustness.runs.result import AttackResult, RobustnessReport
from docie.robustness.runs.rows import LEAST_FORMS, combined, is_clear, singles, sweeps
from docie.robustness.runs.running import run

__all__ = [
    "LEAST_FORMS",
    "AttackResult",
    "KeyReader",
    "KeyRule",
    "Predict",
    "RobustnessReport",
    "combined",
    "is_clear",
    "predicted",
    "run",
    "singles",
    "sweeps",
]
