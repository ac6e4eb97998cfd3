"""Who may import whom: one order of floors; Spaces import packages of adapters and of other Spaces, not files inside of them."""

from __future__ import annotations

import ast
import importlib
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

import pytest

import docie

from checkout import ROOT, skip_module_without

skip_module_without("src", "metrics", "adapters", "spaces")

# A room is a folder or a module of src/docie, or metrics. It may import the rooms of the floors below.
FLOORS = [
    {"_version"},
    {"core"},
    {"documents"},
    {"inputs"},
    {"metrics"},
    {"corpus", "confidence", "diagnosis", "comparison", "module", "hub", "protocols"},
    {"show"},
    {"questions"},
    {"robustness"},
    {"cli"},
    {"__main__"},
]
UPPER = {  # what the rooms of the upper floors may import, where not all that is below them
    "metrics": {"core", "documents"},
    "corpus": {"core", "documents", "inputs"},
    "confidence": {"core", "documents", "inputs", "metrics", "corpus"},
    "diagnosis": {"core", "documents", "inputs", "metrics", "corpus"},
    "comparison": {"core", "documents", "inputs", "metrics", "corpus", "diagnosis"},
    "protocols": {"core", "documents", "inputs", "metrics"},
    "module": {"core", "documents", "inputs", "corpus"},
    "hub": {"core", "documents", "inputs", "corpus"},
}
LAZY = {("inputs", "adapters")}
"""Rows that hold answers or records are read by adapters."""
TABLES = {"src/docie/__init__.py", "src/docie/corpus/__init__.py", "metrics/kieval/__init__.py"}
"""Packages with tables of names from rooms above them; what they import for type checkers says the same again."""
ADAPTERS = [
    {"grouping", "parsed", "thoughts"},
    {"bio", "token_scores"},
    {"donut", "llm", "records", "tokens"},
    {"exports", "services"},
    {"tables"},
    {"row_reading"},
    {"row_scores"},
    {"training", "harnesses"},
]
SPACES = [{"common"}, {"explorer", "form_robustness"}]
WITH_GRADIO = {"app", "page"}  # modules and folders of the Spaces that may import gradio: workers start without it
BESIDE = (
    "adapters",
    "spaces",
)  # folders beside the package, whose rooms the command line, and of the adapters questions and robustness, may import
OPEN = {"core", "documents", "metrics", "questions", "robustness", "show"}  # rooms whose packages others may import
BELOW_ADAPTERS = {"core", "documents"}
WITH_SCORES = {"row_reading", "row_scores", "training", "harnesses"}  # adapters that may compute scores
BELOW_SCORES = {*BELOW_ADAPTERS, "corpus", "diagnosis", "inputs", "show"}

STANDARD = {*sys.stdlib_module_names}
NUMERIC = {"numpy", "rapidfuzz", "scipy"}
PACKAGES = {  # what else a room may import
    "core": NUMERIC | {"evaluate", "yaml"},
    "robustness": NUMERIC | {"PIL", "faker", "rich"},
    "corpus": NUMERIC | {"distributed", "rich"},
    "module": {"datasets", "evaluate"},
    "inputs": NUMERIC | {"datasets", "fsspec", "openpyxl", "pyarrow"},
    "hub": {"huggingface_hub", "packaging"},
    "show": NUMERIC | {"matplotlib", "openpyxl", "rich"},
    "cli": {"typer"},
    "adapters": {"numpy"},
    "harnesses": {
        "inspect_ai",
        "langfuse",
        "mlflow",
        "phoenix",
        "pydantic_evals",
    },  # the module of a harness imports it
    "spaces": {"jinja2"},
}


class Import(NamedTuple):
    """An import in a file: both as dotted names, such as "docie.documents.tree"."""

    importer: str
    imported: str
    line: int
    is_for_types: bool


@cache
def all_imports() -> list[Import]:
    """All imports in the package and in the folders beside it."""
    return [
        each
        for folder in ("src/docie", "metrics", "adapters", "spaces")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for each in imports_in(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def imports_in(file: str, source: str) -> Iterator[Import]:
    """All imports in a file of the checkout, with this source; of those for type checkers only docie's own."""
    parts = ("docie/" + file.removeprefix("src/docie/").removesuffix(".py")).split("/")
    for node, is_for_types in walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name in names_in(node, parts):
                if not is_for_types or (name.startswith("docie") and file not in TABLES):
                    yield Import(".".join(parts), name, node.lineno, is_for_types)


def names_in(node: ast.Import | ast.ImportFrom, parts: list[str]) -> Iterator[str]:
    """The modules that a statement imports in a module, whose name has these parts."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = ".".join(parts[: -node.level]) + "." if node.level else ""
    module = (base + (node.module or "")).rstrip(".")
    for alias in node.names:
        is_module = any((ROOT / place).exists() for place in places(f"{module}.{alias.name}"))
        yield f"{module}.{alias.name}" if is_module else module


def walk(tree: ast.AST, *, is_for_types: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes of a tree, and whether they are for type checkers only."""
    for node in ast.iter_child_nodes(tree):
        is_block = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        yield node, is_for_types or is_block
        yield from walk(node, is_for_types=is_for_types or is_block)


def places(module: str) -> list[str]:
    """Where the file of a module may be."""
    name = module.replace(".", "/")
    is_mapped = name.startswith(("docie/metrics", "docie/adapters", "docie/spaces"))
    folder = name.removeprefix("docie/") if is_mapped else f"src/{name}"
    return [f"{folder}.py", f"{folder}/__init__.py"]


def floor_of(room: str, floors: list[set[str]]) -> int:
    """The number of a room's floor, -1 if it has none."""
    return next((number for number, rooms in enumerate(floors) if room in rooms), -1)


def unit_of(module: list[str]) -> list[str]:
    """What a module belongs to: a room, or in an open room one of its packages (in core also one of its modules)."""
    inner = ".".join(module[:3])
    is_inner = len(module) > 2 and module[1] in OPEN and any((ROOT / place).exists() for place in places(inner)[1:])
    is_inner = is_inner or (len(module) > 2 and module[1] == "core")
    return module[: 3 if is_inner else 2]


def problem_of(statement: Import) -> str | None:
    """What is wrong with an import."""
    importer, imported = statement.importer.split("."), statement.imported.split(".")
    if importer[:2] == ["docie", "spaces"]:
        return problem_in_spaces(importer, imported)
    if importer[:2] == ["docie", "adapters"]:
        return problem_in_adapters(importer, imported)
    room = importer[1]
    if room == "__init__":
        return None if imported[0] in {"docie", *STANDARD} else "the package imports its own rooms only"
    if imported[0] != "docie":
        packages = STANDARD | PACKAGES.get(room, NUMERIC)
        return None if imported[0] in packages else f"{room} may not import this package"
    source = imported[1] if len(imported) > 1 else "__init__"
    own, other = unit_of(importer), unit_of(imported)
    if room == source == "metrics" and own != other:
        return f"{own[-1]} may not import {other[-1]}, another family"
    if importer[1:] == ["show", "section"] and imported[1:3] == ["show", "page"]:
        return "section may not import page, which shows sections"
    if room != source and not may_import(importer, room, source):
        return f"{room} may not import {source}, which is not below it"
    return None


def may_import(importer: list[str], room: str, source: str) -> bool:
    """Whether a room may import another one."""
    is_module_of_evaluate = room == "metrics" and importer[-1] == importer[-2]
    return (
        (room == "cli" and source in {*BESIDE, "__init__"})
        or (room in {"questions", "robustness"} and source == "adapters")
        or (room, source) in LAZY
        or (is_module_of_evaluate and source == "module")
        or source == "_version"
        or (source in UPPER[room] if room in UPPER else floor_of(room, FLOORS) > floor_of(source, FLOORS) >= 0)
    )


def problem_in_adapters(importer: list[str], imported: list[str]) -> str | None:
    """What is wrong with an import in an adapter."""
    room, source = importer[2], imported[1] if len(imported) > 1 else "__init__"
    if imported[0] != "docie":
        packages = STANDARD | PACKAGES["harnesses" if room == "harnesses" else "adapters"]
        return None if imported[0] in packages else f"{room} may not import this package"
    if source != "adapters":
        is_allowed = source in (BELOW_SCORES if room in WITH_SCORES else BELOW_ADAPTERS)
    else:
        source = imported[2]
        is_allowed = room == source or floor_of(room, ADAPTERS) > floor_of(source, ADAPTERS) >= 0
    return None if is_allowed else f"{room} may not import {source}, which is not below it"


def problem_in_spaces(importer: list[str], imported: list[str]) -> str | None:
    """What is wrong with an import in a Space. The modules of the common room are there to be imported."""
    room = importer[2]
    if imported[0] != "docie":
        packages = STANDARD | PACKAGES["spaces"] | ({"gradio"} if WITH_GRADIO & {*importer} else set())
        return None if imported[0] in packages else f"{room}.{importer[-1]} may not import this package"
    if imported[:2] == ["docie", "spaces"]:
        source, depth = imported[2], 4 if imported[2] == "common" else 3
        upper, lower = floor_of(room, SPACES), floor_of(source, SPACES)
        if room != source and not (upper > lower or upper == lower == 0):
            return f"{room} may not import {source}, which is not below it"
    else:
        source, depth = imported[1], 3 if imported[1] == "adapters" else len(imported)
        if source == "cli":
            return f"{room} may not import cli"
    return (
        f"{room} reaches into {source}: import it from the package"
        if room != source and len(imported) > depth
        else None
    )


def problems(imports: Iterable[Import]) -> list[str]:
    """What is wrong with imports, a line each."""
    return [
        f"{statement.importer}:{statement.line}: {statement.imported}: {text}"
        for statement in imports
        if (text := problem_of(statement))
    ]


def test_every_room_stands_on_the_floors_below_it() -> None:
    assert problems(all_imports()) == []


def test_show_does_not_name_what_stands_on_it() -> None:
    """A text can be imported, too: `import_module("docie.robustness")`."""
    for path in (ROOT / "src/docie/show").rglob("*.*"):
        if path.suffix in {".py", ".j2"}:
            assert "docie.robustness" not in path.read_text(encoding="utf-8"), path


def private_names(file: str, source: str) -> Iterator[str]:
    """What a file uses of other files though its name begins with an underscore, a line each."""
    tree = ast.parse(source)
    own: set[str] = set()  # names that it imports from docie
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or str(node.module).startswith("docie")):
            own |= {alias.asname or alias.name for alias in node.names}
            yield from (f"{file}:{node.lineno}: {alias.name}" for alias in node.names if is_private(alias.name))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in own:
            yield from [f"{file}:{node.lineno}: {ast.unparse(node)}"] * is_private(node.attr)


def is_private(name: str) -> bool:
    """Whether a name is its file's own. Those of named tuples are not."""
    return name.startswith("_") and not name.startswith("__") and name not in dir(NamedTuple("Empty", []))


def test_no_file_uses_private_names_of_another() -> None:
    for folder in ("src/docie", "adapters", "spaces", "metrics"):
        for path in (ROOT / folder).rglob("*.py"):
            assert [*private_names(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    "line",
    [
        "from docie.metrics.kieval.metric import _parts",
        "from .reading import _Mark as Mark",
        "from docie.metrics.nted import metric\nmetric._parse",
    ],
)
def test_private_names_are_found(line: str) -> None:
    [found] = private_names(
        "metrics/hed/metric.py", f"import sys\nsys._getframe()\nself._own = row._asdict()\n{line}\n"
    )
    assert "._" in found or ": _" in found


def test_every_room_has_a_floor() -> None:
    for folder, floors in ((ROOT / "src" / "docie", FLOORS), (ROOT / "adapters", ADAPTERS), (ROOT / "spaces", SPACES)):
        rooms = {path.stem for path in folder.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
        assert rooms - {"__init__"} == set.union(*floors) - {"metrics"}


def test_there_is_no_circle() -> None:
    graph: dict[str, set[str]] = {}
    for statement in all_imports():
        if statement.imported.startswith("docie") and not statement.is_for_types:
            is_package = any((ROOT / place).exists() for place in places(statement.imported)[1:])
            imported = f"{statement.imported}.__init__" if is_package else statement.imported
            graph.setdefault(statement.importer, set()).add(imported)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"these import each other: {error.args[1]}")


@pytest.mark.parametrize(
    ("file", "line", "expected"),
    [
        ("src/docie/documents/leaves.py", "from docie.corpus import count", "documents may not import corpus"),
        ("metrics/hed/metric.py", "from docie.metrics import kieval", "hed may not import kieval"),
        ("src/docie/core/values/plain.py", "import docie.documents.tagging", "core may not import documents"),
        ("src/docie/core/errors.py", "import torch", "core may not import this package"),
        ("adapters/grouping/labelled_words.py", "from ..bio import decode", "grouping may not import bio"),
        ("adapters/bio.py", "from docie import corpus", "bio may not import corpus"),
        ("metrics/hed/metric.py", "import docie.module", "metrics may not import module"),
        ("src/docie/corpus/counting.py", "from docie.metrics import kieval", "corpus may not import metrics"),
        ("adapters/tokens/labels.py", "from ..training.scores import Scores", "tokens may not import training"),
        ("src/docie/show/plots/style.py", "from docie import robustness", "show may not import robustness"),
        (
            "src/docie/show/write.py",
            "if TYPE_CHECKING:\n    from docie.robustness.form import Page",
            "show may not import robustness",
        ),
        (
            "src/docie/show/page/page.py",
            "def late():\n    from docie.robustness import run",
            "show may not import robustness",
        ),
        (
            "src/docie/show/section.py",
            "if TYPE_CHECKING:\n    from docie.show.page.images import scan_of",
            "section may not import page",
        ),
        ("src/docie/show/section.py", "from docie.show import page", "section may not import page"),
        ("spaces/common/limits.py", "from ..explorer.app import demo", "common may not import explorer"),
        ("spaces/explorer/app.py", "from ..form_robustness.app import demo", "explorer may not import form_robustness"),
        ("spaces/explorer/app.py", "from ..common.page.components import Fields", "explorer reaches into common"),
        ("spaces/common/work.py", "import gradio", "common.work may not import this package"),
    ],
)
def test_what_is_not_allowed_is_found(file: str, line: str, expected: str) -> None:
    source = (ROOT / file).read_text(encoding="utf-8")
    [problem] = problems(imports_in(file, f"{source}\n{line}\n"))
    assert expected in problem


def test_adapters_import_each_other_relatively() -> None:
    """As the Spaces do: one way to write such imports."""
    for path in (ROOT / "adapters").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.ImportFrom) and str(node.module).startswith("docie.adapters")), path


@pytest.mark.parametrize("folder", ["src", "metrics", "adapters", "spaces"])
def test_no_folder_is_too_full(folder: str) -> None:
    for place in [ROOT / folder, *(ROOT / folder).rglob("*/")]:
        modules = [path.name for path in place.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= 12, f"{place}: {modules}"


def test_packages_re_export_names_and_do_nothing_else() -> None:
    folders = ("src", "metrics", "adapters", "spaces")
    packages = {path for folder in folders for path in (ROOT / folder).rglob("__init__.py")}
    for path in packages - {ROOT / file for file in TABLES}:
        docstring, *statements = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr), path
        for statement in statements:
            is_names = isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__"
            assert is_names or isinstance(statement, ast.ImportFrom), f"{path}:{statement.lineno}"


def test_type_checkers_see_every_public_name() -> None:
    """What `__getattr__` finds has no type: each name is imported in the block for type checkers, too."""
    tree = ast.parse((ROOT / "src/docie/__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert {alias.asname for node in imports for alias in node.names if alias.asname} == {*docie.__all__}


@pytest.mark.parametrize("family", docie.families())
def test_the_evaluate_modules(family: str) -> None:
    path = ROOT / "metrics" / family / f"{family}.py"
    # evaluate's loader reads imports line by line, and takes the first metric class it finds; the comments tell it what
    # to say where docie is missing
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(("import", "from"))]
    comment = "  # From: .  # in the checkout of docie, the folder above metrics"
    assert lines == [f"import docie.{name}{comment}" for name in (f"metrics.{family}", "module")]


@pytest.mark.parametrize("family", docie.families())
def test_every_family_keeps_the_protocol(family: str) -> None:
    module = importlib.import_module(f"docie.metrics.{family}")
    assert {"INPUTS", "NAME", "SCORES", "Settings", "breakdown", "count", "score"} <= set(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)


def test_what_answers_at_once_imports_nothing_large() -> None:
    commands = ["families", "--version", "--help", "space build --help"]
    commands += [f"{name} --help" for name in ("score", "errors", "compare", "threshold", "attack", "demo")]
    large = {"numpy", "scipy", "rapidfuzz", "datasets", "evaluate", "openpyxl", "gradio", "huggingface_hub"}
    assert not large & _imported_by(*commands)


def test_few_documents_are_scored_without_scipy() -> None:
    receipts = ROOT / "examples/receipts"
    files = [str(receipts / name) for name in ("references.jsonl", "predictions-careful.jsonl")]
    assert not {"scipy", "pandas", "datasets", "evaluate"} & _imported_by(shlex.join(["score", *files]))


def test_families_load_without_scipy() -> None:
    code = """
import importlib, sys, docie
for name in docie.families():
    family = importlib.import_module(f"docie.metrics.{name}")
    family.count, family.explain
print("scipy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def _imported_by(*commands: str) -> set[str]:
    """The modules that a process has imported in which these commands have run, one after the other."""
    script = """
import shlex, sys
from docie.cli import main
for command in sys.argv[1:]:
    sys.argv[1:] = shlex.split(command)
    try:
        main()
    except SystemExit as end:
        assert not end.code, command
print(*sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", script, *commands], capture_output=True, text=True, check=True)
    assert done.stdout.lower().count("usage: ") == sum("--help" in command for command in commands)
    return {*done.stderr.splitlines()[-1].split()}
