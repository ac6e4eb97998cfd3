"""Sections as text: in Markdown and LaTeX that paste into a paper; tables as CSV, results as JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping

from docie.core.phrases import printable
from docie.show.section import HINT, Explained, Headlines, Part, Section, Table, Text

_MARKDOWN = re.compile(r"[\\`*<\[~^]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_MARKDOWN_AND_FORMULAS = re.compile(rf"{_MARKDOWN.pattern}|\$")
_LATEX = str.maketrans(
    {character: f"\\{character}" for character in "{}$&#_%"}
    | {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "`": r"\textasciigrave{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "'": r"\textquotesingle{}"}
    | {"–": r"\textendash{}", "→": r"$\to$"}
    | {"[": "{[}", "*": "{*}"}  # behind the end of a row, a bracket and a star are options of it
)
_LIGATURE = re.compile(r"([-,])(?=\1)")
_MINUS = re.compile(r"(?<![\w.])-(?=\d)")
_FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]|[\t\r\n]")
_NUMBER = re.compile(r"[+-]?[\d.,]+%?", re.ASCII)


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
                blocks.append(f"    {printable(part.text)}" if part.style == "code" else markdown_text(part.text))
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
                text = latex_text(part.text)
                text = rf"\texttt{{{text}}}" if part.style == "code" else text
                blocks.append(f"% {printable(part.text)}" if part.style == HINT else text)
    return "\n\n".join(blocks)


def in_words(parts: Iterable[Part], most: int | None = None) -> Iterator[Part]:
    """The parts, with explanations as text and tables, whose values have at most so many characters."""
    for part in parts:
        yield from part.in_words(most) if isinstance(part, Explained) else [part]


def _tabled(parts: Iterable[Part]) -> Iterator[Part]:
    """The parts, with the scores to begin with as a table."""
    return (part.table() if isinstance(part, Headlines) else part for part in in_words(parts))


def json_text(value: object, *, indent: int | None = None) -> str:
    """Results as JSON text that every reader takes: numbers that JSON does not have are texts.

    >>> json_text({"closest": [float("inf"), None]})
    '{"closest": ["Infinity", null]}'
    """
    try:
        return json.dumps(value, allow_nan=False, indent=indent)
    except ValueError:
        return json.dumps(finite(value), allow_nan=False, indent=indent)


def finite(value: object) -> object:
    """A value in which numbers that JSON does not have are texts."""
    if isinstance(value, Mapping):
        return {key: finite(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [finite(child) for child in value]
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

    >>> print(latex_text("menu_nm 50 % [a\\\\b] --x → y"))
    menu\\_nm 50 \\% {[}a\\textbackslash{}b] -{}-x $\\to$ y
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
