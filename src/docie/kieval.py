"""KIEval: entity and group F1 in structure, correction cost, and the automation curve.

Source: Khang, Jung, Park and Hong, "KIEval: Evaluation Metric for Document Key Information Extraction" (2025).
Predicted groups are matched with reference groups first; then entities are compared within matched groups.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from docie import automation
from docie.counts import Counts, Key, Number, macro_f1, precision_recall_f1, ratio
from docie.document import Document, Group, parse
from docie.errors import DocumentError, shortened
from docie.matching import Token, Tokens, difference, pair_groups, types_of
from docie.pairs import paired
from docie.settings import Common, check_choice, sorted_thresholds

__all__ = ["INPUTS", "NAME", "Settings", "automation_curve", "breakdown", "count", "details", "score"]

NAME, INPUTS = "kieval", ("document",)


@dataclass(frozen=True, kw_only=True)
class Settings(Common):
    """The options of KIEval.

    matching: "optimal" (most identical entities, then fewest corrections, then most identical groups) or "greedy"
        (the official code's `max_em_score`, which depends on the order of groups).
    empty_groups: "ignore" objects without entities, or "count" them as groups, as the official code does.
    normalize: None, a normaliser's name, a list of names, or a mapping from entity type to these
        (see `docie.normalizers`).
    ontology: the entity types to score; None for all.
    thresholds: confidences, each at least 0, at which `automation` figures are wanted; None for none.

    Raises ValueError for a value outside these.

    >>> Settings(matching="hungarian")
    Traceback (most recent call last):
    ...
    ValueError: matching must be 'optimal' or 'greedy', got 'hungarian'
    """

    matching: Literal["optimal", "greedy"] = "optimal"
    empty_groups: Literal["ignore", "count"] = "ignore"
    ontology: Collection[str] | None = None
    thresholds: Sequence[float] | None = field(default=None, metadata={"optional": True})

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("matching", self.matching, "optimal", "greedy")
        check_choice("empty_groups", self.empty_groups, "ignore", "count")
        if self.ontology is not None:
            object.__setattr__(self, "ontology", _entity_types(self.ontology))
        if self.thresholds is not None:
            object.__setattr__(
                self,
                "thresholds",
                sorted_thresholds(self.thresholds, lambda value: 0 <= value <= sys.float_info.max, "of at least 0"),
            )


class Entities(NamedTuple):
    """Columns of the ("entity", group type, entity type) rows."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0
    substitutions: Number = 0


class Groups(NamedTuple):
    """Columns of the ("group", group type) rows."""

    true_positives: Number = 0
    false_positives: Number = 0
    false_negatives: Number = 0


class Documents(NamedTuple):
    """Columns of the ("correct",) row: documents without any error."""

    correct: Number = 0


MatchedPair = tuple[str | None, Tokens | None, Tokens | None, Collection[Token], Collection[Token], Collection[Token]]
"""Group type (None: the ungrouped entities), predicted group, reference group, and their right, wrong and missed
tokens. A plain tuple: there is one for every group of a corpus."""

DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are JSON objects (see `docie.document`); a prediction that is not an object is the
    empty document and is counted in `invalid_predictions`. Raises DocumentError for a document that cannot be read.

    >>> counts = count({"menu": [{"nm": "Latte", "price": "4.50"}]}, {"menu": [{"nm": "Latte", "price": "4.80"}]})
    >>> counts.rows["entity", "menu", "menu.price"]  # true positives, false positives, false negatives, substitutions
    [0, 1, 1, 1]
    """
    entities: defaultdict[Key, list[Number]] = defaultdict(lambda: [*Entities()])
    groups: defaultdict[Key, list[Number]] = defaultdict(lambda: [*Groups()])
    pairs = list(_pairs(prediction, reference, settings))
    correct = True
    for group_type, predicted, expected, right, wrong, missed in pairs:
        for column, tokens in enumerate((right, wrong, missed)):
            for kind, _, _ in tokens:
                entities["entity", group_type, kind][column] += 1
        for kind, number in _substitutions(wrong, missed).items():
            entities["entity", group_type, kind][3] += number
        identical = predicted is not None and expected is not None and not wrong and not missed
        correct = correct and identical
        if group_type is not None:
            row = groups["group", group_type]
            row[0] += identical
            row[1] += predicted is not None and not identical
            row[2] += expected is not None and not identical
    invalid = int(not isinstance(prediction, Mapping))
    counts = Counts(1, invalid, {**entities, **groups, ("correct",): [int(correct)]})
    if settings.thresholds is not None:
        automation.add_bins(counts, _reviewed(pairs), settings.thresholds, correct=correct)
    return counts


def score(counts: Counts) -> dict[str, Number]:
    """The figures of counts: scores in [0, 1], and numbers of entities.

    Entity F1, precision and recall (equations 3 to 5) are micro averages over documents, groups and entity types,
    `entity_f1_macro` the mean of the F1 of the entity types found on either side; group figures are those of
    equation 7; `corrections` = substitutions + additions + deletions (8 to 11), `errors` = false positives + false
    negatives (table 3), `aligned` = TP / (TP + corrections) (12); `document_accuracy` is the share of documents without
    any error.

    >>> figures = score(count({"a": "1", "b": "2", "c": "4"}, {"a": "1", "b": "2", "c": "3"}))  # figure 3, scenario 2
    >>> round(figures["entity_f1"], 3), round(figures["aligned"], 3), figures["corrections"]
    (0.667, 0.667, 1)
    """
    types = counts.by("entity", 2, Entities)
    return {
        **_entity_scores(counts.total("entity", Entities)),
        "entity_f1_macro": macro_f1(types.values()),
        **_group_scores(counts.total("group", Groups)),
        "document_accuracy": ratio(counts.total("correct", Documents).correct, counts.documents, empty=1.0),
    }


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the entity figures of each entity type, with `support`, its number of reference entities;
    `per_group`: the group figures of each group type and the entity figures inside it, `support` in reference groups.

    >>> figures = breakdown(count({"menu": {"nm": "Latte"}}, {"menu": {"nm": "Latte"}, "company": "Kedai"}))
    >>> {kind: (row["entity_f1"], row["support"]) for kind, row in figures["per_entity"].items()}
    {'company': (0.0, 1), 'menu.nm': (1.0, 1)}
    """
    entities = counts.by("entity", 2, Entities)
    inside = counts.by("entity", 1, Entities)
    groups = counts.by("group", 1, Groups)
    return {
        "per_entity": {
            str(kind): {**_entity_scores(row), "support": row.true_positives + row.false_negatives}
            for kind, row in entities.items()
        },
        "per_group": {
            str(kind): {
                **_group_scores(row),
                **_entity_scores(inside.get(kind, Entities())),
                "support": row.true_positives + row.false_negatives,
            }
            for kind, row in groups.items()
        },
    }


def details(counts: Counts) -> dict[str, Any]:
    """What is no single figure: `automation`, one row of figures a threshold, if thresholds were counted."""
    total = counts.total("entity", Entities)
    rows = automation.table(counts, total.false_negatives - total.substitutions)
    return {"automation": rows} if rows else {}


def automation_curve(
    predictions: Iterable[object], references: Iterable[object], settings: Settings = DEFAULT
) -> automation.AutomationCurve:
    """The automation curve of a corpus (appendix C): thresholds, automation rates, aligned scores, from one sort.

    At a threshold, predicted entities with a lower confidence are reviewed: wrong ones are replaced or deleted, missed
    ones are not added. The aligned score at threshold 0 is `aligned`, and it never falls.

    >>> leaf = {"value": "4.50", "confidence": 0.6}
    >>> curve = automation_curve([{"price": leaf, "nm": "Latte"}], [{"price": "4.80", "nm": "Latte"}])
    >>> curve.thresholds.round(3).tolist(), curve.automation_rates.tolist(), curve.aligned.tolist()
    ([0.0, 0.6, 0.6], [1.0, 1.0, 0.5], [0.5, 0.5, 1.0])
    """
    reviewed = automation.Reviewed([], [], [])
    additions = 0
    for number, (prediction, reference) in enumerate(paired(predictions, references)):
        try:
            pairs = list(_pairs(prediction, reference, settings))
        except DocumentError as error:
            error.document = number
            raise
        for doubts, more in zip(reviewed, _reviewed(pairs), strict=True):
            doubts += more
        for *_, wrong, missed in pairs:
            additions += len(missed) - sum(_substitutions(wrong, missed).values())
    return automation.curve(reviewed, additions)


def _pairs(prediction: object, reference: object, settings: Settings) -> Iterator[MatchedPair]:
    """Every group once, with its counterpart, and the ungrouped entities as one special group."""
    read = partial(
        parse,
        normalize=settings.normalizer,
        ontology=settings.ontology,
        keep_empty_groups=settings.empty_groups == "count",
    )
    predicted, expected = read(prediction, "prediction"), read(reference, "reference")
    greedy, one_of = settings.matching == "greedy", expected.one_of
    for group_type in _group_types(predicted, expected):
        sides = (_groups(document, group_type) for document in (predicted, expected))
        for left, right in pair_groups(*sides, greedy=greedy, one_of=one_of):
            if left is None or right is None:
                yield group_type, left, right, (), (left or {}).keys(), (right or {}).keys()
            elif left.keys() == right.keys():
                yield group_type, left, right, left.keys(), (), ()
            else:
                yield group_type, left, right, *difference(left, right, one_of=one_of)


def _group_types(predicted: Document, expected: Document) -> list[str | None]:
    types: list[str | None] = [*sorted(predicted.groups.keys() | expected.groups.keys())]
    if predicted.ungrouped or expected.ungrouped:
        types.append(None)
    return types


def _groups(document: Document, group_type: str | None) -> list[Group]:
    return [document.ungrouped] if group_type is None else document.groups.get(group_type, [])


def _substitutions(wrong: Collection[Token], missed: Collection[Token]) -> dict[str, int]:
    """Equation 8: min(FP, FN) for each entity type."""
    if not wrong or not missed:
        return {}
    misses = types_of(missed)
    return {kind: min(number, misses[kind]) for kind, number in types_of(wrong).items() if kind in misses}


def _reviewed(pairs: Iterable[MatchedPair]) -> automation.Reviewed:
    reviewed = automation.Reviewed([], [], [])
    for _, predicted, _, right, wrong, missed in pairs:
        if predicted:
            reviewed.right.extend(predicted[token] for token in right)
            substituted, deleted = automation.split_wrong(predicted, wrong, missed)
            reviewed.substituted.extend(substituted)
            reviewed.deleted.extend(deleted)
    return reviewed


def _entity_scores(entities: Entities) -> dict[str, Number]:
    tp, fp, fn, substitutions = entities
    precision, recall, f1 = precision_recall_f1(tp, fp, fn)
    corrections = fp + fn - substitutions
    return {
        "entity_f1": f1,
        "entity_precision": precision,
        "entity_recall": recall,
        "aligned": ratio(tp, tp + corrections, empty=1.0),
        "corrections": corrections,
        "substitutions": substitutions,
        "additions": fn - substitutions,
        "deletions": fp - substitutions,
        "errors": fp + fn,
        "true_positives": tp,
        "false_positives": fp,
        "false_negatives": fn,
    }


def _group_scores(groups: Groups) -> dict[str, Number]:
    precision, recall, f1 = precision_recall_f1(*groups)
    return {"group_f1": f1, "group_precision": precision, "group_recall": recall}


def _entity_types(ontology: Iterable[str]) -> frozenset[str]:
    types = [] if isinstance(ontology, str) or not isinstance(ontology, Iterable) else list(ontology)
    if not types or not all(isinstance(kind, str) for kind in types):
        raise ValueError(f"ontology must be a list of entity types, got {shortened(ontology)}")
    return frozenset(types)
