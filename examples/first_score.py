"""How good are these predictions? Two files, the score, the worst fields, the errors and a report.

    python examples/first_score.py
    python examples/first_score.py report.html    # writes the report, too: needs pip install ".[report]"

For your own files, change the two paths: each row is a document with an `id`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import docie

RECEIPTS = Path(__file__).parent / "receipts"
REFERENCES, PREDICTIONS = RECEIPTS / "references.jsonl", RECEIPTS / "predictions-careful.jsonl"

# the score, and how far other receipts of this sort may move it
result = docie.score(references=REFERENCES, predictions=PREDICTIONS, by_field=True, documents=100)
scores = result.to_dict()["kieval"]
low, high = scores["entity_f1_interval"]
print(f"entity F1 {scores['entity_f1']:.3f} ({low:.3f} to {high:.3f}) of {scores['documents']} receipts")

# the fields that need most corrections
fields = scores["per_entity"]
print("most corrections:")
for field in sorted(fields, key=lambda name: -fields[name]["corrections"])[:3]:
    print(f"  {field}: {fields[field]['corrections']}, F1 {fields[field]['entity_f1']:.3f}")

# the errors: each has a document, a field, a kind and both values
errors = list(docie.errors(references=REFERENCES, predictions=PREDICTIONS))
kinds = Counter(error["kind"] for error in errors).most_common()
print(f"{len(errors)} errors: {', '.join(f'{count} {kind}' for kind, count in kinds)}")
for error in errors[:3]:
    print(f"  {error['document']} {error['entity_type']}: {error['prediction']!r} for {error['reference']!r}")

# what a careful reader should know
for note in result.notes:
    print("note:", note)

# one page to share, with all of this and every document
if len(sys.argv) > 1:
    docie.write(result, sys.argv[1], title="Receipts of the careful system")
