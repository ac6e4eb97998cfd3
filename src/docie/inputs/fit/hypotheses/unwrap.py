"""Documents that stand at a place in their rows."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from docie.core.values.json_text import parsed
from docie.documents.leaves import is_leaf
from docie.inputs.fit.change import NEARLY_ALL, Change
from docie.inputs.fit.hypotheses import leaf
from docie.inputs.fit.hypotheses.rename import names_of
from docie.inputs.fit.sample import SIDES, Sample
from docie.inputs.fit.telling import named, worth_telling
from docie.inputs.openers import CONTENT_KEYS, is_wrapper, unwrapped
from docie.inputs.reading import ANY_KEY, both

FIRST = 40
"""The number of documents on which a change is tried first."""
MOST_PLACES, DEPTH = 16, 4
"""The number of places at which documents are sought, and the number of keys that lead there."""


def propose(sample: Sample) -> Iterator[Change]:
    """The best place of the documents in their rows, of one side or of both."""
    if sample.reading.references.unwrap or sample.reading.predictions.unwrap:
        return
    if 2 * sample.agreed > sample.size > 0:  # no other place can be found; but both sides may be wrapped
        yield from _wrapped(sample)
        return
    first, tries = sample.head(FIRST), list[tuple[int, int, int, dict[str, str]]]()
    read, rows = zip(*first.documents, strict=True), map(list, zip(*first.pairs, strict=True))
    sides = [{None: _keys(documents), **_paths(side)} for documents, side in zip(read, rows, strict=True)]
    pairs = sorted(product(*sides), key=lambda pair: -len(sides[0][pair[0]] & sides[1][pair[1]]))
    for predicted, expected in pairs[:MOST_PLACES]:
        unwrap = {f"{side}s.unwrap": path for side, path in zip(SIDES, (predicted, expected), strict=True) if path}
        if not unwrap:
            continue
        tried = first.under(unwrap)
        if any(2 * after.total() < now.total() for now, after in zip(first.types, tried.types, strict=True)):
            continue  # a group of the documents
        names = names_of(tried)
        agreed = named(tried, names).agreed if names else tried.agreed
        paths = {*unwrap.values()}
        tries.append((agreed, len(paths) + len(names), sum(map(len, paths)), unwrap))
    most = max((agreed for agreed, *_ in tries), default=0)
    if most:
        near = [each for each in tries if each[0] >= NEARLY_ALL * most]
        *_, unwrap = min(near, key=lambda each: (*each[1:3], [*each[3].items()]))
        if found := list(worth_telling(sample, "unwrap", unwrap, _text_of_unwrap(unwrap))):
            yield from found
            return
        after = sample.under(unwrap)
        for change in leaf.propose(after):  # of as many names as there are without the change, objects are the reason
            gained = change.sample.agreed - sample.agreed
            yield Change("unwrap", unwrap, change.values, gained, _text_of_unwrap(unwrap), after)


def _wrapped(sample: Sample) -> Iterator[Change]:
    """The change to documents that stand under the only key of all rows, where all groups in them are one."""
    rows = [row for pair in sample.pairs for row in pair]
    for name in CONTENT_KEYS["reference"]:  # of which one side has no wrappers, since other keys stand beside it
        if not all(map(is_wrapper, rows)) and all(isinstance(r, dict) and isinstance(r.get(name), dict) for r in rows):
            yield from worth_telling(
                sample, "unwrap", both("unwrap", name), _text_of_unwrap(both("unwrap", name)), is_trap=True
            )
            return
    keys = {tuple(row) if isinstance(row, dict) else () for pair in sample.documents for row in pair}
    if len(keys) > 1 or len(key := keys.pop()) != 1 or "." in key[0]:
        return
    found = [_only(key[0], row[key[0]]) for pair in sample.documents for row in pair]
    inner, paths = [row for _, row in found], {path for path, _ in found}
    if len(paths) == 1 and all(isinstance(row, dict) for row in inner) and any(map(has_groups, inner)):
        unwrap = both("unwrap", paths.pop())
        yield from worth_telling(sample, "unwrap", unwrap, _text_of_unwrap(unwrap), is_trap=True)


def has_groups(row: object) -> bool:
    """Whether a row is an object with lists of objects."""
    children = row.values() if isinstance(row, dict) else ()
    return any(isinstance(child, list) and child and isinstance(child[0], dict) for child in children)


def _text_of_unwrap(unwrap: Mapping[str, str]) -> str:
    paths = {
        path: [name.partition(".")[0] for name, each in unwrap.items() if each == path] for path in unwrap.values()
    }
    stand = "the documents of the {} stand under {!r}"
    sides = {path: "references and predictions" if len(names) > 1 else names[0] for path, names in paths.items()}
    any_key = f", where {ANY_KEY} is any key" if any(ANY_KEY in path for path in paths) else ""
    return ", and ".join(stand.format(side, path) for path, side in sides.items()) + any_key


def _only(key: str, value: object) -> tuple[str, object]:
    """The only element of a list with its path; any other value with its key."""
    return (f"{key}.0", parsed(value[0])) if isinstance(value, list) and len(value) == 1 else (key, value)


def _keys(rows: Iterable[Any]) -> set[str]:
    return {key for row in rows if isinstance(row, dict) for key in row}


def _paths(rows: list[Any], prefix: str = "", depth: int = DEPTH) -> dict[str | None, set[str]]:
    """The places in rows at which documents may stand, with the keys there: objects, or their JSON text, in half of
    the rows or more."""
    inner: dict[str, list[Any]] = {}
    are_read = not prefix and all(map(is_wrapper, rows))  # documents in wrappers are found without an option
    for row in rows:
        for key in row if isinstance(row, dict) and not is_leaf(row, "reference") else ():
            if isinstance(key, str) and "." not in key:
                name, child = _only(key, unwrapped(row, [key]))
                if isinstance(child, dict):
                    inner.setdefault(name, []).append(child)
    found = {key: children for key, children in inner.items() if 2 * len(children) >= len(rows)}
    if not any(len(children) == len(rows) for children in found.values()):  # named by their types, say
        with contextlib.suppress(KeyError):
            found[ANY_KEY] = [unwrapped(row, [ANY_KEY]) for row in rows]
    paths: dict[str | None, set[str]] = {prefix + key: _keys(found[key]) for key in found if not are_read or "." in key}
    for key in found if depth > 1 else ():
        paths |= _paths(found[key], f"{prefix}{key}.", depth - 1)
    return paths
