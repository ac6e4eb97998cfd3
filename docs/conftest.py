"""The examples of these pages run in the checkout, whose files they read."""

from __future__ import annotations

from pathlib import Path

import pytest

# they need matplotlib, a browser or Sphinx, and have no examples
collect_ignore = ["conf.py", "make_picture.py", "make_plots.py", "make_report_picture.py", "make_space_pictures.py"]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).resolve().parents[1])
