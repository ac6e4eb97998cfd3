"""Thresholds of confidence as sentences and tables, from the results of `confidence.summary.summarize`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from docie.confidence import Values, at_threshold, shortest_threshold
from docie.confidence.review import best_precision
from docie.confidence.summary import chosen_threshold
from docie.core.phrases import counted, verb
from docie.core.scores import rounded
from docie.show.section import Headline, Share, Table, brief, number, texts

CHOSEN = (
    ("precision", "coverage_at_precision", "required_precision"),
    ("certified, risk", "certified_threshold", "risk"),
    ("certified, risk of those that skip", "certified_precision", "risk"),
)
"""What thresholds are called in tables, where their results stand, and what was asked for."""
MOVED = {
    "value": "A value with a confidence below the threshold is reviewed. Move the threshold to see what skips review, "
    "what review costs, and what it catches. Values without a confidence always skip review.",
    "document": "A document skips review if all of its values have a confidence at or above the threshold. Move the "
    "threshold to see how many do, and how many of these have an error. A document without values, or with a value "
    "without a confidence, is always reviewed.",
}
"""What a slider shows."""


def chosen(results: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Those of `CHOSEN` that results have; of whole documents, certified ones first."""
    found = [each for each in CHOSEN if each[1] in results]
    return found if results["unit"] == "value" else [*found[1:], found[0]]


def headlines(results: Mapping[str, Any], values: Values) -> Iterator[Headline]:
    """What skips review at each threshold."""
    for _, key, option in chosen(results):
        found, said = results[key], _sentence(key, results, values)
        required = f"{option.replace('_', ' ')} {found[option]:g}{' of those that skip' * (key == CHOSEN[2][1])}"
        if found["threshold"] is None:
            yield Headline(f"Threshold for {required}", "none", "", said)
        else:
            name = f"Share of {results['unit']}s that skip review at {_shown(found['threshold'], values)} ({required})"
            yield Headline(name, number(found["coverage"]), "", said)


def sentences(results: Mapping[str, Any], values: Values) -> Iterator[str]:
    """What the thresholds mean: one sentence for each, and what else there is to say.

    Args:
        results: of `summarize`.
        values: what skips review: the values, or `as_documents` of these.
    """
    if results["unit"] == "document":
        yield _of_100(results, values)
    for _, key, _ in chosen(results):
        yield _sentence(key, results, values)
    if without := results.get("without_confidence"):
        yield f"{counted(without, 'value')} of {results['values']:,} without a confidence: always auto-accepted."
    if always := results.get("always_reviewed"):
        reviewed = f"{counted(always, 'document')} of {results['values']:,} {verb(always)} always reviewed"
        yield f"{reviewed}: without a value, or with one that has no confidence."
    for key, rows in results.items():
        if key.startswith("by_") and not rows:
            yield f"No table by {key.removeprefix('by_')}: there is no certified threshold."


def _of_100(results: Mapping[str, Any], documents: Values) -> str:
    """What the certified threshold saves, and what it costs.

    >>> from docie.confidence import collect
    >>> from docie.confidence.summary import summarize
    >>> leaf = {"value": "1", "confidence": 0.9}
    >>> values = collect([{"a": leaf}] * 40, [{"a": "1"}] * 39 + [{"a": "2"}])
    >>> _of_100(summarize(values, risk=0.05, unit="document"), values.as_documents())
    'Of 100 documents, 100 skip review, 2.5 of them with an error.'
    """
    threshold = chosen_threshold(results)["threshold"]
    if threshold is None:
        return "Of 100 documents, none skips review."
    row = at_threshold(documents, threshold)
    if not row["unseen"]:
        return "Of 100 documents, none skips review."
    skip, wrong = (brief(100 * row[name] / row["values"], 1) for name in ("unseen", "incorrect"))
    minutes = results.get("minutes_saved_per_100_documents")
    saved = "" if minutes is None else f", {brief(minutes, 0 if minutes >= 10 else 1)} minutes saved"
    return f"Of 100 documents, {skip} skip review, {wrong} of them with an error{saved}."


def _sentence(key: str, results: Mapping[str, Any], values: Values) -> str:
    """What was asked for, and what came of it."""
    found, unit = results[key], results["unit"]
    asked, where = _promise(key, found, unit)
    if found["threshold"] is not None:
        name = "Threshold" if key == "coverage_at_precision" else "Certified threshold"
        row = at_threshold(values, found["threshold"])
        skipping = f"{_shown(found['threshold'], values)}: {_skipping(row, unit)}"
        if not row["unseen"]:
            skipping = f"above all confidences: none of {counted(row['values'], unit)} skips review"
        return f"{name} {skipping} (asked: {asked}{where}).{_verified(found, unit)}"
    if key == "coverage_at_precision":
        unseen, correct = best_precision(values)
        why = f"of the {counted(unseen, unit)} with the highest confidence, {unseen - correct:,} "
        return f"No threshold: {why}{verb(unseen - correct)} incorrect (asked: {asked}{where})."
    return f"No certified threshold: {found['reason']} (asked: {asked}{where})."


def _promise(key: str, found: Mapping[str, Any], unit: str) -> tuple[str, str]:
    """What was asked for, and for which documents."""
    if key == "coverage_at_precision":
        return f"at most {_asked(1 - found['required_precision'])} of them", ", on these documents"
    clusters, none = found.get("clusters"), found["threshold"] is None
    risk = _asked(found["risk"])
    if key == "certified_precision":
        of = "documents" if clusters is None else "clusters with documents"
        level = f", at a confidence level of {found['confidence_level']:g}"
        return f"at most {risk} of the {of} that skip review have an error", level
    new = "new documents" if none else "new documents like these"
    if clusters is not None and not none:
        new = f"the documents of a new cluster like these {clusters:,}"
    if unit == "document":
        return f"at most {risk} of all documents skip review and have an error", f", on average over {new}"
    return f"at most {risk} of a document's values", f", on average over {new}"


def _skipping(row: Mapping[str, Any], unit: str) -> str:
    """What skips review at a threshold; of documents, with the interval of the share that has an error."""
    said = f"{row['unseen']:,} of {counted(row['values'], unit)} {verb(row['unseen'], 'skips', 'skip')} review, "
    if unit == "value":
        return f"{said}{row['incorrect']:,} of them incorrect"
    said += f"{row['incorrect']:,} of them with an error"
    if not row["unseen"]:
        return said
    share = Share(1 - row["precision"], *row["error_rate_interval"])
    return f"{said}: {share.text}, 95 % interval {share.interval}"


def _verified(found: Mapping[str, Any], unit: str) -> str:
    """What skips review on other documents."""
    if not (row := found.get("verification")):
        return ""
    where, mean = "", "on average"
    if "clusters" in row:
        where, mean = f" of {counted(row['clusters'], 'cluster')}", "on average over clusters"
    whole = "all documents" if unit == "document" else "a document's values"
    return (
        f" On the {counted(row['documents'], 'document')}{where} to verify: {_skipping(row, unit)}, {mean} "
        f"{number(row['loss'])} of {whole}."
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
        for label, key, option in CHOSEN[:2]:
            threshold = row[key]["threshold"]
            skipping = 0 if threshold is None else at_threshold(parts[name], threshold)["unseen"]
            cell += [_shown(threshold, parts[name]), str(skipping)]
            headings[f"{label} {row[key][option]:g}"] = None
        cells.append(cell)
    columns = ["entity type", "values", "incorrect", *(each for name in headings for each in (name, "skip review"))]
    return Table("thresholds of each entity type, and how many of its values skip review", columns, cells)


def tables(results: Mapping[str, Any], values: Values) -> Iterator[Table]:
    """The thresholds, what review catches, the calibration and, if it was asked for, groups and entity types."""
    yield _thresholds(results, values)
    yield from asked(results)
    yield budgets(results)
    if figures := results.get("calibration"):
        names = ("mean_confidence", "accuracy", "expected_calibration_error", "brier_score")
        columns = ["values", *(name.replace("_", " ") for name in names), "average precision"]
        row = [figures["values"], *(figures[name] for name in names), results["average_precision"]]
        yield Table("calibration of the values with a confidence", columns, [[*texts(row)]], texts=0)
    if "per_entity" in results:
        yield _by_type(results["per_entity"], values)


def asked(results: Mapping[str, Any]) -> Iterator[Table]:
    """Groups of documents at the certified threshold, and kinds of confidence, if these were asked for."""
    unit = results["unit"]
    shown = ("documents", *["values"] * (unit == "value"), "unseen", "coverage", "incorrect")
    names = [name.replace("unseen", "skip review").replace("coverage", "share") for name in shown]
    for key, rows in results.items():
        if key.startswith("by_") and rows:
            column, cells = key.removeprefix("by_"), []
            for name, row in rows.items():
                share = (
                    [1 - row["precision"], " – ".join(map(number, row["error_rate_interval"]))] if row["unseen"] else []
                )
                cells.append([name, *texts([*(row[each] for each in shown), *(share or ["", ""])])])
            title = f"{unit}s that skip review at the certified threshold, by {column}"
            yield Table(title, [column, *names, "error rate", "interval"], cells)
    if rows := results.get("confidences"):
        cells = [[name, *texts((row["average_precision"], row["area"]))] for name, row in rows.items()]
        columns = ["confidence", "average precision", "area under the curve of errors"]
        if any("difference" in row for row in rows.values()):
            columns += ["difference", "interval"]
            for cell, row in zip(cells, rows.values(), strict=True):
                interval = " – ".join(map(number, row.get("interval", ())))
                cell += [number(row["difference"]), interval] if interval else ["–", "–"]
        yield Table(f"how well confidences rank {unit}s: a high precision, and a small area", columns, cells)


def budgets(results: Mapping[str, Any]) -> Table:
    """How many errors review catches, by the share of values that are reviewed."""
    errors = f"{results['incorrect']:,} incorrect {results['unit']}s"
    title = f"errors caught, of {errors}, if those with the lowest confidence are reviewed"
    cells = []
    for row in results["errors_caught"]:
        # an average, where not all of equal confidence are reviewed
        caught = rounded(row["errors_caught"], 1, whole=math.inf)
        cells.append([f"{row['budget']:g}", *texts([row["reviewed"], caught, row["share_caught"]])])
    return Table(title, ["review", f"{results['unit']}s", "errors caught", "share caught"], cells)


def _thresholds(results: Mapping[str, Any], values: Values) -> Table:
    """All thresholds, each on these documents and on those that verify them."""
    counts = ["documents", *["clusters"] * ("clusters" in results), *["values"] * (results["unit"] == "value")]
    columns = ["required", "threshold", "coverage", "precision", "loss", *counts]
    cells = []
    for name, key, option in chosen(results):
        found = results[key]
        threshold, label = found["threshold"], f"{name} {found[option]:g}"
        if threshold is None:
            cells.append([label, "none", *[""] * len(columns[2:])])
            continue
        for where, row in (("", at_threshold(values, threshold)), (", verified", found.get("verification"))):
            if row is not None:
                figures = [row[each] for each in columns[2:]]
                cells.append([f"{label}{where}", _shown(threshold, values), *texts(figures)])
    return Table(f"{results['unit']}s that skip review", columns, cells)


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
