"""Predictions of token classification → one label a word, whatever the sub-words and windows; scores → values."""

from .fields import field_values
from .labels import Id2Label, Joiner, WordLabels, label_names, word_labels
from .predictions import STRATEGIES, read_rows

__all__ = [
    "STRATEGIES",
    "Id2Label",
    "Joiner",
    "WordLabels",
    "field_values",
    "label_names",
    "read_rows",
    "word_labels",
]
