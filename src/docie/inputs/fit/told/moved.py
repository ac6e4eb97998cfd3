"""Values that the other side has in a layout that no option reads: as keys, in other groups, beside their names."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from docie.core.normalizers.same_value import form_key
from docie.core.phrases import some_of
from docie.inputs.fit.change import LEAST, LISTED, OF_TEXTS, Change, is_found
from docie.inputs.fit.sample import SIDES, Sample

SHORT = 2
"""The length of texts that two types may share by chance, such as the numbers of lines and quantities."""
_HOW = {"value": "as values of {}", "key": "as keys under {}"}
At = tuple[str, str]
"""How texts stand in a document, and where: the type that has them, or the first key above them."""


def moved_values(sample: Sample) -> list[tuple[set[str], Change]]:
    """What is told of types that only one side has, and that hold values that the other side has elsewhere.

    At least half of the values of a type of the other side that have no equal must be found there, and most of the
    values of a type in which they are found must be such. Where each side has what the other one lacks, the side is
    told of that has them in the more special layout.

    Returns:
        The types that this explains, of both sides, and what is told of them; nothing, or one.
    """
    found = [(*each, place) for place in (0, 1) if (each := _found(sample, place))]
    if not found:
        return []
    known, named, place = max(found, key=lambda each: (_specials(each[0]) + each[1].total(), -len(each[0])))
    alone = sample.types[place].keys() - sample.types[1 - place].keys()
    roots = {where.partition(".")[0] for at in known.values() for _, where in at}
    names = {*known, *(name for name in alone if name.partition(".")[0] in roots)}
    return [(names, _change(sample, place, known, named))]


def _specials(found: Mapping[str, Counter[At]]) -> int:
    return sum(number for at in found.values() for (how, _), number in at.items() if how != "value")


def _found(sample: Sample, place: int) -> tuple[dict[str, Counter[At]], Counter[str]] | None:
    """Where the types of the other side stand under types that only this side has, and the types of their names."""
    alone = sample.types[place].keys() - sample.types[1 - place].keys()
    filled = set(_filled(sample, place, alone))
    concerned, named = Counter[str](), Counter[str]()
    found: defaultdict[str, Counter[At]] = defaultdict(Counter)
    for pair, unequal in zip(sample.documents, sample.unequal, strict=True):
        own = {name: texts for name, texts in unequal[place].items() if name in alone}
        there = _texts(own, filled, pair[place])
        names = {text: name for name, texts in own.items() for text in texts}
        for name, texts in unequal[1 - place].items() if own else ():
            concerned[name] += len(texts)
            for key in map(form_key, texts):
                if at := next((at for at, keys in there.items() if keys[key] > 0), None):
                    there[at][key] -= 1
                    found[name][at] += 1
                    named.update(names[last] for last in [name.rpartition(".")[2]] if last in names)
    known = {name: at for name, at in sorted(found.items()) if is_found(at.total(), concerned[name], OF_TEXTS)}
    return (known, named) if known else None


def _filled(sample: Sample, place: int, alone: Collection[str]) -> Iterator[str]:
    """The types that only this side has, most of whose values the other side has elsewhere, and this one lacks there.

    What types share by chance is no evidence: short texts are not counted, and constants only once.
    """
    own, shared, numbers = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set), Counter[str]()
    for unequal in sample.unequal:
        names = unequal[place].keys() & alone
        other = {form_key(text) for texts in unequal[1 - place].values() for text in texts} if names else set[str]()
        for name in names:
            keys = [form_key(text) for text in unequal[place][name] if len(text) > SHORT]
            numbers[name] += len(keys)
            own[name].update(keys)
            shared[name].update(other.intersection(keys))
    for name, elsewhere in shared.items():
        if elsewhere and 2 * len(elsewhere) >= len(own[name]) and len(elsewhere) >= min(LEAST, numbers[name]):
            yield name


def _texts(own: Mapping[str, list[str]], filled: Collection[str], document: Any) -> dict[At, Counter[str]]:
    """The texts of some types of a document, and the keys beside and below all of them."""
    found = {("value", name): Counter(map(form_key, own[name])) for name in own if name in filled}
    for root in {name.partition(".")[0] for name in own} & document.keys() if own else ():
        found["key", root] = Counter(map(form_key, _keys_in(document[root])))
    return found


def _keys_in(value: Any) -> Iterator[str]:
    """The keys of all objects in a value that may be values themselves, not the numbers of rows."""
    for key, child in value.items() if isinstance(value, dict) else ():
        yield from [key] if isinstance(key, str) and not key.isdecimal() else ()
        yield from _keys_in(child)
    for child in value if isinstance(value, list) else ():
        yield from _keys_in(child)


def _change(sample: Sample, place: int, found: Mapping[str, Counter[At]], named: Counter[str]) -> Change:
    ways: defaultdict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))  # types, and where they are
    for name, at in found.items():
        way, _ = max(at, key=lambda each: sum(number for (how, _), number in at.items() if how == each[0]))
        ways[way][0].add(name)
        ways[way][1].update(where for how, where in at if how == way)
    others = {*sample.types[0], *sample.types[1]} - (sample.types[place].keys() - sample.types[1 - place].keys())
    parts = [
        f"{_listed(types)} {_HOW[way].format(_listed(groups_of(places, others)))}"
        for way, (types, places) in sorted(ways.items())
    ]
    text = f"values of the {SIDES[1 - place]}s stand in the {SIDES[place]}s in another layout: {'; '.join(parts)}"
    number = sum(at.total() for at in found.values())
    if 2 * named.total() >= number:
        text += f", in pairs with their names, values of {_listed(named)}"
    return Change("records", {}, number, 0, text, sample)


def _listed(names: Collection[str]) -> str:
    return some_of(map(repr, sorted(names)), LISTED)


def groups_of(names: Collection[str], others: Collection[str]) -> list[str]:
    """Types, or the groups that hold no others.

    >>> groups_of(["notes", "buyer.name", "buyer.city", "items.code"], ["items.name"])
    ['buyer', 'items.code', 'notes']
    """
    taken = {
        ".".join(steps[:length])
        for steps in (name.split(".") for name in others)
        for length in range(1, len(steps) + 1)
    }
    found = set[str]()
    for name in names:
        steps = name.split(".")
        outer = (".".join(steps[:length]) for length in range(1, len(steps)))
        found.add(next((group for group in outer if group not in taken), name))
    return sorted(found)
