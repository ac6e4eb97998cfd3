"""The fold, intervals, merging, workers, the signature."""

from __future__ import annotations

import json
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from docie import corpus, kieval
from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.corpus import Partial, counting, matrix
from docie.corpus.matrix import Matrix

REFERENCES: list[Any] = [{"a": str(i % 3), "g": [{"b": "1"}, {"b": str(i)}]} for i in range(40)]
PREDICTIONS: list[Any] = [{"a": "1", "g": [{"b": "1"}, {"b": str(i % 7)}]} for i in range(39)] + [None]
REFERENCES[3]["rare"] = "x"  # an entity type that most documents and some resamples lack


def test_everything_at_once_is_plain_json() -> None:
    result = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, breakdown=True, confidence_level=0.9)
    assert result == json.loads(json.dumps(result))
    top = {name: type(value) for name, value in result.items() if not isinstance(value, dict | list | str)}
    assert set(top.values()) == {int, float, type(None)}
    assert [name for name, value in result.items() if value is None] == ["deletions_interval"]
    assert result["documents"] == 40
    assert result["invalid_predictions"] == 1
    assert len(result["per_document"]) == 40


def test_per_document_equals_each_document_by_itself() -> None:
    result = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, breakdown=True)
    for prediction, reference, row in zip(PREDICTIONS, REFERENCES, result["per_document"], strict=True):
        alone = kieval.score(kieval.count(prediction, reference))
        assert row == alone
        assert [type(value) for value in row.values()] == [type(value) for value in alone.values()]


def test_per_document_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, breakdown=True)
    monkeypatch.setattr(matrix, "BLOCK", 50)
    assert corpus.evaluate(kieval, PREDICTIONS, REFERENCES, breakdown=True) == whole


@pytest.mark.parametrize("name", ["BLOCK", "_SAMPLED"])
def test_intervals_in_small_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options: dict[str, Any] = {"confidence_level": 0.9, "interval": "percentile", "bootstrap_samples": 101}
    whole = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, **options)
    monkeypatch.setattr(matrix, name, 300)
    assert corpus.evaluate(kieval, PREDICTIONS, REFERENCES, **options) == whole


def test_names_that_occur_together_share_columns() -> None:
    invented = [{**row, **{f"{number}.{name}": "1" for name in range(100)}} for number, row in enumerate(REFERENCES)]
    counts = [kieval.count(*pair) for pair in zip(invented, REFERENCES, strict=True)]
    columns = Matrix(counts).columns()
    assert columns.rows.shape[1] < 100
    for block, document in zip(matrix.blocks(columns.rows), [sum(counts, Counts())], strict=True):
        rows = columns.counts(block).rows
        assert {key: [int(sum(column)) for column in columns] for key, columns in rows.items()} == document.rows


def test_intervals_agree_with_a_plain_bootstrap() -> None:
    counts = [kieval.count(p, r) for p, r in zip(PREDICTIONS, REFERENCES, strict=True)]
    rng = np.random.default_rng(1)
    scores = []
    for _ in range(2000):
        total = Counts()
        for number in rng.integers(0, 40, 40):
            total += counts[number]
        scores.append(kieval.score(total))
    result = corpus.evaluate(
        kieval, PREDICTIONS, REFERENCES, confidence_level=0.9, interval="percentile", bootstrap_samples=2000
    )
    for name in ("entity_f1", "entity_f1_macro", "group_f1", "aligned", "document_accuracy"):
        expected = np.quantile([score[name] for score in scores], [0.05, 0.95])
        assert result[f"{name}_interval"] == pytest.approx(expected, abs=0.015)
        low, high = result[f"{name}_interval"]
        assert low <= result[name] <= high


def test_rows_of_tables_have_the_intervals_of_their_own_bootstrap() -> None:
    options: dict[str, Any] = {"confidence_level": 0.9, "interval": "percentile", "bootstrap_samples": 200}
    results = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, breakdown=True, **options)
    rows = {name: row for name, row in results["per_entity"].items() if "entity_f1_interval" in row}
    assert rows.keys() == {"a", "g.b"}
    for name, row in rows.items():
        alone = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, kieval.Settings(ontology=[name]), **options)
        for score in ("entity_f1", "entity_precision", "entity_recall", "aligned"):
            assert row[f"{score}_interval"] == alone[f"{score}_interval"]
    plain = corpus.evaluate(kieval, PREDICTIONS, REFERENCES, breakdown=True)
    without = {
        name: {key: row[key] for key in row if "_interval" not in key} for name, row in results["per_entity"].items()
    }
    assert without == plain["per_entity"]
    assert "corrections_interval" not in row, "of a type only scores have intervals"


@pytest.mark.parametrize(
    ("level", "documents", "expected"), [(0.95, 1, False), (0.95, 3, False), (0.95, 6, True), (0.1, 1, True)]
)
def test_a_type_of_very_few_documents_has_no_interval(level: float, documents: int, expected: bool) -> None:
    """One of 20 documents is in no sample with a probability of 0.95 to the power of 20, which is 0.36."""
    references = [{"often": "1"} | ({"rare": "2"} if number < documents else {}) for number in range(20)]
    results = corpus.evaluate(
        kieval, references, references, breakdown=True, confidence_level=level, interval="percentile"
    )
    assert "entity_f1_interval" in results["per_entity"]["often"]
    assert ("entity_f1_interval" in results["per_entity"]["rare"]) == expected


def test_intervals_are_the_same_for_the_same_seed() -> None:
    first, again, other = (
        corpus.evaluate(kieval, PREDICTIONS, REFERENCES, confidence_level=0.9, interval="percentile", seed=seed)
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first["entity_f1_interval"] != other["entity_f1_interval"]
    assert "bootstrap_samples:1000|confidence_level:0.9" in first["signature"]


def test_intervals_of_one_document_and_of_none() -> None:
    one = corpus.evaluate(kieval, [{"a": "1"}], [{"a": "1", "b": "2"}], confidence_level=0.95)
    none = corpus.evaluate(kieval, [], [], confidence_level=0.95, breakdown=True)
    for result in (one, none):
        assert {value for name, value in result.items() if name.endswith("_interval")} == {None}
    assert none["per_document"] == []


def test_workers_change_nothing() -> None:
    predictions, references = PREDICTIONS * 40, REFERENCES * 40  # more than one chunk
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    settings = kieval.Settings(normalize={"a": ["casefold", "number(decimal=',')"]}, thresholds=[0.5])
    one = corpus.evaluate(kieval, predictions, references, settings, **options)
    assert corpus.evaluate(kieval, predictions, references, settings, workers=2, **options) == one


def test_workers_report_the_right_document() -> None:
    references = [*REFERENCES * 20, {"a": {"value": "1", "confidence": 2}}]
    message = "^document 800, entity 'a': confidence must be between 0 and 1, got 2$"
    with pytest.raises(DocumentError, match=message):
        corpus.evaluate(kieval, [{}] * 801, references, workers=2)


def test_workers_need_settings_that_pickle() -> None:
    settings = kieval.Settings(normalize=lambda text: text)
    with pytest.raises(ValueError, match="workers > 1 needs settings that other processes can load"):
        corpus.evaluate(kieval, PREDICTIONS, REFERENCES, settings, workers=2)


class Document(dict[str, Any]):
    """A document that can be watched."""

    __hash__ = object.__hash__  # type: ignore[assignment]


@pytest.mark.parametrize("workers", [1, 2])
def test_streams_are_read_once_and_not_kept(workers: int) -> None:
    alive: weakref.WeakSet[Document] = weakref.WeakSet()
    most = 0

    def stream() -> Iterator[Document]:
        nonlocal most
        for number in range(5000):
            document = Document(a=str(number))
            alive.add(document)
            most = max(most, len(alive))
            yield document

    result = corpus.evaluate(kieval, stream(), ({"a": str(number)} for number in range(5000)), workers=workers)
    assert (result["documents"], result["entity_f1"]) == (5000, 1.0)
    assert 0 < most <= 10 * counting.CHUNK


@pytest.mark.parametrize("as_stream", [False, True])
@pytest.mark.parametrize(("left", "right"), [(99, 100), (100, 99), (0, 1)])
def test_unequal_lengths(as_stream: bool, left: int, right: int) -> None:
    sides: list[Any] = [[{}] * left, [{}] * right]
    if as_stream:
        sides = [iter(side) for side in sides]
    with pytest.raises(ValueError, match=f"^expected as many predictions as references, got {left} and {right}$"):
        corpus.evaluate(kieval, *sides)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (({"a": "1"}, {"a": "1"}), {}, "predictions must be a sequence of documents, got dict"),
        (([{}], "text"), {}, "references must be a sequence of documents, got str"),
        (([], []), {"confidence_level": 95}, "confidence_level must be between 0 and 1, got 95"),
        (
            ([], []),
            {"confidence_level": 0.9, "bootstrap_samples": 0},
            "bootstrap_samples must be a whole number of at least 1, got 0",
        ),
        (
            ([], []),
            {"confidence_level": 0.9, "bootstrap_samples": 10_000_001},
            "bootstrap_samples must be at most 10,000,000, got 10000001",
        ),
        (([], []), {"confidence_level": 1}, "confidence_level must be between 0 and 1, got 1"),
        (([], []), {"confidence_level": "0.9"}, "confidence_level must be between 0 and 1, got '0.9'"),
        (([], []), {"confidence_level": 0.9, "seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ((None, []), {}, "predictions must be a sequence of documents, got NoneType"),
        (([], []), {"workers": "2"}, "workers must be a whole number of at least 1, got '2'"),
        (([], []), {"workers": 0}, "workers must be a whole number of at least 1, got 0"),
        (([{}], [[]]), {}, "document 0: reference must be a JSON object, got a list"),
    ],
)
def test_wrong_arguments(arguments: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        corpus.evaluate(kieval, *arguments, **options)


def test_merging_counts_of_different_settings_is_refused() -> None:
    parts = [
        corpus.count(kieval, PREDICTIONS, REFERENCES, kieval.Settings(matching=matching))
        for matching in ("optimal", "greedy")
    ]
    problem = r"^cannot add a Partial made as '.*matching:greedy.*' to one made as '.*matching:optimal"
    with pytest.raises(ValueError, match=problem):
        corpus.Partial.sum_of(parts)
    assert (parts[0] + corpus.count(kieval, [], [])).counts.documents == 40
    with pytest.raises(ValueError, match="^expected the JSON of a Partial, got {'a': 1}$"):
        Partial.from_json({"a": 1})
    with pytest.raises(ValueError, match="^expected the JSON of counts, got {'a': 1}$"):
        Partial.from_json({"counts": {"a": 1}})
    thresholds = corpus.count(kieval, PREDICTIONS, REFERENCES, kieval.Settings(thresholds=[0.5]))
    with pytest.raises(ValueError, match="^cannot add"):
        parts[0] + Partial.from_json(thresholds.to_json())
    key = next(iter(parts[0].counts.rows))
    narrow = Partial(Counts(1, 0, {key: [1]}, parts[0].counts.signature))
    with pytest.raises(ValueError, match=r"^cannot add rows of \d and of 1 numbers in 'entity'$"):
        parts[0] + narrow


def test_merging_survives_json_text() -> None:
    partial = corpus.count(kieval, PREDICTIONS, REFERENCES, kieval.Settings(thresholds=[0.5]))
    copy = Partial.from_json(json.loads(json.dumps(partial.to_json())))
    assert corpus.results(copy, breakdown=True) == corpus.results(partial, breakdown=True)


def test_adding_leaves_the_terms_alone() -> None:
    one, other = kieval.count({"a": "1"}, {"a": "1"}), kieval.count({"a": "2"}, {"a": "1"})
    before = one.to_json()
    assert (one + other).rows["entity", None, "a"] == [1, 1, 1, 1]
    assert one.to_json() == before


def test_the_signature_says_what_changes_figures() -> None:
    settings = kieval.Settings(
        matching="greedy",
        ontology=["b", "a"],
        normalize={"a": ["nfkc", "number(decimal=',')"]},
        thresholds=[0.9, 0.5],
        empty_groups="count",
    )
    assert corpus.evaluate(kieval, [], [], settings)["signature"] == (
        "kieval|empty_groups:count|matching:greedy|normalize:a=nfkc+number(decimal=',')"
        "|ontology:a,b|thresholds:0.5,0.9|version:0.1.0"
    )


def test_progress_is_silent_off_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    corpus.evaluate(kieval, PREDICTIONS, REFERENCES, progress=True)
    assert capfd.readouterr() == ("", "")
