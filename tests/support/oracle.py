"""KIEval as a textbook would write it: every matching is tried, nothing is shared with the package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from operator import eq
from typing import Any, NamedTuple

Multiset = Counter[tuple[str, Any]]
Equal = Callable[[str, str], bool]
"""Whether a predicted and a reference value are the same."""


class Totals(NamedTuple):
    tp: int = 0
    fp: int = 0
    fn: int = 0
    substitutions: int = 0
    group_tp: int = 0
    group_fp: int = 0
    group_fn: int = 0
    correct: int = True


def read(document: Any) -> tuple[Multiset, dict[str, list[Multiset]]]:
    """Ungrouped entities and groups; a one-of tuple stays a tuple."""
    ungrouped: Multiset = Counter()
    groups: dict[str, list[Multiset]] = {}
    for key, value in document.items() if isinstance(document, dict) else ():
        for element in _flat(value):
            if isinstance(element, dict) and set(element) != {"value", "confidence"}:
                group = Counter(_entities(element, key))
                if group:
                    groups.setdefault(key, []).append(group)
            else:
                ungrouped.update(_entities({key: element}, ""))
    return ungrouped, groups


def _entities(value: dict[str, Any], path: str) -> list[tuple[str, Any]]:
    entities: list[tuple[str, Any]] = []
    for key, child in value.items():
        full = key if not path or key.startswith(path.split(".")[0] + ".") else f"{path}.{key}"
        for element in _flat(child):
            if isinstance(element, dict) and set(element) == {"value", "confidence"}:
                element = element["value"]
            if isinstance(element, dict):
                entities += _entities(element, full)
            elif element not in (None, "", ()):
                entities.append((full, element))
    return entities


def _flat(value: Any) -> list[Any]:
    return [inner for element in value for inner in _flat(element)] if isinstance(value, list) else [value]


def shared(predicted: Multiset, reference: Multiset, equal: Equal = eq) -> Multiset:
    """The right predicted entities, with their numbers: a maximum one-to-one matching (Kuhn's algorithm)."""
    predictions, references = list(predicted.elements()), list(reference.elements())
    partner: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        predicted_type, value = predictions[i]
        for j, (entity_type, answer) in enumerate(references):
            answers = answer if isinstance(answer, tuple) else (answer,)
            if j not in seen and predicted_type == entity_type and any(equal(value, each) for each in answers):
                seen.add(j)
                if j not in partner or augment(partner[j], seen):
                    partner[j] = i
                    return True
        return False

    for i in range(len(predictions)):
        augment(i, set())
    return Counter((predictions[i][0], "") for i in partner.values())


def pair(predicted: Multiset | None, reference: Multiset | None, equal: Equal = eq) -> Totals:
    """The counts of one matched pair, or of a group without a counterpart."""
    hits = _types(shared(predicted or Counter(), reference or Counter(), equal))
    n, m = _types(predicted or Counter()), _types(reference or Counter())
    fp, fn = n - hits, m - hits
    identical = predicted is not None and reference is not None and not fp and not fn
    return Totals(
        hits.total(),
        fp.total(),
        fn.total(),
        (fp & fn).total(),
        int(identical),
        int(predicted is not None and not identical),
        int(reference is not None and not identical),
        identical,
    )


def _types(multiset: Multiset) -> Counter[str]:
    return sum((Counter({entity_type: number}) for (entity_type, _), number in multiset.items()), Counter[str]())


def match(predicted: list[Multiset], reference: list[Multiset], equal: Equal = eq) -> list[Totals]:
    """The best of all matchings of min(N, M) pairs: most identical entities, fewest corrections, most identical."""
    best: tuple[tuple[int, int, int], list[Totals]] | None = None
    longer, shorter = (predicted, reference) if len(predicted) >= len(reference) else (reference, predicted)
    for choice in permutations(range(len(longer)), len(shorter)):
        pairs = []
        for position, chosen in enumerate(choice):
            groups = longer[chosen], shorter[position]
            pairs.append(pair(*(groups if longer is predicted else groups[::-1]), equal))
        unmatched = [group for position, group in enumerate(longer) if position not in choice]
        pairs += [pair(group, None) if longer is predicted else pair(None, group) for group in unmatched]
        key = (
            sum(counts.tp for counts in pairs),
            -sum(counts.fp + counts.fn - counts.substitutions for counts in pairs),
            sum(counts.group_tp for counts in pairs),
        )
        if best is None or key > best[0]:
            best = key, pairs
    return best[1] if best else []


def totals(prediction: Any, reference: Any, equal: Equal = eq) -> Totals:
    """The counts of a document."""
    (ungrouped, groups), (expected_ungrouped, expected_groups) = read(prediction), read(reference)
    pairs = [pair(ungrouped, expected_ungrouped, equal)._replace(group_tp=0, group_fp=0, group_fn=0)]
    for name in groups.keys() | expected_groups.keys():
        pairs += match(groups.get(name, []), expected_groups.get(name, []), equal)
    sums = [sum(numbers) for numbers in zip(*(counts[:-1] for counts in pairs), strict=True)]
    return Totals(*sums)._replace(correct=all(counts.correct for counts in pairs))


Pairs = list[tuple[int, int]]


def best_pairs(predicted: Sequence[str], expected: Sequence[Sequence[str]], equal: Equal) -> Pairs:
    """Of all one-to-one matchings of equal values the largest, most similar, first one; references have alternatives."""

    def similarity_of(row: int, column: int) -> Fraction:
        return max(similarity(predicted[row], each) for each in expected[column] if equal(predicted[row], each))

    def key(pairs: Pairs) -> tuple[Any, ...]:
        rows, columns = [row for row, _ in pairs], sorted(column for _, column in pairs)
        return -len(pairs), -sum(similarity_of(*pair) for pair in pairs), rows, columns

    def fits(row: int, column: int) -> bool:
        return any(equal(predicted[row], each) for each in expected[column])

    def matchings(row: int, free: frozenset[int]) -> Iterator[Pairs]:
        if row == len(predicted):
            yield []
            return
        yield from matchings(row + 1, free)
        for column in free:
            if fits(row, column):
                yield from ([(row, column), *rest] for rest in matchings(row + 1, free - {column}))

    return min(matchings(0, frozenset(range(len(expected)))), key=key)


def similarity(one: str, other: str) -> Fraction:
    return 1 - Fraction(_distance(one, other), max(len(one), len(other)))


def _distance(one: str, other: str) -> int:
    """Levenshtein's, by its recursion."""
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return _distance(one[1:], other[1:])
    return 1 + min(_distance(one[1:], other), _distance(one, other[1:]), _distance(one[1:], other[1:]))
