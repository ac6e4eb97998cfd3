"""The report of a corpus: scores, errors by field and document, and the effect of review."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from docie.confidence import Values, calibration, certified_threshold, risk_coverage, shortest_threshold
from docie.core.counts import Counts, Outcomes
from docie.core.phrases import counted
from docie.core.results import Row, Rows, read_results, read_row
from docie.core.scores import rounded
from docie.core.settings import is_normalized
from docie.metrics import kieval
from docie.metrics.kieval.hints import IS_FORM, Hints
from docie.show import plots, tables
from docie.show.report.collection import SHOWN_THRESHOLDS, Collection, Costly
from docie.show.report.page import Fact, Facts, Page, first_rows, making_of, notes_of
from docie.show.section import (
    Chart,
    Details,
    Explained,
    Headline,
    Headlines,
    Item,
    Listing,
    Part,
    Section,
    Share,
    Table,
    Text,
    percent,
)

MOST_REPAIRS = 12
"""The entity types that the table of repairs shows at most."""
LEAST_GAIN = 0.0005
"""Half of the smallest gain that a table shows; a smaller gain is shown as less than that."""
RISKS = (0.01, 0.02, 0.05, 0.1)
"""The risks that the report certifies a threshold for."""
KINDS = {
    "form": "the same value in a different format",
    "group": "the correct value in the wrong group, such as another line item",
    "type": "the correct value under the wrong entity type",
    "duplicate": "a correct value that is predicted once more",
    "value": "an incorrect value",
    "missed": "a value that was not predicted",
    "invented": "a predicted value that the reference does not have",
}


def corpus_page(
    results: Mapping[str, Mapping[str, Any]],
    collection: Collection,
    facts: Facts,
    *,
    confidence_level: float | None = None,
) -> Page:
    """The report of a corpus.

    Args:
        results (dict): from the name of each family to its results, as of `docie.corpus.evaluate`; "kieval" is among
            them, with a breakdown.
        collection (Collection): what was collected from the documents.
        facts (Facts): how the results were made.
        confidence_level (float): the level of the intervals; None if there are none.

    Returns:
        Page: its sections, for `render`.

    >>> from docie import corpus, kieval
    >>> collection = Collection(kieval.Settings())
    >>> pairs = list(collection.watch([{"total": "12"}], [{"total": "13"}]))
    >>> results = {"kieval": corpus.evaluate(kieval, [{"total": "12"}], [{"total": "13"}], breakdown=True)}
    >>> page = corpus_page(results, collection, Facts())
    >>> [section.title for section in page.sections]
    ['Overview', 'What would help most', 'Fields', 'Documents']
    """
    found, counts = read_results(results[kieval.NAME]), collection.counts
    facts = dataclasses.replace(facts, notes=_notes(facts.notes, collection, found.scores.figures["substitutions"]))
    documents = counted(counts.documents, "document")
    level = "" if confidence_level is None else f"{100 * confidence_level:g} %"
    sections = [
        _overview(results, found.scores, counts, facts, level),
        _repairs(counts),
        _fields(found.tables, level),
        _confused_types(collection),
        _false_alarms(counts),
        *_groups(found.tables),
        _review(collection, documents),
        _documents(collection),
    ]
    size = f"{counts.documents:,}" + (f", joined by {facts.joined_by}" if facts.joined_by else "")
    if invalid := counts.invalid_predictions:
        size += f"; {counted(invalid, 'prediction')} could not be read, and count as empty"
    signatures = (
        Fact("Signature" + (f" of {name}" if len(results) > 1 else ""), each["signature"], is_code=True)
        for name, each in results.items()
    )
    said = "Values are compared as KIEval does: groups are matched first, so a value is correct only in its group. "
    return Page(
        facts.title,
        f"Predictions for {documents}, compared with the references.",
        [section for section in sections if section],
        making_of(facts, Fact("Documents", size), *signatures, said=said),
    )


def _notes(notes: Iterable[str], collection: Collection, substitutions: float) -> list[str]:
    """The notes, with the number of all errors in place of the hint on a sample of them: the table has it too."""
    form = sum(kieval.errors_by_kind(collection.counts).get("form", {}).values())
    all_errors = {**Hints(collection.settings).seen, "substitutions": substitutions, "form": form}
    hints = Hints.lines(all_errors, is_normalized=is_normalized(collection.settings))
    return [*hints, *(note for note in notes if not note.endswith(IS_FORM))]


def _overview(
    results: Mapping[str, Mapping[str, object]], scores: Row, counts: Counts, facts: Facts, level: str
) -> Section:
    """The scores to begin with; behind them all scores of each family as they are printed, KIEval's without tables."""
    parts = [*notes_of(facts), Headlines([*_headlines(scores, counts)])]
    if level:
        said = f"The ranges are {level} intervals: how far a score may move with other documents like these."
        parts.append(Text(said, "hint"))
    for name in sorted(results, key=lambda name: name != kieval.NAME):
        shown = {key: value for key, value in results[name].items() if name != kieval.NAME or not _is_table(key, value)}
        [section] = tables.sections({name: shown}, sort="cost")
        small = [part._replace(is_small=True) if isinstance(part, Table) else part for part in section.parts]
        parts.append(Details(f"All scores of {name}", small))
    return Section(parts, "Overview", "overview")


def _is_table(key: str, value: object) -> bool:
    return isinstance(value, Mapping | list) and not key.endswith("_interval")


def _table(
    title: str,
    names: str,
    columns: Mapping[str, str],
    rows: Iterable[tuple[str, Row]],
    *,
    costs: bool = False,
    is_small: bool = False,
    remarks: Mapping[str, str] | None = None,
) -> Table:
    """A table of scores: `columns` are headings with their keys in the rows, the first one a column of bars."""
    rows, (main, *keys) = [*rows], columns.values()
    bars = [_share(row, main) for _, row in rows]
    cells = [
        [str(name), bar.text, *(_cell(key, row.figures[key]) for key in keys)]
        for (name, row), bar in zip(rows, bars, strict=True)
    ]
    return Table(
        title, [names, *columns], cells, texts=2, bars=bars, costs=costs, remarks=remarks or {}, is_small=is_small
    )


def _cell(name: str, value: float) -> str:
    """A share in percent, a gain in points, a count as it is."""
    if name == "gain":
        return _gain(value)
    return Share(value).text if isinstance(value, float) else f"{value:,}"


def _repairs(counts: Counts) -> Section:
    """The effect of repairing all errors of one kind, or of one entity type."""
    now, *rows = kieval.repaired(counts)
    if not rows:
        return Section([Text("Nothing: there are no errors.")], "What would help most", "repairs")
    columns = {
        "Share of all errors": "share",
        "Errors": "rows",
        "Entity F1 then": "entity_f1",
        "Gain in points": "gain",
        "Documents without error then": "document_accuracy",
    }
    said = (
        "The scores with all errors of one kind, or of one field, repaired. This is arithmetic, and "
        "no forecast for a model that is trained again."
    )
    found: dict[str, list[tuple[str, Row]]] = {"kind": [], "entity_type": []}
    for row in rows:
        more = {"share": row["rows"] / now["corrections"], "gain": row["entity_f1"] - now["entity_f1"]}
        found[row["repaired"]].append((row["name"], read_row(row | more)))
    types, left_out = found["entity_type"][:MOST_REPAIRS], len(found["entity_type"]) - MOST_REPAIRS
    parts: list[Part] = [
        Text(said, "hint"),
        _table("By kind of error", "Repaired", columns, found["kind"], costs=True, remarks=KINDS),
        _table("By field", "Repaired", columns, types, costs=True),
    ]
    if left_out > 0:
        parts.append(Text(f"{left_out} more fields have errors; the next table lists them.", "hint"))
    return Section(parts, "What would help most", "repairs")


def _gain(share: float) -> str:
    """The gain of a repair, in points.

    >>> _gain(0.0123), _gain(0.00005), _gain(0.0)
    ('+1.2', '<0.1', '+0.0')
    """
    return "<0.1" if 0 < share < LEAST_GAIN else f"+{percent(share)}"


def _fields(breakdowns: Mapping[str, Rows], level: str) -> Section:
    """The entity types, the highest cost first; the group types by name."""
    said = "What costs most comes first. “Values” is the number of values in the references."
    if level:
        said += " A field in very few documents has no interval, nor has a score that is the same in all of them."
    edits = {"To replace": "substitutions", "To add": "additions", "To delete": "deletions"}
    columns = {"F1": "entity_f1", "Precision": "entity_precision", "Recall": "entity_recall", **edits}
    rows = sorted(
        breakdowns["per_entity"].items(),
        key=lambda row: (-sum(row[1].figures[edit] for edit in edits.values()), row[0]),
    )
    table = _table("By field", "Field", {**columns, "Values": "support"}, rows)
    parts = [Text(said, "hint"), *first_rows(table, "field", "docie score --by-field lists all")]
    if groups := breakdowns["per_group"]:
        columns = {"F1 of whole groups": "group_f1", "F1 of values in them": "entity_f1"}
        parts.append(
            _table("By type of group", "Group", {**columns, "Groups": "support"}, groups.items(), is_small=True)
        )
    return Section(parts, "Fields", "fields")


def _confused_types(collection: Collection) -> Section | None:
    """Which entity type was taken for which, the most frequent first."""
    if not collection.taken:
        return None
    said = (
        "Correct values under the wrong entity type. Such a value is missing in one place and spurious "
        "in the other, which makes two errors."
    )
    taken = sorted(collection.taken.items(), key=lambda item: (-item[1], item[0]))
    cells = [[right, predicted, f"{number:,}"] for (right, predicted), number in taken]
    columns = ["The value belongs to", "It was predicted as", "Errors"]
    table = Table("Which type is taken for which", columns, cells, texts=2, is_small=True)
    return Section([Text(said, "hint"), *first_rows(table)], "Confused types", "taken")


def _false_alarms(counts: Counts) -> Section | None:
    """Entity types that are predicted in documents without them."""
    found = [(name, row) for name, row in kieval.false_alarms(counts).items() if row["false_alarms"]]
    if not found:
        return None
    found.sort(key=lambda each: (-each[1]["false_alarms"], each[0]))
    rows = [(name, read_row(row)) for name, row in found]
    columns = {"Share of the documents without it": "rate", "Predicted": "false_alarms"}
    table = _table(
        "By field", "Field", {**columns, "Documents without it": "documents"}, rows, costs=True, is_small=True
    )
    said = "Fields that are predicted in documents whose reference does not have them."
    return Section([Text(said, "hint"), *first_rows(table)], "False alarms", "alarms")


def _groups(breakdowns: Mapping[str, Rows]) -> Iterator[Section]:
    """A table for each column of the documents, such as the vendor: the lowest F1 first."""
    found = [(key, rows) for key, rows in breakdowns.items() if key.startswith(tables.BY)]
    columns = {"Entity F1": "entity_f1", "Aligned": "aligned", "Corrections": "corrections"}
    columns |= {"Documents without error": "document_accuracy", "Documents": "documents"}
    for number, (key, groups) in enumerate(found, 1):
        column = key.removeprefix(tables.BY)
        rows = sorted(groups.items(), key=lambda row: (row[1].figures["entity_f1"], str(row[0])))
        table = _table("The lowest F1 first", column, columns, rows)
        yield Section(first_rows(table), f"By {column}", f"column-{number}")


def _review(collection: Collection, documents: str) -> Section | None:
    """The effect of review by confidence; None without confidences."""
    rows, values = collection.automation(), collection.values()
    if not rows or values is None:
        return None
    shown = {*SHOWN_THRESHOLDS, *(collection.settings.thresholds or ())}
    cells = [_review_row(row) for row in rows if row["threshold"] in shown]
    columns = ["Threshold", "Values that skip review", "Values correct after it", "Documents that skip review"]
    said = (
        "Each predicted value with a confidence below the threshold is reviewed and corrected. A higher "
        "threshold costs more reviews and leaves fewer errors. Values without a confidence always skip review."
    )
    risk = (
        "The risk is the share of a new document's predicted values that may be incorrect and skip review, "
        "on average. The certified threshold keeps to it (conformal risk control), for documents from the "
        f"same source as these {documents}, and a model that was not trained on them. docie threshold "
        "certifies other risks, and verifies thresholds on other documents."
    )
    parts: list[Part] = [
        Text(said, "hint"),
        *_charts(rows, values),
        Table("At some thresholds", [*columns, "Share of them without error"], cells),
        _certified(values),
        Text(risk, "hint"),
    ]
    return Section(parts, "Review by confidence", "automation")


def _charts(rows: list[dict[str, float]], values: Values) -> list[Chart]:
    return [
        Chart(
            lambda: plots.automation_curve(rows),
            "The automation curve. The table below has its numbers.",
            "The effect of review: at the right nothing is reviewed, at the left each value with a confidence below 1.",
        ),
        Chart(
            lambda: plots.risk_coverage(risk_coverage(values)),
            "The risk–coverage curve.",
            "The share of incorrect values among those that skip review. At the left, only the highest confidences do.",
        ),
        Chart(
            lambda: plots.reliability_diagram(calibration(values)),
            "The reliability diagram.",
            "Confidences that are probabilities lie on the dashed line. Below it, the model is overconfident.",
        ),
    ]


def _review_row(row: Mapping[str, float]) -> list[str]:
    texts = {name: Share(value).text for name, value in row.items() if name != "threshold"}
    if not row["straight_through_rate"]:
        texts["straight_through_accuracy"] = "–"  # of no documents
    return [f"{row['threshold']:.16g}", *texts.values()]


def _certified(values: Values) -> Table:
    """The thresholds that keep risks on new documents; where there is none, why."""
    cells = []
    for risk in RISKS:
        found, share = certified_threshold(values, risk), f"{100 * risk:g} %"
        if found["threshold"] is None:
            cells.append([share, f"none: {found['reason']}"])
        else:
            shortest = f"{shortest_threshold(values, found['threshold']):.15g}"
            cells.append([share, shortest, Share(found["coverage"]).text, Share(found["loss"]).text])
    columns = ["Risk", "Threshold", "Values that skip review", "Incorrect and unreviewed here"]
    return Table("Certified thresholds", columns, cells, is_small=True)


def _documents(collection: Collection) -> Section:
    """The documents with the highest cost."""
    shown, number = collection.costliest(), collection.counts.documents
    is_all = len(shown) == number
    which = "The costliest come first." if is_all else f"The {len(shown)} costliest of {number:,} documents."
    items = [
        Item(
            str(each.name),
            _summary(each),
            [Explained(partial(kieval.explain, each.prediction, each.reference, collection.settings))],
            " ".join(_errors_in(each)),
        )
        for each in shown
    ]
    said = Text(f"{which} Open one to see reference and prediction side by side.", "hint")
    return Section([said, Listing(items, "name, field or kind of error")], "Documents", "documents")


def _summary(document: Costly) -> str:
    """The corrections of a document, in a few words.

    >>> counts = kieval.count({"a": "1", "b": "2"}, {"a": "2"})
    >>> _summary(Costly(2, 0, "r-1", {}, {}, counts))
    '2 corrections (1 to replace, 1 to delete)'
    """
    figures = kieval.score(document.counts)
    if not figures["corrections"]:
        return "no corrections"
    verbs = (("substitutions", "replace"), ("additions", "add"), ("deletions", "delete"))
    parts = [f"{figures[name]} to {verb}" for name, verb in verbs if figures[name]]
    return f"{counted(figures['corrections'], 'correction')} ({', '.join(parts)})"


def _errors_in(document: Costly) -> list[str]:
    """The kinds and the entity types of a document's errors, each once."""
    keys = [key for key in document.counts.rows if key[0] == "errors"]
    return sorted({str(key[position]) for key in keys for position in (1, 3)})


def _share(row: Row, name: str) -> Share:
    return Share(row.figures[name], *(row.intervals.get(name) or ()))


def _headlines(scores: Row, counts: Counts) -> Iterator[Headline]:
    figures = scores.figures
    right, wrong, missed = (figures[name] for name in ("true_positives", "false_positives", "false_negatives"))
    yield _headline(
        "Entity F1",
        "entity_f1",
        scores,
        f"{right:,} of {counted(int(right + missed), 'value')} in the references were found, "
        f"and {right:,} of {right + wrong:,} predicted values are correct.",
    )
    documents = counts.documents
    correct = round(figures["document_accuracy"] * documents)
    yield _headline(
        "Error-free documents",
        "document_accuracy",
        scores,
        f"{correct:,} of {counted(documents, 'document')} need no correction.",
    )
    low_high = scores.intervals.get("corrections") or ()
    replace, add, delete = (figures[name] for name in ("substitutions", "additions", "deletions"))
    yield Headline(
        "Corrections",
        f"{figures['corrections']:,}",
        " – ".join(f"{round(bound):,}" for bound in low_high),
        f"A person would replace {replace:,}, add {add:,} and delete {delete:,} of the values: "
        f"{_amount(figures['corrections'] / max(documents, 1))} in a document.",
    )
    yield _headline("Aligned", "aligned", scores, "The share of values that need no correction.")
    groups = counts.total("group", Outcomes)
    if groups.support + groups.false_positives:
        right, number = groups.true_positives, counted(groups.support, "group")
        yield _headline("Group F1", "group_f1", scores, f"{right:,} of {number}, such as line items, are all correct.")
    if "weighted_entity_f1" in figures:
        sentence = "Entity F1, with each value weighted by its type."
        yield _headline("Weighted entity F1", "weighted_entity_f1", scores, sentence)
    yield from _costs(scores)


def _headline(name: str, key: str, scores: Row, sentence: str) -> Headline:
    share = _share(scores, key)
    return Headline(name, share.text, share.interval, sentence)


def _costs(scores: Row) -> Iterator[Headline]:
    if "minutes_per_100_documents" in scores.figures:
        name, key = "Minutes for 100 documents", "minutes_per_100_documents"
        sentence = "The time that the corrections take, from the seconds for one."
    elif "correction_cost_per_document" in scores.figures:
        name, key = "Cost of a document", "correction_cost_per_document"
        sentence = "The mean cost of the corrections, in the unit of the costs."
    else:
        return
    interval = scores.intervals.get(key) or ()
    yield Headline(name, _amount(scores.figures[key]), " – ".join(map(_amount, interval)), sentence)


def _amount(value: float) -> str:
    """A number without a limit."""
    return rounded(value, 1, whole=math.inf, flags=",")
