"""Objects that stand where the other side has a value: `{"content": "9.15", "score": 0.98}` for `"9.15"`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from docie.core.leaf_keys import LeafKeys
from docie.core.normalizers.amounts import CURRENCIES, read_amount
from docie.core.normalizers.same_value import form_key
from docie.core.phrases import enumerated
from docie.core.values.plain import longer_path
from docie.documents.leaf_objects import by_position, corners, number_of
from docie.documents.leaves import is_leaf
from docie.inputs.fit.change import LEAST, Change, is_found
from docie.inputs.fit.sample import SIDES, Sample
from docie.inputs.fit.telling import worth_telling
from docie.inputs.pages import PAGE_NAMES

FACTS = {
    "confidence": re.compile(
        r"(.*[_ -])?(conf(idences?)?|scores?|prob(s|abilit(y|ies))?|certainty)([_ -].*)?", re.IGNORECASE
    ),
    "box": re.compile(r".*(box|poly|quad|region|rect|vertices|coord|geometry|location).*", re.IGNORECASE),
    "page": PAGE_NAMES,
}
"""Names of keys that hold what is known of a value, if their values look like it."""
LARGEST_PAGE = 10_000
"""Larger numbers beside a value are no pages: years are below, but not alone, and offsets are hardly all so small."""
LISTED = 1.5
"""Lists that stand for values have at least so many times the values of the other side."""
Shared = defaultdict[str, Counter[str]]
"""By the path of objects, the number of values under each of their keys that the other side has in its document."""


def propose(sample: Sample) -> Iterator[Change]:
    """The keys of all objects of a side that stand where the other side has values, and of those of both sides."""
    for place, side in enumerate(SIDES):
        paths = _paths(sample, place)
        found = _found(sample, place, paths) if paths else []
        for kind, each in (("objects", found), ("lists", _of_lists(sample, place))):
            if each:
                text = f"the {side}s have {kind} where the {SIDES[1 - place]}s have values: {_described(each)}"
                yield from _changes(sample, kind, {side: each}, text)
    if both := _of_both(sample):
        described = ", and in the references ".join(_described([keys]) for keys in both.values())
        text = f"values stand in objects: in the predictions {described}"
        yield from _changes(sample, "objects", {side: [keys] for side, keys in both.items()}, text)


def _changes(sample: Sample, kind: str, found: Mapping[str, Sequence[LeafKeys]], text: str) -> Iterator[Change]:
    options = {f"{side}s.leaf": [keys.to_json() for keys in kinds] for side, kinds in found.items()}
    is_certain = all(keys.facts or not keys.ignore for keys in chain(*found.values()))  # else a person decides
    after = sample.under(options)
    gone = sum((now - then).total() for now, then in zip(sample.types, after.types, strict=True))
    if (
        kind == "lists" and after.agreed == sample.agreed and gone >= LEAST
    ):  # all values agree, and what is beside does not
        yield Change("leaf", options, gone, 0, text, after)
        return
    for change in worth_telling(sample, "leaf", options, text):
        yield replace(change, is_certain=is_certain)


def _paths(sample: Sample, place: int) -> dict[str, bool]:
    """The paths of objects that may stand for a value, and whether the other side has values of this type."""
    own, other = sample.types[place], sample.types[1 - place]
    outer = {parent for name in other for parent in outer_of(name)}
    inner = {name.rpartition(".")[0] for name in own if "." in name}
    return {path: path in other for path in sorted(inner - outer) if path in other or path not in own}


def outer_of(name: str) -> Iterator[str]:
    """The groups that a type stands in.

    >>> list(outer_of("menu.sub.nm"))
    ['menu.sub', 'menu']
    """
    while name := name.rpartition(".")[0]:
        yield name


def _found(sample: Sample, place: int, paths: Mapping[str, bool]) -> list[LeafKeys]:
    """The keys of the objects at these paths, those with the same key of the value together."""
    shared, elsewhere = _shared(sample, place, paths)
    objects = objects_at(sample, place, paths)  # none at a dotted key
    shared = Shared(Counter, {path: counts for path, counts in shared.items() if path in objects})
    own, other = sample.types[place], sample.types[1 - place]
    by_value: defaultdict[str, list[str]] = defaultdict(list)
    alike: defaultdict[frozenset[str], Counter[str]] = defaultdict(Counter)  # of objects with the same keys
    order = {path: dict.fromkeys(key for each in objects[path] for key in each) for path in shared}
    keys_of = {path: frozenset(keys) for path, keys in order.items()}
    for path, counts in shared.items():
        alike[keys_of[path]] += counts
    for path, counts in sorted(shared.items()):
        # a key of a deeper path, such as "a.b", is none of the objects
        key = max((key for key in order[path] if key in counts), key=alike[keys_of[path]].__getitem__, default=None)
        if key is None:
            continue
        least = min(own[f"{path}.{key}"], other[path] or own[f"{path}.{key}"])
        others = {each for each in order[path] if not _are_spellings(objects[path], key, each)}
        if 2 * counts[key] >= least and not any(_is_at_home(path, others, found, own) for found in (shared, elsewhere)):
            by_value[key].append(path)
    found = []
    for key, same in by_value.items():
        keys = _keys(key, [each for path in same for each in objects[path]])
        same = [path for path in same if paths[path] or keys.facts or len(same) > 1]
        numbers = sum(shared[path][key] for path in same), sum(own[f"{path}.{key}"] for path in same)
        if same and is_found(*numbers) and not any(_is_split(sample, place, path, keys) for path in same):
            found.append(keys)
    return found


def _of_lists(sample: Sample, place: int) -> list[LeafKeys]:
    """The positions in lists that hold a value with what is known of it: `["9.15", 0.98]`."""
    own, other = sample.types[place], sample.types[1 - place]
    paths = {path for path in other if own[path] >= LISTED * other[path]}
    found: defaultdict[LeafKeys, int] = defaultdict(int)
    for lists in objects_at(sample, place, paths, of_lists=True).values() if paths else ():
        facts = {key: _fact_in_list([each.get(key) for each in lists]) for key in lists[0]}
        values, names = [key for key in facts if not facts[key]], {name: key for key, name in facts.items() if name}
        if len(values) == 1 and len(names) == len(facts) - 1:
            found[LeafKeys(values[0])._replace(**names)] += len(lists)  # type: ignore[arg-type]
    return [keys for keys, number in found.items() if number >= LEAST]


def _fact_in_list(values: Sequence[Any]) -> str:
    """What a position of lists is; a number from 0 to 1 is a confidence, and numbers in a list are a box."""
    if all(isinstance(each, float) for each in values):
        return fact_of("confidence", values).replace("percent", "")
    return fact_of("box", values) if all(isinstance(each, list) for each in values) else ""


def _of_both(sample: Sample) -> dict[str, LeafKeys]:
    """The keys of objects that stand for a value on both sides, if they differ."""
    inner = [{name.rpartition(".")[0] for name in types if "." in name} for types in sample.types]
    paths = {path for path in inner[0] & inner[1] if path not in sample.types[0] and path not in sample.types[1]}
    shared: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for predicted, expected in sample.flat if paths else ():
        there: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for name, text in expected:
            path, _, key = name.rpartition(".")
            there[path, text].append(key)
        for name, text in predicted:
            path, _, key = name.rpartition(".")
            if path in paths:
                for other in there.get((path, text), ()):
                    shared[key, other][path] += 1
    best = max(shared, key=lambda pair: (shared[pair].total(), pair), default=None)
    if best is None or best[0] == best[1] or len(same := shared[best]) < 2:
        return {}
    found = {}
    for place, (side, value) in enumerate(zip(SIDES, best, strict=True)):
        objects = objects_at(sample, place, same)
        found[side] = _keys(value, [each for path in same for each in objects[path]])
    return found if all(keys.facts and not keys.ignore for keys in found.values()) else {}


def _shared(sample: Sample, place: int, paths: Mapping[str, bool]) -> tuple[Shared, Shared]:
    """The values that the other side has as this type, or where it has none as any that is missing here, and those that
    it has as any of these in any case."""
    shared, elsewhere = Shared(Counter), Shared(Counter)
    own_types = sample.types[place]
    for pair in sample.flat:
        own, other = pair[place], pair[1 - place]
        missing = {text for name, text in other if name not in own_types and name not in paths}
        for (name, text), number in own.items():
            path, _, key = name.rpartition(".")
            if path not in paths or not key:
                continue
            here = min(number, other[path, text]) if paths[path] else number * (text in missing)
            shared[path][key] += here
            elsewhere[path][key] += number * (text in missing)
    return Shared(Counter, {path: counts for path, counts in shared.items() if counts.total()}), elsewhere


def _is_at_home(path: str, keys: Collection[str], shared: Shared, own: Counter[str]) -> bool:
    """Whether one of these keys of objects holds values that the other side has, too: in cells, or of a type beside."""
    return any(
        number >= LEAST and 2 * number >= own[f"{path}.{key}"]
        for key, number in shared[path].items()
        if key in keys and not any(pattern.fullmatch(key) for pattern in FACTS.values())
    )


def _are_spellings(objects: Sequence[Mapping[str, Any]], key: str, other: str) -> bool:
    """Whether two keys of objects hold the same values, as `{"raw": "9,15", "normalized": "9.15"}` does."""
    pairs = [(each[key], each[other]) for each in objects if key in each and other in each]
    same = sum(form_key(str(one)).casefold() == form_key(str(two)).casefold() for one, two in pairs)
    return key == other or (same >= LEAST and 2 * same >= len(pairs))


def _is_split(sample: Sample, place: int, path: str, keys: LeafKeys) -> bool:
    """Whether what would be ignored is a part of the other side's value, as a currency is of an amount."""
    number = 0
    for pair in sample.entities if keys.ignore else ():
        own, other = ([*chain(*chain(*pair[each].values()))] for each in (place, 1 - place))
        parts = {text for name, text in own for key in keys.ignore if name == f"{path}.{key}"}
        texts = [text for name, text in other if name == path]
        number += any(_is_part(part, text) for part in parts for text in texts)
    return number >= LEAST


def _is_part(part: str, text: str) -> bool:
    if part in CURRENCIES and (amount := read_amount(text)):
        return amount.unit not in ("", "%")
    if len(part) >= len(text) or part.isdigit():
        return False
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text, re.IGNORECASE) is not None


def objects_at(
    sample: Sample, place: int, paths: Iterable[str], *, of_lists: bool = False
) -> defaultdict[str, list[dict[str, Any]]]:
    """The objects at these paths, or the lists of several values as objects; the documents themselves at ""."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    waiting = [("", "", pair[place]) for pair in sample.documents]
    while waiting:
        path, root, value = waiting.pop()
        if isinstance(value, list):
            if of_lists and path in paths and (listed := by_position(value)):
                found[path].append(listed)
            else:
                waiting += [(path, root, each) for each in value]
        elif isinstance(value, dict) and not is_leaf(value, "reference"):
            if path in paths and not of_lists:
                found[path].append(value)
            for key, child in value.items():
                waiting.append((longer_path(path, root, key) if path else key, root or f"{key}.", child))
    return found


def _keys(value: str, objects: Sequence[Mapping[str, Any]]) -> LeafKeys:
    """What the keys of objects are beside that of the value."""
    facts: dict[str, str] = {}
    ignored = []
    for key in dict.fromkeys(key for each in objects for key in each if key != value):
        name = fact_of(key, [each[key] for each in objects if each.get(key) is not None])
        if name and name not in facts and not (name == "percent" and "confidence" in facts):
            facts[name] = key
        else:
            ignored.append(key)
    return LeafKeys(value, **facts, ignore=tuple(sorted(ignored)))


def fact_of(key: str, values: Sequence[Any]) -> str:
    """What a key with these values is of the value beside it: "confidence", "percent", "box" or "page"; "" for nothing.

    >>> fact_of("score", [0.98, 1]), fact_of("conf", [97.5, 88]), fact_of("page_no", [1, 2]), fact_of("rate", [0.19])
    ('confidence', 'percent', 'page', '')
    """
    is_named: Callable[[str], bool] = lambda name: FACTS[name].fullmatch(key) is not None  # noqa: E731
    numbers = [number_of(each) for each in values]
    known = [each for each in numbers if each is not None]
    if not values:
        return ""
    if is_named("box") and all(corners(each) for each in values):
        return "box"
    if len(known) < len(numbers):
        return ""
    if is_named("page") and all(each == int(each) and 0 <= each <= LARGEST_PAGE for each in known):
        return "page"
    if is_named("confidence") and min(known) >= 0 and max(known) <= 100:
        return "confidence" if max(known) <= 1 else "percent"
    return ""


def _described(found: Iterable[LeafKeys]) -> str:
    """What the keys hold, in words."""
    names = {
        "confidence": "its confidence",
        "percent": "its confidence in per cent",
        "box": "its box",
        "page": "its page",
    }
    texts = []
    for keys in found:
        held = [f"{keys.value!r} holds the value", *(f"{key!r} {names[name]}" for name, key in keys.facts.items())]
        ignored = f"; {enumerated(map(repr, keys.ignore))} would be ignored" if keys.ignore else ""
        texts.append(enumerated(held) + ignored)
    return "; ".join(texts)
