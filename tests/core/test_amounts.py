"""Numbers and amounts of money: certain readings are made equal, uncertain ones stay text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.normalizers.amounts import money, number
from docie.core.normalizers.specs import normalizer_of
from docie.core.normalizers.texts import NumberText, number_text

from sizes import examples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1240", "1240"), ("1,240.00", "1240"), ("1.240,00", "1240"), ("1,240,000", "1240000"),
        ("1.240.000,5", "1240000.5"), ("1 240,50", "1240.5"), ("1'240.50", "1240.5"), ("1\u202f240", "1240"),
        ("12,5", "12.5"), ("12.50", "12.5"), ("0,240", "0.24"), ("0.240", "0.24"), ("1240.500", "1240.5"),
        ("1 240,500", "1240.5"), (".5", "0.5"), ("-0.00", "0"), ("−5", "-5"), ("+5", "5"), (" 12 ", "12"),
        # scientific notation, but for what may be a code
        ("1.24E+03", "1240"), ("−1,5e-2", "-0.015"), ("0.0E+0", "0"), ("1.2E3", "1.2E3"), ("12E+3", "12E+3"), ("1E+5", "1E+5"),
        # full-width digits and signs
        ("１２．５０", "12.5"), ("（８．２０）", "-8.2"),
        # Indian thousands
        ("1,00,000.50", "100000.5"), ("12,34,567", "1234567"), ("1,00,00,000", "10000000"),
        # negative numbers, as ledgers print them, and a dash for no cents
        ("8.20-", "-8.2"), ("1.240,50-", "-1240.5"), ("(8.20)", "-8.2"), ("(1,240,000)", "-1240000"), ("(0.00)", "0"),
        ("12,-", "12"), ("12.-", "12"), ("12,--", "12"), ("1.240,-", "1240"), ("1,240.-", "1240"), ("12,–", "12"),
        # a percentage is another number than the number
        ("19%", "19%"), ("19.0 %", "19%"), ("19,0%", "19%"), ("%19", "19%"), ("-5 %", "-5%"),
        # a currency stays, as its ISO code if that is certain
        ("12,00 €", "12 EUR"), ("€12", "12 EUR"), ("EUR 12.0", "12 EUR"), ("12EUR", "12 EUR"), ("Euro 12", "12 EUR"),
        ("$8.20", "8.2 $"), ("US$ 8.20", "8.2 USD"), ("$8.20 USD", "8.2 USD"), ("USD 8.20 USD", "8.2 USD"),
        ("RM7.42", "7.42 MYR"), ("-$8.20", "-8.2 $"), ("$-8.20", "-8.2 $"), ("$(8.20)", "-8.2 $"), ("($8)", "-8 $"),
        ("12,50 kr.", "12.5 kr"), ("kr 12,50 SEK", "12.5 SEK"), ("Rs. 1,00,000", "100000 Rs"), ("￥１２０", "120 ¥"),
        # of a currency without cents, three digits behind a mark are thousands
        ("Rp 12.500", "12500 IDR"), ("Rp. 12,500", "12500 IDR"), ("JPY 1,240", "1240 JPY"), ("₩1,240", "1240 KRW"), ("¥1,240", "1240 ¥"),
        # what cannot be read with certainty, and what is no number
        ("1.240", "1.240"), ("1,240", "1,240"), ("€ 1.240", "€ 1.240"), ("¥1.240", "¥1.240"), ("(1,240)", "(1,240)"),
        ("12,34,56", "12,34,56"), ("12.34.567", "12.34.567"), ("1.2.3", "1.2.3"), ("1240.", "1240."),
        ("12-", "12-"), ("12 -", "12 -"), ("12.00 -", "12.00 -"), ("- 12.00", "- 12.00"), ("Rp. 12,500-", "Rp. 12,500-"),
        ("(19%)", "(19%)"), ("(19.5 %)", "(19.5 %)"), ("1.240.-", "1.240.-"), ("1,240,-", "1,240,-"), ("12.50--", "12.50--"), ("12.50–", "12.50–"), ("(12)", "(12)"), ("(-8.20)", "(-8.20)"), ("-(8.20)", "-(8.20)"),
        ("-8.20-", "-8.20-"), ("($(8.20))", "($(8.20))"), ("(8.20", "(8.20"), ("$8.20 EUR", "$8.20 EUR"), ("€ 5 %", "€ 5 %"),
        ("12 eggs", "12 eggs"), ("12 usd", "12 usd"), ("1,240.00.5", "1,240.00.5"), ("12 50", "12 50"), ("", ""), ("€", "€"),
        ("٣", "٣"), ("1e5", "1e5"), ("1,2 400", "1,2 400"), ("12²", "12²"), ("½", "½"),
    ],
)  # fmt: skip
def test_number(text: str, expected: str) -> None:
    assert number(text) == expected
    assert number(expected) == expected


@pytest.mark.parametrize(
    ("text", "decimal", "expected"),
    [
        ("1.240", ",", "1240"), ("1.240", ".", "1.24"), ("1,240", ".", "1240"), ("1,240", ",", "1.24"),
        ("0.500", ",", "0.500"), ("0,500", ".", "0,500"), ("1.240,5", ",", "1240.5"), ("1.24", ",", "1.24"), ("1,240.5", ",", "1,240.5"), ("12,50", ".", "12,50"),
        ("€ 1.240", ",", "1240 EUR"), ("Rp 12.500", ".", "12.5 IDR"), ("1,00,000", ".", "100000"), ("1,00,000", ",", "1,00,000"),
        ("12,-", ".", "12,-"), ("12,-", ",", "12"), ("(1,240)", ".", "-1240"),
    ],
)  # fmt: skip
def test_number_with_a_stated_decimal_mark(text: str, decimal: str, expected: str) -> None:
    assert number(text, decimal=decimal) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$8.20", "8.2 $"), ("8,20 €", "8.2 EUR"), ("8.20", "8.2"), ("RM7.42", "7.42 MYR"), ("12,00 EUR", "12 EUR"), ("€ 5", "5 EUR"),
        ("Rp 12.500", "12500 IDR"), ("($8)", "-8 $"), ("8.20-", "-8.2"), ("12.500,- €", "12500 EUR"), ("R$ 1.240,50", "1240.5 BRL"), ("1240 USD", "1240 USD"),
        # currencies without cents, and yuan, have no decimal comma; yuan have a decimal point
        ("¥1,240", "1240 ¥"), ("￥1,240", "1240 ¥"), ("￥１，２４０", "1240 ¥"), ("¥123,456", "123456 ¥"), ("¥1,240.50", "1240.5 ¥"), ("JP¥1.240", "1240 JPY"), ("1,240円", "1240 JPY"),
        ("₩1,240", "1240 KRW"), ("￦1,240", "1240 KRW"), ("₫1.240", "1240 VND"), ("RMB 5", "5 CNY"), ("CN¥5.50", "5.5 CNY"), ("￡1,240.00", "1240 GBP"), ("＄1,240.00", "1240 $"), ("﹩5", "5 $"),
        ("¥1.240", "¥1.240"), ("$1,240", "$1,240"), ("＄1,240", "＄1,240"), ("RM1,240", "RM1,240"), ("￡1,240", "￡1,240"), ("1,240元", "1,240元"),
        # one mark and three digits behind it: thousands of up to three digits, or decimals
        ("1,240", "1,240"), ("12,240", "12,240"), ("123,456", "123,456"), ("123.456", "123.456"), ("€123.456", "€123.456"), ("1234,567", "1234.567"), ("1234.567", "1234.567"),
        # what is no amount, or not certain
        ("19%", "19%"), ("19 %", "19 %"), ("€ 1.240", "€ 1.240"), ("1.240", "1.240"), ("12 kg", "12 kg"), ("(12)", "(12)"), ("007", "007"),
    ],
)  # fmt: skip
def test_money(text: str, expected: str) -> None:
    assert money(text) == expected
    assert money(expected) == expected


def test_money_with_a_stated_decimal_mark() -> None:
    assert money("€ 1.240", decimal=",") == money("1,240 EUR", decimal=".") == "1240 EUR"


@pytest.mark.parametrize(
    ("text", "currency", "expected"),
    [
        ("8.20", "EUR", "8.2 EUR"), ("8.20", "€", "8.2 EUR"), ("8.20 €", "EUR", "8.2 EUR"), ("$8.20", "EUR", "8.2 $"), ("8.20", "$", "8.2 $"),
        # a sign that several currencies share may be the stated one
        ("$8.20", "USD", "8.2 USD"), ("$8.20", "CAD", "8.2 CAD"), ("US$ 8.20", "CAD", "8.2 USD"), ("¥5", "CNY", "5 CNY"), ("kr 5", "SEK", "5 SEK"),
        # the currency tells what a mark means, as one that is printed does
        ("12.500", "IDR", "12500 IDR"), ("12.500", "EUR", "12.500"), ("(12)", "EUR", "(12)"), ("007", "EUR", "007"), ("19%", "EUR", "19%"), ("tea", "EUR", "tea"),
    ],
)  # fmt: skip
def test_money_in_a_stated_currency(text: str, currency: str, expected: str) -> None:
    assert money(text, currency=currency) == expected
    assert money(expected, currency=currency) == expected


def test_two_currencies_are_two_amounts() -> None:
    texts = ["8.20", "$8.20", "€8.20", "8.20 USD", "¥8.20", "8.20 CNY"]
    assert len({money(text) for text in texts}) == len(texts)


@pytest.mark.parametrize("text", ["007", "01000", "0000000012", "00.50", "-007", "€007", "08"])
def test_codes_keep_their_zeros(text: str) -> None:
    assert number(text) == money(text) == text
    asked = number(text, leading_zeros=True)
    assert asked != text
    assert number(asked) == asked
    assert number("0.50") == "0.5"
    assert number("0") == "0"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            'money(currency="euros")',
            "money: currency must be an ISO code or a sign, such as 'EUR' or '\\$', got 'euros'",
        ),
        ("money(currency=5)", "money: currency must be an ISO code"),
        ("number(leading_zeros=1)", "number: leading_zeros must be True or False, got 1"),
    ],
)
def test_wrong_values_of_options(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        normalizer_of(spec)


def test_what_differs_stays_different() -> None:
    texts = ["8.20", "$8.20", "€8.20", "8.20%", "-8.20", "8.21", "¥8.20", "8.20 CNY"]
    assert len({number(text) for text in texts}) == len(texts)


@given(
    st.integers(-(10**9), 10**9), st.integers(0, 99), st.sampled_from([",.", ".,"]), st.sampled_from(["", "€", "RM"])
)
@examples(100, 100)
def test_what_was_printed_is_read(whole: int, cents: int, marks: str, currency: str) -> None:
    printed = f"{whole:,}.{cents:02}".translate(str.maketrans(",.", marks)) + currency
    assert money(printed) == number(printed)
    assert float(number(printed).split()[0]) == float(f"{whole}.{cents:02}")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12, "12"), (12.0, "12"), (0.10, "0.1"), (-0.0, "0"), (-12.5, "-12.5"), (1e16, "1" + "0" * 16), (1e22, "1" + "0" * 22),
        (1.5e-7, "0.00000015"), (5e-324, f"0.{'0' * 323}5"), (2**70, "1180591620717411303424"), (True, "true"), (False, "false"),
        (1.7e308, "17" + "0" * 307), (0, "0"),
    ],
)  # fmt: skip
def test_the_text_of_a_number(value: float, text: str) -> None:
    assert number_text(value) == text
    assert isinstance(number_text(value), NumberText)
    assert number(NumberText(text), decimal=",") == money(NumberText(text), decimal=",") == text


@given(st.floats(allow_nan=False, allow_infinity=False))
@examples(200, 200)
def test_the_text_of_a_number_has_its_value(value: float) -> None:
    text = number_text(value)
    assert text is not None
    assert float(text) == value
    assert "e" not in text
    assert ("." not in text) or not text.endswith("0")


def test_nothing_and_too_much() -> None:
    assert number_text(float("nan")) is None
    with pytest.raises(ValueError, match="^expected a number of at most 4,300 digits, got a longer one$"):
        number_text(10**4300)
    for infinity in (float("inf"), 1e999, -1e999):
        with pytest.raises(ValueError, match="^expected a number between -1.8e308 and 1.8e308, got -?inf$"):
            number_text(infinity)
