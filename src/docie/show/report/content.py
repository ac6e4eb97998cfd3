"""What a report says, section by section, as plain data: no HTML, and no files."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from docie._version import __version__
from docie.core.counts import Counts, Outcomes
from docie.core.settings import is_normalized
from docie.metrics import kieval
from docie.metrics.kieval.errors.hints import IS_FORM, Hints
from docie.show import tables
from docie.show.report.collection import SHOWN_THRESHOLDS, Collection, Costly
from docie.show.report.wording import Facts, Share, counted, percent

MOST_ROWS = 300
"""The rows that a table by entity type shows at most."""
MOST_REPAIRS = 12
"""The entity types that the table of repairs shows at most."""
LEAST_GAIN = 0.0005
"""Half of the least gain that a table shows: smaller ones are less than that, not as much."""
KINDS = {
    "form": "the same value, written in another way",
    "group": "the right value in the wrong group, such as another line item",
    "type": "the right value under the wrong entity type",
    "duplicate": "a right value that is predicted once more",
    "value": "a wrong value",
    "missed": "a value that was not predicted",
    "invented": "a predicted value that is nowhere in the reference",
}


class Headline(NamedTuple):
    """A figure of the overview, and what it says in one sentence."""

    name: str
    text: str
    interval: str
    sentence: str


class Repair(NamedTuple):
    """What it would bring to repair all errors of one kind, or of one entity type."""

    name: str
    meaning: str
    errors: int
    share: Share
    entity_f1: Share
    gain: str
    document_accuracy: Share


class Field(NamedTuple):
    """The figures of an entity type."""

    name: str
    f1: Share
    precision: Share
    recall: Share
    substitutions: int
    additions: int
    deletions: int
    support: int

    @property
    def corrections(self) -> int:
        """How many values are to be corrected."""
        return self.substitutions + self.additions + self.deletions


class Part(NamedTuple):
    """The figures of some documents, or of the groups of a type."""

    name: str
    size: int
    main: Share
    figures: tuple[str, ...]


class Report:
    """The sections of a report.

    Args:
        results: from the name of each family to its figures, as of `docie.corpus.evaluate`; "kieval" is among them,
            with a breakdown.
        collection: what was seen of the documents.
        facts: how the figures were made.
        confidence_level: the level of the intervals; None if there are none.
    """

    def __init__(
        self,
        results: Mapping[str, Mapping[str, Any]],
        collection: Collection,
        facts: Facts,
        *,
        confidence_level: float | None = None,
    ) -> None:
        self.results, self.collection = results, collection
        self.figures, self.counts = results[kieval.NAME], collection.counts
        self.facts = dataclasses.replace(facts, notes=self._notes(facts.notes))
        self.confidence_level = confidence_level
        self.version, self.most_rows = __version__, MOST_ROWS

    def _notes(self, notes: Iterable[str]) -> list[str]:
        """The notes, with the number of all errors in place of the hint on a sample of them: the table has it too."""
        form = sum(kieval.errors_by_kind(self.counts).get("form", {}).values())
        settings = self.collection.settings
        all_errors = {**Hints(settings).seen, "substitutions": self.figures["substitutions"], "form": form}
        return [
            *Hints.lines(all_errors, is_normalized=is_normalized(settings)),
            *(note for note in notes if not note.endswith(IS_FORM)),
        ]

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self.counts.documents)

    @property
    def level(self) -> str:
        """The level of the intervals in per cent; empty if there are none."""
        return "" if self.confidence_level is None else f"{100 * self.confidence_level:g} %"

    def overview(self) -> list[Headline]:
        """The figures to begin with."""
        return list(_headlines(self.figures, self.counts))

    def tables(self) -> list[tuple[str, list[tables.Table], str]]:
        """Of each family: its name, its tables as they are printed, and the line under them."""
        found = []
        for name, results in self.results.items():
            shown = {key: value for key, value in results.items() if name != kieval.NAME or not _is_table(key, value)}
            found.append((name, tables.tables(name, shown, sort="cost"), tables.facts(results)))
        return sorted(found, key=lambda each: each[0] != kieval.NAME)

    def repairs(self) -> tuple[list[Repair], list[Repair], int]:
        """What would help most: by kind of error, by entity type, and how many more entity types there are."""
        now, *rows = kieval.repaired(self.counts)
        found: dict[str, list[Repair]] = {"kind": [], "entity_type": []}
        for row in rows:
            found[row["repaired"]].append(
                Repair(
                    row["name"],
                    KINDS.get(row["name"], "") if row["repaired"] == "kind" else "",
                    row["rows"],
                    Share(row["rows"] / now["corrections"]),
                    Share(row["entity_f1"]),
                    _gain(row["entity_f1"] - now["entity_f1"]),
                    Share(row["document_accuracy"]),
                )
            )
        types = found["entity_type"]
        return found["kind"], types[:MOST_REPAIRS], len(types) - len(types[:MOST_REPAIRS])

    def fields(self) -> list[Field]:
        """The entity types: what costs most, first."""
        fields = [
            Field(
                name,
                _share(row, "entity_f1"),
                Share(row["entity_precision"]),
                Share(row["entity_recall"]),
                row["substitutions"],
                row["additions"],
                row["deletions"],
                row["support"],
            )
            for name, row in self.figures["per_entity"].items()
        ]
        return sorted(fields, key=lambda each: (-each.corrections, each.name))

    def group_types(self) -> list[Part]:
        """The group types, by name: how many there are, their F1, and the F1 of the values in them."""
        return [
            Part(name, row["support"], _share(row, "group_f1"), (Share(row["entity_f1"]).text,))
            for name, row in self.figures["per_group"].items()
        ]

    def taken(self) -> list[tuple[str, str, int]]:
        """The right entity type, the one it was taken for, and how often: the most frequent first."""
        taken = sorted(self.collection.taken.items(), key=lambda item: (-item[1], item[0]))
        return [(right, predicted, number) for (right, predicted), number in taken]

    def false_alarms(self) -> list[tuple[str, int, int, Share]]:
        """Entity types in documents without them: how many such documents, out of how many, and the share."""
        alarms = kieval.false_alarms(self.counts)
        rows = [
            (name, row["false_alarms"], row["documents"], Share(row["rate"]))
            for name, row in alarms.items()
            if row["false_alarms"]
        ]
        return sorted(rows, key=lambda row: (-row[1], row[0]))

    def columns(self) -> list[tuple[str, list[Part]]]:
        """The tables by a column of the documents, such as the vendor: the lowest F1 first."""
        return [
            (key.removeprefix("by_"), sorted(map(_part, value.items()), key=lambda part: (part.main.value, part.name)))
            for key, value in self.figures.items()
            if key.startswith("by_") and isinstance(value, Mapping)
        ]

    def automation(self) -> list[tuple[str, list[str]]]:
        """The figures of review: the threshold, and the figures in per cent."""
        shown = {*SHOWN_THRESHOLDS, *(self.collection.settings.thresholds or ())}
        return [
            (f"{row['threshold']:.16g}", _automation_figures(row))
            for row in self.collection.automation()
            if row["threshold"] in shown
        ]

    def costliest(self) -> list[Costly]:
        """The documents that are shown."""
        return self.collection.costliest()


def _automation_figures(row: Mapping[str, float]) -> list[str]:
    texts = {name: Share(value).text for name, value in row.items() if name != "threshold"}
    if not row["straight_through_rate"]:
        texts["straight_through_accuracy"] = "–"  # of no documents
    return list(texts.values())


def summary(document: Costly) -> str:
    """What is to be corrected in a document, in a few words.

    >>> counts = kieval.count({"a": "1", "b": "2"}, {"a": "2"})
    >>> summary(Costly(2, 0, "r-1", {}, {}, counts))
    '2 corrections (1 to replace, 1 to delete)'
    """
    figures = kieval.score(document.counts)
    if not figures["corrections"]:
        return "no corrections"
    verbs = (("substitutions", "replace"), ("additions", "add"), ("deletions", "delete"))
    parts = [f"{figures[name]} to {verb}" for name, verb in verbs if figures[name]]
    return f"{counted(figures['corrections'], 'correction')} ({', '.join(parts)})"


def errors_in(document: Costly) -> list[str]:
    """The kinds and the entity types of a document's errors, each once."""
    keys = [key for key in document.counts.rows if key[0] == "errors"]
    return sorted({str(key[position]) for key in keys for position in (1, 3)})


def _is_table(key: str, value: Any) -> bool:
    return isinstance(value, Mapping | list) and not key.endswith("_interval")


def _share(figures: Mapping[str, Any], name: str) -> Share:
    return Share(figures[name], *(figures.get(f"{name}_interval") or ()))


def _part(item: tuple[str, Mapping[str, Any]]) -> Part:
    name, row = item
    figures = (Share(row["aligned"]).text, f"{row['corrections']:,}", Share(row["document_accuracy"]).text)
    return Part(str(name), row["documents"], _share(row, "entity_f1"), figures)


def _gain(share: float) -> str:
    """What a repair brings, in points.

    >>> _gain(0.0123), _gain(0.00005), _gain(0.0)
    ('+1.2', '<0.1', '+0.0')
    """
    return "<0.1" if 0 < share < LEAST_GAIN else f"+{percent(share)}"


def _headlines(figures: Mapping[str, Any], counts: Counts) -> Iterator[Headline]:
    right, wrong, missed = (figures[name] for name in ("true_positives", "false_positives", "false_negatives"))
    yield _headline(
        "Entity F1",
        "entity_f1",
        figures,
        f"{right:,} of {counted(right + missed, 'value')} in the references were found, "
        f"and {right:,} of {right + wrong:,} predicted values are right.",
    )
    documents = counts.documents
    correct = round(figures["document_accuracy"] * documents)
    yield _headline(
        "Error-free documents",
        "document_accuracy",
        figures,
        f"{correct:,} of {counted(documents, 'document')} can be used as predicted.",
    )
    low_high = figures.get("corrections_interval") or ()
    replace, add, delete = (figures[name] for name in ("substitutions", "additions", "deletions"))
    yield Headline(
        "Corrections",
        f"{figures['corrections']:,}",
        " – ".join(f"{round(bound):,}" for bound in low_high),
        f"A person would replace {replace:,}, add {add:,} and delete {delete:,} of the values: "
        f"{_amount(figures['corrections'] / max(documents, 1))} in a document.",
    )
    yield _headline("Aligned", "aligned", figures, "The share of values that need no correction.")
    groups = counts.total("group", Outcomes)
    if groups.support + groups.false_positives:
        right, number = groups.true_positives, counted(groups.support, "group")
        yield _headline("Group F1", "group_f1", figures, f"{right:,} of {number}, such as line items, are all right.")
    if "weighted_entity_f1" in figures:
        sentence = "Entity F1, with each value counted as often as its type weighs."
        yield _headline("Weighted entity F1", "weighted_entity_f1", figures, sentence)
    yield from _costs(figures)


def _headline(name: str, key: str, figures: Mapping[str, Any], sentence: str) -> Headline:
    share = _share(figures, key)
    return Headline(name, share.text, share.interval, sentence)


def _costs(figures: Mapping[str, Any]) -> Iterator[Headline]:
    if "minutes_per_100_documents" in figures:
        name, key = "Minutes for 100 documents", "minutes_per_100_documents"
        sentence = "The time that the corrections take, as the seconds for one say."
    elif "correction_cost_per_document" in figures:
        name, key = "Cost of a document", "correction_cost_per_document"
        sentence = "What the corrections cost on average, in the unit of the costs."
    else:
        return
    interval: Iterable[float] = figures.get(f"{key}_interval") or ()
    yield Headline(name, _amount(figures[key]), " – ".join(map(_amount, interval)), sentence)


def _amount(value: float) -> str:
    """A number without a limit."""
    return tables.rounded(value, 1, whole=math.inf, flags=",")
