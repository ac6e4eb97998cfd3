"""KIEval, explained: every value in the groups that KIEval compares, and the corrections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from docie.core.explanation import Explanation, Fields, Group, Pair, pairs_of, place_of, tally, verdict_of
from docie.core.phrases import counted, figure, in_words, verb
from docie.core.rules.match import Rules
from docie.core.values.plain import NO_CONFIDENCE, key_text
from docie.documents.leaves import LocatedConfidence
from docie.documents.multisets import Token, counterparts
from docie.metrics.kieval import pairs as matched
from docie.metrics.kieval.corrections import ErrorRow, located_of, rows_of_pairs, shown_reference
from docie.metrics.kieval.metric import DEFAULT, count, score
from docie.metrics.kieval.options import Settings


class RightValue(NamedTuple):
    """A predicted value that is correct.

    Attributes:
        entity_type: the type of the value.
        reference, prediction: both values as they stand in the documents. They may differ where a normalizer or a match
            rule holds them equal; of alternatives, `reference` is the one most similar to the prediction.
        confidence, box, page: those of the predicted value; None if it has none.
    """

    entity_type: str
    reference: str
    prediction: str
    confidence: float | None = None
    box: Any = None
    page: Any = None


class AlignedGroups(NamedTuple):
    """Two groups that KIEval compares, or one without a counterpart.

    Attributes:
        group_type: the type of the groups; None for the values outside of all groups.
        predicted_group, reference_group: their numbers, as in `ErrorRow`.
        entities: every value, in the order of the reference. What only the prediction has stands behind the value that
            it follows there.
    """

    group_type: str | None
    predicted_group: int | None
    reference_group: int | None
    entities: list[RightValue | ErrorRow]


Places = tuple[LocatedConfidence | None, LocatedConfidence | None]
"""Where a value stands in the predicted and in the reference group."""


def aligned_groups(
    prediction: object, reference: object, settings: Settings | None = None, *, document: str | int = 0
) -> list[AlignedGroups]:
    """All values of a document, right or wrong, in the groups that KIEval compares.

    Args:
        prediction (dict): the predicted document.
        reference (dict): the reference document.
        settings (Settings): the options of KIEval; None for the defaults.
        document (str or int): what the error rows say as `document`.

    Returns:
        list of AlignedGroups: the values outside of all groups first, then the groups in the order of the reference.
        The error rows in them are those of `error_rows`.

    Raises:
        DocumentError: for a document that cannot be read.

    >>> prediction = {"shop": "Kedai", "menu": [{"nm": "Latte", "price": "4.80"}]}
    >>> reference = {"shop": "Kedai", "menu": [{"nm": "Tea"}, {"nm": "Latte", "price": "4.50"}]}
    >>> for groups in aligned_groups(prediction, reference):
    ...     print(groups.group_type, groups.reference_group, groups.predicted_group, len(groups.entities))
    None None None 1
    menu 0 None 1
    menu 1 0 2
    """
    settings = Settings() if settings is None else settings
    pairs = matched.pairs_of(prediction, reference, settings)
    rows = rows_of_pairs(pairs, document)
    aligned = [_aligned(pair, rows, settings.rules) for pair in pairs]
    order = _order_of_keys(reference, prediction)
    return sorted(aligned, key=lambda groups: -1 if groups.group_type is None else order[groups.group_type])


def _order_of_keys(*documents: object) -> dict[str, int]:
    """The place of each key at the root, in the first document that has it."""
    keys = [key_text(key) for document in documents if isinstance(document, Mapping) for key in document]
    return {key: place for place, key in enumerate(dict.fromkeys(keys))}


def _aligned(pair: matched.Pair, rows: Iterator[ErrorRow], rules: Rules | None) -> AlignedGroups:
    """All values of a pair. Its rows are the next ones."""
    entities: list[tuple[Places, RightValue | ErrorRow]] = [*_right_values(pair, rules)]
    for _, wrong, missed in pair.differences():
        entities.append(((located_of(pair.predicted, wrong), located_of(pair.expected, missed)), next(rows)))
    return AlignedGroups(pair.group_type, pair.predicted_group, pair.reference_group, _in_order(entities))


def _right_values(pair: matched.Pair, rules: Rules | None) -> Iterator[tuple[Places, RightValue]]:
    if not pair.right:
        return
    missed: set[Token] = {*pair.added, *(token for _, token in pair.substituted)}
    found = (pair.expected or {}).keys() - missed
    for token, counterpart in counterparts(pair.right, found, rules=rules).items():
        predicted, expected = located_of(pair.predicted, token), located_of(pair.expected, counterpart)
        if predicted is not None and expected is not None:
            prediction = str(predicted.value)
            confidence = None if predicted == NO_CONFIDENCE else float(predicted)
            reference = shown_reference(expected, prediction) or ""
            value = RightValue(token[0], reference, prediction, confidence, predicted.box, predicted.page)
            yield (predicted, expected), value


def _in_order(entities: list[tuple[Places, RightValue | ErrorRow]]) -> list[RightValue | ErrorRow]:
    """By the place in the reference; what is not there goes behind what it follows in the prediction."""
    by_prediction = sorted(
        (predicted.position, -1 if expected is None else expected.position)
        for (predicted, expected), _ in entities
        if predicted is not None
    )
    before, behind = -1, {}
    for place, counterpart in by_prediction:
        before = before if counterpart < 0 else counterpart
        behind[place] = before

    def place_of(entity: tuple[Places, RightValue | ErrorRow]) -> tuple[int, int]:
        predicted, expected = entity[0]
        if expected is not None:
            return expected.position, -1
        return (behind[predicted.position], predicted.position) if predicted is not None else (-1, -1)

    return [value for _, value in sorted(entities, key=place_of)]


ACTIONS = {"substitution": "to replace", "addition": "to add", "deletion": "to delete"}
UNGROUPED = "Values outside of groups"


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """All values of a document, right or wrong, in the groups that KIEval compares.

    Source: as `count`; equations 8 to 11 name the corrections.

    Args:
        prediction (dict): as in `count`.
        reference (dict): as in `count`.
        settings (Settings): the options.

    Returns:
        Explanation: as many correct pairs as true positives; incorrect, missing and spurious: substitutions, additions
        and deletions. The note of an error begins with its kind, one of `KINDS`. Correct ones have the credit 1.

    Raises:
        DocumentError: as in `count`.

    >>> prediction = {"shop": "Kedai", "menu": [{"nm": "Latte", "price": "4.80"}]}
    >>> reference = {"shop": "Kedai", "menu": [{"nm": "Tea"}, {"nm": "Latte", "price": "4.50"}]}
    >>> for pair in explain(prediction, reference).pairs:
    ...     print(pair.group, pair.entity_type, pair.verdict, pair.note)
     shop right
    menu[0] nm missed missed, to add
    menu[1] nm right
    menu[1] price wrong value, to replace
    """
    figures = score(count(prediction, reference, settings))
    groups = [_group(aligned) for aligned in aligned_groups(prediction, reference, settings)]
    return Explanation(_sentence(figures), pairs_of(groups), [Fields("Side by side", groups, noun="value")])


def _group(aligned: AlignedGroups) -> Group:
    group_type, name, note = aligned.group_type, "", ""
    if group_type is not None:
        name, note = place_of(group_type, aligned.predicted_group, aligned.reference_group)
    pairs = [_pair(value, name, f"{group_type}.") for value in aligned.entities]
    found = tally(pairs)
    todo = in_words(*zip((found.wrong, found.missed, found.invented), ACTIONS.values(), strict=True), empty="")
    numbers = f"{found.right:,} of {found.expected:,} correct" + (f" · {todo}" if todo else "")
    return Group(name or UNGROUPED, pairs, numbers, note)


def _pair(value: RightValue | ErrorRow, group: str, prefix: str) -> Pair:
    is_right = isinstance(value, RightValue)
    note = "" if value.confidence is None else f"confidence {value.confidence:.3g}"
    if isinstance(value, ErrorRow):
        note = ", ".join(filter(None, [value.kind, ACTIONS[value.operation], note]))
    verdict = verdict_of(value.prediction, value.reference, is_right=is_right)
    name = value.entity_type.removeprefix(prefix)
    return Pair(group, name, value.prediction, value.reference, verdict, float(is_right), note)


def _sentence(figures: Mapping[str, float]) -> str:
    right = int(figures["true_positives"])
    expected = right + int(figures["false_negatives"])
    f1 = figure(figures["entity_f1"])
    if not figures["corrections"]:
        return f"All {counted(right, 'value')} are correct in their place: entity F1 is {f1}."
    names = (("substitutions", "to replace"), ("additions", "to add"), ("deletions", "to delete"))
    todo = in_words(*((figures[name], action) for name, action in names))
    return (
        f"{right:,} of {counted(expected, 'value')} {verb(right)} correct in {verb(right, 'its', 'their')} place; "
        f"{counted(int(figures['corrections']), 'correction')} left, {todo}: entity F1 is {f1}."
    )
