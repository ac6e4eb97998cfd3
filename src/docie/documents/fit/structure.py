"""Documents under a key of their rows, groups written as other records, and reports of failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from docie.core.names import as_texts
from docie.core.reading import RECORDS
from docie.documents.fit.change import LEAST, NEAR, Change, changed_values, is_found
from docie.documents.fit.ids import is_id_name
from docie.documents.fit.names import names_of
from docie.documents.fit.sample import SIDES, Sample
from docie.documents.leaves import is_leaf
from docie.documents.restructure import ERROR_KEYS, unwrapped
from docie.documents.rows import CONTENT_KEYS, is_wrapper

FIRST = 40
"""The number of documents on which a change is tried first."""
MOST_PLACES, DEPTH = 16, 4
"""The number of places at which documents are sought, and the number of keys that lead there."""
FAILED = ("failed", "failure", "error")
"""What a report of a failure has as its `status`."""
HIDDEN = {"pairs", "numbered", "columns", "cells"}
"""The kinds of records whose values agree in the wrong rows, if references and predictions have them."""


def unwraps(sample: Sample) -> Iterator[Change]:
    """The best place of the documents in their rows, of one side or of both."""
    if sample.reading.unwrap:
        return
    if 2 * sample.agreed > sample.size > 0:  # no other place can be found; but both sides may be wrapped
        yield from _wrapped(sample)
        return
    first, tries = sample.head(FIRST), list[tuple[int, int, int, list[str]]]()
    read, rows = zip(*first.documents, strict=True), map(list, zip(*first.pairs, strict=True))
    sides = [{None: _keys(documents), **_paths(side)} for documents, side in zip(read, rows, strict=True)]
    pairs = sorted(product(*sides), key=lambda pair: -len(sides[0][pair[0]] & sides[1][pair[1]]))
    for predicted, expected in pairs[:MOST_PLACES]:
        unwrap = [f"{side}s:{path}" for side, path in zip(SIDES, (predicted, expected), strict=True) if path]
        if predicted == expected and predicted:
            unwrap = [predicted]
        if not unwrap:
            continue
        tried = first.under(unwrap=unwrap)
        if any(2 * after.total() < now.total() for now, after in zip(first.types, tried.types, strict=True)):
            continue  # a group of the documents
        names = names_of(tried)
        agreed = _named(tried, names).agreed if names else tried.agreed
        tries.append((agreed, len(unwrap) + len(names), sum(map(len, unwrap)), unwrap))
    most = max((agreed for agreed, *_ in tries), default=0)
    if most:
        *_, unwrap = min((each for each in tries if each[0] >= NEAR * most), key=lambda each: each[1:])
        yield from _worth_telling(sample, "unwrap", {"unwrap": unwrap}, _text_of_unwrap(unwrap))


def _wrapped(sample: Sample) -> Iterator[Change]:
    """The change to documents that stand under the only key of all rows, where all groups in them are one."""
    rows = [row for pair in sample.pairs for row in pair]
    for name in CONTENT_KEYS["reference"]:  # of which one side has no wrappers, since other keys stand beside it
        if not all(map(is_wrapper, rows)) and all(isinstance(r, dict) and isinstance(r.get(name), dict) for r in rows):
            yield from _worth_telling(sample, "unwrap", {"unwrap": [name]}, _text_of_unwrap([name]), is_trap=True)
            return
    keys = {tuple(row) if isinstance(row, dict) else () for pair in sample.documents for row in pair}
    if len(keys) > 1 or len(key := keys.pop()) != 1 or "." in key[0]:
        return
    inner = [row[key[0]] for pair in sample.documents for row in pair]
    if all(isinstance(row, dict) for row in inner) and any(map(has_groups, inner)):
        yield from _worth_telling(sample, "unwrap", {"unwrap": key}, _text_of_unwrap([*key]), is_trap=True)


def has_groups(row: object) -> bool:
    """Whether a row is an object with lists of objects."""
    children = row.values() if isinstance(row, dict) else ()
    return any(isinstance(child, list) and child and isinstance(child[0], dict) for child in children)


def _text_of_unwrap(unwrap: list[str]) -> str:
    places = (spec.rpartition(":") for spec in unwrap)
    stand = "the documents of the {} stand under {!r}"
    return ", and ".join(stand.format(side or "references and predictions", path) for side, _, path in places)


def _keys(rows: Iterable[Any]) -> set[str]:
    return {key for row in rows if isinstance(row, dict) for key in row}


def _paths(rows: list[Any], prefix: str = "", depth: int = DEPTH) -> dict[str | None, set[str]]:
    """The places in rows at which documents may stand, with the keys there: objects, or their JSON text, in half of
    the rows or more."""
    inner: dict[str, list[Any]] = {}
    are_read = not prefix and all(map(is_wrapper, rows))  # documents in wrappers are found without an option
    for row in rows:
        for key in row if isinstance(row, dict) and not is_leaf(row, "reference") else ():
            if isinstance(key, str) and "." not in key and isinstance(child := unwrapped(row, [key]), dict):
                inner.setdefault(key, []).append(child)
    found = {key: children for key, children in inner.items() if 2 * len(children) >= len(rows)}
    paths: dict[str | None, set[str]] = {} if are_read else {prefix + key: _keys(found[key]) for key in found}
    for key in found if depth > 1 else ():
        paths |= _paths(found[key], f"{prefix}{key}.", depth - 1)
    return paths


def records(sample: Sample) -> Iterator[Change]:
    """Groups that are written as records of another kind, each kind by itself and with what it brings to light."""
    for kind in _kinds(sample):
        if found := list(_records(sample, [kind])):
            yield from found
            continue
        for other in _kinds(sample.under(records=[kind])):
            if other != kind:
                yield from _records(sample, [kind, other])


def _kinds(sample: Sample) -> list[str]:
    """The kinds of records in a sample that are not read yet."""
    return [kind for kind in RECORDS if kind in set().union(*sample.records) and kind not in sample.reading.records]


def _records(sample: Sample, kinds: list[str]) -> Iterator[Change]:
    listed = " and ".join(repr(kind) for kind in kinds)
    sides = [f"{side}s" for side, found in zip(SIDES, sample.records, strict=True) if found & {*kinds}]
    text = f"groups are written as {listed} in the {' and the '.join(sides)}"
    is_trap = len(sides) == 2 and {*kinds} <= HIDDEN
    yield from _worth_telling(sample, "records", {"records": kinds}, text, is_trap=is_trap)


def _worth_telling(
    sample: Sample, kind: str, options: dict[str, Any], text: str, *, is_trap: bool = False
) -> Iterator[Change]:
    """The change, if it helps: by itself, or with the names that it brings to light.

    Where both sides are written so, values agree in the wrong groups: that is worth telling by itself.
    """
    after = sample.under(**options)
    concerned, gained = changed_values(sample, after), after.agreed - sample.agreed
    if is_trap and gained <= 0 and concerned >= LEAST:
        yield Change(kind, options, concerned, max(-gained, LEAST), text, after)
    elif is_found(gained, min(concerned, after.size) // (2 if kind == "records" else 1)):
        # of the values in rows that are one group, many agree with those of other rows: half of a half is enough
        yield Change(kind, options, concerned, gained, text, after)
    elif names := names_of(after, is_certain="cells" not in options.get("records", ())):  # columns have no names
        names_alone = names_of(sample)
        named = _named(after, names)
        gained = named.agreed - sample.agreed
        if len(names_alone) < 1 + len(names):  # other names would be the simpler reason
            gained -= _named(sample, names_alone).agreed - sample.agreed
        if not is_found(gained, min(concerned, named.size)):
            return
        if kind == "unwrap":  # the names are a finding of their own
            yield Change(kind, options, concerned, gained, text, after)
        else:
            yield Change(kind, {**options, "rename": as_texts(names)}, concerned, gained, text, named)


def _named(sample: Sample, names: Mapping[str, str]) -> Sample:
    """The sample with names that stand on one side only read as those of the other side."""
    return sample.under(rename=as_texts(names))


def numbering(sample: Sample) -> Iterator[Change]:
    """Keys that only number the rows of one side, and are scored."""
    for place, side in enumerate(SIDES):
        rows = [pair[place] for pair in sample.documents if isinstance(pair[place], dict)]
        for key in rows[0] if len(rows) >= LEAST else ():
            if key and isinstance(key, str) and is_id_name(key) and key not in sample.types[1 - place]:
                ids = {str(row[key]) for row in rows if isinstance(row.get(key), str | int)}
                if len(ids) == len(rows):
                    text = f"{key!r} only numbers the rows of the {side}s, and is scored as an entity type"
                    yield Change("join", {"ignore": [key]}, len(rows), 0, text, sample.under(ignore=[key]))


def failures(sample: Sample) -> Iterator[Change]:
    """Predictions that only report a failure."""
    expected = {name.partition(".")[0] for name in sample.types[1]}
    keys: Counter[str] = Counter()
    values = 0
    for (prediction, _), (_, reference) in zip(sample.documents, sample.flat, strict=True):
        key = failure_key(prediction, expected)
        if key:
            keys[key] += 1
            values += reference.total()
    if values >= LEAST:
        names, number = sorted(keys), keys.total()
        predictions = "prediction only reports" if number == 1 else "predictions only report"
        text = f"{number} {predictions} a failure ({', '.join(map(repr, names))})"
        after = sample.under(failures=names)
        yield Change("failures", {"failures": names}, values, values, text, after)


def failure_key(row: object, expected: Iterable[str]) -> str | None:
    """The key of a row that tells a failure; None if the row is none, or has a key that references have.

    >>> [failure_key({"error": "timeout", other: "9"}, ["total"]) for other in ("code", "total")]
    ['error', None]
    >>> failure_key({"status": "failed", "message": "no text"}, ["total"])
    'message'
    """
    if not isinstance(row, dict) or not row.keys().isdisjoint(expected):
        return None
    keys = (*ERROR_KEYS, "message") if row.get("status") in FAILED else ERROR_KEYS
    return next((key for key in keys if row.get(key) is not None), None)
