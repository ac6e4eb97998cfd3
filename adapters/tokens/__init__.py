"""Token classification → one label per word, whatever the sub-words and windows; scores → values."""

from .field_values import field_values
from .labels import label_names, word_labels

__all__ = [
    "field_values",
    "label_names",
    "word_labels",
]
