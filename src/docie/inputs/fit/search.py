"""The search for changes of how rows are read under which more values agree.

Source: none; hypotheses are compared by their effect on the number of values that find an equal counterpart. A change
is found if at least LEAST values, and at least half of those that it concerns, find a counterpart that they had not;
of changes that explain the same values the one with the fewest options is found. Changes are searched one after
another, each with those before it made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, product
from typing import Any, NamedTuple

from docie.inputs.fit.change import LEAST, NEARLY_ALL, Change, is_found
from docie.inputs.fit.hypotheses import (
    beside,
    by_column,
    failures,
    formats,
    leaf,
    numbering,
    placeholders,
    records,
    rename,
    truths,
    unwrap,
)
from docie.inputs.fit.hypotheses.unwrap import has_groups
from docie.inputs.fit.ids import Joined, joins, may_be_scored, of_pages, present, tries
from docie.inputs.fit.item_rows import of_items
from docie.inputs.fit.rows import SideRows, is_id_name, row_lists
from docie.inputs.fit.sample import SIDES, Sample
from docie.inputs.fit.told import alone, ambiguous, contains, order, rows, scale, signs, split
from docie.inputs.opened import keyed_rows
from docie.inputs.reading import ANY_KEY, Reading, Side
from docie.inputs.row import Row

MOST = 12
"""The number of changes that are searched at most."""

SEARCHES: tuple[tuple[Callable[[Sample], Iterable[Change]], ...], ...] = (
    (failures.propose,),
    (rename.propose_spelling,),
    (unwrap.propose, leaf.propose),
    (records.propose, rename.propose),
    (numbering.propose, beside.propose),
    (by_column.propose,),
    (formats.propose, placeholders.propose, truths.propose),
)
"""What is searched: where documents stand before what is in them, and formats last, of values that are compared."""

TELLS: tuple[Callable[[Sample], Iterable[Change]], ...] = (
    order.propose,
    split.propose,
    scale.propose,
    signs.propose,
    contains.propose,
    rows.propose,
    ambiguous.propose,
    alone.propose,
)
"""What is told of values that no change gives a counterpart: no option does, or only one that a person must judge."""


def search(sample: Sample, most: int = MOST) -> Iterator[Change]:
    """The changes under which more values of a sample agree, each with those before it made.

    Args:
        sample: the sample.
        most: the number of changes that are searched at most.
    """
    for _ in range(most if sample.pairs else 0):
        best = next(filter(None, map(partial(_best, sample), SEARCHES)), None)
        if best is None:
            return
        yield best
        sample = best.sample


def _first(sample: Sample) -> Change | None:
    return next(search(sample, most=1), None)


def _best(sample: Sample, searches: Iterable[Callable[[Sample], Iterable[Change]]]) -> Change | None:
    """The change that explains most; of those that explain nearly as much, the one with the fewest options."""
    found = [change for each in searches for change in each(sample)]
    most = max((change.gained for change in found), default=0)
    near = (change for change in found if change.gained >= NEARLY_ALL * most)
    return min(near, key=lambda change: (change.number_of_options, -change.gained), default=None)


class Fit(NamedTuple):
    """How references and predictions fit together.

    Attributes:
        join: how their rows are joined at present.
        sample: rows as they are joined and read at present.
        changes: what would make more values agree, each with those before it made.
    """

    join: Joined
    sample: Sample
    changes: list[Change]


def fit(predictions: SideRows, references: SideRows, reading: Reading, **equality: Any) -> Fit:
    """Search for changes of how the rows of two sides are joined and read.

    Args:
        predictions, references: all rows.
        reading: how they are read at present.
        **equality: the options in use that say when values are equal, as a `Sample` has them.
    """
    now = present(predictions, references, reading)
    sample = now.sample(predictions, references, reading)
    changes = _of_row_lists(predictions, references, reading, sample)
    changes = changes or list(of_pages(predictions, references, reading))
    changes = changes or list(of_items(predictions, references, reading, _first))
    changes = changes or list(joins(predictions, references, reading, now))
    if not changes and (repeated := list(tries(predictions, references, reading))):
        return Fit(now, sample, repeated)
    if not changes and not may_be_scored(now, reading):
        return Fit(now, sample, [])
    joined = replace(changes[-1].sample if changes else sample, **equality)
    changes += (found := [*search(joined)])
    last = found[-1].sample if found else joined
    changes += chain.from_iterable(tell(last) for tell in TELLS)
    return Fit(now, sample, changes)


def _of_row_lists(predictions: SideRows, references: SideRows, reading: Reading, sample: Sample) -> list[Change]:
    """The change to rows that stand in a list, where all documents of a side are in one object."""
    lists: list[dict[str, Any]] = [{"": None, **row_lists(rows), **_keyed(rows)} for rows in (predictions, references)]
    best: list[Change] = []
    alone = _first(sample) if all(len(each) > 1 for each in lists) else None
    for places in product(*lists):
        if not any(places):
            continue
        inner_predictions, inner_references = (
            rows if listed[place] is None else _listed(listed[place])
            for rows, listed, place in zip((predictions, references), lists, places, strict=True)
        )
        join = present(inner_predictions, inner_references, reading)
        then = list(joins(inner_predictions, inner_references, reading, join))
        found = then[-1].sample if then else join.sample(inner_predictions, inner_references, reading)
        deeper = next(unwrap.propose(found), None) if found.pairs and not found.agreed else None
        found = deeper.sample if deeper else found
        gained = found.agreed - sample.agreed
        if all(places) and all(map(_are_documents, (inner_predictions, inner_references))):
            gained = abs(gained) and found.agreed  # all documents agreed in one group, or none did
        elif all(places) and alone is not None and gained <= alone.gained:
            continue  # groups of one document
        if (then or join.is_whole) and is_found(gained, found.size) and (not best or gained > best[0].gained):
            options = {f"{side}s.unwrap": place for side, place in zip(SIDES, places, strict=True) if place}
            for option, path in (deeper.reading if deeper else {}).items():
                options[option] = f"{options[option]}.{path}" if option in options else path
            listed_at = " and ".join(f"{place!r}" for place in dict.fromkeys(options.values()))
            text = f"the documents stand in a list, at {listed_at} of one object"
            if ANY_KEY in places:
                text = "the documents stand under the keys of one object, or the only key of each row: their ids"
            best = [Change("unwrap", options, found.size, gained, text, found), *then]
    return best


def _keyed(rows: SideRows) -> dict[str, list[Row]]:
    """The rows of one object, or of objects with one key each, whose keys may be their ids."""
    if rows.size > 1 and not all(len(keyed_rows(each)) == 1 for each in rows.first):
        return {}
    found = [row for each in rows.take(range(rows.size)) for row in keyed_rows(each)]
    return {ANY_KEY: found} if len({row.id for row in found}) == len(found) >= LEAST else {}


def _listed(values: list[Any]) -> SideRows:
    rows = [each if isinstance(each, Row) else Row(each) for each in values]
    return SideRows(lambda how: rows, Side())


def _are_documents(rows: SideRows) -> bool:
    """Whether the objects of a list look like documents: they have ids, or groups of their own."""
    return any(map(has_groups, rows.first)) or any(map(is_id_name, rows.columns))
