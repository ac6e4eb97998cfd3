"""The same command gives the same digits: no figure hangs on the order in which a run happens to see names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runs import lines

TYPES = [f"type{number}" for number in range(12)]
REFERENCES = [{name: f"{name}-{row}" for name in TYPES[row % 5 :]} for row in range(17)]
SYSTEMS = {
    name: [
        {key: text if (row * step + number) % 7 else "?" for number, (key, text) in enumerate(reference.items())}
        for row, reference in enumerate(REFERENCES)
    ]
    for name, step in (("a", 3), ("b", 5))
}


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(
            ["score", "--by-field", "--confidence-level", "0.9", "--interval", "t"], marks=pytest.mark.exhaustive
        ),
        ["score", "--by-field", "--confidence-level", "0.9", "--interval", "percentile"],
        pytest.param(
            ["compare", "--by-field", "--score", "entity_f1", "--score", "entity_f1_macro"],
            marks=pytest.mark.exhaustive,
        ),
    ],
    ids=lambda arguments: f"{arguments[0]} {arguments[-1]}",
)
def test_two_runs(tmp_path: Path, arguments: list[str]) -> None:
    command, *options = arguments
    names = {"references": REFERENCES, **SYSTEMS}
    paths = [lines(tmp_path / f"{name}.jsonl", rows) for name, rows in names.items()][
        : 3 if command == "compare" else 2
    ]
    printed = {
        subprocess.run(
            [sys.executable, "-m", "docie", command, *paths, *options, "--format", "json"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert "interval" in json.dumps(json.loads(printed.pop()))
