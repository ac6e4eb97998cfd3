"""Which row of the predictions belongs to which of the references."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile
from typing import Any

from docie.core.reading import Reading
from docie.core.values.json_text import parsed
from docie.documents.fit.change import LEAST, Change, is_found
from docie.documents.fit.sample import Sample

SAMPLE, SEED = 500, 0
"""The number of documents of a sample, and the seed that draws it."""
MOST_COLUMNS = 8
FILE_NAMES = ""
"""The name of the column of the names of files."""
ID_NAMES = re.compile(
    r"(_id|id|uid|uuid|guid|idx|index|key|url|uri|source|(doc|document|custom|request|record|sample|image|page|file|row)_?id"
    r"|file_?(name|path)?|(image|doc|document)(_?(name|path))?|img|path)",
    re.IGNORECASE,
)
"""Names of keys whose values number the rows, if they are all different."""
_FILE = re.compile(r"[^\n]{1,200}\.(pdf|png|jpe?g|tiff?|webp|bmp|gif|json|txt|xml|html?|docx?)", re.IGNORECASE)
_LONGEST, _BITS = 200, 64

Row = tuple[Any, str | None]
"""A row, and the name of its file if it stands in one of its own."""


class SideRows:
    """All rows of the references or of the predictions, which can be read again, with the keys that may hold ids.

    Args:
        read: gives all rows.
    """

    def __init__(self, read: Callable[[], Iterable[Row]]) -> None:
        self._read = read
        self.columns: dict[str, list[str]] = {}
        self.first: list[Any] = []
        self.size = 0
        seen: dict[str, set[str]] = {}
        for value, name in read():
            ids = _ids(value) | ({} if name is None else {FILE_NAMES: name})
            if not self.size:
                self.columns = {key: [] for key in ids}
                seen = {key: set() for key in ids}
            for key in [key for key in self.columns if key not in ids or ids[key] in seen[key]]:
                del self.columns[key]
            for key, column in self.columns.items():
                column.append(ids[key])
                seen[key].add(ids[key])
            if self.size < SAMPLE:
                self.first.append(value)
            self.size += 1

    @classmethod
    def listed(cls, values: Sequence[Any]) -> SideRows:
        """The rows of a list."""
        return cls(lambda: ((value, None) for value in values))

    def take(self, numbers: Sequence[int]) -> list[Any]:
        """The rows of these numbers, in this order."""
        if all(number < len(self.first) for number in numbers):
            return [self.first[number] for number in numbers]
        wanted = set(numbers)
        found = {number: value for number, (value, _) in enumerate(self._read()) if number in wanted}
        return [found[number] for number in numbers]


def _ids(value: object) -> dict[str, str]:
    """The values of a row that may be its id."""
    value = parsed(value)
    if not isinstance(value, dict):
        return {}
    return {key: str(child) for key, child in value.items() if type(key) is str and key and _may_be_id(child)}


def _may_be_id(value: object) -> bool:
    return len(value) <= _LONGEST if type(value) is str else type(value) is int and value.bit_length() <= _BITS


@dataclass(frozen=True)
class Join:
    """How rows are joined.

    Attributes:
        keys: the key of the ids of the references, and that of the predictions; None to join by order.
        strip: what is removed from ids.
        pairs: numbers of rows that belong together, each (prediction, reference).
        missing, extra: the number of references without a prediction, and of predictions without a reference.
    """

    keys: tuple[str, str] | None
    strip: tuple[str, ...]
    pairs: list[tuple[int, int]]
    missing: int = 0
    extra: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether every row has a counterpart."""
        return not (self.missing or self.extra)

    @property
    def options(self) -> dict[str, Any]:
        """The options of a reading that ask for it."""
        options: dict[str, Any] = {}
        if self.keys is None:
            options["id_key"] = ""
        elif (named := [key or "id" for key in self.keys]) != ["id", "id"]:
            options["id_key"] = named[0] if named[0] == named[1] else ":".join(named)
        if self.strip:
            options["strip_id"] = self.strip
        if self.extra:
            options["common_ids"] = True
        elif self.missing:  # the model failed on these: to leave them out would flatter it
            options["missing"] = "empty"
        return options

    def sample(self, predictions: SideRows, references: SideRows, reading: Reading) -> Sample:
        """Some of the pairs, drawn with a seed if there are many."""
        pairs = self.pairs
        if len(pairs) > SAMPLE:
            pairs = sorted(random.Random(SEED).sample(pairs, SAMPLE), key=lambda pair: pair[1])
        taken = predictions.take([pair[0] for pair in pairs]), references.take([pair[1] for pair in pairs])
        return Sample(list(zip(*taken, strict=True)), reading)


def by_id(predictions: SideRows, references: SideRows, keys: tuple[str, str], strip: Iterable[str] = ()) -> Join | None:
    """The rows joined by these keys; None if an id then stands twice."""
    stripped = Reading(strip_id=tuple(strip)).stripped
    expected = [stripped(text) for text in references.columns[keys[0]]]
    predicted = [stripped(text) for text in predictions.columns[keys[1]]]
    numbers = {text: number for number, text in enumerate(predicted)}
    if len(numbers) < len(predicted) or len(set(expected)) < len(expected):
        return None
    pairs = [(numbers[text], number) for number, text in enumerate(expected) if text in numbers]
    return Join(keys, tuple(strip), pairs, len(expected) - len(pairs), len(predicted) - len(pairs))


def by_order(predictions: SideRows, references: SideRows) -> Join:
    """The rows joined by their order."""
    size = min(predictions.size, references.size)
    rest = references.size - size, predictions.size - size
    return Join(None, (), [(number, number) for number in range(size)], *rest)


def present(predictions: SideRows, references: SideRows, reading: Reading) -> Join:
    """The rows as they are joined without further options."""
    keys = reading.id_key_of("reference"), reading.id_key_of("prediction")
    ids = [id_column(rows, key) for rows, key in zip((references, predictions), keys, strict=True)]
    if None not in ids and (found := by_id(predictions, references, (str(ids[0]), str(ids[1])), reading.strip_id)):
        return found
    return by_order(predictions, references)


def id_column(rows: SideRows, key: str) -> str | None:
    """The column of ids: the one of this key, or the names of files; None without either."""
    if key and key in rows.columns:
        return key
    return FILE_NAMES if FILE_NAMES in rows.columns else None


def joins(predictions: SideRows, references: SideRows, reading: Reading, now: Join) -> Iterator[Change]:
    """The best other way to join the rows, if there is one."""
    if now.keys is not None and may_be_scored(now, reading):
        return
    best = max(_candidates(predictions, references), key=_rank, default=None)
    if best is not None and 2 * len(best.pairs) >= min(predictions.size, references.size):
        change = _worth_telling(best, now, predictions, references, reading)
        if change is not None and change.sample.agreed >= _agreed_in_order(predictions, references, reading) / 2:
            yield change
            return
    if now.keys is not None and predictions.size == references.size:
        order = by_order(predictions, references)
        sample = order.sample(predictions, references, replace(reading, **order.options))
        if is_found(sample.agreed, sample.size):
            text = "the ids of the predictions are not those of the references, but the rows agree in their order"
            yield Change("join", order.options, sample.size, sample.agreed, text, sample)


def may_be_scored(join: Join, reading: Reading) -> bool:
    """Whether rows without a counterpart, if there are any, are no error."""
    return join.is_whole or (
        join.keys is not None and (reading.common_ids or (reading.missing == "empty" and not join.extra))
    )


def _agreed_in_order(predictions: SideRows, references: SideRows, reading: Reading) -> int:
    """The number of values that agree if rows are joined by their order."""
    if predictions.size != references.size:
        return 0
    return by_order(predictions, references).sample(predictions, references, replace(reading, id_key="")).agreed


def _rank(join: Join) -> tuple[object, ...]:
    keys = join.keys or ("", "")
    is_named = sum(is_id_name(key) for key in keys)
    return len(join.pairs), is_named, keys[0] == keys[1], -len(join.strip), "id" in keys


def _candidates(predictions: SideRows, references: SideRows) -> Iterator[Join]:
    for keys in product(list(references.columns)[:MOST_COLUMNS], list(predictions.columns)[:MOST_COLUMNS]):
        ids = references.columns[keys[0]], predictions.columns[keys[1]]
        strips = [*_strips(*ids)]
        if any(Reading(strip_id="zeros").stripped(text) != text for side in ids for text in side[:SAMPLE]):
            strips += [(*strip, "zeros") for strip in strips]
        for strip in strips:
            if (found := by_id(predictions, references, keys, strip)) and found.pairs:
                yield found
                if found.is_whole:
                    break


def _strips(expected: list[str], predicted: list[str]) -> Iterator[tuple[str, ...]]:
    """What may be removed from ids, the simplest first."""
    yield ()
    texts = [*expected[:SAMPLE], *predicted[:SAMPLE]]
    names = [
        *(["folder"] if any("/" in text or "\\" in text for text in texts) else []),
        *(["ending"] if any(_FILE.fullmatch(text) for text in texts) else []),
    ]
    if names:
        yield tuple(names)
        for name in names if len(names) > 1 else ():
            yield (name,)
    bare = [[Reading(strip_id=names).stripped(text) for text in side] for side in (expected, predicted)]
    prefixes = [_common_start(side).rstrip(string.digits) for side in bare]
    suffixes = [_common_start([text[::-1] for text in side])[::-1].lstrip(string.digits) for side in bare]
    for ends in (suffixes, prefixes):
        if ends[0] != ends[1]:
            yield (*names, *filter(None, ends))


def _common_start(texts: Iterable[str]) -> str:
    """What all texts begin with: what the first and the last in alphabetical order begin with."""
    both = zip(min(texts), max(texts), strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def _worth_telling(
    best: Join, now: Join, predictions: SideRows, references: SideRows, reading: Reading
) -> Change | None:
    if best.keys is None or len(best.pairs) < LEAST:
        return None
    sample = best.sample(predictions, references, replace(reading, **best.options))
    before = now.sample(predictions, references, reading) if now.keys is not None or now.is_whole else None
    is_in_place = before is not None and now.keys is None and now.pairs == best.pairs
    gained = sample.agreed - (before.agreed if before else 0)
    names_ids = all(_are_ids(rows, key) for rows, key in zip((references, predictions), best.keys, strict=True))
    if not names_ids and not (best.is_whole and is_found(gained, sample.size)):
        return None
    if is_in_place and not (names_ids and best.keys != ("id", "id")):
        return None
    if best.keys == now.keys and best.strip == now.strip:
        text = _unpaired(best)
    else:
        keys = " and ".join(dict.fromkeys(repr(key) if key else "the names of files" for key in best.keys))
        verb = "identify" if len(set(best.keys)) > 1 or not best.keys[0] else "identifies"
        text = f"{keys} {verb} the documents" + (f", without {' and '.join(best.strip)}" if best.strip else "")
        text += f"; {_unpaired(best)}" if not best.is_whole else ""
    return Change("join", best.options, sample.size, max(gained, 0), text, sample)


def _unpaired(join: Join) -> str:
    parts = []
    for number, here, there in ((join.missing, "reference", "prediction"), (join.extra, "prediction", "reference")):
        if number:
            parts.append(f"{number} {here}{'s have' if number > 1 else ' has'} no {there}")
    return " and ".join(parts)


def is_id_name(key: str) -> bool:
    """Whether a key is a usual name of ids, or stands for the names of files."""
    return not key or bool(ID_NAMES.fullmatch(key))


def _are_ids(rows: SideRows, key: str) -> bool:
    """Whether a column looks like the ids of rows, by its name or as names of files."""
    return is_id_name(key) or all(map(_FILE.fullmatch, rows.columns[key]))


def row_lists(rows: SideRows) -> dict[str, list[Any]]:
    """The lists of objects in the only row, by the path that leads to them: they may hold the rows.

    >>> row_lists(SideRows.listed([{"data": {"documents": [{"total": "9"}, {"total": "8"}]}}]))
    {'data.documents': [{'total': '9'}, {'total': '8'}]}
    """
    found: dict[str, list[Any]] = {}
    waiting = [("", parsed(rows.first[0]))] if rows.size == 1 else []
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and path.count(".") < 3:
            inner = ((key, child) for key, child in value.items() if type(key) is str and "." not in key)
            waiting += [(f"{path}.{key}" if path else key, child) for key, child in inner]
        elif isinstance(value, list) and len(value) > 1 and all(isinstance(each, dict) for each in value):
            found[path] = value
    return found
