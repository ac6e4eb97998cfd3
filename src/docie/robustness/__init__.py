"""How far a model falls when forms change: its answers to attacked forms, beside those to the forms as they are.

Source: Xue et al., "Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks" (2021), which
measures the drops; Ribeiro et al., "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList" (2020), which
counts the answers that must not change, and do.
"""

from docie.robustness.key_reader import KeyReader, KeyRule
from docie.robustness.result import AttackResult, RobustnessReport
from docie.robustness.running import run

__all__ = [
    "AttackResult",
    "KeyReader",
    "KeyRule",
    "RobustnessReport",
    "run",
]
