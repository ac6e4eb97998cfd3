"""KIEval's measurements.

The official implementation is on no package index. The textbook loop does the same: it compares every value of every
pair of groups. It reads only the generated documents, checks nothing and has no rule for ties. The kernel is what no
KIEval can avoid: reading the entities, counting them, one assignment for the groups of each type.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import cases
import numpy as np
from scipy.optimize import linear_sum_assignment

from docie import kieval

REFERENCE = "textbook loop"
Group = list[tuple[str, str]]
"""The entities of a group: (entity type, text)."""


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    through_corpus = {
        "corpus.evaluate": cases.through_corpus(kieval),
        "corpus.evaluate, a match rule": cases.through_corpus(kieval, match="similar(0.9)"),
    }
    with_thresholds = cases.through_corpus(kieval, thresholds=[0.5, 0.8, 0.9, 0.95])
    with_options = {
        "corpus.evaluate, 4 thresholds": with_thresholds,
        "evaluate.compute": cases.through_evaluate("kieval"),
    }
    comparisons = {"textbook loop": textbook, "kernel": cases.pair_by_pair(kernel)}
    return {
        **cases.rows({**through_corpus, **with_options, **comparisons}, cases.receipts(documents)),
        **cases.rows({**through_corpus, **comparisons}, cases.groups(10, 100, 1000)),
    }


def groups_of(document: dict[str, Any]) -> dict[str, list[Group]]:
    """The groups of a generated document, by group type."""
    groups: dict[str, list[Group]] = {}
    for group_type, value in document.items():
        for item in value if isinstance(value, list) else [value]:
            entities = [(key, text) for key, text in item.items() if isinstance(text, str)]
            groups.setdefault(group_type, []).append([*entities, *item.get("menu.sub", {}).items()])
    return groups


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    predicted, expected = groups_of(prediction), groups_of(reference)
    for group_type in predicted.keys() & expected.keys():
        Counter(entity for group in predicted[group_type] for entity in group)
        Counter(entity for group in expected[group_type] for entity in group)
        if len(predicted[group_type]) * len(expected[group_type]) > 1:
            linear_sum_assignment(np.eye(len(predicted[group_type]), len(expected[group_type])), maximize=True)


def textbook(pairs: list[cases.Pair]) -> cases.Work:
    def run() -> Counter[tuple[str, str]]:
        totals: Counter[tuple[str, str]] = Counter()
        for prediction, reference in pairs:
            predicted, expected = groups_of(prediction), groups_of(reference)
            for group_type in predicted.keys() | expected.keys():
                for pair in matched(predicted.get(group_type, []), expected.get(group_type, [])):
                    count_pair(*pair, group_type, totals)
        return totals

    return run


def matched(predicted: list[Group], expected: list[Group]) -> list[tuple[Group, Group]]:
    """The groups of one type in pairs with most identical entities. A missing counterpart is the empty group."""
    shared = np.array([[count_shared(group, expected_group) for expected_group in expected] for group in predicted])
    rows, columns = linear_sum_assignment(shared.reshape(len(predicted), len(expected)), maximize=True)
    pairs = [(predicted[row], expected[column]) for row, column in zip(rows, columns, strict=True)]
    pairs += [(group, []) for number, group in enumerate(predicted) if number not in rows]
    return pairs + [([], group) for number, group in enumerate(expected) if number not in columns]


def count_pair(predicted: Group, expected: Group, group_type: str, totals: Counter[tuple[str, str]]) -> None:
    """Count true and false positives, false negatives and substitutions of each entity type, and the pair itself."""
    wrong, missed = list(predicted), []
    for entity in expected:
        if entity in wrong:
            wrong.remove(entity)
            totals[entity[0], "true positives"] += 1
        else:
            missed.append(entity)
    for entity_type in {entity_type for entity_type, _ in wrong + missed}:
        false_positives, false_negatives = (sum(entity_type == name for name, _ in side) for side in (wrong, missed))
        totals[entity_type, "false positives"] += false_positives
        totals[entity_type, "false negatives"] += false_negatives
        totals[entity_type, "substitutions"] += min(false_positives, false_negatives)
    totals[group_type, "identical groups" if not wrong and not missed else "other groups"] += 1


def count_shared(predicted: Group, expected: Group) -> int:
    """The number of entities that two groups share."""
    rest = list(expected)
    for entity in predicted:
        if entity in rest:
            rest.remove(entity)
    return len(expected) - len(rest)
