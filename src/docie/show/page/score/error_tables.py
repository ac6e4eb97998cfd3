"""The errors of a corpus in tables: what to fix first, fields by kinds of errors, groups."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from docie.core.counts import Counts
from docie.core.phrases import counted, verb
from docie.core.results import Row, Rows, read_row
from docie.core.scores import rounded, tenths
from docie.diagnosis.patterns import Pattern
from docie.metrics import kieval
from docie.metrics.kieval.absent import types_to
from docie.metrics.kieval.pairs import OPERATIONS
from docie.metrics.kieval.repairs import Failed, order_of_repairs
from docie.show import tables
from docie.show.page.data import KINDS, link_to
from docie.show.page.page import first_rows
from docie.show.section import Heat, Part, Section, Share, Table, Text, number

MOST_REPAIRS = 8
"""The repairs that the list shows at first."""
MOST_FIELDS = 30
"""The fields that are shown at first."""
ORDER = ("value", "missing", "spurious", "format", "group", "type", "duplicate", "place")
"""The kinds of errors, as columns stand."""
ALWAYS = ORDER[:4]
"""Those that have a column even if there are none."""


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
    cells = [[each.text, each.example, f"{each.errors:,}", f"{each.documents:,}"] for each in found]
    heat = {(row, 2): Heat(0, "", link_to(pattern=str(row))) for row in range(len(found))}
    links = {row: link_to(pattern=str(row)) for row in range(len(found))}
    table = Table("Patterns of errors", ["Pattern", "Such as", "Errors", "Documents"], cells, 2, links=links, heat=heat)
    return Section([Text(said, "hint"), table], "Patterns", "patterns")


def failed(counts: Counts, patterns: Sequence[Pattern]) -> Iterator[Text]:
    """The answers that failed as a whole, unreadable or empty, and those that end early, with what leads to them."""
    found = counts.total("failed", Failed)
    empty = found.answers - found.unreadable
    said = [
        (found.unreadable, f"{counted(found.unreadable, 'answer')} could not be read.", link_to(failed="unreadable")),
        (empty, f"{counted(empty, 'answer')} {verb(empty, 'has', 'have')} no value.", link_to(failed="empty")),
    ]
    yield from (Text(text, "note", "Failed as a whole:", link) for number_of, text, link in said if number_of)
    for at, each in enumerate(patterns):
        if each.pattern == "cut":
            yield Text(f"{each.text}.", "note", "Cut off, perhaps:", link_to(pattern=str(at)))


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
        links[place] = link_to(kind=name) if is_kind else link_to(field=name, kind="error")
    said = (
        f"{effect.score} if all errors of one kind, or of one field, were repaired: arithmetic, no forecast for a "
        "model trained again. An error counts in its kind and in its field, so these gains overlap: they do not add up."
    )
    columns = {"Share of errors": "share", **effect.columns, "Errors": "rows"}
    table = table_of_scores(f"The largest gain first, in {effect.unit}", "Repair", columns, found)
    table = table._replace(costs=True, remarks=remarks, links=links)
    rows_of = first_rows(table, "repair", "docie errors --format json lists all", most=MOST_REPAIRS)
    return Section([*rows_of, Text(said, "hint")], "What to fix first", "repairs")


def fields(
    breakdowns: Mapping[str, Rows], counts: Counts, in_documents: Mapping[str, int], level: str, *, shows_all: bool
) -> Section:
    """The fields by kinds of errors, the most errors first; invented values; the group types by name."""
    errors = counts_of_errors(counts)
    said = (
        "The most errors come first. A number leads to its values below; the last column says in how many documents "
        "the errors of a field are. “Values” are those of the references."
    )
    if level:
        said += " A field in very few documents has no interval."
    totals = Counter[str]()
    for (name, _), number_of in errors.items():
        totals[name] += number_of
    rows = sorted(breakdowns["per_entity"].items(), key=lambda row: (-totals[row[0]], row[0]))
    table = _by_kind(rows, errors, in_documents)
    parts = [Text(said, "hint"), *first_rows(table, "field", "docie score --by-field lists all", most=MOST_FIELDS)]
    parts += _invented(breakdowns.get("per_absent_field", {}), counts, shows_all=shows_all)
    if groups := breakdowns["per_group"]:
        columns = {"F1 of whole groups": "group_f1", "F1 of values in them": "entity_f1", "Groups": "support"}
        parts.append(table_of_scores("By type of group", "Group", columns, groups.items())._replace(is_small=True))
    return Section(parts, "Fields", "fields")


def _invented(rows: Rows, counts: Counts, *, shows_all: bool) -> list[Part]:
    """The fields with values where the reference has none, those with the most first.

    If the page shows all documents, a field leads to its spurious values where these are all of its deleted ones, and
    as many as were invented: only then are they the same.
    """
    deleted, spurious = Counter[str](), Counter[str]()
    for key, numbers in counts.rows.items():
        if key[0] == "errors":
            name, number_of = str(key[3]), int(numbers[OPERATIONS.index("deletion")])
            spurious[name] += number_of * (key[1] == "spurious")
            deleted.update(dict.fromkeys((name, *types_to(name)), number_of))
    found = [each for each in rows.items() if each[1].figures["false_alarms"]]
    found.sort(key=lambda each: (-each[1].figures["false_alarms"], each[0]))
    links = {
        place: link_to(field=name, kind="spurious")
        for place, (name, row) in enumerate(found)
        if shows_all and row.figures["false_alarms"] == deleted[name] == spurious[name]
    }
    columns = {"Left out": "absent_accuracy", "Absent values": "support", "Invented": "false_alarms"}
    table = table_of_scores("Invented values", "Field", columns, found)._replace(is_small=True, links=links)
    return first_rows(table, "field", "docie score --by-field lists all") if found else []


def counts_of_errors(counts: Counts) -> Counter[tuple[str, str]]:
    """From (entity type, kind) to the number of errors."""
    found = Counter[tuple[str, str]]()
    for key, numbers in counts.rows.items():
        if key[0] == "errors":
            found[str(key[3]), str(key[1])] += int(sum(numbers))
        elif key[0] == "misplaced":
            found[str(key[1]), "place"] += int(sum(numbers))
    return found


def _by_kind(
    rows: Sequence[tuple[str, Row]], errors: Mapping[tuple[str, str], int], in_documents: Mapping[str, int]
) -> Table:
    """A row for each field: F1, and the numbers of its values by kind, each of which leads to these: a heat map."""
    kinds = [kind for kind in ORDER if kind in ALWAYS or any(kind == found for _, found in errors)]
    most = max(errors.values(), default=1)
    bars = [share_of(row, "entity_f1") for _, row in rows]
    cells, heat = list[list[str]](), dict[tuple[int, int], Heat]()
    for place, (name, row) in enumerate(rows):
        numbers = {"": int(row.figures["support"]), "correct": int(row.figures["true_positives"])}
        numbers |= {kind: errors.get((name, kind), 0) for kind in kinds}
        numbers |= {"error": in_documents.get(name, 0)}
        cells.append([name, bars[place].text, *(f"{each:,}" if each else "" for each in numbers.values())])
        for column, (kind, each) in enumerate(numbers.items(), 2):
            if kind and each:
                shade = each / most if kind in kinds else 0.0
                heat[place, column] = Heat(shade, kind, link_to(field=name, kind=kind))
    columns = ["Field", "F1", "Values", "Correct", *(" ".join(KINDS[kind]) for kind in kinds), "Documents with errors"]
    links = {place: link_to(field=name) for place, (name, _) in enumerate(rows)}
    return Table("Values by field and kind", columns, cells, texts=2, bars=bars, heat=heat, links=links)


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
