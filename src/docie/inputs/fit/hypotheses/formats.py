"""Values that are certainly the same in a different format, and the normalizers and rules that make them equal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, product
from typing import Any, NamedTuple, cast

from docie.core.normalizers.amounts import read_amount, read_amount_text
from docie.core.normalizers.same_value import form_key, same_value
from docie.core.normalizers.specs import normalizer_of
from docie.core.normalizers.texts import NumberText
from docie.core.normalizers.typography import typography
from docie.core.phrases import counted, some_of
from docie.core.rules.match import SameAmount
from docie.inputs.fit.change import LEAST, OF_TEXTS, RISE, Change
from docie.inputs.fit.sample import Entities, Sample
from docie.inputs.fit.writing import AS_WRITTEN, Writing, Writings

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
TYPOGRAPHY: tuple[Spec, ...] = (
    ("typography",),
    ("typography", "whitespace"),
    ("typography", "nfkc", "casefold", "whitespace"),
)
"""Tried where a text has such characters."""
SPELLINGS = (*TYPOGRAPHY[:2], ("nfkc",))
"""What these make equal was encoded or typeset in another way: no model makes such errors by chance."""
SAME_AMOUNT: Spec = ("same_amount",)
RULE = SameAmount()
OTHERS = 0.1
"""A format is not proposed for a type if more than this share of the pairs that it makes equal may be other values."""
_AS_WRITTEN = AS_WRITTEN, AS_WRITTEN
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
        same: the first of those that are certainly the same, likewise.
    """

    certain: int
    others: int
    concerned: int
    example: tuple[str, ...]
    same: tuple[str, ...] = ()

    def is_honest(self, least: float = 0.5) -> bool:
        """Whether it makes values equal for being the same, at least this share of them, and hardly any others."""
        is_enough = self.certain > 0 and self.certain >= least * self.concerned
        return is_enough and self.others <= OTHERS * (self.certain + self.others)


def propose(sample: Sample) -> Iterator[Change]:
    """The format that makes most values equal, with all entity types that it serves best.

    Source: none. Only pairs that are certainly the same value are a reason for it. It is found if of one of its types
    LEAST values become equal and the F1 rises by RISE, however little that is of all values.
    """
    gains = gains_of(sample, sample.entities, Writings(sample.written))
    served: defaultdict[Spec, dict[str, Gain]] = defaultdict(dict)
    for name, by_spec in gains.items():
        most = max((gain.certain for gain in by_spec.values()), default=0)
        for spec, gain in by_spec.items():
            if gain.certain == most:
                served[spec][name] = gain
    if not served:
        return
    in_order = [spec for spec in dict.fromkeys(chain.from_iterable(gains.values())) if spec in served]
    by_rank = sorted(in_order, key=_rank)  # of those that serve as well, the first one is taken
    spec = max(by_rank, key=lambda each: _total(served[each].values()))
    found = served[spec]
    if any(is_enough(sample, name, gain.certain) for name, gain in found.items()):
        yield _change(sample, spec, found)


def is_enough(sample: Sample, entity_type: str, certain: int) -> bool:
    """Whether so many values of a type that become equal raise its F1 enough."""
    return certain >= LEAST and 2 * certain >= RISE * sum(side[entity_type] for side in sample.types)


def gains_of(
    sample: Sample, entities: Iterable[tuple[Entities, Entities]], writings: Writings
) -> dict[str, dict[Spec, Gain]]:
    """What formats do to the texts of each entity type that find no equal counterpart, of those that may be proposed.

    Args:
        sample: the sample.
        entities: the values of the documents in question: all of the sample, or some.
        writings: how both sides write what can be read in two ways.
    """
    gains = dict[str, dict[Spec, Gain]]()
    for name, texts in open_texts(sample, entities).items():
        if sample.is_settled(name):
            continue
        sides = [[*chain.from_iterable(each[side] for each in texts)] for side in (0, 1)]
        written = writings.of(name, *sides) or _AS_WRITTEN
        if any(_may_gain(each, written) for each in texts):
            gains[name] = _gains(texts, written)
    return gains


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
    change = with_format(sample, dict.fromkeys(names, spec), concerned, _total(found.values()), text)
    return replace(change, is_certain=not others, example=found[names[0]].same)


def with_format(sample: Sample, specs: Mapping[str, Spec], concerned: int, gained: int, text: str) -> Change:
    """The change to further formats; normalizers are applied after those of the sample."""
    match = {name: spec[0] for name, spec in specs.items() if spec == SAME_AMOUNT}
    normalize = {name: spec for name, spec in specs.items() if name not in match}
    before = sample.normalize if isinstance(sample.normalize, Mapping) else {}  # formats are searched by type only
    after = {**before, **{name: [*listed(before.get(name)), *spec] for name, spec in normalize.items()}}
    rules = {**(sample.match if isinstance(sample.match, Mapping) else {}), **match}
    changed = sample.with_values(normalize=after or None, match=rules or None)
    return Change("format", {}, concerned, gained, text, changed, normalize, match)


def listed(spec: Any) -> Sequence[Any]:
    return spec if isinstance(spec, list | tuple) else [] if spec is None else [spec]


def _total(gains: Iterable[Gain]) -> int:
    return sum(gain.certain for gain in gains)


def open_texts(sample: Sample, entities: Iterable[tuple[Entities, Entities]]) -> dict[str, list[Open]]:
    """The texts of each entity type that find no equal counterpart in their document, where no rule says of it.

    Args:
        sample: the sample.
        entities: the values of its documents, or of some.
    """
    found: defaultdict[str, list[Open]] = defaultdict(list)
    for predictions, references in entities:
        predicted, expected = _texts(predictions), _texts(references)
        missing: defaultdict[str, Open] = defaultdict(lambda: Open([], [], []))
        for entity_type, text, _ in (predicted - expected).elements():
            missing[entity_type].predicted.append(text)
        for entity_type, text, _ in (expected - predicted).elements():
            missing[entity_type].expected.append(text)
        for entity_type, texts in missing.items():
            for text in (Counter(texts.predicted) & Counter(texts.expected)).elements():
                texts.predicted.remove(text)
                texts.expected.remove(text)
                texts.equal.append(text)
            if texts.equal or (texts.predicted and texts.expected):
                found[entity_type].append(texts)
    return {name: texts for name, texts in found.items() if not sample.has_rule(name)}


def _texts(side: Entities) -> Counter[tuple[str, str, bool]]:
    """The values of a side: type, text, and whether it is a number of JSON, whose text has one reading."""
    groups = chain.from_iterable(side.values())
    return Counter((name, text, isinstance(text, NumberText)) for group in groups for name, text in group)


def _may_gain(texts: Open, written: tuple[Writing, Writing]) -> bool:
    """Whether a predicted text may certainly be one of the reference in a different format: the rest needs no trial."""
    keys = [
        {form_key(how.meaning(text)) for text in side}
        for side, how in zip((texts.predicted, texts.expected), written, strict=True)
    ]
    return not keys[0].isdisjoint(keys[1])


def specs_for(texts: Iterable[str], written: Iterable[Writing] = ()) -> list[Spec]:
    """The formats that may make some texts equal: the plain ones, amounts in one of their currencies, amounts in any.

    Args:
        texts: the texts.
        written: how their sides write what can be read in two ways.

    >>> specs_for(["€ 5", "5"])[-2:]
    [('money(currency="EUR")',), ('same_amount',)]
    """
    texts = [*texts]
    marks = {None, *(how.decimal for how in written)}
    amounts = (read_amount_text(text, mark) for text in texts for mark in marks)
    units = sorted({amount.unit for amount in amounts if amount} - {"", "%"})
    specs = [*PLAIN, *(TYPOGRAPHY if any(typography(text) != text for text in texts) else ())]
    specs += [spec for how in written for spec in how.specs(units)]
    specs += [(f'money(currency="{unit}")',) for unit in units]
    return [*dict.fromkeys(specs), *[SAME_AMOUNT] * bool(units)]


def _gains(texts: Sequence[Open], written: tuple[Writing, Writing]) -> dict[Spec, Gain]:
    """What formats do to the texts of an entity type, of those that may be proposed."""
    specs = specs_for(chain.from_iterable(chain(*each[:2]) for each in texts), written)
    found = {spec: gain_of(texts, spec, written) for spec in specs}
    gains = {
        spec: gain
        for spec, gain in found.items()
        if gain is not None and gain.is_honest(OF_TEXTS if spec in SPELLINGS else 0.5)
    }
    if SAME_AMOUNT in gains and not any(_currency(text) for each in texts for text in each.expected):
        # the rule says less than a currency that no reference has
        least = gains[SAME_AMOUNT].certain
        return {spec: each for spec, each in gains.items() if "currency=" not in spec[-1] or each.certain > least}
    return gains


def gain_of(texts: Iterable[Open], spec: Spec, written: tuple[Writing, Writing] = _AS_WRITTEN) -> Gain | None:
    """What a format does to the texts of an entity type; None if texts that are equal would differ.

    Args:
        texts: the texts, document by document.
        spec: the format.
        written: how the predictions, and the references, write what can be read in two ways.
    """

    def is_same(predicted: str, expected: str) -> bool:
        return same_value(predicted, expected) or (
            written != _AS_WRITTEN and same_value(written[0].meaning(predicted), written[1].meaning(expected))
        )

    normalize = (
        _amount_or_text
        if spec == SAME_AMOUNT
        else partial(cast("Callable[[str, str], str]", normalizer_of(list(spec))), "")
    )
    certain = others = concerned = 0
    example: tuple[str, ...] = ()
    same: tuple[str, ...] = ()
    for predicted, expected, equal in texts:
        if spec != SAME_AMOUNT and any(normalize(NumberText(text)) != normalize(str(text)) for text in equal):
            return None
        one, other = ([normalize(text) for text in side] for side in (predicted, expected))
        changed = [sum(map(str.__ne__, *pair)) for pair in ((predicted, one), (expected, other))]
        concerned += min(max(changed), len(one), len(other))
        normalised = zip(one, predicted, strict=True), zip(other, expected, strict=True)
        for pair, number in _pairs(*normalised, spec, is_same):
            if is_same(*pair):
                certain += number
                same = same or pair
            else:
                others += number
                example = example or pair
    return Gain(certain, others, concerned, example, same)


def _amount_or_text(text: str) -> str:
    """The number of an amount without its currency; any other text as it is."""
    amount = read_amount(text)
    return text if amount is None else amount.value


def _pairs(
    predicted: Iterable[tuple[str, str]],
    expected: Iterable[tuple[str, str]],
    spec: Spec,
    is_same: Callable[[str, str], bool],
) -> Iterator[tuple[tuple[str, str], int]]:
    """The pairs of texts that a format makes equal, and how often each occurs: first those that are certainly the same.

    Args:
        predicted, expected: texts, each (as the format has it, as it is written).
        spec: the format.
        is_same: whether two texts are certainly the same value.
    """

    def doubts(pair: tuple[str, str]) -> tuple[bool, bool, tuple[str, str]]:
        """The order of equal texts: an amount without a currency is left for one that has another."""
        return not is_same(*pair), _currency(pair[0]) != _currency(pair[1]), pair

    one, other = (defaultdict[str, Counter[str]](Counter) for _ in range(2))
    for side, texts in ((one, predicted), (other, expected)):
        for key, text in texts:
            side[key][text] += 1
    for key in [key for key in one if key in other and key.strip()]:
        mine, yours = one[key], other[key]
        equal = [pair for pair in product(mine, yours) if spec != SAME_AMOUNT or RULE.holds(*pair)]
        for pair in sorted(equal, key=doubts):
            if number := min(mine[pair[0]], yours[pair[1]]):
                mine[pair[0]] -= number
                yours[pair[1]] -= number
                yield pair, number


def _currency(text: str) -> str:
    amount = read_amount(text)
    return amount.unit if amount else ""


@lru_cache(1000)
def normalizer_for(predicted: str, expected: str) -> Spec:
    """The first of the usual normalizers under which two texts are equal; empty if there is none.

    >>> normalizer_for("14 Mar 2026", "2026-03-14"), normalizer_for("€ 5", "5.00"), normalizer_for("Latte", "Mocha")
    (('date',), ('money(currency="EUR")',), ())
    """
    for spec in specs_for((predicted, expected)):
        if spec == SAME_AMOUNT:
            continue
        normalizer = normalizer_of(spec)
        if normalizer and normalizer("", predicted) == normalizer("", expected):
            return spec
    return ()
