"""How much a test repeats: little by default, everything with `pytest -m exhaustive`.

`examples`, `times` and `length` decorate a test. With `-m exhaustive` the test has its full size and the mark
`exhaustive`, by default a tenth of that size, and of random examples half as many. A test that is slow at any size has
`@pytest.mark.exhaustive` itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import hypothesis
import pytest

FULL = False
"""Whether tests have their full sizes. tests/conftest.py sets it before the tests are imported."""
LEAST = 20
MOST_EXAMPLES = 1_000_000
"""Of a hypothesis test. mutants.py, which runs tests thousands of times, lowers it."""

Test = TypeVar("Test", bound=Callable[..., Any])


def examples(full: int, small: int | None = None) -> Callable[[Test], Test]:
    """The number of examples of a hypothesis test, in place of `hypothesis.settings`."""
    number = full if FULL else max(LEAST, _size(full, small) // 2)  # drawing them is most of a test's time
    settings = hypothesis.settings(max_examples=min(MOST_EXAMPLES, number), deadline=None)
    return lambda test: _marked(settings(test))


def times(full: int, small: int | None = None) -> Callable[[Test], Test]:
    """Pass the number of repetitions to a test, as its argument `times`."""
    return _argument("times", full, small)


def length(full: int, small: int | None = None) -> Callable[[Test], Test]:
    """Pass the length of a text or of a list to a test, as its argument `length`."""
    return _argument("length", full, small)


def _argument(name: str, full: int, small: int | None) -> Callable[[Test], Test]:
    parametrize = pytest.mark.parametrize(name, [_size(full, small)])
    return lambda test: _marked(parametrize(test))


def _size(full: int, small: int | None) -> int:
    return full if FULL else min(full, small or max(LEAST, full // 10))


def _marked(test: Test) -> Test:
    return pytest.mark.exhaustive(test) if FULL else test
