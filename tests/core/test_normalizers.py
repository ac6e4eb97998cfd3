"""Normalisers of texts, how they are named, and what holds of all of them."""

from __future__ import annotations

import functools
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import normalizers
from docie.core.normalizers import alphanumeric, boolean, date, nfkc, number, typography
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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""), ("plain 'text' - \"here\"", "plain 'text' - \"here\""), ("„Größe“ …", '"Größe" ...'), ("a\u00a0b\u2009c", "a b c"),
        ("&lt;b&gt; &#x20AC;&#8364;", "<b> €€"), ("&amp;amp;lt;", "<"), ("&Atilde;&curren;", "ä"), ("&amp", "&amp"), ("A & B; C", "A & B; C"), ("&unknown;", "&unknown;"),
        ("naÃ¯ve", "naïve"), ("JOÃƒÂ£O", "JOãO"), ("Â½ kg", "½ kg"), ("Î±Î²", "αβ"), ("×©×œ×•×\u009d", "שלום"), ("ðŸ˜€", "😀"), ("Ã", "Ã"), ("MAÇÃ", "MAÇÃ"),
        ("Ø½", "Ø½"), ("2×½", "2×½"), ("CAFÉ–BAR", "CAFÉ-BAR"), ("É°", "É°"), ("日本", "日本"), ("ﬁ １", "ﬁ １"), ("m²", "m²"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("«\u00a0Été\u202f» « x »", '"Été" "x"'), ("Joe`s", "Joe's"), ("B\\u00e4cker\\xe9", "Bäckeré"), ("a\\nb\\tc", "a\nb\tc"), ('\\\\\\"a\\/b\\\'', "\"a/b'"),
        ("\\ud83d\\ude00", "\\ud83d\\ude00"), ("a\\u0000\\x1b", "a\\u0000\\x1b"), ("\\u005cn &#92;n", "\\u005cn &#92;n"), ("C:\\data", "C:\\data"), ("&Atilde;\\xa4", "ä"),
    ],
)  # fmt: skip
def test_typography(text: str, expected: str) -> None:
    assert typography(text) == expected


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
@pytest.mark.parametrize(
    "text", ["Bäckerei Müller", "5 €", "Joe’s", "Łódź, Poznań", "Банк России", "東京都", "Ångström", "ção"]
)
def test_mojibake_is_undone(text: str, encoding: str) -> None:
    try:
        garbled = text.encode().decode(encoding)
    except UnicodeDecodeError:
        garbled = text.encode().decode("latin-1")
    assert garbled != text
    assert typography(garbled) == typography(text)


def test_long_texts_are_decoded_in_no_time() -> None:
    assert typography("&" + "amp;" * 100_000) == "&"
    assert typography("Ã¤" * 100_000) == "ä" * 100_000
    assert typography("\\" * 100_000) == "\\" * 100_000
    assert typography("\\" * 100_000 + '"') == '"'
    assert typography("\\u0026amp;" * 20_000) == "&" * 20_000
    assert typography("&#92;u0026" * 10_000) == "&#92;u0026" * 10_000


def test_what_stands_for_true_and_false() -> None:
    assert [boolean(text, true="Y", false="N") for text in ("y", " N ", "no", "J", "")] == [
        "true",
        "false",
        "false",
        "J",
        "",
    ]
    assert [boolean(text, true="1", false="0") for text in ("1", "0", "true", "1.0", "10")] == [
        "true",
        "false",
        "true",
        "1.0",
        "10",
    ]
    assert [boolean(text, true="X", false="") for text in ("x", "false", "no", "true")] == ["true", "", "", "true"]


@pytest.mark.parametrize(
    "spec", ["boolean(true='')", "boolean(true=1)", "boolean(false=0)", "date(numbers='weeks')", "date(numbers=1)"]
)
def test_wrong_arguments(spec: str) -> None:
    with pytest.raises(ValueError, match=r"^(boolean: (true|false)|date: numbers) must be .*, got "):
        normalizer_of(spec)


@pytest.mark.parametrize(
    ("text", "numbers", "expected"),
    [
        ("45322", "days", "2024-01-31"), ("45322.5", "days", "2024-01-31T12:00"), ("45322.427083333", "days", "2024-01-31T10:15"), ("61", "days", "1900-03-01"),
        ("60", "days", "60"), ("20240131", "days", "20240131"), ("45,322", "days", "45,322"), ("2024-01-31", "days", "2024-01-31"), ("31.01.2024", "days", "2024-01-31"),
        ("1706659200", "seconds", "2024-01-31"), ("1706696100", "seconds", "2024-01-31T10:15Z"), ("1706696100000", "milliseconds", "2024-01-31T10:15Z"),
        ("1706696100500", "milliseconds", "2024-01-31T10:15:00.5Z"), ("999999999999999", "seconds", "999999999999999"), ("-5", "seconds", "-5"), ("", "days", ""),
    ],
)  # fmt: skip
def test_numbers_that_are_dates(text: str, numbers: str, expected: str) -> None:
    assert date(text, numbers=numbers) == expected


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


def test_what_else_is_absent() -> None:
    normalize = normalizer_of('absent(texts=["unknown", " [] "])')
    assert normalize is not None
    assert [normalize("a", text) for text in ("Unknown ", "[]", "N/A", "unknown to us")] == [
        "",
        "",
        "",
        "unknown to us",
    ]
    for wrong in ('absent(texts="unknown")', "absent(texts=[5])"):
        with pytest.raises(ValueError, match="^absent: texts must be a list of texts, got "):
            normalizer_of(wrong)
