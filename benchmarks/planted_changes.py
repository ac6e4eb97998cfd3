"""Cases for `docie check`: documents in which one change or two are planted, and documents in which none is.

    cases(2000)        planted changes, each with the rows that a user hands over, and the sound ones
    negatives(600)     unchanged documents, and answers that are merely bad

Every case has a name, which makes it again: `make("cord/one-type-longer@predictions+folders@references/0")`. Cases
are made from seeds, one after the other. A change is planted only if at least three of the values that it concerns, and
half of them, are right. Nothing of docie is imported.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, islice, pairwise, zip_longest
from typing import Any, NamedTuple

from planted_drafts import SIDES, Draft, Planted
from planted_sources import Document, Item, Path_, mapped, misread, source, source_names, values
from plants import KINDS, PLANTS

LARGEST = 100  # documents of a case
SINGLES, WRONG = 4, (0.2, 0.6)


class Case(NamedTuple):
    """Two sides as a user hands them over, and as they are meant.

    Attributes:
        name: what makes the case again.
        planted: the changes, none in a negative.
        references, predictions: the rows as they are written.
        sound_references, sound_predictions: the rows as they are meant, of the documents that both sides have.
    """

    name: str
    planted: list[Planted]
    references: list[Any]
    predictions: list[Any]
    sound_references: list[Any]
    sound_predictions: list[Any]


def cases(number: int, sources: Iterable[str] = ()) -> Iterator[Case]:
    """So many cases with planted changes, of all sources if none is named: half with one change, half with two."""
    return islice(filter(None, map(make, names(sources))), number)


def negatives(number: int, sources: Iterable[str] = ()) -> Iterator[Case]:
    """So many cases without a planted change: of each source one that is unchanged, then bad extractors."""
    return islice(filter(None, map(make, negative_names(sources))), number)


def names(sources: Iterable[str] = ()) -> Iterator[str]:
    """The names of all cases that may be made, one change and two in turns; not all of them can be planted."""
    sources = list(sources) or source_names()
    where = [f"{name}@{side}" for name, plant in PLANTS.items() for side in plant.sides]
    single = [(each, one, seed) for seed in range(SINGLES) for each in sources for one in where]
    pairs = [
        (each, f"{one}+{two}", 0) for each in sources for one, two in combinations(where, 2) if _kind(one) != _kind(two)
    ]
    for one, two in zip_longest(_in_turns(single), _in_turns(pairs)):
        yield from filter(None, (one, two))


def _in_turns(wanted: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """The names of cases in random order, of all hypotheses in turns."""
    by_hypothesis: dict[tuple[str, ...], list[str]] = {}
    for each, what, seed in wanted:
        kinds = tuple(sorted(_kind(change) for change in what.split("+")))
        by_hypothesis.setdefault(kinds, []).append(f"{each}/{what}/{seed}")
    for candidates in by_hypothesis.values():
        random.Random(0).shuffle(candidates)
    for turn in zip_longest(*by_hypothesis.values()):
        yield from filter(None, turn)


def negative_names(sources: Iterable[str] = ()) -> Iterator[str]:
    """The names of negatives, without an end."""
    sources = list(sources) or source_names()
    yield from (f"{each}/unchanged/0" for each in sources)
    seed = 0
    while True:
        yield from (f"{each}/{what}/{seed}" for each in sources for what in BAD)
        seed += 1


def make(name: str) -> Case | None:
    """The case with this name; None if its changes cannot be planted there."""
    where, what, _ = name.split("/")
    dice = random.Random(name)
    items = source(where)
    if what == "unchanged":
        items = items[: LARGEST * 10]
    else:
        items = dice.sample(items, min(len(items), dice.randint(20, LARGEST)))
    if what in BAD:
        items = BAD[what](items, dice)
    draft, planted = Draft(items), list[Planted]()
    if what != "unchanged" and what not in BAD:
        for change in sorted(what.split("+"), key=lambda change: KINDS.index(_kind(change))):
            plant, _, side = change.partition("@")
            done = PLANTS[plant].put(draft, side, dice)
            if done is None:
                return None
            planted.append(done)
    written, sound = ({side: rows(side) for side in SIDES} for rows in (draft.rows, draft.sound_rows))
    return Case(name, planted, written["references"], written["predictions"], sound["references"], sound["predictions"])


def _kind(change: str) -> str:
    return PLANTS[change.partition("@")[0]].kind


# bad extractors


def with_wrong_values(items: list[Item], dice: random.Random) -> list[Item]:
    """20 to 60 % of the values are those of other documents, or misread."""
    share = dice.uniform(*WRONG)
    others: dict[Path_, list[Any]] = {}
    for item in items:
        for path, value in values(item.reference):
            others.setdefault(path, []).append(value)

    def answer(path: Path_, value: Any) -> Any:
        if value is None or dice.random() >= share:
            return value
        return dice.choice(others[path]) if path in others and dice.random() < 0.5 else misread(value, dice)

    return [item._replace(prediction=mapped(item.prediction, answer)) for item in items]


def with_missing_values(items: list[Item], dice: random.Random) -> list[Item]:
    """20 to 60 % of the values are missing, and some types wholly."""
    share = dice.uniform(*WRONG)
    types = sorted({path for item in items for path, _ in values(item.prediction)})
    unknown = set(dice.sample(types, len(types) // 5))

    def answer(path: Path_, value: Any) -> Any:
        return None if path in unknown or dice.random() < share else value

    return [item._replace(prediction=mapped(item.prediction, answer)) for item in items]


def with_spurious_types(items: list[Item], dice: random.Random) -> list[Item]:
    """Each document has further fields, some types are missing, and values are wrong."""
    words = ("paid", "open", "net 30", "store 7", "n. 12", "thank you", "copy")
    names = dice.sample(("notes", "status", "terms", "reference_text", "cashier", "stamp"), dice.randint(1, 3))
    items = with_missing_values(items, dice) if dice.random() < 0.5 else with_wrong_values(items, dice)
    spurious: list[Document] = [{name: dice.choice(words) for name in names} for _ in items]
    return [item._replace(prediction={**item.prediction, **more}) for item, more in zip(items, spurious, strict=True)]


def with_lost_records(items: list[Item], dice: random.Random) -> list[Item]:
    """Line items are lost, repeated, or stand with the values of others."""
    share = dice.uniform(*WRONG)

    def answer(child: Any) -> Any:
        if not isinstance(child, list):
            return child
        kept = [each for each in child if dice.random() >= share / 2]
        kept += [each for each in kept if dice.random() < share / 3]
        for one, two in pairwise(kept):
            if isinstance(one, dict) and isinstance(two, dict) and dice.random() < share:
                name = dice.choice([*one])
                kept[kept.index(one)] = {**one, name: two.get(name)}
        return kept

    return [
        item._replace(prediction={name: answer(child) for name, child in item.prediction.items()}) for item in items
    ]


BAD = {
    "bad-values": with_wrong_values,
    "bad-missing": with_missing_values,
    "bad-types": with_spurious_types,
    "bad-records": with_lost_records,
}
