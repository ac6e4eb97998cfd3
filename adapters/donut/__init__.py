"""Token sequences of Donut and similar models ↔ documents.

A field is written `<s_key>value</s_key>`, objects nest, and `<sep/>` separates the elements of a list. The format is
that of Kim et al., "OCR-free Document Understanding Transformer" (2022). Reading never raises: `issues` lists what was
repaired or dropped.
"""

from .reading import to_document
from .writing import tags, to_sequence, token2json

__all__ = [
    "tags",
    "to_document",
    "to_sequence",
    "token2json",
]
