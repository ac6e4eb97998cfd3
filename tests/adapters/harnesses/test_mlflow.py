"""Scores in MLflow: those of the corpus are the ones that `docie score` prints."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docie.adapters.harnesses.mlflow import log_corpus_scores, scorer

from harness_rows import ASKED, CONFIG, HarnessRow, rows, scored_by_command

mlflow = pytest.importorskip("mlflow")
pytest.importorskip("mlflow.genai")
RECEIPTS = rows(10)  # MLflow writes files for every row, which takes a tenth of a second


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs are written to a folder, which MLflow refuses by default: `mlflow-skinny` has no database."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(f"file://{tmp_path / 'runs'}")
    mlflow.set_experiment("receipts")
    yield
    mlflow.set_tracking_uri(None)


def data(receipts: list[HarnessRow], key: str = "expected_response") -> list[dict[str, Any]]:
    return [{"inputs": {"id": row.id}, "expectations": {key: row.reference}} for row in receipts]


def model(receipts: list[HarnessRow], failed: tuple[str, ...] = ()) -> Callable[[str], str]:
    answers = {row.id: row.answer for row in receipts}

    def predict(id: str) -> str:
        if id in failed:
            raise TimeoutError("the model does not answer")
        return answers[id]

    return predict


def evaluated(receipts: list[HarnessRow], *scorers: Any, failed: tuple[str, ...] = ()) -> Any:
    return mlflow.genai.evaluate(data=data(receipts), predict_fn=model(receipts, failed), scorers=[*scorers])


def shuffled(receipts: list[HarnessRow]) -> list[HarnessRow]:
    return random.Random(1).sample(receipts, len(receipts))


def check(number: int, folder: Path) -> None:
    receipts = rows(number)
    results = evaluated(shuffled(receipts), scorer("kieval"), scorer("hed", config=CONFIG))
    expected = scored_by_command(receipts, folder) | {"kieval_failed_rows": 0}
    expected |= scored_by_command(receipts, folder, "--metric", "hed", *ASKED)
    expected |= {"hed_failed_rows": 0}
    assert log_corpus_scores(results) == expected
    assert mlflow.get_run(results.run_id).data.metrics == expected  # no mean of rows among them
    assert len(results.result_df) == number


def test_the_run_has_the_scores_of_the_command(tmp_path: Path) -> None:
    check(10, tmp_path)


@pytest.mark.exhaustive
def test_two_hundred_rows(tmp_path: Path) -> None:
    check(200, tmp_path)


def test_a_failed_row_is_no_wrong_document(tmp_path: Path) -> None:
    failed = ("r-001", "r-007")
    results = evaluated(RECEIPTS, scorer(), failed=failed)
    done = [row for row in RECEIPTS if row.id not in failed]
    assert log_corpus_scores(results) == {**scored_by_command(done, tmp_path), "kieval_failed_rows": 2}


def test_no_answer_is_a_wrong_document() -> None:
    [row] = rows(1)
    results = mlflow.genai.evaluate(data=data([row]), predict_fn=lambda id: None, scorers=[scorer()])
    scores = log_corpus_scores(results)
    assert (scores["kieval_invalid_predictions"], scores["kieval_failed_rows"]) == (1, 0)


def test_a_row_has_its_score_and_what_was_repaired() -> None:
    frame = evaluated(RECEIPTS[:4], scorer()).result_df
    assert frame["row_entity_f1/value"][0] == 1
    assert "dropped the text around the JSON object" in frame["row_entity_f1/rationale"][3]


def test_feedback_of_an_earlier_run_on_the_same_traces_is_left_out(tmp_path: Path) -> None:
    receipts = RECEIPTS[:6]
    results = evaluated(receipts, scorer())
    for feedback in results.result_df["assessments"]:
        metadata = {**feedback[0]["metadata"], "mlflow.assessment.sourceRunId": "earlier"}
        feedback.append({**feedback[0], "metadata": metadata})
    assert log_corpus_scores(results) == {**scored_by_command(receipts, tmp_path), "kieval_failed_rows": 0}


def test_a_row_whose_trace_was_lost_is_counted(tmp_path: Path) -> None:
    results = evaluated(RECEIPTS[:6], scorer())
    results.result_df = results.result_df[1:]
    assert log_corpus_scores(results) == {**scored_by_command(RECEIPTS[1:6], tmp_path), "kieval_failed_rows": 1}


def test_references_under_another_key(tmp_path: Path) -> None:
    receipts = RECEIPTS[:5]
    answers = model(receipts)
    results = mlflow.genai.evaluate(
        data=data(receipts, "fields"), predict_fn=answers, scorers=[scorer(reference="fields")]
    )
    assert log_corpus_scores(results) == {**scored_by_command(receipts, tmp_path), "kieval_failed_rows": 0}
    missed = mlflow.genai.evaluate(data=data(receipts[:1], "fields"), predict_fn=answers, scorers=[scorer()])
    [message] = missed.result_df["row_entity_f1/error_message"]
    assert message == "expected the reference in expectations['expected_response'], got fields"
    with pytest.raises(ValueError, match="no row of these results has counts"):
        log_corpus_scores(missed)


def test_mlflow_takes_the_mean_of_feedback_with_other_names() -> None:
    """Why the scores of the corpus are not made by aggregations: they get the numbers of a single name."""
    from mlflow.entities import Feedback

    names = ("true_positives", "true_positives/counts")

    def counts(outputs: Any) -> list[Feedback]:
        return [Feedback(name=name, value=2) for name in names]

    results = evaluated(RECEIPTS[:3], mlflow.genai.scorer(counts, aggregations=[sum]))
    assert results.metrics == {"true_positives/mean": 2, "true_positives/counts/sum": 6}


def test_the_default_folder_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MLFLOW_ALLOW_FILE_STORE")
    mlflow.set_tracking_uri(f"file://{tmp_path / 'other'}")
    with pytest.raises(mlflow.exceptions.MlflowException, match="MLFLOW_ALLOW_FILE_STORE"):
        mlflow.set_experiment("receipts")
