"""`docie demo` in a browser: everything comes from this machine, and Ctrl-C leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_the_demo_loads_nothing_and_leaves_nothing(opened: Callable[..., Any], tmp_path: Path) -> None:
    working, temporary = tmp_path / "working", tmp_path / "temporary"
    working.mkdir()
    temporary.mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "docie", "demo", "--no-browser"],
        cwd=working,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background ignores it
        start_new_session=True,  # so that the signal below reaches it and its workers alone, as Ctrl-C does
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.fullmatch(r"docie explorer: (http://127\.0\.0\.1:\d+/) \(Ctrl-C ends it\)\n", line)
            assert found, line
            page = opened(found[1])
            page.page.wait_for_selector("#score .dx-sentence")
            assert {urlsplit(address).netloc for address in page.requests} == {urlsplit(found[1]).netloc}
        finally:
            os.killpg(process.pid, signal.SIGINT)
            try:
                _, errors = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise
    assert (process.returncode, errors) == (0, "")
    with pytest.raises(ProcessLookupError):  # its workers have ended, too
        os.killpg(process.pid, 0)
    assert [*working.iterdir()] == []
    assert [each.name for each in temporary.iterdir() if "docie" in each.name or "gradio" in each.name] == []
