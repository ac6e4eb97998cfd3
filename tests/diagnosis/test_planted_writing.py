"""Documents that one side writes differently: `docie score` reads them, or `docie check` mends or names the difference."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from checkout import ROOT, skip_module_without
from sizes import SHARE

skip_module_without("benchmarks", "examples")
BENCHMARKS = ROOT / "benchmarks"
SHIPPED = ("receipts-careful", "invoices-shipped")
KNOWN = frozenset[str]()
"""The sorts of which some are known to move a score without a word."""
FEW = 4  # one sort in so many, and one control in so many more
NAMED = 0.75  # of the cases that plain scores do not read


@pytest.fixture(autouse=True)
def _benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shipped sources only, wherever the tests run."""
    monkeypatch.delenv("DOCIE_DATA", raising=False)


def first_of_sorts() -> Iterator[tuple[str, int]]:
    """The first difference of each sort, and the shipped source that it is planted in."""
    import planted_writing

    sorts = [difference.sort for difference in planted_writing.DIFFERENCES]
    for place, sort in enumerate(dict.fromkeys(sorts)):
        yield SHIPPED[place // FEW % 2], sorts.index(sort)


def silent_of(verdicts: list[Any]) -> list[str]:
    return [each.name for each in verdicts if each.verdict == "silent" and each.sort not in KNOWN]


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)


def test_what_is_planted_does_not_look_at_docie() -> None:
    paths = [path for path in BENCHMARKS.glob("writing_*.py") if path.stem != "writing_runs"]
    allowed = {*sys.stdlib_module_names, "planted_sources", "openpyxl", "pyarrow", *(path.stem for path in paths)}
    assert len(paths) > 3
    assert {name for path in paths for name in imports_of(path)} <= allowed


@pytest.mark.usefixtures("shipped")
def test_differences_are_of_many_sorts_and_have_names_of_their_own() -> None:
    import planted_writing
    from planted_writing import CONTROLS

    names = [(each.sort, each.name, each.side) for each in planted_writing.DIFFERENCES]
    assert len({*names}) == len(names) >= 120
    assert len({each.sort for each in planted_writing.DIFFERENCES}) >= 40
    assert len({each.name for each in CONTROLS}) == len(CONTROLS) >= 40


@pytest.mark.usefixtures("shipped")
def test_every_difference_can_be_planted_in_shipped_documents() -> None:
    import planted_writing
    from writing_cases import case_of

    for difference in planted_writing.DIFFERENCES:
        assert any(case_of(difference, where) for where in SHIPPED) or difference.name == "snake case", difference


@pytest.mark.usefixtures("shipped")
def test_a_difference_is_planted_the_same_again() -> None:
    from planted_writing import DIFFERENCES
    from writing_cases import case_of

    for difference in DIFFERENCES[::7]:
        one, other = (case_of(difference, SHIPPED[0]) for _ in range(2))
        assert one == other


@pytest.mark.usefixtures("shipped")
def test_no_sort_is_silent() -> None:
    import planted_writing

    found = [each for place in [*first_of_sorts()][::FEW] if (each := planted_writing.judged_at(place))]
    assert len(found) > 20
    assert silent_of(found) == []


@pytest.mark.usefixtures("shipped")
def test_no_advice_raises_the_score_of_a_wrong_model() -> None:
    import planted_writing
    from planted_writing import CONTROLS

    for place, control in enumerate(CONTROLS[:: FEW * 4]):
        made = planted_writing.lifted(control.name, SHIPPED[place % 2])
        assert made is None or made[2] <= made[1] + planted_writing.SLACK, made


@pytest.mark.parametrize("where", SHIPPED)
@pytest.mark.usefixtures("shipped")
def test_nothing_is_found_in_clean_documents(where: str) -> None:
    import planted_writing

    assert list(planted_writing.false_findings(where)) == []


@pytest.mark.exhaustive(minutes=True)
@pytest.mark.usefixtures("shipped")
def test_shipped_documents_that_are_written_differently() -> None:
    import planted_writing

    places = [*planted_writing.names_of_cases(SHIPPED)][:: round(1 / SHARE)]
    found = list(planted_writing.verdicts(places, workers=os.cpu_count() or 1))
    named = [each for each in found if each.verdict in ("mended", "told")]
    assert silent_of(found) == []
    assert len(named) >= NAMED * sum(each.verdict != "read" for each in found)


@pytest.mark.exhaustive
@pytest.mark.parametrize("where", SHIPPED)
@pytest.mark.usefixtures("shipped")
def test_no_advice_raises_the_score_of_any_wrong_model(where: str) -> None:
    import planted_writing
    from planted_writing import CONTROLS

    controls = [*CONTROLS][:: round(1 / SHARE)]
    made = [each for control in controls if (each := planted_writing.lifted(control.name, where))]
    assert len(made) >= 40 * SHARE
    assert [each for each in made if each[2] > each[1] + planted_writing.SLACK] == []
