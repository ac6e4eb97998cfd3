"""Scores in Phoenix evals: those of the corpus are the ones that `docie score` prints."""

from __future__ import annotations

import asyncio
import math
import random
from pathlib import Path
from typing import Any

import pytest

from docie.adapters.harnesses.phoenix import corpus_scores, evaluator

from harness_rows import ASKED, CONFIG, HarnessRow, real_rows, rows, scored_by_command

evals = pytest.importorskip("phoenix.evals")
pandas = pytest.importorskip("pandas")
RECEIPTS = rows(200)


def frame_of(receipts: list[HarnessRow]) -> Any:
    return pandas.DataFrame(
        {"output": [row.answer for row in receipts], "expected": [row.reference for row in receipts]}
    )


def evaluated(frame: Any, *evaluators: Any, **options: Any) -> Any:
    return evals.evaluate_dataframe(
        dataframe=frame, evaluators=[*evaluators], exit_on_error=False, max_retries=0, hide_tqdm_bar=True, **options
    )


def test_the_frame_has_the_scores_of_the_command(tmp_path: Path) -> None:
    frame = frame_of(random.Random(1).sample(RECEIPTS, 200))
    evaluators = [evaluator(), evaluator("hed", config=CONFIG)]
    expected = scored_by_command(RECEIPTS, tmp_path)
    expected |= scored_by_command(RECEIPTS, tmp_path, "--metric", "hed", *ASKED)
    expected |= {"kieval_failed_rows": 0, "hed_failed_rows": 0}
    assert corpus_scores(evaluated(frame, *evaluators)) == expected


def test_real_receipts(cord: dict[str, list[Any]], tmp_path: Path) -> None:
    receipts = real_rows(cord)
    scores = corpus_scores(evaluated(frame_of(receipts), evaluator()))
    assert scores == {**scored_by_command(receipts, tmp_path), "kieval_failed_rows": 0}


def test_rows_in_parallel() -> None:
    frame = frame_of(RECEIPTS[:5])  # Phoenix takes a tenth of a second for each row
    done = evals.async_evaluate_dataframe(dataframe=frame, evaluators=[evaluator()], hide_tqdm_bar=True)
    assert corpus_scores(asyncio.run(done)) == corpus_scores(evaluated(frame, evaluator()))


def test_a_frame_that_was_saved_has_them_too(tmp_path: Path) -> None:
    frame = evaluated(frame_of(RECEIPTS[:20]), evaluator())
    frame.to_json(tmp_path / "frame.jsonl", orient="records", lines=True)
    read = pandas.read_json(tmp_path / "frame.jsonl", orient="records", lines=True)
    assert corpus_scores(read) == corpus_scores(frame)


def test_a_row_that_could_not_be_evaluated_is_counted_apart(tmp_path: Path) -> None:
    frame = frame_of(RECEIPTS[:9])
    frame.at[4, "expected"] = "not annotated yet"
    scores = corpus_scores(evaluated(frame, evaluator()))
    others = RECEIPTS[:4] + RECEIPTS[5:9]
    assert scores == {**scored_by_command(others, tmp_path), "kieval_failed_rows": 1}


@pytest.mark.parametrize("nothing", [None, math.nan])
def test_no_answer_is_a_wrong_document(nothing: object) -> None:
    frame = pandas.DataFrame({"output": [nothing, "{}"], "expected": [{"total": "1"}] * 2}, dtype=object)
    scores = corpus_scores(evaluated(frame, evaluator()))
    assert (scores["kieval_documents"], scores["kieval_invalid_predictions"], scores["kieval_failed_rows"]) == (2, 1, 0)


def test_a_row_has_its_score_and_what_was_repaired() -> None:
    scores = evaluated(frame_of(RECEIPTS[:4]), evaluator())["row_entity_f1_score"]
    assert (scores[0]["score"], scores[0]["direction"], scores[0]["kind"]) == (1, "maximize", "code")
    assert "dropped the text around the JSON object" in scores[3]["explanation"]


def test_other_columns_are_bound() -> None:
    frame = frame_of(RECEIPTS[:5]).rename(columns={"output": "answer", "expected": "reference"})
    bound = evals.bind_evaluator(evaluator=evaluator(), input_mapping={"output": "answer", "expected": "reference"})
    assert corpus_scores(evaluated(frame, bound)) == corpus_scores(evaluated(frame_of(RECEIPTS[:5]), evaluator()))


def test_phoenix_drops_the_metadata_of_a_dict() -> None:
    """Why an evaluator returns a `Score`."""
    made = evals.create_evaluator(name="x")(lambda output: {"score": 1.0, "metadata": {"true_positives": 2}})
    frame = evaluated(frame_of(RECEIPTS[:1]), made)
    assert "true_positives" not in str(frame["x_score"][0])
    with pytest.raises(ValueError, match="no row of this frame has counts"):
        corpus_scores(frame)
