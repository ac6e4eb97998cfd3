"""Scores of evidence: whether correct values also name the place where they stand, beside all other scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.core.counts import Counts, Key, Number, Row, precision_recall_f1, ratio
from docie.core.errors import shortened
from docie.core.rules.match import CALL
from docie.metrics.kieval.evidence.grounding import Grounding
from docie.metrics.kieval.evidence.sides import Side
from docie.metrics.kieval.weighing import Entities

if TYPE_CHECKING:
    from docie.metrics.kieval.metric import Comparison


@dataclass(slots=True)
class Evidence(Row):
    """Columns of the ("evidence", entity type) rows: grounded values, and predicted and expected ones with evidence."""

    grounded: Number = 0
    predicted: Number = 0
    expected: Number = 0

    def scores(self, values: Entities) -> dict[str, Number]:
        """The scores of the row; `values` are all values."""
        spurious, missing = self.predicted - self.grounded, self.expected - self.grounded
        found = precision_recall_f1(self.grounded, spurious, missing)
        share = ratio(self.predicted, values.true_positives + values.false_positives, empty=values.support == 0)
        return {**{f"grounded_{name}": value for name, value in found._asdict().items()}, "evidence_share": share}


class Asked(NamedTuple):
    """What evidence is asked for: pages, or boxes with at least this intersection over union."""

    least: float | None

    @classmethod
    def of(cls, option: object) -> Asked:
        """What the option asks for.

        Raises:
            ValueError: for what is neither "page" nor "box" with a number above 0 and at most 1.

        >>> Asked.of("box"), str(Asked.of("box(0.70)")), str(Asked.of("page"))
        (Asked(least=0.5), 'box(0.7)', 'page')
        """
        found = CALL.fullmatch(option) if isinstance(option, str) else None
        name, number, percent = found.groups() if found else ("", None, "")
        if name == "page" and number is None:
            return cls(None)
        least = 0.5 if number is None else float(number)
        if name != "box" or percent or not 0 < least <= 1:
            expected = "'page', 'box' or 'box(0.7)' with a number above 0 and at most 1"
            raise ValueError(f"evidence must be {expected}, got {shortened(option)}")
        return cls(least)

    def __str__(self) -> str:
        return "page" if self.least is None else f"box({self.least:.12g})"


def rows_of(comparisons: Sequence[Comparison], documents: tuple[object, object], settings: Any) -> dict[Key, Row]:
    """The rows of one document. A row without a type says that evidence was asked for."""
    prediction, reference = documents
    sides = Side(prediction, "prediction", settings), Side(reference, "reference", settings)
    grounding, rows = Grounding(*sides, settings), defaultdict[str | None, Evidence](Evidence, {None: Evidence()})
    for each in grounding.arranged(comparisons):
        for token, _ in each.grounded:
            rows[token[0]].grounded += 1
        for leaf in each.predicted.values():
            rows[leaf.type].predicted += grounding.has_evidence(leaf)
        for leaf in each.expected.values():
            rows[leaf.type].expected += grounding.has_evidence(leaf)
    return {("evidence", entity_type): row for entity_type, row in rows.items()}


def evidence_in(counts: Counts) -> Evidence | None:
    """The evidence of all values; None if it was not asked for."""
    return counts.by("evidence", 0, Evidence).get("evidence")


def figures(counts: Counts) -> dict[str, Number]:
    """The scores of the evidence, if it was asked for."""
    row = evidence_in(counts)
    return {} if row is None else row.scores(counts.total("entity", Entities))


def remarks(counts: Counts) -> Iterator[str]:
    """What a user should know of evidence that was asked for, and says nothing.

    Args:
        counts (Counts): the counts of a corpus.

    Returns:
        iterator of str: a line for each thing; none if evidence was not asked for.

    >>> from docie import kieval
    >>> counts = kieval.count({"total": "9"}, {"total": "9"}, kieval.Settings(evidence="page"))
    >>> [*remarks(counts)]
    ['evidence: no value of the references has a place, so its scores say nothing']
    """
    row = evidence_in(counts)
    if row is not None and not row.expected:
        yield "evidence: no value of the references has a place, so its scores say nothing"
    elif row is not None and row.predicted and not row.grounded:
        yield "evidence: no correct value is in its place; pages may be numbered, or boxes measured, in another way"


def by_type(counts: Counts) -> dict[str | None, dict[str, Number]]:
    """The same for each entity type."""
    rows = counts.by("evidence", 1, Evidence)
    values = counts.by("entity", 2, Entities) if rows else {}
    return {name: row.scores(values[name]) for name, row in rows.items() if name in values}
