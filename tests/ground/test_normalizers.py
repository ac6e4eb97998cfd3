"""Normalisers: certain readings are made equal, uncertain ones stay text."""

from __future__ import annotations

import functools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import normalizers
from docie.normalizers import date, describe, normalizer_of, number

from sizes import examples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1240", "1240"), ("1,240.00", "1240"), ("1.240,00", "1240"), ("1,240,000", "1240000"),
        ("1.240.000,5", "1240000.5"), ("1 240,50", "1240.5"), ("1'240.50", "1240.5"), ("1\u202f240", "1240"),
        ("12,5", "12.5"), ("12.50", "12.5"), ("0,240", "0.24"), ("0.240", "0.24"), ("1240.500", "1240.5"),
        ("1 240,500", "1240.5"), (".5", "0.5"), ("-0.00", "0"), ("−5", "-5"), ("+5", "5"), ("007", "7"), (" 12 ", "12"),
        # what cannot be read with certainty, and what is no number
        ("1.240", "1.240"), ("1,240", "1,240"), ("12,34,567", "12,34,567"), ("1.2.3", "1.2.3"), ("1240.", "1240."),
        ("Rp 12", "Rp 12"), ("12-", "12-"), ("1,240.00.5", "1,240.00.5"), ("12 50", "12 50"), ("", ""), ("٣", "٣"),
        ("1e5", "1e5"), ("1,2 400", "1,2 400"),
    ],
)  # fmt: skip
def test_number(text: str, expected: str) -> None:
    assert number(text) == expected


@pytest.mark.parametrize(
    ("text", "decimal", "expected"),
    [
        ("1.240", ",", "1240"), ("1.240", ".", "1.24"), ("1,240", ".", "1240"), ("1,240", ",", "1.24"),
        ("0.500", ",", "0.500"), ("0,500", ".", "0,500"), ("1.240,5", ",", "1240.5"), ("1.24", ",", "1.24"), ("1,240.5", ",", "1,240.5"), ("12,50", ".", "12,50"),
    ],
)  # fmt: skip
def test_number_with_a_stated_decimal_mark(text: str, decimal: str, expected: str) -> None:
    assert number(text, decimal=decimal) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-12-31", "2023-12-31"), ("2023/1/5", "2023-01-05"), ("31.12.2023", "2023-12-31"),
        ("12/31/2023", "2023-12-31"), ("31/12/2023", "2023-12-31"), ("03.03.2024", "2024-03-03"),
        ("31 Dec 2023", "2023-12-31"), ("31. december 2023", "2023-12-31"), ("Dec 31, 2023", "2023-12-31"),
        ("31-DEC-2023", "2023-12-31"), ("Sept. 5 2023", "2023-09-05"), ("May 5, 2023", "2023-05-05"),
        # uncertain, impossible, or no date
        ("03/04/2024", "03/04/2024"), ("31.02.2023", "31.02.2023"), ("31.12.23", "31.12.23"), ("2023", "2023"),
        ("31/12-2023", "31/12-2023"), ("Dez 31, 2023", "Dez 31, 2023"), ("0000-01-01", "0000-01-01"), ("", ""),
    ],
)  # fmt: skip
def test_date(text: str, expected: str) -> None:
    assert date(text) == expected


def test_date_with_a_stated_order() -> None:
    assert date("03/04/2024", day_first=True) == "2024-04-03"
    assert date("03/04/2024", day_first=False) == "2024-03-04"
    assert date("31/12/2024", day_first=False) == "31/12/2024"


@given(st.text(), st.sampled_from(sorted(normalizers.NORMALIZERS)))
@examples(100, 100)
def test_normalisers_take_any_text_and_are_idempotent(text: str, name: str) -> None:
    normalize = normalizer_of(name)
    assert normalize is not None
    once = normalize("a", text)
    assert normalize("a", once) == once


@given(st.integers(-(10**9), 10**9), st.integers(0, 99), st.sampled_from([",.", ".,"]))
@examples(100, 100)
def test_number_reads_what_was_printed(whole: int, cents: int, marks: str) -> None:
    printed = f"{whole:,}.{cents:02}".translate(str.maketrans(",.", marks))
    assert float(number(printed)) == float(f"{whole}.{cents:02}")


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (None, "none"), ([], "none"), ("nfkc", "nfkc"), (["nfkc", "casefold"], "nfkc+casefold"),
        ({"b": "date", "a": ["nfkc", 'number(decimal=",")']}, 'a=nfkc+number(decimal=","),b=date'),
        (functools.partial(number, decimal=","), "docie.normalizers.number(decimal=',')"), (str.lower, "str.lower"), (normalizers.nfkc, "docie.normalizers.nfkc"),
    ],
)  # fmt: skip
def test_describe(spec: normalizers.Normalize, text: str) -> None:
    assert describe(spec) == text


@pytest.mark.parametrize(
    "spec",
    ["lower", "number(,)", "number(5)", "number(decimal=x)", "__import__('os')", "number.x", "date(first=1)", ""],
)
def test_unknown_normalisers(spec: str) -> None:
    with pytest.raises(ValueError, match="normaliser"):
        normalizer_of(spec)


def test_wrong_decimal_mark() -> None:
    with pytest.raises(ValueError, match=r"decimal must be '\.' or ',', got ';'"):
        normalizer_of('number(decimal=";")')
