"""Values that one side has in one type and the other in several: a date and its day, month and year."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from docie.core.normalizers.amounts import CURRENCIES, read_amount
from docie.core.normalizers.calendar_names import month_of
from docie.core.normalizers.dates import read_date
from docie.core.phrases import enumerated
from docie.inputs.fit.change import LISTED, OF_TEXTS, Change, is_found
from docie.inputs.fit.sample import SIDES, Sample

MOST_TYPES = 50
"""The number of types that one document has alone up to which they are compared."""


class Split(NamedTuple):
    """A type whose values the other side has in parts.

    Attributes:
        place: the side that has it whole: 0 for predictions, 1 for references.
        whole: its type.
        parts: the types of the parts.
        values: the number of its values that are split.
        examples: some of them with their parts.
    """

    place: int
    whole: str
    parts: list[str]
    values: int
    examples: list[str]


def propose(sample: Sample) -> Iterator[Change]:
    """Types whose values the other side has in parts: told, since no option joins them."""
    for found in splits(sample):
        here, there = SIDES[found.place], SIDES[1 - found.place]
        text = (
            f"values of {found.whole!r} in the {here}s are split over {enumerated(map(repr, found.parts))} in the "
            f"{there}s: {'; '.join(found.examples)}"
        )
        yield Change("contains", {}, found.values, 0, text, sample)


def splits(sample: Sample) -> list[Split]:
    """The types whose values the other side has in parts, under types that only that side has."""
    return [split for place in (0, 1) for split in _splits(sample, place)]


def _splits(sample: Sample, place: int) -> Iterator[Split]:
    alone = sample.types[1 - place].keys() - sample.types[place].keys()
    if len(alone) < 2:
        return
    times: defaultdict[str, Counter[str]] = defaultdict(Counter)
    examples: defaultdict[str, dict[str, None]] = defaultdict(dict)
    numbers, concerned = Counter[str](), Counter[str]()
    for pair in sample.unequal:
        parts = {name: texts for name, texts in pair[1 - place].items() if name in alone}
        for name, texts in pair[place].items():
            concerned[name] += len(texts)
            near = {each: parts[each] for each in sorted(parts) if _is_near(each, name)}
            for text in texts if 1 < len(near) <= MOST_TYPES else ():
                found = _parts(text, near)
                if len(found) > 1:
                    numbers[name] += 1
                    times[name].update(found.keys())
                    examples[name][f"{text!r} and {', '.join(map(repr, found.values()))}"] = None
    for name, number in sorted(numbers.items()):
        names = [each for each, often in times[name].items() if 2 * often >= number]
        if is_found(number, concerned[name], OF_TEXTS) and len(names) > 1:
            yield Split(place, name, names, number, [*examples[name]][:LISTED])


def _is_near(part: str, whole: str) -> bool:
    """Whether a type stands in the same group as another, or in a group of its name."""
    group = part.rpartition(".")[0]
    return group in (whole.rpartition(".")[0], whole)


def _parts(text: str, candidates: Mapping[str, list[str]]) -> dict[str, str]:
    """The texts that are parts of a text, by their types, if they make up most of it."""
    found = {
        name: part
        for name, texts in candidates.items()
        if (part := next((each for each in texts if is_part(each, text)), ""))
    }
    is_most = _date_of(text) or 2 * sum(map(len, found.values())) >= len(re.sub(r"\W", "", text))
    return found if is_most else {}


def is_part(part: str, text: str) -> bool:
    """Whether a text is a word of a longer one, the currency of an amount, or the day, month or year of a date.

    >>> [is_part(part, "9.15 EUR") for part in ("9.15", "EUR", "€", "15")]
    [True, True, True, False]
    >>> [is_part(part, "12 Mar 2024") for part in ("12", "3", "March", "2024", "24")]
    [True, True, True, True, False]
    """
    if not part.strip() or len(part) >= len(text):
        return False
    if part.strip() in CURRENCIES and (amount := read_amount(text)):
        return amount.unit == CURRENCIES[part.strip()]
    if (day := _date_of(text)) and len(part) < 10:
        number = int(part) if part.isdecimal() else month_of(part)
        return number is not None and number in day
    return re.search(rf"(?<![\w.,]){re.escape(part)}(?![\w]|[.,]\d)", text, re.IGNORECASE) is not None


@lru_cache(maxsize=1024)
def _date_of(text: str) -> tuple[int, ...]:
    """The year, the month and the day of a date; nothing for other texts."""
    day = read_date(text)
    return tuple(map(int, day[0].split("-"))) if day else ()
