"""Scores in LangSmith: those of the corpus are the ones that `docie score` prints."""

from __future__ import annotations

import logging
import random
import uuid
from pathlib import Path
from typing import Any

import pytest

from docie.adapters.harnesses.langsmith import evaluator, summary_evaluator

from harness_rows import ASKED, CONFIG, HarnessRow, real_rows, rows, scored_by_command

langsmith = pytest.importorskip("langsmith")
schemas = pytest.importorskip("langsmith.schemas")
evaluation = pytest.importorskip("langsmith.evaluation.evaluator")
RECEIPTS = rows(200)
ANSWERS = {row.id: row.answer for row in RECEIPTS}


def examples(receipts: list[HarnessRow], reference: str | None = None) -> list[Any]:
    dataset = uuid.uuid4()
    return [
        schemas.Example(
            id=uuid.uuid4(),
            dataset_id=dataset,
            inputs={"id": row.id},
            outputs={reference: row.reference} if reference else row.reference,
        )
        for row in receipts
    ]


def answer(inputs: dict[str, str]) -> str:
    return ANSWERS[inputs["id"]]


def run(data: list[Any], target: Any = answer, **options: Any) -> Any:
    """An experiment that nothing is sent of: no server has this address."""
    client = langsmith.Client(api_url="http://127.0.0.1:9", api_key="none", auto_batch_tracing=False)
    return langsmith.evaluate(target, data=data, client=client, upload_results=False, **options)


def summary(results: Any) -> dict[str, Any]:
    return {each.key: each.score for each in results._summary_results["results"]}


@pytest.mark.parametrize(("number", "threads", "repetitions"), [(200, 0, 1), (30, 4, 3)])
def test_the_summary_has_the_scores_of_the_command(number: int, threads: int, repetitions: int, tmp_path: Path) -> None:
    data = examples(random.Random(1).sample(RECEIPTS[:number], number))
    summaries = [summary_evaluator(), summary_evaluator("hed", config=CONFIG)]
    results = run(data, summary_evaluators=summaries, max_concurrency=threads, num_repetitions=repetitions)
    repeated = RECEIPTS[:number] * repetitions
    expected = scored_by_command(repeated, tmp_path)
    expected |= scored_by_command(repeated, tmp_path, "--metric", "hed", *ASKED)
    assert summary(results) == expected


def test_real_receipts(cord: dict[str, list[Any]], tmp_path: Path) -> None:
    receipts = real_rows(cord)
    answers = {row.id: row.answer for row in receipts}
    results = run(examples(receipts), lambda inputs: answers[inputs["id"]], summary_evaluators=[summary_evaluator()])
    assert summary(results) == scored_by_command(receipts, tmp_path)


def test_a_failed_row_is_no_wrong_document(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fails(inputs: dict[str, str]) -> str:
        if inputs["id"] in ("r-001", "r-007"):
            raise TimeoutError("the model does not answer")
        return answer(inputs)

    caplog.set_level(logging.CRITICAL)
    results = run(examples(RECEIPTS[:30]), fails, evaluators=[evaluator()], summary_evaluators=[summary_evaluator()])
    done = [row for row in RECEIPTS[:30] if row.id not in ("r-001", "r-007")]
    assert summary(results) == scored_by_command(done, tmp_path)
    comments = {each.comment for each in results._summary_results["results"]}
    assert comments == {"not scored because they failed: 2 of 30 rows"}
    scored = [bool(row["evaluation_results"]["results"]) for row in results]
    assert [place for place, is_scored in enumerate(scored) if not is_scored] == [1, 7]


def test_no_answer_is_a_wrong_document() -> None:
    scores = summary(run(examples(RECEIPTS[:2]), lambda inputs: None, summary_evaluators=[summary_evaluator()]))
    assert (scores["kieval_documents"], scores["kieval_invalid_predictions"]) == (2, 2)


def test_a_missing_reference_is_logged_and_gives_no_score(caplog: pytest.LogCaptureFixture) -> None:
    data = examples(RECEIPTS[:2], reference="fields")
    results = run(data, summary_evaluators=[summary_evaluator(reference="field")])
    assert summary(results) == {}
    assert "reference must be a JSON object, got null" in caplog.text


def test_a_row_has_its_score_and_what_was_repaired() -> None:
    [first, *_, last] = run(examples(RECEIPTS[:4]), evaluators=[evaluator()])
    [score], [repaired] = first["evaluation_results"]["results"], last["evaluation_results"]["results"]
    assert (score.key, score.score, score.comment) == ("row_entity_f1", 1, None)
    assert "dropped the text around the JSON object" in repaired.comment


def test_documents_and_texts_under_keys(tmp_path: Path) -> None:
    data = examples(RECEIPTS[:12], reference="fields")
    keys = {"output": "text", "reference": "fields"}
    results = run(
        data,
        lambda inputs: {"text": answer(inputs), "tokens": 70},
        evaluators=[evaluator(**keys)],
        summary_evaluators=[summary_evaluator(**keys)],
    )
    assert summary(results) == scored_by_command(RECEIPTS[:12], tmp_path)
    assert next(iter(results))["evaluation_results"]["results"][0].score == 1
    references = {row.id: row.reference for row in RECEIPTS}
    copied = run(
        examples(RECEIPTS[:12]), lambda inputs: references[inputs["id"]], summary_evaluators=[summary_evaluator()]
    )
    assert summary(copied)["kieval_entity_f1"] == 1


def test_a_path_to_outputs_begins_at_all_of_them(tmp_path: Path) -> None:
    """As in files of them: also where the only key is the one that LangSmith has for texts."""
    data = examples(RECEIPTS[:12], reference="fields")
    config = ["predictions.unwrap=output.document", "references.unwrap=fields"]

    def target(inputs: dict[str, str]) -> dict[str, Any]:
        return {"output": {"document": answer(inputs), "tokens": 70}}

    results = run(data, target, summary_evaluators=[summary_evaluator(config=config)])
    assert summary(results) == scored_by_command(RECEIPTS[:12], tmp_path)


def test_langsmith_refuses_other_arguments_and_keys() -> None:
    """Why evaluators take runs and examples, and why results have no counts."""
    with pytest.raises(ValueError, match="Supported arguments"):
        evaluation._normalize_summary_evaluator(lambda outputs, references, metric: 1)
    with pytest.raises(ValueError, match="counts"):
        evaluation.EvaluationResult(key="row", score=1.0, counts={})
