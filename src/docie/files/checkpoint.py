"""Results of tasks that are kept in a folder, so that a run that was killed counts only what is missing."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from docie.core.values.plain import JsonObject
from docie.corpus.processes import Result
from docie.corpus.workers import Engine, Task, results_in_order


class Checkpoint:
    """An engine that keeps the result of each task as a JSON file, and does no task twice.

    Args:
        folder: where the files are. It is made if it is missing.
        run: plain JSON values that decide what a task gives: settings, options.
        identify: says of the arguments of a task which input that is, in plain JSON values: names, sizes and times of
            files. A result is used again only for the same `run` and the same identity.
        workers: who does the other tasks: a number of processes, or an engine.

    Attributes:
        found: the number of results that were there.
        added: the number of results that were not.

    Raises:
        ValueError: for a folder that cannot be written.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        run: Mapping[str, object],
        identify: Callable[..., object],
        workers: int | Engine = 1,
    ) -> None:
        self.folder, self.run, self.identify, self.workers = Path(folder), dict(run), identify, workers
        self.found = self.added = 0
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            probe = self.folder / f".docie-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise ValueError(f"{folder}: no folder to keep results in ({error.strerror or error})") from None

    def in_order(self, work: Callable[[*Task], Result], tasks: Iterator[tuple[*Task]]) -> Iterator[Result]:
        """The results of all tasks in order, as plain JSON values. Those that are missing are kept as they come."""
        queue: deque[tuple[JsonObject, bool]] = deque()  # the facts of each task, and whether its result is there

        def missing() -> Iterator[tuple[*Task]]:
            for task in tasks:
                facts = json.loads(json.dumps({"run": self.run, "input": self.identify(*task)}))
                is_there = self._kept(facts) is not None
                queue.append((facts, is_there))
                if not is_there:
                    yield task

        for result in results_in_order(work, missing(), self.workers):
            yield from self._those_there(queue)
            self._keep(queue.popleft()[0], result)
            self.added += 1
            yield result
        yield from self._those_there(queue)

    def _those_there(self, queue: deque[tuple[JsonObject, bool]]) -> Iterator[Any]:
        """The results at the head of the queue that were there before this run."""
        while queue and queue[0][1]:
            self.found += 1
            yield self._kept(queue.popleft()[0])

    def _path(self, facts: Mapping[str, object]) -> Path:
        digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
        return self.folder / f"{digest[:32]}.json"

    def _kept(self, facts: Mapping[str, object]) -> Any:
        """The result that was kept; None if there is none, or half a file."""
        with contextlib.suppress(FileNotFoundError, ValueError, KeyError, TypeError):
            kept = json.loads(self._path(facts).read_text(encoding="utf-8"))
            if {"run": kept["run"], "input": kept["input"]} == facts:
                return kept["result"]
        return None

    def _keep(self, facts: Mapping[str, object], result: object) -> None:
        path = self._path(facts)
        unfinished = path.with_suffix(".unfinished")
        try:
            unfinished.write_text(json.dumps({**facts, "result": result}), encoding="utf-8")
            os.replace(unfinished, path)
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror or error}") from None
