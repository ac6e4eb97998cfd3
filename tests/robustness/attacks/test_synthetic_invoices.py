"""The synthetic invoices that are attacked."""

from __future__ import annotations

import doctest

import pytest

from docie.robustness.form import Page

import synthetic_invoices
from checkout import ROOT
from synthetic_invoices import DATA_TYPES, KEYS, invoices, records


def test_the_docstrings() -> None:
    result = doctest.testmod(synthetic_invoices)
    assert result.attempted > 0
    assert result.failed == 0


def test_a_seed_gives_the_same_invoices() -> None:
    assert invoices(5, 1) == invoices(9, 1)[:5]
    assert invoices(5, 1) != invoices(5, 2)
    with pytest.raises(ValueError, match="^part must be one of train, held_out, got 'test'$"):
        invoices(1, 1, part="test")


def test_every_invoice_has_all_fields_with_keys_and_types() -> None:
    for form in invoices(50, 0):
        assert {field.type: field.data_type for field in form.fields} == DATA_TYPES
        for field in form.fields:
            key = " ".join(form.words[position].text for position in field.keys)
            assert key in KEYS.get(field.type, ("",))


def test_held_out_values_never_occur_in_training() -> None:
    def values(forms: list[Page]) -> set[str]:
        fixed = ("vendor", "purchase_order", "invoice_date", "total_amount")
        return {form.text_of(field) for form in forms for field in form.fields if field.type in fixed}

    assert not values(invoices(100, 0)) & values(invoices(100, 0, part="held_out"))


def test_the_file_holds_the_first_invoices() -> None:
    lines = (ROOT / "examples" / "forms.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines == records(invoices(6, 0))
