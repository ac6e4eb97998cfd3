"""Speed and memory of every family and adapter, beside a reference implementation and a kernel.

The kernel is the work that no implementation can avoid.

    python benchmarks/run.py                     all tables
    python benchmarks/run.py --family anls_star  the table of one family or adapter
    python benchmarks/run.py --stream 1000000    a corpus of that size, streamed: time and peak memory

Every measurement runs in a process of its own. Time is the best of several runs, memory is the peak of the process.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import docie

FOLDER = Path(__file__).parent
NAMES = sorted(
    (path.stem.removesuffix("_rows") for path in FOLDER.glob("*_rows.py")),
    key=lambda name: (name not in docie.families(), name),
)
"""What is measured, the names of all `<name>_rows.py`: families first, then adapters."""
SECONDS = 5  # no further repeats after this much work

sys.path.insert(0, str(FOLDER))


def measure(name: str, implementation: str, case: str, documents: int, repeats: int) -> dict[str, float]:
    """Best time in seconds and peak memory in MB of one measurement, in this process."""
    rows = importlib.import_module(f"{name}_rows").measurements(documents)
    work = rows[implementation, case].prepare()
    seconds: list[float] = []
    while len(seconds) < repeats and sum(seconds) < SECONDS:
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds), "megabytes": peak_memory()}


def peak_memory() -> float:
    """Peak resident memory of this process so far, in MB."""
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


def measure_in_own_process(*arguments: str) -> dict[str, float]:
    """The result of `measure` with these arguments, in a new process."""
    command = [sys.executable, __file__, "--measure", *arguments]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        sys.exit(process.stderr)
    result: dict[str, float] = json.loads(process.stdout)
    return result


def print_table(name: str, documents: int, repeats: int) -> None:
    """Print a row for each measurement. Its ratios are to the reference and to the kernel on the same documents."""
    from rich.console import Console
    from rich.table import Table

    module = importlib.import_module(f"{name}_rows")
    rows = module.measurements(documents)
    results = {row: measure_in_own_process(name, *row, str(documents), str(repeats)) for row in rows}
    view = Table(title=name)
    for heading in (
        "on",
        "measurement",
        "ms a document",
        "documents/s",
        "peak MB",
        f"× {module.REFERENCE}",
        "of kernel",
    ):
        view.add_column(heading, justify="left" if heading in ("on", "measurement") else "right")
    for (implementation, case), result in results.items():
        size = rows[implementation, case].documents
        reference, kernel = results.get((module.REFERENCE, case)), results.get(("kernel", case))
        view.add_row(
            case,
            implementation,
            f"{1000 * result['seconds'] / size:.3f}",
            f"{size / result['seconds']:,.0f}",
            f"{result['megabytes']:.0f}",
            f"{reference['seconds'] / result['seconds']:.1f}" if reference else "",
            f"{result['seconds'] / kernel['seconds']:.1f}" if kernel else "",
        )
    Console().print(view)


def stream(documents: int) -> dict[str, float]:
    """Time and memory of scoring a corpus that is never in memory as a whole."""
    import generate

    from docie import corpus, kieval

    before, start = peak_memory(), time.perf_counter()
    pairs, same_pairs = itertools.tee(generate.receipts(documents))
    predictions, references = (prediction for prediction, _ in pairs), (reference for _, reference in same_pairs)
    result = corpus.evaluate(kieval, predictions, references)
    seconds = time.perf_counter() - start
    return {"documents": result["documents"], "seconds": seconds, "MB before": before, "MB peak": peak_memory()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", choices=NAMES, action="append", help="only this one; may be repeated")
    parser.add_argument("--documents", type=int, default=1_000, help="receipts in the corpus (1,000)")
    parser.add_argument("--repeats", type=int, default=5, help="runs, of which the best counts (5)")
    parser.add_argument("--stream", type=int, metavar="N", help="stream N generated receipts instead")
    parser.add_argument("--measure", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        name, implementation, case, documents, repeats = arguments.measure
        print(json.dumps(measure(name, implementation, case, int(documents), int(repeats))))
    elif arguments.stream:
        print(json.dumps(stream(arguments.stream), indent=2))
    else:
        for name in arguments.family or NAMES:
            print_table(name, arguments.documents, arguments.repeats)


if __name__ == "__main__":
    main()
