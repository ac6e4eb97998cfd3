"""Values that are certainly the same in a different format, and the normalizers and rules that make them equal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, product
from typing import Any, NamedTuple, cast

from docie.core.normalizers.amounts import read_amount
from docie.core.normalizers.same_value import form_key, may_be_same_value, same_value
from docie.core.normalizers.specs import normalizer_of
from docie.core.normalizers.texts import NumberText, absent
from docie.core.phrases import counted, some_of
from docie.core.rules.match import SameAmount
from docie.documents.fit.change import LEAST, RISE, Change
from docie.documents.fit.sample import Sample

Spec = tuple[str, ...]
"""Normalizers that are applied one after another, or the name of a match rule."""
PLAIN: tuple[Spec, ...] = (
    ("number",),
    ("date",),
    ("casefold",),
    ("whitespace",),
    ("nfkc",),
    ("boolean",),
    ("nfkc", "casefold", "whitespace"),
)
"""Of those that make as many values equal, the first is proposed. None states how a text with two readings is read."""
SAME_AMOUNT: Spec = ("same_amount",)
RULE = SameAmount()
OTHERS = 0.1
"""A format is not proposed for a type if more than this share of the pairs that it makes equal may be other values."""
MOST_NAMES = 4
"""The number of entity types that a sentence lists."""
MOST_PAIRS = 2500
"""Pairs of texts of a type and a document up to which those with two readings are counted."""


class Open(NamedTuple):
    """The texts of an entity type in a document that find no equal counterpart."""

    predicted: list[str]
    expected: list[str]
    equal: list[str]  # those that equal a number of JSON, which normalizers may read in another way


class Gain(NamedTuple):
    """What a format does to the values of an entity type.

    Attributes:
        certain: the number of pairs that it makes equal which are certainly the same value.
        others: the number of other pairs that it would make equal, too.
        concerned: the number of values that it concerns.
        example: the first of the other pairs, as it is written; empty without any.
    """

    certain: int
    others: int
    concerned: int
    example: tuple[str, ...]

    @property
    def is_honest(self) -> bool:
        """Whether it makes values equal for being the same, and hardly any that may not be."""
        is_enough = self.certain > 0 and 2 * self.certain >= self.concerned
        return is_enough and self.others <= OTHERS * (self.certain + self.others)


def formats(sample: Sample) -> Iterator[Change]:
    """The format that makes most values equal, with all entity types that it serves best.

    Source: none. Only pairs that are certainly the same value are a reason for it. It is found if of one of its types
    LEAST values become equal and the F1 rises by RISE, however little that is of all values.
    """
    gains = {name: _gains(texts) for name, texts in _open_texts(sample).items()}
    served: defaultdict[Spec, dict[str, Gain]] = defaultdict(dict)
    for name, by_spec in gains.items():
        most = max((gain.certain for gain in by_spec.values()), default=0)
        for spec, gain in by_spec.items():
            if gain.certain == most:
                served[spec][name] = gain
    if not served:
        return
    order = list(dict.fromkeys(spec for by_spec in gains.values() for spec in by_spec))
    spec = max(served, key=lambda each: (_total(served[each].values()), -_rank(each), -order.index(each)))
    found = served[spec]
    sizes = {name: sum(side[name] for side in sample.types) for name in found}
    if any(gain.certain >= LEAST and 2 * gain.certain >= RISE * sizes[name] for name, gain in found.items()):
        yield _change(sample, spec, found)


def _rank(spec: Spec) -> int:
    """The place of a format among those that do the same: those that depend on a currency come last."""
    return PLAIN.index(spec) if spec in PLAIN else len(PLAIN) + (spec == SAME_AMOUNT)


def _change(sample: Sample, spec: Spec, found: Mapping[str, Gain]) -> Change:
    """The change to a format of some types."""
    names = sorted(found, key=lambda name: (-found[name].certain, name))
    concerned = sum(gain.concerned for gain in found.values())
    text = f"values of {some_of(map(repr, names), MOST_NAMES)} are the same in a different format"
    if others := sum(gain.others for gain in found.values()):
        example = next(gain.example for gain in map(found.__getitem__, names) if gain.example)
        text += (
            f"; {counted(others, 'other pair')} would count as equal, too, and may differ "
            f"({' and '.join(map(repr, example))}, say)"
        )
    return _with_format(sample, dict.fromkeys(names, spec), concerned, _total(found.values()), text)


def _with_format(sample: Sample, specs: Mapping[str, Spec], concerned: int, gained: int, text: str) -> Change:
    """The change to further formats; normalizers are applied after those of the sample."""
    match = {name: spec[0] for name, spec in specs.items() if spec == SAME_AMOUNT}
    normalize = {name: spec for name, spec in specs.items() if name not in match}
    before = sample.normalize if isinstance(sample.normalize, Mapping) else {}  # formats are searched by type only
    after = {**before, **{name: [*_listed(before.get(name)), *spec] for name, spec in normalize.items()}}
    rules = {**(sample.match if isinstance(sample.match, Mapping) else {}), **match}
    changed = replace(sample, normalize=after or None, match=rules or None)
    return Change("form", {}, concerned, gained, text, changed, normalize, match)


def _listed(spec: Any) -> Sequence[Any]:
    return spec if isinstance(spec, list | tuple) else [] if spec is None else [spec]


def _total(gains: Iterable[Gain]) -> int:
    return sum(gain.certain for gain in gains)


def placeholders(sample: Sample) -> Iterator[Change]:
    """Predicted values that stand for no value, such as "N/A", where the reference has none."""
    done = sample.normalize or {}
    if not isinstance(done, Mapping):
        return
    found: Counter[str] = Counter()
    for predicted, expected in sample.entities:
        has = {name for name, _ in chain.from_iterable(chain.from_iterable(expected.values()))}
        for name, text in chain.from_iterable(chain.from_iterable(predicted.values())):
            found[name] += name not in has and bool(text) and not absent(text)
    names = [name for name, number in found.most_common() if number and "absent" not in _listed(done.get(name))]
    values, size = sum(found[name] for name in names), sum(each.total() for each in sample.types)
    f1 = [2 * sample.agreed / max(size - gone, 1) for gone in (0, values)]
    if values >= LEAST and f1[1] - f1[0] >= RISE:
        text = f"predicted values of {some_of(map(repr, names), MOST_NAMES)} stand for no value, such as 'N/A'"
        yield _with_format(sample, dict.fromkeys(names, ("absent",)), values, values, text)


def ambiguous(sample: Sample) -> Iterator[Change]:
    """Amounts and dates that may be the same, but can be read in two ways: nobody but the user knows which is meant."""
    number, example = 0, ("", "")
    for texts in _open_texts(sample, only_certain=False).values():
        for predicted, expected, _ in texts:
            if len(predicted) * len(expected) > MOST_PAIRS:
                continue
            left = [*expected]
            for text in predicted:
                same = next((each for each in left if _may_be_same(text, each)), None)
                if same is not None:
                    left.remove(same)
                    number, example = number + 1, example if number else (text, same)
    if number >= LEAST:
        text = (
            f"{counted(number, 'value')} can be read in two ways ({example[0]!r} and {example[1]!r}, say) and were "
            'left as text: number(decimal=","), date(day_first=True) and --normalize-by say how they are meant'
        )
        yield Change("ambiguous", {}, number, 0, text, sample)


def _may_be_same(one: str, other: str) -> bool:
    return may_be_same_value(one, other) and not same_value(one, other)


def _open_texts(sample: Sample, *, only_certain: bool = True) -> dict[str, list[Open]]:
    """The texts of each entity type that find no equal counterpart in their document, where options say nothing of it.

    Args:
        sample: the sample.
        only_certain: whether to leave out types without two texts that are certainly the same value.
    """
    found: defaultdict[str, list[Open]] = defaultdict(list)
    for pair in sample.entities:
        one, other = (
            Counter([(*key, isinstance(key[1], NumberText)) for group in chain(*side.values()) for key in group])
            for side in pair
        )
        missing: defaultdict[str, Open] = defaultdict(lambda: Open([], [], []))
        for entity_type, text, _ in (one - other).elements():
            missing[entity_type].predicted.append(text)
        for entity_type, text, _ in (other - one).elements():
            missing[entity_type].expected.append(text)
        for entity_type, texts in missing.items():
            for text in (Counter(texts.predicted) & Counter(texts.expected)).elements():
                texts.predicted.remove(text)
                texts.expected.remove(text)
                texts.equal.append(text)
            if texts.equal or (texts.predicted and texts.expected):
                found[entity_type].append(texts)
    return {
        name: texts
        for name, texts in found.items()
        if not sample.has_rule(name)
        and not (only_certain and (sample.is_settled(name) or not any(map(_may_gain, texts))))
    }


def _may_gain(texts: Open) -> bool:
    """Whether a predicted text may certainly be one of the reference in a different format: the rest needs no trial."""
    return not {*map(form_key, texts.predicted)}.isdisjoint(map(form_key, texts.expected))


def specs_for(texts: Iterable[str]) -> list[Spec]:
    """The formats that may make some texts equal: the plain ones, amounts in one of their currencies, amounts in any.

    >>> specs_for(["€ 5", "5"])[-2:]
    [('money(currency="EUR")',), ('same_amount',)]
    """
    units = {amount.unit for amount in map(read_amount, texts) if amount} - {"", "%"}
    return [*PLAIN, *((f'money(currency="{unit}")',) for unit in sorted(units)), *[SAME_AMOUNT] * bool(units)]


def _gains(texts: Sequence[Open]) -> dict[Spec, Gain]:
    """What formats do to the texts of an entity type, of those that may be proposed."""
    gains = {spec: gain_of(texts, spec) for spec in specs_for(chain.from_iterable(chain(*each[:2]) for each in texts))}
    return {spec: gain for spec, gain in gains.items() if gain is not None and gain.is_honest}


def gain_of(texts: Iterable[Open], spec: Spec) -> Gain | None:
    """What a format does to the texts of an entity type; None if texts that are equal would differ."""
    normalize = (
        _amount_or_text
        if spec == SAME_AMOUNT
        else partial(cast("Callable[[str, str], str]", normalizer_of(list(spec))), "")
    )
    certain = others = concerned = 0
    example: tuple[str, ...] = ()
    for predicted, expected, equal in texts:
        if spec != SAME_AMOUNT and any(normalize(NumberText(text)) != normalize(str(text)) for text in equal):
            return None
        one, other = ([normalize(text) for text in side] for side in (predicted, expected))
        changed = [sum(map(str.__ne__, *pair)) for pair in ((predicted, one), (expected, other))]
        concerned += min(max(changed), len(one), len(other))
        for pair, number in _pairs(zip(one, predicted, strict=True), zip(other, expected, strict=True), spec):
            if same_value(*pair):
                certain += number
            else:
                others += number
                example = example or pair
    return Gain(certain, others, concerned, example)


def _amount_or_text(text: str) -> str:
    """The number of an amount without its currency; any other text as it is."""
    amount = read_amount(text)
    return text if amount is None else amount.value


def _pairs(
    predicted: Iterable[tuple[str, str]], expected: Iterable[tuple[str, str]], spec: Spec
) -> Iterator[tuple[tuple[str, str], int]]:
    """The pairs of texts that a format makes equal, and how often each occurs: first those that are certainly the same.

    Args:
        predicted, expected: texts, each (as the format has it, as it is written).
        spec: the format.
    """
    one, other = (defaultdict[str, Counter[str]](Counter) for _ in range(2))
    for side, texts in ((one, predicted), (other, expected)):
        for key, text in texts:
            side[key][text] += 1
    for key in [key for key in one if key in other and key.strip()]:
        mine, yours = one[key], other[key]
        equal = [pair for pair in product(mine, yours) if spec != SAME_AMOUNT or RULE.holds(*pair)]
        for pair in sorted(equal, key=_doubts):
            if number := min(mine[pair[0]], yours[pair[1]]):
                mine[pair[0]] -= number
                yours[pair[1]] -= number
                yield pair, number


def _doubts(pair: tuple[str, str]) -> tuple[bool, bool, tuple[str, str]]:
    """The order in which equal texts are paired: an amount without a currency is left for one that has another."""
    return not same_value(*pair), _currency(pair[0]) != _currency(pair[1]), pair


def _currency(text: str) -> str:
    amount = read_amount(text)
    return amount.unit if amount else ""
