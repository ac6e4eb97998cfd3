"""Which documents may skip review, and what can be promised of those that do?

    python examples/skips_review.py

A document skips review if each of its values has a confidence at or above the threshold. The first promise counts
errors among all documents, on average. The second one counts those among documents that skip, and needs more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docie
from docie import confidence

RECEIPTS = Path(__file__).parent / "receipts"
REFERENCES, PREDICTIONS = RECEIPTS / "references.jsonl", RECEIPTS / "predictions-careful.jsonl"
RISK = 0.1

found = docie.threshold(
    references=REFERENCES, predictions=PREDICTIONS, unit="document", risk=RISK, confidence_level=0.95
)
result = found.to_dict()


def confidences(part: Any) -> Iterator[float]:
    """The confidences of all values of a document."""
    if isinstance(part, dict) and "confidence" in part:
        yield part["confidence"]
    elif isinstance(part, dict | list):
        for child in part.values() if isinstance(part, dict) else part:
            yield from confidences(child)
    elif part is not None:
        yield 0.0  # a value without a confidence is reviewed


PROMISES = {
    "certified_threshold": f"at most {100 * RISK:g} % of all documents skip with an error",
    "certified_precision": f"at most {100 * RISK:g} % of those that skip have an error",
}
for key, promise in PROMISES.items():
    made = result[key]
    if made["threshold"] is None:
        print(f"{promise}: no threshold\n  {made['reason']}")
        continue
    threshold = confidence.shortest_threshold(found.judged, made["threshold"])
    documents = docie.read(PREDICTIONS)
    skipping = [row["id"] for row in documents if min(confidences(row["document"]), default=0) >= threshold]
    low, high = (100 * bound for bound in made["error_rate_interval"])
    rate = 100 * (1 - made["precision"])
    print(f"{promise}: threshold {threshold}")
    print(f"  {len(skipping)} of {len(documents)} skip: {', '.join(skipping)}")
    print(f"  {made['incorrect']} of these with an error: {rate:.1f} % ({low:.1f} to {high:.1f} %)")
