"""The picture of the README that shows where docie plugs in: its lines of code name what there is."""

from __future__ import annotations

import ast
import shlex
import sys
from pathlib import Path

import pytest
from typer import testing

from docie.cli.app import app

from checkout import ROOT, skip_module_without

skip_module_without("docs", "README.md")
sys.path.insert(0, str(ROOT / "docs"))

from make_places_picture import CODE, EDGE, PICTURE, PLACES, WIDTH, Place, draw  # noqa: E402

SOURCES = {"adapters": ROOT / "adapters", "show": ROOT / "src" / "docie" / "show"}
ALL = [place for places in PLACES.values() for place in places]
OURS = [place for place in ALL if place.module]


def exported(module: str) -> set[str]:
    """The names in `__all__` of a module, or the functions and classes that it defines, without importing it."""
    room, *rest = module.split(".")
    path = SOURCES[room].joinpath(*rest)
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    names = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            names.add(node.name)
    return names


def used(code: str) -> set[str]:
    """The names in a line of code, attributes too."""
    nodes = [*ast.walk(ast.parse(code))]
    return {node.id for node in nodes if isinstance(node, ast.Name)} | {
        node.attr for node in nodes if isinstance(node, ast.Attribute)
    }


def test_the_picture_is_what_its_script_draws(tmp_path: Path) -> None:
    draw(tmp_path / "places.svg")
    assert PICTURE.read_bytes() == (tmp_path / "places.svg").read_bytes()


@pytest.mark.parametrize("place", OURS, ids=[place.tool for place in OURS])
def test_a_line_of_code_calls_what_there_is(place: Place) -> None:
    assert used(place.code) & exported(place.module)


def test_a_command_has_the_options_of_its_line() -> None:
    [place] = [place for place in ALL if not place.module]
    program, command, *arguments = shlex.split(place.code)
    assert program == "docie"
    shown = testing.CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).stdout
    assert [each for each in arguments if each.startswith("--") and each not in shown] == []


def test_lines_fit_into_the_picture() -> None:
    assert max(len(place.code) for place in ALL) * 8.2 < WIDTH - EDGE - CODE + 8  # 13 pixels, in a wide monospaced font
