"""Receipts to draw, and a look at what charts must leave alone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

import docie

from checkout import ROOT

RECEIPTS = ROOT / "examples" / "receipts"


@pytest.fixture(autouse=True)
def nothing_global_is_changed() -> Iterator[None]:
    mpl = pytest.importorskip("matplotlib", reason="charts need matplotlib")
    before = {**mpl.rcParams}
    yield
    assert {**mpl.rcParams} == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


@pytest.fixture(scope="module")
def receipts() -> tuple[list[Any], list[Any]]:
    if not RECEIPTS.exists():
        pytest.skip("the examples are not here")
    return docie.read(RECEIPTS / "predictions-hasty.jsonl"), docie.read(RECEIPTS / "references.jsonl")
