"""Many visitors at a time: none meets an error, and costly inputs hold nobody up."""

from __future__ import annotations

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from checkout import ROOT

pytest.importorskip("gradio")
from docie.spaces.common import work
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError
from docie.spaces.common.runner import Runner

BENCHMARKS = ROOT / "benchmarks"
SMALL = Form(references='{"total": "1"}', predictions='{"total": "2"}', families=["kieval"])


@pytest.mark.exhaustive(minutes=True)
def test_twenty_users_meet_no_error() -> None:
    command = [sys.executable, str(BENCHMARKS / "space_load.py"), "--users", "20", "--seconds", "10"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    found = re.search(r"^all +([\d,]+) +(\d+) ", done.stdout, re.MULTILINE)
    assert found, done.stdout
    assert int(found[1].replace(",", "")) >= 20
    assert found[2] == "0"


@pytest.mark.exhaustive(minutes=True)
def test_costly_inputs_end_while_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)
    from space_load import costliest

    runner = Runner(2, time_limit=3.0, is_warm=True)
    overtaken, refusals = set(), {}
    with ThreadPoolExecutor(1) as visitor:
        for costly in costliest(10):
            texts = costly.texts
            form = Form(references=texts.references, predictions=texts.predictions, families=[costly.family])
            waiting = visitor.submit(runner.run, work.views, form)
            assert runner.run(work.score, SMALL)["kieval"]["corrections"] == 1
            if not waiting.done():
                overtaken.add((costly.family, costly.name))
            try:
                waiting.result()  # it has been answered in time
            except RefusedError as refused:
                refusals[costly.family, costly.name] = str(refused)
    runner.close()
    longest = "nted", "5,000 line items"  # 625 million cells: several times the limit
    assert longest in overtaken
    assert longest in refusals
    assert {*refusals.values()} == {"This took more than 3 seconds, and was stopped."}
