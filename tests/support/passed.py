"""Tests that need not run again: what passed in one environment is left out in the next, where more is installed.

DOCIE_PASSED names a file of tests, one a line. Those that it lists are left out, those that pass are added to it. So all
tests together are run once, in as many environments as it takes, and what was skipped everywhere is seen in the last one.
"""

from __future__ import annotations

from pathlib import Path

import pytest


class Passed:
    """The plugin of pytest that reads and writes the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = {*path.read_text(encoding="utf-8").splitlines()} if path.exists() else set()
        self.now: list[str] = []

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        # an exhaustive test may have had another size
        left_out = [item for item in items if item.nodeid in self.before and not item.get_closest_marker("exhaustive")]
        names = {item.nodeid for item in left_out}
        items[:] = [item for item in items if item.nodeid not in names]
        config.hook.pytest_deselected(items=left_out)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            self.now.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):  # a process of xdist
            self.path.write_text("".join(f"{name}\n" for name in sorted({*self.before, *self.now})), encoding="utf-8")
