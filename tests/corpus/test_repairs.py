"""What repairs would bring: the same as to repair the predictions and to score them again."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from docie import kieval
from docie.counts import Counts
from docie.kieval import ErrorRow

from repairs import repaired
from sizes import examples
from strategies import ONE_OFS, documents

Pairs = list[tuple[Any, Any]]
EXACT = ("true_positives", "false_positives", "false_negatives", "entity_f1", "entity_precision", "entity_recall")
BETTER = ("aligned", "group_f1", "document_accuracy")
"""Figures that a new matching may raise, where repairs make ties."""


def repairs(row: ErrorRow, *, repair: str, name: str) -> bool:
    """Whether a repair takes this error away."""
    return repair != "nothing" and getattr(row, repair) == name


def scored_again(pairs: Pairs, rows: list[ErrorRow], settings: kieval.Settings, **repair: Any) -> dict[str, Any]:
    """The figures of predictions that are really repaired."""
    counts = Counts()
    for number, (prediction, reference) in enumerate(pairs):
        chosen = [row for row in rows if row.document == number and repairs(row, **repair)]
        counts += kieval.count(repaired(prediction, chosen), reference, settings)
    return kieval.score(counts)


def compare(pairs: Pairs, settings: kieval.Settings) -> tuple[int, int]:
    """Check the table; the number of its rows, and of those in which the predictions scored again are better."""
    analyses = [kieval.analyse(*pair, settings, number) for number, pair in enumerate(pairs)]
    rows = [row for analysis in analyses for row in analysis.rows]
    table = kieval.repaired(Counts.sum_of(analysis.counts for analysis in analyses))
    better = 0
    for row in table:
        again = scored_again(pairs, rows, settings, repair=row["repaired"], name=row["name"])
        assert {name: row[name] for name in EXACT} == {name: again[name] for name in EXACT}, row["name"]
        assert again["corrections"] <= row["corrections"]
        assert again["entity_f1_macro"] == row["entity_f1_macro"]
        if again["corrections"] == row["corrections"]:  # else fewer corrections, which come first
            assert all(again[name] >= row[name] - 1e-12 for name in BETTER), (row["name"], row, again)
        better += any(again[name] != row[name] for name in BETTER)
    return len(table), better


@examples(600)
@given(
    st.lists(st.tuples(documents(), documents(ONE_OFS)), min_size=1, max_size=2),
    st.sampled_from(["ignore", "count"]),
    st.booleans(),
)
def test_repairs_are_exact_on_random_documents(pairs: Pairs, empty: Any, with_ontology: bool) -> None:
    ontology = ["x", "g.a", "h.sub.b", "h.b"] if with_ontology else None
    compare(pairs, kieval.Settings(empty_groups=empty, ontology=ontology))
