"""Token sequences of Donut and its kin ↔ documents.

A field is written `<s_key>value</s_key>`, objects nest, `<sep/>` stands between the elements of a list. The format is
that of Kim et al., "OCR-free Document Understanding Transformer" (2022). Reading never raises: `issues` says what was
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
