"""Scores in Langfuse: those of the corpus are the ones that `docie score` prints."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from docie.adapters.harnesses.langfuse import evaluator, run_evaluator

from harness_rows import ASKED, CONFIG, HarnessRow, real_rows, rows, scored_by_command

langfuse = pytest.importorskip("langfuse")
RECEIPTS = rows(200)
ANSWERS = {row.id: row.answer for row in RECEIPTS}


def items(receipts: list[HarnessRow]) -> list[Any]:
    return [{"input": row.id, "expected_output": row.reference} for row in receipts]


def answer(*, item: Any, **_: Any) -> str:
    return ANSWERS[item["input"] if isinstance(item, dict) else item.input]


def run(data: list[Any], task: Any = answer, **options: Any) -> Any:
    """An experiment that nothing is sent of: no server has this address."""
    client = langfuse.Langfuse(
        public_key="none", secret_key="none", base_url="http://127.0.0.1:9", tracing_enabled=False
    )
    return client.run_experiment(name="receipts", data=data, task=task, **options)


def scores(results: Any) -> dict[str, Any]:
    return {each.name: each.value for each in results.run_evaluations}


def test_the_run_has_the_scores_of_the_command(tmp_path: Path) -> None:
    evaluators = [run_evaluator(), run_evaluator("hed", config=CONFIG)]
    results = run(items(random.Random(1).sample(RECEIPTS, 200)), run_evaluators=evaluators)
    expected = scored_by_command(RECEIPTS, tmp_path)
    expected |= scored_by_command(RECEIPTS, tmp_path, "--metric", "hed", *ASKED)
    assert scores(results) == expected


def test_real_receipts(cord: dict[str, list[Any]], tmp_path: Path) -> None:
    receipts = real_rows(cord)
    answers = {row.id: row.answer for row in receipts}
    results = run(items(receipts), lambda *, item, **_: answers[item["input"]], run_evaluators=[run_evaluator()])
    assert scores(results) == scored_by_command(receipts, tmp_path)


def test_a_failed_item_is_no_wrong_document(tmp_path: Path) -> None:
    failed = ("r-001", "r-007")

    def fails(*, item: Any, **_: Any) -> str:
        if item["input"] in failed:
            raise TimeoutError("the model does not answer")
        return answer(item=item)

    results = run(items(RECEIPTS[:30]), fails, evaluators=[evaluator()], run_evaluators=[run_evaluator()])
    assert scores(results) == scored_by_command([row for row in RECEIPTS[:30] if row.id not in failed], tmp_path)
    assert {each.comment for each in results.run_evaluations} == {"28 items; items that failed are not scored"}
    assert len(results.item_results) == 28


def test_no_answer_is_a_wrong_document() -> None:
    found = scores(run(items(RECEIPTS[:2]), lambda *, item, **_: None, run_evaluators=[run_evaluator()]))
    assert (found["kieval_documents"], found["kieval_invalid_predictions"]) == (2, 2)


def test_a_missing_reference_is_logged_and_gives_no_score(caplog: pytest.LogCaptureFixture) -> None:
    results = run([{"input": "r-000"}], evaluators=[evaluator()], run_evaluators=[run_evaluator()])
    assert scores(results) == {}
    assert "reference must be a JSON object, got null" in caplog.text


def test_an_item_has_its_score_and_what_was_repaired() -> None:
    results = run(items(RECEIPTS[:4]), evaluators=[evaluator()])
    [score], [repaired] = results.item_results[0].evaluations, results.item_results[3].evaluations
    assert (score.name, score.value, score.comment) == ("row_entity_f1", 1, None)
    assert "dropped the text around the JSON object" in repaired.comment


def test_items_of_data_sets(tmp_path: Path) -> None:
    data = [
        SimpleNamespace(input=row.id, expected_output=row.reference, metadata=None, id=row.id, dataset_id="receipts")
        for row in RECEIPTS[:12]
    ]
    assert scores(run(data, run_evaluators=[run_evaluator()])) == scored_by_command(RECEIPTS[:12], tmp_path)


def test_langfuse_passes_keywords_only_and_more_than_are_used() -> None:
    from langfuse.experiment import ExperimentItemResult

    item = {"input": "r-000", "expected_output": RECEIPTS[0].reference}
    evaluated = evaluator()(
        input="r-000", output=RECEIPTS[0].answer, expected_output=RECEIPTS[0].reference, metadata=None, later="unknown"
    )
    done = ExperimentItemResult(
        item=item, output=RECEIPTS[0].answer, evaluations=[evaluated], trace_id=None, experiment_id=None
    )
    assert run_evaluator()(item_results=[done], later="unknown")[0].value == evaluated.value == 1
    with pytest.raises(TypeError):
        langfuse.Evaluation("x", 1.0)
