"""The results of `confidence.summarize` as sentences and tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from docie.core.phrases import counted
from docie.core.scores import rounded
from docie.show import tables
from docie.show.section import HINT, Headline, Headlines, Section, Table, Text, number, percent, texts

if TYPE_CHECKING:
    from docie.confidence import Values
    from docie.show.report.page import Facts


def sections(results: Mapping[str, Any], values: Values, *, joined_by: str) -> Iterator[Section]:
    """The results of `confidence.summarize` for these values."""
    line = Text(tables.facts(results, joined_by=joined_by), HINT)
    yield Section([*map(Text, _sentences(results, values)), *_tables(results, values), line])


def report(results: Mapping[str, Any], values: Values, facts: Facts) -> str:
    """The report: what skips review at the thresholds, a slider through all thresholds, curves, and tables."""
    from docie.show.report.page import Fact, Page, making_of, notes_of, render
    from docie.show.report.score.thresholds import charts, slider

    precise, certified, *others = _sentences(results, values)
    found = (("coverage_at_precision", "required_precision", precise), ("certified_threshold", "risk", certified))
    shares, chosen = [], None  # the slider begins with the first threshold that there is
    for key, option, said in found:
        threshold, required = results[key]["threshold"], f"{option.replace('_', ' ')} {results[key][option]:g}"
        share, name = "none", f"Threshold for {required}"
        if threshold is not None:
            share = number(results[key]["coverage"])
            name = f"Share of values that skip review at {_shown(threshold, values)} ({required})"
            chosen = threshold if chosen is None else chosen
        shares.append(Headline(name, share, "", said))
    moved = (
        "A value with a confidence below the threshold is reviewed. Move the threshold to see what skips review, what "
        "review costs, and what it catches. Values without a confidence always skip review."
    )
    sections = [
        Section([Headlines(shares), *map(Text, others), *notes_of(facts.notes)], "Overview", "overview"),
        Section([Text(moved, HINT), slider(values, chosen), *charts(values)], "Review by confidence", "automation"),
        Section([*_tables(results, values)], "Thresholds", "thresholds"),
    ]
    making = making_of(facts, Fact("Signature", results["signature"], is_code=True))
    lead = facts.lead(counted(values.documents, "document"))
    return render(Page(f"Thresholds for {facts.title}", lead, sections, making, facts.date))


def _sentences(results: Mapping[str, Any], values: Values) -> Iterator[str]:
    """What the thresholds mean."""
    yield _sentence_of_precision(results["coverage_at_precision"], values)
    certified = results["certified_threshold"]
    yield _sentence_of_risk(certified, values)
    if verification := certified.get("verification"):
        documents = counted(verification["documents"], "document")
        where = f" of {counted(verification['clusters'], 'cluster')}" if "clusters" in verification else ""
        yield (
            f"On the {documents}{where} to verify, {percent(verification['coverage'])} % of values skip review; "
            f"on average{' over clusters' * bool(where)} {percent(verification['loss'])} % of a document's values are "
            "incorrect and skip review."
        )
    if number := results["without_confidence"]:
        yield f"{counted(number, 'value')} of {results['values']:,} without a confidence: always auto-accepted."


def _sentence_of_precision(found: Mapping[str, Any], values: Values) -> str:
    required = f"{100 * found['required_precision']:g} %"
    if found["threshold"] is None:
        return f"At no threshold are {required} of the values that skip review correct on these documents."
    end = f"are correct on these documents (required: {required})."
    if found["threshold"] == 0:
        return f"Without any review, {percent(found['precision'])} % of values {end}"
    share = f"At {_shown(found['threshold'], values)}, {percent(found['coverage'])} % of values skip review"
    return f"{share}, and {percent(found['precision'])} % of them {end}"


def _sentence_of_risk(found: Mapping[str, Any], values: Values) -> str:
    if found["threshold"] is None:
        return f"No threshold is certified: {found['reason']}."
    share = f"at {_shown(found['threshold'], values)}, {percent(found['coverage'])} % of values skip review"
    where = "on new documents like these"
    if "clusters" in found:
        where = f"on average over the documents of a new cluster like these {found['clusters']:,}"
    return (
        f"Certified: {share if found['threshold'] else 'all values skip review'}; {where}, "
        f"at most {100 * found['risk']:g} % of a document's values are expected to be incorrect and skip review."
    )


def _tables(results: Mapping[str, Any], values: Values) -> Iterator[Table]:
    yield _thresholds(results, values)
    yield _budgets(results)
    figures = results["calibration"]
    names = ("mean_confidence", "accuracy", "expected_calibration_error", "brier_score")
    columns = ["values", *(name.replace("_", " ") for name in names), "average precision"]
    row = [figures["values"], *(figures[name] for name in names), results["average_precision"]]
    yield Table("calibration of the values with a confidence", columns, [[*texts(row)]], texts=0)
    if "per_entity" in results:
        yield _by_type(results["per_entity"], values)


def _budgets(results: Mapping[str, Any]) -> Table:
    title = f"errors caught, of {results['wrong']:,} incorrect values, if those with the lowest confidence are reviewed"
    cells = []
    for row in results["errors_caught"]:
        # an average, where not all of equal confidence are reviewed
        caught = rounded(row["errors_caught"], 1, whole=math.inf)
        cells.append([f"{100 * row['budget']:g} %", *texts([row["reviewed"], caught, row["share_caught"]])])
    return Table(title, ["review", "values", "errors caught", "share caught"], cells)


def _thresholds(results: Mapping[str, Any], values: Values) -> Table:
    """Both thresholds, each on these documents and on those of `--verify`."""
    from docie.confidence import at_threshold

    counts = [name for name in ("documents", "clusters", "values") if name in results]
    columns = ["required", "threshold", "coverage", "precision", "loss", *counts]
    cells = []
    for name, key, option in (
        ("precision", "coverage_at_precision", "required_precision"),
        ("certified, risk", "certified_threshold", "risk"),
    ):
        found = results[key]
        threshold, label = found["threshold"], f"{name} {found[option]:g}"
        if threshold is None:
            cells.append([label, "none", *[""] * len(columns[2:])])
            continue
        for where, row in (("", at_threshold(values, threshold)), (", verified", found.get("verification"))):
            if row is not None:
                figures = [row[each] for each in columns[2:]]
                cells.append([f"{label}{where}", _shown(threshold, values), *texts(figures)])
    return Table("values that skip review", columns, cells)


def _by_type(rows: Mapping[str, Mapping[str, Any]], values: Values) -> Table:
    cells = []
    parts = values.by_type()
    for name, row in rows.items():
        at_precision, certified, part = row["coverage_at_precision"], row["certified_threshold"], parts[name]
        cells.append(
            [
                name,
                *texts([row["values"], 1 - row["wrong"] / row["values"]]),
                *(_shown(at_precision["threshold"], part), *texts([at_precision["coverage"]])),
                *(_shown(certified["threshold"], part), *texts([certified["coverage"]])),
                *texts([row["average_precision"], row["calibration"]["expected_calibration_error"]]),
            ]
        )
    columns = ["entity type", "values", "correct", "threshold at precision", "coverage", "certified threshold"]
    columns += ["coverage", "average precision", "calibration error"]
    return Table("by entity type, each with its own thresholds", columns, cells)


def _shown(threshold: float | None, values: Values) -> str:
    """A threshold with as few digits as accept the same values."""
    from docie.confidence import shortest_threshold

    return "none" if threshold is None else repr(shortest_threshold(values, threshold)).removesuffix(".0")
