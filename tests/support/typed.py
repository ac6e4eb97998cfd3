"""mypy on everything: the package as it is installed, tests, benchmarks, docs and examples.

    python tests/support/typed.py

`metrics`, `adapters` and `spaces` are installed into the package, but lie beside it, where mypy would take them for other
packages, and what is imported from them for `Any`. So it reads a copy in build/types; messages name the files of the checkout.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from checkout import ROOT

FOLDERS = {"docie": "src/docie", "docie/metrics": "metrics", "docie/adapters": "adapters", "docie/spaces": "spaces"}
"""Where what is installed comes from."""


def copy_package(folder: Path) -> None:
    """Copy the package into a folder as it is installed there."""
    shutil.rmtree(folder / "docie", ignore_errors=True)
    for target, source in FOLDERS.items():
        shutil.copytree(ROOT / source, folder / target, ignore=shutil.ignore_patterns("__pycache__"))


def in_the_checkout(output: str, folder: Path) -> str:
    """What mypy prints, with the names that files have in the checkout."""
    for target, source in reversed(FOLDERS.items()):
        output = re.sub(rf"^{re.escape(str(folder / target))}/", f"{source}/", output, flags=re.MULTILINE)
    return output


def main() -> int:
    """Copy the package, and run mypy with the options in pyproject.toml and those of the command line."""
    copy_package(ROOT / "build" / "types")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *sys.argv[1:]], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    print(in_the_checkout(done.stdout, Path("build/types")), end="")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
