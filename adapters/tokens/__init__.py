"""Predictions of token classification → one label a word, whatever the sub-words and windows."""

from .labels import Id2Label, Joiner, WordLabels, label_names, word_labels
from .rows import Row, read_rows
from .windows import STRATEGIES

__all__ = [
    "STRATEGIES",
    "Id2Label",
    "Joiner",
    "Row",
    "WordLabels",
    "label_names",
    "read_rows",
    "word_labels",
]
