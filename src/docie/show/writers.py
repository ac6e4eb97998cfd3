"""Sections as text: for a terminal, in Markdown and LaTeX that paste into a paper; tables as CSV, results as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal

from docie.core.phrases import printable
from docie.show.section import HINT, MOST_CHARACTERS, Explained, Headlines, Part, Section, Table, Text

if TYPE_CHECKING:
    from rich.table import Table as RichTable

_MARKDOWN = re.compile(r"[\\`*<\[~^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_MARKDOWN_AND_FORMULAS = re.compile(rf"{_MARKDOWN.pattern}|\$")
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "{}$&#_%"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "'": r"\textquotesingle{}"}
    | {"[": "{[}", "*": "{*}", "–": r"\textendash{}"}  # behind the end of a row, a bracket and a star are options of it
)
_LIGATURE = re.compile(r"([-,])(?=\1)")
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_TRAILING = re.compile(r"(?<! ) ++((?:\x1b\[[\d;]*m)*)$", re.MULTILINE)
NARROWEST = 80
"""The columns of a terminal that sentences are wrapped for at least."""
WIDEST = 10**9
"""The columns of a terminal that nothing is cut for."""
_NUMBER = re.compile(r"[+-]?[\d.,]+%?", re.ASCII)


def to_terminal(sections: Iterable[Section]) -> str:
    """Sections for a terminal, through rich. Nothing is cut, however narrow the terminal is."""
    return "\n\n".join(_terminal([*_in_words(section.parts, MOST_CHARACTERS)]) for section in sections)


def to_markdown(sections: Iterable[Section]) -> str:
    """Sections in Markdown. One of several has its title above it."""
    sections, blocks = [*sections], list[str]()
    for section in sections:
        blocks += [f"### {markdown_text(section.title)}"] if len(sections) > 1 else []
        for part in _tabled(section.parts):
            if isinstance(part, Table):
                title = f"**{markdown_text(part.title)}**\n\n" if section.captions and part.title else ""
                blocks.append(title + markdown(part))
            elif isinstance(part, Text):
                blocks.append(markdown_text(part.text))
    return "\n\n".join(blocks)


def to_latex(sections: Iterable[Section]) -> str:
    """Sections in LaTeX: a float for each table, texts as paragraphs, hints as comments."""
    blocks = [r"% needs \usepackage{booktabs}"]
    for section in sections:
        for part in _tabled(section.parts):
            if isinstance(part, Table):
                titles = dict.fromkeys(filter(None, (section.title, part.title)))
                body = [r"\begin{table}", r"\centering", rf"\caption{{{latex_text(' '.join(titles))}}}"]
                blocks.append("\n".join([*body, latex(part), r"\end{table}"]))
            elif isinstance(part, Text):
                blocks.append(f"% {printable(part.text)}" if part.style == HINT else latex_text(part.text))
    return "\n\n".join(blocks)


def _in_words(parts: Iterable[Part], most: int | None = None) -> Iterator[Part]:
    """The parts, with explanations as text and tables, whose values have at most so many characters."""
    for part in parts:
        yield from part.in_words(most) if isinstance(part, Explained) else [part]


def _tabled(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with the scores to begin with as a table."""
    return (part.table() if isinstance(part, Headlines) else part for part in _in_words(parts))


def json_text(value: object, *, indent: int | None = None) -> str:
    """Results as JSON text that every reader takes: numbers that JSON does not have are texts.

    >>> json_text({"closest": [float("inf"), None]})
    '{"closest": ["Infinity", null]}'
    """
    try:
        return json.dumps(value, allow_nan=False, indent=indent)
    except ValueError:
        return json.dumps(_finite(value), allow_nan=False, indent=indent)


def _finite(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _finite(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(child) for child in value]
    return json.dumps(value) if isinstance(value, float) and not math.isfinite(value) else value


def _terminal(parts: Sequence[Part]) -> str:
    from rich.console import Console
    from rich.measure import Measurement

    width = Console().width
    # rich cuts what does not fit; the terminal wraps it
    console = Console(highlight=False, markup=False, emoji=False, width=WIDEST)
    with console.capture() as capture:
        for part, following in zip_longest(parts, parts[1:]):
            if isinstance(part, Table):
                view = _rich_table(part)
                if Measurement.get(console, console.options, view).maximum > width:
                    view = _rich_table(part, narrow=True)
                console.print(view)
            elif isinstance(part, Headlines):
                console.print(_rich_headlines(part, max(width, NARROWEST)))
                console.print()
            elif isinstance(part, Text):
                console.print(printable(part.text), style="dim" if part.style == HINT else None, soft_wrap=True)
                if isinstance(following, Table):
                    console.print()
    return _TRAILING.sub(r"\1", capture.get()).removesuffix("\n")


def _rich_headlines(part: Headlines, width: int) -> RichTable:
    """The scores to begin with: a line each, with the sentence in as many lines as it needs beside the value."""
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(box=None, show_header=False, width=width, pad_edge=False, padding=(0, 2, 0, 0))
    result.add_column(no_wrap=True)
    result.add_column(no_wrap=True, justify="right")
    has_intervals = any(each.interval for each in part.scores)
    if has_intervals:
        result.add_column(no_wrap=True)
    result.add_column(ratio=1)
    for each in part.scores:
        interval = [f"({each.interval})" if each.interval else ""] * has_intervals
        result.add_row(*(Text(printable(cell)) for cell in (each.name, each.text, *interval, each.sentence)))
    return result


def _rich_table(table: Table, *, narrow: bool = False) -> RichTable:
    """The table for a terminal; if `narrow`, every word of a heading has a line of its own."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    result = RichTable(
        title=Text(printable(table.title)),
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
    )
    for position, column in enumerate(table.columns):
        words = column.split("_") if position else column.split()
        justify: Literal["left", "right"] = "left" if position < table.texts else "right"
        result.add_column(Text(("\n" if narrow else " ").join(map(printable, words))), justify=justify)
    for row in table.rows:
        result.add_row(*(Text(printable(cell)) for cell in row))
    return result


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


def latex(table: Table) -> str:
    """The table in LaTeX, as a tabular of the package booktabs, with numbers on the right.

    >>> print(latex(Table("kieval", ["score", "value"], [["entity_f1", "-0.7500"]])))
    \\begin{tabular}{lr}
    \\toprule
    score & value \\\\
    \\midrule
    entity\\_f1 & $-$0.7500 \\\\
    \\bottomrule
    \\end{tabular}
    """
    columns = "l" * table.texts + "r" * (len(table.columns) - table.texts)
    heading, *rows = (
        " & ".join([*map(latex_text, row[: table.texts]), *map(_latex_number, row[table.texts :])]) + r" \\"
        for row in (table.columns, *table.rows)
    )
    rules = rf"\begin{{tabular}}{{{columns}}}", r"\toprule", heading, r"\midrule"
    return "\n".join([*rules, *rows, r"\bottomrule", r"\end{tabular}"])


def latex_text(text: str) -> str:
    """The text, with escapes for what LaTeX would read as more than text.

    >>> print(latex_text("menu_nm 50 % [a\\\\b] --x"))
    menu\\_nm 50 \\% {[}a\\textbackslash{}b] -{}-x
    """
    return _LIGATURE.sub(r"\1{}", printable(text).translate(_LATEX))


def _latex_number(text: str) -> str:
    return _MINUS.sub("$-$", latex_text(text))


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
