"""Values that stand in those of the other side, beside a label, a unit or the value of another type."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from docie.core.normalizers.same_value import form_key, form_keys
from docie.core.normalizers.signs import differences
from docie.core.phrases import some_of
from docie.inputs.fit.change import LEAST, LISTED, NEARLY_ALL, OF_TEXTS, Change, is_found
from docie.inputs.fit.hypotheses.formats import MOST_NAMES
from docie.inputs.fit.sample import SIDES, Sample

MOST_TEXTS = 50
"""Texts of a type and a document up to which they are compared."""
LONGEST = 200
"""Characters of a text that is compared: longer ones are paragraphs, in which a value stands by chance."""
_SEAMS = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)|(?<=\s)(?=\S)|(?<=[:=#])(?=\S)|(?<=\S)(?=[(\[【])")
"""Where a value may end and what stands beside it begin."""
_EDGES = re.compile(r"^(?:<[^<>]+>|[^\w<]|_)+|(?:<[^<>]+>|[^\w>]|_)+$")
_BUT_MINUS = re.compile(r"^(?:<[^<>]+>|[^\w<-]|-(?!\d)|_)+|(?:<[^<>]+>|[^\w>]|_)+$")
"""Tags and signs around a value."""


class Found(NamedTuple):
    """A value that stands in a longer one.

    Attributes:
        place: the side that has the longer one: 0 for predictions, 1 for references.
        longer, shorter: the values.
        rest: what stands beside the shorter one.
    """

    place: int
    longer: str
    shorter: str
    rest: str

    @property
    def example(self) -> str:
        return f"{self.longer!r} for {self.shorter!r}"


def propose(sample: Sample) -> Iterator[Change]:
    """Types whose values stand in those of the other side: told, since no option takes them out."""
    found: defaultdict[str, list[Found]] = defaultdict(list)
    words: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    others: defaultdict[str, Counter[str]] = defaultdict(Counter)
    concerned = Counter[str]()
    for (predicted, expected), entities in zip(sample.unequal, sample.entities, strict=True):
        types: defaultdict[str, set[str]] = defaultdict(set)
        for name in predicted.keys() & expected.keys():
            concerned[name] += min(len(predicted[name]), len(expected[name]))
            words[name].update(zip(predicted[name], expected[name], strict=False))
            here = list(_found(predicted[name][:MOST_TEXTS], expected[name][:MOST_TEXTS]))
            if here and not types:
                for other, text in chain.from_iterable(chain(*chain(*side.values())) for side in entities):
                    types[form_key(text)].add(other)
            for each in here:
                others[name].update(types.get(form_key(each.rest), set()) - {name})
            found[name] += here
    told: defaultdict[str, dict[str, list[str]]] = defaultdict(dict)
    for name, number in sorted(concerned.items()):
        if way := _told(found[name], others[name], number) or _told_of_words(words[name], number):
            told[way[0]][name] = way[1]
    for what, of_types in told.items():
        examples = [*chain(*of_types.values())]
        shown = ", ".join([*dict.fromkeys(examples)][:LISTED])
        text = f"the values of {some_of(map(repr, of_types), MOST_NAMES)} {what}: {shown}"
        yield Change("contains", {}, len(examples), 0, text, sample)


def _told(found: list[Found], others: Counter[str], concerned: int) -> tuple[str, list[str]] | None:
    """What is told of a type, with examples; None if the values beside its own have nothing in common."""
    for place, side in enumerate(SIDES):
        same = [each for each in found if each.place == place]
        if not is_found(len(same), concerned, OF_TEXTS):
            continue
        what = f"in the {side}s have {{}} beside those in the {SIDES[1 - place]}s"
        other, number = others.most_common(1)[0] if others else ("", 0)
        if 2 * number >= len(same):
            return what.format(f"the values of {other!r}"), [each.example for each in same]
        rests = Counter(_bare(each.rest) for each in same)
        common = [rest for rest, times in rests.most_common() if times >= LEAST]
        if 2 * sum(rests[rest] for rest in common) >= len(same):
            examples = [each.example for each in same if _bare(each.rest) in common]
            return what.format(" or ".join(map(repr, common[:LISTED]))), examples
    return None


def _bare(rest: str) -> str:
    return rest.strip(" \t:=-#()[]").casefold() or rest


def _found(predicted: Iterable[str], expected: Iterable[str]) -> Iterator[Found]:
    """The values that stand in one of the other side, each paired once."""
    left = [*expected]
    for text in predicted:
        for other in left:
            place = int(len(text) < len(other))
            longer, shorter = (other, text) if place else (text, other)
            if (rest := rest_of(longer, shorter)) and differences(text, other) is None:
                left.remove(other)
                yield Found(place, longer, shorter, rest)
                break


def rest_of(longer: str, shorter: str) -> str:
    """What stands before or behind a value in a longer one; nothing if the value does not begin or end it.

    >>> rest_of("Total: 9,15", "9.15"), rest_of("2pcs", "2"), rest_of("2 Latte", "Latte"), rest_of("912", "12")
    ('Total:', 'pcs', '2', '')
    >>> rest_of("9.15*", "9.15"), rest_of("<b>Tea</b>", "Tea"), rest_of("9.15 CR", "-9.15")
    ('*', '<b>…</b>', 'CR')
    """
    bare = _EDGES.sub("", shorter) if len(longer) <= LONGEST else ""
    if not bare:
        return ""
    rests, is_most = _rests(longer), 2 * len(bare) >= len("".join(shorter.split()))
    keys = form_keys(shorter) + (form_keys(bare) if is_most else ())
    return next((rests[key] for key in keys if key in rests), "")


@lru_cache(maxsize=4096)
def _rests(text: str) -> Mapping[str, str]:
    """What stands beside each value that a text begins or ends with, or that is all of it but signs, by its meaning."""
    found = dict[str, str]()
    for seam in _SEAMS.finditer(text):
        head, tail = text[: seam.start()].strip(), text[seam.start() :].strip()
        for part, rest in ((tail, head), (head, tail)):
            if any(map(str.isalnum, rest)):
                found = dict.fromkeys(form_keys(part.strip("()[]")), rest) | found
    for edges in (_BUT_MINUS, _EDGES):
        if bare := edges.sub("", text):
            head, _, tail = text.partition(bare)
            rest = "…".join(filter(None, (head.strip(), tail.strip())))
            found = dict.fromkeys(form_keys(bare), rest) | found
    return found


def _told_of_words(pairs: Counter[tuple[str, str]], concerned: int) -> tuple[str, list[str]] | None:
    """What is told of words, such as names of currencies, if each stands for the same one of the references."""
    totals = Counter[tuple[int, str]]()
    for pair, number in pairs.items():
        for place, word in enumerate(pair):
            totals[place, word] += number
    found: list[str] = []
    for (one, other), number in pairs.most_common():
        is_always = number >= max(LEAST, NEARLY_ALL * totals[0, one], NEARLY_ALL * totals[1, other])
        if is_always and not re.search(r"\d", one + other) and differences(one, other) is None:
            found += [f"{one!r} for {other!r}"] * number
    what = "in the predictions always stand for the same ones in the references"
    return (what, found) if is_found(len(found), concerned, OF_TEXTS) else None
