"""Values that are the same in a different format, and the normalizers that make them equal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from docie.core.normalizers.same_value import form_key, is_ambiguous
from docie.core.normalizers.specs import normalizer_of
from docie.core.normalizers.texts import absent
from docie.core.phrases import some_of
from docie.documents.fit.change import LEAST, RISE, Change
from docie.documents.fit.sample import Sample

Spec = tuple[str, ...]
"""Normalizers that are applied one after another."""
CANDIDATES: tuple[Spec, ...] = (
    ("number",),
    ("money",),
    ("date",),
    ("casefold",),
    ("whitespace",),
    ("nfkc",),
    ("boolean",),
    ("nfkc", "casefold", "whitespace"),
    ('number(decimal=",")',),
    ('number(decimal=".")',),
    ('money(decimal=",")',),
    ('money(decimal=".")',),
    ("date(day_first=True)",),
    ("date(day_first=False)",),
)
"""The plain ones first: of those that make as many values equal, the first is proposed."""
FAMILIES = [[spec for spec in CANDIDATES if spec[0].startswith(name)] for name in ("number", "money", "date")]
"""Those of which each says how an ambiguous value is read, which may depend on a country or a language."""
MOST_VALUES = 20
"""The number of values that a column of `meta` may have for formats to depend on it."""
MOST_NAMES = 4
"""The number of entity types that a sentence lists."""
_DIGITS = frozenset("123456789")


class Open(NamedTuple):
    """The texts of an entity type in a document that find no equal counterpart."""

    document: int
    predicted: list[str]
    expected: list[str]


class Gain(NamedTuple):
    """The number of values that a normalizer makes equal, and the number of those that it concerns."""

    values: int
    concerned: int


def formats(sample: Sample) -> Iterator[Change]:
    """The normalizer that makes most values equal, with all entity types that it serves best."""
    done = sample.normalize or {}
    types = {name: texts for name, texts in _open_texts(sample).items() if name not in done}
    gains = {name: {spec: gain_of(texts, spec) for spec in CANDIDATES} for name, texts in types.items()}
    served: defaultdict[Spec, dict[str, Gain]] = defaultdict(dict)
    for name, by_spec in gains.items():
        most = max(gain.values for gain in by_spec.values())
        for spec, gain in by_spec.items():
            if gain.values == most > 0:
                served[spec][name] = gain
    size = sum(each.total() for each in sample.types)
    by_column = _by_column(sample, types)
    if by_column is not None and 2 * by_column.gained >= RISE * size:
        yield by_column
    if not served:
        return
    spec = max(served, key=lambda each: (_total(served[each].values()), -CANDIDATES.index(each)))
    if (gained := _total(served[spec].values())) < LEAST or 2 * gained < RISE * size:
        return
    names = sorted(served[spec], key=lambda name: (-served[spec][name].values, name))
    concerned = sum(gain.concerned for gain in served[spec].values())
    if 2 * gained < concerned:
        return
    yield _normalized(sample, dict.fromkeys(names, spec), concerned, gained, _text(names))


def _normalized(sample: Sample, normalize: Mapping[str, Spec], concerned: int, gained: int, text: str) -> Change:
    """The change to further normalizers, which are applied after those of the sample."""
    before = sample.normalize or {}
    after = {**before, **{name: [*before.get(name, ()), *spec] for name, spec in normalize.items()}}
    return Change("form", {}, concerned, gained, text, replace(sample, normalize=after), normalize)


def _text(names: Sequence[str]) -> str:
    return f"values of {some_of(map(repr, names), MOST_NAMES)} are the same in a different format"


def _total(gains: Iterable[Gain]) -> int:
    return sum(gain.values for gain in gains)


def _by_column(sample: Sample, types: Mapping[str, list[Open]]) -> Change | None:
    """Formats that depend on a column of `meta`, such as a country, where no one format serves all."""
    metas = sample.metas if sample.reading.normalize_by is None else []
    found = [
        change
        for column in dict.fromkeys(key for meta in metas if isinstance(meta, dict) for key in meta)
        for specs in FAMILIES
        if (change := _by(column, specs, sample, types))
    ]
    return max(found, key=lambda change: change.gained, default=None)


def _by(column: str, specs: Sequence[Spec], sample: Sample, types: Mapping[str, list[Open]]) -> Change | None:
    """For each value of a column, the one of some normalizers that makes most values equal."""
    labels = [meta.get(column) if isinstance(meta, dict) else None for meta in sample.metas]
    names = {label for label in labels if isinstance(label, str)}
    if not 1 < len(names) <= MOST_VALUES:
        return None
    gains: dict[str, dict[Spec, dict[str, Gain]]] = {label: {spec: {} for spec in specs} for label in sorted(names)}
    for name, texts in types.items():
        for label in gains:
            if part := [each for each in texts if labels[each.document] == label]:
                for spec in specs:
                    if (gain := gain_of(part, spec)).values:
                        gains[label][spec][name] = gain
    totals = {label: {spec: _total(by_spec[spec].values()) for spec in specs} for label, by_spec in gains.items()}
    chosen = {
        label: max(specs, key=lambda spec: (by_spec[spec], -specs.index(spec))) for label, by_spec in totals.items()
    }
    gained = sum(totals[label][spec] for label, spec in chosen.items())
    if gained < LEAST + max(sum(by_spec[spec] for by_spec in totals.values()) for spec in specs):
        return None
    by_column = {label: dict.fromkeys(gains[label][spec], spec[0]) for label, spec in chosen.items()}
    served = list(dict.fromkeys(name for each in by_column.values() for name in each))
    concerned = sum(gain.concerned for label, spec in chosen.items() for gain in gains[label][spec].values())
    options = {column: {label: each for label, each in by_column.items() if each}}
    text = f"{_text(served)}, which depends on {column!r}"
    after = sample.under(normalize_by=options)
    return Change("form", {"normalize_by": options}, concerned, gained, text, after)


def placeholders(sample: Sample) -> Iterator[Change]:
    """Predicted values that stand for no value, such as "N/A", where the reference has none."""
    done = sample.normalize or {}
    found: Counter[str] = Counter()
    for predicted, expected in sample.entities:
        has = {name for name, _ in chain.from_iterable(chain.from_iterable(expected.values()))}
        for name, text in chain.from_iterable(chain.from_iterable(predicted.values())):
            found[name] += name not in has and bool(text) and not absent(text)
    names = [name for name, number in found.most_common() if number and "absent" not in done.get(name, ())]
    values, size = sum(found[name] for name in names), sum(each.total() for each in sample.types)
    f1 = [2 * sample.agreed / max(size - gone, 1) for gone in (0, values)]
    if values >= LEAST and f1[1] - f1[0] >= RISE:
        text = f"predicted values of {some_of(map(repr, names), MOST_NAMES)} stand for no value, such as 'N/A'"
        yield _normalized(sample, dict.fromkeys(names, ("absent",)), values, values, text)


def ambiguous(sample: Sample) -> Iterator[Change]:
    """What normalizers left as text, since it can be read in two ways."""
    texts = [
        text
        for name, found in _open_texts(sample).items()
        if sample.normalize and (not isinstance(sample.normalize, Mapping) or name in sample.normalize)
        for each in found
        for text in (*each.predicted, *each.expected)
        if is_ambiguous(text)
    ]
    if len(texts) >= LEAST:
        text = f"{len(texts)} values can be read in two ways ({texts[0]}, say) and were left as text"
        yield Change("ambiguous", {}, len(texts), 0, text, sample)


def _open_texts(sample: Sample) -> dict[str, list[Open]]:
    """The texts of each entity type that find no equal counterpart in their document, where one may be the other."""
    found: defaultdict[str, list[Open]] = defaultdict(list)
    for number, (predicted, expected) in enumerate(sample.entities):
        one, other = (
            Counter(chain.from_iterable(chain.from_iterable(side.values()))) for side in (predicted, expected)
        )
        missing: defaultdict[str, Open] = defaultdict(lambda number=number: Open(number, [], []))  # type: ignore[misc]
        for entity_type, text in (one - other).elements():
            missing[entity_type].predicted.append(text)
        for entity_type, text in (other - one).elements():
            missing[entity_type].expected.append(text)
        for entity_type, texts in missing.items():
            if texts.predicted and texts.expected:
                found[entity_type].append(texts)
    return {name: texts for name, texts in found.items() if any(map(_may_agree, texts))}


@lru_cache(maxsize=65536)
def _digits(text: str) -> frozenset[str]:
    return frozenset(text) & _DIGITS


def _may_agree(texts: Open) -> bool:
    """Whether a predicted text may be one of the reference in a different format: the rest is not worth a trial."""
    digits = set(filter(None, map(_digits, texts.predicted)))
    if not digits.isdisjoint(map(_digits, texts.expected)):
        return True
    return not {*map(form_key, texts.predicted)}.isdisjoint(map(form_key, texts.expected))


def gain_of(texts: list[Open], spec: Spec) -> Gain:
    """What a normalizer does to the texts of an entity type."""
    normalize: Any = normalizer_of(list(spec))
    gained = concerned = 0
    for _, predicted, expected in texts:
        one, other = ([normalize("", text) for text in each] for each in (predicted, expected))
        equal = Counter(one) & Counter(other)
        gained += sum(number for text, number in equal.items() if text.strip())
        changed = [sum(map(str.__ne__, *pair)) for pair in ((predicted, one), (expected, other))]
        concerned += min(max(changed), len(one), len(other))
    return Gain(gained, concerned)
