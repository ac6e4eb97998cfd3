"""Metrics in the training loops of transformers: ready-made `compute_metrics` for Trainer and Seq2SeqTrainer.

The rows that a Trainer evaluates become documents, which families score. The references are passed beforehand, because
the Trainer's own are truncated to the model's length. Rows and references are checked against each other.
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
