"""The report of a comparison: which of several systems is better, where, and in which values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from docie.comparison.comparing import gain_of
from docie.comparison.results import Compared, Comparison, Difference
from docie.comparison.verdicts import Standings, amount, disagreement, in_points, name_of, standings_of
from docie.core.phrases import counted, enumerated, verb
from docie.show import comparisons
from docie.show.page.comparison.shown import Collection, Found, Shown
from docie.show.page.data import link_to
from docie.show.page.page import first_rows, with_bars
from docie.show.result import Fact, Facts, Page, making_of, notes_of
from docie.show.section import Details, Documents, Heat, Part, Section, Share, Table, Text, cut, number

MOST_FIELDS = 30
"""The fields that are shown at first; more are folded."""
MOST_NOTES = 3
"""More notes than that are folded."""
FEW = 10
"""The suspects that are shown at first."""
FEW_NAMES = 3
"""The systems that the first line names."""
MOST_WORST = 20
"""The documents that readers without scripts see."""


def comparison_page(results: Compared, shown: Shown, facts: Facts) -> Page:
    """The report of what `corpus.compare` gives, with `differences` or `breakdown`, and of the documents that it read.

    `facts.predictions` stands for all systems.
    """
    first, *others = shown.systems
    said = enumerated(others) if len(others) <= FEW_NAMES else f"{len(others)} systems"
    found = shown.collected(_moved(results))
    documents = found.documents()
    parts = (
        _verdict(results, found, facts),
        _fields(results) if _by_type(results) else None,
        _suspects(found, documents),
        _pairs(results),
        _documents(shown, found, documents, has_runs="runs" in results),
    )
    lead = f"{said} compared with {first}, the baseline: {counted(results['documents'], 'document')}, {facts.date}."
    return Page(facts.title, lead, [section for section in parts if section], _making(results, facts), facts.date)


def _moved(results: Compared) -> list[str | int]:
    """The documents that move the scores most, by their ids or numbers."""
    changes = [change for row in results["comparisons"] for change in row["changes"]]
    changes.sort(key=lambda change: -abs(change["effect"]))
    return [*dict.fromkeys(change["document"] for change in changes)]


def _making(results: Compared, facts: Facts) -> list[Fact]:
    size = f"{results['documents']:,}" + (f", joined by {facts.joined_by}" if facts.joined_by else "")
    if results["units"] != results["documents"]:
        size += f"; {counted(results['units'], 'cluster')}, each swapped as a whole"
    holm = results["holm"]
    by_type = f"; those by entity type over {holm['per_entity']}" if "per_entity" in holm else ""
    test = (
        "Approximate randomisation over documents, two-sided. p-values are corrected by Holm's method over "
        f"{holm['comparisons']}{by_type}."
    )
    own = Fact("Documents", size), Fact("Test", test), Fact("Signature", results["signature"], is_code=True)
    return making_of(facts, *own, said="Documents are shown as KIEval matches their values. ")


def _verdict(results: Compared, found: Collection, facts: Facts) -> Section:
    """What the tests say, in words; the systems by each score, best first; what a reader should know."""
    broken, notes = [*comparisons.broken(results)], notes_of(facts.notes)
    said = (
        "A rank is the range of places that the tests leave to a system. Systems that share a letter are not separated "
        "by any test. This does not say that they are equal. A worse value is correct in the baseline and not in the "
        "system, a better one the other way round; the numbers lead to these values."
    )
    parts: list[Part] = [*comparisons.gate(results), *comparisons.said_first(results)]
    parts += _folded(broken, f"Documents of {len(broken)} systems broke")
    parts += [_ranking(standings, found, results) for standings in standings_of(results)]
    parts += _folded(notes, counted(len(notes), "note"))
    return Section([*parts, Text(said, "hint")], "Verdict", "verdict")


def _folded(notes: Sequence[Part], title: str) -> Sequence[Part]:
    return [Details(title, notes)] if len(notes) > MOST_NOTES else notes


def _ranking(standings: Standings, found: Collection, results: Compared) -> Table:
    """The systems by a score, best first, with their differences to the baseline."""
    score, rows = standings.score, {row["b"]: row for row in standings.rows}
    cells, bars, remarks = list[list[str]](), list[Share | None](), {standings.baseline: "baseline"}
    heat, systems = dict[tuple[int, int], Heat](), [*results["systems"]]
    for name, value in standings.values.items():
        rank = " – ".join(map(str, dict.fromkeys(standings.ranks[name])))
        cells.append([name, number(value), f"{rank} ({results['ranks'][score][name]})", "", "", "", ""])
        bars.append(None)
        if row := rows.get(name):
            interval = " to ".join(amount(bound, score, results) for bound in row["interval"] or ())
            shown = amount(row["difference"], score, results) + f" ({interval})" * bool(interval)
            changed = [numbers[systems.index(name)] for numbers in (found.worse, found.better)]
            cells[-1][3:] = [shown, number(row["p_value_holm"]) + "*" * row["significant"]]
            cells[-1] += [f"{values:,}" for values in changed]
            for column, (kind, values) in enumerate(zip(("worse", "better"), changed, strict=True), 5):
                if values:
                    heat[len(cells) - 1, column] = Heat(0, "", link_to(system=name, kind=kind))
            bars[-1] = _bar(row)
            if not row["significant"]:
                remarks[name] = "not separated"
            if note := disagreement(row, results):
                cells.append(["note", note])
                bars.append(None)
    difference = f"Difference to {standings.baseline}" + ", points" * in_points(score, results)
    columns = ["System", name_of(score), "Rank", difference, "p corrected", "Worse values", "Better values"]
    return with_bars(Table("Ranks", columns, cells, heat=heat, remarks=remarks), bars, 3)


def _bar(row: Comparison) -> Share:
    return Share(row["difference"], *(row["interval"] or ()))


def _by_type(results: Compared) -> Sequence[Difference]:
    """The differences by entity type: with tests, if these were asked for."""
    return results.get("per_entity") or results.get("differences") or ()


def _is_significant(row: Difference) -> bool:
    return bool(cast(Mapping[str, object], row).get("significant"))


def _fields(results: Compared) -> Section:
    """The entity types in which systems differ, those that move most values first."""
    tested = results["holm"].get("per_entity", "").partition(":")[0]
    star = f"; a star marks a difference that the test finds, corrected for {tested}" if tested else ""
    untested = "" if tested else "These differences are not tested; docie compare --by-field tests them. "
    said = (
        "How far each field is above or below the baseline. Those that move most values come first: the largest "
        f"difference times the number of values. ▲ is better; ▼ and hatches are worse; = is the same{star}. {untested}"
        "A cell leads to the errors of its system in its field."
    )
    parts: list[Part] = [Text(said, "hint")]
    types = len({row["entity_type"] for row in _by_type(results)})
    for standings in standings_of(results):
        table, name = _by_effect(standings, results), name_of(standings.score)
        parts += first_rows(table, "field", "docie compare --by-field lists all", most=MOST_FIELDS)
        alike = types - len(table.rows)
        said = f"{counted(alike, 'field')} {verb(alike, 'has', 'have')} the same {name} in all systems."
        parts += [Text(said, "hint")] if alike else []
    return Section(parts, "Fields", "fields")


def _by_effect(standings: Standings, results: Compared) -> Table:
    """The entity types in which a system differs from the baseline: a heat map."""
    types: dict[str, list[Difference]] = {}
    for row in _by_type(results):
        if (row["a"], row["score"]) == (standings.baseline, standings.score):
            types.setdefault(row["entity_type"], []).append(row)
    largest = {name: max(abs(row["difference"]) for row in rows) for name, rows in types.items()}
    shown = [name for name in types if largest[name]]
    shown.sort(key=lambda name: -largest[name] * types[name][0]["support"])
    cells, heat = list[list[str]](), dict[tuple[int, int], Heat]()
    order = [row["b"] for row in standings.rows]
    for place, name in enumerate(shown):
        rows = sorted(types[name], key=lambda row: order.index(row["b"]))
        cells.append([name, f"{rows[0]['support']:,}", number(rows[0]["value_a"])])
        for column, row in enumerate(rows, 3):
            cells[-1].append(amount(row["difference"], row["score"], results) + "*" * _is_significant(row))
            if row["difference"]:
                # small differences are seen beside large ones: the shade is a square root
                shade = math.sqrt(abs(row["difference"]) / max(largest.values()))
                tone = "better" if gain_of(row, row["difference"]) > 0 else "worse"
                heat[place, column] = Heat(shade, tone, link_to(field=name, system=row["b"], kind="error"))
            else:
                cells[-1][-1] = "="
    columns = ["Field", "Values", f"{standings.baseline} (baseline)", *order]
    return Table(f"{name_of(standings.score)} by field", columns, cells, heat=heat)


def _suspects(found: Collection, documents: Mapping[str, Found]) -> Section:
    """The values on which all systems agree against the reference; each leads to its place, if it is shown."""
    title = "Suspected labels", "suspects"
    said = (
        "Where all systems agree on a value that differs from the reference, the label may be incorrect. Look at the "
        "document before you change it: each name leads to its value there, which ⚑ marks."
    )
    cells = [
        [str(each.document), each.field, "–" if each.reference is None else cut(each.reference), cut(each.agreed)]
        for each in found.suspects
    ]
    if not cells:
        return Section([Text("There is none: all systems agree on no value that differs from the reference.")], *title)
    names = {each.minus_number: name for name, each in documents.items()}
    links = {
        place: link_to(document=names[each.minus_number], value=str(each.value))
        for place, each in enumerate(found.suspects)
        if each.minus_number in names
    }
    table = Table("", ["Document", "Field", "Reference", "All systems"], cells, texts=4, links=links)
    return Section(
        [Text(said, "hint"), *first_rows(table, "value", "docie compare --suspects lists all", most=FEW)], *title
    )


def _pairs(results: Compared) -> Section:
    said = (
        "p is the chance of a difference at least as large if a coin had decided which system gave which answer. "
        "Corrected, it allows for all comparisons; a star marks what is still significant. An interval says where "
        "the true difference probably lies. A difference as large as “smallest to find” would have been found with a "
        "chance of 80 %."
    )
    parts: list[Part] = [Text(said, "hint")]
    for table in _differences(results):
        parts += first_rows(table, "comparison", "docie compare lists all")
    return Section(parts, "All pairs", "pairs")


def _differences(results: Compared) -> Iterator[Table]:
    """All pairs by each score, with bars for the differences and their intervals."""
    table = comparisons.differences(results)
    for score in results["ranks"]:
        cells, bars = list[list[str]](), list[Share | None]()
        for row, shown in zip(results["comparisons"], table.rows, strict=True):
            if row["score"] != score:
                continue
            cells.append([comparisons.pair_of(row, results), *shown[table.texts :]])
            bars.append(_bar(row))
            if said := disagreement(row, results):
                cells.append(["note", said])
                bars.append(None)
        yield with_bars(Table(table.title, ["pair", *table.columns[table.texts :]], cells), bars, 1)


def _documents(shown: Shown, found: Collection, documents: Mapping[str, Found], *, has_runs: bool) -> Section:
    """The documents with the answers of all systems: of several runs, of the first."""
    left = found.number - len(documents)
    said = (
        "Those that move the scores most come first, then those with the most corrections in any system"
        f"{f'; {left:,} more are not shown' if left else ''}. A value has the answers of all systems beside it, "
        f"and ✓ is as in the reference.{' Of several runs, it is the answer of the first.' * has_runs}"
    )
    rows = [[name, *(f"{number:,}" for number in each.corrections)] for name, each in documents.items()][:MOST_WORST]
    links = {place: link_to(document=name) for place, (name, *_) in enumerate(rows)}
    worst = Table("Corrections by system", ["Document", *shown.systems], rows, is_small=True, links=links)
    texts = [each.text(name) for name, each in documents.items()]
    listed = Documents(texts, worst, systems=shown.systems, columns=found.columns.names)
    return Section([Text(said, "hint"), listed], "Documents", "documents")
