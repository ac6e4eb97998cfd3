"""What people wait for: whole processes, and the same with another version of docie, in turn.

    python benchmarks/waits.py                                  all that is waited for
    python benchmarks/waits.py --against ../other/bin/python    beside the docie of another environment
    python benchmarks/waits.py list "a page"                    those whose names contain one of these

Every piece of work is a process of its own, from its start to its end; of several runs, the best of each figure counts.
Memory is the peak of the process. "output" says whether both versions print the same. Figures that a process takes
itself, in a second table, are the best of several rounds within it. DOCIE_DATA adds DocuBench.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import string
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

RECEIPTS = Path(__file__).parents[1] / "examples" / "receipts"
ROUNDS = 5
FOUND = 1  # the exit code of `docie check` with findings
PARTS = "\nparts: "
"""What stands before the figures that a process took itself."""
Pair = tuple[Any, Any]
Figures = dict[str, float]


class Run(NamedTuple):
    """One process: seconds, those of the processor, its peak memory, and what it printed."""

    wall: float
    cpu: float
    megabytes: float
    output: str


# the data: this process makes them, and imports nothing large, as its memory would count as that of its children


def receipts(folder: Path, side: str, number: int, *, lost: float = 0, seed: int = 0) -> str:
    """The receipts of `examples` over and over, without a share of their fields: the path of the file."""
    path = folder / f"{side}-{number}-{seed}.jsonl"
    if not path.exists():
        rows = [json.loads(line) for line in (RECEIPTS / f"{side}.jsonl").read_text(encoding="utf-8").splitlines()]
        dice = random.Random(seed)
        with open(path, "w", encoding="utf-8") as file:
            for place in range(number):
                row = dict(rows[place % len(rows)])
                row["id"] += f"-{place // len(rows)}"
                if lost and row["prediction"]:
                    row["prediction"] = {key: each for key, each in row["prediction"].items() if dice.random() >= lost}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return str(path)


def hasty(number: int, folder: Path) -> list[str]:
    """References and predictions."""
    return [receipts(folder, side, number) for side in ("references", "predictions-hasty")]


def six_systems(number: int, folder: Path) -> list[str]:
    """The references, and six systems: both of `examples`, and each of them twice without a field in twenty."""
    systems = ("predictions-hasty", "predictions-careful")
    paths = (receipts(folder, systems[seed % 2], number, lost=0.05 * (seed > 1), seed=seed) for seed in range(6))
    return [receipts(folder, "references", number), *paths]


def docubench(folder: Path) -> list[str]:
    """50 documents of 724 entity types."""
    return [
        str(Path(os.environ["DOCIE_DATA"], "docubench", name))
        for name in ("references.jsonl", "predictions-gemini.jsonl")
    ]


def commands(scale: float) -> dict[str, tuple[str, Callable[[Path], list[str]], list[str]]]:
    """By its name a command, what makes its files in a folder, and its options."""
    many, fewer = max(30, round(20_000 * scale)), max(30, round(10_000 * scale))
    rule = ["--match", "similar(0.9)"]
    found = {
        f"score, {many:,} receipts": ("score", partial(hasty, many), []),
        f"errors, {many:,} receipts": ("errors", partial(hasty, many), []),
        f"check, {many:,} receipts": ("check", partial(hasty, many), []),
        f"compare, six systems, {many:,} receipts": ("compare", partial(six_systems, many), []),
        f"score, {fewer:,} receipts": ("score", partial(hasty, fewer), []),
        f"score --match 'similar(0.9)', {fewer:,} receipts": ("score", partial(hasty, fewer), rule),
    }
    return found | ({"score, DocuBench": ("score", docubench, [])} if "DOCIE_DATA" in os.environ else {})


# what a process does by itself: documents that take long, and figures of parts


def words(dice: random.Random, number: int) -> list[str]:
    """Words of small letters."""
    return ["".join(dice.choices(string.ascii_lowercase, k=dice.randint(2, 9))) for _ in range(number)]


def listed(number: int) -> Pair:
    """One list of so many values; a third of them are misread, and their order is another."""
    dice = random.Random(number)
    values = [" ".join([*words(dice, 2), str(dice.randrange(10**6))]) for _ in range(number)]
    misread = [text[:-1] + "?" if dice.random() < 1 / 3 else text for text in values]
    dice.shuffle(misread)
    return misread, values


def long_texts(number: int, length: int = 17_000) -> Pair:
    """A list of long texts, each with some letters misread, in another order."""
    dice = random.Random(number)
    texts = [" ".join(words(dice, length // 4))[:length] for _ in range(number)]
    misread = ["".join("?" if dice.random() < 0.01 else each for each in text) for text in texts]
    dice.shuffle(misread)
    return misread, texts


def boxes(number: int) -> Pair:
    """Lines of ten words with five labels, each line a group. Predicted boxes are a little off, some split or lost."""
    dice = random.Random(0)
    reference: list[dict[str, Any]] = []
    for position in range(number):
        line, place = divmod(position, 10)
        x, y = 100 * place + dice.random(), 12 * line + dice.random()
        corners = [x, y, x + dice.uniform(30, 95), y + dice.uniform(8, 11)]
        reference.append({"label": f"field {place % 5}", "box": corners, "group": line})
    prediction = []
    for word in reference:
        x0, y0, x1, y1 = (value + dice.gauss(0, 1) for value in word["box"])
        middle = (x0 + x1) / 2
        parts = [[x0, y0, middle, y1], [middle, y0, x1, y1]] if dice.random() < 0.1 else [[x0, y0, x1, y1]]
        prediction += [{**word, "box": part} for part in parts if dice.random() > 0.05]
    return prediction, reference


def count(
    family: str, make: Callable[[int], Pair], number: int, *, field: bool = True, match: str | None = None
) -> Figures:
    """Count one document; the scores are printed, so that they can be compared."""
    import docie

    prediction, reference = ({"line": side} if field else [["line", text] for text in side] for side in make(number))
    metric = getattr(docie, family)
    settings = metric.Settings(match=match) if match else metric.Settings()
    print(metric.score(metric.count(prediction, reference, settings), settings))
    return {}


def page(number: int) -> Figures:
    """A page of so many boxes, beside what no matching of boxes can avoid (`kernel`)."""
    from docie import box_iou

    pair, settings = boxes(number), box_iou.Settings()
    counting, least = best(lambda: box_iou.count(*pair, settings)), best(lambda: kernel(*pair))
    return {"count": counting, "kernel": least, "count, of the kernel": counting / least}


def kernel(prediction: list[dict[str, Any]], reference: list[dict[str, Any]]) -> None:
    """The coordinates as arrays, sorted, and one matching of the boxes that overlap."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    predicted, expected = (np.array([word["box"] for word in page]).reshape(-1, 4) for page in (prediction, reference))
    np.unique(np.concatenate([predicted, expected])[:, 1::2])
    order = np.sort(expected[:, 1])
    rows = np.arange(len(predicted))
    columns = order.searchsorted(predicted[:, 1]).clip(0, len(expected) - 1) if len(expected) else rows[:0]
    if len(columns):
        maximum_bipartite_matching(csr_matrix((np.ones(len(rows)), (rows, columns))))


def hints(number: int, *, names: bool) -> Figures:
    """What `evaluate` takes of documents with other names, or with amounts written otherwise, beside counting alone."""
    from docie import corpus, kieval

    warnings.simplefilter("ignore")
    lines = (RECEIPTS / "references.jsonl").read_text(encoding="utf-8").splitlines()
    references = [json.loads(lines[place % len(lines)])["reference"] for place in range(number)]
    predictions = [other_names(each) if names else other_amounts(each) for each in references]
    settings = kieval.Settings()
    pairs = list(zip(predictions, references, strict=True))
    counting = best(lambda: [kieval.count(*pair, settings) for pair in pairs])
    evaluated = best(lambda: corpus.evaluate(kieval, predictions, references))
    return {"evaluate": evaluated, "counting": counting, "the rest": evaluated - counting}


def other_names(value: Any) -> Any:
    return {f"{name}_read": child for name, child in value.items()}


def other_amounts(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: other_amounts(child) for name, child in value.items()}
    if isinstance(value, list):
        return [other_amounts(child) for child in value]
    return f"{value} EUR" if value.replace(",", "").replace(".", "").isdigit() else value


def best(work: Callable[[], object]) -> float:
    """The least processor time of some rounds, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def works(scale: float) -> dict[str, Callable[[], Figures]]:
    """What a process does by itself, by its name."""
    many, texts = max(30, round(8000 * scale)), max(3, round(50 * scale))
    similar = "similar(0.5)"
    return {
        f"a list of {many:,} values, ANLS*": partial(count, "anls_star", listed, many),
        f"a list of {many:,} values, oi_entities": partial(count, "oi_entities", listed, many, field=False),
        f"a list of {many:,} values, nTED": partial(count, "nted", listed, many),
        f"a list of {many:,} values, similar(0.5)": partial(count, "kieval", listed, many, match=similar),
        f"{texts} texts of 17 kB, similar(0.5)": partial(count, "kieval", long_texts, texts, match=similar),
        f"{texts} texts of 17 kB, ANLS*": partial(count, "anls_star", long_texts, texts),
        **{f"a page of {number:,} boxes": partial(page, number) for number in (100, 1000)},
        **{
            f"{what} written otherwise, {number} documents": partial(hints, number, names=what == "names")
            for what in ("names", "amounts")
            for number in (1, 30, 100)
        },
    }


# running and printing


def run(command: list[str]) -> Run:
    """Run a command to its end."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as messages:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        wall, process.returncode = time.perf_counter() - start, os.waitstatus_to_exitcode(status)
        output.seek(0)
        messages.seek(0)
        if process.returncode > FOUND:
            sys.exit(f"{' '.join(command)}\n{messages.read()[-2000:]}")
        megabytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
        return Run(wall, usage.ru_utime + usage.ru_stime, megabytes, output.read())


def best_of(runs: list[Run]) -> Run:
    """The best of each figure, and the output of the first run."""
    wall, cpu, megabytes = (min(figures) for figures in list(zip(*runs, strict=True))[:3])
    return Run(wall, cpu, megabytes, runs[0].output)


def print_row(name: str, cells: list[str]) -> None:
    print(f"| {name} |", " | ".join(cells), "|", flush=True)


def print_work(name: str, runs: list[Run]) -> None:
    """Print the figures of a process with one version, or with both."""
    cells = [text for each in runs for text in (f"{each.wall:.2f}", f"{each.cpu:.2f}", f"{each.megabytes:,.0f}")]
    if len(runs) > 1:
        is_same = len({each.output.partition(PARTS)[0] for each in runs}) == 1
        cells += [f"{runs[1].cpu / runs[0].cpu:.1f}", "the same" if is_same else "differs"]
    print_row(name, cells)


def print_parts(taken: dict[str, list[Run]]) -> None:
    """Print the figures that processes took themselves."""
    for name, runs in taken.items():
        of_runs = [json.loads(each.output.partition(PARTS)[2]) for each in runs]
        for part, first in of_runs[0].items():
            others = [text for each in of_runs[1:] for text in (f"{each[part]:.2f}", f"{each[part] / first:.1f}")]
            print_row(f"{name}: {part}", [f"{first:.2f}", *others])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="parts of names; everything without any")
    parser.add_argument("--against", metavar="PYTHON", help="the interpreter of an environment with another version")
    parser.add_argument("--runs", type=int, default=3, help="runs of each, of which the best counts (3)")
    parser.add_argument("--scale", type=float, default=1, help="a share of the documents, values and texts (1)")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    own, asked = works(arguments.scale), commands(arguments.scale)
    if arguments.work:
        if parts := own[arguments.work]():
            print(PARTS + json.dumps(parts))
        return
    pythons = [sys.executable, *([arguments.against] if arguments.against else [])]
    print_row(
        "work", ["wall s", "CPU s", "MB", *(["wall s", "CPU s", "MB", "×", "output"] if arguments.against else [])]
    )
    print_row(":--", ["--:"] * (8 if arguments.against else 3))
    taken: dict[str, list[Run]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in [*asked, *own]:
            if arguments.words and not any(word in name for word in arguments.words):
                continue
            if name in asked:
                command, files, options = asked[name]
                command_line = ["-m", "docie", command, *files(Path(folder)), *options]
            else:
                command_line = [__file__, "--scale", str(arguments.scale), "--work", name]
            in_turn = [[run([python, *command_line]) for python in pythons] for _ in range(arguments.runs)]
            taken[name] = [best_of([*runs]) for runs in zip(*in_turn, strict=True)]
            print_work(name, taken[name])
    with_parts = {name: runs for name, runs in taken.items() if PARTS in runs[0].output}
    if with_parts:
        print()
        print_row("part", ["ms", *(["ms", "×"] if arguments.against else [])])
        print_row(":--", ["--:"] * (3 if arguments.against else 1))
        print_parts(with_parts)


if __name__ == "__main__":
    main()
