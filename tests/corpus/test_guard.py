"""A document that takes long is named while it is counted, and ended if there is a limit."""

from __future__ import annotations

import gc
import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, kieval, nted
from docie.core.errors import DocumentError
from docie.corpus import guard

EASY = {"total": "7"}
HARD = {"total": "8", "tax": "1"}, {"total": "9", "tax": "1"}


def slow(prediction: str, reference: str) -> bool:
    time.sleep(0.5)
    return prediction == reference


def endless(prediction: str, reference: str) -> bool:
    while True:
        pass


class Left:
    """Garbage of the parent, whose finalizer leaves a file where it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.itself = folder, self

    def __del__(self) -> None:
        (self.folder / str(os.getpid())).touch()


def collecting(prediction: str, reference: str) -> bool:
    gc.collect()
    return prediction == reference


@pytest.mark.skipif(multiprocessing.get_start_method() != "fork", reason="only a fork has what its parent has")
def test_a_process_collects_nothing_of_its_parent(tmp_path: Path) -> None:
    """A finalizer there may wait for a thread that was not forked."""
    gc.collect()
    gc.disable()
    try:
        Left(tmp_path)
        settings = kieval.Settings(match={"total": collecting})
        assert corpus.evaluate(kieval, [HARD[0]], [HARD[1]], settings, max_seconds=60)["corrections"] == 1
    finally:
        gc.enable()
        gc.collect()
    assert [path.name for path in tmp_path.iterdir()] == [str(os.getpid())]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_takes_too_long_is_ended_and_named(workers: int) -> None:
    predictions, references = [EASY, EASY, HARD[0], EASY], [EASY, EASY, HARD[1], EASY]
    settings = kieval.Settings(match={"total": endless})
    with pytest.raises(DocumentError, match=r"^document 2: kieval took more than 0.3 s, and was ended$"):
        corpus.evaluate(kieval, predictions, references, settings, max_seconds=0.3, workers=workers)
    assert not multiprocessing.active_children()


@pytest.mark.exhaustive
def test_the_time_of_a_document_is_its_own() -> None:
    """All documents together take longer than the limit, and so do those that wait for a worker."""
    settings = kieval.Settings(match={"total": slow})
    results = corpus.evaluate(kieval, [HARD[0]] * 18, [HARD[1]] * 18, settings, max_seconds=8)
    assert results["corrections"] == 18


def test_errors_and_comparisons_have_the_limit_too() -> None:
    settings = kieval.Settings(match={"total": endless})
    rows = corpus.errors([{"total": "7", "tax": "2"}, HARD[0]], [EASY, HARD[1]], settings, max_seconds=0.3)
    assert next(rows).entity_type == "tax"
    with pytest.raises(DocumentError, match=r"^document 1: kieval took more than 0.3 s, and was ended$"):
        list(rows)
    systems: dict[str, list[Any]] = {"quick": [{}, {}], "slow": [{}, HARD[0]]}
    with pytest.raises(DocumentError, match=r"^'slow', document 1: kieval took more than 0.3 s, and was ended$"):
        corpus.compare(kieval, systems, [EASY, HARD[1]], settings, max_seconds=0.3)


def test_what_is_within_the_limit_is_scored_as_without_one() -> None:
    documents = [EASY, {"items": [{"name": "Tea"}]}]
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    limited = corpus.evaluate(nted, documents, documents, max_seconds=5, **options)
    assert limited == corpus.evaluate(nted, documents, documents, **options)
    errors = [*corpus.errors([{}, HARD[0]], [EASY, HARD[1]])]
    assert [*corpus.errors([{}, HARD[0]], [EASY, HARD[1]], max_seconds=5)] == errors


def test_a_document_that_cannot_be_read_is_no_matter_of_time() -> None:
    with pytest.raises(DocumentError, match="document 0: reference must be a JSON object"):
        corpus.evaluate(nted, [{}], [None], max_seconds=5)


def test_what_other_processes_cannot_load_has_no_limit() -> None:
    settings = kieval.Settings(match=lambda prediction, reference: True)
    assert corpus.evaluate(kieval, [HARD[0]], [HARD[1]], settings)["corrections"] == 0
    with pytest.raises(ValueError, match="^max_seconds needs settings that other processes can load: "):
        corpus.evaluate(kieval, [HARD[0]], [HARD[1]], settings, max_seconds=5)
    deep: Any = "x"
    for _ in range(900):
        deep = {"a": deep}
    with pytest.raises(DocumentError, match="document 0: nted cannot have a limit here: other processes cannot load"):
        corpus.evaluate(nted, [deep], [deep], max_seconds=5)


def test_a_document_is_named_while_it_is_counted(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(guard, "LONG", 0.1)
    monkeypatch.setattr(guard, "_STEP", 0.02)
    settings = kieval.Settings(match={"total": slow})
    predictions = [EASY, {"id": "r-7", "prediction": HARD[0]}]
    references = [EASY, {"id": "r-7", "reference": HARD[1]}]
    expected = (
        "document 1, id 'r-7': kieval has taken 0.1 s so far (prediction: 2 values, the longest text of 1 characters; "
        "reference: 2 values, the longest text of 1 characters); max_seconds sets a limit\n"
    )
    every: list[dict[str, Any]] = [{}, {"workers": 2}, {"max_seconds": 9}]
    for options in every:
        corpus.evaluate(kieval, predictions, references, settings, **options)
        assert capfd.readouterr().err == expected, options
    assert len([*corpus.errors(predictions, references, settings)]) == 1
    assert capfd.readouterr().err == expected


def test_documents_that_are_quick_are_not_named(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(guard, "LONG", 0.2)
    monkeypatch.setattr(guard, "_STEP", 0.02)
    documents = [EASY] * 3
    for row in corpus.errors([{}, {}, {}], documents):
        time.sleep(0.15)  # whoever takes the rows may take their time
        assert row.kind == "missing"
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "9"])
def test_limits_that_make_no_sense(seconds: Any) -> None:
    with pytest.raises(ValueError, match="max_seconds must be a number of seconds above 0"):
        corpus.evaluate(nted, [{}], [{}], max_seconds=seconds)
    with pytest.raises(ValueError, match="max_seconds must be a number of seconds above 0"):
        list(corpus.errors([{}], [{}], max_seconds=seconds))
    with pytest.raises(ValueError, match="max_seconds must be a number of seconds above 0"):
        corpus.compare(nted, {"a": [{}], "b": [{}]}, [{}], max_seconds=seconds)
