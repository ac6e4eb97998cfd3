"""How currencies are written (ISO 4217 codes, signs), and which of them have no cents."""

from __future__ import annotations

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
"""Signs of several currencies, which stand for themselves: the most usual of these currencies."""

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
"""From each spelling to the ISO code, or to the sign if that is shared."""

WITHOUT_CENTS = {*"BIF CLP DJF GNF IDR ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split()}  # noqa: SIM905
"""Currencies whose amounts have no decimals (ISO 4217, and the rupiah, whose sen are out of use)."""
NO_DECIMAL_COMMA = {*WITHOUT_CENTS, "¥"}
"""Currencies after which no comma separates decimals: yen have none, and yuan are written with a point."""
