"""Patterns: planted errors of each sort are told as what they are, and nothing else is."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

import docie
from docie import kieval
from docie.core.counts import Counts
from docie.core.normalizers.confusions import confusion
from docie.diagnosis import patterns as module
from docie.diagnosis.error_sorts import SORTS, part_of
from docie.diagnosis.patterns import Pattern, Patterns
from docie.metrics.kieval.repairs import analyse

from checkout import ROOT

Document = dict[str, Any]
WORDS = ["Amber", "Birch", "Cedar", "Dahlia", "Ebony", "Fennel", "Ginger", "Hazel", "Indigo", "Kelp", "Lotus", "Mango"]
WORDS += ["Nettle", "Olive"]


def receipt(number: int) -> Document:
    """A receipt whose values occur once."""
    return {
        "vendor": f"{WORDS[number]} House",
        "date": f"{14 + number}/05/2024",
        "tax": f"{number + 2}.17",
        "total": f"{number + 20}.39",
        "items": [
            {"name": f"{WORDS[line]} {WORDS[number]}", "amount": f"{4 + line}.{20 + number}", "weight": f"9{line} g"}
            for line in range(4)
        ],
    }


RECEIPTS = [receipt(number) for number in range(14)]


def changed(change: Callable[[Document], object], numbers: Iterable[int]) -> list[Any]:
    """Predictions as the receipts are, some of them changed: what `change` returns, or what it makes of a receipt."""
    predictions: list[Any] = copy.deepcopy(RECEIPTS)
    for number in numbers:
        made = change(predictions[number])
        predictions[number] = predictions[number] if made is None else made
    return predictions


def found(predictions: Iterable[Any], references: Iterable[Document] = RECEIPTS, **options: Any) -> list[Pattern]:
    """The patterns of documents, which are named by their numbers."""
    patterns, counts = Patterns(**options), Counts()
    for number, (prediction, reference) in enumerate(zip(predictions, references, strict=True)):
        read = analyse(prediction, reference, kieval.Settings(), number)
        counts += read.counts
        patterns.add(number, read.rows, read.counts, read.reference)
    return patterns.found(counts)


def put(name: str, text: Callable[[str], str]) -> Callable[[Document], None]:
    """Write a value in another way."""

    def change(document: Document) -> None:
        document[name] = text(document[name])

    return change


def in_items(name: str, text: Callable[[str], str]) -> Callable[[Document], None]:
    """Write a value of the first item in another way."""

    def change(document: Document) -> None:
        document["items"][0][name] = text(document["items"][0][name])

    return change


def exchange(document: Document) -> None:
    document["tax"], document["total"] = document["total"], document["tax"]


def shift(document: Document) -> None:
    """Amounts slip by one row; the last one is lost."""
    amounts = [item["amount"] for item in document["items"]]
    for item, amount in zip(document["items"][1:], amounts, strict=False):
        item["amount"] = amount
    del document["items"][0]["amount"]


def lose_most(document: Document) -> None:
    for item in document["items"]:
        del item["name"], item["weight"]


def lose_one(document: Document) -> None:
    del document["vendor"]


PLANTED = {
    "year": (put("date", lambda text: text[:5]), "3 of 14 values of date lack the year", 3),
    "full stop": (put("tax", "{}.".format), "3 × '.' added in tax", 3),
    "unit": (in_items("amount", "{} EUR".format), "3 × 'EUR' added in items.amount", 3),
    "label": (put("vendor", "Shop: {}".format), "3 × 'Shop:' added in vendor", 3),
    "without a unit": (in_items("weight", lambda text: text[:2]), "3 × 'g' missing in items.weight", 3),
    "decimal mark": (put("total", lambda text: text.replace(".", "")), "3 × '.' missing in total", 3),
    "one character": (put("vendor", lambda text: text[1:]), "3 × one character missing in vendor", 3),
    "letter for digit": (put("date", lambda text: text.replace("2024", "2O24")), "3 × letter O for digit 0 in date", 3),
    "exchanged": (exchange, "3 × tax and total exchanged", 6),
    "other type": (lambda each: each | {"due": each["date"]}, "3 × value of date as due", 3),
    "row off": (shift, "9 × value one row off in items.amount", 12),
    "no answer": (lambda each: None if each is None else {}, "48 of 48 missing values are in 3 answers without any value", 48),
    "the last items": (lambda each: each["items"].pop(), "9 missing values are the last items of 3 documents", 9),
    "all items": (lambda each: each.pop("items"), "36 missing values are all items of 3 documents", 36),
    "format": (put("date", lambda text: f"2024-05-{text[:2]}"), "3 × another date format in date", 3),
    "case": (put("vendor", str.upper), "3 × difference in case only in vendor", 3),
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_planted_errors_are_one_pattern(planted: str) -> None:
    change, text, errors = PLANTED[planted]
    edit = change if planted not in ("the last items", "all items") else lambda each: change(each) and None
    [pattern] = found(changed(edit, [2, 5, 7]))
    assert (pattern.text, pattern.errors, pattern.documents) == (text, errors, 3)
    assert pattern.first_documents == [2, 5, 7]
    assert pattern.pattern in SORTS


def test_one_error_is_no_pattern() -> None:
    assert found(changed(put("date", lambda text: text[:5]), [2])) == []
    assert len(found(changed(put("date", lambda text: text[:5]), [2, 3]))) == 1
    assert found(RECEIPTS) == []


def test_most_errors_in_one_document() -> None:
    predictions = changed(lose_most, [4])
    del predictions[6]["vendor"], predictions[7]["tax"]
    [pattern] = found(predictions)
    assert (pattern.pattern, pattern.text) == ("one_document", "8 of 10 missing values are in 4")
    assert (pattern.errors, pattern.documents, pattern.first_documents) == (8, 1, [4])
    predictions = changed(lose_most, [4, 5])
    assert found(predictions) == [], "the half is not most"
    predictions = changed(lose_most, [4])
    del predictions[6]["vendor"]
    predictions[8] = predictions[9] = {}
    assert [each.text for each in found(predictions)] == [
        "32 of 41 missing values are in 2 answers without any value",
        "8 of 9 other missing values are in 4",
    ]


def test_parts_that_are_all_different_have_in_common_that_they_are_parts() -> None:
    predictions = copy.deepcopy(RECEIPTS)
    for number in (1, 4, 9):
        predictions[number]["vendor"] += f", {WORDS[number - 1]}"
    [pattern] = found(predictions)
    assert (pattern.text, pattern.errors, pattern.documents) == ("3 × a part added in vendor", 3, 3)


def test_types_stand_behind_what_they_have_in_common() -> None:
    predictions = changed(put("tax", "{}.".format), [1, 2, 3])
    for number in (3, 4):
        predictions[number]["total"] += "."
    predictions[5]["vendor"] = "Fennel House."
    [pattern] = found(predictions)
    assert pattern.text == "6 × '.' added in tax (3), total (2) and 1 more"
    assert pattern.entity_types == ["tax", "total", "vendor"]
    assert (pattern.documents, pattern.example) == (5, "3.17. for 3.17")


def test_what_is_not_certain_is_not_said() -> None:
    """A value that two types have; a value of the same meaning; short values that types share by chance."""
    references = [{"total": f"{number}2.00", "paid": f"{number}2.00", "tax": "1.00"} for number in range(1, 5)]
    assert found([each | {"tax": each["total"]} for each in references], references) == []
    references = [{"price": f"@{number}4.000", "amount": f"{number}4.000"} for number in range(1, 5)]
    texts = [each.text for each in found([each | {"price": each["amount"]} for each in references], references)]
    assert texts == ["4 × '@' missing in price"], "not the amount"
    references = [{"total": f"Rp {number}4.000"} for number in range(1, 5)]
    predictions = [{"total": each["total"].replace(" ", "")} for each in references]
    assert [each.text for each in found(predictions, references)] == ["4 × a blank missing in total"], (
        "the unit is there"
    )
    numbers: list[Document] = [{"items": [{"n": "1", "size": "2"}]}] * 4
    assert found([{"items": [{"n": "2", "size": "3"}]}] * 4, numbers) == []


def damaged(seed: int) -> list[Any]:
    """The receipts with errors of several sorts at random."""
    dice = random.Random(seed)
    predictions: list[Any] = copy.deepcopy(RECEIPTS)
    for _ in range(30):
        change, *_ = PLANTED[dice.choice([*PLANTED])]
        number = dice.randrange(len(predictions))
        try:
            made = change(predictions[number])
        except (AttributeError, IndexError, KeyError, TypeError):  # another error came first
            continue
        predictions[number] = made if isinstance(made, dict) and "date" in made else predictions[number]
    return predictions


@pytest.mark.parametrize("seed", range(12))
def test_an_error_counts_once_and_the_order_does_not_matter(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 1000)
    monkeypatch.setattr(module, "LEAST", 1)
    predictions = damaged(seed)
    patterns = found(predictions)
    errors = sum(len(kieval.error_rows(*pair)) for pair in zip(predictions, RECEIPTS, strict=True))
    assert 0 < sum(each.errors for each in patterns) <= errors
    assert all(0 < each.documents <= len(RECEIPTS) and each.errors >= each.documents for each in patterns)
    order = random.Random(seed).sample(range(len(RECEIPTS)), len(RECEIPTS))
    again = found([predictions[place] for place in order], [RECEIPTS[place] for place in order])
    facts = [each[:6] for each in patterns if each.pattern != "one_document"]
    assert [each[:6] for each in again if each.pattern != "one_document"] == facts


def test_only_the_errors_that_are_asked_for_count() -> None:
    predictions = changed(exchange, [1, 2])
    for prediction in predictions[5:9]:
        prediction["vendor"] += "."
    [pattern] = found(predictions, asked=lambda row: row.entity_type == "tax")
    assert (pattern.what, pattern.errors, pattern.entity_types) == ("tax and total exchanged", 2, ["tax"])


def test_possible_patterns_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KEYS", 1)
    predictions = changed(put("tax", "{}.".format), [1, 2])
    predictions[5]["vendor"] += " Ltd"
    assert [each.text for each in found(predictions)] == ["2 × '.' added in tax"]


RECEIPT_FILES = [str(ROOT / "examples" / "receipts" / f"{name}.jsonl") for name in ("references", "predictions-hasty")]


def test_a_stream_a_list_and_the_report_have_the_same() -> None:
    references, predictions = RECEIPT_FILES
    result = docie.errors(references=references, predictions=predictions)
    expected = result.to_dict()["patterns"]
    sides = [*docie.read(references)], [*docie.read(predictions)]
    assert docie.errors(references=sides[0], predictions=sides[1]).to_dict()["patterns"] == expected
    collection = docie.score(references=references, predictions=predictions, documents=0).shown
    assert collection is not None
    assert [each.record() for each in collection.patterns.found(collection.counts)] == expected
    assert expected[0] == {
        "pattern": "no_answer",
        "text": "29 of 46 missing values are in 1 answer without any value (1 could not be read)",
        "entity_types": [
            "items.amount", "items.name", "items.quantity", "items.options.name", "items.unit_price", "currency", "date",
            "payment.change", "payment.method", "payment.paid", "receipt_number", "summary.subtotal", "summary.total",
            "vendor",
        ],
        "errors": 29,
        "documents": 1,
        "first_documents": ["receipt-17"],
        "reference": "2,85",
        "prediction": None,
    }  # fmt: skip
    assert {"pattern": "exchanged", "text": "2 × summary.subtotal and summary.total exchanged"}.items() <= expected[
        4
    ].items()
    assert [each["errors"] for each in expected] == sorted((each["errors"] for each in expected), reverse=True)
    assert len(expected) == module.MOST


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        ("10,70", "1O,7O", ("0", "O")),
        ("60.000", "60,000", (".", ",")),
        ("modern", "modem", ("rn", "m")),
        ("clear", "dear", ("cl", "d")),
        ("Cobb Salad", "Cobb Salod", ("a", "o")),
        ("12.00", "13.00", None),  # another number
        ("A-1", "B-1", None),  # another code
        ("1000", "l0O0", None),  # two slips
        ("Tea", "Tee", None),  # a short word is another word
        ("Same", "same", None),
        ("Same", "Same", None),
        ("", "x", None),
    ],
)
def test_confused_characters(text: str, read: str, expected: tuple[str, str] | None) -> None:
    assert confusion(text, read) == expected


@pytest.mark.parametrize(
    ("longer", "shorter", "expected"),
    [
        ("2024-09-15", "15.09.", "the year"),
        ("15 September 2024", "Sep 15", "the year"),
        ("15.09.2024", "09.2024", "the day"),
        ("2024-09-15T10:30", "15.09.2024", "the time"),
        ("15.09.2024", "15.10.", ""),
        ("12 pcs", "12", "'pcs'"),
        ("-9.15", "9.15", "'-'"),
        ("Total: 9,15", "9.15", "'Total:'"),
        ("Rp 35.000", "Rp35.000", "a blank"),
        ("12 EUR", "€12", ""),  # it has its unit
        ("1.234,50", "1234,50", "'.'"),
        ("Harbor Street Diner", "Diner", "'Harbor Street'"),
        ("Roller", "Rolle", "one character"),
        ("12", "1", ""),
        ("abcd", "xyz", ""),
    ],
)
def test_parts(longer: str, shorter: str, expected: str) -> None:
    assert part_of(longer, shorter) == expected
