"""Is one system really better than the other, or is it chance? And what did the worse one lose?

    python examples/two_systems.py

Both systems read the same documents: the test swaps their answers, document by document.
"""

from __future__ import annotations

from pathlib import Path

import docie

RECEIPTS = Path(__file__).parent / "receipts"
OLD, NEW = RECEIPTS / "predictions-careful.jsonl", RECEIPTS / "predictions-hasty.jsonl"

result = docie.compare(references=RECEIPTS / "references.jsonl", systems={"old": OLD, "new": NEW}, by_field=True)
comparison = result.to_dict()
[found] = comparison["comparisons"]

# the difference, where the true one probably lies, and whether chance explains it
low, high = found["interval"]
print(f"entity F1 {found['value_a']:.3f} (old), {found['value_b']:.3f} (new)")
print(f"difference {found['difference']:+.3f} ({low:+.3f} to {high:+.3f}), p {found['p_value']:.4f}")
if found["significant"]:
    print("chance hardly explains it")
else:
    print(f"chance may explain it; a difference of {found['smallest_difference']:.3f} would have been found")

# the fields that changed most; a star marks those that chance hardly explains
for field in sorted(comparison["per_entity"], key=lambda row: (not row["significant"], row["difference"]))[:3]:
    star = "*" if field["significant"] else ""
    print(f"  {field['entity_type']}: {field['value_a']:.3f} to {field['value_b']:.3f}{star}")

# the documents that changed
print(f"{found['better']} documents are better, {found['worse']} worse")
for document in found["broken"]:
    print(f"  {document['document']} broke: {document['reason']}")

# what a careful reader should know
for note in result.notes:
    print("note:", note)
