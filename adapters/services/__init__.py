"""Answers of extraction services and lines of batches → documents with confidences, pages and boxes.

A function for each service reads its answer, and returns a `Parsed`: the document, and a line for everything that was
dropped. Nothing raises. `detect` names the function that reads an answer.

**Leaves** are `{"value": ..., "confidence": ..., "box": ..., "page": ...}`. The confidence is a number from 0 to 1, or
None. Where a service gives several confidences of a value, the lowest one counts. Pages are counted from 1. A box is
`[x0, y0, x1, y1]`, as shares of the page where its size is known; otherwise it stays in the service's own unit, and a
line says so. Of a value in several places, the box is around those on the first one's page.

**Names** are those of the service. `renamed` gives them other names, by a mapping; `names` has mappings for invoices
and receipts.
"""

from .batches import openai_batch
from .key_values import docling
from .layouts import detect
from .names import names, renamed
from .readers import (
    azure_content_understanding,
    azure_document_intelligence,
    extend,
    google_document_ai,
    landing_ai,
    langextract,
    llama_extract,
    mistral,
    reducto,
)
from .textract import textract_expense, textract_id

__all__ = [
    "azure_content_understanding",
    "azure_document_intelligence",
    "detect",
    "docling",
    "extend",
    "google_document_ai",
    "landing_ai",
    "langextract",
    "llama_extract",
    "mistral",
    "names",
    "openai_batch",
    "reducto",
    "renamed",
    "textract_expense",
    "textract_id",
]
