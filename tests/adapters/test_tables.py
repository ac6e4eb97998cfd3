"""Tables → records: planted records come back from every way to write a table; odd tables; tables that are broken."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters import tables
from docie.documents.document import parse_document
from docie.documents.parsed import Parsed

import table_writers
from mutations import Mutator
from sizes import times
from table_writers import TOTAL, WRITERS, Table, random_table

PLANTED = [random_table(random.Random(seed)) for seed in range(200)]
UNMARKED = "took the first row as the header, since no cell is marked as one"


@pytest.mark.parametrize("name", WRITERS)
def test_planted_records_come_back(name: str) -> None:
    for table in PLANTED:
        found = tables.to_records(WRITERS[name](table))
        assert found.document == table.records + [table.total_record] * bool(table.total)
        headers = len(table.breaks) * max(map(len, table.header))
        told = [f"dropped a repeated header ({headers} times)" if headers > 1 else "dropped a repeated header"] * bool(
            headers
        )
        told += [UNMARKED] * (name == "html_td") + ["dropped text outside of the cells (2 times)"] * (
            name == "html_dressed"
        )
        assert sorted(found.issues) == sorted(told)


@pytest.mark.parametrize("name", WRITERS)
def test_totals_are_left_out_if_they_are_named(name: str) -> None:
    for table in PLANTED[:50]:
        found = tables.to_records(WRITERS[name](table), totals=[TOTAL.upper() + ":", "Sum"])
        assert found.document == table.records
        assert (f"dropped the row '{TOTAL}'" in found.issues) == bool(table.total)


def test_the_planted_tables_have_what_is_tested() -> None:
    for has in (
        lambda table: table.total,
        lambda table: table.merged,
        lambda table: table.breaks,
        lambda table: any(len(path) == 2 for path in table.header),
        lambda table: any("" in row for row in table.rows),
    ):
        assert 20 < sum(map(bool, map(has, PLANTED))) < 180


BAGEL = [{"name": "Bagel", "price": "3.00"}, {"name": "Latte", "price": "4.50"}]
HEAD, ROWS = (
    "<tr><th>name</th><th>price</th></tr>",
    "<tr><td>Bagel</td><td>3.00</td></tr><tr><td>Latte</td><td>4.50</td></tr>",
)
PLAIN = f"<table>{HEAD}{ROWS}</table>"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"<html><body>{PLAIN}</body></html>",
        PLAIN.replace("th>", "td>").replace("<table>", "<table><thead>", 1).replace("</tr>", "</tr></thead><tbody>", 1),
        PLAIN.replace("Bagel", "<b>Ba<i>ge</i></b>l").replace("4.50", " <p> 4.50<br/></p>\n"),
        PLAIN.replace("<td>", '<td align="right" style="width:5%" data-x=">">'),
        PLAIN.upper()
        .replace("NAME", "name")
        .replace("PRICE", "price")
        .replace("BAGEL", "Bagel")
        .replace("LATTE", "Latte"),
        PLAIN.replace("Bagel", "&#66;ag&#x65;l").replace("4.50", "&nbsp;4.50&nbsp;"),
        PLAIN.replace("Bagel", "<!-- <td>x</td> -->Bagel"),
        "<!DOCTYPE html>" + PLAIN.replace("<tr><td>", "<tr/><tr><td>", 1),
        PLAIN.replace("</td>", "").replace("</tr>", "").replace("</table>", ""),
        HEAD + ROWS,
        "<table><tr><th>price<th>name<tr><td>3.00<td>Bagel<tr><td>4.50<td>Latte</table>",
        "<th>name<th>price" + ROWS,
        PLAIN + "</table></td>",
        PLAIN.replace("<td>3.00", "<td rowspan=0 colspan='-1'>3.00")
        .replace("<td>4.50", "<td colspan=1000000000>4.50")
        .replace("rowspan=0", "rowspan=x"),
        "name | price\n--- | ---\nBagel | 3.00\nLatte | 4.50",
        "|name|price|\n|:-:|-|\n|**Bagel**|`3.00`|\n|Latte|4.50|\r\n",
    ],
)
def test_one_table_in_many_ways(text: str) -> None:
    assert tables.to_records(text) == Parsed(BAGEL, [])


@pytest.mark.parametrize(
    ("text", "records", "issues"),
    [
        ("", None, ["expected a table, got none"]),
        ("Sorry, I cannot read this.", None, ["expected a table, got none", "dropped text outside of the cells"]),
        ("| a | b |", None, ["expected a table, got none", "dropped text outside of the cells"]),
        ("<table></table>", None, ["expected a table, got none"]),
        ("<table><tr><td></td></tr></table>", [], ["dropped an empty row", "found no row below the header"]),
        (f"<table>{HEAD}</table>", [], ["found no row below the header"]),
        ("|a|b|\n|1|2|", [{"a": "1", "b": "2"}], [UNMARKED]),
        (
            "<table><tr><th>Bagel<th>3.00<tr><th>Latte<th>4.50</table>",
            [{"Bagel": "Latte", "3.00": "4.50"}],
            [],
        ),
        (
            f"Items:\n{PLAIN}<br>{PLAIN}",
            BAGEL,
            ["dropped text outside of the cells", "read table 1 of 2"],
        ),
        (
            f"<table><caption>Items</caption><tr><th colspan=2>Receipt 7</tr>{HEAD}{ROWS}</table>",
            BAGEL,
            ["dropped text outside of the cells", "dropped the title 'Receipt 7'"],
        ),
        (
            "<table><tr><th>n<th><th>n<th>n<tr><td>1<td>2<td>3<td>4<td>5</table>",
            [{"n": "1", "column 2": "2", "n 2": "3", "n 3": "4", "column 5": "5"}],
            ["numbered a column without a name (2 times)", "numbered the repeated name 'n' (2 times)"],
        ),
        (
            "<table><tr><th>a<th>a 2<th>a<tr><td>1<td>2<td>3</table>",
            [{"a": "1", "a 2": "2", "a 3": "3"}],
            ["numbered the repeated name 'a'"],
        ),
        (
            "<table><tr><th rowspan=2>a<th colspan=2>a<th rowspan=2>b<tr><th>x<th>y<tr><td>1<td>2<td>3<td>4</table>",
            [{"a": "1", "a.x": "2", "a.y": "3", "b": "4"}],
            [],
        ),
        (
            "<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>x<td>y<tr><td>1<td>2<td>3</table>",
            [{"a": "1", "b": {"x": "2", "y": "3"}}],
            [UNMARKED],
        ),
        (
            "<table><tr><td colspan=2>a<td>b<tr><td>1<td>x<td>3</table>",
            [{"a": "1", "a 2": "x", "b": "3"}],
            [UNMARKED, "numbered the repeated name 'a'"],
        ),
        (
            "<table><tr><th>a<th>b<tr><td rowspan=2>x<td>1<tr><td>2<tr><td colspan=2>y</table>",
            [{"a": "x", "b": "1"}, {"a": "x", "b": "2"}, {"a": "y"}],
            [],
        ),
        (
            f"<table><tr><th>a<th>b<tr><td>x<td>{PLAIN}<tr><td>y<td>and {PLAIN}</table>",
            [{"a": "x", "b": BAGEL}, {"a": "y", "b": BAGEL}],
            ["dropped the text beside a table in a cell"],
        ),
        (
            "<table><tr><th colspan=2>Items<tr><td>Bagel<td>3.00</table>",
            [{"Items": "Bagel", "Items 2": "3.00"}],
            ["numbered the repeated name 'Items'"],
        ),
        (f"<table><tr><th><th><tr><td>{PLAIN}<td>{PLAIN}</table>", [{"column 1": BAGEL, "column 2": BAGEL}], ["numbered a column without a name (2 times)"]),
        (PLAIN[:-13] + "<!-- ", BAGEL, ["dropped a comment that does not end"]),
        (PLAIN[:-15], BAGEL, ["dropped a tag that is cut off"]),
        (
            "<table><tr><th>mail<tr><td>Ann <ann@example.com>, 5 < 6 <7></table>",
            [{"mail": "Ann <ann@example.com>, 5 < 6 <7>"}],
            [],
        ),
        ("| a |  |\n|--|--|\n| \\$1 \\| 2 | &lt;3<br>x |", [{"a": "$1 | 2", "column 2": "<3 x"}], ["numbered a column without a name"]),
        ("a | note\n| a | b |\n|--|--|\n| 1 | 2 |", [{"a": "1", "b": "2"}], ["dropped text outside of the cells"]),
        ("| a | b |\n|--|--|\n| 1 | 2 |\n| a | b |\n|--|--|\n| 3 | 4 |", [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}], ["dropped a repeated header"]),
        ("| a | b | c |\n|--|--|--|\n| 1 | 2 |\n| 3 |", [{"a": "1", "b": "2"}, {"a": "3"}], ["no row has a cell below 'c'"]),
        (None, None, ["expected a JSON object, got null"]),
        ({"cells": 3}, None, ["expected a table, got none", "dropped what is no object in a list at 'cells'"]),
        (
            {"cells": [{"rowIndex": 0, "columnIndex": 0, "content": "a"}, {"rowIndex": 0, "columnIndex": 0, "content": "b"}, {"content": "c"}, {"rowIndex": 1, "columnIndex": 0, "content": 3}, {"rowIndex": 2, "columnIndex": 0, "content": "1"}]},
            [{"a": "1"}],
            ["dropped a cell without a place", "dropped what is no text in a cell", "dropped a cell at the place of another one", "dropped an empty row", UNMARKED],
        ),
    ],
)  # fmt: skip
def test_odd_tables(text: Any, records: Any, issues: list[str]) -> None:
    assert tables.to_records(text) == Parsed(records, issues)


def test_options() -> None:
    rows = f"<table>{ROWS}</table>"
    assert tables.to_records(rows, names=["name", "price"]) == Parsed(BAGEL, [])
    assert tables.to_records(rows, names="name").document == [
        {"name": "Bagel", "column 2": "3.00"},
        {"name": "Latte", "column 2": "4.50"},
    ]
    assert tables.to_records(PLAIN, names=["item"]).document == [
        {"item": row["name"], "price": row["price"]} for row in BAGEL
    ]
    assert tables.to_records(PLAIN, totals="latte").document == BAGEL[:1]
    assert tables.to_records(PLAIN + HEAD + ROWS, index=1) == Parsed(BAGEL, ["read table 2 of 2"])
    for index in (-1, 2):
        assert tables.to_records(PLAIN + PLAIN, index=index) == Parsed(
            None, [f"expected more than {index} tables, got 2"]
        )


ODD_TAGS = ["<table>", "</table>", "<tr>", "</tr>", "<td>", "</td>", "<th colspan=3>", "<td rowspan=2>", "<thead>", "</tbody>", "<!--", "<b", "<", ">", '"', "&", "<td title='"]  # fmt: skip


def numbered(table: Table) -> Table:
    """The table with texts that stand nowhere else."""
    rows = [[f"w{row}x{column}" for column in range(len(table.header))] for row in range(len(table.rows))]
    return Table(table.header, rows, set(), set(), "")


@given(st.integers(0, 199), st.sampled_from(["html_th", "html_td", "html_open"]), st.randoms(use_true_random=False))
def test_no_text_of_broken_html_is_lost_without_an_issue(seed: int, style: str, rng: random.Random) -> None:
    """Tags are left out, doubled, swapped and put between others; the texts stay. No comment is closed: its text would be left out rightly."""
    table = numbered(PLANTED[seed])
    pieces = re.split(r"(<[^<>]*>)", WRITERS[style](table))
    for _ in range(rng.randint(1, 6)):
        tags = [place for place, piece in enumerate(pieces) if piece.startswith("<")]
        place = rng.choice(tags)
        change = rng.choice(["delete", "double", "swap", "insert"])
        if change == "delete":
            pieces[place] = ""
        elif change == "double":
            pieces[place] *= 2
        elif change == "swap":
            other = rng.choice(tags)
            pieces[place], pieces[other] = pieces[other], pieces[place]
        else:
            pieces[place] += rng.choice(ODD_TAGS)
    found = tables.to_records("".join(pieces))
    known = json.dumps(found.document)
    lost = [text for row in table.rows for text in row if text not in known]
    assert found.issues or not lost


ODD_VALUES = [
    None,
    -1,
    10**400,
    float("inf"),
    "x",
    True,
    [],
    {},
    [{"text": "y"}],
    "10",
    1e300,
    {"rowIndex": 0, "columnIndex": 0},
]


@times(5_000, 1_500)
def test_broken_tables_of_services_and_texts_never_raise(times: int) -> None:
    rng = random.Random(0)
    written = [write(table) for table in PLANTED[:20] for write in WRITERS.values()]
    mutator = Mutator([text for text in written if isinstance(text, str)], rng, [*ODD_TAGS, "-->", *"|-:\\*`\n ax1"])
    for number in range(times):
        table = written[number % len(written)]
        broken = mutator.value(table, ODD_VALUES) if isinstance(table, dict) else mutator.text()
        found = tables.to_records(broken, index=0, names=rng.choice(((), ["a", "a"])))
        assert found.document is not None or found.issues
        if found.document:
            parse_document({"items": found.document}, "prediction")
            json.dumps(found.document)


def test_tables_of_docling_are_read() -> None:
    """Objects of docling's own package, and what it writes as HTML."""
    types = pytest.importorskip("docling_core.types.doc")
    for table in PLANTED:
        data = table_writers.docling(table)["data"]
        cells = [types.TableCell(**cell) for cell in data["table_cells"]]
        document = types.DoclingDocument(name="x")
        item = document.add_table(
            types.TableData(num_rows=data["num_rows"], num_cols=data["num_cols"], table_cells=cells)
        )
        records = table.records + [table.total_record] * bool(table.total)
        for written in (item, document.export_to_dict()["tables"][0], item.export_to_html(doc=document)):
            assert tables.to_records(written).document == records


def test_tables_of_azure_are_read() -> None:
    """Objects of Azure's own package."""
    models = pytest.importorskip("azure.ai.documentintelligence.models")
    for table in PLANTED:
        records = table.records + [table.total_record] * bool(table.total)
        written = models.DocumentTable(table_writers.azure(table))
        assert tables.to_records(written).document == tables.to_records(written.as_dict()).document == records
