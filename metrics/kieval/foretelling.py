"""How long KIEval will take with two documents."""

from __future__ import annotations

from collections import Counter
from itertools import chain

from docie.core.cost import DOCUMENT, comparing_texts
from docie.documents import Group, OneOf, parse_document, seconds_of_rules
from docie.metrics.kieval.assignment import ONE_TABLE
from docie.metrics.kieval.matching import SMALL
from docie.metrics.kieval.options import Settings

ENTITY, ONE_OF, GROUP, TABLE, SHARED, GROUP_PAIR = 2e-6, 2e-5, 5e-6, 4e-4, 5e-8, 6e-8
"""Seconds: of an entity, of alternatives, of a group, of a group type with a table, of two groups that share a value,
and of two groups in a table."""


def seconds(prediction: object, reference: object, settings: Settings) -> float:
    """Roughly the seconds of counting two documents."""
    predicted, expected = parse_document(prediction, "prediction"), parse_document(reference, "reference")
    total = DOCUMENT + ENTITY * sum(map(len, chain(predicted.parts(), expected.parts())))
    total += ONE_OF * sum(isinstance(value, OneOf) for part in expected.parts() for _, value, _ in part)
    total += GROUP * sum(map(len, chain(predicted.groups.values(), expected.groups.values())))
    for group_type in predicted.groups.keys() & expected.groups.keys():
        total += _pairing(predicted.groups[group_type], expected.groups[group_type], settings)
    if settings.rules:
        total += seconds_of_rules(predicted.ungrouped, expected.ungrouped, settings.rules)
    if settings.thresholds is not None:
        texts = ([str(value) for _, value, _ in document.ungrouped] for document in (predicted, expected))
        total += 10 * comparing_texts(*texts)
    return total


def _pairing(predicted: list[Group], expected: list[Group], settings: Settings) -> float:
    """The seconds of pairing the groups of one type."""
    rules = settings.rules
    rest = predicted if rules else _without_identical(predicted, expected)  # identical groups are taken out first
    share = len(rest) / len(predicted) if predicted else 0.0
    cells = len(rest) * len(expected) * share
    if cells <= SMALL:
        return 0.0
    first, second = map(_numbers, (rest, expected))
    shared = share * sum(number * second[token] for token, number in first.items())
    is_table = cells <= ONE_TABLE or shared > cells / 20
    total = TABLE + SHARED * shared
    total += seconds_of_rules(list(chain(*predicted)), list(chain(*expected)), rules) if rules else 0.0
    return total + GROUP_PAIR * (cells if is_table and settings.matching == "optimal" else 0)


def _without_identical(predicted: list[Group], expected: list[Group]) -> list[Group]:
    """The predicted groups that the reference does not have."""
    known = set(map(_key, expected))
    return [group for group in predicted if _key(group) not in known]


def _key(group: Group) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((entity_type, str(value)) for entity_type, value, _ in group))


def _numbers(groups: list[Group]) -> Counter[tuple[str, str]]:
    """In how many groups a value stands."""
    return Counter(
        (entity_type, answer)
        for group in groups
        for entity_type, value, _ in group
        for answer in (value.alternatives if isinstance(value, OneOf) else (value,))
    )
