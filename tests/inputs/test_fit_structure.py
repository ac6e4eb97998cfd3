"""What `docie check` finds of structure: objects for values, facts beside them, paths, splits, and what is left over."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.diagnosis.check import Finding
from docie.diagnosis.config_file import config_file
from docie.inputs.reading import Side
from docie.inputs.records import with_records
from docie.inputs.row import Row
from docie.inputs.shapes import Shape

from cli_runs import lines, run_command

DICE = random.Random(39)
ROWS: list[dict[str, Any]] = [
    {
        "vendor": f"Cafe {DICE.choice('ABCDEFG')} {number}",
        "date": f"2024-03-{10 + number}",
        "total": f"{DICE.randrange(101, 9001, 2) / 8:.2f}",
        "items": [
            {
                "name": f"{DICE.choice(['Latte', 'Mocha', 'Bagel'])} {place}",
                "price": f"{DICE.randrange(11, 99) / 8:.2f}",
            }
            for place in range(1 + number % 4)
        ],
    }
    for number in range(12)
]
VALUES = 96
"""The number of values of these documents."""


def found(predictions: list[Any], references: list[Any] = ROWS) -> list[Finding]:
    return [*docie.check(references=references, predictions=predictions)]


def each_value(row: Any, change: Callable[[str], Any]) -> Any:
    if isinstance(row, dict):
        return {key: each_value(child, change) for key, child in row.items()}
    return [each_value(child, change) for child in row] if isinstance(row, list) else change(row)


def objects(**facts: Any) -> list[Any]:
    """The documents with an object for each value, under "content"."""
    return [each_value(row, lambda text: {"content": text, **facts}) for row in ROWS]


def renamed(rows: list[Any], **names: str) -> list[Any]:
    return [{names.get(key, key): child for key, child in row.items()} for row in rows]


# objects that stand for a value


@pytest.mark.parametrize(
    ("facts", "keys"),
    [
        ({"score": 0.98, "polygon": [[0, 0], [4, 0], [4, 1], [0, 1]]}, {"confidence": "score", "box": "polygon"}),
        (
            {"bbox": {"x": 1, "y": 2, "w": 3, "h": 4}, "page_number": 1, "confidence": 0.5},
            {"confidence": "confidence", "box": "bbox", "page": "page_number"},
        ),
        ({}, {}),
        ({"prob": 97.5}, {"percent": "prob"}),
        ({"score": 0.98, "kind": "printed"}, {"confidence": "score", "ignore": ["kind"]}),
    ],
)
def test_an_object_that_stands_for_a_value(facts: dict[str, Any], keys: dict[str, Any]) -> None:
    predictions = objects(**facts)
    [finding] = found(predictions)
    assert (finding.kind, finding.values, finding.before, finding.after) == ("leaf", VALUES, 0, 1)
    assert finding.config == {"predictions.leaf": [{"value": "content", **keys}]}
    assert finding.is_certain
    [finding] = found(ROWS, predictions)
    assert finding.config == {"references.leaf": [{"value": "content", **keys}]}


def test_what_is_known_of_the_values_is_kept() -> None:
    predictions = objects(score=0.98, polygon=[[0, 0], [4, 0], [4, 1], [0, 1]], page_no=2)
    config = docie.check(references=ROWS, predictions=predictions).config
    result = corpus.evaluate(kieval, predictions, ROWS, kieval.Settings(thresholds=[0.5]), config=config)
    assert result["entity_f1"] == 1
    assert result["automation"][0]["automation_rate"] == 1
    assert "predictions.leaf(value=content,confidence=score,box=polygon,page=page_no)" in result["signature"]


def test_the_entry_asks_for_the_same() -> None:
    predictions = objects(score=0.98)
    finding = found(predictions)[0]
    assert finding.options == ["--config", 'predictions.leaf={ value = "content", confidence = "score" }']
    assert corpus.evaluate(kieval, predictions, ROWS, config=finding.options[1])["entity_f1"] == 1
    text = config_file(docie.check(references=ROWS, predictions=predictions), {}, "docie.toml")
    assert '\nleaf = { value = "content", confidence = "score" }\n' in text


def test_objects_of_several_kinds_are_one_finding() -> None:
    predictions = [
        {**row, "total": {"amount": row["total"], "currency": "EUR"}, "date": {"text": row["date"], "conf": 0.5}}
        for row in ROWS
    ]
    [finding] = found(predictions)
    assert finding.config == {
        "predictions.leaf": [
            {"value": "text", "confidence": "conf"},
            {"value": "amount", "ignore": ["currency"]},
        ]
    }
    assert finding.after == 1
    assert not finding.is_certain  # a currency is left out, which a person decides
    assert "# leaf = [{" in config_file(docie.check(references=ROWS, predictions=predictions), {}, "docie.toml")


def test_objects_under_other_names_and_in_a_wrapper() -> None:
    assert [each.kind for each in found(renamed(objects(score=0.5), total="sum"))] == ["leaf", "rename"]
    wrapped = [{"output": row} for row in objects(score=0.5)]
    assert [each.kind for each in found(wrapped)] == ["unwrap", "leaf"]
    assert found(wrapped)[-1].after == 1


def test_objects_that_stand_for_no_value() -> None:
    """Groups, and amounts whose currency the references have in the same text or beside it, are no single values."""
    currencies = [{**row, "total": {"amount": row["total"], "currency": "EUR"}} for row in ROWS]
    in_text = [{**row, "total": f"{row['total']} EUR"} for row in ROWS]
    beside = [{**row, "currency": "EUR"} for row in ROWS]
    vendors = [{**row, "vendor": {"name": row["vendor"], "city": "Rome"}} for row in ROWS]
    for predictions, references in (
        (currencies, in_text),
        (currencies, beside),
        (vendors, renamed(ROWS, vendor="vendor_name")),
        (vendors, vendors),
        (objects(score=0.5), objects(score=0.5)),
        ([{**row, "items": [[*item.values()] for item in row["items"]]} for row in ROWS], ROWS),
    ):
        assert "leaf" not in [each.kind for each in found(predictions, references)]


@pytest.mark.parametrize(
    "change", [lambda text: {"content": f"{text}0", "score": 0.9}, lambda text: {"content": "9", "value": "8"}]
)
def test_objects_with_wrong_values_are_told_of_nothing(change: Callable[[str], Any]) -> None:
    assert not [each for each in found([each_value(row, change) for row in ROWS]) if each.kind == "leaf"]


@pytest.mark.parametrize(
    "leaf", [3, {"confidence": "score"}, {"value": ""}, {"value": "a", "unit": "b"}, {"value": 1}, [3]]
)
def test_a_wrong_leaf_is_refused(leaf: Any) -> None:
    with pytest.raises(ValueError, match=r"\[predictions\] leaf must"):
        corpus.evaluate(kieval, ROWS, ROWS, config={"predictions": {"leaf": leaf}})


# types that only one side has


def kinds(predictions: list[Any], references: list[Any] = ROWS) -> list[str]:
    return [each.kind for each in found(predictions, references)]


NOTES = [{**row, "notes": "thank you", "seller": {"tax_id": "7", "city": "Rome"}} for row in ROWS]


def test_types_that_only_the_predictions_have() -> None:
    [finding] = found(NOTES)
    assert finding.config == {"predictions.ignore": ["notes", "seller"]}
    assert (finding.kind, finding.values, finding.after, finding.is_certain) == ("alone", 36, 1, False)
    assert finding.text == (
        "the predictions have 2 types that no reference has ('notes', 'seller'): 36 values, counted as spurious. "
        "Ignore them only if no reference was meant to have them: they may as well be inventions"
    )


def test_types_that_only_the_references_have() -> None:
    [finding] = found(ROWS, NOTES)
    assert finding.config == {"references.ignore": ["notes", "seller"]}
    assert "counted as missing" in finding.text


def test_a_person_decides_whether_types_are_ignored() -> None:
    """What asks for all findings leaves them, a written file has them as a comment, and scores go on without them."""
    predictions = [{**row, "total": row["total"].replace(".", ",")} for row in NOTES]
    result = docie.check(references=[{**row, "buyer": "Ada", "place": "Oslo"} for row in ROWS], predictions=predictions)
    assert [each.kind for each in result] == ["format", "alone", "alone"]
    assert result.config == {"values": {"normalize": {"total": ["number"]}}}
    assert result.findings[1].before == result.findings[2].before == result.findings[0].after
    assert result.options == result.findings[0].options
    text = config_file(result, {}, "docie.toml")
    assert '\n# ignore = ["notes", "seller"]\n' in text
    assert '\n# ignore = ["buyer", "place"]\n' in text
    assert not [line for line in text.splitlines() if line.startswith("ignore")]


def test_a_comment_keeps_what_else_is_ignored() -> None:
    predictions = [{"no": number, **row} for number, row in enumerate(NOTES)]
    given = {"predictions": {"ignore": ["no"]}}
    text = config_file(docie.check(references=ROWS, predictions=predictions, config=given), given, "docie.toml")
    assert '\nignore = "no"\n' in text
    assert '\n# ignore = ["no", "notes", "seller"]\n' in text


def test_a_few_values_or_types_with_another_name_are_not_alone() -> None:
    few = [{**row, "notes": "x"} if number < 2 else row for number, row in enumerate(ROWS)]
    assert kinds(few) == []
    assert kinds(renamed(ROWS, total="sum")) == ["rename"]
    assert kinds([{"x": "y"} for _ in ROWS]) == []
    assert kinds([{**row, "": "x"} for row in ROWS]) == []  # no option names it


# values that stand in others: told


def items(change: Callable[[dict[str, str]], dict[str, str]]) -> list[Any]:
    return [{**row, "items": [change(item) for item in row["items"]]} for row in ROWS]


def with_values(**values: Callable[[str], Any]) -> list[Any]:
    return [{**row, **{name: change(row[name]) for name, change in values.items()}} for row in ROWS]


def parts_of_date(row: Any) -> dict[str, Any]:
    return dict(zip(("year", "month", "day"), map(int, row["date"].split("-")), strict=True))


SPLIT = [{**parts_of_date(row), **{name: row[name] for name in row if name != "date"}} for row in ROWS]
TOLD: dict[str, tuple[list[Any], list[Any], str]] = {
    "a label": (
        with_values(total=lambda text: f"Total: {text.replace('.', ',')}"),
        ROWS,
        "the values of 'total' in the predictions have 'total' beside those in the references: 'Total: ",
    ),
    "a unit": (
        items(lambda item: {**item, "count": "2"}),
        items(lambda item: {**item, "count": "2 pcs"}),
        "the values of 'items.count' in the references have 'pcs' beside those in the predictions: '2 pcs' for '2'",
    ),
    "a sign behind": (
        with_values(total=lambda text: f"{text}*"),
        ROWS,
        "the values of 'total' in the predictions have '*' beside those in the references: '",
    ),
    "signs before, and another decimal mark": (
        with_values(total=lambda text: f"***{text.replace('.', ',')}"),
        ROWS,
        "the values of 'total' in the predictions have '***' beside those in the references: '***",
    ),
    "a word for a sign": (
        with_values(total=lambda text: f"{text} CR"),
        with_values(total=lambda text: f"-{text}"),
        "the values of 'total' in the predictions have 'cr' beside those in the references: '",
    ),
    "tags, of two types": (
        with_values(date="<b>{}</b>".format, vendor="<b>{}</b>".format),
        ROWS,
        "the values of 'date', 'vendor' in the predictions have '<b>…</b>' beside those in the references: '<b>",
    ),
    "a footnote": (
        with_values(total="{}【4:0†source】".format),
        ROWS,
        "the values of 'total' in the predictions have '【4:0†source】' beside those in the references: '",
    ),
    "per cent on one side": (
        [{**row, "rate": f"{5 + number % 3}"} for number, row in enumerate(ROWS)],
        [{**row, "rate": f"{5 + number % 3} %"} for number, row in enumerate(ROWS)],
        "the values of 'rate' in the references have '%' beside those in the predictions: '5 %' for '5'",
    ),
    "per cent in words": (
        [{**row, "rate": f"{5 + number % 3}.0 percent"} for number, row in enumerate(ROWS)],
        [{**row, "rate": f"{5 + number % 3} %"} for number, row in enumerate(ROWS)],
        "the values of 'rate' in the predictions have 'percent' beside those in the references: '5.0 percent' for",
    ),
    "a unit beside amounts of which the references have two readings": (
        with_values(total=lambda text: f"{round(float(text))}000.00 per unit"),
        with_values(total=lambda text: f"{round(float(text))},000"),
        "the values of 'total' in the predictions have 'per unit' beside those in the references",
    ),
    "words for words": (
        [{**row, "method": ("Karte", "bar")[number % 2]} for number, row in enumerate(ROWS)],
        [{**row, "method": ("card", "cash")[number % 2]} for number, row in enumerate(ROWS)],
        "the values of 'method' in the predictions always stand for the same ones in the references: 'Karte' for",
    ),
    "the value of another type": (
        items(lambda item: {"count": item["name"][-1], "name": f"{item['name'][-1]} {item['name']}"}),
        items(lambda item: {"count": item["name"][-1], "name": item["name"]}),
        "the values of 'items.name' in the predictions have the values of 'items.count' beside those in the references",
    ),
    "a date in parts": (
        SPLIT,
        ROWS,
        "values of 'date' in the references are split over 'day', 'month' and 'year' in the predictions: '2024-03-10'",
    ),
    "a date in an object": (
        with_values(date=lambda text: parts_of_date({"date": text})),
        ROWS,
        "values of 'date' in the references are split over 'date.day', 'date.month' and 'date.year'",
    ),
    "an address in parts": (
        [{**row, "street": f"{number} Main St", "city": f"Ville {number}"} for number, row in enumerate(ROWS)],
        [{**row, "address": f"{number} Main St, Ville {number}"} for number, row in enumerate(ROWS)],
        "values of 'address' in the references are split over 'city' and 'street' in the predictions",
    ),
    "cents": (
        with_values(total=lambda text: round(float(text) * 100)),
        ROWS,
        "the values of 'total' in the predictions are 100 times those in the references: ",
    ),
    "shares": (
        [{**row, "rate": number / 100 + 0.05} for number, row in enumerate(ROWS)],
        [{**row, "rate": f"{number + 5} %"} for number, row in enumerate(ROWS)],
        "the values of 'rate' in the references are 100 times those in the predictions: '5 %' and '0.05'",
    ),
    "a sign": (
        [{**row, "currency": "€"} for row in ROWS],
        [{**row, "currency": "EUR"} for row in ROWS],
        "the values of 'currency' in the predictions always stand for the same ones in the references: '€' for 'EUR'",
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_values_that_stand_in_others_are_told(name: str) -> None:
    predictions, references, text = TOLD[name]
    [finding] = [each for each in found(predictions, references) if each.kind != "format"]
    assert finding.text.startswith(text)
    assert (finding.kind, finding.options, finding.before) == ("contains", [], finding.after)
    assert finding.text.count(" for ") <= 3


WRONG: dict[str, list[Any]] = {
    "cut": with_values(vendor=lambda text: text.split()[0]),
    "other totals": with_values(total=lambda text: f"{float(text) + 3:.2f}"),
    "one document a thousandfold": [{**row, "total": f"{row['total']}0"} if row is ROWS[0] else row for row in ROWS],
    "two labels": [{**row, "total": f"Total {row['total']}"} if number < 2 else row for number, row in enumerate(ROWS)],
    "one word for all": [{**row, "vendor": "card"} for row in ROWS],
    "words that vary": [{**row, "vendor": ("card", "cash", "cash")[number % 3]} for number, row in enumerate(ROWS)],
    "digits lost": with_values(total=lambda text: text[1:]),
    "other years": with_values(date=lambda text: text.replace("2024", "2023")),
    "a part of the date alone": [
        {**{name: child for name, child in row.items() if name != "date"}, "year": row["date"][:4]} for row in ROWS
    ],
}


@pytest.mark.parametrize("name", WRONG)
def test_of_wrong_values_no_such_thing_is_told(name: str) -> None:
    assert "contains" not in kinds(WRONG[name])
    assert "leaf" not in kinds(WRONG[name])


# records


def in_paths(write: str, rows: list[Any] = ROWS, *, start: int = 0) -> list[Any]:
    """The documents with a key for each value of an item."""
    return [
        {
            **{name: child for name, child in row.items() if name != "items"},
            **{
                write.format(number=number, key=key): value
                for number, item in enumerate(row["items"], start)
                for key, value in item.items()
            },
        }
        for row in rows
    ]


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize(
    "write",
    [
        "items[{number}].{key}",
        "items.{number}.{key}",
        "items_{number}_{key}",
        "item{number}_{key}",
        "items/{number}/{key}",
        "Item No {number}: {key}",
        "{key}_{number}",
        "{number}. {key}",
    ],
)
def test_rows_as_paths(write: str, start: int) -> None:
    predictions = in_paths(write, start=start)
    result = docie.check(references=ROWS, predictions=predictions)
    assert [each.kind for each in result] == ["records"]
    assert result.config["predictions"]["records"] == ["paths"]
    assert result.findings[0].after == 1
    assert docie.check(references=predictions, predictions=ROWS).findings[0].after == 1


def test_paths_in_paths_and_to_plain_values() -> None:
    flat = {"a.items[0].name": "Latte", "a.items[0].options[0].name": "Oat", "a.items[0].tags[1]": "x", "tags[0]": "y"}
    items = [{"name": "Latte", "options": [{"name": "Oat"}], "tags": ["x"]}]
    assert with_records(flat, ["paths", "dotted"]) == {"a": {"items": items}, "tags": ["y"]}


SOME_ONLY = [row if number % 3 else in_paths("{key} {number}", [row])[0] for number, row in enumerate(ROWS)]


def test_names_that_some_documents_have_alone() -> None:
    result = docie.check(references=ROWS, predictions=SOME_ONLY)
    assert result.config["predictions"] == {"records": ["paths"], "rename": {"rows": "items"}}
    assert result.findings[-1].after == 1


def cells(row: dict[str, Any]) -> list[list[str]]:
    return [["name", "price"], *([*item.values()] for item in row["items"])]


LAYOUTS: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "a header and a body": ("cells", lambda row: {"thead": cells(row)[0], "tbody": cells(row)[1:]}),
    "cells with places": (
        "cells",
        lambda row: [
            {"RowIndex": line, "ColumnIndex": column, "Text": cell}
            for line, texts in enumerate(cells(row), 1)
            for column, cell in enumerate(texts, 1)
        ],
    ),
    "numbered columns": (
        "columns",
        lambda row: {
            name: {str(number): each[name] for number, each in enumerate(row["items"])} for name in ("name", "price")
        },
    ),
    "CSV": ("tables", lambda row: "\n".join(";".join(line) for line in cells(row))),
    "quoted CSV": ("tables", lambda row: "\n".join("\t".join(f'"{cell}"' for cell in line) for line in cells(row))),
}


@pytest.mark.parametrize("is_of_references", [False, True])
@pytest.mark.parametrize("name", LAYOUTS)
def test_rows_in_other_layouts(name: str, is_of_references: bool) -> None:
    kind, write = LAYOUTS[name]
    written = [{**row, "items": write(row)} for row in ROWS]
    predictions, references = (ROWS, written) if is_of_references else (written, ROWS)
    result = docie.check(predictions=predictions, references=references)
    assert [(each.kind, each.after) for each in result] == [("records", 1)]
    assert result.config["predictions"]["records"] == [kind]


@pytest.mark.parametrize(
    "value",
    [
        "Latte, Mocha\nBagel, 3.00",
        "Jane Doe\n12 Main St\nSpringfield",
        [{"row": 1, "text": "Latte"}, {"row": 2, "text": "Mocha"}],
        [{"row": "1", "column": "2", "text": "Latte"}],
        {"words": ["Latte", "Mocha", "Bagel"], "boxes": [[0, 0, 9, 9], [0, 9, 9, 18], [0, 18, 9, 27]]},
        {"name": {"first": "Ann", "last": "Lee"}, "home": {"first": "1", "last": "2"}},
    ],
)
def test_what_looks_like_a_table_stays(value: Any) -> None:
    document = {"total": "9", "items": value}
    assert with_records(document, ["tables", "cells", "columns", "paths"]) == document


MOVED: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "by their name": (
        lambda row: {**row, "items": {item["name"]: {"price": item["price"]} for item in row["items"]}},
        "'items.name' as keys under 'items'; 'items.price' as values of 'items.Bagel 0', ",
    ),
    "in two groups": (
        lambda row: {
            **{name: row[name] for name in ("vendor", "date", "total")},
            "left": row["items"][::2],
            "right": row["items"][1::2],
        },
        "'items.name', 'items.price' as values of 'right'",  # the other is found to be renamed
    ),
    "in pairs": (
        lambda row: {"items": row["items"], "said": [[name, row[name], "-"] for name in ("vendor", "date", "total")]},
        "'date', 'total', 'vendor' as values of 'said', in pairs with their names, values of 'said'",
    ),
}


@pytest.mark.parametrize("name", MOVED)
def test_values_in_a_layout_that_no_option_reads_are_told_and_not_to_be_ignored(name: str) -> None:
    write, text = MOVED[name]
    *_, finding = findings = found([write(row) for row in ROWS])
    assert "alone" not in {each.kind for each in findings}
    assert (finding.kind, finding.config) == ("records", {})
    assert finding.text.startswith("values of the references stand in the predictions in another layout: ")
    assert text in finding.text


def test_inventions_are_not_told_as_another_layout() -> None:
    invented = [{**row, "notes": f"Latte {number}", "code": f"C{number}"} for number, row in enumerate(ROWS)]
    assert [each.kind for each in found(invented)] == ["alone"]


BY_CHANCE: dict[str, Callable[[int, int], dict[str, Any]]] = {
    "numbers of lines": lambda _, place: {"line": place + 1},
    "constants": lambda _, place: {"tax": "standard"},
    "a few of many words": lambda number, place: {"word": f"w{number}.{place}" if number % 3 else "standard"},
}


@pytest.mark.parametrize("is_of_references", [False, True])
@pytest.mark.parametrize("name", BY_CHANCE)
def test_types_that_share_values_by_chance_are_left_over(name: str, is_of_references: bool) -> None:
    """They also are where the other side has values that this one misses: of types that it has elsewhere."""
    whole, others = list[dict[str, Any]](), list[dict[str, Any]]()
    for number, row in enumerate(ROWS):
        quantity = {"quantity": number % 4 + 1, "rate": "standard"}
        whole.append({**row, "items": [{**item, **quantity} for item in row["items"]]})
        shown = quantity if number % 2 else {}
        added = [{**item, **shown, **BY_CHANCE[name](number, place)} for place, item in enumerate(row["items"])]
        others.append({**row, "items": added})
    [finding] = found(whole, others) if is_of_references else found(others, whole)
    assert finding.kind == "alone"
    side = "reference" if is_of_references else "prediction"
    assert finding.config == {f"{side}s.ignore": [f"items.{key}" for key in BY_CHANCE[name](0, 0)]}


def test_numbers_in_other_names_are_no_paths() -> None:
    documents = [{"line_1": "Main St", "line_2": number, "tax_19_rate": "x", "iso_9001": "y"} for number in range(9)]
    assert found(documents, documents) == []
    assert with_records(documents[0], ["paths"]) == documents[0]
    beside = {"items": ["Latte"], "items[0].name": "Latte", "items[1].name": "Mocha"}
    assert with_records(beside, ["paths"]) == beside


@pytest.mark.parametrize(
    ("header", "cells", "more"),
    [("headers", "rows", {}), ("columns", "data", {"index": [0, 1]}), ("header", "values", {})],
)
def test_a_header_beside_its_cells(header: str, cells: str, more: dict[str, Any]) -> None:
    predictions = [
        {**row, "items": {header: ["name", "price"], cells: [[*item.values()] for item in row["items"]], **more}}
        for row in ROWS
    ]
    [finding] = found(predictions)
    assert (finding.kind, finding.after) == ("records", 1)
    assert finding.config["predictions.records"] == ["cells"]


def test_what_is_no_table_stays() -> None:
    for value in (
        {"rows": [["Latte"]]},
        {"headers": ["name"], "rows": [["Latte", "3.00"]]},
        {"headers": ["name", "name"], "rows": [["Latte", "3.00"]]},
        {"headers": ["name"], "rows": [["Latte"]], "title": "Menu"},
        {"columns": 3, "data": "x"},
    ):
        document: Any = with_records({"menu": value}, ["cells"])
        assert isinstance(document["menu"], dict)


def test_a_list_in_an_object() -> None:
    """As XML has it, where a single element is no list."""
    predictions = [
        {**row, "items": {"item": row["items"] if len(row["items"]) > 1 else row["items"][0]}} for row in ROWS
    ]
    [finding] = found(predictions)
    assert (finding.kind, finding.after) == ("rename", 1)


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"name": "Name", "price": "Price"}, "the header of their table"),
        ({"name": "Bezeichnung", "price": "Preis"}, "the header of their table"),
        ({"name": "Total", "price": "99.00"}, "the totals of their table"),
    ],
)
def test_rows_that_are_none_are_told(row: dict[str, str], text: str) -> None:
    predictions = [{**each, "items": [row, *each["items"]]} for each in ROWS]
    [finding] = found(predictions)
    assert (finding.kind, finding.values, finding.options) == ("records", 24, [])
    assert finding.text.startswith(f"12 rows of 'items' in the predictions repeat {text}, which the references do not")
    assert found(predictions, predictions) == []
    other = {"name": "Tea", "price": "1.85"}
    assert found([{**each, "items": [other, *each["items"]]} for each in ROWS]) == []


# facts beside values


def with_facts(**facts: Any) -> list[Any]:
    return [{**row, **facts} for row in ROWS]


BESIDE: dict[str, tuple[list[Any], dict[str, str]]] = {
    "confidences": (with_facts(total_confidence=0.9, date_confidence=0.8), {"confidence": "*_confidence"}),
    "in rows": (items(lambda item: {**item, "price_score": "0.5"}), {"confidence": "*_score"}),
    "in per cent": (with_facts(conf_total=97, conf_date=88.5), {"percent": "conf_*"}),
    "a page and a box": (
        with_facts(total_page=1, total_bbox=[1, 2, 3, 4]),
        {"box": "*_bbox", "page": "*_page"},
    ),
    "a group": (with_facts(confidence={"total": 0.9, "date": 0.8}), {"confidence": "confidence.*"}),
    "a key with a dot": (with_facts(**{"total.conf": 0.5}), {"confidence": "*.conf"}),
    "camel case": (with_facts(totalConfidence=0.5), {"confidence": "*Confidence"}),
}


@pytest.mark.parametrize("name", BESIDE)
def test_facts_beside_values(name: str) -> None:
    predictions, keys = BESIDE[name]
    result = docie.check(references=ROWS, predictions=predictions)
    [finding] = result
    assert finding.config == {"predictions.leaf": [{"value": "*", **keys}]}
    assert (finding.kind, finding.after, finding.is_certain) == ("beside", 1, True)
    assert docie.check(references=predictions, predictions=ROWS).findings[0].config == {
        "references.leaf": [{"value": "*", **keys}]
    }


def test_confidences_beside_values_are_theirs() -> None:
    predictions = with_facts(total_confidence=0.25)
    document = (
        Shape("prediction", Side(leaf={"value": "*", "confidence": "*_confidence"})).of(Row(predictions[0])).document
    )
    assert document == {**ROWS[0], "total": {"value": ROWS[0]["total"], "confidence": 0.25}}


def test_facts_of_values_with_another_name() -> None:
    predictions = renamed(with_facts(sum_confidence=0.5), total="sum")
    result = docie.check(references=ROWS, predictions=predictions)
    assert [each.kind for each in result] == ["rename", "beside"]
    assert result.findings[-1].after == 1


def test_what_is_no_fact_beside_a_value() -> None:
    several: tuple[dict[str, Any], ...] = (
        {"total_score": "high"},
        {"total_score": 104},
        {"page": 1},
        {"vendor_rate": 0.19},
        {"subtotal": 0.5},
    )
    for facts in several:
        assert kinds(with_facts(**facts)) == ["alone"], facts
    assert kinds(with_facts(total_page=1), with_facts(total_page=2)) == []


# where documents stand


def test_a_document_in_a_list_of_one() -> None:
    listed = [{"results": [row]} for row in ROWS]
    text = [{"reply": {"parts": [{"kind": "text", "text": json.dumps(row)}]}} for row in ROWS]
    for predictions, path in ((listed, "results.0"), (text, "reply.parts.0.text")):
        [finding] = found(predictions)
        assert finding.config == {"predictions.unwrap": path}
        assert (finding.kind, finding.after) == ("unwrap", 1)
        assert corpus.evaluate(kieval, predictions, ROWS, config=f"predictions.unwrap={path}")["entity_f1"] == 1
    [finding] = found(listed, listed)
    assert finding.config == {"references.unwrap": "results.0", "predictions.unwrap": "results.0"}


def test_groups_of_one_are_no_documents() -> None:
    single = [{**row, "items": row["items"][:1]} for row in ROWS]
    assert found(single, single) == []
    assert kinds([{**row, "vendor": "x", "total": "1", "date": "d"} for row in single], single) == []


def test_a_position_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="no key '1', which predictions.unwrap names"):
        corpus.evaluate(kieval, [{"results": [ROWS[0]]}], ROWS[:1], config="predictions.unwrap=results.1")


def test_documents_under_their_ids(tmp_path: Path) -> None:
    """One object with all documents, or rows with one key each: in another order, too."""
    references = lines(tmp_path / "r.jsonl", [{"id": f"doc-{number}", **row} for number, row in enumerate(ROWS)])
    keyed = {f"doc-{number}": row for number, row in [*enumerate(ROWS)][::-1]}
    one = tmp_path / "one.json"
    one.write_text(json.dumps(keyed))
    for path in (one, lines(tmp_path / "p.jsonl", [{key: row} for key, row in keyed.items()])):
        report = json.loads(run_command("check", str(references), str(path), "--format", "json").stdout)
        [finding] = report["findings"]
        assert (finding["kind"], finding["after"]) == ("unwrap", 1)
        assert finding["options"] == ["--config", "predictions.unwrap=*"]
        again = run_command("check", str(references), str(path), *finding["options"], "--format", "json")
        assert (again.exit_code, json.loads(again.stdout)["predictions"]["values"]) == (0, VALUES)
    assert kinds([{f"doc-{number}": row} for number, row in enumerate(ROWS)]) == ["unwrap"]
    assert kinds([{"doc": row} for row in ROWS]) == ["unwrap"]
    assert found([{"doc": row} for row in ROWS])[0].config == {"predictions.unwrap": "doc"}


def test_rows_that_a_file_has_in_a_list_are_checked_again(tmp_path: Path) -> None:
    """With the option that a check asked for, the next one reads the values, and joins by the ids among them."""
    rows = [{"id": f"doc-{number}", **row} for number, row in enumerate(ROWS)]
    one = tmp_path / "one.json"
    one.write_text(json.dumps({"data": rows[::-1]}))
    command = ["check", str(lines(tmp_path / "r.jsonl", rows)), str(one), "--config", "predictions.unwrap=data"]
    result = run_command(*command, "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["predictions"]["values"]) == (0, VALUES)
