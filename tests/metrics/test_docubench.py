"""Documents whose labels and predictions write the same numbers differently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, entity_f1

from checkout import ROOT
from json_lines import read_lines

FIGURES = {
    "claude": (0.7370, 0.9044),
    "docupipe_high": (0.9240, 0.9516),
    "docupipe_standard": (0.9181, 0.9472),
    "extend": (0.6651, 0.9197),
    "gemini": (0.7398, 0.9220),
    "gpt": (0.6525, 0.9101),
}
"""Entity F1 of each system with numbers compared as they are written, and by value."""


def as_written(value: Any) -> Any:
    """The document with every number as the text that its file has."""
    if isinstance(value, dict):
        return {key: as_written(child) for key, child in value.items()}
    if isinstance(value, list):
        return [as_written(child) for child in value]
    return json.dumps(value) if isinstance(value, int | float) else value


@pytest.mark.parametrize("system", FIGURES)
def test_numbers_by_value(system: str, data: Path) -> None:
    folder = data / "docubench"
    references = {row["id"]: row["reference"] for row in read_lines(folder / "references.jsonl")}
    rows = list(read_lines(folder / f"predictions-{system}.jsonl"))
    predicted, expected = [row["prediction"] for row in rows], [references[row["id"]] for row in rows]
    written = corpus.evaluate(entity_f1, list(map(as_written, predicted)), list(map(as_written, expected)))
    by_value = corpus.evaluate(entity_f1, predicted, expected)
    assert (round(written["f1"], 4), round(by_value["f1"], 4)) == FIGURES[system]
    assert by_value["documents"] == 50
    normalised = corpus.evaluate(entity_f1, predicted, expected, entity_f1.Settings(normalize="number"))
    assert normalised["f1"] == by_value["f1"]


def test_the_docs_show_these_figures() -> None:
    path = ROOT / "docs" / "normalizers.md"
    if not path.exists():
        pytest.skip("the docs are not here")
    page = path.read_text(encoding="utf-8")
    for system, figures in FIGURES.items():
        written, by_value = (f"{figure:.4f}".lstrip("0") for figure in figures)
        assert f"| {system} | {written} | {by_value} |" in page
