"""SROIE, task 3: F1 of the fields of receipts, by their exact texts. A blank text is an answer.

Source: Huang et al., "ICDAR2019 Competition on Scanned Receipt OCR and Information Extraction" (2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from docie.documents.leaves import is_scored_leaf
from docie.protocols.fields import Field, field_scorer


def fields_of(document: Mapping[str, Any]) -> Iterator[Field]:
    """Each key with its text; a key with `null` is no answer."""
    for key, value in document.items():
        text = value["value"] if isinstance(value, Mapping) and is_scored_leaf(value) else value
        if text is not None:
            yield key, str(text)


SCORER = field_scorer("sroie", fields_of)
