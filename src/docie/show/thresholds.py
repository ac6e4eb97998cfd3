"""Thresholds of confidence as sentences and tables, from the results of `confidence.summary.summarize`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from docie.confidence import Values, at_threshold, shortest_threshold
from docie.confidence.review import best_precision
from docie.core.phrases import counted, verb
from docie.core.scores import rounded
from docie.show.section import Headline, Table, number, texts

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
    yield _sentence_of_risk(results["certified_threshold"], values)
    if without := results["without_confidence"]:
        yield f"{counted(without, 'value')} of {results['values']:,} without a confidence: always auto-accepted."


def _sentence_of_precision(found: Mapping[str, Any], values: Values) -> str:
    asked = f"at most {_asked(1 - found['required_precision'])} of them"
    if found["threshold"] is not None:
        return f"Threshold {_skipping(found, values)} (asked: {asked}, on these documents).{_verified(found)}"
    unseen, correct = best_precision(values)
    return (
        f"No threshold: of the {counted(unseen, 'value')} with the highest confidence, {unseen - correct:,} "
        f"{verb(unseen - correct)} incorrect (asked: {asked}, on these documents)."
    )


def _sentence_of_risk(found: Mapping[str, Any], values: Values) -> str:
    asked = f"at most {_asked(found['risk'])} of a document's values, on average"
    if found["threshold"] is None:
        return f"No certified threshold: {found['reason']} (asked: {asked} over new documents)."
    where = "over new documents like these"
    if "clusters" in found:
        where = f"over the documents of a new cluster like these {found['clusters']:,}"
    return f"Certified threshold {_skipping(found, values)} (asked: {asked} {where}).{_verified(found)}"


def _skipping(found: Mapping[str, Any], values: Values) -> str:
    """What skips review at a threshold."""
    row = at_threshold(values, found["threshold"])
    return (
        f"{_shown(found['threshold'], values)}: {row['unseen']:,} of {counted(row['values'], 'value')} "
        f"{verb(row['unseen'], 'skips', 'skip')} review, {row['incorrect']:,} of them incorrect"
    )


def _verified(found: Mapping[str, Any]) -> str:
    """What skips review on other documents."""
    if not (row := found.get("verification")):
        return ""
    where, mean = "", "on average"
    if "clusters" in row:
        where, mean = f" of {counted(row['clusters'], 'cluster')}", "on average over clusters"
    return (
        f" On the {counted(row['documents'], 'document')}{where} to verify: {row['unseen']:,} of "
        f"{counted(row['values'], 'value')}, {row['incorrect']:,} of them incorrect, {mean} "
        f"{number(row['loss'])} of a document's values."
    )


def _asked(share: float) -> str:
    """A share as it was asked for, in per cent.

    >>> _asked(1 - 0.99), _asked(0.005)
    ('1 %', '0.5 %')
    """
    return f"{100 * share:.6g} %"


def in_short(rows: Mapping[str, Mapping[str, Any]], values: Values) -> Table:
    """The thresholds of entity types, and how many of their values skip review."""
    cells, parts, headings = list[list[str]](), values.by_type(), dict[str, None]()
    for name, row in rows.items():
        cell = [name, *texts([row["values"], row["incorrect"]])]
        for label, key, option in CHOSEN:
            threshold = row[key]["threshold"]
            skipping = 0 if threshold is None else at_threshold(parts[name], threshold)["unseen"]
            cell += [_shown(threshold, parts[name]), str(skipping)]
            headings[f"{label} {row[key][option]:g}"] = None
        cells.append(cell)
    columns = ["entity type", "values", "incorrect", *(each for name in headings for each in (name, "skip review"))]
    return Table("thresholds of each entity type, and how many of its values skip review", columns, cells)


def tables(results: Mapping[str, Any], values: Values) -> Iterator[Table]:
    """The thresholds, what review catches, the calibration and, if it was asked for, the entity types."""
    yield _thresholds(results, values)
    yield budgets(results)
    figures = results["calibration"]
    names = ("mean_confidence", "accuracy", "expected_calibration_error", "brier_score")
    columns = ["values", *(name.replace("_", " ") for name in names), "average precision"]
    row = [figures["values"], *(figures[name] for name in names), results["average_precision"]]
    yield Table("calibration of the values with a confidence", columns, [[*texts(row)]], texts=0)
    if "per_entity" in results:
        yield _by_type(results["per_entity"], values)


def budgets(results: Mapping[str, Any]) -> Table:
    """How many errors review catches, by the share of values that are reviewed."""
    title = (
        f"errors caught, of {results['incorrect']:,} incorrect values, if those with the lowest confidence are reviewed"
    )
    cells = []
    for row in results["errors_caught"]:
        # an average, where not all of equal confidence are reviewed
        caught = rounded(row["errors_caught"], 1, whole=math.inf)
        cells.append([f"{row['budget']:g}", *texts([row["reviewed"], caught, row["share_caught"]])])
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
