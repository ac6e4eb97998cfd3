"""Small inputs that take long: seconds of the processor and memory of each, beside what they took before.

    python benchmarks/hard_inputs.py                   all inputs
    python benchmarks/hard_inputs.py nted "5,000"      those whose family or name contains one of these
    python benchmarks/hard_inputs.py --markdown        the tables of docs/speed.md

The inputs are those of hard.toml. Each is counted in a process of its own,
which is ended after `--limit` seconds; what is done quickly is done again, and the best time counts. Memory is what
counting adds to the peak of that process.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import hard_makers

from docie.core import family

FOLDER = Path(__file__).parent
QUICK = 1.0  # seconds in which what is quick is done again
Figures = dict[str, float]
COLUMNS = ("kB", "seconds", "MB")


class Work(NamedTuple):
    """What is measured, the size of one document in kB, and the number of documents."""

    call: Callable[[], object]
    kilobytes: float
    documents: int = 1


class Case(NamedTuple):
    """An input: its name, the family that counts it or the part that reads it, and what it took before.

    Attributes:
        make: the expression that makes it, of the functions of hard_makers.py: prediction and reference, or a list of
            pairs, of which figures are those of a mean pair.
        call: that of the function of what is made; "" for counting.
    """

    name: str
    family: str
    make: str
    before: str = ""
    options: Mapping[str, Any] = {}
    call: str = ""

    def made(self) -> Any:
        return eval(self.make, vars(hard_makers))

    def prepare(self) -> Work:
        made = self.made()
        if self.call:
            function = eval(self.call, vars(hard_makers))
            return Work(lambda: function(made), _kilobytes(made))
        pairs = made if isinstance(made, list) else [made]
        metric = family.get(self.family)
        settings = family.settings_of(metric, self.options)
        return Work(
            lambda: [metric.count(prediction, reference, settings) for prediction, reference in pairs],
            sum(_kilobytes(reference) for _, reference in pairs) / len(pairs),
            len(pairs),
        )


def _kilobytes(value: object) -> float:
    return len(json.dumps(value, default=str, ensure_ascii=False).encode()) / 1000


def all_cases() -> list[Case]:
    """The cases of the table."""
    table = tomllib.loads((FOLDER / "hard.toml").read_text(encoding="utf-8"))
    found = []
    for part, entries in table.items():
        for name, entry in entries.items():
            short = [entry] if isinstance(entry, str) else entry
            found.append(Case(name, part, **short) if isinstance(short, dict) else Case(name, part, *short))
    return found


def measure(case: Case) -> Figures:
    """The figures of a case, in this process."""
    from run import peak_memory

    work = case.prepare()
    before, times = peak_memory(), list[float]()
    while sum(times) < QUICK:
        start = time.process_time()
        work.call()
        times.append(time.process_time() - start)
    seconds, megabytes = min(times) / work.documents, peak_memory() - before
    return dict(zip(COLUMNS, (work.kilobytes, seconds, megabytes), strict=True))


def measure_in_own_process(number: int, limit: float) -> Figures | None:
    """The figures of a case; None if it takes longer than `limit` seconds."""
    command = [sys.executable, __file__, "--measure", str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    result: Figures = json.loads(done.stdout)
    return result


def cells(figures: Figures | None, limit: float) -> list[str]:
    """The figures as they are shown, in the order of `COLUMNS`."""
    if figures is None:
        return ["", f"> {limit:.0f}", ""]
    kilobytes, seconds, megabytes = figures.values()
    return [f"{kilobytes:,.1f}", _seconds(seconds), f"{megabytes:,.0f}"]


def _seconds(value: float) -> str:
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def markdown(rows: Iterable[list[str]]) -> Iterator[str]:
    """The lines of the page's table."""
    headings = ["family", "input", "before", *COLUMNS]
    yield f"| {' | '.join(headings)} |"
    yield f"| {' | '.join([':--'] * 2 + ['--:'] * (len(headings) - 2))} |"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def plain(rows: Iterable[list[str]]) -> Iterator[str]:
    """The lines of the table of the terminal."""
    for family_name, name, before, *figures in chain([["family", "input", "before", *COLUMNS]], rows):
        columns = "".join(f" {text:>10}" for text in figures)
        yield f"{family_name:<12} {name:<48} {before:<14}{columns}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="parts of families or names; all inputs without any")
    parser.add_argument("--limit", type=float, default=200, help="seconds after which an input is given up (200)")
    parser.add_argument("--markdown", action="store_true", help="print the table as the page has it")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    cases = all_cases()
    if arguments.measure is not None:
        print(json.dumps(measure(cases[arguments.measure])))
        return
    chosen = [
        (number, case)
        for number, case in enumerate(cases)
        if not arguments.words or any(word in f"{case.family} {case.name}" for word in arguments.words)
    ]
    rows = (
        [case.family, case.name, case.before, *cells(measure_in_own_process(number, arguments.limit), arguments.limit)]
        for number, case in chosen
    )
    for line in (markdown if arguments.markdown else plain)(rows):
        print(line, flush=True)


if __name__ == "__main__":
    main()
