"""The errors of a corpus in tables: what to fix first, fields by kinds of errors, types taken for others, groups."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docie.core.counts import Counts
from docie.core.results import Row, Rows, read_row
from docie.core.scores import rounded, tenths
from docie.diagnosis.patterns import Pattern
from docie.metrics import kieval
from docie.metrics.kieval.repairs import order_of_repairs
from docie.show import tables
from docie.show.report.fields import KINDS
from docie.show.report.packing import link_to
from docie.show.report.page import first_rows
from docie.show.section import Heat, Section, Share, Table, Text, number

MOST_REPAIRS = 8
"""The repairs that the list shows at first."""
MOST_FIELDS = 30
"""The fields that are shown at first."""


def table_of_scores(title: str, names: str, columns: Mapping[str, str], rows: Iterable[tuple[str, Row]]) -> Table:
    """A table of scores: `columns` are headings with their keys in the rows, the first one a column of bars."""
    rows, (main, *keys) = [*rows], columns.values()
    bars = [share_of(row, main) for _, row in rows]
    cells = [
        [str(name), bar.text, *(_cell(key, row.figures[key]) for key in keys)]
        for (name, row), bar in zip(rows, bars, strict=True)
    ]
    return Table(title, [names, *columns], cells, texts=2, bars=bars)


def share_of(row: Row, name: str) -> Share:
    """A score with its interval."""
    return Share(row.figures[name], *(row.intervals.get(name) or ()))


def amount(value: float, flags: str = ",") -> str:
    """A number without a limit."""
    return rounded(value, 1, whole=math.inf, flags=flags)


def _cell(name: str, value: float) -> str:
    """A share in percent, the score after a repair with four digits, its gain in points, a count as it is; a cost."""
    if name == "gain":
        return tenths(100 * value, flags="+")
    if name == "then":
        return number(value)
    if name in ("saved", "left"):
        return amount(value)
    return Share(value).text if isinstance(value, float) else f"{value:,}"


class Effect(NamedTuple):
    """What repairs are sorted by, in words: the score, with its unit; where its gain and what is left stand in rows."""

    score: str
    unit: str
    columns: dict[str, str]
    key: str
    factor: float = 1.0

    @classmethod
    def of(cls, now: Mapping[str, object], *, in_minutes: bool) -> Effect:
        """Of the costs if there are any, else of the weighted F1 if there are weights, else of F1."""
        key = "correction_cost_per_document"
        if in_minutes:
            columns = {"Minutes saved": "saved", "Minutes then": "left"}
            return cls("The minutes for 100 documents", "minutes for 100 documents", columns, key, 100 / 60)
        if key in now:
            columns = {"Cost saved": "saved", "Cost then": "left"}
            return cls("The mean cost of a document", "the mean cost of a document", columns, key)
        f1 = "Weighted F1" if "weighted_entity_f1" in now else "F1"
        key = "weighted_entity_f1" if "weighted_entity_f1" in now else "entity_f1"
        return cls(f1, f"points of {f1.replace('W', 'w')}", {"Gain": "gain", f"{f1} then": "then"}, key)

    def numbers(self, row: Mapping[str, float], now: Mapping[str, float]) -> dict[str, float]:
        """What stands in the columns."""
        change = self.factor * (row[self.key] - now[self.key])
        gain, then = self.columns.values()
        return {gain: change if gain == "gain" else -change, then: self.factor * row[self.key]}


def patterns(found: Sequence[Pattern]) -> Section | None:
    """What errors have in common."""
    if not found:
        return None
    said = "What errors have in common, with an example; an error counts in one pattern at most."
    [table] = tables.patterns(found)
    return Section([table._replace(title="", is_small=True), Text(said, "hint")], "Patterns", "patterns")


def repairs(counts: Counts, *, in_minutes: bool = False) -> Section:
    """The effect of repairing all errors of one kind, or of one field: one list, the largest gain first.

    Gains are those of the costs or of the weights, if there are any; costs are in seconds if they are shown
    `in_minutes`.
    """
    now, *rows = kieval.repaired(counts)
    if not rows:
        return Section([Text("Nothing: there are no errors.")], "What to fix first", "repairs")
    effect = Effect.of(now, in_minutes=in_minutes)
    rows.sort(key=order_of_repairs)
    found, remarks, links = list[tuple[str, Row]](), dict[str, str](), dict[int, str]()
    for place, row in enumerate(rows):
        name, is_kind = row["name"], row["repaired"] == "kind"
        shown = " ".join(KINDS[name]) if is_kind else name
        found.append((shown, read_row(row | {"share": row["rows"] / now["corrections"]} | effect.numbers(row, now))))
        remarks[shown] = "all fields" if is_kind else "all kinds of errors"
        links[place] = link_to(**{"kind" if is_kind else "field": name})
    said = (
        f"{effect.score} if all errors of one kind, or of one field, were repaired: arithmetic, no forecast for a "
        "model trained again. An error counts in its kind and in its field, so these gains overlap: they do not add up."
    )
    columns = {"Share of errors": "share", **effect.columns, "Errors": "rows"}
    table = table_of_scores(f"The largest gain first, in {effect.unit}", "Repair", columns, found)
    table = table._replace(costs=True, remarks=remarks, links=links)
    rows_of = first_rows(table, "repair", "docie errors --format json lists all", most=MOST_REPAIRS)
    return Section([*rows_of, Text(said, "hint")], "What to fix first", "repairs")


def fields(breakdowns: Mapping[str, Rows], counts: Counts, level: str) -> Section:
    """The fields by kinds of errors, the most errors first; the group types by name."""
    errors = counts_of_errors(counts)
    said = "The most errors come first. A number shows its documents below. “Values” are those of the references."
    if level:
        said += " A field in very few documents has no interval."
    scores = {"F1": "entity_f1", "Precision": "entity_precision", "Recall": "entity_recall", "Values": "support"}
    totals = Counter[str]()
    for (name, _), numbers in errors.items():
        totals[name] += numbers
    rows = sorted(breakdowns["per_entity"].items(), key=lambda row: (-totals[row[0]], row[0]))
    table = _with_kinds(table_of_scores("Errors by field and kind", "Field", scores, rows), errors)
    parts = [Text(said, "hint"), *first_rows(table, "field", "docie score --by-field lists all", most=MOST_FIELDS)]
    if groups := breakdowns["per_group"]:
        columns = {"F1 of whole groups": "group_f1", "F1 of values in them": "entity_f1", "Groups": "support"}
        parts.append(table_of_scores("By type of group", "Group", columns, groups.items())._replace(is_small=True))
    return Section(parts, "Fields", "fields")


def counts_of_errors(counts: Counts) -> Counter[tuple[str, str]]:
    """From (entity type, kind) to the number of errors."""
    found = Counter[tuple[str, str]]()
    for key, numbers in counts.rows.items():
        if key[0] == "errors":
            found[str(key[3]), str(key[1])] += int(sum(numbers))
    return found


def _with_kinds(table: Table, errors: Counter[tuple[str, str]]) -> Table:
    """The table with a column for each kind of error, behind that of bars: a heat map."""
    kinds = [kind for kind in KINDS if any(kind == found for _, found in errors)]
    cells, heat = list[list[str]](), dict[tuple[int, int], Heat]()
    most = max(errors.values(), default=1)
    for row, (name, bar, *others) in enumerate(table.rows):
        numbers = [errors[name, kind] for kind in kinds]
        for column, (kind, found) in enumerate(zip(kinds, numbers, strict=True), 2):
            if found:
                heat[row, column] = Heat(found / most, kind, link_to(field=name, kind=kind))
        cells.append([name, bar, *(f"{found:,}" if found else "" for found in numbers), *others])
    columns = [*table.columns[:2], *(" ".join(KINDS[kind]) for kind in kinds), *table.columns[2:]]
    return table._replace(columns=columns, rows=cells, heat=heat)


def confused_types(taken: Counter[tuple[str, str]]) -> Section | None:
    """Which entity type was taken for which, the most frequent first."""
    said = (
        "Correct values under the wrong entity type. Such a value is missing in one place and spurious "
        "in the other, which makes two errors."
    )
    found = sorted(taken.items(), key=lambda item: (-item[1], item[0]))
    cells = [[correct, predicted, f"{number:,}"] for (correct, predicted), number in found]
    columns = ["The value belongs to", "It was predicted as", "Errors"]
    table = Table("Which type is taken for which", columns, cells, texts=2, is_small=True)
    return Section([Text(said, "hint"), *first_rows(table)], "Confused types", "taken") if cells else None


def groups(breakdowns: Mapping[str, Rows]) -> Iterator[Section]:
    """A table for each column of the documents, such as the vendor: the lowest F1 first."""
    found = [(key, rows) for key, rows in breakdowns.items() if key.startswith(tables.BY)]
    columns = {"Entity F1": "entity_f1", "Aligned": "aligned", "Corrections": "corrections"}
    columns |= {"Documents without error": "document_accuracy", "Documents": "documents"}
    for place, (key, each) in enumerate(found, 1):
        column = key.removeprefix(tables.BY)
        rows = sorted(each.items(), key=lambda row: (row[1].figures["entity_f1"], str(row[0])))
        table = table_of_scores("The lowest F1 first", column, columns, rows)
        yield Section(first_rows(table), f"By {column}", f"column-{place}")
