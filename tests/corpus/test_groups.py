"""Groups of documents: by what a column of their wrappers' `meta` says."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from docie import corpus, kieval
from docie.core.counts import Counts
from docie.core.errors import DocumentError

SIZE = 700
"""More than two chunks of documents."""


def pairs(size: int = SIZE) -> tuple[list[Any], list[Any]]:
    """Predictions and references of four vendors, the last without a name."""
    predictions = [{"id": number, "prediction": {"a": str(number % 5)}} for number in range(size)]
    references = [
        {"id": number, "reference": {"a": "1"}, **({"meta": {"vendor": f"v{number % 4}"}} if number % 4 else {})}
        for number in range(size)
    ]
    return predictions, references


@pytest.mark.parametrize("workers", [1, 2])
def test_groups_whatever_the_workers(workers: int) -> None:
    predictions, references = pairs()
    results = corpus.evaluate(kieval, predictions, references, group_by="vendor", workers=workers)
    assert [(name, row["documents"]) for name, row in results["by_vendor"].items()] == [
        ("v1", 175), ("v2", 175), ("v3", 175), ("(none)", 175),
    ]  # fmt: skip
    for number, name in enumerate(["(none)", "v1", "v2", "v3"]):
        alone = corpus.evaluate(kieval, predictions[number::4], references[number::4])
        assert results["by_vendor"][name] == {key: alone[key] for key in results["by_vendor"][name]}


@pytest.mark.parametrize(
    ("reference", "prediction", "expected"),
    [
        ({"vendor": "ACME"}, {"vendor": "Kedai"}, "ACME"),
        ({"vendor": None}, {"vendor": "Kedai"}, "Kedai"),
        ({"vendor": "  "}, {"vendor": "Kedai"}, "Kedai"),
        ({"other": "x"}, {"vendor": "Kedai"}, "Kedai"),
        (None, {"vendor": "Kedai"}, "Kedai"),
        ({"vendor": " ACME"}, None, " ACME"),
        ({"vendor": 7}, None, "7"),
        ({"vendor": 7.0}, None, "7"),
        ({"vendor": 0.5}, None, "0.5"),
        ({"vendor": False}, None, "false"),
        ({"vendor": float("nan")}, None, "(none)"),
        ({"vendor": ""}, None, "(none)"),
        ({"vendor": "(none)"}, None, "(none)"),
    ],
)
def test_which_group_a_document_belongs_to(reference: Any, prediction: Any, expected: str) -> None:
    predictions = [{"prediction": {"a": "1"}, "meta": prediction}, {"prediction": {"a": "1"}}]
    references = [{"reference": {"a": "1"}, "meta": reference}, {"reference": {"a": "1"}, "meta": {"vendor": "x"}}]
    by_document = corpus.errors_by_document(predictions, references, group_by="vendor")
    assert [each.group for each in by_document] == [expected, "x"]
    results = corpus.evaluate(kieval, predictions, references, group_by="vendor")
    assert set(results["by_vendor"]) == {expected, "x"}


@pytest.mark.parametrize(
    ("meta", "problem"),
    [
        ({"vendor": ["ACME"]}, "document 1: 'vendor' in meta must be a text, a number or a boolean, got ['ACME']"),
        ({"vendor": {}}, "document 1: 'vendor' in meta must be a text, a number or a boolean, got {}"),
        ("ACME", "document 1: meta must be an object, got 'ACME'"),
    ],
)
def test_what_is_no_group(meta: Any, problem: str) -> None:
    predictions = [{"prediction": {"a": "1"}}] * 2
    references = [{"reference": {"a": "1"}}, {"reference": {"a": "1"}, "meta": meta}]
    for run in (
        lambda: corpus.evaluate(kieval, predictions, references, group_by="vendor"),
        lambda: list(corpus.errors_by_document(predictions, references, group_by="vendor")),
    ):
        with pytest.raises(DocumentError) as caught:
            run()
        assert str(caught.value) == problem
    assert corpus.evaluate(kieval, predictions, references)["entity_f1"] == 1.0  # who does not ask does not care


@pytest.mark.parametrize(
    ("meta", "name", "problem"),
    [
        ({"vendor": "x"}, "vndor", "no document has a value in its meta for 'vndor' (close: 'vendor')"),
        ({"vendor": "x"}, "language", "no document has a value in its meta for 'language'; it holds 'vendor'"),
        (None, "vendor", """no document has a value in its meta for 'vendor'; a row has one as {"reference": {...}, "meta": {"vendor": ...}}"""),
        ({"vendor": None, "by": 1}, "vendor", "no document has a value in its meta for 'vendor'; it holds 'by'"),
    ],
)  # fmt: skip
def test_a_column_that_no_document_has(meta: Any, name: str, problem: str) -> None:
    predictions, references = [{"prediction": {"a": "1"}}], [{"reference": {"a": "1"}, "meta": meta}]
    with pytest.raises(ValueError, match="^group_by: ") as caught:
        corpus.evaluate(kieval, predictions, references, group_by=name)
    assert str(caught.value) == f"group_by: {problem}"
    with pytest.raises(ValueError, match="^group_by: "):
        list(corpus.errors_by_document(predictions, references, group_by=name))


@pytest.mark.parametrize("name", ["", 7, ["vendor"]])
def test_what_is_no_column(name: Any) -> None:
    with pytest.raises(ValueError, match="^group_by must be the name of a column in meta, got "):
        corpus.evaluate(kieval, [], [], group_by=name)


def test_documents_without_a_group_are_counted_in_a_warning() -> None:
    predictions, references = pairs(8)
    text = "group_by: 2 of 8 documents have no 'vendor' in meta, and are listed as '(none)'"
    for run in (
        lambda: corpus.evaluate(kieval, predictions, references, group_by="vendor"),
        lambda: list(corpus.errors_by_document(predictions, references, group_by="vendor")),
    ):
        with pytest.warns(UserWarning, match="^group_by") as caught:
            run()
        assert [line for each in caught if (line := str(each.message)).startswith("group_by")] == [text]


def test_nothing_has_no_groups() -> None:
    assert corpus.evaluate(kieval, [], [], group_by="vendor")["by_vendor"] == {}


@pytest.mark.parametrize("workers", [1, 2])
def test_documents_are_not_kept(workers: int) -> None:
    alive: weakref.WeakSet[Any] = weakref.WeakSet()
    most = 0

    class Document(dict[str, Any]):
        __hash__ = object.__hash__  # type: ignore[assignment]

    def stream() -> Iterator[Any]:
        nonlocal most
        for number in range(6000):
            document = Document(prediction={"a": "1"}, meta={"vendor": str(number % 3)})
            alive.add(document)
            most = max(most, len(alive))
            yield document

    results = corpus.evaluate(kieval, stream(), ({"a": "1"} for _ in range(6000)), group_by="vendor", workers=workers)
    assert [row["documents"] for row in results["by_vendor"].values()] == [2000, 2000, 2000]
    assert most < 3000


def test_errors_by_document_are_those_of_the_corpus() -> None:
    predictions, references = pairs(40)
    counts = Counts()
    found = list(corpus.errors_by_document(predictions, references, counts=counts, group_by="vendor"))
    assert [row for each in found for row in each.rows] == list(corpus.errors(predictions, references))
    assert [each.document for each in found] == [str(number) for number in range(40)]
    total = Counts.sum_of(each.counts for each in found)
    assert total.rows == counts.rows == corpus.count_errors(predictions, references).counts.rows
    assert {each.group for each in corpus.errors_by_document(predictions, references)} == {None}
