"""Truth values that one side writes as two texts of its own, or as ticks beside blank boxes."""

from __future__ import annotations

import json
import string
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, permutations
from typing import NamedTuple

from docie.core.normalizers.amounts import read_amount
from docie.core.normalizers.texts import boolean
from docie.core.phrases import some_of
from docie.inputs.fit.change import LEAST, Change
from docie.inputs.fit.hypotheses.formats import MOST_NAMES, OTHERS, is_enough, with_format
from docie.inputs.fit.sample import Entities, Sample

WORDS = ("true", "false")
KNOWN = {"y": "true", "t": "true", "1": "true", "n": "false", "f": "false", "0": "false"}
"""What never stands for the opposite, beside words: a model that writes so is wrong."""
AROUND = f"{string.punctuation} "
Texts = list[tuple[Counter[str], Counter[str]]]
"""The texts of an entity type, document by document: of two sides."""


class Marks(NamedTuple):
    """What stands for true and for false ("" for a blank box), of how many values, and how many of these agree."""

    true: str
    false: str
    values: int
    agreed: int


def propose(sample: Sample) -> Iterator[Change]:
    """Types that are true or false on one side, which goes along with two other texts, or one, on the other side.

    A person decides whether a blank box is false, or was not read; and on texts none of which shows what it stands for.
    """
    found: defaultdict[tuple[str, str], dict[str, Marks]] = defaultdict(dict)
    for name, texts in _texts(sample).items():
        if marks := _marks(texts) or _marks([(other, one) for one, other in texts]):
            found[marks[:2]][name] = marks
    for (true, false), by_name in found.items():
        if any(is_enough(sample, name, marks.agreed) for name, marks in by_name.items()):
            names = sorted(by_name, key=lambda name: (-by_name[name].agreed, name))
            values, agreed = (sum(each) for each in zip(*(marks[2:] for marks in by_name.values()), strict=True))
            text = (
                f"values of {some_of(map(repr, names), MOST_NAMES)} are true or false on one side, and "
                f"{true!r} or {repr(false) if false else 'blank'} on the other"
            )
            change = with_format(sample, dict.fromkeys(names, _spec(true, false)), values, agreed, text)
            yield replace(change, is_certain=bool(false and (_meaning(true) or _meaning(false))))


def _texts(sample: Sample) -> dict[str, Texts]:
    """The texts of the entity types whose formats are open."""
    found: defaultdict[str, Texts] = defaultdict(list)
    for pair in sample.entities:
        one, other = map(_by_type, pair)
        for name in one.keys() | other.keys():
            found[name].append((one[name], other[name]))
    return {name: each for name, each in found.items() if not sample.is_settled(name) and not sample.has_rule(name)}


def _by_type(values: Entities) -> defaultdict[str, Counter[str]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for name, text in chain.from_iterable(chain.from_iterable(values.values())):
        found[name][text.strip()] += 1
    return found


def _marks(texts: Texts) -> Marks | None:
    """What the first side has where the second one has truth values."""
    said = Counter(chain.from_iterable(other.elements() for _, other in texts))
    truths = sum(number for text, number in said.items() if boolean(text) in WORDS)
    if truths < LEAST or truths < (1 - OTHERS) * said.total():
        return None
    marked = Counter(chain.from_iterable(one.elements() for one, _ in texts))
    common = [mark for mark, number in marked.most_common(2) if number >= LEAST]
    if len(common) == 1 and _is_tick(common[0]):
        common.append("")
    for true, false in permutations(common, 2):
        is_read = (boolean(true), boolean(false)) == WORDS
        is_opposite = _meaning(true) == "false" or _meaning(false) == "true"
        if true and not is_read and not is_opposite and (marks := _agreeing(texts, true, false)):
            return marks
    return None


def _agreeing(texts: Texts, true: str, false: str) -> Marks | None:
    """How often two marks go along with truth values; None if not nearly always, of either."""
    values, agreed, marked = 0, Counter[str](), Counter[str]()
    for one, other in texts:
        own = one if false else one + Counter({"": other.total() - one.total()})
        values += min(own.total(), other.total())
        for mark, word in zip((true, false), WORDS, strict=True):
            marked[mark] += own[mark]
            agreed[mark] += min(own[mark], sum(number for text, number in other.items() if boolean(text) == word))
    is_each = all(agreed[mark] >= LEAST and 2 * agreed[mark] >= marked[mark] for mark in (true, false))
    return Marks(true, false, values, agreed.total()) if is_each and agreed.total() >= (1 - OTHERS) * values else None


def _is_tick(mark: str) -> bool:
    """Whether a mark may stand for true beside blank boxes."""
    return mark.casefold() != "true" and (_meaning(mark) == "true" or len(mark.strip(AROUND)) <= 1)


def _meaning(mark: str) -> str | None:
    """What a mark stands for, if its text shows that.

    >>> _meaning("Y"), _meaning("0.0"), _meaning(":selected:"), _meaning("on")
    ('true', 'false', 'true', None)
    """
    bare = mark.strip(AROUND) or mark
    amount = read_amount(bare)
    word = boolean(bare)
    return word if word in WORDS else KNOWN.get(amount.value if amount else bare.casefold())


def _spec(true: str, false: str) -> tuple[str]:
    """The normalizer that reads the marks, beside the words that it knows."""
    marks = zip(WORDS, (true, false), strict=True)
    given = (f"{word}={json.dumps(mark, ensure_ascii=False)}" for word, mark in marks if boolean(mark) != word)
    return (f"boolean({', '.join(given)})",)
