"""What the report of a comparison says, section by section, as plain data: no HTML, and no files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docie._version import __version__
from docie.corpus import gain_of
from docie.documents.rows import paired_rows
from docie.metrics import kieval
from docie.show import tables
from docie.show.report.comparison import tables as parts
from docie.show.report.wording import Facts

MOST_ROWS = 300
"""The rows that a table shows at most."""


class Changed(NamedTuple):
    """A document that got better or worse from the first system to another.

    Attributes:
        name: the document.
        a, b: the names of the systems.
        is_better: whether b is better.
        summary: its scores, and what it changes in the score of all documents, in words.
        answers: what the systems say: the predictions of a and of b.
        reference: what is right.
    """

    name: str | int
    a: str
    b: str
    is_better: bool
    summary: str
    answers: tuple[Any, Any]
    reference: Any


class Comparison:
    """The sections of the report of a comparison.

    Args:
        results (dict): what `corpus.compare` gave.
        predictions (dict): from the name of each system to its predictions.
        references (list): the references.
        settings (kieval.Settings): how values are compared where documents are shown.
        facts (Facts): how the figures were made; `predictions` stands for all systems.
        name_of: gives the name of a document that has no id, from its number.

    >>> from docie import corpus
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> systems = {"careful": references, "hasty": [{}] * 8}
    >>> results = corpus.compare(kieval, systems, references)
    >>> page = Comparison(results, systems, references, kieval.Settings(), Facts())
    >>> page.verdicts()[0].text
    'hasty is worse than careful: entity_f1 0.0000 against 1.0000, p 0.0078.'
    """

    def __init__(
        self,
        results: Mapping[str, Any],
        predictions: Mapping[str, Sequence[Any]],
        references: Sequence[Any],
        settings: kieval.Settings,
        facts: Facts,
        *,
        name_of: Callable[[int], str | int] = lambda number: number,
    ) -> None:
        self.results, self.settings, self.facts = results, settings, facts
        self.documents: int = results["documents"]
        self.version, self.most_rows = __version__, MOST_ROWS
        self.systems = [*predictions]
        self.changed = [*_changed(results, predictions, references, name_of)]

    def verdicts(self) -> list[Verdict]:
        """What the tests say of the first system and each other one, in a sentence each."""
        rows = self.results["comparisons"]
        return [_verdict(row) for row in rows if row["a"] == rows[0]["a"]]

    def ranks(self) -> list[tables.Table]:
        """The systems by each score, best first."""
        return [*parts.ranks(self.results)]

    def differences(self) -> tables.Table:
        """All pairs."""
        return parts.differences(self.results, MOST_ROWS)

    def fields(self) -> tables.Table | None:
        """All pairs by entity type; None if these were not compared."""
        return parts.by_entity_type(self.results, MOST_ROWS) if self.results.get("per_entity") else None

    def suspects(self) -> tables.Table | None:
        """Labels that may be wrong; None if none were looked for."""
        return parts.suspects(self.results) if "suspects" in self.results else None

    def omitted(self, table: str) -> int:
        """How many rows a table does not show."""
        return max(0, len(self.results[table]) - MOST_ROWS)


class Verdict(NamedTuple):
    """What the test says of two systems: a word for it, and the sentence."""

    word: str
    text: str


def _verdict(row: Mapping[str, Any]) -> Verdict:
    values = f"{row['score']} {tables.number(row['value_b'])} against {tables.number(row['value_a'])}"
    p = f"p {tables.number(row['p_value_holm'])}"
    if not row["significant"]:
        least = row["smallest_difference"]
        shown = "" if least is None else f" A difference of {least:.3g} would have been found with a chance of 80 %."
        return Verdict("not separated", f"No test separates {row['b']} from {row['a']}: {values}, {p}.{shown}")
    word = "better" if gain_of(row, row["difference"]) > 0 else "worse"
    return Verdict(word, f"{row['b']} is {word} than {row['a']}: {values}, {p}.")


def _changed(
    results: Mapping[str, Any],
    predictions: Mapping[str, Sequence[Any]],
    references: Sequence[Any],
    name_of: Callable[[int], str | int],
) -> Iterator[Changed]:
    """The documents that changed most from the first system to each other one, by the first score: worse ones first."""
    rows = results["comparisons"]
    first, score = rows[0]["a"], rows[0]["score"]
    for row in rows:
        if (row["a"], row["score"]) == (first, score):
            found = _documents(row, predictions, references)
            pairs = [(each, is_better) for is_better in (False, True) for each in _side(row, is_better=is_better)]
            for change, is_better in pairs:
                answers, reference = found[change["document"]]
                key = change["document"]
                name = name_of(key) if isinstance(key, int) else key
                yield Changed(name, first, row["b"], is_better, _summary(change, row), answers, reference)


def _documents(
    row: Mapping[str, Any], predictions: Mapping[str, Sequence[Any]], references: Sequence[Any]
) -> dict[str | int, tuple[tuple[Any, Any], Any]]:
    """The documents of a pair's changes: the answers of both systems, and the reference."""
    wanted = {change["document"] for change in row["changes"]}
    found: dict[str | int, tuple[tuple[Any, Any], Any]] = {}
    opened = zip(*(paired_rows(predictions[row[side]], references) for side in ("a", "b")), strict=True)
    for number, ((one, expected), (other, _)) in enumerate(opened):
        for key in wanted & {number, expected.id, one.id, other.id}:
            found.setdefault(key, ((one.document, other.document), expected.document))
    return found


def _side(row: Mapping[str, Any], *, is_better: bool) -> list[Mapping[str, Any]]:
    """The documents that got better, or those that got worse."""
    return [each for each in row["changes"] if (gain_of(row, each["value_b"] - each["value_a"]) > 0) == is_better]


def _summary(change: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    whole = isinstance(row["value_a"], int)
    one, other = (f"{change[name]:.0f}" if whole else tables.rounded(change[name]) for name in ("value_a", "value_b"))
    effect = f"{change['effect']:+.0f}" if whole else tables.rounded(change["effect"], flags="+")
    return f"{row['score']} {one} → {other}, {effect} in all"
