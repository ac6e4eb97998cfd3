"""How much a test repeats: little by default, everything with `pytest -m exhaustive`.

`examples`, `times` and `length` decorate a test. With `-m exhaustive` the test has its full size, or with
`DOCIE_SIZES=0.3` that share of it, and the mark `exhaustive`; by default a tenth of it, and of random examples a quarter
of that. A test that is slow at any size has `@pytest.mark.exhaustive` itself; with `DOCIE_SIZES=0.3`, that share of those
in a file runs, at least one. One that takes a minute whatever its size has `@pytest.mark.exhaustive(minutes=True)`: it
runs at full size only.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import hypothesis
import pytest

SHARE = float(os.environ.get("DOCIE_SIZES", "1"))
"""The share of the full sizes that `-m exhaustive` runs: all of them before a release."""
FULL = False
"""Whether tests have their full sizes. tests/conftest.py sets it before the tests are imported."""
TENTH = 0.1
"""What runs by default, of random examples less: tests are not repeated at this share, or at less."""
LEAST = 20
FEWEST = 10
"""Of random examples by default."""
MOST_EXAMPLES = int(os.environ.get("DOCIE_EXAMPLES", "1000000"))
"""Of a hypothesis test. mutants.py, which runs tests thousands of times, lowers it, as does who runs all tests twice."""

Test = TypeVar("Test", bound=Callable[..., Any])


def examples(full: int, small: int | None = None) -> Callable[[Test], Test]:
    """The number of examples of a hypothesis test, in place of `hypothesis.settings`."""
    # drawing them is most of a test's time
    size = _size(full, small)
    number = size if _is_larger() else max(size // 4, min(size, FEWEST))
    settings = hypothesis.settings(max_examples=min(MOST_EXAMPLES, number), deadline=None)
    return lambda test: _marked(settings(test))


def times(full: int, small: int | None = None) -> Callable[[Test], Test]:
    """Pass the number of repetitions to a test, as its argument `times`."""
    return _argument("times", full, small)


def length(full: int, small: int | None = None) -> Callable[[Test], Test]:
    """Pass the length of a text or of a list to a test, as its argument `length`."""
    return _argument("length", full, small)


def share(full: int, least: int) -> int:
    """The size of what is slow at any size: the share of the full one that runs, but never less than the least."""
    return max(least, min(full, round(SHARE * full)))


def left_out(items: Iterable[pytest.Item]) -> set[str]:
    """The ids of exhaustive tests that do not run: those that take minutes; and of each file, all but the share of the
    others, spread evenly."""
    by_file: dict[object, list[str]] = {}
    out = set[str]()
    for item in items:
        marks = [*item.iter_markers("exhaustive")]
        if any(mark.kwargs.get("minutes") for mark in marks):
            out.add(item.nodeid)
        elif marks:
            by_file.setdefault(item.path, []).append(item.nodeid)
    for names in by_file.values():
        wanted = max(1, round(SHARE * len(names)))
        out.update({*names} - {names[place * len(names) // wanted] for place in range(wanted)})
    return out


def _argument(name: str, full: int, small: int | None) -> Callable[[Test], Test]:
    parametrize = pytest.mark.parametrize(name, [_size(full, small)])
    return lambda test: _marked(parametrize(test))


def _size(full: int, small: int | None) -> int:
    little = min(full, small or max(LEAST, full // 10))
    return max(little, round(SHARE * full)) if _is_larger() else little


def _is_larger() -> bool:
    return FULL and SHARE > TENTH


def _marked(test: Test) -> Test:
    return pytest.mark.exhaustive(test) if _is_larger() else test
