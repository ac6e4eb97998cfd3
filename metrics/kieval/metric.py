"""KIEval: entity and group F1 in structure, correction cost, and the automation curve.

Source: Khang, Jung, Park and Hong, "KIEval: Evaluation Metric for Document Key Information Extraction" (2025).
Predicted groups are matched with reference groups first; then entities are compared within matched groups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from docie.core.counts import Counts, Key, Number, Outcomes, Row, macro_f1, ratio
from docie.core.errors import errors_of_document
from docie.documents.document import Document, parse_document
from docie.documents.multisets import Token, Tokens, compare_tokens, count_types
from docie.metrics.kieval import absent, automation, weighing
from docie.metrics.kieval.evidence import scores as evidence
from docie.metrics.kieval.hints import Hints
from docie.metrics.kieval.matching import Places, pair_groups
from docie.metrics.kieval.options import Settings
from docie.metrics.kieval.weighing import Entities

NAME, INPUTS = "kieval", ("document",)


@dataclass(slots=True)
class Documents(Row):
    """Column of the ("correct",) row: documents without any error."""

    correct: Number = 0


class Comparison(NamedTuple):
    """A predicted group and the reference group that it is compared with; one of them may be None.

    Attributes:
        group_type: their type; None for the ungrouped values.
        predicted, expected: their tokens.
        correct, incorrect: the tokens of the predicted group.
        missing: tokens of the reference group.
        places: their places in the documents.
    """

    group_type: str | None
    predicted: Tokens | None
    expected: Tokens | None
    correct: Collection[Token]
    incorrect: Collection[Token]
    missing: Collection[Token]
    places: Places

    @property
    def is_identical(self) -> bool:
        """Whether both groups are there, and have the same values."""
        return self.predicted is not None and self.expected is not None and not self.incorrect and not self.missing


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT, hints: Hints | None = None) -> Counts:
    """Count one document.

    Args:
        prediction (dict): the predicted document, a JSON object (see `docie.documents`). Anything else is scored as the
            empty document and counted in `invalid_predictions`.
        reference (dict): the reference document.
        settings (Settings): the options.
        hints (Hints): inspects the differences in the document.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if a document cannot be read.

    >>> counts = count({"menu": [{"nm": "Latte", "price": "4.50"}]}, {"menu": [{"nm": "Latte", "price": "4.80"}]})
    >>> Entities(*counts.rows["entity", "menu", "menu.price"])
    Entities(true_positives=0, false_positives=1, false_negatives=1, substitutions=1)
    """
    predicted, expected = parsed(prediction, reference, settings)
    comparisons = [*compare(predicted, expected, settings)]
    if hints is not None:
        hints.note(comparisons)
    rows = rows_of(comparisons, expected, settings, (prediction, reference))
    return Counts.of_document(rows, valid=isinstance(prediction, Mapping))


def rows_of(
    comparisons: Sequence[Comparison], reference: Document, settings: Settings, documents: tuple[object, object]
) -> dict[Key, Row]:
    """The rows of one document, from the comparisons of its groups with those of the reference, and both as given."""
    by_group: defaultdict[str | None, defaultdict[str, Entities]] = defaultdict(lambda: defaultdict(Entities))
    groups: defaultdict[Key, Outcomes] = defaultdict(Outcomes)
    is_correct = True
    for each in comparisons:
        by_type = by_group[each.group_type]
        for entity_type, _, _ in each.correct:
            by_type[entity_type].true_positives += 1
        for entity_type, _, _ in each.incorrect:
            by_type[entity_type].false_positives += 1
        for entity_type, _, _ in each.missing:
            by_type[entity_type].false_negatives += 1
        for entity_type, number in _substitutions(each).items():
            by_type[entity_type].substitutions += number
        is_identical = each.is_identical
        is_correct = is_correct and is_identical
        if each.group_type is not None:
            row = groups["group", each.group_type]
            row.true_positives += is_identical
            row.false_positives += each.predicted is not None and not is_identical
            row.false_negatives += each.expected is not None and not is_identical
    entities: dict[Key, Entities] = {
        ("entity", group_type, entity_type): row
        for group_type, by_type in by_group.items()
        for entity_type, row in by_type.items()
    }
    rows: dict[Key, Row] = {**entities, **groups, ("correct",): Documents(int(is_correct))}
    if settings.weight_of is not None or settings.costs is not None:
        rows |= weighing.rows_of(entities, settings.weight_of, settings.costs)
    if settings.thresholds is not None:
        rows |= automation.rows_of(_confidences(comparisons), settings.thresholds, is_correct=is_correct)
    if reference.nulls or settings.declared:
        rows |= absent.rows_of(comparisons, reference, settings)
    if settings.asked_evidence is not None:
        rows |= evidence.rows_of(comparisons, documents, settings)
    return rows


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float or int: fractions in [0, 1], and numbers of entities:

        * `entity_f1`, `entity_precision`, `entity_recall` (equations 3 to 5): micro averages over documents, groups and
          entity types; `entity_f1_macro`: the mean F1 of all entity types;
        * `group_f1`, `group_precision`, `group_recall` (7);
        * `substitutions`, `additions`, `deletions`, and `corrections`, their sum (8 to 11); `aligned` = TP / (TP +
          corrections) (12); `errors` = false positives + false negatives (table 3);
        * `true_positives`, `false_positives`, `false_negatives`;
        * `document_accuracy`: the share of documents without any error;
        * with weights, `weighted_entity_f1` and `weighted_aligned`: as `entity_f1` and `aligned`, with each entity
          weighted by its type; with costs, `correction_cost` and `correction_cost_per_document`, in their unit;
        * where references, the ontology or the schema say that values are absent, `absent`, their number,
          `false_alarms`, those of them that were predicted, and `absent_accuracy`, the share of the others;
        * with evidence, G being the number of correct values that are grounded, `grounded_precision` = G / predicted
          values with evidence, `grounded_recall` = G / reference values with evidence, `grounded_f1` = 2G / the sum of
          both, and `evidence_share` = predicted values with evidence / all predicted values. A correct value is
          grounded if the reference has evidence, and on every page the boxes of both cover areas whose intersection
          over union is at least the asked one, or if both name the same pages. An incorrect value never is, nor is a
          value whose reference has no evidence.

    >>> figures = score(count({"a": "1", "b": "2", "c": "4"}, {"a": "1", "b": "2", "c": "3"}))  # figure 3, scenario 2
    >>> round(figures["entity_f1"], 3), round(figures["aligned"], 3), figures["corrections"]
    (0.667, 0.667, 1)
    """
    return {
        **_entity_scores(counts.total("entity", Entities)),
        "entity_f1_macro": macro_f1(counts.by("entity", 2, Entities).values()),
        **_group_scores(counts.total("group", Outcomes)),
        "document_accuracy": ratio(counts.total("correct", Documents).correct, counts.documents, empty=1.0),
        **weighing.figures(counts),
        **absent.figures(counts),
        **evidence.figures(counts),
    }


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each entity type and of each group type.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity`, from each entity type to its entity scores (with costs also `correction_cost`, with
        evidence its scores) and `support`, its number of reference entities;
        `per_group`, from each group type to its group scores, the entity scores inside these groups, and `support`, its
        number of reference groups; and where values are absent `per_absent_field`, from each entity type to its
        `absent_accuracy`, `false_alarms`, and `support`, the number of its absent values.

    >>> figures = breakdown(count({"menu": {"nm": "Latte"}}, {"menu": {"nm": "Latte"}, "company": "Kedai"}))
    >>> {entity_type: (row["entity_f1"], row["support"]) for entity_type, row in figures["per_entity"].items()}
    {'company': (0.0, 1), 'menu.nm': (1.0, 1)}
    """
    inside, of_absent = counts.by("entity", 1, Entities), absent.table(counts)
    costs, grounded = weighing.costs_by_type(counts), evidence.by_type(counts)
    return {
        "per_entity": {
            str(entity_type): {
                **_entity_scores(row),
                **costs.get(entity_type, {}),
                **grounded.get(entity_type, {}),
                "support": row.support,
            }
            for entity_type, row in counts.by("entity", 2, Entities).items()
        },
        "per_group": {
            str(group_type): {
                **_group_scores(row),
                **_entity_scores(inside.get(group_type, Entities())),
                "support": row.support,
            }
            for group_type, row in counts.by("group", 1, Outcomes).items()
        },
        **({"per_absent_field": of_absent} if of_absent else {}),
    }


def details(counts: Counts) -> dict[str, Any]:
    """The extra results for options.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `automation`, a list with the scores at each threshold, if there are thresholds.
    """
    total = counts.total("entity", Entities)
    rows = automation.table(counts, total.false_negatives - total.substitutions)
    return {"automation": rows} if rows else {}


def curve_of(documents: Iterable[tuple[object, object]], settings: Settings) -> automation.AutomationCurve:
    """The automation curve of documents, each prediction with its reference.

    Raises:
        DocumentError: if a document cannot be read.
    """
    confidences = automation.Confidences([], [], [])
    additions = 0
    for number, (prediction, reference) in enumerate(documents):
        with errors_of_document(number):
            comparisons = comparisons_of(prediction, reference, settings)
        for total, more in zip(confidences, _confidences(comparisons), strict=True):
            total += more
        additions += sum(len(each.missing) - sum(_substitutions(each).values()) for each in comparisons)
    return automation.curve(confidences, additions)


def parsed(prediction: object, reference: object, settings: Settings) -> tuple[Document, Document]:
    """The two documents that are compared."""
    options: dict[str, Any] = {
        "normalize": settings.normalizer,
        "ontology": settings.ontology,
        "keep_empty_groups": settings.empty_groups == "count",
    }
    return parse_document(prediction, "prediction", **options), parse_document(reference, "reference", **options)


def comparisons_of(prediction: object, reference: object, settings: Settings) -> list[Comparison]:
    """Every group of two documents once, compared with its counterpart."""
    return [*compare(*parsed(prediction, reference, settings), settings)]


def compare(prediction: Document, reference: Document, settings: Settings) -> Iterator[Comparison]:
    """Every group once, compared with its counterpart; the ungrouped entities are one special group."""
    is_greedy, rules = settings.matching == "greedy", settings.rules
    for group_type in _group_types(prediction, reference):
        pairs = pair_groups(prediction, reference, group_type, is_greedy=is_greedy, rules=rules)
        for predicted, expected, places in pairs:
            correct: Collection[Token] = ()
            incorrect: Collection[Token] = ()
            missing: Collection[Token] = ()
            if predicted is None or expected is None:
                incorrect, missing = (predicted or {}).keys(), (expected or {}).keys()
            elif predicted.keys() == expected.keys():
                correct = predicted.keys()
            else:
                correct, incorrect, missing = compare_tokens(
                    predicted, expected, with_one_of=reference.has_one_of, rules=rules
                )
            yield Comparison(group_type, predicted, expected, correct, incorrect, missing, places)


def _group_types(predicted: Document, expected: Document) -> list[str | None]:
    types: list[str | None] = [*sorted(predicted.groups.keys() | expected.groups.keys())]
    if predicted.ungrouped or expected.ungrouped:
        types.append(None)
    return types


def _substitutions(comparison: Comparison) -> dict[str, int]:
    """Equation 8: min(FP, FN) for each entity type."""
    if not comparison.incorrect or not comparison.missing:
        return {}
    missing_types = count_types(comparison.missing)
    return {
        entity_type: min(number, missing_types[entity_type])
        for entity_type, number in count_types(comparison.incorrect).items()
        if entity_type in missing_types
    }


def _confidences(comparisons: Iterable[Comparison]) -> automation.Confidences:
    confidences = automation.Confidences([], [], [])
    for each in comparisons:
        if each.predicted:
            confidences.correct.extend(each.predicted[token] for token in each.correct)
            substituted, deleted = automation.split_incorrect(each.predicted, each.incorrect, each.missing)
            confidences.substituted.extend(substituted)
            confidences.deleted.extend(deleted)
    return confidences


def _entity_scores(row: Entities) -> dict[str, Number]:
    precision, recall, f1 = row.scores
    return {
        "entity_f1": f1,
        "entity_precision": precision,
        "entity_recall": recall,
        "aligned": ratio(row.true_positives, row.true_positives + row.corrections, empty=1.0),
        "corrections": row.corrections,
        "substitutions": row.substitutions,
        "additions": row.additions,
        "deletions": row.deletions,
        "errors": row.false_positives + row.false_negatives,
        "true_positives": row.true_positives,
        "false_positives": row.false_positives,
        "false_negatives": row.false_negatives,
    }


def _group_scores(row: Outcomes) -> dict[str, Number]:
    precision, recall, f1 = row.scores
    return {"group_f1": f1, "group_precision": precision, "group_recall": recall}
