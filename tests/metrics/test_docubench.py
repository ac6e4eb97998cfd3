"""Documents whose labels and predictions write the same numbers differently."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, entity_f1, kieval
from docie.metrics.kieval.corrections import KINDS

from checkout import ROOT
from json_lines import read_lines
from real_documents import docubench_pairs

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
    path = ROOT / "docs" / "real-documents.md"
    if not path.exists():
        pytest.skip("the docs are not here")
    page = path.read_text(encoding="utf-8")
    for system, figures in FIGURES.items():
        written, by_value = (f"{figure:.4f}".lstrip("0") for figure in figures)
        assert f"| {system} | {written} | {by_value} |" in page


VALUES: dict[str, list[tuple[float, float, float]]] = {
    "claude": [(0.904, 0.855, 0.938), (0.906, 0.856, 0.94), (0.924, 0.874, 0.955), (0.907, 0.856, 0.941)],
    "docupipe_high": [(0.952, 0.909, 0.975), (0.952, 0.91, 0.975), (0.975, 0.935, 0.991), (0.952, 0.91, 0.975)],
    "docupipe_standard": [(0.947, 0.919, 0.966), (0.947, 0.919, 0.966), (0.965, 0.937, 0.981), (0.947, 0.919, 0.966)],
    "extend": [(0.92, 0.876, 0.949), (0.92, 0.876, 0.949), (0.94, 0.901, 0.964), (0.92, 0.876, 0.949)],
    "gemini": [(0.922, 0.862, 0.957), (0.923, 0.863, 0.959), (0.943, 0.865, 0.977), (0.924, 0.865, 0.959)],
    "gpt": [(0.91, 0.869, 0.939), (0.912, 0.87, 0.941), (0.931, 0.884, 0.96), (0.913, 0.871, 0.942)],
}
"""Entity F1 of each system by value, with normalisers of texts, without signs too, and with the schemas, each with its
95 % interval."""


@pytest.mark.exhaustive
def test_schemas_and_normalisers(data: Path) -> None:
    folder = data / "docubench"
    references = {row["id"]: row["reference"] for row in read_lines(folder / "references.jsonl")}
    with pytest.warns(UserWarning, match="disagree on 'dueDate', 'dischargeDate', 'issueDate'"):
        with_schemas = entity_f1.Settings(schema=folder / "schemas.jsonl")
    texts, without_signs = (
        entity_f1.Settings(normalize=["nfkc", "casefold", "whitespace", *more]) for more in ([], ["alphanumeric"])
    )
    options = entity_f1.Settings(), texts, without_signs, with_schemas
    for system, expected in VALUES.items():
        rows = list(read_lines(folder / f"predictions-{system}.jsonl"))
        predicted, reference = [row["prediction"] for row in rows], [references[row["id"]] for row in rows]
        for settings, figures in zip(options, expected, strict=True):
            results = corpus.evaluate(entity_f1, predicted, reference, settings, confidence_level=0.95)
            assert tuple(round(each, 3) for each in (results["f1"], *results["f1_interval"])) == figures


def test_the_docs_show_these_intervals() -> None:
    path = ROOT / "docs" / "real-documents.md"
    if not path.exists():
        pytest.skip("the docs are not here")
    page = path.read_text(encoding="utf-8")
    ranks = [sorted(VALUES, key=lambda system: VALUES[system][column]) for column in range(4)]
    assert ranks[0] == ranks[1] == ranks[2] == ranks[3]
    for system, figures in VALUES.items():
        cells = [f"{f1:.3f} ({low:.3f} – {high:.3f})".replace("0.", ".") for f1, low, high in figures]
        assert f"| {system} | {' | '.join(cells)} |" in page


OPERATIONS = ("substitution", "addition", "deletion")
ERRORS: dict[str, tuple[tuple[float, float, float], tuple[int, int, int], tuple[int, ...]]] = {
    "claude": ((0.902, 0.853, 0.936), (301, 134, 118), (36, 14, 12, 24, 243, 134, 90)),
    "docupipe_high": ((0.949, 0.907, 0.973), (191, 25, 34), (69, 15, 0, 7, 112, 22, 25)),
    "docupipe_standard": ((0.945, 0.916, 0.964), (167, 19, 132), (48, 16, 8, 28, 102, 14, 102)),
    "extend": ((0.917, 0.873, 0.947), (266, 28, 172), (50, 15, 8, 40, 200, 24, 129)),
    "gemini": ((0.921, 0.862, 0.956), (276, 50, 91), (72, 8, 0, 11, 196, 50, 80)),
    "gpt": ((0.906, 0.863, 0.936), (340, 35, 114), (66, 26, 9, 18, 246, 30, 94)),
}
"""Of each system KIEval's entity F1 with its 95 % interval, the number of errors of each operation, and of each kind."""


@pytest.mark.parametrize("system", ERRORS)
def test_operations_and_kinds(system: str, data: Path) -> None:
    predicted, expected = zip(*docubench_pairs(data, system), strict=True)
    f1, operations, kinds = ERRORS[system]
    results = corpus.evaluate(kieval, predicted, expected, confidence_level=0.95)
    assert tuple(round(each, 3) for each in (results["entity_f1"], *results["entity_f1_interval"])) == f1
    assert tuple(results[f"{operation}s"] for operation in OPERATIONS) == operations
    rows = list(corpus.errors(predicted, expected))
    assert tuple(sum(row.operation == operation for row in rows) for operation in OPERATIONS) == operations
    assert tuple(sum(row.kind == kind for row in rows) for kind in KINDS[:-1]) == kinds  # "place" is asked for
    assert sum(kinds) == sum(operations) == results["corrections"]


def test_what_the_docs_say_of_these_errors(data: Path) -> None:
    page = (ROOT / "docs" / "real-documents.md").read_text(encoding="utf-8") if (ROOT / "docs").exists() else ""
    if not page:
        pytest.skip("the docs are not here")
    for system, (f1, operations, kinds) in ERRORS.items():
        cell = "{:.3f} ({:.3f} – {:.3f})".format(*f1).replace("0.", ".")
        cells = [cell, sum(operations), *operations]
        assert f"| {system} | {' | '.join(map(str, cells))} |" in page
        assert f"| {system} | {' | '.join(map(str, kinds))} |" in page
    shares, routes, forms = [], {}, 0
    for system in ERRORS:
        predicted, expected = zip(*docubench_pairs(data, system), strict=True)
        rows = list(corpus.errors(predicted, expected))
        by_document = Counter(row.document for row in rows)
        shares.append(sum(number for _, number in by_document.most_common(5)) / len(rows))
        of_form = [row.entity_type for row in rows if row.kind == "format"]
        routes[system] = of_form.count("tripRows.route")
        forms += len(of_form)
    assert f"between {min(shares):.0%} and {max(shares):.0%} of".replace("%", " %") in page
    assert f"{sum(routes.values())} of the {forms} errors of format" in page
    assert {system for system, number in routes.items() if number} == ERRORS.keys() - {"claude"}
