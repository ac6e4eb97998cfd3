"""The score in a report of pydantic-evals is the one of `docie score`, also for repeated and failed cases."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

pydantic_evals = pytest.importorskip("pydantic_evals")

from pydantic_evals import Case, Dataset  # noqa: E402

from docie.adapters.harnesses.pydantic_evals import CorpusScores, RowScore  # noqa: E402

from harness_page import as_json, blocks  # noqa: E402
from harness_rows import ASKED, CONFIG, HarnessRow, rows, scored_by_command  # noqa: E402

DURATION = re.compile(r" +[\d.]+\S?s +(?=│)|[─┴]+")


def dataset_of(receipts: list[HarnessRow], **evaluators: Any) -> Any:
    cases = [Case(name=row.id, inputs=row.input, expected_output=row.reference) for row in receipts]
    known = {"evaluators": [RowScore()], "report_evaluators": [CorpusScores()]}
    return Dataset(name="receipts", cases=cases, **{**known, **evaluators})


def model_of(receipts: list[HarnessRow], failing: str = "") -> Any:
    answers = {row.input: row.answer for row in receipts}

    async def answer(text: str) -> str:
        if text == failing:
            raise RuntimeError("the model is out of order")
        return answers[text]

    return answer


def report_of(dataset: Any, task: Any, **options: Any) -> Any:
    report = dataset.evaluate_sync(task, progress=False, **options)
    assert not report.report_evaluator_failures
    return report


def scores_of(report: Any) -> dict[str, float]:
    return {analysis.title: analysis.value for analysis in report.analyses}


def test_the_score_of_the_corpus(tmp_path: Path) -> None:
    receipts = rows()
    shuffled = random.Random(5).sample(receipts, len(receipts))
    report = report_of(dataset_of(shuffled), model_of(receipts))
    expected = scored_by_command(receipts, tmp_path)
    assert scores_of(report) == expected
    [(name, mean_of_rows)] = report.averages().scores.items()
    assert name == "row_entity_f1"
    assert abs(mean_of_rows - expected["kieval_entity_f1"]) > 0.02


def test_the_code_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    code, shown = blocks("pydantic-evals")
    with contextlib.redirect_stderr(io.StringIO()):
        exec(code, {"rows": as_json(rows()), "extract": model_of(rows())})
    printed = capsys.readouterr().out.splitlines()[-3:]
    assert [DURATION.sub("", line) for line in printed] == [DURATION.sub("", line) for line in shown.splitlines()]


def test_repeated_and_failed_cases(tmp_path: Path) -> None:
    receipts = rows(20)
    report = report_of(dataset_of(receipts), model_of(receipts, receipts[7].input), repeat=3)
    counted = [row for row in receipts if row is not receipts[7]] * 3
    assert scores_of(report) == scored_by_command(counted, tmp_path)
    assert len(report.failures) == 3


def test_options_and_selected_scores(tmp_path: Path) -> None:
    receipts = rows(12)
    options: Any = {"parse": "llm", "config": CONFIG, "options": {"normalize": "nfkc"}}
    evaluators = {
        "evaluators": [RowScore("anls_star", **options)],
        "report_evaluators": [CorpusScores("anls_star", scores=["anls_star_anls_star"], **options)],
    }
    report = report_of(dataset_of(receipts, **evaluators), model_of(receipts))
    expected = scored_by_command(
        receipts, tmp_path, "--metric", "anls_star", *ASKED, "--config", "predictions.parse=llm", "--normalize", "nfkc"
    )
    assert scores_of(report) == {"anls_star_anls_star": expected["anls_star_anls_star"]}
    reasons = {case.name: case.scores["row_anls_star"].reason for case in report.cases}
    assert reasons["r-000"] is None
    assert "dropped the text around the JSON object" in reasons["r-003"]


def test_objects_as_outputs() -> None:
    pydantic = pytest.importorskip("pydantic")
    model = pydantic.create_model("Receipt", total=(str, ...))
    report = report_of(dataset_of([HarnessRow("r", "7", "", {"total": "7"})]), lambda text: model(total=text))
    assert scores_of(report)["kieval_entity_f1"] == 1


def test_a_case_without_a_reference_is_told() -> None:
    dataset = Dataset(name="receipts", cases=[Case(inputs="7")], report_evaluators=[CorpusScores()])
    [failure] = dataset.evaluate_sync(lambda text: text, progress=False).report_evaluator_failures
    assert "reference must be a JSON object" in failure.error_message


def test_a_wrong_name_of_a_score_is_told() -> None:
    dataset = Dataset(
        name="receipts",
        cases=[Case(inputs="{}", expected_output={})],
        report_evaluators=[CorpusScores(scores=["entity_f1"])],
    )
    [failure] = dataset.evaluate_sync(lambda text: text, progress=False).report_evaluator_failures
    expected = "kieval has no score 'entity_f1' with these options, expected some of: kieval_entity_f1, "
    assert expected in failure.error_message

    def fails(text: str) -> str:
        raise TimeoutError

    report = dataset.evaluate_sync(fails, progress=False)
    assert (len(report.failures), report.analyses, report.report_evaluator_failures) == (1, [], [])


def test_evaluators_can_be_written_to_files(tmp_path: Path) -> None:
    receipts = rows(3)
    evaluators = {
        "report_evaluators": [CorpusScores("hed", config=CONFIG, options={"normalize": "nfkc"}, scores=["hed_uhed_f1"])]
    }
    dataset_of(receipts, **evaluators).to_file(tmp_path / "receipts.json", schema_path=None)
    read = Dataset[str, Any, Any].from_file(
        tmp_path / "receipts.json", custom_evaluator_types=[RowScore], custom_report_evaluator_types=[CorpusScores]
    )
    assert read.report_evaluators == [*evaluators["report_evaluators"]]
    assert [*scores_of(report_of(read, model_of(receipts)))] == ["hed_uhed_f1"]


def test_real_receipts(cord: dict[str, list[Any]], tmp_path: Path) -> None:
    receipts = [
        HarnessRow(str(number), str(number), json.dumps(predicted["prediction"]), json.loads(expected["ground_truth"]))
        for number, (predicted, expected) in enumerate(zip(cord["qwen"], cord["references"], strict=True))
    ]
    report = report_of(dataset_of(receipts), model_of(receipts))
    expected = [row._replace(reference=row.reference["gt_parse"]) for row in receipts]
    assert scores_of(report) == scored_by_command(expected, tmp_path)
