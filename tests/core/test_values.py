"""Deep JSON, in one thread and in several."""

from __future__ import annotations

import datetime
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from docie import anls_star, kieval, nted
from docie.adapters import llm
from docie.core.values.json_text import (
    CALLS_FOR_DEPTH,
    MAX_TEXT_DEPTH,
    as_json,
    check_nesting,
    loads,
    with_deep_recursion,
)
from docie.core.values.plain import plain_value, scalar_text


def nested(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = {"a": value, "b": ["y", "z"]}
    return value


def test_text_that_is_nested_too_deep_raises_every_time() -> None:
    for _ in range(3):
        with pytest.raises(RecursionError):
            loads("[" * 200_000)
    assert sys.getrecursionlimit() < 3 * CALLS_FOR_DEPTH  # and asks for no more room each time


def test_room_is_the_same_however_deep_the_caller_is() -> None:
    def deep(calls: int) -> Any:
        return deep(calls - 1) if calls else with_deep_recursion(lambda: recursive(5_000))

    def recursive(calls: int) -> int:
        return recursive(calls - 1) if calls else 1

    assert deep(500) == 1


SCRIPT = """
import sys
from docie import anls_star
value = "x"
for _ in range(250):
    value = [[value, "b"], "b"]
document = {"a": "x", "z": value}
assert sys.getrecursionlimit() == 1000
first, second = (anls_star.count(document, document) for _ in range(2))
assert sys.getrecursionlimit() > 1000
assert first == second and first.rows["path", "a"] == [1.0, 1], first.rows
"""


def test_what_is_done_again_is_counted_once() -> None:
    """In a process of its own: the limit is raised once, for the first deep document."""
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)


@pytest.mark.exhaustive
def test_threads_do_not_take_the_room_from_one_another() -> None:
    documents, errors = nested(600), []

    def work() -> None:
        try:
            for _ in range(3):
                assert anls_star.score(anls_star.count(documents, documents))["anls_star"] == 1.0
                assert nted.score(nted.count(documents, documents))["nted_accuracy"] == 1.0
        except BaseException as error:
            errors.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert not errors


def test_a_higher_limit_of_the_user_stays() -> None:
    limit = sys.getrecursionlimit()
    calls: list[int] = []

    def work() -> int:
        calls.append(1)
        if len(calls) == 1:
            raise RecursionError
        return sys.getrecursionlimit()

    try:
        sys.setrecursionlimit(40_000)
        assert with_deep_recursion(work) == 40_000
    finally:
        sys.setrecursionlimit(limit)


def test_text_is_refused_before_a_stack_is_too_small_for_it() -> None:
    """Whatever the limit on calls is; brackets in texts, and what stands behind the value, do not count."""
    levels = MAX_TEXT_DEPTH
    check_nesting("[" * levels)
    check_nesting('["' + "[" * 2 * levels + '\\"[", []]' + "[" * 2 * levels)
    check_nesting("[{}]" * 2 * levels)
    check_nesting("[" * 2 * levels, start=levels)
    for text in ("[" * (levels + 1), '{"]": [' * levels, '["]", ' * (levels + 1)):
        with pytest.raises(RecursionError, match="^nested more than 3000 levels deep$"):
            check_nesting(text)


def test_scalars_of_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    values = pyarrow.array([{"a": 1.5, "b": ["x", None]}])
    assert plain_value(values[0]) == {"a": 1.5, "b": ["x", None]}
    assert plain_value(values) == [{"a": 1.5, "b": ["x", None]}]
    assert [scalar_text(value) for value in pyarrow.array(["x", None])] == ["x", None]
    assert scalar_text(pyarrow.scalar(datetime.date(2023, 12, 31))) == "2023-12-31"
    with pytest.raises(TypeError, match="^expected text, a number, "):
        plain_value(pyarrow.scalar(b"x"))


def test_json_of_what_contains_itself() -> None:
    cycle: dict[str, Any] = {}
    cycle["a"] = [cycle, cycle]
    with pytest.raises(ValueError, match="^nested more than 1000 levels deep$"):
        with_deep_recursion(lambda: as_json(cycle, is_reference=False))


def test_what_holds_one_list_very_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 lists, each twice in the next one, are a million million values for whoever walks through them."""
    value: Any = "x"
    for _ in range(40):
        value = [value, value]
    for module in (
        "docie.core.values.json_text",
        "docie.documents.leaves",
        "docie.adapters.parsed",
    ):
        monkeypatch.setattr(f"{module}.MAX_VALUES", 1000)
    refused: list[Callable[[], Any]] = [lambda: anls_star.count({"a": value}, {}), lambda: kieval.count({}, {"a": value}), lambda: kieval.count({"a": {"b": value}}, {}), lambda: as_json({"a": value}, is_reference=False)]  # fmt: skip
    for call in refused:
        with pytest.raises(ValueError, match="more than 10,000,000 values$"):
            call()
    assert "which is behind more than 10,000,000 values" in " ".join(llm.to_document({"a": value}).issues)
