"""Numbers and amounts of money, in the formats that documents print."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from docie.core.errors import shortened
from docie.core.normalizers.texts import NumberText

_CODES = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY
COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR
IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR
MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD
SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF
XPF YER ZAR ZMW ZWG
"""
_SIGNS = """
€ EUR|Euro EUR|EURO EUR|euro EUR|Eur EUR|eur EUR|£ GBP|US$ USD|A$ AUD|AU$ AUD|CA$ CAD|NZ$ NZD|HK$ HKD|S$ SGD|NT$ TWD
R$ BRL|MX$ MXN|RM MYR|Rp IDR|Rp. IDR|RP IDR|RP. IDR|rp IDR|rp. IDR|₹ INR|₩ KRW|원 KRW|円 JPY|元 CNY|₫ VND|₱ PHP|฿ THB
₪ ILS|₺ TRY|TL TRY|₽ RUB|руб RUB|руб. RUB|₴ UAH|₦ NGN|₡ CRC|₲ PYG|₵ GHS|₸ KZT|₾ GEL|₼ AZN|лв BGN|лв. BGN|zł PLN
Kč CZK|Ft HUF|SFr CHF|SFr. CHF|JP¥ JPY|CN¥ CNY|RMB CNY
"""
SHARED_SIGNS = {
    "$": {"USD", "AUD", "CAD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP"},
    "¥": {"JPY", "CNY"},
    "kr": {"SEK", "NOK", "DKK", "ISK"},
    "Rs": {"INR", "PKR", "LKR", "NPR", "MUR"},
}
"""Signs that several currencies share, which stand for themselves: the most common of these currencies."""

CURRENCIES: dict[str, str] = {
    **{code: code for code in _CODES.split()},
    **{spelling: code for line in _SIGNS.split("\n") if line for spelling, code in map(str.split, line.split("|"))},
    **{sign: sign for sign in SHARED_SIGNS},
    "kr.": "kr",
    "Kr": "kr",
    "Kr.": "kr",
    "Rs.": "Rs",
    "RS": "Rs",
    "Rs": "Rs",
}
"""From each spelling to the ISO code, or to the sign if currencies share it."""

WITHOUT_CENTS = {*"BIF CLP DJF GNF IDR ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split()}  # noqa: SIM905
"""Currencies whose amounts have no decimals (ISO 4217, and the rupiah, whose sen are out of use)."""
NO_DECIMAL_COMMA = {*WITHOUT_CENTS, "¥"}
"""Currencies that use no decimal comma: yen have no decimals, and yuan are written with a point."""


FULL_WIDTH = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **str.maketrans("￡￥￦﹩\u3000", "£¥₩$ "),
}
"""Full-width digits and signs → the usual ones, for `str.translate`."""
_DECIMAL_MARKS = (".", ",")
_MINUS = {"-", "−"}
_SPACES = re.compile(r"['’ \u00a0\u2009\u202f]")
_MARK = "|".join(map(re.escape, sorted({*CURRENCIES, "%"}, key=lambda mark: (-len(mark), mark))))
_AMOUNT = re.compile(
    rf"(?P<first_sign>[+\-−]?)(?:(?P<left>{_MARK})[ \u00a0\u202f]?)?(?P<open>\()?(?P<sign>[+\-−]?)"
    r"(?P<digits>[0-9][0-9.,'’ \u00a0\u2009\u202f]*|[.,][0-9]+)"
    rf"(?P<behind>[\-−–—]{{0,2}})(?(open)\))[ \u00a0\u202f]?(?P<right>{_MARK})?"
)
_SCIENTIFIC = re.compile(r"[+\-−]?[0-9][.,][0-9]+[eE][+\-][0-9]{1,2}")
"""A power of ten with its sign, behind decimals: `12E3` may be a code."""
_IN_THREES = r"[1-9][0-9]{{0,2}}(?:{0}[0-9]{{3}})+"
_INDIAN = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}")


class Amount(NamedTuple):
    """The text of a number, and the currency or "%" beside it ("" for none)."""

    value: str
    unit: str


class AmountText(NamedTuple):
    """An amount, with the parts of its text that do not change its value: its sign, "+", "-" or "", and its zeros."""

    value: str
    unit: str
    sign: str
    zeros: str

    @property
    def text(self) -> NumberText:
        """The number and what is beside it. Its decimal mark is known now, whoever reads it next."""
        return NumberText(f"{self.value}{' ' * (self.unit not in ('', '%'))}{self.unit}")


def number(text: str, *, decimal: str | None = None, leading_zeros: bool = False) -> str:
    """Write a number without thousands separators and needless zeros, and with a decimal point.

    A currency or percent sign is kept after the number, as an ISO code if it is unambiguous: `$8.20` equals neither
    `8.20` nor `€8.20`. A minus sign before the number or after decimals (`8.20-`), and parentheses (`(8.20)`), make it
    negative. Scientific notation with decimals is read, too. Digits that begin with a zero (`007`, `01000`) are a code
    and stay as they are.

    Args:
        text (str): the text.
        decimal (str): the decimal mark, "." or ",". None: it must be clear from the text.
        leading_zeros (bool): whether digits that begin with a zero are a number, too: `007` is 7.

    Returns:
        str: the number. Any other text is returned unchanged, as is a number with two readings (`1.240`).

    Raises:
        ValueError: if `decimal` or `leading_zeros` has a wrong value.

    >>> number("1,240.00"), number("1.240,00"), number("1 240"), number("1.240"), number("12 pcs")
    ('1240', '1240', '1240', '1.240', '12 pcs')
    >>> number("1.240", decimal=","), number("1.240", decimal="."), number("1,00,000.50"), number("8.20-")
    ('1240', '1.24', '100000.5', '-8.2')
    >>> number("12,00 €"), number("EUR 12.0"), number("$8.20"), number("19.0 %")
    ('12 EUR', '12 EUR', '8.2 $', '19%')
    >>> number("007"), number("007", leading_zeros=True), number("0.70"), number("1.24E+03"), number("12E3")
    ('007', '7', '0.7', '1240', '12E3')
    """
    if not isinstance(leading_zeros, bool):
        raise ValueError(f"number: leading_zeros must be True or False, got {shortened(leading_zeros)}")
    amount = _read(text, decimal, "number")
    return text if amount is None or (amount.zeros and not leading_zeros) else amount.text


def money(text: str, *, decimal: str | None = None, currency: str | None = None) -> str:
    """Write an amount of money as its number and its currency, as an ISO code if the sign is unambiguous.

    Amounts in two currencies differ, and an amount without a currency differs from one with it, unless `currency` says
    what it is in. The match rule `same_amount` makes these equal.

    Args:
        text (str): the text, with or without a currency.
        decimal (str): the decimal mark, "." or ",". None: it must be clear from the text.
        currency (str): the currency of amounts without one, as an ISO code or a sign. A sign that several currencies
            share is read as this one if it may be: with "USD", `$8.20` is in USD.

    Returns:
        str: the number, as `number` writes it, and the currency. Any other text is returned unchanged, percentages and
        codes (`007`) too.

    Raises:
        ValueError: if `decimal` or `currency` has a wrong value.

    >>> money("$8.20"), money("RM7.42"), money("12,00 EUR"), money("-8,2 €"), money("8.20")
    ('8.2 $', '7.42 MYR', '12 EUR', '-8.2 EUR', '8.2')
    >>> money("$8.20", currency="USD"), money("8.20", currency="USD"), money("8.20 €", currency="USD")
    ('8.2 USD', '8.2 USD', '8.2 EUR')
    >>> money("Rp 12.500"), money("￥12,500"), money("12.500"), money("€ 12.500", decimal=","), money("19%")
    ('12500 IDR', '12500 ¥', '12.500', '12500 EUR', '19%')
    """
    amount = _read(text, decimal, "money", _currency(currency))
    return text if amount is None or amount.unit == "%" or amount.zeros else amount.text


def read_amount(text: str) -> Amount | None:
    """The number in a text, if it has one reading only, with the currency or percent sign beside it.

    Args:
        text (str): the text.

    Returns:
        Amount: `value`, the number as `number` writes it, and `unit`, "" for none; None if the text is not a number, or
        has two readings.

    >>> read_amount("1.240,50 €"), read_amount("19.0 %"), read_amount("1.240")
    (Amount(value='1240.5', unit='EUR'), Amount(value='19', unit='%'), None)
    """
    amount = _read(text, None, "number")
    return None if amount is None else Amount(amount.value, amount.unit)


def read_amount_text(text: str, decimal: str | None = None) -> AmountText | None:
    """The number in a text as `read_amount` returns it, with its sign and its leading zeros.

    Args:
        text (str): the text.
        decimal (str): the decimal mark, as in `number`.

    >>> read_amount_text("+007"), read_amount_text("(8.20)")
    (AmountText(value='7', unit='', sign='+', zeros='00'), AmountText(value='-8.2', unit='', sign='-', zeros=''))
    """
    return _read(text, decimal, "number")


def _currency(name: str | None) -> str:
    """The currency that amounts without one are in, "" if it is not known."""
    if name is None:
        return ""
    if not isinstance(name, str) or name not in CURRENCIES:
        raise ValueError(f"money: currency must be an ISO code or a sign, such as 'EUR' or '$', got {shortened(name)}")
    return CURRENCIES[name]


def _read(text: str, decimal: str | None, name: str, currency: str = "") -> AmountText | None:
    """The number in a text, if it has one reading only. `currency` is that of amounts without one."""
    if decimal not in (None, *_DECIMAL_MARKS):
        raise ValueError(f"{name}: decimal must be '.' or ',', got {decimal!r}")
    if isinstance(text, NumberText):
        decimal = "."
    text = text.translate(FULL_WIDTH).strip()
    if _SCIENTIFIC.fullmatch(text):
        text, decimal = f"{Decimal(text.replace(',', '.').replace('−', '-')):f}", "."
    in_brackets = text.startswith("(") and text.endswith(")")
    match = _AMOUNT.fullmatch(text[1:-1].strip() if in_brackets else text)
    parts = match.groupdict(default="") if match else {}
    stated = _unit(parts["left"], parts["right"]) if parts else None
    if stated is None:
        return None
    unit = currency if not stated or currency in SHARED_SIGNS.get(stated, ()) else stated
    digits = _digits(parts["digits"], parts["behind"], decimal, unit)
    if digits is None:
        return None
    # brackets without decimals, thousands or currency hold no amount
    if (in_brackets or parts["open"]) and (unit == "%" or (digits.printed.isdigit() and not stated)):
        return None
    signs = [parts["first_sign"], parts["sign"], digits.minus, "-" * in_brackets, "-" * len(parts["open"])]
    if len(signs) - signs.count("") > 1:
        return None
    sign = "".join(signs).replace("−", "-")
    whole = digits.whole.lstrip("0") or "0"
    value = f"{whole}.{digits.fraction}".rstrip("0").rstrip(".")
    zeros = digits.whole.removesuffix(whole)
    return AmountText(f"-{value}" if sign == "-" and value != "0" else value, unit, sign, zeros)


class _Digits(NamedTuple):
    """The digits before and after the decimal mark, a minus sign behind them, and all as it is printed."""

    whole: str
    fraction: str
    minus: str
    printed: str


def _digits(printed: str, behind: str, decimal: str | None, unit: str) -> _Digits | None:
    """The digits of an amount; None if they are ambiguous, or what is behind them is no sign.

    Behind digits stands a minus sign (8.20-), a dash in place of cents (12,- or 12.--), or an ornament (12-), after
    which nothing is certain.
    """
    last = printed[-1]
    if behind and last in _DECIMAL_MARKS:
        is_other_mark = decimal not in (None, last) or last in printed[:-1]
        return None if is_other_mark else _digits(printed[:-1], "", last, unit)
    whole, fraction = _whole_and_fraction(printed, decimal, unit)
    is_sign = not behind or (behind in _MINUS and fraction and not last.isspace())
    return _Digits(re.sub("[^0-9]", "", whole), fraction, behind, printed) if whole and is_sign else None


def _unit(left: str, right: str) -> str | None:
    """The currency or "%" beside a number, "" for none; None if two of them contradict each other."""
    units = {CURRENCIES.get(mark, mark) for mark in (left, right) if mark}
    if left and right and "%" in units:
        return None
    if len(units) == 2:  # $8.20 USD
        units = {unit for unit in units for other in units if unit in SHARED_SIGNS.get(other, ())}
    return units.pop() if len(units) == 1 else None if left and right else ""


def _whole_and_fraction(digits: str, decimal: str | None, unit: str) -> tuple[str, str]:
    """The digits before and after the decimal mark, with thousands separators; twice "" if they are ambiguous."""
    digits = _SPACES.sub(" ", digits.rstrip())
    mark = decimal or _decimal_mark(digits, unit)
    if mark is None:
        return "", ""
    whole, _, fraction = digits.partition(mark)
    thousands = {character for character in whole if not character.isdigit()}
    if len(thousands) > 1 or not (fraction or "0").isdigit() or (mark in digits and not fraction):
        return "", ""
    if thousands and not re.fullmatch(_IN_THREES.format(re.escape(thousands.pop())), whole):
        return (whole, fraction) if mark == "." and _INDIAN.fullmatch(whole) else ("", "")
    return whole or "0", fraction


def _decimal_mark(digits: str, unit: str) -> str | None:
    """The decimal mark, if the digits and the currency determine it."""
    marks = [character for character in digits if character in _DECIMAL_MARKS]
    if not marks:
        return "."
    if len(set(marks)) == 2:
        return marks[-1]
    mark = marks[0]
    if len(marks) > 1:
        return _DECIMAL_MARKS[mark == "."]  # a mark that stands twice separates thousands, the other one decimals
    whole, fraction = digits.split(mark)
    thousands_possible = len(fraction) == 3 and 1 <= len(whole) <= 3 and not whole.startswith("0")
    if not thousands_possible:
        return mark
    return _DECIMAL_MARKS[mark == "."] if unit in (NO_DECIMAL_COMMA if mark == "," else WITHOUT_CENTS) else None
