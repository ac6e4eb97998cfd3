"""Rows of groups that are none: those that repeat the header of a table, or its totals."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from docie.core.normalizers.same_value import form_key
from docie.core.phrases import counted, verb
from docie.inputs.fit.change import LEAST, Change
from docie.inputs.fit.sample import SIDES, Entities, Key, Sample

_TOTAL = re.compile(
    r"(grand |sub|sub-| )*total( amount| due)?|sum|(zwischen)?summe|gesamt(betrag|summe)?|totaa?le?|suma|合計|总计",
    re.IGNORECASE,
)
"""What begins a row of totals."""

Rows = list[tuple[Key, ...]]


def propose(sample: Sample) -> Iterator[Change]:
    """Rows of one side that repeat the header or the totals, where the other side has none: told."""
    for place, side in enumerate(SIDES):
        headers: defaultdict[str, Rows] = defaultdict(list)
        totals: defaultdict[str, Rows] = defaultdict(list)
        for pair in sample.entities:
            for group, rows in _rows_alone(pair[place], pair[1 - place]).items():
                headers[group] += [row for row in rows if _is_header(row)]
                totals[group] += [row for row in rows if _is_total(row)]
        headers = defaultdict(list, {group: _repeated(rows) for group, rows in headers.items()})
        for found, what in ((headers, "the header"), (totals, "the totals")):
            for group, rows in sorted(found.items()):
                if len(rows) >= LEAST:
                    example = ", ".join(repr(text) for _, text in rows[0])
                    repeat = verb(len(rows), "repeats", "repeat")
                    text = (
                        f"{counted(len(rows), 'row')} of {group!r} in the {side}s {repeat} "
                        f"{what} of their table, which the {SIDES[1 - place]}s do not have there: {example}"
                    )
                    yield Change("records", {}, sum(map(len, rows)), 0, text, sample)


def _rows_alone(own: Entities, other: Entities) -> dict[str, Rows]:
    """The rows of groups that the other side has, but for those that are there too."""
    found: dict[str, Rows] = {}
    for group in own.keys() & other.keys() - {""}:
        there = {_meaning(row) for row in other[group]}
        names = {name for row in other[group] for name, _ in row}
        rows = (tuple(row) for row in own[group] if len(row) > 1 and names & {name for name, _ in row})
        found[group] = [row for row in rows if _meaning(row) not in there]
    return found


def _meaning(row: Sequence[Key]) -> frozenset[tuple[str, str]]:
    return frozenset((name, form_key(text)) for name, text in row)


def _is_header(row: Sequence[Key]) -> bool:
    """Whether a row may be a header: different words without digits."""
    texts = [text for _, text in row]
    return len({*texts}) == len(texts) and not any(re.search(r"\d", text) for text in texts)


def _is_total(row: Sequence[Key]) -> bool:
    words = (text.strip(" :.") for _, text in row)
    return any(_TOTAL.fullmatch(word) for word in words) and any(re.search(r"\d", text) for _, text in row)


def _repeated(rows: Rows) -> Rows:
    """The rows that stand in several documents, or whose texts are the names of their types."""
    times = Counter(rows)
    return [row for row in rows if times[row] >= LEAST or all(_names(name, text) for name, text in row)]


def _names(name: str, text: str) -> bool:
    return re.sub(r"\W|_", "", text).casefold() == re.sub(r"\W|_", "", name.rpartition(".")[2]).casefold()
