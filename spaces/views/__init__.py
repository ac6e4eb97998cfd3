"""What the families' views share: templates and styles, texts side by side, and words for numbers."""

from .fields import Block, Row, compared_parts, outcome_of, place_of, places, render_fields, shared_parts
from .numbers import counted, document_figures, figure, joined, limited_list, percent, verb
from .rendering import render, styles
from .trees import TreeNode, limited
from .values import ComparedValues, compared_values, outcomes_in_words

__all__ = [
    "Block",
    "ComparedValues",
    "Row",
    "TreeNode",
    "compared_parts",
    "compared_values",
    "counted",
    "document_figures",
    "figure",
    "joined",
    "limited",
    "limited_list",
    "outcome_of",
    "outcomes_in_words",
    "percent",
    "place_of",
    "places",
    "render",
    "render_fields",
    "shared_parts",
    "styles",
    "verb",
]
