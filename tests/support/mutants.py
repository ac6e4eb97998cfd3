"""Mutation testing of the modules that compute, by hand: it takes hours, so CI does not run it.

    python tests/support/mutants.py                        # all of MODULES
    python tests/support/mutants.py src/docie/hed.py       # some files, as patterns

The tests run in a copy of the checkout, on its committed files. Needs `pip install mutmut`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = [
    *(
        f"src/docie/{name}/*"
        for name in ("anls_star", "box_iou", "form_robustness", "kieval", "matching", "nted", "oi_entities", "rules")
    ),
    *(f"src/docie/{name}.py" for name in ("counts", "entity_f1", "hed", "text_match")),
    "src/docie/documents/multisets.py",
    "src/docie/corpus/bootstrap.py",
]
"""The modules that compute figures."""
TESTS = ["tests/metrics", "tests/corpus/test_corpus.py", "tests/ground/test_counts.py", "tests/documents"]
OPTIONS = """

[tool.mutmut]
source_paths = ["src"]
only_mutate = {modules}
also_copy = ["metrics", "adapters", "spaces", "examples", "docs", "README.md", "setup.py", "pyproject.toml"]
pytest_add_cli_args = ["-p", "no:cacheprovider", "-q", "-x", "--hypothesis-seed=0"]
pytest_add_cli_args_test_selection = {tests}
"""
_RESULT = re.compile(r"^\s*(\S+): (survived|killed|timeout|no tests|suspicious|segfault|skipped)$", re.MULTILINE)


def copy_of_checkout(folder: Path, modules: list[str]) -> None:
    """Copy the committed files into a folder, with the options of mutmut."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in files.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(OPTIONS.format(modules=modules, tests=TESTS))


def mutmut(folder: Path, *arguments: str) -> str:
    """What a command of mutmut prints."""
    command = [sys.executable, "-m", "mutmut", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def summary(results: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each module: its mutants, and those that no test has killed.

    >>> summary([("docie.hed.x_f__mutmut_1", "killed"), ("docie.hed.x_f__mutmut_2", "survived")])
    ['docie.hed: 2 mutants, 1 survived (50.0 %)', 'all: 2 mutants, 1 survived (50.0 %)']
    """
    total, alive = Counter[str](), Counter[str]()
    for name, outcome in results:
        for place in (name.rpartition(".")[0], "all"):
            total[place] += 1
            alive[place] += outcome in ("survived", "no tests")
    places = [*sorted(total.keys() - {"all"}), "all"] if total else []
    return [
        f"{place}: {total[place]} mutants, {alive[place]} survived ({100 * alive[place] / total[place]:.1f} %)"
        for place in places
    ]


def main() -> None:
    """Run mutmut, and print what survived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=MODULES, help="patterns of files to change")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_checkout(folder, options.modules)
        subprocess.run(
            [sys.executable, "-m", "mutmut", "run", "--max-children", str(options.processes)], cwd=folder, check=False
        )
        results = _RESULT.findall(mutmut(folder, "results", "--all", "true"))
        for mutant, outcome in results:
            if outcome in ("survived", "no tests"):
                print(mutmut(folder, "show", mutant))
        print("\n".join(summary(results)))


if __name__ == "__main__":
    main()
