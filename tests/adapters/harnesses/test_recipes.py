"""The code that docs/harnesses.md and docs/platforms.md show for these harnesses runs, and gives the score of `docie score`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from checkout import ROOT
from harness_page import as_json, blocks
from harness_rows import HarnessRow, rows, scored_by_command

RECEIPTS = rows(200)
ANSWERS = {row.input: row.answer for row in RECEIPTS}


def code_of(heading: str) -> list[str]:
    """The blocks of Python in a section of the page."""
    return [block for block in blocks(heading) if block.startswith(("import ", "from "))]


def run(source: str, receipts: list[HarnessRow], **names: Any) -> dict[str, Any]:
    """The names that a block defines. Its rows are these receipts, its model answers what it always answers."""
    names |= {"rows": as_json(receipts), "extract": lambda text: ANSWERS[text], "__name__": "recipe"}
    exec(compile(source, "docs/harnesses.md", "exec"), names)
    return names


def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(f"file://{tmp_path / 'runs'}")
    mlflow.set_experiment("receipts")
    [source] = code_of("MLflow")
    found = run(source, RECEIPTS[:8])["scores"]
    mlflow.set_tracking_uri(None)
    assert found == {**scored_by_command(RECEIPTS[:8], tmp_path), "kieval_failed_rows": 0}


def test_phoenix(tmp_path: Path) -> None:
    pytest.importorskip("phoenix.evals")
    [source] = code_of("Phoenix")
    names = run(source, RECEIPTS)
    assert names["scores"] == {**scored_by_command(RECEIPTS, tmp_path), "kieval_failed_rows": 0}
    assert round(names["scores"]["kieval_entity_f1"], 3) == 0.860
    assert round(names["evaluated"]["row_entity_f1_score"].map(lambda score: score["score"]).mean(), 3) == 0.814


def test_langsmith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schemas = pytest.importorskip("langsmith.schemas")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("LANGSMITH_API_KEY", "none")
    monkeypatch.setenv("LANGSMITH_TRACING", "false")
    dataset = uuid.uuid4()
    data = [
        schemas.Example(
            id=uuid.uuid4(),
            dataset_id=dataset,
            inputs={"text": row.input},
            outputs={"fields": json.dumps(row.reference)},
        )
        for row in RECEIPTS[:50]
    ]
    [source] = code_of("LangSmith")
    results = run(source, RECEIPTS, data=data)["results"]
    found = {each.key: each.score for each in results._summary_results["results"]}
    assert found == scored_by_command(RECEIPTS[:50], tmp_path)


def test_langfuse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("langfuse")
    monkeypatch.setenv("LANGFUSE_TRACING_ENABLED", "false")
    monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", "none")
    monkeypatch.setenv("LANGFUSE_SECRET_KEY", "none")
    monkeypatch.setenv("LANGFUSE_BASE_URL", "http://127.0.0.1:9")
    [source] = code_of("Langfuse")
    results = run(source, RECEIPTS)["results"]
    assert {each.name: each.value for each in results.run_evaluations} == scored_by_command(RECEIPTS, tmp_path)
    printed = capsys.readouterr().out
    assert "Average Scores:\n  • row_entity_f1: 0.814\n\nRun Evaluations:\n  • kieval_entity_f1: 0.860\n" in printed
    assert "    💭 200 items; items that failed are not scored\n" in printed


def test_deepeval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # it writes a folder .deepeval
    test_case = pytest.importorskip("deepeval.test_case")
    [source] = code_of("DeepEval")
    names = run(source, RECEIPTS)
    assert names["scores"] == scored_by_command(RECEIPTS, tmp_path)
    assert sum(case.success for case in names["tested"]) == 180
    with pytest.raises(TypeError, match="'actual_output' must be a string"):
        test_case.LLMTestCase(input="", actual_output=RECEIPTS[0].reference)


def test_promptfoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The function is called as promptfoo's wrapper does; named scores are added and put into the formula of the page."""
    assertion, all_scores = code_of("promptfoo")
    get_assert = run(assertion, [])["get_assert"]
    tests = [{"text": row.input, "reference": json.dumps(row.reference)} for row in RECEIPTS]
    results = [get_assert(ANSWERS[test["text"]], {"vars": test}) for test in tests]
    json.dumps(results)  # as it reaches promptfoo
    assert sum(result["pass"] for result in results) == 180
    names = ("true_positives", "false_positives", "false_negatives")
    sums = {name: sum(result["namedScores"][name] for result in results) for name in names}
    page = (ROOT / "docs" / "harnesses.md").read_text(encoding="utf-8")
    [formula] = re.findall(r"- name: kieval_entity_f1\n +value: (.+)\n", page)
    expected = scored_by_command(RECEIPTS, tmp_path)
    shown = {**sums, "kieval_entity_f1": eval(formula, {}, sums)}
    assert shown["kieval_entity_f1"] == expected["kieval_entity_f1"]
    assert json.dumps(shown)[1:-1] in page

    outputs = [{"failureReason": 0, "response": {"output": ANSWERS[test["text"]]}, "vars": test} for test in tests]
    failed = {"failureReason": 2, "vars": tests[0]}
    (tmp_path / "out.json").write_text(json.dumps({"results": {"results": [*outputs, failed]}}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(all_scores, [])["scores"] == expected


def test_harnesses_are_imported_when_they_are_used() -> None:
    harnesses = ["langfuse", "langsmith", "mlflow", "phoenix"]
    imports = ", ".join(f"docie.adapters.harnesses.{name}" for name in harnesses)
    source = f"import sys, {imports}; print([name for name in {harnesses} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
