"""Values that stand for no value, such as "N/A"."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

from docie.core.normalizers.texts import absent
from docie.core.phrases import some_of
from docie.inputs.fit.change import LEAST, RISE, Change, is_found
from docie.inputs.fit.hypotheses.formats import MOST_NAMES, with_format
from docie.inputs.fit.sample import Key, Sample

Numbers = tuple[Counter[Key], Counter[Key]]
"""How often a text is a value of an entity type, on either side."""


def propose(sample: Sample) -> Iterator[Change]:
    """Values that stand for no value, such as "N/A", where the other side has none.

    A person decides on those of references, and on texts that mean nothing only as far as these documents show.
    """
    done = sample.normalize or {}
    if not isinstance(done, Mapping):
        return
    alone, totals = _numbers(sample)
    words = sorted(chain(_words(alone[0], *totals), _words(alone[1], *totals[::-1])))
    open_types = {name for name in chain(*sample.types) if "absent" not in str(done.get(name))}
    are_none = [
        {key: number for key, number in side.items() if key[0] in open_types and not absent(key[1], texts=words)}
        for side in alone
    ]
    found, texts = Counter[str](), Counter[str]()
    for (name, text), number in chain(*(side.items() for side in are_none)):
        found[name] += number
        texts[text] += number
    values, size = found.total(), sum(each.total() for each in sample.types)
    f1 = [2 * sample.agreed / max(size - gone, 1) for gone in (0, values)]
    if values >= LEAST and f1[1] - f1[0] >= RISE:
        names = [name for name, _ in found.most_common()]
        [(example, _)] = texts.most_common(1)
        text = f"values of {some_of(map(repr, names), MOST_NAMES)} stand for no value, such as {example!r}"
        spec = f"absent(texts={json.dumps(words, ensure_ascii=False)})" if words else "absent"
        change = with_format(sample, dict.fromkeys(names, (spec,)), values, values, text)
        yield replace(change, is_certain=not words and not are_none[1])


def _numbers(sample: Sample) -> tuple[Numbers, Numbers]:
    """Of the values of documents that have more of a type than the other side, how often each occurs; and of all."""
    alone: Numbers = Counter(), Counter()
    totals: Numbers = Counter(), Counter()
    for pair in sample.entities:
        values = [Counter(chain.from_iterable(chain.from_iterable(side.values()))) for side in pair]
        sizes = [Counter(name for name, _ in each.elements()) for each in values]
        for place, (own, other) in enumerate((sizes, sizes[::-1])):
            more = own - other
            for key, number in values[place].items():
                totals[place][key] += number
                if more[key[0]]:
                    alone[place][key] += min(number, more[key[0]])
    return alone, totals


def _words(alone: Counter[Key], own: Counter[Key], other: Counter[Key]) -> Iterator[str]:
    """The texts of several types that are mostly alone, and never a value of the other side."""
    types, taken = {name for name, _ in other}, {text for _, text in other}
    numbers: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for key, number in own.items():
        if key[0] in types and key[1] not in taken:
            numbers[key[1]].append((number, alone[key]))
    for text, found in numbers.items():
        all_of, alone_of = map(sum, zip(*found, strict=True))
        is_word = len(found) > 1 and not any(map(str.isdigit, text)) and bool(absent(text))
        if is_word and is_found(alone_of, all_of):
            yield text
