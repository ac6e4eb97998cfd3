"""When two different texts are certainly the same value: what docs/errors.md says of the kind `form`, case by case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.core.normalizers import same_value
from docie.core.normalizers.amounts import money, read_amount_text
from docie.core.normalizers.dates import date, read_date
from docie.core.normalizers.same_value import may_be_same_value
from docie.core.normalizers.texts import NumberText

from sizes import examples

SAME = [
    # numbers and amounts: decimals, thousands, signs of the same meaning
    ("12", "12.0"), ("12.00", "12"), ("8.20", "8.2"), ("8,20", "8.20"), ("0.5", ".5"), ("1,240.00", "1240"), ("1.240,00", "1,240.00"),
    ("1 240,50", "1240.5"), ("1'240.50", "1,240.50"), ("1,00,000.50", "100000.5"), ("1 234 567", "1234567"), ("1.234.567", "1,234,567"),
    ("-8.20", "(8.20)"), ("8.20-", "-8.2"), ("−5", "-5"), ("12,-", "12"), ("１２．５０", "12.5"), ("+5", "+5.0"), ("007", "007.0"),
    ("19 %", "19%"), ("19.0 %", "19%"), ("1.24E+3", "1240"), ("1,2400E+03", "1.240,00"),
    # with the same currency, or with one on one side only
    ("$ 1,240.00", "1240"), ("€5", "5"), ("€5", "5,00 EUR"), ("EUR 1.240,00", "€1,240.00"), ("RM7.42", "7.42"), ("Rp 12.500", "12500"), ("US$ 5", "5.00 USD"),
    ("£ 3,280.78", "3,280.78"), ("¥1,240", "1240"), ("￥1,240", "¥1240"), ("₩1,240", "1240"), ("1,240円", "1240"), ("＄8.20", "$8.2"), ("￡8.20", "£8.2"),
    # dates
    ("31.12.2023", "2023-12-31"), ("12/31/2023", "31 Dec 2023"), ("Dec 31st, 2023", "31 de diciembre de 2023"), ("2023年12月31日", "2023/12/31"),
    ("12/31/23", "2023-12-31"), ("3/28/20", "2020-03-28"), ("1er août 2023", "2023-08-01"), ("2023-12-31 14:05", "31.12.2023 14:05"), ("2023-12-31T14:05:00", "31.12.2023 2:05 PM"), ("2023-12-31T00:00:00Z", "31.12.2023"), ("2023-12-31T14:05Z", "2023-12-31 14:05 UTC"), ("31/12/'23", "2023-12-31"),
    # truth values
    ("yes", "true"), ("No", "FALSE"), ("true", "True"), ("Ja", "true"), ("Nein", "no"), ("oui", "Yes"), ("Non", "false"), ("Sí", "true"), ("✓", "true"),
    ("checked", "true"), ("☐", "unchecked"), ("não", "false"),
    # characters that were encoded or set by a typographer
    ("R&amp;D", "R&D"), ("caf&#233;", "café"), ("Caf&eacute;", "CAFÉ"), ("R&amp;amp;D", "R&D"), ("BÃ¤ckerei", "Bäckerei"), ("â‚¬ 5", "€5"), ("Itâ€™s", "It's"),
    ("MÃœNCHEN", "München"), ("JosÃƒÂ©", "José"), ("Å‚Ã³dÅº", "łódź"), ("Ð‘Ð°Ð½Ðº", "Банк"), ("æ—¥æœ¬", "日本"), ("Joe’s", "Joe's"), ("“A”", '"A"'), ("«A»", '"A"'),
    ("Joe`s", "Joe's"), ("« A »", '"A"'), ("B\\u00e4cker", "Bäcker"), ("B\\xe4cker", "Bäcker"), ("Tea\\nRoom", "Tea Room"), ('\\"A\\"', '"A"'),
    ("2019–2020", "2019-2020"), ("a\u00adb", "ab"), ("12\u202f500,50", "12500.50"), ("5′ 3″", "5' 3\""), ("AC\u200bME", "ACME"),
    # case, width, white space
    ("Latte", "latte"), ("Straße", "STRASSE"), ("ＡＢＣ", "abc"), ("ｶﾞﾗｽ", "ガラス"), ("LIPTON  TEA", "Lipton Tea"), ("a\u00a0b", "a b"), ("e\u0301clair", "éclair"),
    ("extra shot", "extrashot"), ("10 kg", "10kg"), ("1.5 kg", "1.5 KG"), ("横浜 － 東京", "横浜－東京"), ("A 12", "A12"), (" Ada ", "Ada"), ("x\ty", "x y"),
    # full stops, commas and apostrophes behind words, hyphens in words
    ("St. Paul", "St Paul"), ("Juniper Cafe.", "Juniper Cafe"), ("Anytown, IL", "Anytown IL"), ("Acme Inc.,", "Acme Inc"), ("flat-white", "flat white"),
    ("Flat-White", "flatwhite"), ("dogs' home", "dogs home"), ("U.S.", "U.S"), ("5 pcs.", "5 pcs"), ("co‑op", "co-op"), ("DUBAI, U.A.E.", "DUBAI,U.A.E."),
    # numbers of seven digits and more
    ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000"), ("030 1234567", "0301234567"), ("+49 30 1234567", "+49301234567"),
    ("(555) 123 4567", "(555)1234567"), ("4111 1111 1111 1111", "4111111111111111"), ("1234567", "12 34567"), ("GB29 NWBK 6016 1331 9268 19", "gb29nwbk60161331926819"),
]  # fmt: skip
DIFFERENT = [
    # signs mean something
    ("☑", "☐"), ("A+", "A-"), ("A+", "A"), ("C#", "C"), ("<5", ">5"), ("<5", "5"), ("+5", "5"), ("-12 °C", "12 °C"), ("-5", "5"), ("(5.00)", "5.00"), ("-0", "0"),
    ("№ 5", "# 5"), ("5 %", "5"), ("19%", "19"), ("#11-0197", "11-0197"), ("a & b", "a b"), ("a/b", "ab"), ("x²", "x2"), ("*", "**"), ("□□（株）", "□（株）"),
    # currencies
    ("€5", "$5"), ("5 EUR", "5 USD"), ("¥5", "5 JPY"), ("$5", "A$5"), ("$5", "5%"),
    # digits, points and zeros
    ("007", "7"), ("007", "07"), ("€007", "7"), ("½", "12"), ("1½", "112"), ("10²", "102"), ("①", "1"), ("1.5 kg", "15 kg"), ("1.5", "15"), ("1-2", "12"), ("1.240", "1240"),
    ("1,240", "1.240"), ("Rp 1.240", "1.240"), ("$1,240", "1240"), ("12.00", "1200"), ("12.00", "1,200"), ("1 2", "12"), ("12 A 3", "1 2A3"), ("Apt 1 2B", "Apt 12B"),
    ("12", "13"), ("192.168.11.1", "192.168.1.11"), ("1.2.3", "12.3"), ("5.", "5"), ("1:30", "130"), ("60.000", "60,000"), ("1/2", "12"), ("5,000,00", "5,000.00"),
    # dates that differ, or can be read in two ways
    ("2024-1-12", "2024-11-2"), ("12/1/2024", "1/21/2024"), ("03/04/2024", "04/03/2024"), ("03/04/2024", "2024-04-03"), ("23/12/31", "2031-12-23"), ("31-Dec-23", "2023-12-31"),
    ("2024-01-12", "2024-01-13"), ("2023-12-31 14:05", "2023-12-31"), ("2023-12-31 14:05", "2023-12-31 15:05"), ("2024-03-10T23:30-05:00", "2024-03-10T10:15Z"), ("2024-03-10T10:15", "2024-03-10T10:15Z"), ("2024-03-10T10:15+02:00", "2024-03-10T08:15Z"), ("01000", "1000"), ("0000000012", "12"), ("60", "60,000"), ("31.12.2023", "31122023"), ("May 2024", "2024"),
    # white space between digits, where something may be a date or two amounts
    ("1 12 2024", "11 2 2024"), ("1 12 2024", "1122024"), ("2024 1112", "20241112"), ("no 1 12 2024 77", "no 11 2 2024 77"), ("06 12 34 56 78", "0612345678"),
    ("2 250000.00", "2250000.00"), ("Rp 1 250000", "Rp 1250000"), ("12 345", "123 45"), ("123 456", "1 23456"), ("INV 3 Mai 1234567", "INV3 Mai1234567 8"),
    # truth values, words
    ("yes", "no"), ("true", "1"), ("Y", "yes"), ("X", "true"), ("N", "NO"), ("ja", "nein"), ("✓", "☐"), ("false", "0"), ("a.m.", "am"),
    # what is no entity, no mojibake and no quote
    ("AT&T;", "AT"), ("&nosuchname;", "nosuchname"), ("a < b", "a > b"), ("Ø½", "½"), ("2×½", "2½"), ("Ã", "A"), ("2019–20", "201920"),
    ("20240131", "2024-01-31"), ("45322", "2024-01-31"), ("1706659200", "2024-01-31"),
 ("Joe's", "Joes"), ("A.B.", "AB"), ("re-sign 5", "resign 6"), ("1st", "1"), ("tea", "teas"), ("8-ball", "8 ball"), ("a-1", "a 1"),
]  # fmt: skip


def test_the_table_is_large_and_balanced() -> None:
    pairs = [frozenset(pair) for pair in (*SAME, *DIFFERENT)]
    assert len(pairs) == len(set(pairs)) >= 120
    assert min(len(SAME), len(DIFFERENT)) >= 60


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_value(one: str, other: str) -> None:
    assert same_value(one, other)
    assert same_value(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_another_value(one: str, other: str) -> None:
    assert not same_value(one, other)
    assert not same_value(other, one)


def test_numbers_of_json_have_a_decimal_point() -> None:
    assert same_value(NumberText("1.234"), "1.2340")
    assert not same_value("1.234", "1.2340")
    assert not same_value(NumberText("1.234"), "1234")
    assert same_value(NumberText("1234"), "1,234.00")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("1.240", "1240", True), ("60.000", "60,000", True), ("1.240", "1.24", True), ("03/04/2024", "2024-04-03", True), ("03/04/2024", "2024-03-04", True),
        ("€ 1.240", "1240", True), ("€ 1.240", "$1240", False), ("1.5", "15", False), ("€5", "$5", False), ("007", "7", False), ("03/04/2024", "2024-05-04", False),
        ("ten", "10", False), ("1.240", "1241", False), ("-1.240", "1240", False), ("9" * 100, "9" * 100 + ".0", False),
    ],
)  # fmt: skip
def test_what_may_be_the_same_value(one: str, other: str, expected: bool) -> None:
    assert may_be_same_value(one, other) == may_be_same_value(other, one) == expected


TEXTS = st.one_of(
    st.text(max_size=8),
    st.text(alphabet="0123456789.,-/+ €$%'()", max_size=10),
    st.text(alphabet="ab AB.-'12", max_size=8),
    st.sampled_from([text for pair in (*SAME, *DIFFERENT) for text in pair]),
)


@given(TEXTS, TEXTS)
@examples(5000, 300)
def test_the_order_makes_no_difference(one: str, other: str) -> None:
    assert same_value(one, other) == same_value(other, one)
    assert may_be_same_value(one, other) == may_be_same_value(other, one)
    assert same_value(one, one)
    assert same_value(one, f" {one}\t")


@given(TEXTS, TEXTS)
@examples(5000, 300)
def test_two_readings_are_never_one_value(one: str, other: str) -> None:
    for read in (read_date, read_amount_text):
        readings = read(one), read(other)
        if readings[0] and readings[1] and readings[0][0] != readings[1][0]:
            assert not same_value(one, other)
    if read_amount_text(one) and read_date(other):
        assert not same_value(one, other)


@given(st.integers(-(10**9), 10**9), st.integers(0, 99), st.sampled_from(["", "€", "RM "]))
@examples(500, 100)
def test_an_amount_in_all_its_formats_is_one_value(whole: int, cents: int, currency: str) -> None:
    plain = f"{whole}.{cents:02}"
    english = f"{whole:,}.{cents:02}"
    for printed in (english, english.translate(str.maketrans(",.", ".,")), english.replace(",", "'")):
        assert same_value(plain, printed)
        assert same_value(plain, currency + printed)
        assert money(printed, currency="MYR") == money(f"RM {plain}")


@given(st.dates())
@examples(500, 100)
def test_a_date_in_all_its_formats_is_one_value(day: object) -> None:
    iso = str(day)
    year, month, number = iso.split("-")
    printed = f"{int(number)}. {month}. {year}", f"{year}/{month}/{number}", f"{int(month)}/{int(number)}/{year}"
    for text in printed[1:]:
        assert same_value(iso, text) == (date(text) == iso)


def test_long_texts_are_read_in_no_time() -> None:
    assert same_value("a" * 100_000 + ".", "A" * 100_000)
    assert not same_value("1 " * 50_000, "1" * 50_000 + "2")
    assert not same_value("1 2 " * 20_000, "12" * 20_000 + "3")
