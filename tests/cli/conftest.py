"""Files for the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import DOCUMENTS, PREDICTIONS, lines, rows


@pytest.fixture
def inputs(tmp_path: Path) -> list[str]:
    return [
        lines(tmp_path / "references.jsonl", rows("reference", DOCUMENTS)),
        lines(tmp_path / "predictions.jsonl", rows("prediction", PREDICTIONS)),
    ]
