"""The matching of predicted groups and reference groups (Khang et al., KIEval, section 4.1)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from docie.core.rules.match import Rules
from docie.documents.document import Document, Group
from docie.documents.multisets import Token, Tokens, count_shared, has_one_of, sort_key, tokens_of
from docie.metrics.kieval.assignment import GroupPairs, best_pairs, best_pairs_of_few, greedy_pairs

GroupPair = tuple[Tokens | None, Tokens | None]
"""A predicted group and the reference group that it is compared with; None without a counterpart."""
SMALL = 144  # up to this many pairs of groups are weighed one by one


def pair_groups(
    predicted: Document,
    expected: Document,
    group_type: str | None,
    *,
    is_greedy: bool,
    rules: Rules | None = None,
) -> Iterator[GroupPair]:
    """Pair the groups of one group type. The ungrouped entities (group type None) are one special group.

    The optimal matching has the most identical entities, then the fewest corrections, then the most identical groups.
    It does not depend on the order of groups. The greedy one pairs groups by the highest number of identical entities;
    on ties, the first reference group, then the first predicted group.

    Returns:
        Every group once: the pairs, then the groups without a counterpart.
    """
    has_confidences = predicted.has_confidences or expected.has_confidences
    predictions = _groups_of(predicted, group_type, is_greedy=is_greedy, has_confidences=has_confidences)
    references = _groups_of(expected, group_type, is_greedy=is_greedy, has_confidences=has_confidences)
    with_one_of = expected.has_one_of and has_one_of(references)
    if not is_greedy and not with_one_of and not rules and len(predictions) * len(references) > 1:
        # Some optimal matching pairs identical groups with each other, whatever the rest (exchange argument). To take
        # them out first makes documents of 1,000 groups 1.7 times as fast, and receipts 1.1 times.
        yield from _take_identical(predictions, references)
    pairs = _assign(predictions, references, is_greedy=is_greedy, with_one_of=with_one_of, rules=rules)
    for row, column in pairs:
        yield predictions[row], references[column]
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    yield from ((group, None) for row, group in enumerate(predictions) if row not in rows)
    yield from ((None, group) for column, group in enumerate(references) if column not in columns)


def _groups_of(document: Document, group_type: str | None, *, is_greedy: bool, has_confidences: bool) -> list[Tokens]:
    """The groups of a type, as tokens; sorted, unless the matching is greedy."""
    groups = [document.ungrouped] if group_type is None else document.groups.get(group_type, [])
    if has_confidences:
        groups = [sorted(group, key=sort_key) for group in groups]
    elif len(groups) > 1:  # the order of entities matters only to the order of groups
        groups = [sorted(group) for group in groups]
    if not is_greedy and len(groups) > 1:
        groups.sort(key=_sort_key_of_group if has_confidences else None)
    return list(map(tokens_of, groups))


def _sort_key_of_group(group: Group) -> list[tuple[object, ...]]:
    return list(map(sort_key, group))


def _take_identical(predictions: list[Tokens], references: list[Tokens]) -> Iterator[GroupPair]:
    """Pair equal groups, in order, and remove them from both lists."""
    waiting: defaultdict[frozenset[Token], list[Tokens]] = defaultdict(list)
    for group in reversed(references):
        waiting[frozenset(group)].append(group)
    rest = []
    for group in predictions:
        equal_groups = waiting.get(frozenset(group))
        if equal_groups:
            yield group, equal_groups.pop()
        else:
            rest.append(group)
    predictions[:] = rest
    unpaired = {id(group) for groups in waiting.values() for group in groups}
    references[:] = [group for group in references if id(group) in unpaired]


def _assign(
    predictions: list[Tokens], references: list[Tokens], *, is_greedy: bool, with_one_of: bool, rules: Rules | None
) -> GroupPairs:
    if not predictions or not references:
        return []
    if len(predictions) == len(references) == 1:
        return [(0, 0)]
    if len(predictions) * len(references) <= SMALL and not (is_greedy or with_one_of or rules):
        return best_pairs_of_few(predictions, references)
    shared = count_shared(predictions, references, with_one_of=with_one_of, rules=rules)
    if is_greedy:
        return greedy_pairs(shared)
    return best_pairs(predictions, references, shared, is_exact=not with_one_of and not rules)
