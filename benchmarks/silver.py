"""What labels are worth with a silver reading, and how often both intervals cover.

    DOCIE_DATA=... python benchmarks/silver.py [--repetitions 1000] [--metric kieval] [--all] [--textbook]

Labelled documents and 400 others are drawn, with replacement, from documents whose true score is known: DocuBench and
CORD, read by two real systems, and generated receipts: 12 % of the values misread, against a second reading with 3 % or
12 % of its own, or one that repeats the errors of the first and adds 3 %. For each pair (the system that is scored, and
the one whose reading is silver): the share of intervals that hold the true score, of the plain one and of that which
stands; and what a label is worth: as is said, in the median, and by the mean squared errors of both scores. Draws
without any error have no interval, and are not counted. The test of random labels is made in the first 100 draws.
`--textbook` is PPI++ without what docie adds to its interval.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from generate import predict, receipt
from populations import MADE, Population, population
from scipy.sparse import csr_matrix

from docie import tables
from docie.core.family import get
from docie.core.scores import headline_of, score_of
from docie.corpus.intervals import jackknife_interval
from docie.corpus.silver.few_labels import FewLabels
from docie.corpus.silver.powered import ALARM, LEAST_WORTH

from json_lines import read_lines
from real_documents import SYSTEMS, Pairs, cord_pairs, docubench_pairs

SIZES, OTHERS, LEVEL, TESTED = (20, 50, 100), 400, 0.95, 100
CHOSEN = (
    ("claude", "docupipe_high"),
    ("claude", "gemini"),
    ("gpt", "docupipe_standard"),
    ("gemini", "claude"),
    ("docupipe_high", "gpt"),
)
"""Pairs of DocuBench's systems: the one that is scored, and the one whose reading is silver."""


class Cell:
    """What was found in corpora of one size."""

    def __init__(self) -> None:
        self.plain = self.stands = 0
        self.alarms, self.worth = list[bool](), list[float]()
        self.errors, self.plain_errors = list[float](), list[float]()

    def percent(self, number: int) -> float:
        """A number of draws in percent of all."""
        return 100 * number / len(self.worth)

    def row(self) -> list[str]:
        """The coverage of both intervals in percent; what a label is worth: as is said, and as it was."""
        true = np.mean(self.plain_errors) / np.mean(self.errors)
        covered = f"{self.percent(self.plain):.1f} / {self.percent(self.stands):.1f}"
        return [covered, f"{np.median(self.worth):.2f} / {true:.2f}"]


def simulate(people: Population, name: str, family: Any, size: int, repetitions: int, *, is_textbook: bool) -> Cell:
    """Draw corpora with so many labels, and note whether intervals cover."""
    cell, dice, kind = Cell(), np.random.default_rng(size), score_of(family, name).kind
    truth = float(people.scores(people.one.sum(0, keepdims=True))[name][0])
    labels, silver = csr_matrix(people.one), csr_matrix(people.other)
    for _ in range(repetitions):
        drawn, others = dice.integers(0, len(people.one), size), dice.integers(0, len(people.one), OTHERS)
        few = FewLabels(people.scores, name, labels[drawn], silver[drawn], silver[others])
        alone = few.spread((0.0, 0.0))
        plain = jackknife_interval(alone, LEVEL, kind)
        if plain is None:
            continue
        weights = few.weights()
        value, interval, worth = few.estimate(weights, LEVEL, kind)
        if is_textbook and interval is not None:
            interval = jackknife_interval(few.spread(weights, widened=False), LEVEL, kind)
        if interval is None or (worth < LEAST_WORTH * size and not is_textbook):
            value, interval, worth = alone.value, plain, float(size)
        if len(cell.worth) < TESTED and (p := few.p()) is not None:
            cell.alarms.append(p <= ALARM)
        cell.plain += plain[0] <= truth <= plain[1]
        cell.stands += interval[0] <= truth <= interval[1]
        cell.worth.append(worth / size)
        cell.errors.append((value - truth) ** 2)
        cell.plain_errors.append((alone.value - truth) ** 2)
    return cell


def pairs_of_systems(data: Path, *, is_all: bool) -> Iterator[tuple[str, Pairs, Pairs]]:
    """Names, the predictions with their references, and with the silver readings in their place."""
    for system, second in permutations(SYSTEMS, 2) if is_all else CHOSEN:
        yield f"DocuBench: {system} by {second}", *_by(docubench_pairs(data, system), docubench_pairs(data, second))
    names = {"references": "references", "qwen": "predictions-qwen2-vl-72b", "layoutlm": "predictions-layoutlm-words"}
    cord = {name: list(read_lines(data / "cord-test" / f"{file}.jsonl")) for name, file in names.items()}
    for system, second in permutations(("layoutlm", "qwen")):
        yield f"CORD: {system} by {second}", *_by(cord_pairs(cord, system), cord_pairs(cord, second))
    dice = random.Random(0)
    references = [receipt(dice) for _ in range(MADE)]
    first = [predict(reference, dice) for reference in references]
    made = {
        "a good one": [predict(reference, dice, 0.03) for reference in references],
        "one as good": [predict(reference, dice) for reference in references],
        "one that repeats errors": [predict(prediction, dice, 0.03) for prediction in first],
    }
    for name, second_pairs in made.items():
        labelled = list(zip(first, references, strict=True))
        yield f"receipts: by {name}", labelled, list(zip(first, second_pairs, strict=True))


def _by(first: Pairs, second: Pairs) -> tuple[Pairs, Pairs]:
    """The predictions of the first system with references, and with what the second one read."""
    read = [answer if isinstance(answer, dict) else {} for answer, _ in second]
    return first, [(prediction, answer) for (prediction, _), answer in zip(first, read, strict=True)]


def main() -> None:
    """Print a row for each pair of systems."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--metric", default="kieval")
    parser.add_argument("--all", action="store_true", help="all pairs of DocuBench's systems")
    parser.add_argument("--textbook", action="store_true", help="the delta method's interval as it is, and always")
    arguments = parser.parse_args()
    family = get(arguments.metric)
    name = headline_of(family)
    rows, gaps, alarms = [], list[float](), list[float]()
    for title, labelled, read in pairs_of_systems(Path(os.environ["DOCIE_DATA"]), is_all=arguments.all):
        people = population(labelled, read, [family], [name])
        asked = {"repetitions": arguments.repetitions, "is_textbook": arguments.textbook}
        cells = [simulate(people, name, family, size, **asked) for size in SIZES]
        gaps += [cell.percent(cell.stands - cell.plain) for cell in cells]
        alarms += [100 * float(np.mean(cell.alarms)) for cell in cells]
        rows.append([title, *(text for cell in cells for text in cell.row())])
        print(*rows[-1], sep=" | ", flush=True)
    columns = ["system, silver reading", *(text for size in SIZES for text in (f"{size} labels: coverage", "worth"))]
    print(tables.markdown(tables.Table("", columns, rows)))
    print(f"\nCoverage of the one that stands against the plain one: {min(gaps):+.1f} to {max(gaps):+.1f} points.")
    print(f"False alarms of the test of random labels: {min(alarms):.1f} to {max(alarms):.1f} %.")


if __name__ == "__main__":
    main()
