"""Text match's measurements; its pairing is UHED's, and so is the textbook that it stands beside."""

from __future__ import annotations

import cases
import hed_rows

from docie import text_match

REFERENCE = "textbook loop"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "corpus.evaluate": cases.ours(text_match),
        "textbook loop": cases.each(hed_rows.textbook),
        "kernel": cases.each(hed_rows.kernel),
    }
    receipts = {name: makers[name] for name in ("corpus.evaluate", "textbook loop")}
    return {**cases.rows(receipts, cases.receipts(documents)), **cases.rows(makers, cases.invoices(10, 100))}
