"""Models under attack: what a model answers to attacked forms, beside its answers to the forms as they are."""

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
