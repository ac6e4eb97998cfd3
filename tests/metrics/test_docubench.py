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


VALUES: dict[str, list[tuple[float, float, float]]] = {
    "claude": [(0.904, 0.866, 0.939), (0.906, 0.868, 0.941), (0.907, 0.868, 0.942)],
    "docupipe_high": [(0.952, 0.922, 0.978), (0.952, 0.922, 0.978), (0.952, 0.922, 0.978)],
    "docupipe_standard": [(0.947, 0.927, 0.967), (0.947, 0.927, 0.967), (0.947, 0.927, 0.967)],
    "extend": [(0.92, 0.888, 0.951), (0.92, 0.889, 0.952), (0.92, 0.889, 0.952)],
    "gemini": [(0.922, 0.886, 0.957), (0.923, 0.886, 0.96), (0.924, 0.888, 0.96)],
    "gpt": [(0.91, 0.882, 0.94), (0.912, 0.883, 0.943), (0.913, 0.885, 0.944)],
}
"""Entity F1 of each system by value, with normalisers of texts, and with the schemas, each with its 95 % interval."""


def test_schemas_and_normalisers(data: Path) -> None:
    folder = data / "docubench"
    references = {row["id"]: row["reference"] for row in read_lines(folder / "references.jsonl")}
    with pytest.warns(UserWarning, match="disagree on 'dueDate', 'dischargeDate', 'issueDate'"):
        with_schemas = entity_f1.Settings(schema=folder / "schemas.jsonl")
    texts = entity_f1.Settings(normalize=["nfkc", "casefold", "whitespace"])
    for system, expected in VALUES.items():
        rows = list(read_lines(folder / f"predictions-{system}.jsonl"))
        predicted, reference = [row["prediction"] for row in rows], [references[row["id"]] for row in rows]
        for settings, figures in zip((entity_f1.Settings(), texts, with_schemas), expected, strict=True):
            results = corpus.evaluate(entity_f1, predicted, reference, settings, confidence_level=0.95)
            assert tuple(round(each, 3) for each in (results["f1"], *results["f1_interval"])) == figures


def test_the_docs_show_these_intervals() -> None:
    path = ROOT / "docs" / "values.md"
    if not path.exists():
        pytest.skip("the docs are not here")
    page = path.read_text(encoding="utf-8")
    ranks = [sorted(VALUES, key=lambda system: VALUES[system][column]) for column in range(3)]
    assert ranks[0] == ranks[1] == ranks[2]
    for system, figures in VALUES.items():
        cells = [f"{f1:.3f} ({low:.3f} – {high:.3f})".replace("0.", ".") for f1, low, high in figures]
        assert f"| {system} | {' | '.join(cells)} |" in page
