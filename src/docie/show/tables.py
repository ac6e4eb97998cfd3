"""Results as tables: the scores, then a table for each breakdown; and as flat numbers, for loggers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from docie.core.family import Family, get
from docie.core.results import INTERVAL, Rows, read_results
from docie.core.scores import Headline as Said
from docie.core.scores import is_better_low, main_of, score_of
from docie.show.section import HINT, Headline, Headlines, Section, Table, Text, number
from docie.show.writers import latex, markdown

if TYPE_CHECKING:
    from docie.diagnosis.patterns import Pattern

__all__ = ["Table", "flat", "latex", "markdown", "number", "sections", "tables"]

BREAKDOWN = ("per_entity", "per_group", "per_absent_field", "per_document")
"""What results have only with a breakdown."""
_LISTS = ("per_document", "closest")  # one row for each document: they are in the JSON output only
_TITLES = {"per_entity": "by entity type", "per_group": "by group type", "per_absent_field": "absent values"}
_FIRST_COLUMN = {"per_entity": "entity type", "per_group": "group type", "per_absent_field": "entity type"}
BY = "by_"
"""What the names of tables by group of documents begin with, such as "by_vendor"."""
FIELDS_SHOWN = 30
"""The number of fields that a table in a terminal shows at most."""
GROUPS_SHOWN = 30
"""The number of groups of documents that a table shows at most."""
_GROUP_SCORES = 5
"""The number of scores that such a table shows at most."""
_UNSAFE = re.compile(r"[^\w.\- ]", re.ASCII)
"""What some loggers do not take in a name."""
_LONGEST = 100
"""The number of characters of a part of a name; MLflow takes 250 for the whole."""


def tables(family: str, results: Mapping[str, object], *, most: int | None = None) -> list[Table]:
    """The scores, then one table for each breakdown by name and for each list of rows, except those per document.

    The rows of a breakdown that cost most come first.

    Args:
        family: the name of the family, which is the title of the first table.
        results: what `corpus.evaluate` returns.
        most: the number of rows of a breakdown at most; None for all.

    >>> [table] = tables("kieval", {"entity_f1": 0.75, "entity_f1_interval": [0.7, 0.8], "documents": 2})
    >>> table.columns, table.rows
    (['score', 'value', 'interval'], [['entity_f1', '0.7500', '0.7000 – 0.8000']])
    """
    found = read_results(results)
    scores, intervals = found.scores
    rows = [[name, number(value)] for name, value in scores.items()]
    columns = ["score", "value"]
    if intervals:
        columns.append("interval")
        for row, (name, value) in zip(rows, scores.items(), strict=True):
            row.append(_interval(intervals.get(name), is_whole=isinstance(value, int)))
    result = [Table(family, columns, rows)]
    for name, table in found.tables.items():
        if name.startswith(BY):
            result.append(_by_group(get(family), name.removeprefix(BY), table))
        elif table:
            result.append(_breakdown(get(family), name, table, most))
    for name, listed in found.lists.items():
        if listed and isinstance(listed[0], Mapping) and name not in _LISTS:
            cells = [[number(cell) for cell in row.values()] for row in listed]
            result.append(Table(_TITLES.get(name, name), list(listed[0]), cells))
    return result


def _interval(bounds: Sequence[float] | None, *, is_whole: bool = False) -> str:
    """Both bounds; a dash where there is no interval."""
    return "–" if bounds is None else " – ".join(number(round(bound) if is_whole else bound) for bound in bounds)


def cost(family: Family, row: Mapping[str, float]) -> float:
    """The cost of a row of a breakdown: its corrections, or else the share of incorrect values times the support.

    >>> from docie import entity_f1, kieval
    >>> cost(kieval, {"entity_f1": 0.5, "corrections": 3, "support": 4}), cost(entity_f1, {"f1": 0.75, "support": 8})
    (3.0, 2.0)
    """
    if "corrections" in row:
        return float(row["corrections"])
    name = main_of(family, _scores(family, row))
    incorrect = row[name] if is_better_low(family, name) else 1 - row[name]
    return float(incorrect) * float(row["support"])


def _scores(family: Family, row: Iterable[str]) -> list[str]:
    """The names of a row's scores, which are no numbers of things."""
    return [name for name in row if score_of(family, name).kind != "count"]


def _breakdown(family: Family, breakdown: str, rows: Rows, most: int | None) -> Table:
    """One row for each name: its scores, its support, and the interval of its main score. JSON has all scores.

    Of a score's parts, those of the main score are shown: of the others, F1 is enough to compare; and what corrections
    say is not said twice. A row may lack scores: a field that the forms under an attack do not have.
    """
    costs = {name: cost(family, row) for name, (row, _) in rows.items()}
    title, number_of_rows = _TITLES.get(breakdown, breakdown), len(rows)
    rows = {name: rows[name] for name in sorted(rows, key=lambda name: -costs[name])[:most]}
    if len(rows) < number_of_rows:
        title += f", the {len(rows)} that cost most of {number_of_rows:,}"
    prefix = breakdown.removeprefix("per_") + "_"  # in a table by entity, entity_f1 is just F1
    scores = _scores(family, dict.fromkeys(name for row in rows.values() for name in row.figures))
    main = main_of(family, [name for name in scores if name.startswith(prefix)] or scores)
    counted = [
        name for name in ("corrections", "false_alarms", "support") if any(name in row.figures for row in rows.values())
    ]
    said = {"aligned"} if "corrections" in counted else set[str]()
    columns = [name for name in scores if score_of(family, name).part_of in (None, main) and name not in said]
    columns, cells = _with_interval([*columns, *counted], rows, main)
    headings = [_FIRST_COLUMN.get(breakdown, "name"), *(column.removeprefix(prefix) for column in columns)]
    return Table(title, headings, cells)


def _with_interval(columns: list[str], rows: Rows, main: str) -> tuple[list[str], list[list[str]]]:
    """The columns and, below them, a row for each name; last the interval of the main score, if any row has it."""
    cells = [[name, *(number(row.figures.get(column, "")) for column in columns)] for name, row in rows.items()]
    if not any(main in row.intervals for row in rows.values()):
        return columns, cells
    intervals = [_interval(row.intervals.get(main)) for row in rows.values()]
    return [*columns, f"{main}{INTERVAL}"], [[*row, last] for row, last in zip(cells, intervals, strict=True)]


def _by_group(family: Family, column: str, groups: Rows) -> Table:
    """One row for each group of documents: the headline with its interval, and further scores. JSON has all.

    Parts of scores are left out: the F1 score is enough to compare.
    """
    shown = dict(islice(groups.items(), GROUPS_SHOWN))
    names = _scores(family, dict.fromkeys(name for row in shown.values() for name in row.figures))
    whole = [name for name in names if score_of(family, name).part_of is None]
    scores = sorted(whole, key=lambda name: name != main_of(family, whole))[:_GROUP_SCORES]
    corrections = [key for key in ("corrections",) if any(key in row.figures for row in shown.values())]
    columns, rows = _with_interval(["documents", *scores, *corrections], shown, "".join(scores[:1]))
    return Table(title_of_groups(column, len(groups)), [column, *columns], rows)


def patterns(found: Iterable[Pattern]) -> Iterator[Table]:
    """What errors have in common, a line a pattern; no table if they have nothing."""
    rows = [[each.what, each.example, f"{each.errors:,}", f"{each.documents:,}"] for each in found]
    if rows:
        yield Table(
            "patterns", ["pattern", "example", "errors", "documents"], rows, texts=2, fits={0: "break", 1: "cut"}
        )


def title_of_groups(column: str, groups: int) -> str:
    """The title of a table by group of documents, with what it leaves out.

    >>> title_of_groups("vendor", 3), title_of_groups("vendor", 4000)
    ('by vendor', 'by vendor (the first 30 of 4,000)')
    """
    return f"by {column}" + (f" (the first {GROUPS_SHOWN} of {groups:,})" if groups > GROUPS_SHOWN else "")


def headlines(family: str, results: Mapping[str, object], said: Iterable[Said]) -> Iterator[Headline]:
    """The scores that a family says first, with their values and intervals as they are shown.

    Args:
        family: the name of the family.
        results: what `corpus.evaluate` returns.
        said: what its function `headlines` gives.

    >>> [each] = headlines("kieval", {"entity_f1": 0.75, "documents": 2}, [Said("entity_f1", "3 of 4 values correct")])
    >>> each.text, each.sentence
    ('0.7500', '3 of 4 values correct')
    """
    figures, intervals = read_results(results).scores
    for name, sentence in said:
        value = figures[name]
        found = _interval(intervals[name], is_whole=isinstance(value, int)) if name in intervals else ""
        yield Headline(name, number(value), found, sentence)


def facts(results: Mapping[str, object], *, joined_by: str = "") -> str:
    """The line under the tables: how many documents were scored, how their rows were joined, and the signature."""
    return f"{_size(results, joined_by)} · {results['signature']}"


def _size(results: Mapping[str, object], joined_by: str) -> str:
    parts = ["1 document" if results["documents"] == 1 else f"{results['documents']} documents"]
    if answers := results.get("answers"):
        parts.append(f"{answers} answers")
    if clusters := results.get("clusters"):
        parts.append(f"{clusters} clusters")
    if joined_by:
        parts.append(f"joined by {joined_by}")
    if results.get("invalid_predictions"):
        parts.append(f"invalid predictions: {results['invalid_predictions']}")
    return ", ".join(parts)


def brief_sections(
    results: Mapping[str, Mapping[str, object]], said: Mapping[str, Sequence[Said]], *, joined_by: str = ""
) -> Iterator[Section]:
    """What families say first, tables by field, and the line under them. Of several, each says one score.

    >>> said = {"kieval": [Said("entity_f1", "3 of 4 values correct")]}
    >>> results = {"kieval": {"entity_f1": 0.75, "documents": 2, "signature": "kieval"}}
    >>> [section] = brief_sections(results, said)
    >>> section.parts[0].scores[0].name, section.parts[-1].text
    ('entity_f1', '2 documents · kieval')
    """
    found = {name: [*headlines(name, figures, said[name])] for name, figures in results.items()}
    by_field = {name: tables(name, figures, most=FIELDS_SHOWN)[1:] for name, figures in results.items()}
    if len(results) == 1:
        [(name, figures)] = results.items()
        yield Section([Headlines(found[name]), *by_field[name], Text(facts(figures, joined_by=joined_by), HINT)], name)
        return
    first = [each[0]._replace(name=f"{name} {each[0].name}") for name, each in found.items()]
    sizes = dict.fromkeys(_size(figures, joined_by) for figures in results.values())
    lines = [*sizes, *(str(figures["signature"]) for figures in results.values())]
    yield Section([Headlines(first), *(Text(line, HINT) for line in lines)], "scores")
    yield from (Section(each, name) for name, each in by_field.items() if each)


def sections(results: Mapping[str, Mapping[str, object]], *, joined_by: str = "") -> Iterator[Section]:
    """The results of families, each with its tables and the line under them.

    >>> [section] = sections({"kieval": {"entity_f1": 0.75, "documents": 2, "signature": "kieval"}})
    >>> section.title, section.parts[-1].text
    ('kieval', '2 documents · kieval')
    """
    for name, figures in results.items():
        line = Text(facts(figures, joined_by=joined_by), HINT)
        yield Section([*tables(name, figures), line], name, captions=False)


def flat(results: Mapping[str, object]) -> dict[str, float]:
    """The numbers of results as a flat dict, for TensorBoard's `add_scalar`, for W&B or MLflow.

    Args:
        results (dict): the results of `compute` or `corpus.evaluate`.

    Returns:
        dict of str to float: the scores; the bounds of intervals as `f1_interval/low` and `f1_interval/high`; the
        tables as `per_entity/total/f1` and `automation/0.5/aligned`. Texts and other lists (`signature`,
        `per_document`, `closest`) are left out. Characters that a logger may not take become `_`, and of the name of
        a row, the first 100 characters are kept.

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


def _numbers(values: Mapping[str, object], path: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    taken: set[str] = set()
    for key, value in values.items():
        name = free_name(safe_name(str(key)), taken)
        taken.add(name)
        if isinstance(value, list) and name == "automation":
            value = rows_by_threshold(value)
        elif isinstance(value, list) and name.endswith("_interval"):
            value = dict(zip(("low", "high"), value, strict=True))
        if isinstance(value, Mapping):
            yield from _numbers(value, (*path, name))
        elif isinstance(value, int | float):
            yield "/".join([*path, name]), float(value)


def rows_by_threshold(rows: Collection[Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """The rows of `automation`, each under the text of its threshold.

    >>> rows_by_threshold([{"threshold": 0.5, "aligned": 0.75}])
    {'0.5': {'aligned': 0.75}}
    """
    return {str(row["threshold"]): {name: row[name] for name in row if name != "threshold"} for row in rows}


def safe_name(name: str) -> str:
    """A name as a part of a path. Some loggers do not take letters of other scripts, or long names.

    >>> safe_name("menu.nm"), safe_name("größe/cm"), safe_name("..")
    ('menu.nm', 'gr__e_cm', '_')
    """
    return _UNSAFE.sub("_", name[:_LONGEST]) if name.strip(". ") else "_"


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if it is taken.

    >>> free_name("total", {"total", "total_2"})
    'total_3'
    """
    numbered = (f"{name}_{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(other for other in numbered if other not in taken)
