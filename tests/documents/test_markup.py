"""Tables in the texts of documents are scored like the line items that they hold; hostile texts are read in linear time."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from configured import configured, entries

import docie
from docie import corpus, kieval
from docie.adapters import records
from docie.documents.leaves import is_scored_leaf
from docie.documents.markup import records_in, records_of, tables_in
from docie.inputs.fit.sample import Sample
from docie.inputs.fit.search import search
from docie.inputs.reading import both
from docie.inputs.records import record_kinds, with_records

from cli_runs import lines, run, scored
from json_lines import read_lines
from table_writers import html_of, markdown_of

ITEMS = [{"name": "Bagel", "price": "3.00"}, {"name": "Latte", "price": "4.50"}]


def plain(value: Any) -> Any:
    """The document without confidences, as a table has none."""
    if isinstance(value, dict):
        return plain(value["value"]) if is_scored_leaf(value) else {name: plain(child) for name, child in value.items()}
    return [plain(child) for child in value] if isinstance(value, list) else value


def with_tables(document: Any) -> Any:
    """The document with its lists of items as HTML tables, but for those with lists of values, which no table has."""
    return {name: html_of(child) if is_written(child) else child for name, child in document.items()}


def is_written(value: Any) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and not has_lists(item) for item in value)
    )


def has_lists(value: Any) -> bool:
    """Whether an object has a list of values, or an empty object or text, which a table does not tell from an empty cell."""
    if isinstance(value, dict):
        return not value or any(map(has_lists, value.values()))
    if isinstance(value, list):
        return not value or not all(isinstance(each, dict) and not has_lists(each) for each in value)
    return not value or str(value) != " ".join(str(value).split())


def scores_alike(folder: Path, references: list[Any], predictions: list[Any], *, warning: str = "") -> None:
    """Fail unless predictions, and references too, with tables have the scores that they have without."""
    files = {"references": references, "predictions": predictions}
    files |= {f"{name}-tables": [with_tables(row) for row in rows] for name, rows in files.items()}
    paths = {name: lines(folder / f"{name}.jsonl", rows) for name, rows in files.items()}
    expected = scored(paths["references"], paths["predictions"], warning=warning)
    signature = expected.pop("signature")
    for name in ("references", "references-tables"):
        found = scored(paths[name], paths["predictions-tables"], *configured("records=tables"), warning=warning)
        assert "reading:predictions.records(tables)+references.records(tables)" in found.pop("signature") != signature
        assert found == expected
    result = corpus.evaluate(kieval, files["predictions-tables"], files["references"], config=entries("records=tables"))
    assert {name: result[name] for name in expected} == expected


def test_receipts_with_tables_have_the_same_scores(tmp_path: Path, root: Path) -> None:
    references, predictions = (
        [plain(row[key]) for row in read_lines(root / f"examples/receipts/{name}.jsonl")]
        for name, key in (("references", "reference"), ("predictions-careful", "prediction"))
    )
    assert any("<td><table>" in str(with_tables(row)) for row in references)
    warning = "3 of 16 substitutions are the same value in a different format; see the option normalize"
    scores_alike(tmp_path, references, predictions, warning=warning)


def test_cord_with_tables_has_the_same_scores(tmp_path: Path, cord: dict[str, list[Any]]) -> None:
    def listed(document: Any) -> Any:
        return {**document, "menu": document["menu"] if isinstance(document["menu"], list) else [document["menu"]]}

    references = [listed(records.cord(row)) for row in cord["references"]]
    predictions = [{**row, "menu": [*row["menu"][:-1], dict(list(row["menu"][-1].items())[1:])]} for row in references]
    assert sum("<table>" in str(with_tables(row)) for row in references) > 90
    scores_alike(tmp_path, references, predictions)


def test_texts_with_tables_become_groups() -> None:
    for text in (html_of(ITEMS), markdown_of(ITEMS), f"Here:\n\n{markdown_of(ITEMS)}\n"):
        assert with_records({"total": "7.50", "items": text}, ["tables"]) == {"total": "7.50", "items": ITEMS}
        assert with_records({"a": {"items": [text]}}, ["tables"]) == {"a": {"items": [ITEMS]}}
        assert with_records(text, ["tables"]) == {"rows": ITEMS}
        assert with_records(text, ["json"]) == text
        assert record_kinds({"items": text}) == record_kinds(text) == {"tables"}
        assert with_records(json.dumps({"items": text}), ["json", "tables"]) == {"items": ITEMS}


def test_tables_over_several_pages_are_one_group() -> None:
    pages = "\n\n".join(markdown_of([item]) for item in ITEMS)
    assert records_in(pages) == records_in(f"{html_of(ITEMS[:1])}<p>{html_of(ITEMS[1:])}") == ITEMS


@pytest.mark.parametrize(
    "text", ["", "3 < 4", "a | b", "<td>", "<table>", "| a |", "<b>x</b>", "|\n|", "|-|\n|-|", "x\n|a|b|"]
)
def test_texts_without_tables_stay(text: str) -> None:
    assert with_records({"note": text}, ["tables"]) == {"note": text}
    assert with_records(text, ["tables"]) == text
    assert record_kinds({"note": text}) == set()


REFERENCES: list[dict[str, Any]] = [{"total": f"{n}.50", "items": [{"name": f"{name} {n}", "price": f"{n}.00"} for name in ("Bagel", "Latte")]} for n in range(20)]  # fmt: skip


@pytest.mark.parametrize("write", [html_of, markdown_of])
def test_tables_are_found(write: Any) -> None:
    predictions = [{**row, "items": write(row["items"])} for row in REFERENCES]
    found = docie.check(references=REFERENCES, predictions=predictions)
    assert [finding.options for finding in found.findings] == [configured("records=tables")]
    assert found.findings[0].after == 1.0


def test_answers_that_are_only_tables_are_found_with_their_name() -> None:
    references = [{"items": row["items"]} for row in REFERENCES]
    found = docie.check(references=references, predictions=[html_of(row["items"]) for row in references])
    assert [finding.options for finding in found.findings] == [
        configured("records=tables", "predictions.rename.rows=items")
    ]
    assert found.findings[0].after == 1.0


def test_tables_of_both_are_found_although_the_score_stays() -> None:
    """One incorrect value makes a text of a table incorrect."""
    rows = [{**row, "items": html_of(row["items"])} for row in REFERENCES]
    [change] = search(Sample([(row, row) for row in rows]))
    assert (change.kind, change.reading) == ("records", both("records", ["tables"]))


def test_rows_may_be_tables(tmp_path: Path) -> None:
    rows = {"reference": html_of(ITEMS), "prediction": markdown_of(ITEMS)}
    references, predictions = (
        lines(tmp_path / f"{name}.jsonl", [{"id": "a", name: row}]) for name, row in rows.items()
    )
    assert scored(references, predictions, *configured("records=tables"))["true_positives"] == 4
    refused = run(references, predictions)
    assert refused.exit_code == 2
    assert "must be a JSON object, got text" in refused.stderr


def test_a_reference_may_be_a_text_too() -> None:
    reading = entries("records=tables")
    result = corpus.evaluate(kieval, [html_of(ITEMS)], [markdown_of(ITEMS)], config=reading)
    assert (result["entity_f1"], result["true_positives"]) == (1.0, 4)


CELL = "<td>x"
HOSTILE = {
    "tables in tables": ("<table><tr><td>" * 100_000 + "x", 0),
    "open tags": (CELL + "<b>x" * 100_000, 0),
    "a wide cell": ("<tr><th>a<th>b<tr><td colspan=1000000000>x<td>y", 1),
    "wide cells": (("<tr>" + "<th colspan=1000000000>x" * 100) * 200 + "<tr><td>1", 1),
    "high cells": ("<tr>" + "<td rowspan=65534>x" * 300 + "<tr><td>1" * 5_000, 5_000),
    "high cells below each other": ("<tr><th>a" + "<tr><td rowspan=1000>x" * 5_000, 5_000),
    "many columns": ("<tr>" + "<th>x" * 10_000 + "<tr>" + "<td>1" * 10_000, 1),
    "tags without an end": (CELL + "<a" * 100_000, 0),
    "quotes": (CELL + "<td '\"" * 30_000, 0),
    "attributes": ("<td" + " a" * 100_000 + ">x", 0),
    "comments": (CELL + "<!--" * 100_000, 0),
    "declarations": (CELL + "<!a" * 30_000, 0),
    "a long character": (CELL + "&#" + "9" * 100_000, 0),
    "ampersands": (CELL + "&" * 100_000, 0),
    "pipes": ("|" * 100_000, 0),
    "lines of dashes": ("|a|\n" + "|-|\n" * 20_000 + "|x|", 1),
    "stars": ("|a|\n|-|\n|" + "**a" * 100_000 + "|", 1),
    "ticks": ("|a|\n|-|\n|" + "`a``" * 100_000 + "|", 1),
    "backslashes": ("|a|\n|-|\n|" + "\\" * 100_000, 1),
    "blanks": ("|a|\n|-|\n|" + " " * 100_000 + "-" * 100_000 + "x|", 1),
}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.exhaustive] * (number > 3)) for number, name in enumerate(HOSTILE)]
)
def test_hostile_texts(name: str) -> None:
    """In quadratic time, they would take hours."""
    text, rows = HOSTILE[name]
    issues = Counter[str]()
    found = [len(records_of(table, issues)) for table in tables_in(text, issues)]
    assert found == ([] if name == "pipes" else [rows])
