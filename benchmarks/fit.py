"""What `docie check` costs beside scoring.

    DOCIE_DATA=... python benchmarks/fit.py [DOCUMENTS]

Prints processor time in milliseconds: scoring, and the search of `docie check` without its scores, on documents that
fit and on documents whose answers name their groups otherwise.
With a number of documents, the time and the memory of one search among so many generated receipts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generate

from docie import corpus, kieval
from docie.inputs.fit.rows import SideRows
from docie.inputs.fit.search import fit
from docie.inputs.reading import Reading

ROUNDS = 5
Pairs = list[tuple[Any, Any]]


def best(work: Callable[[], object]) -> float:
    """The least processor time of some rounds, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def receipts(number: int) -> Pairs:
    """Generated receipts with answers."""
    return list(generate.receipts(number))


def docubench(system: str = "gemini") -> Pairs:
    """50 documents of 360 entity types."""
    folder = Path(os.environ["DOCIE_DATA"], "docubench")
    sides = []
    for side, name in (("prediction", f"predictions-{system}"), ("reference", "references")):
        rows = map(json.loads, (folder / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        sides.append({each["id"]: each[side] for each in rows})
    return [(sides[0][name], sides[1][name]) for name in sides[1]]


def renamed(pairs: Pairs) -> Pairs:
    """The same, with another name for every group of the answers."""
    return [({f"{k}_x" if isinstance(v, list) else k: v for k, v in one.items()}, other) for one, other in pairs]


def search(pairs: Pairs) -> object:
    """The search of `docie check`."""
    predictions, references = (SideRows.listed(side) for side in zip(*pairs, strict=True))
    return fit(predictions, references, Reading())


def row(name: str, pairs: Pairs) -> None:
    """Print the times of a corpus."""
    predictions, references = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        corpus.evaluate(kieval, predictions, references)
        scoring = best(lambda: corpus.evaluate(kieval, predictions, references))
    alone = best(lambda: search(pairs))
    print(f"{name:40} scoring {scoring:7.1f}  docie check {alone:7.1f}")


def main() -> None:
    """Print the table, or the time and the memory of one search."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="?", type=int)
    number = parser.parse_args().documents
    if number:
        pairs = renamed(receipts(number))
        start, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        search(pairs)
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        print(f"{number:,} receipts: {time.process_time() - start:.1f} s, {used // 1024} MB more than the rows")
        return
    for size in (50, 1000):
        pairs = receipts(size)
        row(f"{size:,} receipts", pairs)
        row(f"{size:,} receipts, groups renamed", renamed(pairs))
    if "DOCIE_DATA" in os.environ:
        row("DocuBench", docubench())
        row("DocuBench, groups renamed", renamed(docubench()))


if __name__ == "__main__":
    main()
