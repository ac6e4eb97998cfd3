"""Small inputs that take long: seconds of the processor and memory of each, beside what `cost` foretells.

    python benchmarks/hard_inputs.py                   all inputs
    python benchmarks/hard_inputs.py nted "5,000"      those whose family or name contains one of these

The inputs are the `CASES` of all files `hard_inputs_<name>.py` in this folder. Each is counted in a process of its own,
which is ended after `--limit` seconds. Memory is what counting adds to the peak of that process.
"""

from __future__ import annotations

import argparse
import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from docie import family

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))


class Case(NamedTuple):
    """An input: a name that says what it is, the family that counts it, and what makes prediction and reference."""

    name: str
    family: str
    make: Callable[[], tuple[Any, Any]]
    options: Mapping[str, Any] = {}


def all_cases() -> list[Case]:
    """The cases of all files."""
    files = sorted(FOLDER.glob("hard_inputs_*.py"))
    return [case for file in files for case in importlib.import_module(file.stem).CASES]


def measure(number: int) -> dict[str, float]:
    """Size of the reference in kB, seconds and megabytes of counting a case, and the seconds foretold."""
    from run import peak_memory

    case = all_cases()[number]
    prediction, reference = case.make()
    metric = family.get(case.family)
    settings = family.settings_of(metric, case.options)
    foretold = metric.cost(prediction, reference, settings) if hasattr(metric, "cost") else float("nan")
    before, start = peak_memory(), time.process_time()
    metric.count(prediction, reference, settings)
    seconds = time.process_time() - start
    size = len(json.dumps(reference, default=str, ensure_ascii=False)) / 1000
    return {"kB": size, "seconds": seconds, "MB": peak_memory() - before, "foretold": foretold}


def measure_in_own_process(number: int, limit: float) -> dict[str, float] | None:
    """The result of `measure`; None if it takes longer than `limit` seconds."""
    command = [sys.executable, __file__, "--measure", str(number)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    result: dict[str, float] = json.loads(done.stdout)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="parts of families or names; all inputs without any")
    parser.add_argument("--limit", type=float, default=200, help="seconds after which an input is given up (200)")
    parser.add_argument("--measure", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure is not None:
        print(json.dumps(measure(arguments.measure)))
        return
    print(f"{'family':<12} {'input':<48} {'kB':>7} {'seconds':>9} {'foretold':>9} {'MB':>7}")
    for number, case in enumerate(all_cases()):
        if arguments.words and not any(word in f"{case.family} {case.name}" for word in arguments.words):
            continue
        result = measure_in_own_process(number, arguments.limit)
        figures = f"{'':>7} {f'> {arguments.limit:.0f}':>9}"
        if result:
            figures = "{kB:>7.1f} {seconds:>9.2f} {foretold:>9.2f} {MB:>7.0f}".format(**result)
        print(f"{case.family:<12} {case.name:<48} {figures}", flush=True)


if __name__ == "__main__":
    main()
