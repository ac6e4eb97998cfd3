"""Checkpoints: what is finished is not done again, and nothing else is taken for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from docie.corpus.workers import results_in_order
from docie.files.checkpoint import Checkpoint


class Counter:
    """Work that notes what it did, and fails on request."""

    def __init__(self, fails_at: int = -1) -> None:
        self.done: list[int] = []
        self.fails_at = fails_at

    def work(self, number: int) -> dict[str, int]:
        if number == self.fails_at:
            raise KeyboardInterrupt
        self.done.append(number)
        return {"square": number * number}


def run(folder: Path, counter: Counter, numbers: list[int], **facts: Any) -> list[Any]:
    checkpoint = Checkpoint(folder, facts, lambda number: ["file", number], 1)
    return list(results_in_order(counter.work, ((number,) for number in numbers), checkpoint))


def squares(numbers: list[int]) -> list[Any]:
    return [{"square": number * number} for number in numbers]


def test_a_run_that_was_killed_does_what_is_missing(tmp_path: Path) -> None:
    first, second, third = Counter(fails_at=3), Counter(), Counter()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "new" / "folder", first, [0, 1, 2, 3, 4])
    assert first.done == [0, 1, 2]
    assert run(tmp_path / "new" / "folder", second, [0, 1, 2, 3, 4]) == squares([0, 1, 2, 3, 4])
    assert second.done == [3, 4]
    assert run(tmp_path / "new" / "folder", third, [9, 0, 8, 4, 3, 7]) == squares([9, 0, 8, 4, 3, 7])
    assert third.done == [9, 8, 7]


def test_other_settings_are_not_mixed_in(tmp_path: Path) -> None:
    for facts in ({"normalize": "none"}, {"normalize": "casefold"}, {}):
        counter = Counter()
        run(tmp_path, counter, [1, 2], **facts)
        assert counter.done == [1, 2]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"run": {}, "input": ["file", 7], "result": {"square": 49}}'])
def test_what_is_no_result_is_counted_again(tmp_path: Path, text: str) -> None:
    run(tmp_path, Counter(), [1])
    [path] = tmp_path.iterdir()
    path.write_text(text, encoding="utf-8")
    counter = Counter()
    assert run(tmp_path, counter, [1]) == squares([1])
    assert counter.done == [1]
    assert json.loads(path.read_text(encoding="utf-8"))["result"] == {"square": 1}


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ValueError, match=r"file: no folder to keep results in \(File exists\)$"):
        Checkpoint(tmp_path / "file", {}, str)


def test_tasks_are_taken_one_by_one(tmp_path: Path) -> None:
    """So that a large input is never in memory as a whole."""
    taken: list[int] = []

    def tasks() -> Iterator[tuple[int]]:
        for number in range(10):
            taken.append(number)
            yield (number,)

    results = results_in_order(Counter().work, tasks(), Checkpoint(tmp_path, {}, lambda number: number))
    next(results)
    assert taken == [0]
