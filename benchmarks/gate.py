"""What a gate blocks: `docie compare --max-drop 0.03`, beside a significance test alone.

    DOCIE_DATA=... python benchmarks/gate.py [--repetitions 2000] [--population cord]

A corpus of n documents is drawn from a population (populations.py): how many values each document has, and how often
its system reads one correctly. The base reads every value by that chance. The new system is, by scenario:

* a re-run: every tenth value, or three of ten, are read anew, with the same chance to be correct;
* 3 points lost in all documents alike: each correct value becomes incorrect by the same small chance;
* 3 points, and 8, lost in whole documents: by the same small chance, every value of a document is incorrect;
* 1 point lost in all documents alike, and in whole documents;
* five empty documents, whatever n is.

A loss is the mean loss of the population: a sample may hold more of it, or nothing. The table has the shares of samples
that are blocked, lowest and highest over the populations: by the significance test alone (two-sided, 5 %), by the gate,
by the gate because the system is worse, and by the gate with --max-broken 2. And the shares of samples without a broken
document, and of those that pass the gate so.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from populations import Array, populations

from docie import kieval, tables
from docie.comparison.broken import fallen
from docie.comparison.gate import Loss
from docie.corpus.intervals import standard_error

SIZES = (24, 50, 200)
POPULATIONS = ("cord", "docubench", "heavy", "clean95")
SHUFFLES, BLOCK = 999, 100
LEVEL, MAX_DROP, MAX_BROKEN, PRIOR = 0.05, 0.03, 2, 2.0
COUNTS = ("true_positives", "false_positives", "false_negatives")


class People(NamedTuple):
    """The documents of a population: predicted and expected values, how many of them can match, the chance that one
    does, and the F1 score of all."""

    predicted: Array
    expected: Array
    matched: Array
    chance: Array
    f1: float


class Sample(NamedTuple):
    """The counts of corpora: a row for each, a column for each of its documents."""

    right: Array
    predicted: Array


Scenario = Callable[[People, Array, Sample, Any], Sample]


def people_of(counts: dict[str, Array]) -> People:
    """The documents of a population, from the counts of each; few values of one say little of its chance."""
    right, spurious, missing = (counts[name] for name in COUNTS)
    predicted, expected = right + spurious, right + missing
    matched = np.minimum(predicted, expected)
    chance = (right + PRIOR * right.sum() / matched.sum()) / (matched + PRIOR)
    f1 = 2 * (matched * chance).sum() / (predicted + expected).sum()
    return People(predicted.astype(int), expected.astype(int), matched.astype(int), chance, float(f1))


def reread(share: float) -> Scenario:
    """A share of the values is read anew."""

    def made(people: People, drawn: Array, base: Sample, dice: Any) -> Sample:
        lost = dice.binomial(base.right, share)
        again = lost + dice.binomial(people.matched[drawn] - base.right, share)
        return Sample(base.right - lost + dice.binomial(again, people.chance[drawn]), base.predicted)

    return made


def diffuse(points: float) -> Scenario:
    """So many points are lost in all documents alike."""
    return lambda people, drawn, base, dice: Sample(
        dice.binomial(base.right, 1 - points / 100 / people.f1), base.predicted
    )


def whole(points: float) -> Scenario:
    """So many points are lost in documents of which every value is incorrect."""

    def made(people: People, drawn: Array, base: Sample, dice: Any) -> Sample:
        fails = dice.random(drawn.shape) < points / 100 / people.f1
        return Sample(np.where(fails, 0, base.right), base.predicted)

    return made


def five(people: People, drawn: Array, base: Sample, dice: Any) -> Sample:
    """Five documents come back empty."""
    is_empty = np.argsort(dice.random(drawn.shape), axis=1) < 5
    return Sample(np.where(is_empty, 0, base.right), np.where(is_empty, 0, base.predicted))


SCENARIOS: dict[str, Scenario] = {
    "re-run, 10 % of the values read anew": reread(0.1),
    "re-run, 30 % of the values read anew": reread(0.3),
    "1 point, in all documents alike": diffuse(1),
    "1 point, as whole documents": whole(1),
    "3 points, in all documents alike": diffuse(3),
    "3 points, as whole documents": whole(3),
    "8 points, as whole documents": whole(8),
    "five empty documents": five,
}


def simulate(people: People, scenario: Scenario, size: int, repetitions: int) -> Counter[str]:
    """How many corpora of this size are blocked."""
    rates, dice = Counter[str](), np.random.default_rng(size)
    for start in range(0, repetitions, BLOCK):
        drawn = dice.integers(0, len(people.matched), (min(BLOCK, repetitions - start), size))
        base = Sample(dice.binomial(people.matched[drawn], people.chance[drawn]), people.predicted[drawn])
        new = scenario(people, drawn, base, dice)
        rates += _blocked(base, new, people.expected[drawn], dice)
    return rates


def _blocked(base: Sample, new: Sample, expected: Array, dice: Any) -> Counter[str]:
    """How many of these corpora each rule blocks."""
    swaps = dice.integers(0, 2, (SHUFFLES, expected.shape[1])).astype(float)
    one, other = (_f1(each.right.sum(1), (each.predicted + expected).sum(1)) for each in (base, new))
    right, values = (swaps @ (second - first).T for first, second in zip(base, new, strict=True))
    total = expected.sum(1)
    moved = _f1(new.right.sum(1) - right, new.predicted.sum(1) + total - values) - _f1(
        base.right.sum(1) + right, base.predicted.sum(1) + total + values
    )
    changed = (base.right != new.right) | (base.predicted != new.predicted)
    least = 2.0 ** -changed.sum(1)  # the smallest p of all ways to swap so few documents, which docie makes
    lower = np.maximum(least, ((moved <= other - one + 1e-12).sum(0) + 1) / (SHUFFLES + 1))
    far = np.abs(moved) >= np.abs(other - one) - 1e-12
    both = np.maximum(2 * least, (far.sum(0) + 1) / (SHUFFLES + 1))
    added = _influence(new, expected) - _influence(base, expected)
    alone = (_f1(each.right, each.predicted + expected) for each in (base, new))
    broken = fallen(*alone, is_better_low=False).sum(1)
    rates = Counter[str]()
    for place, lost in enumerate((one - other).tolist()):
        error = standard_error(added[place]) or 0.0
        verdict = Loss(lost, error, expected.shape[1], partial(float, lower[place])).verdict(MAX_DROP)
        rates["test"] += bool(lost > 0 and both[place] <= LEVEL)
        rates["worse"] += verdict == "worse"
        rates["gate"] += verdict != "passed"
        rates["with broken"] += verdict != "passed" or bool(broken[place] > MAX_BROKEN)
        rates["none drawn"] += not broken[place]
        rates["passed unseen"] += verdict == "passed" and not broken[place]
    return rates


def _f1(right: Array, values: Array) -> Array:
    """F1 of correct values among predicted and expected ones; 1 where there are none."""
    f1: Array = np.divide(2 * right, values, out=np.ones(np.broadcast(right, values).shape), where=values > 0)
    return f1


def _influence(each: Sample, expected: Array) -> Array:
    """What each document adds to F1, to first order."""
    values = each.predicted + expected
    whole = _f1(each.right.sum(1), values.sum(1))[:, None]
    added: Array = (2 * each.right - whole * values) / values.sum(1, keepdims=True)
    return added


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=2000)
    parser.add_argument("--population", action="append")
    arguments = parser.parse_args()
    times = arguments.repetitions
    known = populations(Path(os.environ["DOCIE_DATA"]), [kieval], COUNTS)
    found = Counter[tuple[str, str, int, str]]()
    names = arguments.population or POPULATIONS
    for name in names:
        counted = known[name]()
        people = people_of(counted.scores(counted.one))
        print(f"{name}: {len(people.matched)} documents, F1 {people.f1:.3f}")
        for title, scenario in SCENARIOS.items():
            for size in SIZES:
                for rule, number in simulate(people, scenario, size, times).items():
                    found[name, title, size, rule] = number
    print(f"\n{times} samples a cell; shares in percent, lowest and highest of {len(names)} populations.\n")
    columns = [
        "change",
        "documents",
        "test alone",
        "gate",
        "of these: worse",
        "with --max-broken 2",
        "no broken",
        "passed unseen",
    ]
    rules = ("test", "gate", "worse", "with broken", "none drawn", "passed unseen")
    cells = [
        [title, str(size), *(_range([found[name, title, size, rule] / times for name in names]) for rule in rules)]
        for title in SCENARIOS
        for size in SIZES
    ]
    print(tables.markdown(tables.Table("gate", columns, cells, texts=1)))


def _range(shares: list[float]) -> str:
    return "–".join(dict.fromkeys(f"{100 * share:.0f}" for share in (min(shares), max(shares))))


if __name__ == "__main__":
    main()
