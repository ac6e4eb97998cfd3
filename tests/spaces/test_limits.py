"""What is too large is refused, what takes too long is ended, and others go on."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from docie.core.values.json_text import MAX_DEPTH
from docie.spaces.common import inputs, limits, page, work
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError
from docie.spaces.common.page.launching import QUEUE, WORKERS
from docie.spaces.common.runner import Runner
from docie.spaces.explorer import app

from processes import is_running, until

SMALL = '{"total": "1"}'


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    """Two workers, which end what takes longer than two seconds."""
    runner = Runner(2, time_limit=2.0, max_memory=200 << 20)
    yield runner
    runner.close()


def refusal(**texts: Any) -> RefusedError:
    with pytest.raises(RefusedError) as caught:
        inputs.read(Form(**{"references": SMALL, "predictions": SMALL, **texts}))
    return caught.value


@pytest.mark.parametrize("side", ["references", "predictions"])
def test_long_texts_are_refused(side: str) -> None:
    error = refusal(**{side: json.dumps({"a": "x" * limits.MAX_CHARACTERS})})
    assert error.field == side
    assert f"at most {limits.MAX_CHARACTERS:,} are read" in str(error)


def test_long_answers_are_refused_before_they_are_read() -> None:
    assert "characters" in str(refusal(predictions="{" * (limits.MAX_CHARACTERS + 1), form="llm"))


@pytest.mark.parametrize("depth", [150, 5_000, 300_000])
def test_deep_documents_are_refused(depth: int) -> None:
    error = refusal(predictions='{"a":' + "[" * depth + "]" * depth + "}")
    assert error.field == "predictions"
    assert "nested" in str(error)


def test_documents_at_the_limit_are_read() -> None:
    depth = MAX_DEPTH - 1
    form = Form(references='{"a":' + "[" * depth + "1" + "]" * depth + "}", predictions=SMALL)
    assert len(inputs.read(form).references) == 1


def test_many_documents_are_refused() -> None:
    assert "1,001 documents" in str(refusal(references="\n".join([SMALL] * (limits.MAX_DOCUMENTS + 1))))


def test_five_megabytes_are_answered_at_once(explorer: Any) -> None:
    start = time.perf_counter()
    with pytest.raises(Exception, match="too many characters"):
        explorer.predict(json.dumps({"a": "x" * 5_000_000}), SMALL, api_name="/score")
    assert time.perf_counter() - start < 60  # it does not hang; the benchmark measures it


@pytest.mark.exhaustive
def test_an_endless_computation_is_ended_and_others_go_on(runner: Runner) -> None:
    errors: list[str] = []

    def endless() -> None:
        with pytest.raises(RefusedError) as caught:
            runner.run(time.sleep, 3600)
        errors.append(str(caught.value))

    thread = threading.Thread(target=endless)
    thread.start()
    results = [runner.run(max, number, 7) for number in range(10)]
    thread.join()
    assert results == [7, 7, 7, 7, 7, 7, 7, 7, 8, 9]
    assert errors == ["This took more than 2 seconds, and was stopped."]
    assert runner.run(max, 1, 2) == 2


@pytest.mark.exhaustive
def test_a_busy_computation_is_ended(runner: Runner) -> None:
    with pytest.raises(RefusedError, match="was stopped"):
        runner.run(pow, 7, 10**9)  # one call, in which Python looks at no signal


FILES = ["costs", "schema", "weights", "corrections", "config"]
"""Options that are paths on the command line."""


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("work_on", [work.score, work.explain, work.report_of])
def test_no_file_of_the_server_is_read(name: str, work_on: Callable[[Form], object], tmp_path: Path) -> None:
    path = tmp_path / "secret.json"
    path.write_text('{"id": "secret"}', encoding="utf-8")
    form = Form(references='{"a": "1"}', predictions='{"a": "1"}', families=["kieval"], options={name: str(path)})
    with pytest.raises(RefusedError, match=f"^{name}") as caught:
        work_on(form)
    assert "secret" not in str(caught.value).replace(str(path), "")


def test_workers_are_reused(runner: Runner) -> None:
    found = {runner.run(os.getpid) for _ in range(10)}
    assert len(found) <= 2
    assert os.getpid() not in found


SCRIPT = """
import os, threading, time
from docie.spaces.common.runner import Runner

runner = Runner(1)
worker = runner.run(os.getpid)
threading.Thread(target=runner.run, args=(pow, 7, 10**9), daemon=True).start()  # lets no other thread of the worker run
time.sleep(0.5)
print(worker, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process in the middle of such a call")
def test_no_worker_outlives_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_running(worker)
        parent.kill()
    try:
        until(lambda: not is_running(worker), 10)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)


def test_a_worker_outlives_the_thread_that_called_it_first() -> None:
    runner = Runner(1)
    with ThreadPoolExecutor(1) as pool:
        worker = pool.submit(runner.run, os.getpid).result()
    assert runner.run(os.getpid) == worker
    runner.close()


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the system says nothing of memory")
def test_memory_is_limited(runner: Runner) -> None:
    with pytest.raises(RefusedError, match="memory"):
        runner.run(bytearray, 1 << 30)
    assert len(runner.run(bytearray, 1 << 20)) == 1 << 20


def test_a_worker_that_ends_is_replaced(runner: Runner) -> None:
    with pytest.raises(RefusedError, match="was stopped"):
        runner.run(os._exit, 1)
    assert runner.run(max, 1, 2) == 2


def test_unforeseen_errors_show_no_text_of_the_visitor(runner: Runner) -> None:
    with pytest.raises(RefusedError) as caught:
        runner.run(int, "a secret")
    assert "secret" not in str(caught.value)
    assert "ValueError" in str(caught.value)


def test_a_page_records_nothing_and_is_bounded(explorer: Any) -> None:
    demo = app.demo
    assert not any((demo.run_history, demo.enable_monitoring, demo.ssr_mode, demo.analytics_enabled))
    assert demo._queue.max_size == QUEUE
    events = {(event.concurrency_id, event.concurrency_limit) for event in demo.fns.values()}
    assert events == {("work", WORKERS)}  # together, not each


def test_refusals_keep_their_place(explorer: Any) -> None:
    with pytest.raises(RefusedError) as caught:
        page.runner().run(inputs.read, Form(references=SMALL, predictions='{"a": }'))
    assert (caught.value.field, caught.value.line, caught.value.column) == ("predictions", 1, 7)


@pytest.mark.parametrize(
    "inputs", [["a secret"], ["a secret", "{}", [], {}, "json", None, "more"], [1, {}, 2, 3, 4, 5]]
)
def test_requests_that_no_page_sends_are_not_logged(
    inputs: list[Any], explorer: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    address = f"{explorer.src}gradio_api/call/score"
    event = httpx.post(address, json={"data": inputs}).json()["event_id"]
    answer = httpx.get(f"{address}/{event}", timeout=60).text
    assert answer.startswith("event: error")
    assert "secret" not in answer + "".join(capfd.readouterr())
