"""Entity types and groups that the predictions and the references name differently."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from docie.core.matching.assignment import best_assignment
from docie.core.names import as_texts
from docie.core.phrases import some_of
from docie.documents.fit.change import LEAST, Change, is_found
from docie.documents.fit.sample import Sample

MOST_NAMES = 1000
"""The number of names of a side, the most frequent ones, that may be others on the other side."""
LISTED = 3
"""The number of names that a sentence lists."""
RIVAL = 0.7
"""A second candidate comes near if it shares this share of the values that the first shares."""

Shared = Counter[tuple[str, str]]
"""The number of values that a type of the predictions and one of the references share, document by document."""


def renames(sample: Sample) -> Iterator[Change]:
    """The one change of all names, if names of the predictions are others of the references."""
    names = names_of(sample)
    if not names:
        return
    rename = as_texts(names)
    after = sample.under(rename=rename)
    gained = after.agreed - sample.agreed
    concerned = sum(
        min(_total(types, root) for types, root in zip(sample.types, pair, strict=True)) for pair in names.items()
    )
    if is_found(gained, concerned):
        listed = some_of((f"{predicted!r} for {expected!r}" for predicted, expected in names.items()), LISTED)
        text = f"the predictions have other names than the references: {listed}"
        yield Change("rename", {"rename": rename}, concerned, gained, text, after)


def names_of(sample: Sample, *, is_certain: bool = True) -> dict[str, str]:
    """From names that only the predictions have to the names that only the references have: groups first.

    Args:
        sample: the sample.
        is_certain: whether two names must share enough, and none other may come near; else they are the best pairs.
    """
    support = sample.types
    one_sided = tuple(
        set([name for name, _ in mine.most_common() if name not in other and _can_be_written(name)][:MOST_NAMES])
        for mine, other in (support, support[::-1])
    )
    if not all(one_sided):
        return {}
    shared = _shared(sample, *one_sided)
    groups = _groups(shared, support)
    names = _assigned(groups, is_certain, *(_totals(support[side], {pair[side] for pair in groups}) for side in (0, 1)))
    rest = Counter({pair: number for pair, number in shared.items() if _is_open(pair, names, support)})
    return names | _assigned(rest, is_certain, *support)


def _can_be_written(name: str) -> bool:
    """Whether `rename` can name a type: keys may be empty, or have the sign that it puts between two names."""
    return "=" not in name and all(name.split("."))


def _is_open(pair: tuple[str, str], groups: dict[str, str], support: tuple[Counter[str], Counter[str]]) -> bool:
    """Whether two types may be renamed by themselves: renamed groups do not part them, nor give one a counterpart."""
    for roots in groups.items():
        is_inside = [_is_in(name, root) for name, root in zip(pair, roots, strict=True)]
        if all(is_inside):
            counterparts = roots[1] + pair[0][len(roots[0]) :], roots[0] + pair[1][len(roots[1]) :]
            return counterparts[0] not in support[1] and counterparts[1] not in support[0]
        if any(is_inside):
            return False
    return True


def _is_in(name: str, group: str) -> bool:
    return name == group or name.startswith(group + ".")


def _shared(sample: Sample, predicted: set[str], expected: set[str]) -> Shared:
    """The number of values that each of these types of the predictions shares with each of the references."""
    shared: Shared = Counter()
    for prediction, reference in sample.flat:
        by_text: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for (name, text), number in reference.items():
            if name in expected:
                by_text[text].append((name, number))
        for (name, text), number in prediction.items():
            if name in predicted:
                for other, times in by_text.get(text, ()):
                    shared[name, other] += min(number, times)
    return shared


def _groups(shared: Shared, support: tuple[Counter[str], Counter[str]]) -> Shared:
    """The number of values that groups with one-sided names share under equal names inside of them."""
    groups: Shared = Counter()
    for (predicted, expected), number in shared.items():
        one, other = predicted.split("."), expected.split(".")
        for length in range(1, min(len(one), len(other))):
            roots = ".".join(one[:-length]), ".".join(other[:-length])
            if one[-length:] == other[-length:] and one[-length - 1] != other[-length - 1]:
                groups[roots] += number
    return Counter({pair: number for pair, number in groups.items() if not _is_of_both(pair, support)})


def _is_of_both(pair: tuple[str, str], support: tuple[Counter[str], Counter[str]]) -> bool:
    """Whether one of two groups has names of its own on both sides, and so no other name. One may be in the other, as
    `items.item` in `items`."""
    return any(
        _is_in(name, pair[side]) and not _is_in(name, pair[1 - side]) for side in (0, 1) for name in support[1 - side]
    )


def _totals(support: Counter[str], roots: set[str]) -> Counter[str]:
    """The number of values in each group."""
    return Counter({root: _total(support, root) for root in roots})


def _total(support: Counter[str], root: str) -> int:
    return sum(number for name, number in support.items() if _is_in(name, root))


def _assigned(shared: Shared, is_certain: bool, predicted: Counter[str], expected: Counter[str]) -> dict[str, str]:
    """The pairs of names of the assignment that shares most; the certain ones share enough and have no near rival."""
    if not shared:
        return {}
    rows, columns = (sorted({pair[side] for pair in shared}) for side in (0, 1))
    table = np.array([[shared[row, column] for column in columns] for row in rows])
    found = {}
    for row, column in zip(*best_assignment(lambda kinds: table[kinds], *map(np.arange, table.shape)), strict=True):
        number = int(table[row, column])
        rival = max(np.delete(table[row], column).max(initial=0), np.delete(table[:, column], row).max(initial=0))
        least = min(predicted[rows[row]], expected[columns[column]])
        enough = number >= LEAST and 2 * number >= least and rival < RIVAL * number
        if enough or (number and not is_certain):
            found[rows[row]] = columns[column]
    return found
