"""What comparisons and intervals take, on generated receipts: seconds of processor time.

python benchmarks/comparing.py [--documents 100000] [--shuffles 10000]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from generate import predict, receipts

from docie import corpus, kieval
from docie.comparison.pairwise import Pairwise
from docie.comparison.systems import Systems
from docie.corpus.method import Method


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """The processor time of some work, and its result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--shuffles", type=int, default=10_000)
    arguments = parser.parse_args()
    pairs = list(receipts(arguments.documents))
    references, dice = [reference for _, reference in pairs], random.Random(1)
    answers = {"one": [prediction for prediction, _ in pairs], "other": [predict(each, dice) for each in references]}
    method = Method(kieval, kieval.Settings())
    systems = Systems(method)

    def counted() -> None:
        for name, rows in answers.items():
            systems.add(name, method.pairs(rows, references))
        systems.close()

    print(f"{arguments.documents:,} receipts, two systems")
    print(f"counting both: {seconds(counted)[0]:.1f} s")
    took, pairwise = seconds(lambda: Pairwise(kieval, systems, 0.95, arguments.shuffles, 0))
    print(f"one matrix of all counts: {took:.1f} s")
    took, rows = seconds(lambda: pairwise.comparisons([("entity_f1", None)]))
    print(f"{arguments.shuffles:,} shuffles and the interval: {took:.1f} s (p = {rows[0]['p_value']:.4f})")
    print(f"which documents changed: {seconds(lambda: pairwise.add_changes(rows, ['entity_f1']))[0]:.1f} s")
    one = answers["one"]
    for title, work in {
        "a score": lambda: corpus.evaluate(kieval, one, references),
        "with intervals": lambda: corpus.evaluate(kieval, one, references, confidence_level=0.95),
        "with percentiles": lambda: corpus.evaluate(
            kieval, one, references, confidence_level=0.95, interval="percentile"
        ),
    }.items():
        print(f"{title}: {seconds(work)[0]:.1f} s")


if __name__ == "__main__":
    main()
