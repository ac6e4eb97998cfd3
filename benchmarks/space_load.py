"""Many users of one page at the same time: requests, errors and seconds until the answer.

    python benchmarks/space_load.py             20 users for a minute
    python benchmarks/space_load.py --large     while a document of 5 MB comes in, on each side and at each endpoint
    python benchmarks/space_load.py --hard 10   while the ten costliest inputs of hard_inputs.py come in, one by one

The page is the explorer, as `docie demo` starts it. Users ask without a pause: score or explain one of the page's
examples, with one metric that reads it or with all. They use plain HTTP, because `gradio_client` takes longer than the
page. The exit code says whether one met an error.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from docie import families
from docie.core.family import get
from docie.core.values.json_text import ANY_OF
from docie.core.values.plain import scalars
from docie.spaces.common.examples import EXAMPLES, Example
from docie.spaces.common.limits import MAX_CHARACTERS

SMALL = '{"total": "12.00"}'
ENDPOINTS = ("score", "explain")
API = "gradio_api/call"
PATIENCE = 120
"""Seconds after which a request counts as lost."""


class Asked(NamedTuple):
    """A request that came back: its endpoint, what went wrong ("" for nothing), and how long it took."""

    endpoint: str
    error: str
    seconds: float


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of an explorer, which ends with this block."""
    command = [sys.executable, "-m", "docie", "demo", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                sys.exit("the explorer does not start: try `docie demo`")
            yield line.split(": ", 1)[1].split()[0]
        finally:
            process.terminate()


def visitor(address: str) -> httpx.Client:
    """Somebody with a connection of their own."""
    return httpx.Client(base_url=address, timeout=PATIENCE)


def ask(client: httpx.Client, endpoint: str, example: Example, families: Sequence[str] = (), **options: Any) -> Asked:
    """Send a request, and wait for what comes back."""
    start, error = time.perf_counter(), ""
    texts = {"references": example.references, "predictions": example.predictions, "form": example.form}
    inputs = {**texts, "families": [*families], "options": options}
    try:
        event = client.post(f"{API}/v2/{endpoint}", json=inputs).raise_for_status().json()["event_id"]
        answer = client.get(f"{API}/{endpoint}/{event}").raise_for_status().text.rstrip()
        kind, _, data = answer.rpartition("event: ")[2].partition("\ndata: ")
        if kind != "complete":
            error = json.loads(data)["error"] or "an error without a word"
    except (httpx.HTTPError, KeyError, TypeError, ValueError) as problem:  # whatever a user may meet
        error = f"{type(problem).__name__}: {problem}"
    return Asked(endpoint, error, time.perf_counter() - start)


class Users:
    """Users of a page, who ask until they are told to stop. They begin once each has had a first answer.

    Args:
        address: that of the page.
        number: how many there are.
    """

    def __init__(self, address: str, number: int) -> None:
        self.address = address
        self.asked: list[Asked] = []
        self._stop = threading.Event()
        self._ready = threading.Barrier(number + 1)
        self._threads = [threading.Thread(target=self._ask, args=(seed,), daemon=True) for seed in range(number)]

    def __enter__(self) -> Users:
        for thread in self._threads:
            thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, seed: int) -> None:
        rng = random.Random(seed)
        with visitor(self.address) as client:
            ask(client, "score", documents(SMALL, SMALL))
            self._ready.wait()
            while not self._stop.is_set():
                example = rng.choice(EXAMPLES)
                chosen = rng.choice([[], *([name] for name in readers(example))])
                self.asked.append(ask(client, rng.choice(ENDPOINTS), example, chosen))


def readers(example: Example) -> list[str]:
    """The families that read an example."""
    return [name for name in families() if example.kind in get(name).INPUTS]


def documents(references: str, predictions: str) -> Example:
    """Texts for both fields of the page."""
    return Example(name="", references=references, predictions=predictions)


def send_large(address: str) -> Iterator[tuple[str, Asked]]:
    """A document of 5 MB on each side, at each endpoint."""
    large = json.dumps({"text": "x" * 5_000_000})
    with visitor(address) as client:
        for endpoint in ENDPOINTS:
            yield "5 MB as the reference", ask(client, endpoint, documents(large, SMALL))
            yield "5 MB as the prediction", ask(client, endpoint, documents(SMALL, large))


class Costly(NamedTuple):
    """A request that costs much: its name, its texts, family and options, and its pairs of characters."""

    name: str
    texts: Example
    family: str
    options: Mapping[str, Any]
    pairs: int


def costliest(number: int) -> list[Costly]:
    """The inputs of hard_inputs.py that have most to compare, of those that are short enough to be read."""
    import hard_inputs

    found = []
    for case in hard_inputs.all_cases():
        if case.call:  # other parts of docie
            continue
        made = case.made()
        if isinstance(made, list):  # many receipts
            continue
        prediction, reference = made
        texts = documents(*(as_text(side) for side in (reference, prediction)))
        if max(len(texts.references), len(texts.predictions)) <= MAX_CHARACTERS:
            found.append(Costly(case.name, texts, case.family, case.options, _pairs(prediction, reference)))
    return sorted(found, key=lambda costly: -costly.pairs)[:number]


def _pairs(prediction: Any, reference: Any) -> int:
    """The pairs of characters of two documents: what must be compared at most."""
    one, other = (sum(len(str(value)) for value in scalars(side)) for side in (prediction, reference))
    return one * other


def send_hard(address: str, number: int) -> Iterator[tuple[str, Asked]]:
    """The costliest inputs, at each endpoint."""
    with visitor(address) as client:
        for costly in costliest(number):
            for endpoint in ENDPOINTS:
                asked = ask(client, endpoint, costly.texts, [costly.family], **costly.options)
                yield f"{costly.family}: {costly.name} ", asked


def as_text(document: Any) -> str:
    """A document as a page takes it: a list of one, because a list may be several documents."""
    return json.dumps([as_json(document)])


def as_json(value: Any) -> Any:
    """A document as JSON has it: alternatives are tuples in Python only."""
    if isinstance(value, dict):
        return {key: as_json(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        children = [as_json(child) for child in value]
        return {ANY_OF: children} if isinstance(value, tuple) else children
    return value


def print_asked(asked: Sequence[Asked], seconds: float) -> None:
    """A line for each endpoint and one for all, then each error once."""
    print(f"\n{'asked':<8} {'requests':>8} {'errors':>6} {'a second':>8} {'p50 ms':>7} {'p95 ms':>7} {'most ms':>7}")
    for name in (*ENDPOINTS, "all"):
        chosen = [each for each in asked if name in (each.endpoint, "all")]
        errors = sum(bool(each.error) for each in chosen)
        times = [1000 * each.seconds for each in chosen] or [float("nan")]
        figures = " ".join(f"{figure:>7.0f}" for figure in np.percentile(times, [50, 95, 100]))
        print(f"{name:<8} {len(chosen):>8,} {errors:>6,} {len(chosen) / seconds:>8.1f} {figures}")
    for error in sorted({each.error for each in asked if each.error}):
        print(f"error: {error}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=20, help="how many ask at a time (20)")
    parser.add_argument("--seconds", type=float, default=60, help="for how long (60)")
    parser.add_argument("--large", action="store_true", help="for as long as documents of 5 MB come in, too")
    parser.add_argument("--hard", type=int, metavar="NUMBER", help="for as long as so many costly inputs come in, too")
    arguments = parser.parse_args()
    guests: list[Callable[[str], Iterator[tuple[str, Asked]]]] = [send_large] * arguments.large
    guests += [partial(send_hard, number=arguments.hard)] * bool(arguments.hard)
    with served() as address, Users(address, arguments.users) as users:
        start = time.perf_counter()
        for guest in guests:
            for name, asked in guest(address):
                print(f"{asked.seconds:>6.2f} s {asked.endpoint:<8} {name}: {asked.error or 'answered'}", flush=True)
        if not guests:
            time.sleep(arguments.seconds)
        seconds = time.perf_counter() - start
    print_asked(users.asked, seconds)
    sys.exit(any(each.error for each in users.asked))


if __name__ == "__main__":
    main()
