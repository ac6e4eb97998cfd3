"""Changes planted in sound documents, which `docie check` must find, and documents in which it must find nothing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from checkout import ROOT, skip_module_without
from sizes import share

skip_module_without("benchmarks", "examples")
BENCHMARKS = ROOT / "benchmarks"
GENERATOR = ("planted_changes", "planted_drafts", "planted_formats", "planted_sources", "planted_structures", "plants")
KINDS = ("format", "join", "records", "rename", "unwrap")
"""The hypotheses that a few cases show. Reports of failures rarely change the score of the shipped documents enough."""
NUMBERS, RENAMED = {"values.normalize": ("number",)}, {"predictions.rename": {"a": "b"}}
FOUND, EQUAL, FALSE = 0.95, 0.95, 0.01
CASES, NEGATIVES = share(500, 10), share(200, 5)  # some of the 2,000 and 600 that `benchmarks/planted.py` tries


@pytest.fixture(autouse=True)
def _benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped sources only, wherever the tests run."""
    monkeypatch.delenv("DOCIE_DATA", raising=False)


@pytest.fixture
def cases(shipped: None) -> list[Any]:
    """Some cases with planted changes."""
    import planted_changes

    return list(planted_changes.cases(100))


def imports_of(module: str) -> Iterator[str]:
    for node in ast.walk(ast.parse((BENCHMARKS / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)


@pytest.mark.parametrize("module", GENERATOR)
def test_the_generator_needs_nothing_but_the_standard_library(module: str) -> None:
    assert set(imports_of(module)) <= {*sys.stdlib_module_names, *GENERATOR}


@pytest.mark.exhaustive
@pytest.mark.usefixtures("shipped")
def test_cases_are_the_same_in_every_process() -> None:
    script = "import hashlib, planted_changes as p; print(hashlib.md5(repr([c[2:] for c in p.cases(60)]).encode()).hexdigest())"
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": str(BENCHMARKS), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1


@pytest.mark.exhaustive
def test_a_case_is_made_again_from_its_name(cases: list[Any]) -> None:
    import planted_changes

    for case in islice(cases, 0, None, 10):
        again = planted_changes.make(case.name)
        assert again is not None
        assert again._replace(planted=[]) == case._replace(planted=[])


def test_every_planted_change_must_be_found(cases: list[Any]) -> None:
    for case in cases:
        assert (case.references, case.predictions) != (case.sound_references, case.sound_predictions), case.name
        for planted in case.planted:
            assert planted.right >= 3, case.name
            assert 2 * planted.right >= planted.values, case.name
            assert planted.kind == "failures" or not planted.asks({}), case.name


def test_every_hypothesis_is_planted_alone_and_in_pairs(cases: list[Any]) -> None:
    kinds = [[planted.kind for planted in case.planted] for case in cases]
    assert {kind for each in kinds if len(each) == 1 for kind in each} >= {*KINDS}
    assert {kind for each in kinds if len(each) == 2 for kind in each} >= {*KINDS}
    assert all(len({*each}) == len(each) for each in kinds)


def verdict_on(name: str, monkeypatch: pytest.MonkeyPatch, *findings: tuple[str, dict[str, Any], float]) -> Any:
    """The verdict on a case in which `docie.check` has these findings: kind, configuration and score after."""
    import planted

    found = [
        SimpleNamespace(kind=kind, is_applied=True, is_certain=True, config=config, before=0.0, after=after)
        for kind, config, after in findings
    ]
    check = lambda predictions, references: SimpleNamespace(findings=found)  # noqa: E731
    monkeypatch.setattr(planted, "docie", SimpleNamespace(check=check))
    return planted.judged(name)


@pytest.mark.usefixtures("shipped")
def test_verdicts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict needs the right option, in the right place, and the sound score after it."""
    import planted
    import planted_changes

    name = "invoices-shipped/folders@predictions+thousands@predictions/0"
    case = planted_changes.make(name)
    assert case is not None
    plain, normalized = (planted.sound_score(case, options) for options in ({}, NUMBERS))
    assert 0.8 < plain < 1
    join, format_ = ("join", {"predictions.strip_id": ("folder",)}), ("format", NUMBERS)
    for findings, expected in (
        ([(*join, 0.5), (*format_, normalized)], (True, True)),
        ([(*format_, 0.5), (*join, normalized)], (True, True)),
        ([(*join, 0.5), (*format_, normalized + 1e-15)], (True, False)),
        ([("rename", RENAMED, 0.4), (*join, 0.5), (*format_, normalized)], (False, True)),
        ([(*join, normalized)], (False, False)),
        ([("join", {"join.extra": "drop"}, 0.5), (*format_, normalized)], (False, False)),
        ([], (False, False)),
    ):
        verdict = verdict_on(name, monkeypatch, *findings)
        assert (verdict.is_first, verdict.is_equal) == expected, findings


@pytest.mark.usefixtures("shipped")
def test_verdicts_without_a_planted_change(monkeypatch: pytest.MonkeyPatch) -> None:
    name, finding = "receipts-careful/bad-values/0", ("rename", RENAMED, 0.5)
    assert verdict_on(name, monkeypatch).is_first
    assert not verdict_on(name, monkeypatch, finding).is_first
    assert verdict_on(name, monkeypatch, ("ambiguous", {}, 0.5)).is_first


@pytest.mark.exhaustive
@pytest.mark.usefixtures("shipped")
def test_shipped_documents_with_planted_changes() -> None:
    import planted
    import planted_changes

    found = planted.verdicts(planted_changes.names(), 20)
    _, first, equal = planted.shares(found)["all"]
    failed = [each for each in found if not (each.is_first and each.is_equal)]
    assert first >= FOUND, failed
    assert equal >= EQUAL, failed


@pytest.mark.exhaustive
@pytest.mark.usefixtures("shipped")
def test_shipped_documents_without_planted_changes() -> None:
    import planted
    import planted_changes

    assert [each for each in planted.verdicts(planted_changes.negative_names(), 16) if not each.is_first] == []


@pytest.mark.exhaustive
def test_planted_changes_are_found(data: Path) -> None:
    import planted
    import planted_changes

    found = planted.verdicts(islice(planted_changes.names(), 0, None, 4), CASES, workers=os.cpu_count() or 1)
    shares = planted.shares(found)
    assert shares["all"][0] == CASES
    poor = {row: each for row, each in shares.items() if "+" not in row and (each[1] < FOUND or each[2] < EQUAL)}
    assert poor == {}, [each for each in found if not (each.is_first and each.is_equal)]


@pytest.mark.exhaustive
def test_nothing_is_found_where_nothing_is_planted(data: Path) -> None:
    import planted
    import planted_changes

    found = planted.verdicts(planted_changes.negative_names(), NEGATIVES, workers=os.cpu_count() or 1)
    false = [each for each in found if not each.is_first]
    assert len(found) == NEGATIVES
    assert len(false) <= FALSE * len(found), false
