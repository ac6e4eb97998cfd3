"""Text match's measurements. It pairs line items as UHED does, so the textbook loop and the kernel are UHED's."""

from __future__ import annotations

import cases
import hed_rows

from docie import text_match

REFERENCE = "textbook loop"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    on_receipts = {
        "corpus.evaluate": cases.through_corpus(text_match),
        "textbook loop": cases.pair_by_pair(hed_rows.textbook),
    }
    on_invoices = {**on_receipts, "kernel": cases.pair_by_pair(hed_rows.kernel)}
    return {**cases.rows(on_receipts, cases.receipts(documents)), **cases.rows(on_invoices, cases.invoices(10, 100))}
