"""The report of a comparison: which of several systems is better, and where."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, cast

from docie.comparison.comparing import gain_of
from docie.comparison.results import Compared, Comparison, compared
from docie.comparison.verdicts import Standings, amount, disagreement, in_points, name_of, standings_of
from docie.core.phrases import counted, enumerated, verb
from docie.documents.pairs.joining import paired_rows
from docie.metrics import kieval
from docie.metrics.kieval.repairs import analyse
from docie.show import comparisons, plots
from docie.show.report.answers import to_correct
from docie.show.report.packing import link_to
from docie.show.report.page import MOST_ROWS, Fact, Facts, Page, first_rows, making_of, notes_of
from docie.show.section import Answers, Beside, Chart, Details, Heat, Item, Listing, Part, Section, Table, Text, number

MOST_FIELDS = 30
"""The fields that are shown at first; more are folded."""
MOST_DOCUMENTS = 50
"""The documents that are shown: those that move the scores most."""
MOST_NOTES = 3
"""More notes than that are folded."""
FEW_NAMES = 3
"""The systems that the first line names."""
FEW = 10
"""The suspects that are shown at first."""


def comparison_page(
    results: Mapping[str, Any],
    predictions: Mapping[str, Sequence[object]],
    references: Sequence[object],
    settings: kieval.Settings,
    facts: Facts,
    *,
    name_of: Callable[[int], str | int] = lambda number: number,
) -> Page:
    """The report of what `corpus.compare` gives for the predictions of each system.

    The settings say how values are compared where documents are shown; `facts.predictions` stands for all systems, and
    `name_of` gives the name of a document that has no id, from its number.

    >>> from docie import corpus
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> systems = {"careful": references, "hasty": [{}] * 8}
    >>> results = corpus.compare(kieval, systems, references)
    >>> page = comparison_page(results, systems, references, kieval.Settings(), Facts())
    >>> page.sections[0].parts[0].text
    'hasty is worse than careful by 100.0 points of entity F1 (p 0.0078).'
    """
    found = compared(results)
    first, *others = predictions
    named = enumerated(others) if len(others) <= FEW_NAMES else f"{len(others)} systems"
    documents = _documents(found, predictions, references, settings, name_of)
    parts = (
        _verdict(found, facts, name_of),
        _fields(found) if found.get("per_entity") else None,
        _suspects(found, documents, name_of) if "suspects" in found else None,
        _listing(documents),
        _pairs(found),
    )
    size = counted(found["documents"], "document")
    return Page(
        facts.title,
        f"{named} compared with {first}, the baseline: {size}, {facts.date}.",
        [section for section in parts if section],
        _making(found, facts),
        facts.date,
    )


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


def _verdict(results: Compared, facts: Facts, name_of: Callable[[int], str | int]) -> Section:
    """What the tests say, in words; the systems by each score, best first; what a reader should know."""
    notes = notes_of(facts.notes)
    folded = [Details(counted(len(notes), "note"), notes)] if len(notes) > MOST_NOTES else notes
    rankings = [_ranking(standings, results) for standings in standings_of(results)]
    said = (
        "A rank is the range of places that the tests leave to a system. Systems that share a letter are not separated "
        "by any test. This does not say that they are equal."
    )
    first = [*comparisons.gate(results), *comparisons.said_first(results), *comparisons.broken(results, name_of)]
    return Section([*first, *rankings, *folded, Text(said, "hint")], "Verdict", "verdict")


def _ranking(standings: Standings, results: Compared) -> Table:
    """The systems by a score, best first, with their differences to the baseline."""
    score, rows = standings.score, {row["b"]: row for row in standings.rows}
    cells, heat, remarks = list[list[str]](), dict[tuple[int, int], Heat](), {standings.baseline: "baseline"}
    for name, value in standings.values.items():
        rank = " – ".join(map(str, dict.fromkeys(standings.ranks[name])))
        cells.append([name, number(value), f"{rank} ({results['ranks'][score][name]})", "", ""])
        if row := rows.get(name):
            interval = " to ".join(amount(bound, score, results) for bound in row["interval"] or ())
            shown = amount(row["difference"], score, results) + f" ({interval})" * bool(interval)
            cells[-1][3:] = [shown, number(row["p_value_holm"]) + "*" * row["significant"]]
            if row["significant"]:
                heat[len(cells) - 1, 3] = _heat(row, 1, "pairs")
            else:
                remarks[name] = "not separated"
            if note := disagreement(row, results):
                cells.append(["note", note])
    difference = f"Difference to {standings.baseline}" + ", points" * in_points(score, results)
    columns = ["System", name_of(score), "Rank", difference, "p corrected"]
    return Table("Ranks", columns, cells, heat=heat, remarks=remarks)


def _heat(row: Comparison, share: float, link: str) -> Heat:
    return Heat(share, "better" if gain_of(row, row["difference"]) > 0 else "worse", link)


def _fields(results: Compared) -> Section:
    """The entity types in which systems differ, those that move most values first."""
    said = (
        "How far each field is above or below the baseline. Those that move most values come first: the largest "
        "difference times the number of values. ▲ is better; ▼ and hatches are worse; = is the same; a star marks a "
        f"difference that the test finds, corrected for {results['holm']['per_entity'].partition(':')[0]}. "
        "A cell lists the documents below in which any system has errors in the field."
    )
    parts: list[Part] = [Text(said, "hint")]
    types = len({row["entity_type"] for row in results["per_entity"]})
    for standings in standings_of(results):
        table, name = _by_effect(standings, results), name_of(standings.score)
        parts += first_rows(table, "field", "docie compare --by-field lists all", most=MOST_FIELDS)
        alike = types - len(table.rows)
        said = f"{counted(alike, 'field')} {verb(alike, 'has', 'have')} the same {name} in all systems."
        parts += [Text(said, "hint")] if alike else []
    return Section(parts, "Fields", "fields")


def _by_effect(standings: Standings, results: Compared) -> Table:
    """The entity types in which a system differs from the baseline: a heat map."""
    types: dict[str, list[Comparison]] = {}
    for row in results["per_entity"]:
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
            cells[-1].append(amount(row["difference"], row["score"], results) + "*" * row["significant"])
            if row["difference"]:
                # small differences are seen beside large ones: the shade is a square root
                shade = math.sqrt(abs(row["difference"]) / max(largest.values()))
                heat[place, column] = _heat(row, shade, link_to(field=name))
            else:
                cells[-1][-1] = "="
    columns = ["Field", "Values", f"{standings.baseline} (baseline)", *order]
    return Table(f"{name_of(standings.score)} by field", columns, cells, heat=heat)


def _suspects(results: Compared, documents: Mapping[str | int, Item], name_of: Callable[[int], str | int]) -> Section:
    title = "Suspected labels", "suspects"
    said = (
        "Where all systems agree on a value that differs from the reference, the label may be incorrect. Look at the "
        "document before you change it: ⚑ marks the value there."
    )
    table = comparisons.suspects(results)
    if not table.rows:
        return Section([Text("There is none: all systems agree on no value that differs from the reference.")], *title)
    suspected = (each["document"] for each in results["suspects"])
    names = {str(key): str(name_of(key)) for key in suspected if isinstance(key, int)}
    table = table._replace(
        rows=[[names.get(row[0], row[0]), *row[1:]] for row in table.rows],
        links={item.name: link_to(document=str(place)) for place, item in enumerate(documents.values())},
    )
    return Section(
        [Text(said, "hint"), *first_rows(table, "value", "docie compare --suspects lists all", most=FEW)], *title
    )


def _listing(documents: Mapping[str | int, Item]) -> Section:
    said = (
        "Those that move the scores most come first. A document shows every value that a system does not have right, "
        "in the order of the reference. ✓ is as in the reference."
    )
    listing = Listing([*documents.values()], "name or value", is_open=True)
    return Section([Text(said, "hint"), listing], "Documents", "documents")


def _documents(
    results: Compared,
    predictions: Mapping[str, Sequence[object]],
    references: Sequence[object],
    settings: kieval.Settings,
    name_of: Callable[[int], str | int],
) -> dict[str | int, Item]:
    """The documents that are shown, by their ids or numbers: those that move scores most, suspects, then others."""
    changes = [change for row in results["comparisons"] for change in row["changes"]]
    changes.sort(key=lambda change: -abs(change["effect"]))
    moved = dict.fromkeys(change["document"] for change in changes)
    suspected = dict.fromkeys(cast("str | int", each["document"]) for each in results.get("suspects", ()))
    shown: dict[str | int, Item | None] = dict.fromkeys([*islice(moved, MOST_DOCUMENTS), *islice(suspected, FEW)])
    opened = zip(*(paired_rows(rows, references) for rows in predictions.values()), strict=True)
    for place, pairs in enumerate(opened):
        expected, ids = pairs[0][1], [row.id for pair in pairs for row in reversed(pair)]
        key: str | int = next((one for one in ids if one is not None), place)
        if key in shown or len(shown) < MOST_DOCUMENTS:
            answers = [predicted.document for predicted, _ in pairs]
            name = str(name_of(key) if isinstance(key, int) else key)
            shown[key] = _item(name, [*predictions], answers, expected.document, settings)
    return {key: item for key, item in shown.items() if item is not None}


def _item(
    name: str, systems: Sequence[str], answers: Sequence[object], reference: object, settings: kieval.Settings
) -> Item:
    """A document with the answers of all systems, to open."""
    explanations = [kieval.explain(answer, reference, settings) for answer in answers]
    numbers = [*map(to_correct, explanations)]
    errors = {(row.entity_type, row.kind) for answer in answers for row in analyse(answer, reference, settings)[0]}
    summary = " – ".join(map(str, sorted({min(numbers), max(numbers)}))) + " to correct"
    return Item(name, summary, [Answers(systems, explanations)], errors=sorted(errors))


def _pairs(results: Compared) -> Section:
    said = (
        "p is the chance of a difference at least as large if a coin had decided which system gave which answer. "
        "Corrected, it allows for all comparisons; a star marks what is still significant. An interval says where "
        "the true difference probably lies. A difference as large as “smallest to find” would have been found with a "
        "chance of 80 %."
    )
    rows, table, cells = results["comparisons"][:MOST_ROWS], comparisons.differences(results), list[list[str]]()
    for row, shown in zip(rows, table.rows, strict=False):
        cells.append([comparisons.pair_of(row, results), *shown[table.texts :]])
        if said_of_row := disagreement(row, results):
            cells.append(["note", said_of_row])
    rest = len(table.rows) - len(rows)
    more = [Text(f"{counted(rest, 'more comparison')}; docie compare lists all.", "hint")] if rest else []
    table = Table(table.title, ["pair", *table.columns[table.texts :]], cells)
    title = "Differences with their intervals. The table beside it has their numbers."
    chart = Chart(lambda: plots.forest({**results, "comparisons": rows}), title)
    return Section([Text(said, "hint"), Beside((chart, table)), *more], "All pairs", "pairs")
