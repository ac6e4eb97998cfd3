"""Rows of which each is an item of a document, not a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, groupby, product
from typing import Any, NamedTuple

from docie.inputs.fit.change import Change, is_found
from docie.inputs.fit.ids import joins, may_be_scored, present
from docie.inputs.fit.rows import SideRows, may_be_id
from docie.inputs.fit.sample import Sample
from docie.inputs.reading import BY_ROWS, SIDES, Reading
from docie.inputs.sources.item_rows import BLANK, is_flat, is_group

MOST_KEYS = 4
"""The number of columns that are tried as ids of documents."""


class _Found(NamedTuple):
    """Documents of rows of items: the options that ask for them, and how they are joined then."""

    options: dict[str, Any]
    sides: tuple[SideRows, SideRows]
    then: list[Change]
    sample: Sample
    has_ids: bool


def of_items(
    predictions: SideRows, references: SideRows, reading: Reading, first: Callable[[Sample], Change | None]
) -> Iterator[Change]:
    """The change to documents, where the rows of a side are their items.

    Args:
        predictions, references: all rows.
        reading: how they are read at present.
        first: gives the first change that is found in a sample, which is evidence where names differ.
    """
    keys = [[None, *_keys(*sides)] for sides in ((references, predictions), (predictions, references))]
    asked = [each for each in product(*keys) if any(each)]
    found = [each for pair in asked for each in _grouped(predictions, references, reading, pair)]
    best = max(found, key=lambda each: (each.has_ids and len(each.sample.pairs), each.sample.agreed), default=None)
    if best is None:
        return
    agreed = best.sample.agreed
    if not is_found(agreed, best.sample.size) and (
        any(map(_has_groups_in_items, best.sides)) or not (best.has_ids or first(best.sample))
    ):
        return
    which = [side for side, rows in zip(SIDES, best.sides[::-1], strict=True) if rows.how.has_item_rows]
    documents = " and ".join(f"{best.sides[side == SIDES[0]].size} documents" for side in which)
    names = " and ".join(dict.fromkeys(repr(rows.how.id_key) for rows in best.sides if rows.how.has_item_rows))
    text = f"the rows of the {' and '.join(which)} are items of {documents}, by {names}"
    yield Change("records", best.options, best.sample.size, agreed, text, best.sample)
    yield from best.then


def _grouped(
    predictions: SideRows, references: SideRows, reading: Reading, keys: tuple[str | None, ...]
) -> Iterator[_Found]:
    """The documents by these keys, of the references and of the predictions, if both sides can be joined then."""
    options, sides = dict[str, Any](), list[SideRows]()
    for side, rows, key in zip(SIDES, (references, predictions), keys, strict=True):
        own = {} if key is None else {"records": [*rows.how.records, BY_ROWS], "id": key}
        try:
            sides.append(rows.under(**own) if own else rows)
        except ValueError:  # a wrapper, or no id, further below
            return
        if key is not None:
            options |= {f"{side}.records": [BY_ROWS]} | ({} if key == rows.how.id_key else {f"{side}.id": key})
    expected, predicted = sides
    if not all(_has_groups(rows) for rows in sides):
        return
    after = reading.with_options(options)
    now = present(predicted, expected, after)
    then = list(joins(predicted, expected, after, now))
    has_ids = bool(then) or (now.keys is not None and may_be_scored(now, after))
    if has_ids or now.is_whole:
        sample = then[-1].sample if then else now.sample(predicted, expected, after)
        yield _Found(options, (predicted, expected), then, sample, has_ids)


def _keys(rows: SideRows, others: SideRows) -> list[str]:
    """The columns whose values may be those of documents, if rows may be items: the same in neighbouring rows."""
    key, first = rows.how.id_key, [row for row in rows.first if isinstance(row, dict)]
    has_ids = key in rows.columns or (first and key not in first[0])
    if rows.how.records or len(first) < len(rows.first) or (has_ids and rows.size <= others.size):
        return []
    if not all(map(is_flat, first)):
        return []
    found: dict[tuple[int, ...], str] = {}
    for name in [key, *first[0]] if first else ():
        values = [row.get(name) for row in first]
        sizes = _sizes(values) if all(map(_may_be_id, values)) else ()
        if 1 < len(sizes) < len(first) and sizes not in found:
            found[sizes] = str(name)
    return [*found.values()][:MOST_KEYS]


def _may_be_id(value: object) -> bool:
    return value in BLANK or may_be_id(value)


def _sizes(values: list[object]) -> tuple[int, ...]:
    """The numbers of rows of each document by these ids, which are blank where they repeat; none for no such ids."""
    filled: list[str] = []
    for value in values:
        if value not in BLANK:
            filled.append(str(value))
        elif filled:
            filled.append(filled[-1])
    runs = [(value, len([*run])) for value, run in groupby(filled)]
    is_whole = len(filled) == len(values) and len({value for value, _ in runs}) == len(runs)
    return tuple(size for _, size in runs) if is_whole else ()


def _has_groups(rows: SideRows) -> bool:
    """Whether some document has groups that rows of items may be: else several rows of an id are rather tries."""
    return any(is_group(value) for row in rows.first for value in _fields(row))


def _has_groups_in_items(rows: SideRows) -> bool:
    """Whether rows became items that have groups themselves, as the documents of several tries or pages have."""
    items = (each for row in rows.first if rows.how.has_item_rows for each in chain(*filter(is_group, row.values())))
    return any(is_group(value) for item in items for value in item.values())


def _fields(row: Any, depth: int = 2) -> Iterator[Any]:
    """The values in a row, and in objects of it such as its wrapper."""
    for value in row.values() if isinstance(row, dict) else ():
        yield value
        if depth:
            yield from _fields(value, depth - 1)
