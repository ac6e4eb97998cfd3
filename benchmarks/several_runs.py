"""Whether the standard deviation of one run is right, and how often the interval of several runs covers.

    DOCIE_DATA=... python benchmarks/several_runs.py [--repetitions 1000]

Each document has 40 runs whose counts are known, of which so many are drawn, for documents that are drawn with
replacement. CORD and DocuBench: the answers of one system, in which every tenth value is that of another system.
Receipts: 12 % of the values are misread. In all of these, answers are independent, as samples of a language model are.
Seeds: receipts of 40 models, which misread 6 to 18 %; each draw has the answers of the same few models.
For each population and number of runs, with 50 documents: the true standard deviation of one run's entity F1 and the
median of those that are told, within documents and of whole runs; the share of 95 % intervals that hold the true
score, in percent; and the share of alarms that runs are good or bad as a whole.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from generate import predict, receipt
from populations import Population, population
from scipy.sparse import csr_matrix

from docie import kieval, tables
from docie.corpus.intervals import Jackknife, jackknife_interval
from docie.corpus.runs.spread import spreads
from docie.show.several_runs import ALARM

from json_lines import read_lines
from real_documents import cord_pairs, docubench_pairs

POOL, DOCUMENTS, RUNS, RECEIPTS = 40, 50, (2, 3, 5), 400
NAME, LEVEL, SHARE = "entity_f1", 0.95, 0.1


def mixed(one: Any, other: Any, dice: random.Random) -> Any:
    """An answer in which some values are those of another one."""
    if isinstance(one, dict) and isinstance(other, dict):
        return {key: mixed(child, other[key], dice) if key in other else child for key, child in one.items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [mixed(*each, dice) for each in zip(one, other, strict=True)]
    return other if dice.random() < SHARE else one


def populations(data: Path) -> Iterator[tuple[str, Population]]:
    """Populations by name: the runs of a document follow each other."""
    dice = random.Random(0)
    cord = {
        name: [*read_lines(data / "cord-test" / f"{file}.jsonl")]
        for name, file in (("references", "references"), ("qwen", "predictions-qwen2-vl-72b"))
    }
    cord["layoutlm"] = [*read_lines(data / "cord-test" / "predictions-layoutlm-words.jsonl")]
    systems = {
        "CORD": (cord_pairs(cord, "qwen"), cord_pairs(cord, "layoutlm")),
        "DocuBench": (docubench_pairs(data, "claude"), docubench_pairs(data, "gpt")),
    }
    for name, (first, second) in systems.items():
        answers = [(one, other, label) for (one, label), (other, _) in zip(first, second, strict=True)]
        yield name, _of([(mixed(one, other, dice), label) for one, other, label in answers for _ in range(POOL)])
    labels = [receipt(dice) for _ in range(RECEIPTS)]
    yield "receipts", _of([(predict(label, dice), label) for label in labels for _ in range(POOL)])
    rates = np.linspace(0.06, 0.18, POOL).tolist()
    yield "seeds", _of([(predict(label, dice, rate), label) for label in labels for rate in rates])


def _of(pairs: list[tuple[Any, Any]]) -> Population:
    return population(pairs, pairs[:POOL], [kieval], [NAME])


def simulate(people: Population, runs: int, repetitions: int, *, is_seeded: bool) -> list[str]:
    """A row of the table: draws of documents with so many runs."""
    dice, counts = np.random.default_rng(runs), people.one.reshape(-1, POOL, people.one.shape[1])
    score: Callable[[Any], Any] = lambda sums: people.scores(np.atleast_2d(sums))[NAME]  # noqa: E731
    truth = float(score(counts.mean(1).sum(0))[0])
    true, within, whole, covered, alarms = ([] for _ in range(5))
    for _ in range(repetitions):
        drawn = counts[dice.integers(0, len(counts), DOCUMENTS)]
        chosen = dice.permuted(np.tile(np.arange(POOL), (1 if is_seeded else DOCUMENTS, 1)), axis=1)[:, :runs]
        rows = np.take_along_axis(drawn, np.broadcast_to(chosen, (DOCUMENTS, runs))[:, :, None], axis=1)
        one_run = (
            drawn.sum(0)
            if is_seeded
            else np.take_along_axis(drawn, dice.integers(0, POOL, (DOCUMENTS, POOL))[:, :, None], axis=1).sum(0)
        )
        true.append(np.std(score(one_run)))
        found = spreads(
            people.scores, csr_matrix(rows.reshape(-1, counts.shape[2])), [[*map(str, range(runs))]] * DOCUMENTS
        )
        interval = jackknife_interval(Jackknife(people.scores, csr_matrix(rows.mean(1))).spread(NAME), LEVEL, "share")
        within.append(found[NAME].standard_deviation)
        whole.append(found[NAME].of_whole_runs)
        alarms.append((found[NAME].p or 1) <= ALARM)
        covered.append(interval is not None and interval[0] <= truth <= interval[1])
    deviations = (f"{np.median(np.array(each, float)):.4f}" for each in (true, within, whole))
    return [str(runs), *deviations, *(f"{100 * np.mean(each):.1f}" for each in (covered, alarms))]


def main() -> None:
    """Print a row for each population and number of runs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--repetitions", type=int, default=1000)
    repetitions = parser.parse_args().repetitions
    rows = [
        [name, *simulate(people, runs, repetitions, is_seeded=name == "seeds")]
        for name, people in populations(Path(os.environ["DOCIE_DATA"]))
        for runs in RUNS
    ]
    columns = ["documents", "runs", "true deviation", "within documents", "of whole runs", "coverage", "alarms"]
    print(tables.markdown(tables.Table("", columns, rows)))


if __name__ == "__main__":
    main()
