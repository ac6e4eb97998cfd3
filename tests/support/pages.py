"""The pages of the project, and what their examples print: console commands and Python examples.

    python tests/support/pages.py                  rewrite every shown output that a run does not print
    python tests/support/pages.py docs/errors.md   those of some pages
    python tests/support/pages.py --check          only name the pages that would change; exit code 1 if there are any
    python tests/support/pages.py --all            run commands again although no file changed that they read

Prose and commands are written by hand; outputs come from a run. A console block has one command. Commands of docie and
those that are named in `QUICK` run with bash in the checkout, but only after a change of a file that they imported or
read the last time (`build/pages.json` has these files). Other commands (installing, training) are not run. In an output
that was shortened by hand, a line `...` stands for any lines, and stays. Tables of scores and options are written from
the code (see `generated.py`), and so are the files that derive from the folders of the families (see `schemas.py`).
"""

from __future__ import annotations

import argparse
import difflib
import doctest
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import schemas
from checkout import ROOT
from generated import with_generated_parts

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "metrics").glob("*/README.md")),
]
KEPT = ROOT / "build" / "pages.json"
"""What commands printed, and the files that they read, by command."""
EXAMPLES = ("first_score", "two_systems", "llm_against_excel", "gate_in_ci", "skips_review", "faults")
"""The scripts of `examples` that take seconds."""
QUICK = (
    *("docie ", "PYTHONPATH=examples docie ", "cat ", "head "),
    *(f"python examples/{name}.py" for name in EXAMPLES),
)
"""How the commands begin that tests run."""
BLOCK = re.compile(r"```console\n\$ (.*)\n((?:(?!```).*\n)*?)```")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Command(NamedTuple):
    """A command of a page, the output shown under it, and the place of that output in the page's text."""

    page: Path
    command: str
    output: str
    start: int
    end: int


def commands(page: Path) -> list[Command]:
    """The quick commands of a page. What stands before `&&` is left out: it installs."""
    shown = [
        Command(page, match[1].rpartition("&& ")[2], match[2], *match.span(2))
        for match in BLOCK.finditer(page.read_text(encoding="utf-8"))
    ]
    return [command for command in shown if command.command.startswith(QUICK)]


def run(command: str, files: str | None = None) -> str:
    """What a command prints, errors and warnings included. Its exit code must be 0, 1 for findings of docie check, or 2 for bad input.

    Args:
        command: for bash, with `docie` and `python`.
        files: a file for the paths that the command reads, see `recorded.py`; None for no such file.
    """
    functions = 'docie() { "$PYTHON" $RECORDED -m docie "$@"; }; python() { "$PYTHON" $RECORDED "$@"; }; '
    path, recorded = os.environ.get("PATH", os.defpath), f"tests/support/recorded.py {files}" if files else ""
    environment = {"PATH": path, "PYTHON": sys.executable, "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["bash", "-c", functions + command],
        cwd=ROOT,
        env=environment | {"RECORDED": recorded},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode not in ((0, 1, 2) if "docie check " in command else (0, 2)) or "Traceback" in done.stdout:
        raise AssertionError(f"{command!r} ended with exit code {done.returncode}:\n{done.stdout}")
    return plain(done.stdout)


class Kept:
    """What commands printed the last time, as long as no file changed that they read."""

    def __init__(self, path: Path = KEPT) -> None:
        self._path = path
        self._runs = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def printed(self, command: str) -> str:
        """What a command prints; it runs only if it has to."""
        last = self._runs.get(command)
        if last is None or last["files"] != {file: _digest(file) for file in last["files"]}:
            with tempfile.TemporaryDirectory() as folder:
                files = Path(folder) / "files.txt"
                last = {"printed": run(command, str(files))}
                opened = files.read_text(encoding="utf-8").splitlines() if files.exists() else []
            self._runs[command] = last | {"files": {file: _digest(file) for file in opened}}
            self._path.parent.mkdir(exist_ok=True)
            self._path.write_text(json.dumps(self._runs), encoding="utf-8")
        return str(last["printed"])


def _digest(file: str) -> str:
    path = ROOT / file
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def plain(text: str) -> str:
    """A text without trailing blanks, which a terminal does not show."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def is_shown(output: str, printed: str) -> bool:
    """Whether a page shows what was printed; a line `...` stands for any lines.

    >>> is_shown("one\\n...\\nfour\\n", "one\\ntwo\\nthree\\nfour"), is_shown("one\\n", "one\\ntwo")
    (True, False)
    """
    parts = re.split(r"^\.\.\.$", plain(output), flags=re.MULTILINE)
    return re.fullmatch(".*".join(map(re.escape, parts)), plain(printed), re.DOTALL) is not None


def shortened_alike(output: str, printed: str) -> str:
    """What was printed, with a line `...` where the output that was shown before has one.

    Numbers may have changed: lines are the same if they are so but for digits. What stood before and after a `...` must
    be there still, or the lines are all kept.

    >>> shortened_alike("F1 0.5\\n...\\nend\\n", "F1 0.7\\na\\nb\\nend")
    'F1 0.7\\n...\\nend'
    """
    old, new = plain(output).splitlines(), printed.splitlines()
    masked = [[re.sub(r"[\d.–-]+", "0", line) if line != "..." else line for line in lines] for lines in (old, new)]
    blocks = difflib.SequenceMatcher(None, masked[0], masked[1], autojunk=False).get_matching_blocks()
    place_of = {block.a + step: block.b + step for block in blocks for step in range(block.size)}
    place_of |= {-1: -1, len(old): len(new)}
    for place in reversed([number for number, line in enumerate(old) if line == "..."]):
        if {place - 1, place + 1} <= {*place_of}:
            new[place_of[place - 1] + 1 : place_of[place + 1]] = ["..."]
    return "\n".join(new)


def with_commands_run(page: Path, kept: Kept) -> str:
    """The text of a page in which every command shows what it prints."""
    text = page.read_text(encoding="utf-8")
    for command in reversed(commands(page)):
        printed = kept.printed(command.command)
        if not is_shown(command.output, printed):
            shown = shortened_alike(command.output, printed)
            text = text[: command.start] + shown + "\n" + text[command.end :]
    return text


def refreshed(page: Path, kept: Kept) -> str:
    """The text of a page with what its commands and examples print, and what is written from the code."""
    return with_generated_parts(with_examples_run(with_commands_run(page, kept), str(page)), page)


def with_examples_run(text: str, name: str) -> str:
    """The text of a page in which every Python example shows what it prints."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    recorder = _Recorder(optionflags=FLAGS)
    recorder.run(test, out=lambda _: None, clear_globs=True)
    lines = text.splitlines(keepends=True)
    for example, printed in reversed(recorder.unequal):
        start = example.lineno + example.source.count("\n")
        end = start + example.want.count("\n")
        lines[start:end] = [" " * example.indent + line for line in printed.splitlines(keepends=True)]
    return "".join(lines)


class _Recorder(doctest.DocTestRunner):
    """Keeps what the examples print that do not print what is shown."""

    def __init__(self, **options: Any) -> None:
        super().__init__(verbose=False, **options)
        self.unequal: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: Any, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.unequal.append((example, got))

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        raise AssertionError(f"{test.name}, line {example.lineno + 1}: {example.source}") from exc_info[1]


def main() -> int:
    """Refresh the pages, or name those that are out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, help="some pages; all by default")
    parser.add_argument("--check", action="store_true", help="write nothing, and name what would change")
    parser.add_argument("--all", action="store_true", help="run all commands, whatever changed")
    arguments = parser.parse_args()
    asked = [path.resolve() for path in arguments.pages] or PAGES
    if unknown := {*asked} - {*PAGES}:
        parser.error(f"no page of the project: {', '.join(map(str, sorted(unknown)))}")
    sys.path.insert(0, str(ROOT / "examples"))  # as for pytest
    os.chdir(ROOT)
    if arguments.all:
        KEPT.unlink(missing_ok=True)
    changed, kept = [], Kept()
    texts = {} if arguments.pages else schemas.files()
    for path in (*texts, *asked):
        text = texts[path] if path in texts else refreshed(path, kept)
        if not path.exists() or text != path.read_text(encoding="utf-8"):
            changed.append(path)
            if not arguments.check:
                path.write_text(text, encoding="utf-8")
    for path in changed:
        print(path.relative_to(ROOT))
    return 1 if changed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
