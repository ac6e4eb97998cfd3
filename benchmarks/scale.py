"""Large corpora: time, memory, several processes, intervals and engines.

    python benchmarks/scale.py                          everything with 200,000 generated receipts
    python benchmarks/scale.py --documents 1000000      with as many
    python benchmarks/scale.py --only "two files"       the rows whose names contain this; may be repeated
    python benchmarks/scale.py --engines                the figures of every engine, and whether they are equal
    python benchmarks/scale.py --forms                  the two files as tables, data sets and lines of a batch

Every row is `docie score` in processes of its own: seconds by the clock, and of the processor; the most memory of its
largest process, and of all its processes together. With enough cores the clock cannot show less than the processor's
seconds of the first process, which reads, nor less than those of all, divided by the cores. The files are made once,
in the folder that --folder names.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
PARTITIONS = 40
SIDES = ("references", "predictions")
INTERVALS = ["--confidence-level", "0.95"]


class Run(NamedTuple):
    """What was measured of a command."""

    seconds: float
    cpu_of_first: float
    cpu_of_all: float
    megabytes: float
    megabytes_of_all: float
    output: str
    messages: str


def make_files(folder: Path, documents: int) -> None:
    """References and predictions: two files, and the same rows in partitions."""
    import generate

    done = folder / "done"
    if done.exists():
        return
    size = -(-documents // PARTITIONS)
    for side in SIDES:
        (folder / side).mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        whole = [stack.enter_context(open(folder / f"{side}.jsonl", "w", encoding="utf-8")) for side in SIDES]
        for number, (prediction, reference) in enumerate(generate.receipts(documents)):
            if number % size == 0:
                name = f"part-{number // size:03}.jsonl"
                parts = [stack.enter_context(open(folder / side / name, "w", encoding="utf-8")) for side in SIDES]
            for side, document, file, part in zip(
                ("reference", "prediction"), (reference, prediction), whole, parts, strict=True
            ):
                line = json.dumps({"id": f"r-{number}", side: document}) + "\n"
                file.write(line)
                part.write(line)
    done.touch()


def make_forms(folder: Path) -> None:
    """The two files as tables and data sets, and predictions as lines of a batch."""
    import csv

    import datasets

    if (folder / "made").exists():
        return
    for side in SIDES:
        with open(folder / f"{side}.jsonl", encoding="utf-8") as file:
            documents = [(row["id"], row[side[:-1]]) for row in map(json.loads, file)]
        names = list(dict.fromkeys(name for _, document in documents for name in document))
        with open(folder / f"{side}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["id", *names])
            for identity, document in documents:  # groups are cells of JSON
                cells = (document.get(name) for name in names)
                writer.writerow(
                    [identity, *(json.dumps(each) if isinstance(each, list | dict) else each for each in cells)]
                )
        rows = [{"id": identity, side[:-1]: json.dumps(document)} for identity, document in documents]
        data = datasets.Dataset.from_list(rows)
        data.save_to_disk(folder / f"{side}-data")
        data.to_parquet(folder / f"{side}.parquet")
        with open(folder / f"{side}.batch.jsonl", "w", encoding="utf-8") as file:
            for identity, document in documents:
                body = {"id": f"b-{identity}", "output_text": json.dumps(document), "usage": {"total_tokens": 512}}
                file.write(json.dumps({"custom_id": identity, "response": {"status_code": 200, "body": body}}) + "\n")
    (folder / "made").touch()


def forms(folder: Path) -> dict[str, list[str]]:
    """From the name of each form of the two files to its command."""
    batch = [
        part
        for side in ("references", "predictions")
        for option in ("unwrap=response.body.output_text", "id=custom_id")
        for part in ("--config", f"{side}.{option}")
    ]
    sets = [f"dataset:{folder / side}-data#" for side in SIDES]
    commands = {
        "JSON Lines": score(folder, ".jsonl"),
        "CSV": score(folder, ".csv"),
        "Parquet": score(folder, ".parquet"),
        "data sets": score(folder, ".jsonl"),
        "batch lines": score(folder, ".batch.jsonl", *batch),
    }
    commands["data sets"][4:6] = sets
    return commands


def measure(command: list[str]) -> Run:
    """Run a command to its end."""
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(command, stdout=output, stderr=messages)
        before = _cpu_of_children()
        peaks = {"one": 0.0, "all": 0.0, "cpu": 0.0}
        watch = threading.Thread(target=_watch, args=(process, peaks))
        watch.start()
        code = process.wait()
        seconds = time.perf_counter() - start
        watch.join()
        output.seek(0)
        messages.seek(0)
        result = Run(
            seconds,
            peaks["cpu"],
            _cpu_of_children() - before,
            peaks["one"],
            peaks["all"],
            output.read(),
            messages.read(),
        )
    if code:
        sys.exit(f"{' '.join(command)}\n{result.messages}")
    return result


def _cpu_of_children() -> float:
    """Seconds of the processor of all processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _watch(process: subprocess.Popen[Any], peaks: dict[str, float]) -> None:
    """Note the memory of a process and of those that it started, ten times a second."""
    import psutil

    parent = psutil.Process(process.pid)
    while process.poll() is None:
        sizes = []
        with contextlib.suppress(psutil.Error):
            peaks["cpu"] = sum(parent.cpu_times()[:2])
            for each in (parent, *parent.children(recursive=True)):
                with contextlib.suppress(psutil.Error):
                    memory = each.memory_full_info()
                    sizes.append((getattr(memory, "pss", memory.rss)) / 1e6)
        peaks["one"] = max([peaks["one"], *sizes])
        peaks["all"] = max(peaks["all"], sum(sizes))
        time.sleep(0.1)


def score(folder: Path, ending: str, *options: str) -> list[str]:
    """The command that scores the two files (".jsonl") or the partitions ("")."""
    paths = [str(folder / f"{side}{ending}") for side in SIDES]
    return [sys.executable, "-m", "docie", "score", *paths, "--format", "json", *options]


def rows(folder: Path) -> dict[str, list[str]]:
    """From the name of each row to its command."""
    inputs = {"two files": ".jsonl", "partitions": ""}
    ways = {
        "one process": [],
        "two processes": ["--workers", "2"],
        "one process, intervals": INTERVALS,
        "two processes, intervals": [*INTERVALS, "--workers", "2"],
        "dask, two processes": ["--workers", "dask"],
    }
    return {
        f"{name}, {way}": score(folder, ending, *options)
        for name, ending in inputs.items()
        for way, options in ways.items()
    }


def print_rows(commands: dict[str, list[str]], documents: int) -> None:
    """Print a row for each command. `×` compares it with the same input in one process without intervals."""
    headings = ("seconds", "documents a second", "×", "CPU s of the first", "of all", "MB of the largest", "of all")
    print("| input, and who counts |", " | ".join(headings), "|")
    print("| :-- |", " | ".join(["--:"] * len(headings)), "|")
    first: dict[str, float] = {}
    outputs: dict[bool, set[str]] = {}
    for name, command in commands.items():
        result = measure(command)
        base = first.setdefault(name.partition(",")[0] if "," in name else "", result.seconds)
        figures_of_all = json.loads(result.output)["kieval"]
        figures_of_all.pop("signature")  # it says how rows are read
        outputs.setdefault("intervals" in name, set()).add(json.dumps(figures_of_all))
        figures = (
            f"{result.seconds:.1f}",
            f"{documents / result.seconds:,.0f}",
            f"{base / result.seconds:.2f}",
            f"{result.cpu_of_first:.1f}",
            f"{result.cpu_of_all:.1f}",
            f"{result.megabytes:.0f}",
            f"{result.megabytes_of_all:.0f}",
        )
        print(f"| {name} |", " | ".join(figures), "|", flush=True)
    same = all(len(each) == 1 for each in outputs.values())
    print(f"\nthe figures of all rows are {'the same' if same else 'NOT the same'}, to the last digit")


def print_engines(folder: Path) -> None:
    """The figures of all families that read documents, from every engine of the command line."""
    import docie
    from docie.core.family import get
    from docie.core.scores import headline_of

    families = [name for name in docie.families() if "document" in get(name).INPUTS]
    metrics = [part for name in families for part in ("--metric", name)]
    outputs: dict[str, str] = {}
    for name, command in rows(folder).items():
        if "intervals" not in name:
            outputs[name] = measure([*command, *metrics]).output
            print(
                f"{name}: {'the same' if outputs[name] == next(iter(outputs.values())) else 'NOT the same'}", flush=True
            )
    first = json.loads(next(iter(outputs.values())))
    for family, figures in first.items():
        name = headline_of(get(family))
        print(f"{family}: {name} {figures[name]!r} of {figures['documents']:,} documents")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=200_000, help="receipts in the corpus (200,000)")
    parser.add_argument("--folder", type=Path, help="where the files are, or will be; a temporary folder by default")
    parser.add_argument("--only", action="append", metavar="NAME", help="only rows whose names contain this")
    parser.add_argument("--engines", action="store_true", help="compare the figures of all engines instead")
    parser.add_argument("--forms", action="store_true", help="measure other forms of the two files instead")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.folder or Path(temporary)) / str(arguments.documents)
        make_files(folder, arguments.documents)
        print(f"{arguments.documents:,} documents, {os.cpu_count()} cores\n", flush=True)
        if arguments.engines:
            print_engines(folder)
            return
        if arguments.forms:
            make_forms(folder)
        commands = forms(folder) if arguments.forms else rows(folder)
        wanted = arguments.only or [""]
        print_rows(
            {name: each for name, each in commands.items() if any(text in name for text in wanted)}, arguments.documents
        )


if __name__ == "__main__":
    main()
