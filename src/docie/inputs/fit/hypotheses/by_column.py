"""Amounts and dates that are written as the country, the language or the vendor of a document writes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from docie.core.normalizers.same_value import is_ambiguous
from docie.core.phrases import some_of
from docie.inputs.fit.change import Change
from docie.inputs.fit.hypotheses.formats import (
    MOST_NAMES,
    SAME_AMOUNT,
    Gain,
    Spec,
    gains_of,
    is_enough,
    open_texts,
)
from docie.inputs.fit.sample import Sample
from docie.inputs.fit.writing import Writings

MOST_COLUMNS, MOST_VALUES = 20, 12
"""The number of columns of `meta` that are tried, and the number of values that a column may have."""
Best = dict[str, tuple[Spec, Gain]]
"""Of each entity type, the format that makes most values equal, and what it does."""


def propose(sample: Sample) -> Iterator[Change]:
    """The column of `meta` that says how amounts and dates are written, if no format of all documents does as much."""
    if sample.reading.normalize_by is not None:
        return
    texts = open_texts(sample, sample.entities)
    names = [
        name
        for name, each in texts.items()
        if not sample.is_settled(name)
        and any(is_ambiguous(text) for text in chain.from_iterable(chain(one.predicted, one.expected) for one in each))
    ]
    columns = _columns(sample) if names else {}
    whole = _best(sample, range(len(sample.pairs))) if columns else {}
    found: list[tuple[int, int, str, dict[str, Best]]] = []
    for column, rows in columns.items():
        best = {value: _best(sample, numbers) for value, numbers in rows.items()}
        served = [name for name in names if _is_served(sample, name, best, whole)]
        if served:
            best = {value: {name: each[name] for name in served if name in each} for value, each in best.items()}
            gained = sum(gain.certain for each in best.values() for _, gain in each.values())
            found.append((-gained, len(rows), column, best))
    if found:
        _, _, column, best = min(found, key=lambda each: each[:3])
        yield _change(sample, column, best)


def _columns(sample: Sample) -> dict[str, dict[str, list[int]]]:
    """The columns of `meta` with few values: of each value, the documents that have it."""
    columns: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for number, meta in enumerate(sample.metas):
        for column, value in meta.items():
            if isinstance(value, str | int) and (column in columns or len(columns) < MOST_COLUMNS):
                columns[column][str(value)].append(number)
    return {column: rows for column, rows in columns.items() if 2 <= len(rows) <= MOST_VALUES}


def _best(sample: Sample, numbers: Iterable[int]) -> Best:
    """The best formats for some documents of a sample; match rules cannot be asked for by a column."""
    numbers = [*numbers]
    writings = Writings([sample.written[number] for number in numbers])
    gains = gains_of(sample, [sample.entities[number] for number in numbers], writings)
    best: Best = {}
    for name, by_spec in gains.items():
        specs = [spec for spec in by_spec if spec != SAME_AMOUNT]
        if specs:
            spec = max(specs, key=lambda each: (by_spec[each].certain, -len(each)))
            best[name] = spec, by_spec[spec]
    return best


def _is_served(sample: Sample, name: str, best: dict[str, Best], whole: Best) -> bool:
    """Whether a column makes more values of a type equal than a format of all documents."""
    gained = sum(each[name][1].certain for each in best.values() if name in each)
    more = gained - (whole[name][1].certain if name in whole else 0)
    return is_enough(sample, name, more)


def _change(sample: Sample, column: str, best: dict[str, Best]) -> Change:
    by_value = {
        value: {name: list(spec) if len(spec) > 1 else spec[0] for name, (spec, _) in each.items()}
        for value, each in best.items()
        if each
    }
    gains = [gain for each in best.values() for _, gain in each.values()]
    names = sorted({name for each in best.values() for name in each})
    text = f"values of {some_of(map(repr, names), MOST_NAMES)} are written differently by {column!r}"
    options = {"values.normalize_by": {column: by_value}}
    return Change(
        "format",
        options,
        sum(gain.concerned for gain in gains),
        sum(gain.certain for gain in gains),
        text,
        sample.under(options),
        is_certain=not any(gain.others for gain in gains),
    )
