"""The report of a comparison: which of several systems is better, and where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, cast

from docie.comparison.comparing import gain_of
from docie.comparison.results import Compared, Difference
from docie.comparison.verdicts import Standings, amount, disagreement, in_points, name_of, standings_of
from docie.core.phrases import counted, enumerated, verb
from docie.diagnosis.suspect_labels import Suspect
from docie.inputs.join import paired
from docie.metrics import kieval
from docie.metrics.kieval.options import kieval_settings
from docie.show import comparisons, plots
from docie.show.comparisons import Shown
from docie.show.report.all_systems import line_of, lines_of, to_correct
from docie.show.report.packing import link_to, suspect_anchor, suspect_links
from docie.show.report.page import MOST_ROWS, first_rows
from docie.show.result import Fact, Facts, Page, making_of, notes_of
from docie.show.section import Answers, Beside, Chart, Details, Heat, Item, Listing, Part, Section, Table, Text, number

MOST_FIELDS = 30
"""The fields that are shown at first; more are folded."""
MOST_NOTES = 3
"""More notes than that are folded."""
FEW = 10
"""The suspects that are shown at first."""
FEW_NAMES = 3
"""The systems that the first line names."""


def comparison_page(results: Compared, shown: Shown, facts: Facts) -> Page:
    """The report of what `corpus.compare` gives; `facts.predictions` stands for all systems.

    >>> from docie import corpus
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> systems = {"careful": references, "hasty": [{}] * 8}
    >>> results = corpus.compare(kieval, systems, references)
    >>> page = comparison_page(results, Shown(systems, references, None, 8), Facts())
    >>> page.sections[0].parts[0].text
    'hasty is worse than careful: entity_f1 0.0000 against 1.0000, difference -1.0000, p 0.0078.'
    """
    first, *others = shown.predictions
    named = enumerated(others) if len(others) <= FEW_NAMES else f"{len(others)} systems"
    documents = _documents(results, shown)
    parts = (
        _verdict(results, facts),
        _fields(results) if _by_type(results) else None,
        _suspects(results, documents) if "suspects" in results else None,
        _listing(documents),
        _pairs(results),
    )
    size = counted(results["documents"], "document")
    return Page(
        facts.title,
        f"{named} compared with {first}, the baseline: {size}, {facts.date}.",
        [section for section in parts if section],
        _making(results, facts),
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


def _verdict(results: Compared, facts: Facts) -> Section:
    """What the tests say, in words; the systems by each score, best first; what a reader should know."""
    notes = notes_of(facts.notes)
    folded = [Details(counted(len(notes), "note"), notes)] if len(notes) > MOST_NOTES else notes
    rankings = [_ranking(standings, results) for standings in standings_of(results)]
    said = (
        "A rank is the range of places that the tests leave to a system. Systems that share a letter are not separated "
        "by any test. This does not say that they are equal."
    )
    first = [*comparisons.gate(results), *comparisons.said_first(results), *comparisons.broken(results)]
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


def _by_type(results: Compared) -> Sequence[Difference]:
    """The differences by entity type: with tests, if these were asked for."""
    return results.get("per_entity") or results.get("differences") or ()


def _is_significant(row: Difference) -> bool:
    return bool(cast(Mapping[str, object], row).get("significant"))


def _heat(row: Difference, share: float, link: str) -> Heat:
    return Heat(share, "better" if gain_of(row, row["difference"]) > 0 else "worse", link)


def _fields(results: Compared) -> Section:
    """The entity types in which systems differ, those that move most values first."""
    tested = results["holm"].get("per_entity", "").partition(":")[0]
    star = f"; a star marks a difference that the test finds, corrected for {tested}" if tested else ""
    untested = "" if tested else "These differences are not tested; docie compare --by-field tests them. "
    said = (
        "How far each field is above or below the baseline. Those that move most values come first: the largest "
        f"difference times the number of values. ▲ is better; ▼ and hatches are worse; = is the same{star}. {untested}"
        "A cell lists the documents below in which any system has errors in the field, and these values of them."
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
                heat[place, column] = _heat(row, shade, link_to(field=name))
            else:
                cells[-1][-1] = "="
    columns = ["Field", "Values", f"{standings.baseline} (baseline)", *order]
    return Table(f"{name_of(standings.score)} by field", columns, cells, heat=heat)


def _suspects(results: Compared, documents: Mapping[str | int, Item]) -> Section:
    """The suspects of a comparison; each leads to its line in the documents that are shown."""
    title = "Suspected labels", "suspects"
    said = (
        "Where all systems agree on a value that differs from the reference, the label may be incorrect. Look at the "
        "document before you change it: each name leads to its value there, which ⚑ marks."
    )
    table = comparisons.suspects(results)
    if not table.rows:
        return Section([Text("There is none: all systems agree on no value that differs from the reference.")], *title)
    places = {key: place for place, key in enumerate(documents)}
    anchors = [anchor for item in documents.values() for anchor in _answers_of(item).anchors.values()]
    of_rows = [places.get(cast("str | int", each["document"])) for each in results["suspects"][: len(table.rows)]]
    table = table._replace(links=suspect_links(of_rows, anchors))
    return Section(
        [Text(said, "hint"), *first_rows(table, "value", "docie compare --suspects lists all", most=FEW)], *title
    )


def _suspects_of(results: Compared) -> dict[str | int, dict[int, Suspect]]:
    """The suspects that a page lists, with their numbers, by document."""
    found: dict[str | int, dict[int, Suspect]] = {}
    for place, each in enumerate(results.get("suspects", ())[: comparisons.SUSPECTS_SHOWN]):
        suspect = Suspect(**cast(Any, each))
        found.setdefault(suspect.document, {})[place] = suspect
    return found


def _anchored(item: Item, place: int, suspects: Mapping[int, Suspect]) -> Item:
    """A document with the answers of systems, whose lines with suspects bear names; `place` is its own in the list."""
    answers, taken = _answers_of(item), dict[int, str]()
    lines = lines_of(answers.explanations) if suspects else []
    for each, suspect in suspects.items():
        line = line_of(suspect, lines, {*taken})
        if line is not None:
            taken[line] = suspect_anchor(place, each)
    return item._replace(parts=[answers._replace(anchors=taken)])


def _answers_of(item: Item) -> Answers:
    return cast(Answers, item.parts[0])


def _listing(documents: Mapping[str | int, Item]) -> Section:
    said = (
        "Those that move the scores most come first. A document shows every value that is not correct in all systems, "
        "in the order of the reference. ✓ is as in the reference."
    )
    listing = Listing([*documents.values()], "name or value", is_open=True)
    return Section([Text(said, "hint"), listing], "Documents", "documents")


def _documents(results: Compared, shown: Shown) -> dict[str | int, Item]:
    """The documents that are shown, by their ids or numbers: those that move scores most, suspects, then others."""
    changes = [change for row in results["comparisons"] for change in row["changes"]]
    changes.sort(key=lambda change: -abs(change["effect"]))
    moved = dict.fromkeys(change["document"] for change in changes)
    suspects, settings = _suspects_of(results), kieval_settings(shown.settings)
    found: dict[str | int, Item | None] = dict.fromkeys([*islice(moved, shown.most), *suspects])
    opened = zip(*(paired(rows, shown.references) for rows in shown.predictions.values()), strict=True)
    for place, pairs in enumerate(opened):
        expected, ids = pairs[0][1], [row.id for pair in pairs for row in reversed(pair)]
        key: str | int = next((one for one in ids if one is not None), place)
        if key in found or len(found) < shown.most:
            answers = [predicted.document for predicted, _ in pairs]
            found[key] = _item(str(key), [*shown.predictions], answers, expected.document, settings)
    items = {key: item for key, item in found.items() if item is not None}
    return {key: _anchored(item, place, suspects.get(key, {})) for place, (key, item) in enumerate(items.items())}


def _item(
    name: str, systems: Sequence[str], answers: Sequence[object], reference: object, settings: kieval.Settings
) -> Item:
    """A document with the answers of all systems, to open."""
    explanations = [kieval.explain(answer, reference, settings) for answer in answers]
    numbers = [*map(to_correct, explanations)]
    errors = {
        (row.entity_type, row.kind) for answer in answers for row in kieval.error_rows(answer, reference, settings)
    }
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
