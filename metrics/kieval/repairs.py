"""The effect of repairs: the scores with all errors of one kind, or of one entity type, repaired.

A repaired substitution means one false positive and one false negative less and one true positive more, an addition one
false negative less and one true positive more, a deletion one false positive less. The matching of groups is kept. For
true positives, false positives and false negatives, this equals repairing the predictions and scoring them again: every
repair raises the number of identical entities in the kept matching by as much as it can raise that of any other. With
`matching="greedy"` this does not hold: a repair may change the order in which groups are paired.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from docie.core.counts import Counts, Key, Number, Outcomes, Row, macro_f1, ratio
from docie.documents.document import Document
from docie.metrics.kieval.corrections import KINDS, ErrorRow, rows_of_pairs
from docie.metrics.kieval.metric import Documents, rows_of, score
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.pairs import OPERATIONS, Operation, Pair, pairs_of, sides_of
from docie.metrics.kieval.weighing import Cost, Entities, Weighted, rows_of_repair


@dataclass(slots=True)
class Errors(Row):
    """Columns of the ("errors", kind, group type, entity type) rows: the number of rows of each operation."""

    substitution: Number = 0
    addition: Number = 0
    deletion: Number = 0


@dataclass(slots=True)
class Misplaced(Row):
    """Column of the ("misplaced", entity type) rows: correct values in the wrong place."""

    values: Number = 0


@dataclass(slots=True)
class Presence(Row):
    """Columns of the ("presence", entity type) rows: documents whose reference has it, or whose prediction alone."""

    expected: Number = 0
    predicted_alone: Number = 0


@dataclass(slots=True)
class Failed(Row):
    """Columns of the ("failed",) row: answers without a value where values are expected, and those of them that could
    not be read."""

    answers: Number = 0
    unreadable: Number = 0


class Analysis(NamedTuple):
    """What is wrong in a document.

    Attributes:
        rows: its errors.
        scored: its counts, as those of `count`.
        changes: its further counts: its errors, and the effects of repairs.
        reference: the document as it should be, before normalisation.
        pairs: all of its groups, compared.
        by_pair: the errors of each.
    """

    rows: list[ErrorRow]
    scored: Counts
    changes: Counts
    reference: Document
    pairs: list[Pair]
    by_pair: list[list[ErrorRow]]

    @property
    def counts(self) -> Counts:
        """All of its counts, for `repaired` and `false_alarms`."""
        return replace(self.scored, rows=self.scored.rows | self.changes.rows | _presence(self.scored))


def analyse(prediction: object, reference: object, settings: Settings, document: str | int = 0) -> Analysis:
    """The errors of a document as rows, and as counts: those of KIEval, and the effects of repairs.

    Args:
        prediction (dict): the predicted document.
        reference (dict): the reference document.
        settings (Settings): the options of KIEval.
        document (str or int): the value of `document` in the rows.

    Raises:
        DocumentError: if a document cannot be read.

    >>> analysis = analyse({"total": "12,00"}, {"total": "12.00"}, Settings())
    >>> [row.kind for row in analysis.rows], score(analysis.counts)["corrections"]
    (['format'], 1)
    """
    sides = sides_of(prediction, reference, settings)
    pairs = pairs_of(*sides, settings)
    errors_by_pair = [*rows_of_pairs(pairs, document)]
    is_valid, errors = isinstance(prediction, Mapping), [*chain.from_iterable(errors_by_pair)]
    rows = rows_of([pair.comparison for pair in pairs], sides[1].document, settings, (prediction, reference))
    scored = Counts.of_document(rows, valid=is_valid)
    changes = _changes(pairs, errors_by_pair, settings)
    if errors and not any(pair.predicted for pair in pairs):
        changes.rows["failed",] = [1, int(not is_valid)]
    return Analysis(errors, scored, changes, sides[1].read, pairs, errors_by_pair)


def _presence(counts: Counts) -> dict[Key, list[Number]]:
    """The ("presence", entity type) rows of a document, from its counts."""
    rows: dict[Key, list[Number]] = {}
    for key, numbers in counts.rows.items():
        if key[0] == "entity":
            correct, _, missing, *_ = numbers
            rows.setdefault(("presence", key[2]), [0, 1])
            if correct or missing:
                rows["presence", key[2]] = [1, 0]
    return rows


Repair = tuple[str, str]
"""What is repaired: "kind" and a kind, for all errors of it; "entity_type" and a type, for all of that."""
_CHANGED: dict[str, tuple[Key, type[Row]]] = {
    "groups_if": (("group", None), Outcomes),
    "correct_if": (("correct",), Documents),
    "weighted_if": (("weighted",), Weighted),
    "cost_if": (("cost", None), Cost),
}
"""The rows that say what a repair changes, (table, *repair, ...), and the row of the scores to which each is added."""


def _changes(pairs: Iterable[Pair], errors: Iterable[list[ErrorRow]], settings: Settings) -> Counts:
    """The numbers of errors, from which the effect of repairs on entities follows; their effect on all else."""
    counts = Counts()
    corrected: Counter[Repair] = Counter()  # how many pairs a repair makes correct
    incorrect_pairs, is_weighed = 0, settings.weight_of is not None or settings.costs is not None
    for pair, rows in zip(pairs, errors, strict=True):
        for token, _ in pair.misplaced:
            counts.add_row(("misplaced", token[0]), Misplaced(1))
        rows = rows[: len(rows) - len(pair.misplaced)]
        incorrect_pairs += bool(rows) or pair.predicted is None or pair.expected is None
        if not rows:  # as of most
            continue
        repairs: defaultdict[Repair, list[Operation]] = defaultdict(list)
        for row in rows:
            numbers = counts.rows.setdefault(("errors", row.kind, row.group_type, row.entity_type), [0, 0, 0])
            numbers[OPERATIONS.index(row.operation)] += 1
            both = ("kind", row.kind), ("entity_type", row.entity_type)
            for repair in both:
                repairs[repair].append(row.operation)
            if is_weighed:
                change = _repaired(Errors(**{row.operation: 1}))
                for table, weighed in rows_of_repair(row.entity_type, change, settings.weight_of, settings.costs):
                    for repair in both:
                        counts.add_row((f"{table}_if", *repair), weighed)
        for repair, operations in repairs.items():
            of_group, is_correct = _change_of_group(
                pair, operations, len(rows), keeps_empty=settings.empty_groups == "count"
            )
            corrected[repair] += is_correct
            if pair.group_type is not None:
                counts.add_row(("groups_if", *repair, pair.group_type), of_group)
    for repair, number in corrected.items():
        if number == incorrect_pairs:
            counts.rows["correct_if", *repair] = [1]
    return counts


def _change_of_group(pair: Pair, operations: Sequence[str], errors: int, *, keeps_empty: bool) -> tuple[Outcomes, bool]:
    """The effect of a repair on the group scores, and whether the pair becomes correct.

    A predicted group exists from its first entity on, and ends with its last one. If empty groups are counted, it is
    kept as long as it has a counterpart.
    """
    was_there, is_expected = pair.predicted is not None, pair.expected is not None
    size = len(pair.predicted or ()) + operations.count("addition") - operations.count("deletion")
    is_there = size > 0 or (keeps_empty and was_there and is_expected)
    is_identical = is_there and is_expected and len(operations) == errors
    change = Outcomes(
        int(is_identical),
        int(is_there and not is_identical) - int(was_there),
        -int(is_identical),
    )
    # ungrouped entities are one group that always exists
    is_correct = len(operations) == errors if pair.group_type is None else is_identical or not (is_there or is_expected)
    return change, is_correct


def repaired(counts: Counts) -> list[dict[str, Any]]:
    """Which repairs would help most: the scores with all errors of one kind, or of one entity type, repaired.

    The matching of groups is kept. If another one is equally good, predictions that are really repaired may have their
    errors in other types, so that their `entity_f1_macro` is lower or higher than this one. With `matching="greedy"`,
    they may be matched differently, so that all of their scores are lower or higher.

    Args:
        counts (Counts): the counts of `docie.corpus.count_errors`.

    Returns:
        list of dict: first the present scores, then a row for each kind and for each entity type with errors, the
        largest gain first: the lowest `correction_cost` if there are costs, else the highest `weighted_entity_f1` if
        there are weights, else the highest `entity_f1`. `repaired` is "nothing", "kind" or "entity_type", `name` the
        kind or the type, `rows` the number of repaired errors; the other keys are those of `score` but for absent
        values and evidence.

    >>> from docie import corpus
    >>> counts = corpus.count_errors([{"a": "12,00", "b": "7"}], [{"a": "12.00", "b": "8"}]).counts
    >>> [(row["name"], row["rows"], row["entity_f1"]) for row in repaired(counts)]
    [(None, 0, 0.0), ('format', 1, 0.5), ('value', 1, 0.5), ('a', 1, 0.5), ('b', 1, 0.5)]
    """
    others = replace(
        counts, rows={key: row for key, row in counts.rows.items() if key[0] not in ("absent", "evidence")}
    )
    table: list[dict[str, Any]] = [{"repaired": "nothing", "name": None, "rows": 0, **score(others)}]
    for repair, position in (("kind", 1), ("entity_type", 3)):
        numbers = counts.by("errors", position, Errors)
        names = [name for name in (KINDS if repair == "kind" else numbers) if name in numbers]
        rows = [
            {"repaired": repair, "name": name, "rows": sum(numbers[name].numbers()), **scores}
            for name, scores in zip(names, _scores_with_repairs(counts, repair, names, position), strict=True)
        ]
        table += sorted(rows, key=order_of_repairs)
    return table


def order_of_repairs(row: Mapping[str, Any]) -> tuple[float, ...]:
    """The place of a row of `repaired`: the largest gain comes first, by costs, by weights, or by entity F1."""
    return row.get("correction_cost", 0.0), -row.get("weighted_entity_f1", 0.0), -row["entity_f1"]


def _scores_with_repairs(
    counts: Counts, by: str, names: Sequence[str | None], position: int
) -> Iterator[dict[str, Number]]:
    """The scores after each of the repairs, from one sum of all counts; their names stand there in keys of errors."""
    total = _summed(counts)
    changes = {name: Counts() for name in names}
    by_type: defaultdict[str | None, list[tuple[str | None, Entities]]] = defaultdict(list)
    for key, numbers in counts.rows.items():
        table = key[0]
        if table == "errors":
            change = _repaired(Errors(*numbers))
            changes[key[position]].add_row(("entity", None, None), change)
            by_type[key[3]].append((key[position], change))
        elif table in _CHANGED and key[1] == by:
            changed, row = _CHANGED[table]
            changes[key[2]].add_row(changed, row(*numbers))
    macro = _macro_f1(counts, by_type, names)
    for name, f1 in zip(names, macro, strict=True):
        yield {**score(total + changes[name]), "entity_f1_macro": f1}


def _repaired(errors: Errors) -> Entities:
    """The effect of repairing these errors."""
    return Entities(
        errors.substitution + errors.addition,
        -errors.substitution - errors.deletion,
        -errors.substitution - errors.addition,
        -errors.substitution,
    )


def _summed(counts: Counts) -> Counts:
    """The counts with one row for each table that `score` reads: all scores but macro F1 are computed from sums."""
    total, changed = Counts(counts.documents, counts.invalid_predictions), {key[0] for key, _ in _CHANGED.values()}
    for key, numbers in counts.rows.items():
        if key[0] == "entity" or key[0] in changed:
            total += Counts(rows={(key[0], *(None for _ in key[1:])): numbers})
    return total


def _macro_f1(
    counts: Counts,
    changes: Mapping[str | None, Iterable[tuple[str | None, Entities]]],
    names: Sequence[str | None],
) -> list[float]:
    """The macro F1 after each repair; `changes` are the effects on each entity type, with the name of the repair."""
    places = {name: place for place, name in enumerate(names)}
    zeros = np.zeros(len(names), dtype=np.int64)

    def rows() -> Iterator[Outcomes]:
        for entity_type, row in counts.by("entity", 2, Entities).items():
            columns = [zeros + number for number in row.numbers()[:3]]
            for name, change in changes.get(entity_type, ()):
                for column, number in zip(columns, change.numbers(), strict=False):
                    column[places[name]] += number
            yield Outcomes(*columns)

    return [float(f1) for f1 in np.broadcast_to(macro_f1(rows()), zeros.shape)]


def errors_by_kind(counts: Counts) -> dict[str, dict[str, Number]]:
    """The numbers of errors by kind and operation.

    Args:
        counts (Counts): the counts of `docie.corpus.count_errors`.

    Returns:
        dict: from each kind with errors, in the order of `KINDS`, to its numbers of `substitution`, `addition` and
        `deletion`.

    >>> from docie import corpus
    >>> errors_by_kind(corpus.count_errors([{"a": "12,00", "b": "7"}], [{"a": "12.00"}]).counts)["spurious"]
    {'substitution': 0, 'addition': 0, 'deletion': 1}
    """
    numbers = counts.by("errors", 1, Errors)
    return {kind: asdict(numbers[kind]) for kind in KINDS if kind in numbers}


def false_alarms(counts: Counts, *, ontology: Collection[str] | None = None) -> dict[str, dict[str, Number]]:
    """How often an entity type is predicted in documents that do not have it.

    Args:
        counts (Counts): the counts of `docie.corpus.count_errors`.
        ontology (list of str): further entity types to list, with or without documents.

    Returns:
        dict: from each entity type to `false_alarms`, the number of documents whose prediction has the type and whose
        reference lacks it; `documents`, the number of documents whose reference lacks it; and `rate`, their ratio, 0.0
        if all references have it.

    >>> from docie import corpus
    >>> counts = corpus.count_errors([{"tax": "1"}, {}, {"tax": "2"}], [{}, {}, {"tax": "2"}]).counts
    >>> false_alarms(counts)
    {'tax': {'false_alarms': 1, 'documents': 2, 'rate': 0.5}}
    """
    seen = counts.by("presence", 1, Presence)
    table = {}
    for name in sorted({*map(str, seen), *(ontology or ())}):
        row = seen.get(name, Presence())
        documents = counts.documents - row.expected
        table[name] = {
            "false_alarms": row.predicted_alone,
            "documents": documents,
            "rate": ratio(row.predicted_alone, documents),
        }
    return table
