"""The errors of a corpus in tables: what to fix first, fields by kinds of errors, types taken for others, groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from docie.core.counts import Counts
from docie.core.results import Row, Rows, read_row
from docie.core.scores import tenths
from docie.metrics import kieval
from docie.metrics.kieval.corrections import ErrorRow
from docie.show import tables
from docie.show.report.fields import KINDS
from docie.show.report.packing import link_to
from docie.show.report.page import first_rows
from docie.show.section import Heat, Section, Share, Table, Text, cut, number

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


def _cell(name: str, value: float) -> str:
    """A share in percent, the score after a repair with four digits, its gain in points, a count as it is."""
    if name == "gain":
        return tenths(100 * value, flags="+")
    if name == "then":
        return number(value)
    return Share(value).text if isinstance(value, float) else f"{value:,}"


def repairs(counts: Counts) -> Section:
    """The effect of repairing all errors of one kind, or of one field: one list, the largest gain first."""
    now, *rows = kieval.repaired(counts)
    if not rows:
        return Section([Text("Nothing: there are no errors.")], "What to fix first", "repairs")
    columns = {"Share of errors": "share", "Gain": "gain", "F1 then": "then", "Errors": "rows"}
    rows.sort(key=lambda row: -row["entity_f1"])
    found, remarks, links = list[tuple[str, Row]](), dict[str, str](), dict[str, str]()
    for row in rows:
        name, is_kind = row["name"], row["repaired"] == "kind"
        shown = " ".join(KINDS[name]) if is_kind else name
        gain = {"share": row["rows"] / now["corrections"], "gain": row["entity_f1"] - now["entity_f1"]}
        found.append((shown, read_row(row | gain | {"then": row["entity_f1"]})))
        remarks[shown] = "all fields" if is_kind else "all kinds of errors"
        links[shown] = link_to(**{"kind" if is_kind else "field": name})
    said = (
        "F1 if all errors of one kind, or of one field, were repaired: arithmetic, no forecast for a model trained "
        "again. An error counts in its kind and in its field, so these gains overlap: they do not add up."
    )
    table = table_of_scores("The largest gain first, in points of F1", "Repair", columns, found)
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
    cells = [[right, predicted, f"{number:,}"] for (right, predicted), number in found]
    columns = ["The value belongs to", "It was predicted as", "Errors"]
    table = Table("Which type is taken for which", columns, cells, texts=2, is_small=True)
    return Section([Text(said, "hint"), *first_rows(table)], "Confused types", "taken") if cells else None


def suspects(surest: Iterable[ErrorRow], shown: Sequence[str | int]) -> Section | None:
    """The errors that the model was surest of, which labels may explain, with links to the documents that are shown."""
    said = (
        "The errors of the highest confidence. Where the model is this sure, the label may be incorrect: look at the "
        "document before you change it. With a second system, docie compare --suspects lists the values on which all "
        "systems agree against the reference."
    )
    places = {name: str(place) for place, name in enumerate(shown)}
    cells, found = list[list[str]](), defaultdict[str, dict[tuple[str, str], None]](dict)
    for row in surest:
        texts = str(row.document), row.entity_type, row.reference or "–", str(row.prediction)
        cells.append([*map(cut, texts), number(row.confidence)])
        found[cells[-1][0]][places.get(row.document, ""), row.entity_type] = None
    links = dict[str, str]()
    for name, errors in found.items():
        (place, field), *others = errors
        if place and all(other == place for other, _ in others):  # names that are cut may be alike
            links[name] = link_to(document=place, **({} if others else {"field": field}))
    columns = ["Document", "Field", "Reference", "Prediction", "Confidence"]
    table = Table("The surest errors", columns, cells, texts=4, links=links)
    return Section([Text(said, "hint"), table], "Suspected labels", "suspects") if cells else None


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
