"""Normalisers of texts, how they are named, and what holds of all of them."""

from __future__ import annotations

import functools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import normalizers
from docie.core.normalizers import alphanumeric, nfkc, number
from docie.core.normalizers.specs import Normalize, describe, normalizer_of

from sizes import examples


@given(st.text(), st.sampled_from(sorted(normalizers.NORMALIZERS)))
@examples(100, 100)
def test_normalisers_take_any_text_and_are_idempotent(text: str, name: str) -> None:
    normalize = normalizer_of(name)
    assert normalize is not None
    once = normalize("a", text)
    assert normalize("a", once) == once


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        (None, "none"), ([], "none"), ("nfkc", "nfkc"), (["nfkc", "casefold"], "nfkc+casefold"),
        ("money(decimal=',')", "money(decimal=',')"), ('date(formats=["%d.%m.%y"])', 'date(formats=["%d.%m.%y"])'),
        (normalizers.money, "docie.normalizers.money"),
        ({"b": "date", "a": ["nfkc", 'number(decimal=",")']}, 'a=nfkc+number(decimal=","),b=date'),
        (functools.partial(number, decimal=","), "docie.normalizers.number(decimal=',')"), (str.lower, "str.lower"), (normalizers.nfkc, "docie.normalizers.nfkc"),
    ],
)  # fmt: skip
def test_describe(spec: Normalize, text: str) -> None:
    assert describe(spec) == text


@pytest.mark.parametrize(
    "spec",
    [
        "lower",
        "number(,)",
        "money(5)",
        "date(formats=5)",
        "number(5)",
        "number(decimal=x)",
        "__import__('os')",
        "number.x",
        "date(first=1)",
        "",
    ],
)
def test_unknown_normalisers(spec: str) -> None:
    with pytest.raises(ValueError, match="normalizer"):
        normalizer_of(spec)


def test_formats_that_read_no_date() -> None:
    with pytest.raises(
        ValueError, match="^date: a format must have day, month and year as in datetime.strptime, got '%d.%m'$"
    ):
        normalizer_of('date(formats=["%d.%m"])')
    normalize = normalizer_of({"issued": 'date(formats=["%y/%m/%d"])'})
    assert normalize is not None
    assert normalize("issued", "23/12/31") == "2023-12-31"


@pytest.mark.parametrize("name", ["number", "money"])
def test_wrong_decimal_mark(name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: decimal must be '\.' or ',', got ';'"):
        normalizer_of(f'{name}(decimal=";")')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rp. 12,500-", "Rp12500"), ("É-1", "É1"), ("e\u0301", "é"), ("a\u0301-\u0301b", "áb"), ("-\u0301", ""),
        ("कि", "कि"), ("नमस्ते!", "नमस्ते"), ("ไม่ 5", "ไม่5"), ("❤\ufe0f x", "x"), ("ᄀ-ᅡ", "가"), ("ﬁ", "ﬁ"),
    ],
)  # fmt: skip
def test_alphanumeric_keeps_letters_digits_and_their_marks(text: str, expected: str) -> None:
    assert alphanumeric(text) == expected


def test_vowel_signs_tell_words_apart() -> None:
    assert alphanumeric("कि") != alphanumeric("की")


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\uff9e\uff9f", "\u0f73\u0301", "\u05b0\u0591\u0345"])
@pytest.mark.parametrize("letters", ["a", "か", "\uac00", "ﬁ", "\u1100\u1161\u11a8"])
def test_many_marks_are_normalised_as_unicode_has_it(letters: str, marks: str) -> None:
    """Above 2,000 characters, marks are sorted before; NFKC is the same."""
    for text in (letters + marks * 1200, (letters + marks) * 800, marks * 1200 + letters, "é １ " * 900):
        assert len(text) > 2000
        assert nfkc(text) == unicodedata.normalize("NFKC", text)
        assert alphanumeric(text) == alphanumeric(unicodedata.normalize("NFC", text))
    assert len(nfkc("a" + "\u0301\u0323" * 50_000)) == 100_000  # of Python's own function, in half a minute
