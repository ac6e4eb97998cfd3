"""What `docie score` says where ids stand under other keys."""

from __future__ import annotations

from pathlib import Path

from cli_runs import lines, run

NAMES = [f"item {number}" for number in range(6)]


def test_rows_without_counterparts_lead_to_the_key_that_has_their_ids(tmp_path: Path) -> None:
    paths = [
        lines(tmp_path / "r.jsonl", [{"id": name, "reference": {"total": "1"}} for name in NAMES]),
        lines(tmp_path / "p.jsonl", [{"file": name, "prediction": {"total": "1"}} for name in NAMES[:5]]),
    ]
    result = run(*paths)
    assert (result.exit_code, ": --config predictions.id=file joins by them" in result.stderr) == (2, True)
