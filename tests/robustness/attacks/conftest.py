"""Forms to attack: invoices made for it, and CORD's receipts."""

from __future__ import annotations

from typing import Any

import pytest

from docie.adapters import records
from docie.robustness.form import Page

from synthetic_invoices import invoices


@pytest.fixture(scope="session")
def invoice_forms() -> list[Page]:
    """Synthetic invoices, enough of them to see rates."""
    return invoices(60, seed=1)


@pytest.fixture(scope="session")
def cord_forms(cord: dict[str, list[Any]]) -> list[Page]:
    """The 100 receipts of CORD's test set, in reading order as annotated."""
    return [Page.from_record(records.words_and_boxes(record) | {"id": record["id"]}) for record in cord["references"]]
