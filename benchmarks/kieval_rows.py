"""KIEval's measurements.

The official implementation is on no package index; what it does, comparing every value of every pair of groups, stands
here as the textbook loop. It reads only the generated documents, checks nothing and breaks ties as they fall. The
kernel is what no KIEval can avoid: reading the entities, counting them, one assignment for the groups of each type.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import cases
import numpy as np
from scipy.optimize import linear_sum_assignment

from docie import kieval

REFERENCE = "textbook loop"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    ours = {
        "corpus.evaluate": cases.ours(kieval),
        "corpus.evaluate, 4 thresholds": cases.ours(kieval, thresholds=[0.5, 0.8, 0.9, 0.95]),
        "evaluate.compute": cases.through_evaluate("kieval"),
    }
    others = {"textbook loop": textbook, "kernel": cases.each(kernel)}
    single = {"corpus.evaluate": ours["corpus.evaluate"], **others}
    return {
        **cases.rows({**ours, **others}, cases.receipts(documents)),
        **cases.rows(single, cases.groups(10, 100, 1000)),
    }


def groups_of(document: dict[str, Any]) -> dict[str, list[list[tuple[str, str]]]]:
    """The groups of a generated document, as lists of entities."""
    found: dict[str, list[list[tuple[str, str]]]] = {}
    for name, value in document.items():
        for item in value if isinstance(value, list) else [value]:
            entities = [(key, text) for key, text in item.items() if isinstance(text, str)]
            found.setdefault(name, []).append([*entities, *item.get("menu.sub", {}).items()])
    return found


def kernel(prediction: dict[str, Any], reference: dict[str, Any]) -> None:
    left, right = groups_of(prediction), groups_of(reference)
    for name in left.keys() & right.keys():
        Counter(entity for group in left[name] for entity in group)
        Counter(entity for group in right[name] for entity in group)
        if len(left[name]) * len(right[name]) > 1:
            linear_sum_assignment(np.eye(len(left[name]), len(right[name])), maximize=True)


def textbook(pairs: list[cases.Pair]) -> cases.Work:
    def run() -> Counter[tuple[str, str]]:
        totals: Counter[tuple[str, str]] = Counter()
        for prediction, reference in pairs:
            left, right = groups_of(prediction), groups_of(reference)
            for name in left.keys() | right.keys():
                for one, other in matched(left.get(name, []), right.get(name, [])):
                    count_pair(one, other, name, totals)
        return totals

    return run


def matched(left: list[Any], right: list[Any]) -> list[tuple[Any, Any]]:
    """The groups of one type in pairs, [] for a missing counterpart; most identical entities, ties as they fall."""
    shared = np.array([[in_common(group, other) for other in right] for group in left]).reshape(len(left), len(right))
    rows, columns = linear_sum_assignment(shared, maximize=True)
    pairs = [(left[row], right[column]) for row, column in zip(rows, columns, strict=True)]
    pairs += [(group, []) for number, group in enumerate(left) if number not in rows]
    return pairs + [([], group) for number, group in enumerate(right) if number not in columns]


def count_pair(group: list[tuple[str, str]], other: list[tuple[str, str]], name: str, totals: Counter[Any]) -> None:
    """True and false positives, false negatives and substitutions of each type, and the group's own."""
    wrong, missed = list(group), []
    for entity in other:
        if entity in wrong:
            wrong.remove(entity)
            totals[entity[0], "true positives"] += 1
        else:
            missed.append(entity)
    for kind in {kind for kind, _ in wrong + missed}:
        false_positives, false_negatives = (sum(kind == other for other, _ in side) for side in (wrong, missed))
        totals[kind, "false positives"] += false_positives
        totals[kind, "false negatives"] += false_negatives
        totals[kind, "substitutions"] += min(false_positives, false_negatives)
    totals[name, "identical groups" if not wrong and not missed else "other groups"] += 1


def in_common(group: list[tuple[str, str]], other: list[tuple[str, str]]) -> int:
    rest = list(other)
    for entity in group:
        if entity in rest:
            rest.remove(entity)
    return len(other) - len(rest)
