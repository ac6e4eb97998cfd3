"""The score that inspect_ai shows is the one of `docie score`, with several epochs, failed samples and in any order."""

from __future__ import annotations

import json
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

inspect_ai = pytest.importorskip("inspect_ai")

from inspect_ai import Task  # noqa: E402
from inspect_ai.dataset import Sample  # noqa: E402
from inspect_ai.log import recompute_metrics  # noqa: E402
from inspect_ai.model import ModelOutput, get_model  # noqa: E402
from inspect_ai.scorer import mean, scorer  # noqa: E402

from docie.adapters.harnesses.inspect_ai import corpus_scores, document_scorer  # noqa: E402
from docie.adapters.row_scores import RowMetric  # noqa: E402

from harness_page import as_json, blocks  # noqa: E402
from harness_rows import ASKED, CONFIG, HarnessRow, rows, scored_by_command  # noqa: E402


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mock model counts tokens with tiktoken, which downloads its tables."""
    tiktoken = pytest.importorskip("tiktoken")

    class Words:
        def encode(self, text: str, **options: object) -> list[str]:
            return text.split()

    monkeypatch.setattr(tiktoken, "get_encoding", lambda name: Words())


def answers_of(runs: list[HarnessRow], failing: str = "") -> Any:
    """A model that gives the answers of runs in order, for each input; it fails for one."""
    waiting: dict[str, list[str]] = {}
    for row in runs:
        waiting.setdefault(row.input, []).append(row.answer)

    def answer(messages: Any, *_: object) -> ModelOutput:
        if messages[-1].text == failing:
            raise RuntimeError("the model is out of order")
        return ModelOutput.from_content("mockllm", waiting[messages[-1].text].pop(0))

    return get_model("mockllm/model", custom_outputs=answer)


def evaluated(receipts: list[HarnessRow], model: Any, folder: Path, *, scorer: Any = None, **options: Any) -> Any:
    """The log of a run."""
    samples = [Sample(id=row.id, input=row.input, target=json.dumps(row.reference)) for row in receipts]
    task = Task(dataset=samples, scorer=scorer or document_scorer(), metrics=options.pop("metrics", None))
    [log] = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", **options)
    assert log.status == "success", log.error
    return log


def metrics_of(log: Any) -> dict[str, float]:
    [scores] = log.results.scores
    return {name: metric.value for name, metric in scores.metrics.items()}


def test_the_score_of_the_corpus(tmp_path: Path) -> None:
    receipts = rows()
    log = evaluated(receipts, answers_of(receipts), tmp_path, sample_shuffle=3)
    expected = scored_by_command(receipts, tmp_path)
    assert metrics_of(log) == expected
    mean_of_rows = sum(sample.scores["document_scorer"].value for sample in log.samples) / len(receipts)
    assert abs(mean_of_rows - expected["kieval_entity_f1"]) > 0.02
    recompute_metrics(log)
    assert metrics_of(log) == expected


def test_the_code_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))
    code, shown = blocks("inspect_ai")
    names: dict[str, Any] = {"rows": as_json(rows()), "model": answers_of(rows())}
    exec(code, names)
    title, *scores = shown.splitlines()
    assert names["log"].results.scores[0].name == title
    assert [f"{name:<28}{value:.3f}" for name, value in metrics_of(names["log"]).items()][: len(scores)] == scores


def test_logs_can_be_scored_by_name() -> None:
    [entry_point] = [each for each in entry_points(group="inspect_ai") if each.name == "docie"]
    assert entry_point.load().document_scorer is document_scorer


def epochs(receipts: list[HarnessRow]) -> list[HarnessRow]:
    """Three runs: the second one invents fields that others do not have, the last one is right."""
    invented = [row._replace(answer=json.dumps({f"field {row.id}": "1"})) for row in receipts]
    return [*receipts, *invented, *(row._replace(answer=json.dumps(row.reference)) for row in receipts)]


def test_several_epochs_with_other_entity_types_and_a_sample_that_fails(tmp_path: Path) -> None:
    receipts = rows(20)
    runs, failing = epochs(receipts), receipts[7]
    log = evaluated(
        receipts, answers_of(runs, failing.input), tmp_path, epochs=3, fail_on_error=False, sample_shuffle=1
    )
    counted = [row for row in runs if row.id != failing.id]
    assert metrics_of(log) == scored_by_command(counted, tmp_path)
    assert metrics_of(log)["kieval_documents"] == 57


@pytest.mark.parametrize("action", ["append", "overwrite"])
@pytest.mark.parametrize("epochs", [1, 2])
def test_scoring_a_log_again_leaves_out_what_failed(action: Any, epochs: int, tmp_path: Path) -> None:
    receipts = rows(20)
    log = evaluated(
        receipts, answers_of(receipts * epochs, receipts[7].input), tmp_path, epochs=epochs, fail_on_error=False
    )
    expected = scored_by_command([row for row in receipts * epochs if row.id != receipts[7].id], tmp_path)
    assert metrics_of(log) == expected
    again = inspect_ai.score(log, document_scorer(), action=action, display="none")
    assert len(again.results.scores) == 1 + (action == "append")
    for scores in again.results.scores:
        assert {name: metric.value for name, metric in scores.metrics.items()} == expected


def test_a_sample_that_failed_has_no_score_on_error_either(tmp_path: Path) -> None:
    receipts = rows(6)
    log = evaluated(
        receipts, answers_of(receipts, receipts[2].input), tmp_path, fail_on_error=False, score_on_error=True
    )
    assert metrics_of(log) == scored_by_command([*receipts[:2], *receipts[3:]], tmp_path)


def test_a_sample_that_was_tried_again_has_a_score(tmp_path: Path) -> None:
    receipts, failures = rows(6), [1]
    answer = answers_of(receipts)

    def sometimes(messages: Any, *rest: Any) -> ModelOutput:
        if messages[-1].text == receipts[2].input and failures.pop():
            raise RuntimeError("the model is out of order")
        return answer.api.outputs(messages, *rest)

    failures.insert(0, 0)
    model = get_model("mockllm/model", custom_outputs=sometimes)
    log = evaluated(receipts, model, tmp_path, retry_on_error=1, fail_on_error=False)
    expected = scored_by_command(receipts, tmp_path)
    again = inspect_ai.score(log, document_scorer(), action="overwrite", display="none")
    assert metrics_of(log) == metrics_of(again) == expected


@scorer(metrics=[mean()])  # type: ignore[untyped-decorator]
def out_of_order() -> Any:
    async def score(state: Any, target: Any) -> Any:
        raise RuntimeError("the scorer is out of order")

    return score


def test_an_answer_whose_scorer_failed_can_be_scored_again(tmp_path: Path) -> None:
    receipts = rows(6)
    samples = [Sample(id=row.id, input=row.input, target=json.dumps(row.reference)) for row in receipts]
    task = Task(dataset=samples, scorer=out_of_order())
    [log] = inspect_ai.eval(
        task, model=answers_of(receipts), log_dir=str(tmp_path), display="none", fail_on_error=False
    )
    again = inspect_ai.score(log, document_scorer(), action="overwrite", display="none")
    assert metrics_of(again) == scored_by_command(receipts, tmp_path)


@pytest.mark.parametrize("reducer", ["mean", "median", "mode", "max"])
def test_reducers_of_epochs_do_not_change_the_score(reducer: str, tmp_path: Path) -> None:
    """A reducer keeps the metadata of the first epoch, where the counts are: the metric does not see reduced scores."""
    receipts = rows(6)
    runs = epochs(receipts)
    log = evaluated(receipts, answers_of(runs), tmp_path, epochs=inspect_ai.Epochs(3, reducer))
    assert metrics_of(log) == scored_by_command(runs, tmp_path)


def test_beside_other_metrics(tmp_path: Path) -> None:
    receipts = rows(6)
    log = evaluated(receipts, answers_of(epochs(receipts)), tmp_path, epochs=3, metrics=[mean(), corpus_scores()])
    reduced, corpus = log.results.scores
    values = [RowMetric().count(row.answer, row.reference).counts for row in epochs(receipts)]
    means = [RowMetric().scores([each])["entity_f1"] for each in values]
    assert reduced.metrics["mean"].value == pytest.approx(sum(means) / len(means))
    assert {name: metric.value for name, metric in corpus.metrics.items()} == scored_by_command(
        epochs(receipts), tmp_path
    )


def test_options_issues_and_answers_in_a_list(tmp_path: Path) -> None:
    receipts = rows(12)
    scorer = document_scorer("anls_star", parse="llm", config=CONFIG)
    log = evaluated(receipts, answers_of(receipts), tmp_path, scorer=scorer)
    expected = scored_by_command(
        receipts, tmp_path, "--metric", "anls_star", *ASKED, "--config", "predictions.parse=llm"
    )
    assert metrics_of(log) == expected
    explanations = {sample.id: sample.scores["document_scorer"].explanation for sample in log.samples}
    assert explanations["r-000"] is None
    assert "dropped the text around the JSON object" in explanations["r-003"]


def test_real_receipts(cord: dict[str, list[Any]], tmp_path: Path) -> None:
    """Their references are the texts of the data set, with `gt_parse`."""
    receipts = [
        HarnessRow(
            f"r-{number}", str(number), json.dumps(predicted["prediction"]), json.loads(expected["ground_truth"])
        )
        for number, (predicted, expected) in enumerate(zip(cord["qwen"], cord["references"], strict=True))
    ]
    log = evaluated(receipts, answers_of(receipts), tmp_path)
    expected = [row._replace(reference=row.reference["gt_parse"]) for row in receipts]
    assert metrics_of(log) == scored_by_command(expected, tmp_path)


def test_several_targets_are_accepted_answers(tmp_path: Path) -> None:
    task = Task(dataset=[Sample(input="Total?", target=["7.50", "7.5"])], scorer=document_scorer("anls_star"))
    row = HarnessRow("", "Total?", "7.5", {})
    [log] = inspect_ai.eval(task, model=answers_of([row]), log_dir=str(tmp_path), display="none")
    assert metrics_of(log)["anls_star_anls_star"] == 1
