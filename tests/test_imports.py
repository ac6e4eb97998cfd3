"""Who may import whom: leaves, families, corpus, the modules, the command line."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path

import pytest

import docie

ROOT = Path(__file__).resolve().parents[1]
STANDARD = set(sys.stdlib_module_names) | {"__future__"}
NUMERIC = {"numpy", "scipy", "rapidfuzz"}
FAMILIES = {f"docie.{family}" for family in docie.families()}
LEAVES = {
    "docie._version",
    "docie.boxes",
    "docie.jsontext",
    "docie.values",
    "docie.errors",
    "docie.document",
    "docie.fields",
    "docie.assignment",
    "docie.similarity_table",
    "docie.settings",
    "docie.text_similarity",
    "docie.tree_similarity",
    "docie.tree",
    "docie.tree_distance",
    "docie.normalizers",
    "docie.counts",
    "docie.matching",
    "docie.entity_lists",
    "docie.entity_alignment",
    "docie.automation",
    "docie.signature",
    "docie.inputs",
    "docie.pairs",
    "docie.tag_reader",
    "docie.tagged_text",
    "docie.tagging",
}
HIGHER = {  # what stands above the families, and what each may import of docie and of others
    "docie": ({"docie._version"}, {"evaluate"}),
    "docie.bootstrap": (LEAVES, NUMERIC),
    "docie.corpus": (LEAVES | {"docie.bootstrap"}, {"rich"}),
    "docie.module": (LEAVES | {"docie.corpus", "docie.bootstrap"}, {"evaluate", "datasets"}),
    "docie.reading": (LEAVES, set()),
    "docie.tables": (set(), {"rich"}),
    "docie.cli": (
        {"docie", "docie.corpus", "docie.errors", "docie.inputs", "docie.reading", "docie.tables"},
        {"typer"},
    ),
}


def imports(path: Path) -> set[str]:
    """The modules that a file imports; `from docie import x` counts as docie.x where that is a module."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for alias in node.names:
                inner = ROOT / "src" / "docie" / f"{alias.name}.py"
                found.add(f"docie.{alias.name}" if node.module == "docie" and inner.exists() else str(node.module))
    return found


def allowed(name: str) -> tuple[set[str], set[str]]:
    if name in FAMILIES:
        return LEAVES, NUMERIC
    if name in LEAVES:
        return LEAVES, NUMERIC
    return HIGHER[name]


@pytest.mark.parametrize("path", sorted((ROOT / "src" / "docie").rglob("*.py")), ids=lambda path: path.stem)
def test_the_package(path: Path) -> None:
    name = "docie" if path.stem == "__init__" else f"docie.{path.stem}"
    ours, others = allowed(name)
    for imported in imports(path):
        if imported.split(".")[0] == "docie":
            assert imported in ours, f"{name} must not import {imported}"
        else:
            top = imported.split(".")[0]
            assert top in STANDARD | others, f"{name} must not import {imported}"


@pytest.mark.parametrize("family", docie.families())
def test_the_evaluate_modules(family: str) -> None:
    path = ROOT / "metrics" / family / f"{family}.py"
    assert imports(path) == {f"docie.{family}", "docie.module"}
    # evaluate's loader reads imports line by line, and takes the first metric class it finds
    lines = [line for line in path.read_text().splitlines() if line.startswith(("import", "from"))]
    assert all(line.startswith("import ") and "#" not in line for line in lines)


@pytest.mark.parametrize("path", sorted((ROOT / "adapters").rglob("*.py")), ids=lambda path: path.stem)
def test_the_adapters(path: Path) -> None:
    scores = {"docie", "docie.corpus"} if path.stem == "training_scores" else set()
    for imported in imports(path):
        ours = imported in LEAVES | scores or imported.startswith("docie.adapters")
        assert ours or imported.split(".")[0] in STANDARD | {"numpy"}, f"{path.stem} must not import {imported}"


def test_every_family_keeps_the_protocol() -> None:
    for family in FAMILIES:
        module = importlib.import_module(family)
        assert {"INPUTS", "NAME", "Settings", "count", "score", "breakdown", "details"} <= set(module.__all__)
        assert all(hasattr(module, name) for name in module.__all__)
