"""Several processes: the same results whatever the input, and nothing left behind however they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, kieval
from docie.core.errors import DocumentError
from docie.corpus import processes

from processes import is_running, until

PATIENCE = 10
"""Seconds to wait for what takes less than two on an idle machine."""
DOCUMENTS: list[Any] = [{"a": str(number % 5), "g": [{"b": "1"}, {"b": str(number)}]} for number in range(700)]


class Unpicklable(dict[str, Any]):
    """A document that no other process can load."""

    def __reduce__(self) -> Any:
        raise TypeError("this cannot be pickled")


class PicklableOnlyOnce(dict[str, Any]):
    """A document that can be written, and not be read again."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = {"b": value}
    return value


def evaluate_with(number: int, documents: list[Any], **options: Any) -> Any:
    return corpus.evaluate(kieval, documents, DOCUMENTS, workers=number, **options)


@pytest.mark.parametrize(
    "document",
    [Unpicklable(a="1"), PicklableOnlyOnce(a="1"), {"a": {"b": nested(98)}}],
    ids=["unpicklable", "picklable only once", "deep"],
)
def test_what_cannot_travel_is_scored_as_with_one_worker(document: Any) -> None:
    documents = [*DOCUMENTS[:300], document, *DOCUMENTS[301:]]
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    assert evaluate_with(2, documents, **options) == evaluate_with(1, documents, **options)


@pytest.mark.parametrize("number", [1, 2])
def test_the_first_error_is_that_of_one_worker(number: int) -> None:
    """Of a document that cannot be scored, and not of what is read ahead."""

    def stream() -> Iterator[Any]:
        yield {"a": {"value": "1", "confidence": 7}}
        yield from DOCUMENTS[1:600]
        raise OSError("the file has gone")

    with pytest.raises(DocumentError, match="^document 0, entity 'a': confidence must be between 0 and 1, got 7$"):
        corpus.evaluate(kieval, stream(), DOCUMENTS, workers=number)
    with pytest.raises(OSError, match="gone"):
        corpus.evaluate(kieval, (row if index else {} for index, row in enumerate(stream())), DOCUMENTS, workers=number)


class OddError(Exception):
    """An error that cannot be pickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def odd(text: str) -> str:
    raise OddError(text, "other")


def crash(text: str) -> str:
    if text == "1":
        os._exit(3)
    return text


def fails(text: str) -> str:
    raise KeyError(text)


def test_errors_of_workers() -> None:
    settings = [kieval.Settings(normalize=function) for function in (odd, fails, crash)]
    with pytest.raises(OddError, match="0 and other"):
        corpus.evaluate(kieval, DOCUMENTS, DOCUMENTS, settings[0], workers=2)
    with pytest.raises(KeyError, match="0") as caught:
        corpus.evaluate(kieval, DOCUMENTS, DOCUMENTS, settings[1], workers=2)
    assert "in fails" in "".join(caught.value.__notes__)
    with pytest.raises(
        ValueError, match=r"^document 0: kieval lost its process \(exit code 3\), here or up to 255; max_s"
    ):
        corpus.evaluate(kieval, DOCUMENTS, DOCUMENTS, settings[2], workers=2)
    single = [{"a": str(number)} for number in range(5)]
    with pytest.raises(DocumentError, match=r"^document 1: kieval lost its process \(exit code 3\)$"):
        corpus.evaluate(kieval, single, single, settings[2], workers=2, max_seconds=60)


def test_too_many_workers() -> None:
    for number in (1001, 10**20):
        with pytest.raises(ValueError, match=f"^workers must be at most 1,000, got {number}$"):
            evaluate_with(number, DOCUMENTS)


def test_processes_are_started_when_there_is_work(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[processes.Worker] = []
    original = processes.ProcessPool._new

    def new(self: processes.ProcessPool) -> processes.Worker:
        started.append(original(self))
        return started[-1]

    monkeypatch.setattr(processes.ProcessPool, "_new", new)
    evaluate_with(1000, DOCUMENTS)
    assert 0 < len(started) <= 3  # chunks of 256 documents
    assert not any(worker.process.is_alive() for worker in started)


def test_a_process_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, work: bytes) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(processes.Worker, "__init__", refuse)
    with pytest.raises(ValueError, match="^worker 1 of 2 cannot be started: Resource temporarily unavailable$"):
        evaluate_with(2, DOCUMENTS)


SCRIPT = """
import os, pathlib, re, signal, sys, time
from docie import corpus, kieval

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with SIGINT ignored

def sleep(text):
    pathlib.Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(600)

def hold(text):  # one long call that lets no other thread run
    pathlib.Path(sys.argv[1], str(os.getpid())).touch()
    sum(range(10**13))

documents = [{"a": str(number)} for number in range(2000)]
corpus.evaluate(kieval, documents, documents, kieval.Settings(normalize=globals()[sys.argv[2]]), workers=2)
"""


@pytest.mark.parametrize(
    ("number", "function"),
    [
        (signal.SIGINT, "sleep"),
        (signal.SIGTERM, "sleep"),
        (signal.SIGKILL, "hold"),
        pytest.param(signal.SIGINT, "hold", marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGTERM, "hold", marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGKILL, "sleep", marks=pytest.mark.exhaustive),
    ],
)
def test_signals_leave_nothing_behind(number: signal.Signals, function: str, tmp_path: Path) -> None:
    if function == "hold" and sys.platform != "linux" and number != signal.SIGINT:
        pytest.skip("only Linux ends a process in the middle of such a call")
    parent = subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path), function], stderr=subprocess.PIPE)
    try:
        until(lambda: len([*tmp_path.iterdir()]) == 2, 60)
        found = [int(path.name) for path in tmp_path.iterdir()]
        assert parent.pid not in found
        parent.send_signal(number)
        _, errors = parent.communicate(timeout=PATIENCE)
        assert parent.returncode == -number
        assert errors.count(b"Traceback") == (number == signal.SIGINT)  # that of the parent alone
        until(lambda: not any(map(is_running, found)), PATIENCE)
    finally:
        parent.kill()
        for path in tmp_path.iterdir():
            if is_running(int(path.name)):
                os.kill(int(path.name), signal.SIGKILL)
