"""What errors have in common, in sentences: a corpus adds up what the sorts find in its documents.

An error belongs to the first sort that finds it, so it counts in one pattern at most. Kept are counters and examples,
not errors, so memory does not grow with a corpus.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from docie.core.counts import Counts
from docie.core.phrases import counted, some_of, verb, visible
from docie.core.values.plain import JsonObject
from docie.diagnosis.error_sorts import SORTS, Read
from docie.documents.document import Document
from docie.metrics.kieval.corrections import CORRECT, ErrorRow
from docie.metrics.kieval.hints import Hints
from docie.metrics.kieval.repairs import Failed

LEAST = 2
"""The errors that make a pattern."""
LEAST_IN_ONE = 5
"""The errors of one kind in one document that make one."""
MOST = 10
"""The patterns that are told."""
FIRST = 3
"""The documents that a pattern names."""
TYPES_NAMED = 2
"""The entity types that a sentence names."""
LONGEST_EXAMPLE = 11
"""The characters of a value in an example."""
MOST_KEYS = 10_000
"""The possible patterns that are counted: what stands beside values may be another text in each document."""
VALUES: Mapping[str, str] = {
    "format": "values in another format",
    "group": "values in the wrong group",
    "type": "values of the wrong type",
    "duplicate": "duplicates",
    "value": "incorrect values",
    "missing": "missing values",
    "spurious": "spurious values",
}
"""What errors of each kind are, in words."""

Key = tuple[str, ...]
"""What a pattern is: its sort, and what its errors have in common."""


class Pattern(NamedTuple):
    """What several errors have in common.

    Attributes:
        pattern: its sort, a name of `SORTS` or "one_document".
        entity_types: the entity types of its errors, the most frequent first.
        what: what they have in common.
        times: how often; None if `what` says so itself.
        errors: the number of its errors.
        documents: the number of documents that have them.
        first_documents: the first of these, by their ids or numbers.
        reference, prediction: the values of the first error; None where it has none.
        keys: the numbers that `Patterns.add` gave its errors.
    """

    pattern: str
    entity_types: list[str]
    what: str
    times: int | None
    errors: int
    documents: int
    first_documents: list[str | int]
    reference: str | None
    prediction: str | None
    keys: frozenset[int]

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.what if self.times is None else f"{self.times:,} × {self.what}"

    @property
    def example(self) -> str:
        """The values of the first error, in words."""
        return " for ".join(_brief(text) for text in (self.prediction, self.reference) if text is not None)

    def record(self) -> JsonObject:
        """It as JSON has it."""
        found = self._asdict()
        del found["what"], found["times"], found["keys"]
        return {"pattern": self.pattern, "text": self.text} | found


@dataclass(slots=True)
class Seen:
    """What is known of a possible pattern: its errors by type and by kind, how often it occurs, and where first."""

    errors: int = 0
    times: int = 0
    documents: int = 0
    types: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    first: dict[str | int, None] = field(default_factory=dict)
    example: tuple[str | None, str | None] = (None, None)
    keys: set[int] = field(default_factory=set)

    def add(self, document: str | int, rows: Sequence[ErrorRow], times: int) -> None:
        """Add the errors of a document."""
        if not self.errors:
            self.example = rows[0].reference, rows[0].prediction
        self.errors += len(rows)
        self.times += times
        self.documents += 1
        for row in rows:  # faster than `update`, of so few
            self.types[row.entity_type] += 1
            self.kinds[row.kind] += 1
        if len(self.first) < FIRST:
            self.first[document] = None

    def merge(self, other: Seen) -> None:
        """Add the only error of another one."""
        self.example = self.example if self.errors else other.example
        self.errors += other.errors
        self.times += other.times
        self.types += other.types
        self.kinds += other.kinds
        self.first |= other.first
        self.keys |= other.keys
        self.documents = len(self.first)

    @property
    def names(self) -> list[str]:
        """The entity types, the most frequent first."""
        return sorted(self.types, key=lambda name: (-self.types[name], name))

    @property
    def places(self) -> str:
        """The entity types in words, with their numbers if there are several."""
        if len(self.types) == 1:
            return self.names[0]
        return some_of((f"{name} ({self.types[name]:,})" for name in self.names), TYPES_NAMED)


class Patterns:
    """Collects what the errors of documents have in common.

    Args:
        asked: which errors count; the others of a document only explain these.

    >>> from docie import kieval
    >>> from docie.metrics.kieval.repairs import analyse
    >>> patterns, counts = Patterns(), Counts()
    >>> for number in range(3):
    ...     found = analyse({"date": "15 Sep"}, {"date": "15 Sep 2024"}, kieval.Settings(), number)
    ...     counts += found.counts
    ...     of_errors = patterns.add(number, found.rows, found.counts, found.reference)
    >>> [pattern.text for pattern in patterns.found(counts)]
    ['3 of 3 values of date lack the year']
    """

    def __init__(self, asked: Callable[[ErrorRow], bool] = lambda _: True) -> None:
        self.asked = asked
        self._seen: dict[Key, Seen] = {}
        self._totals = Counter[str]()  # the errors of each kind
        self._rest = Counter[str]()  # the errors of each kind that belong to no sort
        self._most: dict[str, tuple[int, Seen]] = {}  # the most of these in one document
        self._numbers = 0  # of possible patterns

    def add(
        self, document: str | int, errors: Sequence[ErrorRow], counts: Counts, reference: Document
    ) -> dict[int, int]:
        """Add a document: its id or number, its errors, its counts, and the document as it should be.

        Returns:
            dict: from the place of an error to the number of the pattern that it may belong to.
        """
        left, numbers = {place: row for place, row in enumerate(errors) if row.kind not in CORRECT}, dict[int, int]()
        for row in filter(self.asked, left.values()):
            self._totals[row.kind] += 1
        read = Read([*left.values()], counts, reference)
        for sort, function in SORTS.items():
            if not left:
                break
            together: dict[Key, tuple[dict[int, None], int]] = {}
            for details, places, times in function(read, left):
                known, before = together.get((sort, *details), ({}, 0))
                together[sort, *details] = known | dict.fromkeys(places), before + times
            for key, (of_key, times) in together.items():
                places = [place for place in of_key if place in left]
                rows = [left.pop(place) for place in places]
                if seen := self._note(key, document, [*filter(self.asked, rows)], times):
                    numbers |= dict.fromkeys(places, self._number_in(seen))
        by_kind: defaultdict[str, dict[int, ErrorRow]] = defaultdict(dict)
        for place, row in left.items():
            if self.asked(row):
                by_kind[row.kind][place] = row
        for kind, rest in by_kind.items():
            self._rest[kind] += len(rest)
            if len(rest) > self._most.get(kind, (0,))[0]:
                self._most[kind] = len(rest), (seen := Seen())
                seen.add(document, [*rest.values()], 1)
                numbers |= dict.fromkeys(rest, self._number_in(seen))
        return numbers

    def _note(self, key: Key, document: str | int, rows: Sequence[ErrorRow], times: int) -> Seen | None:
        seen = self._seen.get(key)
        if not rows or (seen is None and len(self._seen) >= MOST_KEYS):
            return None
        if seen is None:
            seen = self._seen[key] = Seen()
        seen.add(document, rows, times)
        return seen

    def _number_in(self, seen: Seen) -> int:
        """The number of the errors of a possible pattern."""
        if not seen.keys:
            seen.keys.add(self._numbers)
            self._numbers += 1
        return min(seen.keys)

    def found(self, counts: Counts) -> list[Pattern]:
        """The patterns, those with the most errors first; `counts` are those of all documents."""
        told: dict[Key, Seen] = {}
        others: defaultdict[Key, Seen] = defaultdict(Seen)
        for key, seen in self._seen.items():
            if seen.errors >= LEAST:
                told[key] = seen
            else:  # parts that occur once have in common that they are parts
                others[key[:2] if key[0] == "part" else key].merge(seen)
        told |= {key: others.pop(key) for key in [*others] if others[key].errors >= LEAST}
        patterns = [self._pattern(key[0], seen, *self._said(key, seen, counts)) for key, seen in told.items()]
        patterns += self._in_one_document(others.values())
        patterns.sort(key=lambda each: (-each.errors, each.text))
        return patterns[:MOST]

    @staticmethod
    def _pattern(sort: str, seen: Seen, what: str, times: int | None = None) -> Pattern:
        first, keys = [*seen.first][:FIRST], frozenset(seen.keys)
        return Pattern(sort, seen.names, what, times, seen.errors, seen.documents, first, *seen.example, keys)

    def _in_one_document(self, others: Iterable[Seen]) -> Iterator[Pattern]:
        """Kinds of errors most of which are in one document, of those without another pattern."""
        single = [((kind, *seen.first), seen) for seen in others for kind in seen.kinds]
        for kind, (number, seen) in self._most.items():
            [document] = seen.first
            alone = [seen for place, seen in single if place == (kind, document)]
            here = number + len(alone)
            all_of_kind = self._rest[kind] + sum(kind == of for (of, *_), _ in single)
            if number >= LEAST_IN_ONE and 2 * number > self._rest[kind] and all_of_kind < 2 * here < 2 * all_of_kind:
                other = "" if all_of_kind == self._totals[kind] else "other "
                what = f"{here:,} of {all_of_kind:,} {other}{VALUES[kind]} are in {document}"
                seen.keys.update(*(each.keys for each in alone))
                yield self._pattern("one_document", seen, what)

    def _said(self, key: Key, seen: Seen, counts: Counts) -> tuple[str, int | None]:
        """What a pattern has in common, and how often, unless this is said, too."""
        sort, *details = key
        if sort == "no_answer":
            failed = counts.total("failed", Failed)
            is_told = failed.unreadable and failed.answers == seen.documents
            unread = f" ({failed.unreadable:,} could not be read)" if is_told else ""
            number = seen.kinds["missing"]
            of = f"{number:,} of {counted(self._totals['missing'], 'missing value')} {verb(number)}"
            return f"{of} in {counted(seen.documents, 'answer')} without any value{unread}", None
        if sort == "cut":
            which, documents = details[1], counted(seen.documents, "document")
            return f"{seen.errors:,} missing values are {which} {details[0]} of {documents}", None
        if sort == "part" and details[0] == "missing" and details[-1] in ("the year", "the day", "the time"):
            expected = Hints.types(counts)[2]
            number = sum(expected[name] for name in seen.types)
            return f"{seen.errors:,} of {counted(number, 'value')} of {seen.places} lack {details[1]}", None
        return SENTENCES[sort](*details) + ("" if sort in NAMED else f" in {seen.places}"), seen.times


def _brief(text: str) -> str:
    """A value as an example shows it: without its middle, and with quotes if one would not see where it ends."""
    half = LONGEST_EXAMPLE // 2
    return visible(text if len(text) <= LONGEST_EXAMPLE else f"{text[:half]}…{text[-half:]}")


def _name(characters: str) -> str:
    """Characters in words."""
    if len(characters) > 1 or not characters.isalnum():
        return repr(characters)
    return f"{'letter' if characters.isalpha() else 'digit'} {characters}"


SENTENCES: dict[str, Callable[..., str]] = {
    "exchanged": "{} and {} exchanged".format,
    "other_type": "value of {} as {}".format,
    "confused": lambda text, read: f"{_name(read)} for {_name(text)}",
    "row_off": "value one row off".format,
    "part": lambda verb, rest="a part": f"{rest} {verb}",
    "format": lambda what: (
        "another date format" if what == "date" else f"difference in {what} only" if what else "another format"
    ),
}
NAMED = {"exchanged", "other_type"}
"""The sorts whose sentences name the entity types."""
