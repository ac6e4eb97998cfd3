"""Speed and memory of every family, beside the textbook and the unavoidable kernel.

    python benchmarks/run.py                     the table
    python benchmarks/run.py --stream 1000000    a corpus of that size, streamed: time and peak memory

Every measurement runs in a process of its own: time is the best of several runs, memory is the process's peak.
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

sys.path.insert(0, str(Path(__file__).parent))

FAMILIES = ("kieval",)


def measure(family: str, name: str, documents: int, repeats: int) -> dict[str, float]:
    """Best time in seconds and peak memory in MB of one measurement, in this process."""
    _, prepare = importlib.import_module(f"{family}_rows").measurements(documents)[name]
    work = prepare()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return {"seconds": min(seconds), "megabytes": peak()}


def peak() -> float:
    """Peak resident memory of this process so far, in MB."""
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e6


def in_its_own_process(*arguments: str) -> dict[str, float]:
    """What this script prints when it is called with these arguments."""
    done = subprocess.run([sys.executable, __file__, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def table(documents: int, repeats: int) -> None:
    """Print one row a measurement; the ratios are to the row's textbook loop and kernel."""
    from rich.console import Console
    from rich.table import Table

    for family in FAMILIES:
        rows = importlib.import_module(f"{family}_rows").measurements(documents)
        results = {name: in_its_own_process("--measure", family, name, str(documents), str(repeats)) for name in rows}
        view = Table(title=f"{family}: {documents:,} receipts, then single documents by number of groups")
        for heading in ("measurement", "ms a document", "documents/s", "peak MB", "× textbook", "of kernel"):
            view.add_column(heading, justify="left" if heading == "measurement" else "right")
        for name, result in results.items():
            size = rows[name][0]
            of = f", {name.rpartition(', ')[2]}" if name.endswith("groups") else ""
            textbook, kernel = (results[other + of]["seconds"] for other in ("textbook loop", "kernel"))
            view.add_row(
                name,
                f"{1000 * result['seconds'] / size:.3f}",
                f"{size / result['seconds']:,.0f}",
                f"{result['megabytes']:.0f}",
                f"{textbook / result['seconds']:.1f}",
                f"{result['seconds'] / kernel:.1f}",
            )
        Console().print(view)


def stream(documents: int) -> dict[str, float]:
    """Score a corpus that is never in memory as a whole."""
    import generate

    from docie import corpus, kieval

    before, start = peak(), time.perf_counter()
    left, right = itertools.tee(generate.receipts(documents))
    result = corpus.evaluate(kieval, (prediction for prediction, _ in left), (reference for _, reference in right))
    seconds = time.perf_counter() - start
    return {"documents": result["documents"], "seconds": seconds, "MB before": before, "MB peak": peak()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000, help="receipts in the corpus (10,000)")
    parser.add_argument("--repeats", type=int, default=5, help="runs, of which the best counts (5)")
    parser.add_argument("--stream", type=int, metavar="N", help="stream N generated receipts instead")
    parser.add_argument("--measure", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        family, name, documents, repeats = arguments.measure
        print(json.dumps(measure(family, name, int(documents), int(repeats))))
    elif arguments.stream:
        print(json.dumps(stream(arguments.stream), indent=2))
    else:
        table(arguments.documents, arguments.repeats)


if __name__ == "__main__":
    main()
