"""Donut's accuracy by tree edit distance: that of nTED, of documents as Donut's evaluator normalises them.

Source: Kim et al., "OCR-free Document Understanding Transformer" (2022), and its public evaluator.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from docie.core.counts import Counts
from docie.metrics import nted
from docie.protocols.parses import parsed
from docie.protocols.scorer import NoSettings, Scorer


def count(prediction: object, reference: object, settings: NoSettings) -> Counts:
    """Count one document: 0 and `false` outside of lists are nothing, 12.0 has four letters."""
    return nted.count(_as_read(prediction), _as_read(reference))


def _as_read(document: object) -> object:
    return parsed(document) or {} if isinstance(document, Mapping) else document


SCORER = Scorer(
    NAME="donut",
    SCORES=tuple(
        replace(each, meaning="Mean nTED accuracy of the documents, as Donut reads them.") for each in nted.SCORES
    ),
    count=count,
    score=nted.score,
)
