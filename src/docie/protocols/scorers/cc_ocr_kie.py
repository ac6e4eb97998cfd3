"""CC-OCR's track of key information extraction: F1 of fields, with widths and spaces of texts made alike.

Source: Yang et al., "CC-OCR" (2024), and its public evaluator, which derives from that of Donut.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from docie.protocols.fields import Field, field_scorer
from docie.protocols.parses import fields_of, parsed

HAN, LATIN = "\u4e00-\u9fff", "a-zA-Z0-9"
NARROW = {0x3000: " ", ord("、"): ",", **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}}
SPACES = [
    (re.compile(rf"(?<=[{HAN}])\s+(?=[{HAN}])"), ""),
    (re.compile(rf"(?<=[{HAN}])\s+(?=[{LATIN}])|(?<=[{LATIN}])\s+(?=[{HAN}])"), ""),
    (re.compile(r"(?<![0-9])\s*([,.!?:;])\s*"), r"\1 "),
    (re.compile(r"(?<=[0-9])(?=[a-zA-Z])|(?<=[a-zA-Z])(?=[0-9])"), " "),
    (re.compile(r"\s+"), " "),
]
"""What the original does with spaces: none beside Chinese letters, one behind signs and between digits and letters."""


def _fields(document: Mapping[str, Any]) -> Iterable[Field]:
    return fields_of(parsed(document, keeps_empty=True, alike=alike))


def alike(text: str) -> str:
    """A text as it is compared: full-width letters are narrow ones, and spaces stand where the original puts them.

    >>> alike("合 计 ：１２．５０kg")
    '合计: 12.50 kg'
    """
    text = text.translate(NARROW)
    for pattern, replacement in SPACES:
        text = pattern.sub(replacement, text)
    return text


SCORER = field_scorer("cc_ocr_kie", _fields)
