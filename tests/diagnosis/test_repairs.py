"""What repairs would bring: the same as to repair the predictions and to score them again."""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, kieval
from docie.core.counts import Counts
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.repairs import analyse

from real_documents import cord_pairs, docubench_pairs
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
    analyses = [analyse(*pair, settings, number) for number, pair in enumerate(pairs)]
    rows = [row for analysis in analyses for row in analysis.rows]
    table = kieval.repaired(Counts.sum_of(analysis.counts for analysis in analyses))
    better = 0
    for row in table:
        again = scored_again(pairs, rows, settings, repair=row["repaired"], name=row["name"])
        assert {name: row[name] for name in EXACT} == {name: again[name] for name in EXACT}, row["name"]
        assert again["corrections"] <= row["corrections"]
        if again["entity_f1_macro"] != row["entity_f1_macro"]:  # an equally good matching has errors of other types
            assert any(len(groups) > 1 for document in chain(*pairs) for groups in document.values()), row["name"]
        assert all(again[name] >= row[name] - 1e-12 for name in BETTER), (row["name"], row, again)
        better += any(again[name] != row[name] for name in BETTER)
    return len(table), better


@examples(600)
@given(
    st.lists(st.tuples(documents(), documents(ONE_OFS)), min_size=1, max_size=2),
    st.sampled_from(
        [
            kieval.Settings(),
            kieval.Settings(empty_groups="count"),
            kieval.Settings(ontology=["x", "g.a", "h.sub.b", "h.b"]),
        ]
    ),
)
def test_repairs_are_exact_on_random_documents(pairs: Pairs, settings: kieval.Settings) -> None:
    compare(pairs, settings)


@examples(300)
@given(documents(), documents(ONE_OFS))
def test_to_repair_everything_makes_a_document_right(prediction: Any, reference: Any) -> None:
    rows = kieval.error_rows(prediction, reference)
    figures = kieval.score(kieval.count(repaired(prediction, rows), reference))
    assert (figures["errors"], figures["group_f1"], figures["document_accuracy"]) == (0, 1.0, 1.0)


def test_an_equally_good_matching_may_have_errors_of_other_types() -> None:
    prediction = {"x": "1", "h": [{"b": "1"}, {"a": "1", "sub": [{"b": "1"}]}]}
    reference = {"x": "1", "h": [{"a": "12"}, {"a": "12", "b": "1", "sub": [{"b": "1"}]}]}
    pairs, settings = [({}, {"h": [{"b": "1"}]}), (prediction, reference)], kieval.Settings()
    analyses = [analyse(*pair, settings, number) for number, pair in enumerate(pairs)]
    rows = [row for analysis in analyses for row in analysis.rows]
    _, *table = kieval.repaired(Counts.sum_of(analysis.counts for analysis in analyses))
    macro = [
        (row["entity_f1_macro"], scored_again(pairs, rows, settings, repair=row["repaired"], name=row["name"]))
        for row in table
    ]
    assert (0.75, 0.625) in [(kept, again["entity_f1_macro"]) for kept, again in macro]


@pytest.mark.parametrize(
    ("options", "score", "first"),
    [
        ({"weights": {"total": 9}}, "weighted_entity_f1", "total"),
        ({"costs": {"note": {"deletion": 40}, "total": 0}}, "correction_cost", "note"),
        ({"weights": {"total": 9}, "costs": {"tax": {"addition": 50}}}, "correction_cost", "tax"),
        ({}, "entity_f1", "items.nm"),
    ],
)
def test_repairs_are_weighed_as_the_scores_are(options: dict[str, Any], score: str, first: str) -> None:
    """What each brings is what predictions that are really repaired have, and the largest gain comes first."""
    reference = {"total": "1", "tax": "2", "date": "7", "items": [{"nm": "a"}, {"nm": "b"}, {"nm": "c"}]}
    prediction = {"total": "9", "note": "x", "date": "7", "items": [{"nm": "d"}, {"nm": "e"}, {"nm": "f"}]}
    settings, pairs = kieval.Settings(**options), [(prediction, reference)]
    rows = analyse(prediction, reference, settings).rows
    now, *table = corpus.repaired([prediction], [reference], settings)
    for row in table:
        again = scored_again(pairs, rows, settings, repair=row["repaired"], name=row["name"])
        assert row[score] == pytest.approx(again[score]), row["name"]
    types = [row for row in table if row["repaired"] == "entity_type"]
    sign = -1 if score == "correction_cost" else 1
    assert types[0]["name"] == first
    assert [sign * row[score] for row in types] == sorted((sign * row[score] for row in types), reverse=True)
    assert sign * now[score] < sign * types[0][score]


def test_predictions_scored_again_are_seldom_better() -> None:
    """Only where repairs make a tie that a new matching breaks in a better way."""
    repairs, better = map(sum, zip(*(compare([crowded(seed)], kieval.Settings()) for seed in range(500)), strict=True))
    assert (repairs, better) == (2404, 2)


def crowded(seed: int) -> tuple[Any, Any]:
    """Two documents with groups of few and equal values: there are many ties."""
    rng = random.Random(seed)

    def document() -> dict[str, Any]:
        names = [rng.sample(["a", "b"], rng.choice([1, 2])) for _ in range(rng.randint(0, 3))]
        return {"g": [{name: rng.choice("ab") for name in each} for each in names], "x": rng.choice(["a", "b", None])}

    return document(), document()


@pytest.mark.parametrize("system", ["qwen", pytest.param("layoutlm", marks=pytest.mark.exhaustive)])
def test_repairs_are_exact_on_cord(cord: dict[str, list[Any]], system: str) -> None:
    repairs, better = compare(cord_pairs(cord, system), kieval.Settings())
    assert repairs > 20
    assert better == 0  # repairs made no tie that a new matching breaks in a better way


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["claude"])
def test_repairs_are_exact_on_docubench(data: Path, name: str) -> None:
    repairs, better = compare(docubench_pairs(data, name), kieval.Settings())
    assert repairs > 20
    assert better == 0


def test_counts_of_parts_add_up() -> None:
    predictions, references = [{"a": "1"}, {"b": "1", "g": [{"c": "1"}]}], [{"a": "2"}, {"g": [{"c": "2"}]}]
    parts = [corpus.count_errors([p], [r]).to_json() for p, r in zip(predictions, references, strict=True)]
    counts = corpus.Partial.sum_of(map(corpus.Partial.from_json, parts)).counts
    assert kieval.repaired(counts) == corpus.repaired(predictions, references)
    assert kieval.false_alarms(counts) == corpus.false_alarms(predictions, references)


@pytest.mark.parametrize(
    ("prediction", "reference", "name", "expected"),
    [
        # group F1, document accuracy
        ({"g": {"a": "1"}}, {"g": {"a": "2"}}, "g.a", (1.0, 1.0)),  # substituted: the pair is identical
        ({"g": {"a": "1", "b": "1"}}, {"g": {"a": "2"}}, "g.a", (0.0, 0.0)),
        ({}, {"g": {"a": "1"}}, "g.a", (1.0, 1.0)),  # the missed group comes with its values
        ({}, {"g": {"a": "1", "b": "2"}}, "g.a", (0.0, 0.0)),  # incomplete: now it is a false positive too
        ({"g": {"a": "1"}}, {}, "g.a", (1.0, 1.0)),  # the invented group goes with its values
        ({"g": {"a": "1", "b": "1"}}, {}, "g.a", (0.0, 0.0)),
        ({"g": [{"a": "1"}, {"a": "1"}]}, {"g": {"a": "1"}}, "g.a", (1.0, 1.0)),
    ],
)
def test_groups_and_documents(prediction: Any, reference: Any, name: str, expected: tuple[float, float]) -> None:
    table = corpus.repaired([prediction], [reference])
    [row] = [row for row in table if row["name"] == name]
    assert (row["group_f1"], row["document_accuracy"]) == expected


def test_the_table_of_a_perfect_corpus() -> None:
    [row] = corpus.repaired([{"a": "1"}], [{"a": "1"}])
    assert (row["repaired"], row["name"], row["rows"], row["entity_f1"]) == ("nothing", None, 0, 1.0)
    assert corpus.repaired([], [])[0]["entity_f1"] == 1.0


def test_false_alarms() -> None:
    predictions = [{"a": "1"}, {"a": "1", "b": "1"}, {"b": ""}, None]
    references = [{"a": "2"}, {"b": "1"}, {}, {"c": "1"}]
    assert corpus.false_alarms(predictions, references) == {
        "a": {"false_alarms": 1, "documents": 3, "rate": 1 / 3},
        "b": {"false_alarms": 0, "documents": 3, "rate": 0.0},
        "c": {"false_alarms": 0, "documents": 3, "rate": 0.0},
    }
    with pytest.warns(UserWarning, match="ontology: no document has 'z'"):
        table = corpus.false_alarms(predictions, references, kieval.Settings(ontology=["a", "z"]))
    assert table.keys() == {"a", "z"}
    assert table["z"] == {"false_alarms": 0, "documents": 4, "rate": 0.0}
    assert corpus.false_alarms([{"a": "1"}], [{"a": "1"}])["a"] == {"false_alarms": 0, "documents": 0, "rate": 0.0}
