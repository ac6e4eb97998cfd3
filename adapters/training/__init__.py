"""Metrics inside the training loops of transformers: ready-made `compute_metrics` for Trainer and Seq2SeqTrainer.

What a Trainer evaluates, row by row, becomes documents, which families score. The references are given beforehand,
because those that a Trainer has are cut off at the model's length. Rows and references are checked against each other.
"""

from .evaluation import EachRowOnce, preprocess_logits_for_metrics
from .metrics import TrainingMetrics, generation_metrics, token_classification_metrics

__all__ = [
    "EachRowOnce",
    "TrainingMetrics",
    "generation_metrics",
    "preprocess_logits_for_metrics",
    "token_classification_metrics",
]
