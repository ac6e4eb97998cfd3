"""Whether a certified threshold keeps its promise: thresholds chosen on one half of real documents, tried on the other.

    DOCIE_DATA=... python benchmarks/confidence.py [--splits 200] [--sets 1000] [--seed 0]

The documents are CORD's receipts, with the confidences of LayoutLM. Three ways to choose a threshold at a risk:

* certified: `confidence.certified_threshold`.
* loss here: the lowest threshold whose mean loss on the first half is at most the risk, without the guarantee's
  correction.
* precision here: the lowest threshold at which enough of the unseen values of the first half are right, a share of 1
  less the risk (`confidence.review.coverage_at_precision`).

The loss of a document is its wrong unseen values / its predicted values. Where no threshold is found, all is reviewed:
each value here has a confidence, so nothing goes unseen, and the loss is 0.

A second table draws sets from 2,000 generated documents, with replacement, so that the true loss of a certified
threshold is known: its mean over sets, the share of sets with a loss above the risk, and the 90th percentile.

A third one draws sets of 200 generated documents of a few vendors, some of which are harder than others: how often the
mean loss over all vendors, that of a vendor of the set, and that of a new vendor are above the risk.
"""

from __future__ import annotations

import argparse
import bisect
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie import confidence, tables
from docie.confidence import Values
from docie.confidence.review import coverage_at_precision

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from json_lines import read_lines
from real_documents import cord_pairs

RISKS = (0.02, 0.05, 0.1)
SET_SIZES = (50, 200, 1000, 10_000)
MADE, FIELDS = 2000, 13  # generated documents, and their values
VENDORS, OF_VENDOR = 500, 100  # generated ones, and the documents of each
IN_SET = 200  # documents of a set that has few vendors


class Trial(NamedTuple):
    """What came of a threshold on the other half; of none, all is reviewed."""

    is_found: bool
    loss: float
    unseen: int
    wrong: int
    values: int


def certified(values: Values, risk: float) -> float | None:
    """The certified threshold."""
    threshold: float | None = confidence.certified_threshold(values, risk)["threshold"]
    return threshold


def loss_here(values: Values, risk: float) -> float | None:
    """The lowest threshold with a mean loss of at most the risk."""
    thresholds = confidence.risk_coverage(values)["thresholds"]
    place = bisect.bisect_left(
        thresholds, True, key=lambda threshold: confidence.at_threshold(values, threshold)["loss"] <= risk
    )
    return thresholds[place]  # at the last one nothing goes unseen


def precision_here(values: Values, risk: float) -> float | None:
    """The lowest threshold with a precision of at least 1 less the risk."""
    threshold: float | None = coverage_at_precision(values, round(1 - risk, 12))["threshold"]
    return threshold


WAYS: dict[str, Callable[[Values, float], float | None]] = {
    "certified": certified,
    "loss here": loss_here,
    "precision here": precision_here,
}


def layoutlm_on_cord(data: Path) -> Values:
    """The values that LayoutLM predicted for CORD's receipts."""
    names = {"references": "references", "layoutlm": "predictions-layoutlm-words"}
    rows = {name: list(read_lines(data / "cord-test" / f"{file}.jsonl")) for name, file in names.items()}
    predictions, references = zip(*cord_pairs(rows, "layoutlm"), strict=True)
    return confidence.collect(list(predictions), list(references))


def halves(values: Values, splits: int, seed: int) -> Iterator[tuple[Values, Values]]:
    """The documents, split at random into two halves, again and again."""
    dice = random.Random(seed)
    for _ in range(splits):
        order = dice.sample(range(values.documents), values.documents)
        middle = values.documents // 2
        yield values.of_documents(order[:middle]), values.of_documents(order[middle:])


def tried(threshold: float | None, other: Values) -> Trial:
    """What goes unseen on the other half."""
    if threshold is None:
        return Trial(False, 0.0, 0, 0, len(other))
    found = confidence.at_threshold(other, threshold)
    return Trial(True, found["loss"], found["unseen"], found["incorrect"], found["values"])


def table(values: Values, splits: int, seed: int) -> tables.Table:
    """For each risk and each way: averages over the splits."""
    pairs = list(halves(values, splits, seed))
    rows = []
    for risk in RISKS:
        for name, choose in WAYS.items():
            trials = [tried(choose(one, risk), other) for one, other in pairs]
            unseen = sum(trial.unseen for trial in trials)
            losses = [trial.loss for trial in trials]
            rows.append(
                [
                    name,
                    f"{risk:g}",
                    f"{100 * mean(trial.is_found for trial in trials):.1f} %",
                    f"{mean(losses):.4f}",
                    f"{100 * mean(loss > risk for loss in losses):.1f} %",
                    f"{sum(trial.wrong for trial in trials) / unseen:.4f}" if unseen else "",
                    f"{100 * unseen / sum(trial.values for trial in trials):.1f} %",
                ]
            )
    columns = ["threshold", "risk", "found", "mean loss", "splits above", "wrong of unseen", "unseen"]
    return tables.Table("on the other half", columns, rows)


def generated(seed: int) -> Values:
    """Documents of 13 values each: some documents are harder than others, and confidences follow the chances."""
    dice = np.random.default_rng(seed)
    chances = dice.normal(2.2, 1.2, (MADE, FIELDS)) + dice.normal(0, 1, (MADE, 1))
    confidences = 1 / (1 + np.exp(-chances - dice.normal(0, 0.7, chances.shape)))
    right = dice.random(chances.shape) < 1 / (1 + np.exp(-chances))
    predictions = [
        {f"field{place}": {"value": "12.00", "confidence": each} for place, each in enumerate(row)}
        for row in confidences.tolist()
    ]
    references = [
        {f"field{place}": "12.00" if each else "" for place, each in enumerate(row)} for row in right.tolist()
    ]
    return confidence.collect(predictions, references)


def of_sets(values: Values, sets: int, seed: int) -> tables.Table:
    """How the true losses of certified thresholds vary from one set of documents to another."""
    is_wrong = ~values.correct
    wrong = np.unique(values.confidences[is_wrong])
    losses = np.zeros((values.documents, len(wrong) + 1))  # at 0, and just above each wrong value
    np.add.at(losses, (values.document_of[is_wrong], np.searchsorted(wrong, values.confidences[is_wrong])), 1 / FIELDS)
    losses = losses[:, ::-1].cumsum(axis=1)[:, ::-1]
    dice, rows = np.random.default_rng(seed), []
    for risk in (0.05, 0.1):
        for size in SET_SIZES:
            true = []
            for _ in range(sets):
                drawn = np.bincount(dice.integers(0, values.documents, size), minlength=values.documents)
                place = np.argmax((drawn @ losses + 1) / (size + 1) <= risk)  # the condition of certified_threshold
                true.append(losses[:, place].mean())
            above = f"{100 * np.mean(np.array(true) > risk):.1f} %"
            rows.append([f"{risk:g}", f"{size:,}", f"{mean(true):.4f}", above, f"{np.quantile(true, 0.9):.4f}"])
    columns = ["risk", "documents", "mean loss", "sets above", "90th percentile of the loss"]
    return tables.Table("certified thresholds of many sets", columns, rows)


def of_vendors(sets: int, seed: int) -> tables.Table:
    """How the true losses of certified thresholds vary from one vendor to another."""
    rows = []
    for knows in (True, False):
        dice = np.random.default_rng(seed)
        losses = _losses_of_vendors(dice, knows=knows)
        true = losses.mean(axis=1)
        for risk in (0.05, 0.1):
            for vendors in (5, 10, 40, IN_SET):
                means, of_set, of_new = list[bool](), list[float](), list[float]()
                for _ in range(sets):
                    chosen = dice.choice(VENDORS, vendors, replace=False)
                    drawn = losses[np.repeat(chosen, IN_SET // vendors), dice.integers(0, OF_VENDOR, IN_SET)]
                    place = np.argmax((drawn.sum(axis=0) + 1) / (IN_SET + 1) <= risk)
                    is_above = true[:, place] > risk
                    means.append(bool(true[:, place].mean() > risk))
                    of_set.append(is_above[chosen].mean())
                    of_new.append(np.delete(is_above, chosen).mean())
                shares = (f"{100 * mean(each):.0f} %" for each in (means, of_set, of_new))
                rows.append(["yes" if knows else "no", f"{risk:g}", str(vendors), *shares])
    columns = [
        "confidences know the vendor",
        "risk",
        "vendors",
        "sets above",
        "vendors of the set above",
        "new vendors above",
    ]
    return tables.Table("certified thresholds of few vendors", columns, rows)


def _losses_of_vendors(dice: np.random.Generator, *, knows: bool) -> NDArray[np.float32]:
    """The loss of each document of each vendor at each threshold, from the lowest confidence to the highest.

    Args:
        dice: what draws the documents.
        knows: whether confidences follow the chances of a vendor, or those of a mean vendor.
    """
    of_vendor = dice.normal(0, 1, (VENDORS, 1, 1))
    chances = dice.normal(2.2, 1.2, (VENDORS, OF_VENDOR, FIELDS)) + dice.normal(0, 1, (VENDORS, OF_VENDOR, 1))
    is_wrong = dice.random(chances.shape) >= 1 / (1 + np.exp(-chances - of_vendor))
    confidences = chances + of_vendor * knows + dice.normal(0, 0.7, chances.shape)  # on the scale of log odds
    thresholds = np.quantile(confidences, np.linspace(0, 1, 251))
    losses = np.zeros((VENDORS, OF_VENDOR, len(thresholds) + 1), dtype=np.float32)
    vendor, document, _ = np.nonzero(is_wrong)
    np.add.at(losses, (vendor, document, np.searchsorted(thresholds, confidences[is_wrong], side="right")), 1 / FIELDS)
    return losses[:, :, ::-1].cumsum(axis=2)[:, :, -2::-1]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=200)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    values = layoutlm_on_cord(Path(os.environ["DOCIE_DATA"]))
    wrong = 1 - values.correct.mean()
    print(f"{values.documents} documents, {len(values)} values, {100 * wrong:.1f} % of them wrong", file=sys.stderr)
    print(tables.markdown(table(values, options.splits, options.seed)), end="\n\n")
    print(tables.markdown(of_sets(generated(options.seed), options.sets, options.seed)), end="\n\n")
    print(tables.markdown(of_vendors(options.sets, options.seed)))


if __name__ == "__main__":
    main()
