"""Types that say something of another type beside them: `total_confidence`, `total_page`, `confidence.total`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from docie.core.leaf_keys import BESIDE, LeafKeys
from docie.core.phrases import counted, enumerated, some_of
from docie.documents.renaming import new_name
from docie.inputs.fit.change import LEAST, LISTED, Change
from docie.inputs.fit.hypotheses.leaf import FACTS, fact_of, objects_at, outer_of
from docie.inputs.fit.sample import SIDES, Sample

_SIGNS = "_-. "
_WORDS = {"confidence": "confidences", "percent": "confidences in per cent", "box": "boxes", "page": "pages"}


def propose(sample: Sample) -> Iterator[Change]:
    """Types of one side alone that are the confidences, pages or boxes of other types of that side."""
    for place, side in enumerate(SIDES):
        own, other = sample.types[place], sample.types[1 - place]
        alone = {name for name in own if name not in other}
        if not any(pattern.search(name) for name in alone for pattern in FACTS.values()):
            continue
        facts: dict[str, Any] = {}
        named = _before_names(sample, side)
        here = {name for name in named.types[place] if new_name(name, sample.reading.side(side).renamed) in alone}
        for pattern, values in sorted(_values(named, place, here).items(), key=lambda pair: (-len(pair[1]), pair[0])):
            if fact := fact_of(
                pattern.replace(BESIDE, "").strip(_SIGNS), [each for each in values if each is not None]
            ):
                facts.setdefault(fact, pattern)
        if not facts:
            continue
        options = {f"{side}s.leaf": [LeafKeys(BESIDE, **facts).to_json()]}
        after = sample.under(options)
        gone = own - after.types[place]
        if gone.total() >= LEAST and gone.keys() <= alone:
            names = sorted(gone)
            text = (
                f"the {side}s have {enumerated(map(_WORDS.__getitem__, facts))} beside values, scored as "
                f"{counted(len(names), 'type')} that no {SIDES[1 - place]} has: {some_of(map(repr, names), LISTED)}"
            )
            yield Change("beside", options, gone.total(), 0, text, after)


def _before_names(sample: Sample, side: str) -> Sample:
    """The sample with the names that one side has itself, after which what stands beside values is named."""
    renamed: dict[str, Any] = {f"{side}s": replace(sample.reading.side(side), rename=())}
    reading = replace(sample.reading, **renamed)
    return sample if reading == sample.reading else replace(sample, reading=reading)


def _values(sample: Sample, place: int, alone: Collection[str]) -> defaultdict[str, list[Any]]:
    """The values of types that are named after another key of their object, by how they are named."""
    own = sample.types[place].keys()
    alone = {*alone, *(outer for name in alone for outer in outer_of(name))} - {
        outer for name in own - {*alone} for outer in outer_of(name)
    }
    found: defaultdict[str, list[Any]] = defaultdict(list)
    paths = {"", *(outer for name in alone for outer in outer_of(name))}
    for path, objects in objects_at(sample, place, paths).items():
        for row in objects:
            plain = [key for key, child in row.items() if not isinstance(child, dict | list)]
            for key, child in row.items():
                if (f"{path}.{key}" if path else key) not in alone:
                    continue
                for base in plain:
                    if isinstance(child, dict) and base in child:
                        found[f"{key}.{BESIDE}"].append(child[base])
                    elif pattern := _pattern(key, base):
                        found[pattern].append(child)
    return found


def _pattern(key: str, base: str) -> str:
    """How a key is named after another; nothing if it is not.

    >>> _pattern("total_confidence", "total"), _pattern("confTotal", "Total"), _pattern("totalPage", "total")
    ('*_confidence', '', '*Page')
    """
    head, found, tail = key.partition(base)
    if not found or not base or bool(head) == bool(tail):
        return ""
    is_apart = head[-1:] in _SIGNS if head else tail[0] in _SIGNS or (tail[0].isupper() and base[-1].islower())
    return f"{head}{BESIDE}{tail}" if is_apart else ""
