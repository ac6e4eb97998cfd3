"""Speed and memory of every family, beside the textbook and the unavoidable kernel.

    python benchmarks/run.py                     the tables
    python benchmarks/run.py --family anls_star  one of them, or of the adapters donut, llm and tokens
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

FAMILIES = ("anls_star", "box_iou", "entity_f1", "hed", "kieval", "nted", "oi_entities", "text_match")
ADAPTERS = ("donut", "llm", "tokens")
SECONDS = 5  # after so much work, no further repeats


def measure(family: str, name: str, case: str, documents: int, repeats: int) -> dict[str, float]:
    """Best time in seconds and peak memory in MB of one measurement, in this process."""
    work = importlib.import_module(f"{family}_rows").measurements(documents)[name, case].prepare()
    seconds: list[float] = []
    while len(seconds) < repeats and sum(seconds) < SECONDS:
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


def table(family: str, documents: int, repeats: int) -> None:
    """Print one row a measurement; the ratios are to the reference and to the kernel on the same documents."""
    from rich.console import Console
    from rich.table import Table

    module = importlib.import_module(f"{family}_rows")
    rows = module.measurements(documents)
    results = {row: in_its_own_process("--measure", family, *row, str(documents), str(repeats)) for row in rows}
    view = Table(title=family)
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
    for (name, case), result in results.items():
        size = rows[name, case].documents
        reference, kernel = (results.get((other, case)) for other in (module.REFERENCE, "kernel"))
        view.add_row(
            case,
            name,
            f"{1000 * result['seconds'] / size:.3f}",
            f"{size / result['seconds']:,.0f}",
            f"{result['megabytes']:.0f}",
            f"{reference['seconds'] / result['seconds']:.1f}" if reference else "",
            f"{result['seconds'] / kernel['seconds']:.1f}" if kernel else "",
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
    parser.add_argument("--family", choices=FAMILIES + ADAPTERS, action="append", help="only this one; may be repeated")
    parser.add_argument("--documents", type=int, default=1_000, help="receipts in the corpus (1,000)")
    parser.add_argument("--repeats", type=int, default=5, help="runs, of which the best counts (5)")
    parser.add_argument("--stream", type=int, metavar="N", help="stream N generated receipts instead")
    parser.add_argument("--measure", nargs=5, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        family, name, case, documents, repeats = arguments.measure
        print(json.dumps(measure(family, name, case, int(documents), int(repeats))))
    elif arguments.stream:
        print(json.dumps(stream(arguments.stream), indent=2))
    else:
        for family in arguments.family or FAMILIES + ADAPTERS:
            table(family, arguments.documents, arguments.repeats)


if __name__ == "__main__":
    main()
