"""Random values, the types of values, and synonyms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from docie import attacks
from docie.robustness.attacks import wording as synonyms
from docie.robustness.attacks.random_values import (
    data_type_of,
    long_date,
    money_text,
    random_date,
    random_money,
    random_number,
    random_text,
)
from docie.robustness.attacks.wording import language_of, synonym
from docie.robustness.form import Page, Word

from checkout import needs_package

SEEDS = range(300)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("05/06/2021", "date"), ("21-05-06", "date"), ("2021-05-06", "date"), ("05/March/21", "date"), ("5 Mar 2021", "date"),
        ("31.12.2023 14:05", "date"), ("2021年5月6日", "date"), ("5. März 2021", "date"),
        ("12.50", "money"), ("$5", "money"), ("1,240.00", "money"), ("60.000", "money"), ("Rp 12.500", "money"), ("12,50 €", "money"),
        ("-60.000", "money"), ("(8.20)", "money"), ("1.234.567", "money"),
        ("1234", "number"), ("INV-0012", "number"), ("2x", "number"), ("19%", "number"), ("12 34", "number"), ("12/3", "number"),
        ("Ada", "text"), ("12 Mill Street", "text"), ("", "text"), ("合計", "text"), ("May", "text"),
    ],
)  # fmt: skip
def test_types_of_texts(text: str, expected: str) -> None:
    assert data_type_of(text) == expected


def test_random_dates() -> None:
    patterns = [r"\d\d/\d\d/\d\d", r"\d\d-\d\d-\d\d", r"\d\d/[A-Z][a-z]{3,}/\d\d", r"\d\d/[A-Z][a-z]{2}/\d\d"]
    dates = [random_date(Random(seed)) for seed in SEEDS]
    assert {data_type_of(date) for date in dates} == {"date"}
    assert all(any(re.fullmatch(pattern, date) for pattern in patterns) for date in dates)
    assert all(any(re.fullmatch(pattern, date) for date in dates) for pattern in patterns)
    years = {int(date[-2:]) for date in dates if re.fullmatch(patterns[0], date)}
    assert min(years) >= 1
    assert max(years) <= 21


@pytest.mark.parametrize("words", [2, 3, 4])
def test_long_dates(words: int) -> None:
    dates = [long_date(Random(seed), words) or "" for seed in SEEDS]
    assert {(len(date.split()), data_type_of(date)) for date in dates} == {(words, "date")}


def test_random_numbers_and_money() -> None:
    numbers = [random_number(Random(seed)) for seed in SEEDS]
    assert {len(number) for number in numbers} == set(range(3, 13))
    assert len(random_number(Random(0), 3).split()) == 3
    amounts = [random_money(Random(seed)) for seed in SEEDS]
    assert all(re.fullmatch(r"\$?\d{1,3}(,\d{3})*\.\d\d", amount) for amount in amounts)
    assert len({amount[0] == "$" for amount in amounts}) == 2
    assert {data_type_of(amount) for amount in [*amounts, money_text(1), money_text(1_000_000_000)]} == {"money"}
    assert money_text(1_000_000_000) == "10,000,000.00"


def test_amounts_are_between_1_and_ten_millions() -> None:
    values = sorted(float(random_money(Random(seed)).lstrip("$").replace(",", "")) for seed in range(2000))
    assert 1 <= values[0] < 100_000
    assert 9_900_000 < values[-1] <= 10_000_000
    assert 4_700_000 < values[1000] < 5_300_000  # all are equally likely


@needs_package("faker")
def test_random_texts() -> None:
    pytest.importorskip("faker")
    assert len((random_text(Random(0), "words", 4) or "").split()) == 4
    names = [random_text(Random(seed), "company", 2) for seed in range(20)]
    assert names == [random_text(Random(seed), "company", 2) for seed in range(20)]
    assert all(name is None or len(name.split()) == 2 for name in names)
    assert random_text(Random(0), "company", 9) is None


def test_without_faker_texts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from docie.robustness.attacks import random_values

    monkeypatch.setitem(__import__("sys").modules, "faker", None)
    random_values._faker.cache_clear()
    with pytest.raises(ImportError, match=r"^random texts need Faker: pip install 'docie\[robustness\]'$"):
        random_text(Random(0), "company", 2)
    random_values._faker.cache_clear()


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Invoice", "english", {"Bill", "Statement"}),
        ("(TAX):", "english", {"(VAT):", "(DUTY):"}),
        ("No.", "english", {"Number", "Nr.", "#", "Num."}),
        ("No.:", "english", {"Number:", "Nr.:", "#:", "Num.:"}),
        ("Rechnung", "german", {"Faktura"}),
        ("MwSt.", "german", {"Mehrwertsteuer", "Umsatzsteuer", "Ust."}),
        ("Fecha", "spanish", {"Día"}),
        ("total", "indonesian", {"jumlah"}),
        ("Sous-total", "french", {"S/total"}),
        ("Juniper", "english", {None}),
        ("", "english", {None}),
        ("...", "english", {None}),
    ],
)
def test_synonyms_of_the_lexicon(text: str, language: str, expected: set[str | None]) -> None:
    assert {synonym(text, Random(seed), "lexicon", language) for seed in range(60)} == expected


def test_the_lexicon_is_well_formed() -> None:
    """Several languages; every word has another one, and none stands for itself."""
    tables = synonyms._lexicons()
    assert list(tables) == ["english", "german", "french", "spanish", "indonesian"]
    for table in tables.values():
        assert len(table) >= 30
        for word, others in table.items():
            assert others
            assert word not in others
            assert all(other and other == other.strip() for other in others)


def test_the_language_of_a_form() -> None:
    assert language_of(["Total", "Invoice", "Date"]) == "english"
    assert language_of(["Subtotal", "Pajak", "Tunai", "Kembali"]) == "indonesian"
    assert language_of(["Factura", "Fecha", "Total"]) == "spanish"
    form = Page([Word(text) for text in ("Rechnung", "Datum", "Summe")])
    assert attacks.apply("bg_synonyms", form, seed=0, p=1.0).words[0].text == "Faktura"


@pytest.fixture
def wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small WordNet in a folder of its own."""
    licence = "  1 This software and database is free  \n"
    lines = {
        "noun": "06516955 10 n 03 bill 1 account 2 invoice 0 001 @ 06516595 n 0000 | a statement\n"
        "00000001 10 n 02 gross_sales 0 sales 0 000 | income\n",
        "adj": "00000002 00 a 02 due(p) 0 owed 0 000 | payable\n",
    }
    for part in synonyms.PARTS_OF_SPEECH:
        (tmp_path / f"data.{part}").write_text(licence + lines.get(part, ""), encoding="utf-8")
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    synonyms.wordnet_folder.cache_clear()
    yield tmp_path
    monkeypatch.undo()
    synonyms.wordnet_folder.cache_clear()


def test_wordnet_is_taken_where_it_is_installed(wordnet: Path) -> None:
    assert {synonym("INVOICE:", Random(seed)) for seed in range(20)} == {"BILL:", "ACCOUNT:"}
    assert synonym("due", Random(0), "wordnet") == "owed"
    assert synonym("sales", Random(0)) is None  # a synonym of two words would change their number
    assert synonym("Summe", Random(0), None, "german") is not None  # WordNet is English
    assert {synonym("Invoice", Random(seed), "lexicon") for seed in range(20)} == {"Bill", "Statement"}


def test_wordnet_that_is_missing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(synonyms, "wordnet_folder", lambda: None)
    with pytest.raises(ValueError, match="^source='wordnet' needs the files of WordNet: Debian's wordnet-base, "):
        synonym("Invoice", Random(0), "wordnet")
    assert synonym("Invoice", Random(0)) in ("Bill", "Statement")


def test_bg_synonyms_has_its_rate(invoice_forms: list[Page]) -> None:
    known = replaced = 0
    for form in invoice_forms:
        after = attacks.apply("bg_synonyms", form, seed=1, p=0.4, source="lexicon")
        language = language_of(word.text for word in form.words)
        for position in form.background:
            text = form.words[position].text
            known += synonym(text, Random(0), "lexicon", language) is not None
            replaced += after.words[position].text != text
    assert abs(replaced - 0.4 * known) < 4.5 * (known * 0.24) ** 0.5
