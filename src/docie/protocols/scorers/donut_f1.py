"""Donut's F1 of fields: paths of keys with texts, whatever group they stand in.

Source: Kim et al., "OCR-free Document Understanding Transformer" (2022), and its public evaluator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from docie.protocols.fields import Field, field_scorer
from docie.protocols.parses import fields_of, parsed


def _fields(document: Mapping[str, Any]) -> Iterable[Field]:
    return fields_of(parsed(document))


SCORER = field_scorer("donut_f1", _fields)
