"""Run Python with the arguments that follow, and list the files of the checkout that it opened.

    python tests/support/recorded.py FILES.txt -m docie score REFERENCES PREDICTIONS

Each line of FILES.txt is a path in the checkout: a module that was imported, or a file that was read. What another Python
that it starts opens is not seen: this may be any file of the package and of the examples.
"""

from __future__ import annotations

import atexit
import runpy
import sys
from importlib.util import source_from_cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_opened: set[str] = set()


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and isinstance(arguments[0], str):
        _opened.add(arguments[0])
    elif event == "subprocess.Popen" and arguments[0] == sys.executable:
        folders = ("src", "metrics", "adapters", "examples")
        _opened.update(str(path) for folder in folders for path in (ROOT / folder).rglob("*.*"))


def _write(path: str) -> None:
    found = set()
    for opened in [*_opened]:
        file = Path(source_from_cache(opened) if opened.endswith(".pyc") else opened).resolve()
        if file.is_relative_to(ROOT) and file.is_file():
            found.add(str(file.relative_to(ROOT)))
    Path(path).write_text("".join(f"{each}\n" for each in sorted(found)), encoding="utf-8")


def main() -> None:
    """Take the place of `python`."""
    files, first, *rest = sys.argv[1:]
    atexit.register(_write, files)
    sys.addaudithook(_note)
    if first == "-m":
        sys.argv = [first, *rest[1:]]
        sys.path[0] = ""
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [first, *rest]
        sys.path[0] = str(Path(first).parent)
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    main()
