"""Donut's accuracy by tree edit distance: that of nTED, of documents as Donut's evaluator normalises them.

Source: Kim et al., "OCR-free Document Understanding Transformer" (2022), and its public evaluator.
"""

from __future__ import annotations

from dataclasses import replace

from docie.core.counts import Counts
from docie.metrics import nted
from docie.protocols.parses import parsed
from docie.protocols.scorer import NoSettings, Scorer


def count(prediction: object, reference: object, settings: NoSettings) -> Counts:
    """Count one document: 0 and `false` outside of lists are nothing, 12.0 has four letters."""
    return nted.count(*(parsed(side) or {} if isinstance(side, dict) else side for side in (prediction, reference)))


SCORER = Scorer(
    NAME="donut",
    SCORES=tuple(
        replace(each, meaning="Mean nTED accuracy of the documents, as Donut reads them.") for each in nted.SCORES
    ),
    count=count,
    score=nted.score,
)
