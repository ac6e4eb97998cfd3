"""Models evaluated in two processes have the figures that one process gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checkout import needs

pytest.importorskip("torch", reason="evaluation in several processes needs torch")
pytest.importorskip("transformers", reason="evaluation in several processes needs transformers")
pytest.importorskip("accelerate", reason="evaluation in several processes needs accelerate")

from distributed_evaluation import COUNT, evaluate

SCRIPT = Path(__file__).parents[1] / "support" / "distributed_evaluation.py"
BRIEFLY = {"layoutlmv3": ["--receipts", "1000", "--epochs", "2"], "donut": ["--receipts", "2000", "--epochs", "3"]}


def run(folder: Path, *command: str) -> None:
    """Run a Python script that may leave files in a folder."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TMPDIR": str(folder)}
    done = subprocess.run([sys.executable, *command], capture_output=True, encoding="utf-8", env=environment)
    assert done.returncode == 0, done.stderr[-3000:]


def evaluate_in_two(folder: Path, *arguments: str) -> list[list[dict[str, Any]]]:
    """What each of two processes has of each model's evaluation."""
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    run(folder, *torchrun, str(SCRIPT), str(folder), *arguments)
    return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("rank-*.json"))]


def check_equal(alone: dict[str, Any], *ranks: dict[str, Any]) -> None:
    """One process and two have the same figures and documents, and know how many they are."""
    assert [alone.pop("processes"), *(rank.pop("processes") for rank in ranks)] == [1, 2, 2]
    assert list(ranks) == [alone, alone]
    assert len(alone["documents"]) == COUNT
    for name in ("entity_f1", "entity_precision", "entity_recall"):
        assert 0 < alone["figures"][f"eval_kieval_{name}"] < 1


@pytest.mark.exhaustive
def test_two_processes_and_one_give_the_same_figures_of_stubs(tmp_path: Path) -> None:
    alone = evaluate("stubs", str(tmp_path))
    for model, *ranks in zip(alone, *evaluate_in_two(tmp_path, "stubs"), strict=True):
        check_equal(model, *ranks)
    tagging, writing = alone
    assert tagging["rows"] > COUNT == writing["rows"]
    assert 0 < tagging["figures"]["eval_kieval_group_f1"] < 1


@pytest.mark.exhaustive(minutes=True)
@needs("examples")
@pytest.mark.parametrize("model", BRIEFLY)
def test_two_processes_and_one_give_the_same_figures_of_trained_models(model: str, root: Path, tmp_path: Path) -> None:
    saved = tmp_path / "model"
    run(tmp_path, str(root / "examples" / f"train_{model}.py"), *BRIEFLY[model], "--output", str(saved))
    [alone] = evaluate(model, str(tmp_path), str(saved))
    check_equal(alone, *(rank for [rank] in evaluate_in_two(tmp_path, model, str(saved))))
    assert alone["rows"] == COUNT if model == "donut" else alone["rows"] > COUNT
    assert 0 < alone["figures"]["eval_kieval_group_f1"] < 1
    assert 0.1 < alone["figures"]["eval_kieval_entity_f1"] < 0.99
