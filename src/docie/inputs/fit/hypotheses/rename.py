"""Entity types and groups that the predictions and the references name differently."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from docie.core.matching.assignment import assign
from docie.core.phrases import some_of
from docie.documents.renaming import new_name
from docie.inputs.fit.change import LEAST, LISTED, Change, is_found
from docie.inputs.fit.sample import Key, Sample, types_of

MOST_NAMES = 1000
"""The number of names of a side, the most frequent ones, that may be others on the other side."""
RIVAL = 0.7
"""A second candidate comes near if it shares this share of the values that the first shares."""

_BETWEEN_WORDS = re.compile(r"[\s_-]+|:+$")
Documents = Sequence[tuple[Counter[Key], Counter[Key]]]
"""The values of documents, of the prediction and of the reference, whatever group they are in."""
Shared = Counter[tuple[str, str]]
"""The number of values that a type of the predictions and one of the references share, document by document."""


def propose_spelling(sample: Sample) -> Iterator[Change]:
    """The one change of all names that differ in their spelling only: nothing else is as certain."""
    one_sided = _one_sided(support := types_of(sample.flat))
    if all(one_sided):
        yield from _changes(sample, _with_groups(_spelled(_shared(sample.flat, *one_sided), one_sided), support))


def propose(sample: Sample) -> Iterator[Change]:
    """The one change of all names, if names of the predictions are others of the references."""
    yield from _changes(sample, names_of(sample))


def _changes(sample: Sample, names: dict[str, str]) -> Iterator[Change]:
    if not names:
        return
    rename = {"predictions.rename": names}
    after = sample.under(rename)
    gained = after.agreed - sample.agreed
    concerned = sum(
        min(_total(types, root) for types, root in zip(sample.types, pair, strict=True)) for pair in names.items()
    )
    is_style = all(_spelling(old) == _spelling(new) for old, new in names.items())
    if is_found(gained, concerned) or (is_style and gained > 0):
        listed = some_of((f"{predicted!r} for {expected!r}" for predicted, expected in names.items()), LISTED)
        text = f"the predictions have other names than the references: {listed}"
        yield Change("rename", rename, concerned, gained, text, after)


def names_of(sample: Sample, *, is_certain: bool = True) -> dict[str, str]:
    """From names that only the predictions have to the names that only the references have: groups first.

    If only some documents have other names, these are looked at by themselves.

    Args:
        sample: the sample.
        is_certain: whether two names must share enough, and none other may come near; else they are the best pairs.
            Names that differ in their spelling only need one shared value.
    """
    if names := _names_in(sample.flat, is_certain):
        return names
    alone = sample.types[0].keys() - sample.types[1].keys()
    some = [pair for pair in sample.flat if any(name in alone for name, _ in pair[0])]
    return _names_in(some, is_certain) if len(some) < len(sample.flat) else {}


def _names_in(documents: Documents, is_certain: bool) -> dict[str, str]:
    one_sided = _one_sided(support := types_of(documents))
    if not all(one_sided):
        return {}
    shared = _shared(documents, *one_sided)
    spelled = _spelled(shared, one_sided)
    style = _with_groups(spelled, support)
    known = {*spelled}, {*spelled.values()}
    shared = Counter({pair: n for pair, n in shared.items() if pair[0] not in known[0] and pair[1] not in known[1]})
    groups = _groups(shared, support)
    names = _assigned(groups, is_certain, *(_totals(support[side], {pair[side] for pair in groups}) for side in (0, 1)))
    rest = Counter({pair: number for pair, number in shared.items() if _is_open(pair, names, support)})
    return style | {old: new for old, new in names.items() if old not in style} | _assigned(rest, is_certain, *support)


def _one_sided(support: tuple[Counter[str], Counter[str]]) -> tuple[set[str], ...]:
    """The names that only one side has, of each."""
    return tuple(
        set([name for name, _ in mine.most_common() if name not in other and _can_be_written(name)][:MOST_NAMES])
        for mine, other in (support, support[::-1])
    )


def _can_be_written(name: str) -> bool:
    """Whether `rename` can name a type: keys may be empty, or have the sign that it puts between two names."""
    return "=" not in name and all(name.removesuffix(".").split("."))


def _spelling(name: str) -> str:
    """What is the same for names that differ in their spelling only.

    >>> _spelling("Line Items.Unit-Price:") == _spelling("lineItems.unit_price"), _spelling("Total.")
    (True, 'total')
    """
    parts = name.rstrip(".").split(".")
    return ".".join(_BETWEEN_WORDS.sub("", part).casefold() for part in parts)


def _spelled(shared: Shared, one_sided: Sequence[set[str]]) -> dict[str, str]:
    """The pairs of names that differ in their spelling only, if each is the only one, and they share a value.

    Of several pairs those that share none are another spelling, too, where half of them share one.
    """
    spellings: tuple[defaultdict[str, list[str]], ...] = defaultdict(list), defaultdict(list)
    for names, by_spelling in zip(one_sided, spellings, strict=True):
        for name in sorted(names):
            by_spelling[_spelling(name)].append(name)
    pairs = [
        (old[0], new[0])
        for key, old in spellings[0].items()
        if key.strip(".") and len(old) == len(new := spellings[1].get(key, [])) == 1 and not new[0].endswith(".")
    ]
    sharing = [pair for pair in pairs if shared[pair]]
    return dict(pairs if 2 * len(sharing) >= len(pairs) else sharing)


def _with_groups(names: Mapping[str, str], support: tuple[Counter[str], Counter[str]]) -> dict[str, str]:
    """The names with those of their groups, and without what follows from these."""
    result: dict[str, str] = {}
    for old, new in sorted(names.items()):
        parts = [old] if old.endswith(".") else old.split("."), new.split(".")
        for depth in range(1, len(parts[0])):
            root, other = (".".join(each[:depth]) for each in parts)
            if new_name(root, result) != other and root not in result and not _is_of_both((root, other), support):
                result[root] = other
        if new_name(old, result) != new:
            result[old] = new
    return result


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


def _shared(documents: Documents, predicted: set[str], expected: set[str]) -> Shared:
    """The number of values that each of these types of the predictions shares with each of the references."""
    shared: Shared = Counter()
    for prediction, reference in documents:
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
    `items.item` in `items`, beside a name such as `items.type` of one side alone."""
    is_nested = _is_in(*pair) or _is_in(*pair[::-1])
    return any(
        _is_in(name, pair[side]) and not _is_in(name, pair[1 - side])
        for side in (0, 1)
        for name in support[1 - side]
        if not is_nested or name in support[side]
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
    for row, column in zip(*assign(table), strict=True):
        number = int(table[row, column])
        rival = max(np.delete(table[row], column).max(initial=0), np.delete(table[:, column], row).max(initial=0))
        least = min(predicted[rows[row]], expected[columns[column]])
        enough = number >= LEAST and 2 * number >= least and rival < RIVAL * number
        if enough or (number and not is_certain):
            found[rows[row]] = columns[column]
    return found
