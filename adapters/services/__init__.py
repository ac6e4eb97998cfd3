"""Answers of extraction services and lines of batches → documents with confidences, pages and boxes.

`to_document` reads an answer: a `Parsed`, with the document and a line for everything that was dropped. `detect` names
the service. `layouts.json` has a table for each service, which says where things stand in its answers.

**Leaves** are `{"value": ..., "confidence": ..., "box": ..., "page": ...}`. The confidence is a number from 0 to 1, or
None. Where a service gives several confidences of a value, the lowest one counts. Pages are counted from 1. A box is
`[x0, y0, x1, y1]`, as shares of the page where its size is known; otherwise it stays in the service's own unit, and a
line says so. Of a value in several places, the box is around those on the first one's page.

**Names** are those of the service. `renamed` gives them other names, by a mapping; `names` has mappings for invoices
and receipts.
"""

from .dispatch import to_document
from .layouts import detect
from .renaming import names, renamed

__all__ = [
    "detect",
    "names",
    "renamed",
    "to_document",
]
