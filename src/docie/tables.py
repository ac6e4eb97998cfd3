"""Results as tables, for a terminal (rich) or as Markdown that pastes into a paper; as JSON, and as flat numbers."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, NamedTuple

BREAKDOWN = ("per_entity", "per_group", "per_document")
"""What results have only with a breakdown."""
_LISTS = ("per_document", "closest")  # one row for each document: they are in the JSON output only
_FACTS = ("documents", "invalid_predictions", "signature")
_TITLES = {"per_entity": "by entity type", "per_group": "by group type", "automation": "automation"}
_UNSAFE = re.compile(r"[^\w.\- ]", re.ASCII)
"""What some loggers do not take in a name."""
_MARKDOWN = re.compile(r"[\\`*<\[~^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_MARKDOWN_AND_FORMULAS = re.compile(rf"{_MARKDOWN.pattern}|\$")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?[\d.,]+%?", re.ASCII)
_FIRST_COLUMN = {"per_entity": "entity type", "per_group": "group type"}
BY = "by_"
"""What the names of tables by group of documents begin with, such as "by_vendor"."""
GROUPS_SHOWN = 30
"""The number of groups of documents that a table shows at most."""
_GROUP_SCORES = 5
"""The number of scores that such a table shows at most."""


class Table(NamedTuple):
    """A title, the headings of the columns, rows of text, and how many first columns hold no numbers."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    texts: int = 1


def tables(family: str, results: Mapping[str, Any], *, sort: str = "name") -> list[Table]:
    """The figures, then one table for each breakdown by name and for each list of figures, except those per document.

    Args:
        family: the title of the first table.
        results: what `corpus.evaluate` returns.
        sort: how the rows of a breakdown are sorted: by "name", by "cost" (what costs most, first) or by "support".

    >>> [table] = tables("kieval", {"entity_f1": 0.75, "entity_f1_interval": [0.7, 0.8], "documents": 2})
    >>> table.columns, table.rows
    (['score', 'value', 'interval'], [['entity_f1', '0.7500', '0.7000 – 0.8000']])
    """
    scores = {name: value for name, value in results.items() if isinstance(value, int | float) and name not in _FACTS}
    rows = [[name, number(value)] for name, value in scores.items()]
    columns = ["score", "value"]
    intervals = [results.get(f"{name}_interval") for name in scores]
    if any(intervals):
        columns.append("interval")
        for row, interval, value in zip(rows, intervals, scores.values(), strict=True):
            row.append(
                " – ".join(number(bound if isinstance(value, float) else round(bound)) for bound in interval or ())
            )
    result = [Table(family, columns, rows)]
    for name, value in results.items():
        if isinstance(value, Mapping) and name.startswith(BY):
            result.append(_by_group(name.removeprefix(BY), value))
        elif isinstance(value, Mapping) and value:
            result.append(_breakdown(name, _sorted(value, sort)))
        elif isinstance(value, list) and value and isinstance(value[0], Mapping) and name not in _LISTS:
            cells = [[number(cell) for cell in row.values()] for row in value]
            result.append(Table(_TITLES.get(name, name), list(value[0]), cells))
    return result


def _sorted(figures: Mapping[str, Mapping[str, Any]], sort: str) -> Mapping[str, Mapping[str, Any]]:
    if sort == "name":
        return figures
    key = cost if sort == "cost" else lambda row: row["support"]
    return dict(sorted(figures.items(), key=lambda item: -key(item[1])))


def cost(row: Mapping[str, Any]) -> float:
    """What a row of a breakdown costs: its corrections; if there are none, the share that is wrong, times the support.

    >>> cost({"entity_f1": 0.5, "corrections": 3, "support": 4}), cost({"f1": 0.75, "support": 8})
    (3.0, 2.0)
    """
    if "corrections" in row:
        return float(row["corrections"])
    name, value = next((name, value) for name, value in row.items() if isinstance(value, float))
    wrong = value if is_error_rate(name) else 1 - value
    return wrong * float(row["support"])


def is_error_rate(score: str) -> bool:
    """Whether a score is the better the lower it is.

    >>> is_error_rate("oi_ecer"), is_error_rate("f1")
    (True, False)
    """
    return score.endswith(("cer", "wer", "_error_rate"))


_AMOUNTS_OF_WORK = (
    "corrections", "substitutions", "additions", "deletions", "errors", "positives", "negatives", "distance", "cost",
    "cost_per_document",
)  # fmt: skip


def is_better_low(score: str) -> bool:
    """Whether a figure is the better the lower it is: an error rate, a number of errors, a distance or a cost.

    >>> is_better_low("oi_ecer"), is_better_low("corrections"), is_better_low("true_positives"), is_better_low("f1")
    (True, True, False, False)
    """
    return is_error_rate(score) or (score.endswith(_AMOUNTS_OF_WORK) and score != "true_positives")


def _breakdown(breakdown: str, figures: Mapping[str, Mapping[str, Any]]) -> Table:
    """One row for each name: its scores, its support, and the interval of the first score. JSON has all figures."""
    prefix = breakdown.removeprefix("per_") + "_"  # in a table by entity, entity_f1 is just F1
    scores = [key for key, value in next(iter(figures.values())).items() if isinstance(value, float)]
    # of another level's figures, F1 is enough to compare, without precision and recall
    columns = [key for key in scores if key.startswith(prefix) or not ("_precision" in key or "_recall" in key)]
    columns.append("support")
    rows = [[name, *(number(row[column]) for column in columns)] for name, row in figures.items()]
    interval = f"{scores[0]}_interval" if scores else ""
    if any(interval in row for row in figures.values()):
        columns.append(interval)
        for cells, row in zip(rows, figures.values(), strict=True):
            cells.append(" – ".join(map(number, row.get(interval, ()))))
    headings = [_FIRST_COLUMN.get(breakdown, "name"), *(column.removeprefix(prefix) for column in columns)]
    return Table(_TITLES.get(breakdown, breakdown), headings, rows)


def _by_group(column: str, figures: Mapping[str, Mapping[str, Any]]) -> Table:
    """One row for each group of documents: its first scores, and an interval of the very first. JSON has all.

    Precision and recall are left out: the F1 score is enough to compare.
    """
    first = next(iter(figures.values()), {})
    floats = [key for key, value in first.items() if isinstance(value, float)]
    scores = [key for key in floats if not key.endswith(("precision", "recall"))][:_GROUP_SCORES]
    interval = f"{scores[0]}_interval" if scores and f"{scores[0]}_interval" in first else None
    scores += [key for key in ("corrections",) if key in first]
    rows = [
        [name, *(number(row[key]) for key in ("documents", *scores))]
        + ([" – ".join(map(number, row[interval]))] if interval else [])
        for name, row in islice(figures.items(), GROUPS_SHOWN)
    ]
    columns = [column, "documents", *scores, *([interval] if interval else [])]
    return Table(title_of_groups(column, len(figures)), columns, rows)


def title_of_groups(column: str, groups: int) -> str:
    """The title of a table by group of documents, with what it leaves out.

    >>> title_of_groups("vendor", 3), title_of_groups("vendor", 4000)
    ('by vendor', 'by vendor (the first 30 of 4,000)')
    """
    return f"by {column}" + (f" (the first {GROUPS_SHOWN} of {groups:,})" if groups > GROUPS_SHOWN else "")


def facts(results: Mapping[str, Any], *, joined_by: str = "") -> str:
    """The line under the tables: how many documents were scored, how their rows were joined, and the signature."""
    parts = ["1 document" if results["documents"] == 1 else f"{results['documents']} documents"]
    if joined_by:
        parts.append(f"joined by {joined_by}")
    if results.get("invalid_predictions"):
        parts.append(f"invalid predictions: {results['invalid_predictions']}")
    return f"{', '.join(parts)} · {results['signature']}"


def number(value: Any) -> str:
    """A score to four digits, a count as it is.

    >>> number(2 / 3), number(12)
    ('0.6667', '12')
    """
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def json_text(value: Any, **options: Any) -> str:
    """Results as JSON text that every reader takes: numbers that JSON does not have are texts.

    Args:
        value: results, or a part of them.
        **options: those of `json.dumps`.

    >>> json_text({"closest": [float("inf"), None]})
    '{"closest": ["Infinity", null]}'
    """
    try:
        return json.dumps(value, allow_nan=False, **options)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, **options)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(child) for child in value]
    return json.dumps(value) if isinstance(value, float) and not math.isfinite(value) else value


def markdown(table: Table) -> str:
    """The table in Markdown, with numbers on the right.

    >>> print(markdown(Table("kieval", ["score", "value"], [["entity_f1", "0.7500"]])))
    | score | value |
    | :-- | --: |
    | entity_f1 | 0.7500 |
    """
    rules = [":--"] * table.texts + ["--:"] * (len(table.columns) - table.texts)
    return "\n".join(map(markdown_row, [table.columns, rules, *table.rows]))


def markdown_row(cells: Iterable[str]) -> str:
    """One row of a table in Markdown.

    >>> print(markdown_row(["a|b", "0.7500"]))
    | a\\|b | 0.7500 |
    """
    return f"| {' | '.join(markdown_text(cell).replace('|', chr(92) + '|') for cell in cells)} |"


def markdown_text(text: str) -> str:
    """The text, with a backslash before what Markdown would read as more than text. Most names stay as they are.

    That is what CommonMark, the tables of GitHub and pandoc interpret inside of a line: HTML, links, images, entities,
    code, emphasis (an underscore inside of a word is none), strikethrough, and two dollars as a formula.

    >>> print(markdown_text("entity_f1 of <b>menu.nm</b>"), markdown_text("_total_ [1](x)"))
    entity_f1 of \\<b>menu.nm\\</b> \\_total\\_ \\[1](x)
    """
    signs = _MARKDOWN if text.count("$") < 2 else _MARKDOWN_AND_FORMULAS
    return signs.sub(r"\\\g<0>", printable(text))


def as_csv(table: Table) -> str:
    """The table as a CSV file, which no spreadsheet takes for formulas.

    >>> as_csv(Table("by entity type", ["entity type", "f1"], [["=1+1", "0.7500"]]))
    "entity type,f1\\n'=1+1,0.7500\\n"
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([safe_cell(cell) for cell in row] for row in (table.columns, *table.rows))
    return file.getvalue()


def safe_cell(text: str) -> str:
    """The text, with an apostrophe before it if a spreadsheet would read it as a formula.

    Source: OWASP, "CSV Injection". A number with its sign is left as it is.

    >>> safe_cell("=1+1"), safe_cell("@SUM(A1)"), safe_cell("-12.50"), safe_cell("-1+1"), safe_cell("a=b")
    ("'=1+1", "'@SUM(A1)", '-12.50', "'-1+1", 'a=b')
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def printable(text: str) -> str:
    """The text, with characters escaped that would move the cursor or break a row.

    >>> print(printable("new\\nline"))
    new\\nline
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)


def show(parts: list[Table], line: str) -> None:
    """Print tables and a line under them to the terminal. Nothing is cut, however narrow the terminal is."""
    from rich.console import Console
    from rich.measure import Measurement

    width = Console().width
    # rich cuts what does not fit; the terminal wraps it
    console = Console(highlight=False, markup=False, emoji=False, width=_enough(parts))
    with console.capture() as capture:
        for table in parts:
            view = rich_table(table)
            if Measurement.get(console, console.options, view).maximum > width:
                view = rich_table(table, narrow=True)
            console.print(view)
        if line:
            console.print(printable(line), style="dim", soft_wrap=True)
    print(capture.get(), end="")


def _enough(parts: Iterable[Table]) -> int:
    """A width that all tables fit in. A character takes at most two columns."""
    widths = (
        sum(
            2 * max(len(printable(cell)) for cell in column) + 4
            for column in zip(table.columns, *table.rows, strict=True)
        )
        for table in parts
    )
    return max(10_000, *widths)


def rich_table(table: Table, *, narrow: bool = False) -> Any:
    """The table for a terminal; if `narrow`, every word of a heading has a line of its own."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(
        title=Text(printable(table.title)), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD
    )
    for position, column in enumerate(table.columns):
        words = column.split("_") if position else column.split()
        justify: Literal["left", "right"] = "left" if position < table.texts else "right"
        result.add_column(Text(("\n" if narrow else " ").join(map(printable, words))), justify=justify)
    for row in table.rows:
        result.add_row(*(Text(printable(cell)) for cell in row))
    return result


def flat(results: Mapping[str, Any]) -> dict[str, float]:
    """The numbers of results as a flat dict, for TensorBoard's `add_scalar`, for W&B or MLflow.

    Args:
        results (dict): what `compute` or `corpus.evaluate` gave.

    Returns:
        dict of str to float: the figures; the bounds of intervals as `f1_interval/low` and `f1_interval/high`; the
        tables as `per_entity/total/f1` and `automation/0.5/aligned`. Texts and other lists (`signature`,
        `per_document`, `closest`) are left out. Characters that a logger may not take become `_`.

    >>> import docie
    >>> metric = docie.load("entity_f1")
    >>> results = metric.compute(predictions=[{"total": "9.00"}], references=[{"total": "9"}], breakdown=True)
    >>> figures = docie.flat(results)
    >>> figures["f1"], figures["per_entity/total/support"], "signature" in figures
    (0.0, 1.0, False)
    >>> for name, value in figures.items():  # doctest: +SKIP
    ...     writer.add_scalar(name, value, step)
    """
    return dict(_numbers(results, ()))


def _numbers(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    taken: set[str] = set()
    for key, value in values.items():
        name = free_name(safe_name(str(key)), taken)
        taken.add(name)
        if isinstance(value, int | float):
            yield "/".join([*path, name]), float(value)
        else:
            yield from _numbers(_by_name(name, value), (*path, name))


def _by_name(name: str, value: Any) -> Mapping[str, Any]:
    """What a value other than a number holds, by name; nothing of texts and lists."""
    if isinstance(value, Mapping):
        return value
    if name == "automation":
        return rows_by_threshold(value)
    if name.endswith("_interval"):
        return dict(zip(("low", "high"), value, strict=True))
    return {}


def rows_by_threshold(rows: Collection[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The rows of `automation`, each under the text of its threshold.

    >>> rows_by_threshold([{"threshold": 0.5, "aligned": 0.75}])
    {'0.5': {'aligned': 0.75}}
    """
    return {str(row["threshold"]): {name: row[name] for name in row if name != "threshold"} for row in rows}


def safe_name(name: str) -> str:
    """A name as a part of a path. Some loggers do not take letters of other scripts.

    >>> safe_name("menu.nm"), safe_name("größe/cm"), safe_name("..")
    ('menu.nm', 'gr__e_cm', '_')
    """
    return _UNSAFE.sub("_", name) if name.strip(". ") else "_"


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if it is taken.

    >>> free_name("total", {"total", "total_2"})
    'total_3'
    """
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
