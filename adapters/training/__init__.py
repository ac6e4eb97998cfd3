"""Metrics in training loops: ready-made `compute_metrics` for the trainers of transformers, and rewards.

The rows that a Trainer evaluates become documents, which families score. The references are passed beforehand, because
the Trainer's own are truncated to the model's length. Rows and references are checked against each other.
"""

from .generated import generation_metrics
from .labelled import token_classification_metrics
from .metrics import MetricsBySet, TrainingMetrics
from .rewards import reward
from .trainers import EachRowOnce, preprocess_logits_for_metrics

__all__ = [
    "EachRowOnce",
    "MetricsBySet",
    "TrainingMetrics",
    "generation_metrics",
    "preprocess_logits_for_metrics",
    "reward",
    "token_classification_metrics",
]
