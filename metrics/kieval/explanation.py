"""KIEval, explained: every value in the groups that KIEval compares, and the corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docie.core.counts import Counts, Outcomes
from docie.core.explanation import (
    Explanation,
    Fields,
    Group,
    Pair,
    explained,
    no_document,
    pairs_of,
    place_of,
    tally,
    verdict_of,
)
from docie.core.phrases import amount, correct_of, counted, in_words
from docie.core.rules.match import Rules
from docie.core.scores import Headline, rounded
from docie.core.values.plain import key_text
from docie.documents.multisets import Token, counterparts
from docie.documents.value_pairs import places_in_pair
from docie.metrics.kieval import pairs as matched
from docie.metrics.kieval.absent import absent_in
from docie.metrics.kieval.corrections import CORRECT, ErrorRow, rows_of_pairs, shown_reference
from docie.metrics.kieval.evidence.scores import evidence_in
from docie.metrics.kieval.metric import DEFAULT, Documents
from docie.metrics.kieval.options import SCORES, Settings
from docie.metrics.kieval.weighing import Entities

UNGROUPED = "Values outside of groups"
_FURTHER = {
    "weighted_entity_f1": "entity_f1, with each value weighted by its type",
    "correction_cost_per_document": "mean cost of the corrections, in the unit of the costs",
    "minutes_per_100_documents": "time that the corrections take, from the seconds for one",
}


class Compared(NamedTuple):
    """A value of two groups: its token in the predicted and in the reference group, and its error."""

    predicted: Token | None
    expected: Token | None
    error: ErrorRow | None = None


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """All values of a document, correct or incorrect, in the groups that KIEval compares.

    The values outside groups come first, then the groups in the order of the reference, and in each the values in that
    order. A value that only the prediction has follows the value that it follows there.

    Source: as in `count`; equations 8 to 11 define the corrections.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: as many correct pairs as true positives; incorrect, missing and spurious ones: substitutions,
        additions and deletions. The kind of an error is one of `KINDS`; that of a correct value in the wrong place is
        "place". Correct pairs have the credit 1. If there are
        alternatives, the pair has the one most similar to the prediction.

    Raises:
        DocumentError: as in `count`.

    >>> prediction = {"shop": "Kedai", "menu": [{"nm": "Latte", "price": "4.80"}]}
    >>> reference = {"shop": "Kedai", "menu": [{"nm": "Tea"}, {"nm": "Latte", "price": "4.50"}]}
    >>> [(pair.group, pair.entity_type, pair.kind) for pair in explain(prediction, reference).pairs]
    [('', 'shop', ''), ('menu[0]', 'nm', 'missing'), ('menu[1]', 'nm', ''), ('menu[1]', 'price', 'value')]
    """
    sides = matched.sides_of(prediction, reference, settings)
    compared = matched.pairs_of(*sides, settings)
    both = groups_in_order(prediction, reference, compared, [*rows_of_pairs(compared, 0)])
    groups = [_group(pair, rows, settings.rules) for pair, rows in both]
    pairs = pairs_of(groups)
    correct, incorrect, missing, spurious = tally(pairs)
    f1 = Outcomes(correct, incorrect + spurious, incorrect + missing).scores.f1
    fields, problem = Fields("Side by side", groups), no_document(prediction)
    return explained(pairs, [fields], SCORES, {"entity_f1": f1}, "entity_f1", problem=problem)


def groups_in_order(
    prediction: object, reference: object, compared: Sequence[matched.Pair], errors: Sequence[Sequence[ErrorRow]]
) -> list[tuple[matched.Pair, Sequence[ErrorRow]]]:
    """Groups that were compared, with their errors: values outside of groups, then groups as the reference has them."""
    order = {None: -1} | _order_of_keys(reference, prediction)
    return sorted(zip(compared, errors, strict=True), key=lambda each: order[each[0].group_type])


def _order_of_keys(*documents: object) -> dict[str | None, int]:
    """The position of each key at the root, in the first document that has it."""
    keys = [key_text(key) for document in documents if isinstance(document, Mapping) for key in document]
    return {key: place for place, key in enumerate(dict.fromkeys(keys))}


def _group(compared: matched.Pair, rows: Sequence[ErrorRow], rules: Rules | None) -> Group:
    """All values of two groups; the rows are those of their differences."""
    group_type, name, note = compared.group_type, "", ""
    numbers = compared.predicted_group, compared.reference_group
    if group_type is not None:
        name, note = place_of(group_type, *numbers)
    pairs = [_pair(compared, value, name) for value in values_in_order(compared, rows, rules)]
    is_alone = group_type is not None and None in numbers
    return Group(name or UNGROUPED, pairs, note=note, is_alone=is_alone, type=group_type or "")


def _correct_values(compared: matched.Pair, rules: Rules | None) -> Iterator[Compared]:
    if not compared.correct:
        return
    missing: set[Token] = {*compared.added, *(token for _, token in compared.substituted)}
    found, misplaced = (compared.expected or {}).keys() - missing, {token for token, _ in compared.misplaced}
    for token, counterpart in counterparts(compared.correct, found, rules=rules).items():
        if token not in misplaced:
            yield Compared(token, counterpart)


def values_in_order(compared: matched.Pair, rows: Sequence[ErrorRow], rules: Rules | None) -> list[Compared]:
    """The values of two groups in the order of the reference; others follow those that precede them in the prediction.

    The rows are those of their differences.
    """
    values = [*_correct_values(compared, rules)]
    for (_, predicted, expected), row in zip(compared.errors(), rows, strict=True):
        values.append(Compared(predicted, expected, row))
    of_reference = {value.expected: value for value in values}
    in_order = [of_reference[token] for token in compared.expected_leaves]
    if len(in_order) == len(values):
        return in_order
    of_prediction = {value.predicted: value for value in values}
    behind: dict[Token | None, list[Compared]] = {None: []}
    before = None
    for token in compared.predicted_leaves:
        value = of_prediction[token]
        if value.expected is None:
            behind[before].append(value)
        else:
            before = value.expected
            behind.setdefault(before, [])
    return [*behind[None], *(each for value in in_order for each in (value, *behind.get(value.expected, ())))]


def _pair(compared: matched.Pair, value: Compared, group: str) -> Pair:
    predicted = None if value.predicted is None else compared.predicted_leaves[value.predicted]
    expected = None if value.expected is None else compared.expected_leaves[value.expected]
    entity_type, *_ = value.predicted or value.expected or ("",)
    kind = "" if value.error is None else value.error.kind
    prediction = None if predicted is None else str(predicted.written)
    reference = shown_reference(expected and expected.written, prediction)
    is_correct = kind in CORRECT
    verdict = verdict_of(prediction, reference, is_correct=is_correct)
    field, credit = entity_type.removeprefix(f"{compared.group_type}."), float(is_correct)
    if compared.has_places:
        places = places_in_pair(predicted, expected)
        return Pair(group, field, prediction, reference, verdict, credit, "", kind, **places)
    return Pair(
        group, field, prediction, reference, verdict, credit, "", kind, predicted and predicted.known_confidence
    )


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """The quality of values and of groups, the documents without an error, and the work that is left.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores, also those that were made from them, such as minutes.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.kieval import count, score
    >>> counts = count({"total": "9", "tax": "1"}, {"total": "9", "tax": "2"})
    >>> [each.sentence for each in headlines(counts, score(counts))][::2]
    ['1 of 2 values correct, 1 of 2 predicted is incorrect', '1 to replace: 1 a document']
    """
    values, groups = counts.total("entity", Entities), counts.total("group", Outcomes)
    yield Headline("entity_f1", correct_of(*_numbers(values), "value"))
    if groups.support or groups.false_positives:
        said = ", such as items, wholly correct"
        yield Headline("group_f1", correct_of(*_numbers(groups), "group", said))
    correct = counts.total("correct", Documents).correct
    yield Headline(
        "document_accuracy", f"{amount(correct)} of {counted(counts.documents, 'document')} without an error"
    )
    todo = (
        (figures["substitutions"], "to replace"),
        (figures["additions"], "to add"),
        (figures["deletions"], "to delete"),
    )
    mean = rounded(figures["corrections"] / max(counts.documents, 1), 1).removesuffix(".0")
    yield Headline("corrections", f"{in_words(*todo, empty='nothing to correct')}: {mean} a document")
    row = absent_in(counts)
    if row is not None and row.absent:
        left_out = f"{amount(row.absent - row.false_alarms)} of {counted(row.absent, 'absent value')} left out"
        yield Headline("absent_accuracy", f"{left_out}, {amount(row.false_alarms)} invented")
    evidence = evidence_in(counts)
    if evidence is not None:
        places = counted(evidence.expected, "place")
        said = f"{amount(evidence.grounded)} of {places} in the reference found with the correct value"
        yield Headline("grounded_f1", said if evidence.expected else "no value of the reference has evidence")
    for name, sentence in _FURTHER.items():
        if name in figures:
            yield Headline(name, sentence)


def _numbers(row: Outcomes | Entities) -> tuple[float, float, float]:
    return row.true_positives, row.false_positives, row.false_negatives
