"""Whether thresholds for whole documents keep their promises: sets of documents, drawn from populations that are known.

    DOCIE_DATA=... python benchmarks/whole_documents.py [--sets 1000] [--seed 0] [NAME ...]

A set is drawn with replacement, so the population says what is true of a threshold that was chosen on it. Populations:

* docubench: the best system (docupipe_high), texts compared by letters and digits; confidences are its agreement with
  gemini.
* cord: LayoutLM's receipts with its own confidences; cord-agree: with its agreement with Qwen2-VL.
* invoices: Deep CPCFG's numbers, dates and totals; confidences are agreement with a made second reader, which has an
  error in a tenth of the values.
* heavy: generated; documents of 1 to 400 values, some much harder than others, with noisy confidences.
* vendors: generated; documents of 13 values, whose vendors are harder or easier, of which confidences know nothing.

The first table is of risk control (`certified_threshold(unit="document")`): the share that skips review, beside the
largest share that any threshold with a true loss of at most the risk lets skip; the mean of the true loss, which must
be at most the risk; the share of sets whose true loss is above; and the errors among the documents that skip. The
second one is of learn-then-test (`confidence_level=0.95`): how often a threshold is found, and how often the true share
of errors among those that skip is above the risk, which must be at most 5 %. The third has sets of vendors with five
documents each, counted by document and by vendor.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from populations import heavy_sizes

from docie import confidence, kieval, tables
from docie.confidence import Values

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from json_lines import read_lines
from real_documents import cord_pairs, docubench_pairs, invoice_pairs

SIZES, RISKS, LEVEL = (100, 500, 2000), (0.01, 0.02, 0.05), 0.95
VENDORS, OF_VENDOR = 2000, 5
Floats = NDArray[np.float64]


class Population(NamedTuple):
    """Documents: the lowest confidence of each, -1 for one that is always reviewed, and whether it has no error."""

    confidences: Floats
    correct: NDArray[np.bool_]

    def drawn(self, places: NDArray[np.int64], clusters: NDArray[np.object_] | None = None) -> Values:
        """Some of the documents, each as one value."""
        correct, size = self.correct[places], len(places)
        zeros, ones = np.zeros(size, np.int32), np.ones(size, np.int64)
        confidences, most = self.confidences[places], np.full(size, np.inf)
        return Values(confidences, correct, zeros, ("document",), ones, correct, most, "", clusters)

    def true(self, threshold: float | None) -> tuple[float, float, float]:
        """At a threshold: the share that skips review, the share that skips with an error, and errors among these."""
        skips = self.confidences >= (2 if threshold is None else threshold)
        wrong = float((skips & ~self.correct).mean())
        return float(skips.mean()), wrong, wrong / max(float(skips.mean()), 1e-12)

    def possible(self, risk: float, which: int) -> float:
        """The largest share that can skip review while what `true` gives is at most the risk."""
        thresholds = np.unique(self.confidences[self.confidences >= 0])
        found = [self.true(each) for each in thresholds[:: max(1, len(thresholds) // 2000)].tolist()]
        return max((each[0] for each in found if each[which] <= risk), default=0.0)


def of(values: Values) -> Population:
    """The documents of judged values."""
    documents = values.as_documents()
    return Population(documents.confidences, documents.correct)


def docubench(data: Path) -> Population:
    """The best system of DocuBench by its agreement with another."""
    predictions, references = zip(*docubench_pairs(data, "docupipe_high"), strict=True)
    others = [prediction for prediction, _ in docubench_pairs(data, "gemini")]
    settings = kieval.Settings(normalize="alphanumeric")
    return of(confidence.collect(predictions, references, settings, agree=others))


def cord(data: Path, *, agree: bool = False) -> Population:
    """LayoutLM on CORD by its own confidences, or by its agreement with Qwen2-VL."""
    files = {"references": "references", "layoutlm": "predictions-layoutlm-words", "qwen": "predictions-qwen2-vl-72b"}
    rows = {name: list(read_lines(data / "cord-test" / f"{file}.jsonl")) for name, file in files.items()}
    predictions, references = zip(*cord_pairs(rows, "layoutlm"), strict=True)
    others = [prediction for prediction, _ in cord_pairs(rows, "qwen")] if agree else None
    return of(confidence.collect(predictions, references, agree=others))


def invoices(data: Path) -> Population:
    """The fields of invoices by their agreement with a made reader."""
    dice = random.Random(0)
    fields = ("InvoiceNumber", "IssuedDate", "TotalAmount")
    predictions, references, others = list[Any](), list[Any](), list[Any]()
    for prediction, reference in invoice_pairs(data):
        predictions.append({name: prediction.get(name) for name in fields})
        references.append({name: reference.get(name) for name in fields})
        others.append(
            {name: f"{text}0" if text and dice.random() < 0.1 else text for name, text in references[-1].items()}
        )
    settings = kieval.Settings(normalize="alphanumeric")
    return of(confidence.collect(predictions, references, settings, agree=others))


def heavy(_: Path) -> Population:
    """Documents of very different sizes and difficulties."""
    dice, sizes = np.random.default_rng(0), np.tile(heavy_sizes(), 10)
    return _generated(dice, sizes, dice.normal(6.5, 1, len(sizes)) - dice.exponential(1.2, len(sizes)))


def vendors(_: Path) -> Population:
    """Documents of vendors, those of one after the other."""
    dice, sizes = np.random.default_rng(0), np.full(VENDORS * OF_VENDOR, 13)
    of_vendor = np.repeat(dice.normal(0, 1, VENDORS), OF_VENDOR)
    return _generated(dice, sizes, dice.normal(5, 1, len(sizes)), unknown=of_vendor)


def _generated(
    dice: np.random.Generator, sizes: NDArray[np.int64], ease: Floats, *, unknown: Floats | float = 0.0
) -> Population:
    """Documents whose values are correct with chances that confidences follow, but for some noise."""
    known = np.repeat(ease, sizes) + dice.normal(0, 1, int(sizes.sum()))
    chances = known + np.repeat(np.broadcast_to(unknown, sizes.shape), sizes)
    wrong = dice.random(len(known)) >= 1 / (1 + np.exp(-chances))
    confidences = 1 / (1 + np.exp(-known - dice.normal(0, 0.7, len(known))))
    starts = np.cumsum(sizes) - sizes
    return Population(np.minimum.reduceat(confidences, starts), ~np.logical_or.reduceat(wrong, starts))


POPULATIONS: dict[str, Callable[[Path], Population]] = {
    "docubench": docubench,
    "cord": cord,
    "cord-agree": lambda data: cord(data, agree=True),
    "invoices": invoices,
    "heavy": heavy,
    "vendors": vendors,
}


def thresholds(documents: Population, size: int, sets: int, seed: int, **asked: Any) -> list[float | None]:
    """The threshold that each of many sets of documents leads to."""
    dice = np.random.default_rng(seed)
    drawn = (dice.integers(0, len(documents.correct), size) for _ in range(sets))
    found = (confidence.certified_threshold(documents.drawn(places), unit="document", **asked) for places in drawn)
    return [each["threshold"] for each in found]


def percent(value: Any) -> str:
    """A share in per cent."""
    return f"{100 * value:.1f} %"


def rows_of(name: str, documents: Population, sets: int, seed: int) -> Iterator[tuple[list[str], list[str]]]:
    """A row of each table for each risk and each size."""
    for risk in RISKS:
        for size in SIZES:
            controlled = thresholds(documents, size, sets, seed, risk=risk)
            skip, loss, errors = np.array([documents.true(each) for each in controlled]).T
            among = errors[skip > 0].mean() if (skip > 0).any() else 0.0
            shares = [skip.mean(), documents.possible(risk, 1), (loss > risk).mean(), among]
            tested = thresholds(documents, size, sets, seed, risk=risk, confidence_level=LEVEL)
            found = [documents.true(each) for each in tested if each is not None]
            skipping = np.mean([each[0] for each in found]) if found else 0.0
            above = sum(each[2] > risk for each in found) / sets
            start = [name, f"{risk:g}", f"{size:,}"]
            tests = [len(found) / sets, skipping, documents.possible(risk, 2), above]
            one, two, *more = map(percent, shares)
            yield [*start, one, two, f"{100 * loss.mean():.2f} %", *more], [*start, *map(percent, tests)]


def by_vendor(documents: Population, sets: int, seed: int) -> Iterator[list[str]]:
    """Sets of vendors with five documents each: with documents as units, and with vendors."""
    risk = 0.05
    for number in (100, 400):
        labels = np.repeat(np.array([*map(str, range(number))], dtype=object), OF_VENDOR)
        for unit, clusters in (("document", None), ("vendor", labels)):
            dice, controlled, tested = np.random.default_rng(seed), list[Any](), list[Any]()
            for _ in range(sets):
                chosen = dice.integers(0, VENDORS, number)
                values = documents.drawn((chosen[:, None] * OF_VENDOR + np.arange(OF_VENDOR)).ravel(), clusters)
                for found, level in ((controlled, None), (tested, LEVEL)):
                    result = confidence.certified_threshold(values, risk, unit="document", confidence_level=level)
                    found.append((*documents.true(result["threshold"]), result["threshold"] is not None))
            one, two = np.array(controlled), np.array(tested)
            is_found = two[:, 3] > 0
            skips = two[is_found, 0].mean() if is_found.any() else 0.0
            shares = [one[:, 0].mean(), one[:, 1].mean(), (one[:, 1] > risk).mean()]
            shares += [is_found.mean(), skips, (two[:, 2] > risk).mean()]
            yield [unit, f"{number}", *map(percent, shares)]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(POPULATIONS))
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    data, rows = Path(os.environ["DOCIE_DATA"]), list[tuple[list[str], list[str]]]()
    for name in options.names or POPULATIONS:
        documents = POPULATIONS[name](data)
        said = f"{len(documents.correct)} documents, {percent(documents.correct.mean())} without an error"
        print(f"{name}: {said}", file=sys.stderr)
        rows += rows_of(name, documents, options.sets, options.seed)
    start = ["documents of", "risk", "set"]
    controlled = [*start, "skip review", "possible", "mean loss", "sets above", "errors among those that skip"]
    tested = [*start, "found", "skip review, where found", "possible", "violations"]
    for title, columns, part in (("risk control", controlled, 0), ("learn then test", tested, 1)):
        print(tables.markdown(tables.Table(title, columns, [row[part] for row in rows])), end="\n\n")
    columns = ["unit", "vendors", "skip review", "mean loss", "sets above", "found at 0.95", "skip review, where found"]
    cells = [*by_vendor(vendors(data), options.sets, options.seed)]
    print(tables.markdown(tables.Table("sets of vendors, risk 0.05", [*columns, "violations"], cells)))


if __name__ == "__main__":
    main()
