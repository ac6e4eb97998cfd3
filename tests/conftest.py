"""Everything offline, in a cache of its own; real documents where DOCIE_DATA names them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# evaluate and huggingface_hub read these when they are imported
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="docie-tests-")
os.environ["HF_EVALUATE_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"
for name in ("HF_MODULES_CACHE", "HF_METRICS_CACHE", "HF_EVALUATE_CACHE"):
    os.environ.pop(name, None)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real documents and predictions that DOCIE_DATA names."""
    folder = os.environ.get("DOCIE_DATA")
    if not folder:
        pytest.skip("DOCIE_DATA is not set: tests on real documents need that folder")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"DOCIE_DATA names {folder}, which is no folder")
    return path


def read_lines(path: Path) -> Iterator[Any]:
    """The rows of a JSON Lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


@pytest.fixture(scope="session")
def cord(data: Path) -> dict[str, list[Any]]:
    """The CORD test set: references and the rows of two systems' predictions, in the same order."""
    folder = data / "cord-test"
    names = {"references": "references", "qwen": "predictions-qwen2-vl-72b", "layoutlm": "predictions-layoutlm-words"}
    return {name: list(read_lines(folder / f"{file}.jsonl")) for name, file in names.items()}
