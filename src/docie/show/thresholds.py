"""Thresholds of confidence as sentences and tables, from the results of `confidence.summary.summarize`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from docie.confidence import Values, at_threshold, shortest_threshold
from docie.core.phrases import counted
from docie.core.scores import rounded
from docie.show.section import Headline, Table, number, percent, texts

CHOSEN = (
    ("precision", "coverage_at_precision", "required_precision"),
    ("certified, risk", "certified_threshold", "risk"),
)
"""What both thresholds are called in tables, where their results stand, and what was asked for."""


def headlines(results: Mapping[str, Any], values: Values) -> Iterator[Headline]:
    """What skips review at each threshold."""
    for (_, key, option), said in zip(CHOSEN, sentences(results, values), strict=False):
        threshold, required = results[key]["threshold"], f"{option.replace('_', ' ')} {results[key][option]:g}"
        if threshold is None:
            yield Headline(f"Threshold for {required}", "none", "", said)
        else:
            name = f"Share of values that skip review at {_shown(threshold, values)} ({required})"
            yield Headline(name, number(results[key]["coverage"]), "", said)


def sentences(results: Mapping[str, Any], values: Values) -> Iterator[str]:
    """What the thresholds mean: one sentence for each, and what else there is to say."""
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
    if without := results["without_confidence"]:
        yield f"{counted(without, 'value')} of {results['values']:,} without a confidence: always auto-accepted."


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


def tables(results: Mapping[str, Any], values: Values) -> Iterator[Table]:
    """The thresholds, what review catches, the calibration and, if it was asked for, the entity types."""
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
    title = (
        f"errors caught, of {results['incorrect']:,} incorrect values, if those with the lowest confidence are reviewed"
    )
    cells = []
    for row in results["errors_caught"]:
        # an average, where not all of equal confidence are reviewed
        caught = rounded(row["errors_caught"], 1, whole=math.inf)
        cells.append([f"{100 * row['budget']:g} %", *texts([row["reviewed"], caught, row["share_caught"]])])
    return Table(title, ["review", "values", "errors caught", "share caught"], cells)


def _thresholds(results: Mapping[str, Any], values: Values) -> Table:
    """Both thresholds, each on these documents and on those that verify them."""
    counts = [name for name in ("documents", "clusters", "values") if name in results]
    columns = ["required", "threshold", "coverage", "precision", "loss", *counts]
    cells = []
    for name, key, option in CHOSEN:
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
                *texts([row["values"], 1 - row["incorrect"] / row["values"]]),
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
    return "none" if threshold is None else repr(shortest_threshold(values, threshold)).removesuffix(".0")
