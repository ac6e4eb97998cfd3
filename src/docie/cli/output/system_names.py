"""The names of the systems that `docie compare` compares: given ones, or those of their files."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from docie.core.phrases import NAMED, some_of


def names_of(predictions: list[str], given: Sequence[str], baseline: str | None) -> dict[str, str]:
    """From the name of each system to its path, the baseline first."""
    if len(predictions) < 2:
        raise ValueError(f"compare needs the predictions of two or more systems; {_advice(*predictions)}")
    if given and len(given) != len(predictions):
        raise ValueError(f"--name: expected one name for each of {len(predictions)} systems, got {len(given)}")
    if double := [name for name, times in Counter(given).items() if times > 1 or not name]:
        raise ValueError(f"--name: each system needs a name of its own, got {double[0]!r}")
    names = dict(zip(given or _short_names(predictions), predictions, strict=True))
    if baseline is not None and baseline not in names:
        raise ValueError(f"--baseline: {baseline!r} is none of the systems: {', '.join(names)}")
    return names if baseline is None else {baseline: names[baseline]} | names


def _advice(path: str) -> str:
    """What to do with a single path. A folder may hold several systems, which are named one by one."""
    held = sorted(name for name in os.listdir(path) if not name.startswith(".")) if os.path.isdir(path) else []
    if len(held) < 2:
        return "docie score scores one"
    paths = shlex.join(os.path.join(path, name) for name in held[:NAMED])
    return (
        f"{path} is one, which docie score scores; it holds {some_of(held)}; if each is a system, docie compare "
        f"REFERENCES {paths} compares them, and --name NAME for each names them"
    )


def _short_names(predictions: list[str]) -> list[str]:
    """The names of files or, where these do not tell them apart, their paths, without what all have in common.

    >>> _short_names(["runs/a/predictions-gpt.jsonl", "runs/b/predictions-gemini.jsonl"])
    ['gpt', 'gemini']
    >>> _short_names(["runs/a/out.jsonl", "runs/b/out.jsonl"]), _short_names(["x/a.json", "x/a.json"])
    (['a', 'b'], ['a', 'a (2)'])
    """
    files = len({*predictions})
    names = ["stdin" if path == "-" else Path(path).stem for path in predictions]
    if len({*names}) < files:
        names = [str(Path(path).with_suffix("")) for path in predictions]
    if len({*names}) < files:  # two files differ in their ending
        names = predictions
    elif files > 1:
        for _ in range(2):  # what they begin with, and then what they end with
            first, last = min(names), max(names)
            common = [place for place, (one, other) in enumerate(zip(first[:-1], last, strict=False)) if one != other]
            start = first[: common[0] if common else len(first) - 1]
            cut = max(map(start.rfind, "-_./\\ ")) + 1
            names = [name[cut:][::-1] for name in names]
    return [name if number == 1 else f"{name} ({number})" for name, number in _numbered(names)]


def _numbered(names: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Each name with how often it has been there so far: a system may be compared with itself."""
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        yield name, seen[name]
