"""Thirty errors of real systems, each looked at by hand: what it is, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from docie.metrics.kieval import error_rows

from real_documents import cord_pairs, docubench_pairs, invoice_pairs

CASES: list[tuple[str, int, str, str | None, str | None, str, str]] = [
    # data set, document, entity type, reference, prediction, kind, reason
    ("cord", 44, "total.cashprice", "50.000", "50,000", "value", "each can be read in two ways: 50 or 50000"),
    ("cord", 61, "menu.price", "5,000", "5000", "value", "5,000 may be 5 or 5000"),
    ("cord", 89, "menu.sub_nm", "Pedas sedikit", "- Pedas sedikit", "value", "a dash before the name"),
    ("cord", 7, "menu.price", "100,000", "909", "type", "909 is the sub item's price, and 100,000 stands as discount"),
    ("cord", 70, "menu.sub_nm", None, "=*MEDIUM*=", "type", "missed as a menu name, in group 5"),
    ("cord", 24, "menu.price", "Rp.0", None, "type", "predicted as item subtotal, which the reference lacks"),
    ("cord", 51, "sub_total.etc", "334,011", "11", "value", "only a part was read"),
    ("cord", 39, "menu.cnt", "8", "9", "value", "misread; neither 8 nor 9 is wrong or missed elsewhere"),
    ("cord", 13, "menu.unitprice", "3,000", None, "missing", "3,000 is predicted as price, but rightly"),
    (
        "cord",
        48,
        "menu.sub_nm",
        "Less Ice",
        None,
        "missing",
        "predicted in 'menu.etc' only as a part of '25% Less Ice'",
    ),
    ("cord", 34, "menu.unitprice", None, "15.000", "spurious", "a quotient of price and count, not on the receipt"),
    ("cord", 67, "sub_total.subtotal_price", None, "9,500.00", "spurious", "right elsewhere, but of other types"),
    ("invoices", 100, "InvoiceNumber", "10789", "#10789", "value", "a number sign before the number"),
    ("invoices", 660, "LineItem.ItemTotal", "$ 12,300.00", "12,300.00", "format", "without the currency"),
    ("invoices", 523, "LineItem.ItemUnitCount", None, "10", "group", "the count is missed in line item 1"),
    ("invoices", 26, "LineItem.ItemTotal", "84", "$25.20", "group", "$25.20 is the total of line item 9, missed there"),
    ("invoices", 399, "LineItem.ItemTotal", "912", "8961", "type", "8961 is missed as unit value of line item 0"),
    ("invoices", 616, "LineItem.ItemTotal", None, "$77,234.00", "duplicate", "predicted twice, the first time rightly"),
    ("invoices", 690, "LineItem.ItemDescription", "Duplicating", "Duplicating Other", "value", "a word too many"),
    ("invoices", 781, "InvoiceNumber", None, "015142", "spurious", "nowhere in the reference"),
    ("claude", 15, "policyEffectiveDate", "2020-03-28", "3/28/20", "format", "one date: no month 28"),
    ("claude", 36, "shipTo", "6050 NE - Omaha, Nebraska", "6050  NE - Omaha, Nebraska", "format", "two spaces"),
    ("claude", 38, "cargoItems.hsCode", "620690", "620630", "group", "620630 is missed in cargo item 4"),
    (
        "claude",
        17,
        "budgetPaymentsByChapter.actualPriorYear",
        "464",
        "400",
        "type",
        "columns swapped: budget and prior year",
    ),
    ("claude", 12, "listOfMaterial.quantity", None, "1", "duplicate", "no quantity here, and 1 is right in other rows"),
    ("claude", 2, "chargebacks.chargebackDate", "2015-09-23", "09/23", "value", "without the year it is another value"),
    ("claude", 34, "largeDebits.debitAmountUsd", "131.63", None, "missing", "the amount is nowhere in the prediction"),
    (
        "gpt",
        39,
        "buyerAddress",
        "神奈川県横浜市◇◇区△△町1−1−1",
        "神奈川県横浜市◇◇区△△町１－１－１",
        "value",
        "another minus; width alone would be form",
    ),
    ("gpt", 36, "lineItems.vpn", "381411", "381367", "group", "381411 is predicted wrongly in another line item"),
    ("gpt", 12, "drawingTitle", None, "MOUNT C, ASSEMBLY", "type", "missed as description in the list of material"),
]


@pytest.fixture(scope="module")
def pairs(data: Path, cord: dict[str, list[Any]]) -> dict[str, list[tuple[Any, Any]]]:
    return {
        "cord": cord_pairs(cord, "qwen"),
        "invoices": invoice_pairs(data),
        **{system: docubench_pairs(data, system) for system in ("claude", "gpt")},
    }


@pytest.mark.parametrize(("source", "document", "entity_type", "reference", "prediction", "kind", "reason"), CASES)
def test_a_row_looked_at_by_hand(
    pairs: dict[str, list[tuple[Any, Any]]],
    source: str,
    document: int,
    entity_type: str,
    reference: str | None,
    prediction: str | None,
    kind: str,
    reason: str,
) -> None:
    values = (entity_type, reference, prediction)
    rows = error_rows(*pairs[source][document])
    kinds = {row.kind for row in rows if (row.entity_type, row.reference, row.prediction) == values}
    assert kinds == {kind}, reason


def test_there_are_thirty() -> None:
    assert len(CASES) == 30
