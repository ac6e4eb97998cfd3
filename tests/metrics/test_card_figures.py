"""Figures that cards state and no example prints: on real data, and beside the official implementations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from docie import anls_star, corpus, hed, kieval
from docie.adapters import llm, records
from docie.core.counts import Counts
from docie.corpus.matrix import Matrix, resampled

from json_lines import read_lines

Document = dict[str, Any]


@pytest.fixture(scope="module")
def references(cord: dict[str, list[Any]]) -> list[Document]:
    return [records.cord(record) for record in cord["references"]]


def in_lists(document: Document) -> Document:
    """The document with all single groups as lists of one."""
    return {key: [value] if isinstance(value, Mapping) else value for key, value in document.items()}


def test_anls_star_of_cord_depends_on_how_single_items_are_written(
    cord: dict[str, list[Any]], references: list[Document]
) -> None:
    qwen = [records.cord_names(llm.to_document(row["prediction"]).document) for row in cord["qwen"]]
    assert sum(isinstance(document["menu"], Mapping) for document in references) == 39
    assert not any(isinstance(document["menu"], Mapping) for document in qwen)
    lists = [[in_lists(document) for document in side] for side in (qwen, references)]
    assert round(corpus.evaluate(anls_star, qwen, references)["anls_star"], 6) == 0.662482
    assert round(corpus.evaluate(anls_star, *lists)["anls_star"], 6) == 0.788040
    for family, figure in ((kieval, "entity_f1"), (hed, "uhed_f1")):  # these read both forms alike
        as_lists, as_they_are = corpus.evaluate(family, *lists), corpus.evaluate(family, qwen, references)
        assert as_lists[figure] == as_they_are[figure]


@pytest.mark.parametrize(("unmatched", "uhed_f1"), [("ignore", 1.0), ("count", 0.8644)])
def test_a_section_that_is_one_object_is_free_if_unmatched_items_are_ignored(
    references: list[Document], unmatched: Any, uhed_f1: float
) -> None:
    assert all(isinstance(document["total"], Mapping) for document in references)
    without = [{key: value for key, value in document.items() if key != "total"} for document in references]
    result = corpus.evaluate(hed, without, references, hed.Settings(unmatched=unmatched))
    assert round(result["uhed_f1"], 4) == uhed_f1


@pytest.mark.exhaustive
def test_intervals_of_few_unequal_documents_are_too_narrow(data: Path) -> None:
    rows = read_lines(data / "deepcpcfg-invoices" / "invoices.jsonl")
    invoices = [_without_types(kieval.count(row["prediction"], row["annotation"])) for row in rows]
    corrections = [kieval.score(counts)["corrections"] for counts in invoices]
    assert (len(invoices), np.median(corrections), max(corrections)) == (869, 5, 72)
    total = kieval.score(sum(invoices, Counts()))
    random = np.random.default_rng(0)
    for size, expected in ((20, (0.85, 0.91)), (50, (0.89, 0.92)), (200, (0.94, 0.94))):
        held = np.zeros(2)
        for seed in range(1000):
            sample = [invoices[number] for number in random.integers(0, len(invoices), size)]
            figures = resampled(kieval.score, Matrix(sample).columns(), seed=seed)
            for place, (name, share) in enumerate((("corrections", size / len(invoices)), ("entity_f1", 1))):
                low, high = np.quantile(figures[name], [0.025, 0.975])
                held[place] += low <= total[name] * share <= high
        assert tuple(np.round(held / 1000, 2)) == pytest.approx(expected, abs=0.011)


def _without_types(counts: Counts) -> Counts:
    """The same counts in one row a table, which is faster to resample."""
    rows: dict[tuple[str | None, ...], list[Any]] = {}
    for key, numbers in counts.rows.items():
        table = (key[0], *("x" for _ in key[1:]))
        rows[table] = [one + other for one, other in zip(rows.get(table, [0] * len(numbers)), numbers, strict=True)]
    return Counts(counts.documents, counts.invalid_predictions, rows)


TEA = {"menu": [{"nm": "Tea"}]}


@pytest.mark.parametrize(
    ("prediction", "reference", "figure", "expected"),
    [  # behind each line what the official code gives (commit 95914a4 of its repository)
        ({**TEA, "note": ["a", "b"]}, TEA, "entity_f1", 1 / 2),  # 1
        ({"shop": "Kedai", **TEA}, {"shop": "Kedai"}, "entity_f1", 2 / 3),  # 1
        (
            {"shop": "Kedai", "menu": {"nm": "Tea", "price": "1"}},
            {"shop": "Kedai", "menu": {"nm": "Tea", "price": "2"}},
            "entity_f1_macro",
            2 / 3,
        ),  # 1 / 2: the mean of shop, the group menu, nm, price, and again nm and price
        ({"menu": [{"nm": "Tea"}, {}]}, TEA, "group_f1", 2 / 3),  # 2 / 3
        ({"menu": [{"nm": "Tea"}, {}]}, TEA, "document_accuracy", 0.0),  # 1
        ({**TEA, "sub_total": {}}, TEA, "document_accuracy", 0.0),  # 0
    ],
)
def test_where_the_official_kieval_differs(
    prediction: Document, reference: Document, figure: str, expected: float
) -> None:
    result = corpus.evaluate(kieval, [prediction], [reference], kieval.Settings(empty_groups="count"))
    assert result[figure] == pytest.approx(expected)


def test_a_document_that_is_empty_on_both_sides_is_right() -> None:
    documents = [{}, {"shop": "Kedai"}], [{}, {"shop": "Warung"}]
    assert corpus.evaluate(kieval, *documents)["document_accuracy"] == 0.5  # 0.0 in the official code
