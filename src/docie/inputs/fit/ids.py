"""Which row of the predictions belongs to which of the references."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product, takewhile
from typing import Any

from docie.core.normalizers.dates import read_date
from docie.core.normalizers.same_value import decided
from docie.core.phrases import counted, enumerated
from docie.inputs.fit.change import LEAST, Change, is_found
from docie.inputs.fit.hypotheses import unwrap
from docie.inputs.fit.rows import FILE_NAMES, SAMPLE, SideRows, is_id_name
from docie.inputs.fit.sample import Sample
from docie.inputs.pages import PAGE_NAMES, page_of
from docie.inputs.reading import ANY_KEY, BY_NAME, SIDES, Reading, Side, both

SEED = 0
"""The seed that draws a sample."""
_WORDS = {
    "folder": "folders",
    "ending": "file endings",
    "zeros": "leading zeros",
    "blanks": "blanks",
    "case": "capitals",
}
"""What `strip_id` removes, in a sentence."""
MOST_COLUMNS = 8
"""The columns of a side that are tried as ids, those with names of ids first: 8 by 8 pairs of columns are joined."""
LOOKED_AT = 50
"""The number of values of a column that are read as amounts and dates."""
_FILE = re.compile(r"[^\n]{1,200}\.(pdf|png|jpe?g|tiff?|webp|bmp|gif|json|txt|xml|html?|docx?)", re.IGNORECASE)


@dataclass(frozen=True)
class Joined:
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
            options |= both("id", "")
        elif [key or "id" for key in self.keys] != ["id", "id"]:
            options |= {f"{side}.id": key or "id" for side, key in zip(SIDES, self.keys, strict=True)}
        if self.strip:
            options |= both("strip_id", self.strip)
        if self.extra:
            options |= {"join.missing": "drop", "join.extra": "drop"}
        elif self.missing:  # the model failed on these: to leave them out would flatter it
            options["join.missing"] = "empty"
        return options

    def sample(self, predictions: SideRows, references: SideRows, reading: Reading) -> Sample:
        """Some of the pairs, drawn with a seed if there are many."""
        pairs = self.pairs
        if len(pairs) > SAMPLE:
            pairs = sorted(random.Random(SEED).sample(pairs, SAMPLE), key=lambda pair: pair[1])
        taken = predictions.take([pair[0] for pair in pairs]), references.take([pair[1] for pair in pairs])
        return Sample(list(zip(*taken, strict=True)), reading)


def by_id(
    predictions: SideRows, references: SideRows, keys: tuple[str, str], strip: Iterable[str] = ()
) -> Joined | None:
    """The rows joined by these keys; None if an id then stands twice."""
    stripped = Side(strip_id=tuple(strip)).stripped
    expected = [stripped(text) for text in references.columns[keys[0]]]
    predicted = [stripped(text) for text in predictions.columns[keys[1]]]
    numbers = {text: number for number, text in enumerate(predicted)}
    if len(numbers) < len(predicted) or len(set(expected)) < len(expected):
        return None
    pairs = [(numbers[text], number) for number, text in enumerate(expected) if text in numbers]
    return Joined(keys, tuple(strip), pairs, len(expected) - len(pairs), len(predicted) - len(pairs))


def by_order(predictions: SideRows, references: SideRows) -> Joined:
    """The rows joined by their order."""
    size = min(predictions.size, references.size)
    rest = references.size - size, predictions.size - size
    return Joined(None, (), [(number, number) for number in range(size)], *rest)


def present(predictions: SideRows, references: SideRows, reading: Reading) -> Joined:
    """The rows as they are joined without further options."""
    keys = reading.references.id_key, reading.predictions.id_key
    ids = [id_column(rows, key) for rows, key in zip((references, predictions), keys, strict=True)]
    if None not in ids and (
        found := by_id(predictions, references, (str(ids[0]), str(ids[1])), reading.predictions.strip_id)
    ):
        return found
    return by_order(predictions, references)


def id_column(rows: SideRows, key: str) -> str | None:
    """The column of ids: the one of this key, or the names of files; None without either."""
    if key and key in rows.columns:
        return key
    return FILE_NAMES if FILE_NAMES in rows.columns else None


def joins(predictions: SideRows, references: SideRows, reading: Reading, now: Joined) -> Iterator[Change]:
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
        sample = order.sample(predictions, references, reading.with_options(order.options))
        if is_found(sample.agreed, sample.size):
            text = "the ids of the predictions are not those of the references, but the rows agree in their order"
            yield Change("join", order.options, sample.size, sample.agreed, text, sample)


def of_pages(predictions: SideRows, references: SideRows, reading: Reading) -> Iterator[Change]:
    """The change to documents, where the rows of one side are their pages."""
    for side, rows, others in (
        ("predictions", predictions, references),
        ("references", references, predictions),
    ):
        if rows.size <= others.size or rows.how.pages:
            continue
        for key, pages in _pages_of(rows):
            options = {"pages": pages} | ({} if key in ("id", FILE_NAMES) else {"id": key})
            try:
                merged = rows.under(**options)
            except ValueError:  # two rows of the same page, say
                continue
            sides = (merged, others) if side == "predictions" else (others, merged)
            wanted = {f"{side}.{name}": value for name, value in options.items()}
            after = reading.with_options(wanted)
            then = list(joins(*sides, after, present(*sides, after)))
            join = then[-1].sample if then else present(*sides, after).sample(*sides, after)
            if merged.size <= others.size and is_found(join.agreed, join.size):
                by = "their names" if pages == BY_NAME else repr(pages)
                text = f"the rows of the {side} are the pages of {merged.size} documents, by {by}"
                yield Change("join", wanted, join.size, join.agreed, text, join)
                yield from then
                return


def tries(predictions: SideRows, references: SideRows, reading: Reading) -> Iterator[Change]:
    """What tells of ids that stand several times on one side."""
    for side, rows in (("predictions", predictions), ("references", references)):
        column = rows.repeated.get(rows.how.id_key, [])
        if number := len({*column}):
            text = (
                f"{counted(len(column), 'row')} of the {side} have {counted(number, 'id')}: several tries of the same "
                "documents, say; one row a document can be scored"
            )
            sample = by_order(predictions, references).sample(predictions, references, reading)
            yield Change("join", {}, sum(sample.types[side == "references"].values()), 0, text, sample)


def _pages_of(rows: SideRows) -> Iterator[tuple[str, str]]:
    """The keys of ids that may be those of pages, each with what holds the number of the page."""
    for key, column in rows.columns.items():
        if is_id_name(key) and sum(page_of(name)[1] is not None for name in column) * 2 > len(column):
            yield key, BY_NAME
    for key in rows.repeated:
        for page in rows.first[0] if isinstance(rows.first[0], dict) else ():
            if isinstance(page, str) and PAGE_NAMES.fullmatch(page):
                yield key, page


def may_be_scored(join: Joined, reading: Reading) -> bool:
    """Whether rows without a counterpart, if there are any, are no error."""
    return join.is_whole or (
        join.keys is not None
        and (reading.missing != "error" or not join.missing)
        and (reading.extra == "drop" or not join.extra)
    )


def _agreed_in_order(predictions: SideRows, references: SideRows, reading: Reading) -> int:
    """The number of values that agree if rows are joined by their order."""
    if predictions.size != references.size:
        return 0
    return (
        by_order(predictions, references).sample(predictions, references, reading.with_options(both("id", ""))).agreed
    )


def _rank(join: Joined) -> tuple[object, ...]:
    keys = join.keys or ("", "")
    is_named = sum(is_id_name(key) for key in keys)
    return len(join.pairs), is_named, keys[0] == keys[1], -len(join.strip), "id" in keys


def _candidates(predictions: SideRows, references: SideRows) -> Iterator[Joined]:
    expected, predicted = (
        sorted(filter(partial(_may_be_ids, rows), rows.columns), key=lambda key: not is_id_name(key))[:MOST_COLUMNS]
        for rows in (references, predictions)
    )
    for keys in product(expected, predicted):
        for strip in _strips(references.columns[keys[0]], predictions.columns[keys[1]]):
            if (found := by_id(predictions, references, keys, strip)) and found.pairs:
                yield found
                if found.is_whole:
                    break


def _may_be_ids(rows: SideRows, key: str) -> bool:
    """Whether a column may hold ids: by its name, or if its values are no amounts or dates, which are scored."""
    texts = rows.columns[key][:LOOKED_AT]
    values = sum(decided(text) != (None, None) or read_date(text) is not None for text in texts)
    return is_id_name(key) or 2 * values < len(texts)


def _strips(expected: list[str], predicted: list[str]) -> Iterator[tuple[str, ...]]:
    """What may be removed from ids, the simplest first: parts that have names, then what all ids of a side share.

    scans/a.pdf and a: folder and ending; 007 and 7: zeros; "a " and A: blanks and case; a_gt and a_pred: _gt and _pred.
    """
    texts = [*expected[:SAMPLE], *predicted[:SAMPLE]]
    of_files = (
        *(["folder"] if any("/" in text or "\\" in text for text in texts) else []),
        *(["ending"] if any(_FILE.fullmatch(text) for text in texts) else []),
    )
    named = [*dict.fromkeys([(), of_files, *((name,) for name in of_files)])]
    for name in ("zeros", "blanks", "case"):
        if any(Side(strip_id=name).stripped(text) != text for text in texts):
            named += [(*strip, name) for strip in named]
    yield from named
    for strip in dict.fromkeys((of_files, named[-1])):
        bare = [[Side(strip_id=strip).stripped(text) for text in side] for side in (expected, predicted)]
        for ends in _ends(bare):
            yield (*strip, *ends)


def _ends(sides: list[list[str]]) -> Iterator[Iterable[str]]:
    """What the ids of the sides end with, and what they begin with, without the digits of their numbers."""
    suffixes = [_common_start([text[::-1] for text in side])[::-1].lstrip(string.digits) for side in sides]
    prefixes = [_common_start(side).rstrip(string.digits) for side in sides]
    for one, other in (suffixes, prefixes):
        if one != other:
            yield filter(None, (one, other))


def _common_start(texts: Iterable[str]) -> str:
    """What all texts begin with: what the first and the last in alphabetical order begin with."""
    both = zip(min(texts), max(texts), strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def _worth_telling(
    best: Joined, now: Joined, predictions: SideRows, references: SideRows, reading: Reading
) -> Change | None:
    if best.keys is None or len(best.pairs) < LEAST:
        return None
    sample = best.sample(predictions, references, reading.with_options(best.options))
    before = now.sample(predictions, references, reading) if now.keys is not None or now.is_whole else None
    is_in_place = before is not None and now.keys is None and now.pairs == best.pairs
    gained = sample.agreed - (before.agreed if before else 0)
    names_ids = all(_are_ids(rows, key) for rows, key in zip((references, predictions), best.keys, strict=True))
    if not names_ids and best.is_whole and not is_found(gained, sample.size):  # documents may stand deeper in the rows
        gained = max((change.sample.agreed for change in unwrap.propose(sample)), default=0)
    if not names_ids and not (best.is_whole and is_found(gained, sample.size)):
        return None
    if is_in_place and not (names_ids and best.keys != ("id", "id")):
        return None
    if best.keys == now.keys and best.strip == now.strip:
        text = _unpaired(best)
    else:
        names = zip(best.keys, (reading.references, reading.predictions), strict=True)
        keys = " and ".join(dict.fromkeys(repr(key) if key else _without_key(how) for key, how in names))
        verb = "identify" if len(set(best.keys)) > 1 or not best.keys[0] else "identifies"
        apart = enumerated(_WORDS.get(name, repr(name)) for name in best.strip)
        text = f"{keys} {verb} the documents" + (f", apart from {apart}" if best.strip else "")
        text += f"; {_unpaired(best)}" if not best.is_whole else ""
    return Change("join", best.options, sample.size, max(gained, 0), text, sample)


def _without_key(how: Side) -> str:
    """What names rows whose ids stand under no key."""
    return "the keys of the documents" if how.path[:1] == [ANY_KEY] else "the names of files"


def _unpaired(join: Joined) -> str:
    parts = []
    for number, here, there in ((join.missing, "reference", "prediction"), (join.extra, "prediction", "reference")):
        if number:
            parts.append(f"{number} {here}{'s have' if number > 1 else ' has'} no {there}")
    return " and ".join(parts)


def _are_ids(rows: SideRows, key: str) -> bool:
    """Whether a column looks like the ids of rows, by its name or as names of files."""
    return is_id_name(key) or all(map(_FILE.fullmatch, rows.columns[key]))
