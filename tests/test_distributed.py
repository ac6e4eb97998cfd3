"""Models evaluated in two processes have the figures that one process gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="evaluation in several processes needs torch")
pytest.importorskip("transformers", reason="evaluation in several processes needs transformers")

DOCUMENTS = 21  # odd, so that two processes cannot share them evenly
BRIEFLY = {"layoutlmv3": ["--receipts", "1000", "--epochs", "2"], "donut": ["--receipts", "2000", "--epochs", "3"]}
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, *command], capture_output=True, encoding="utf-8", env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("kind", ["layoutlmv3", "donut"])
def test_two_processes_and_one_give_the_same_figures(kind: str, root: Path, tmp_path: Path) -> None:
    model, alone, together = (tmp_path / name for name in ("model", "alone", "together"))
    alone.mkdir()
    together.mkdir()
    run(str(root / "examples" / f"train_{kind}.py"), *BRIEFLY[kind], "--output", str(model))
    script = str(root / "tests" / "distributed_evaluation.py")
    run(script, kind, str(model), str(DOCUMENTS), str(alone))
    torchrun = ["-m", "torch.distributed.run", "--standalone", "--nproc_per_node=2"]
    run(*torchrun, script, kind, str(model), str(DOCUMENTS), str(together))

    def results(folder: Path) -> list[dict[str, Any]]:
        return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("rank-*.json"))]

    (expected,) = results(alone)
    ranks = results(together)
    assert [expected.pop("processes"), *(rank.pop("processes") for rank in ranks)] == [1, 2, 2]
    assert ranks == [expected, expected]
    assert len(expected["documents"]) == DOCUMENTS
    assert expected["rows"] == DOCUMENTS if kind == "donut" else expected["rows"] > DOCUMENTS
    for name in ("entity_f1", "entity_precision", "entity_recall", "group_f1"):
        assert 0 < expected["figures"][f"eval_kieval_{name}"] < 1
    assert 0.1 < expected["figures"]["eval_kieval_entity_f1"] < 0.99
