"""`docie compare --max-drop`: what a build shows and its exit code, for losses that a significance test lets pass."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from cli_runs import lines, rows, run_command

Files = list[str]


def made(
    folder: Path,
    number: int,
    *,
    empty: Collection[int] = (),
    wrong: int = 0,
    of: Collection[int] = (),
    vendors: int = 0,
) -> Files:
    """References, correct answers, and answers of which some are empty, and some have wrong values of ten."""
    references = [{f"f{field}": f"{place}-{field}" for field in range(10)} for place in range(number)]
    answers = [
        {}
        if place in empty
        else {**row, **{f"f{field}": "?" for field in range(wrong if place in of or not of else 0)}}
        for place, row in enumerate(references)
    ]
    expected = rows("reference", references)
    if vendors:
        expected = [{**row, "meta": {"vendor": place % vendors}} for place, row in enumerate(expected)]
    return [
        lines(folder / "references.jsonl", expected),
        lines(folder / "base.jsonl", rows("prediction", references)),
        lines(folder / "new.jsonl", rows("prediction", answers)),
    ]


def gate_lines(result: Any) -> list[str]:
    return [line for line in result.stderr.splitlines() if line.startswith("gate ")]


def test_five_empty_documents_of_two_hundred(tmp_path: Path) -> None:
    files = made(tmp_path, 200, empty=range(5))
    result = run_command("compare", *files, "--max-drop", "0.03")
    assert result.exit_code == 1
    assert gate_lines(result) == ["gate failed: new, entity_f1: worse by 0.0127 (0.9873 against 1.0000)"]
    shown = " ".join(result.stdout.split())
    assert (
        "5 documents of new lost half of their entity_f1 or more, or can no longer be read: r-0 (1.0000 → 0.0000, emp"
        in shown
    )
    four = run_command("compare", *made(tmp_path, 200, empty=range(4)), "--max-drop", "0.03", "--max-broken", "3")
    assert four.exit_code == 1
    assert gate_lines(four) == ["gate failed: new, entity_f1: 4 broken documents, more than 3"]


def test_five_documents_that_lost_everything(tmp_path: Path) -> None:
    result = run_command("compare", *made(tmp_path, 5, empty=range(5)), "--max-drop", "0.03")
    assert result.exit_code == 1
    assert gate_lines(result) == ["gate failed: new, entity_f1: worse by 1.0000 (0.0000 against 1.0000)"]


def test_five_vendors_that_lost_more_than_half(tmp_path: Path) -> None:
    files = made(tmp_path, 80, wrong=6, vendors=5)
    result = run_command("compare", *files, "--cluster", "vendor", "--max-drop", "0.03")
    assert result.exit_code == 1
    assert gate_lines(result) == ["gate failed: new, entity_f1: worse by 0.6000 (0.4000 against 1.0000)"]
    shown = " ".join(result.stdout.split())
    assert "would have been found" not in shown, "five clusters find nothing at 5 %"
    assert "r-9 (1.0000 → 0.4000) and 70 more" in shown


@pytest.mark.parametrize("systems", [{"empty": range(5)}, {"wrong": 1, "of": range(7)}])
def test_a_loss_in_whole_documents_and_a_small_one_in_many(systems: dict[str, Any], tmp_path: Path) -> None:
    result = run_command("compare", *made(tmp_path, 24, **systems), "--max-drop", "0.05")
    lost = "0.1163 (0.8837" if "empty" in systems else "0.0292 (0.9708"
    assert (result.exit_code, gate_lines(result)) == (
        1,
        [f"gate failed: new, entity_f1: worse by {lost} against 1.0000)"],
    )


def test_undecided_says_how_many_documents_could(tmp_path: Path) -> None:
    files = made(tmp_path, 24, wrong=5, of=range(1))
    for limit, said in (
        ("0.05", "0.05 (bound 0.0565); about 36 could"),
        ("0.03", "0.03 (bound 0.0565); about 340 could, but would find a drop of 0.0208 worse"),
        ("0.02", "0.02 (bound 0.0565); no number could, as the observed drop is 0.0208"),
    ):
        result = run_command("compare", *files, "--max-drop", limit)
        assert result.exit_code == 1
        line = f"gate failed: new, entity_f1: undecided: 24 documents cannot exclude a drop of {said}"
        assert gate_lines(result) == [line]


def test_each_later_system_against_the_baseline(tmp_path: Path) -> None:
    references, base, new = made(tmp_path, 24, empty=range(5))
    result = run_command("compare", references, new, base, new, "--baseline", "base", "--max-drop", "0.03")
    assert result.exit_code == 1
    worse = "entity_f1: worse by 0.1163 (0.8837 against 1.0000)"
    assert gate_lines(result) == [f"gate failed: new, {worse}", f"gate failed: new (2), {worse}"]
    passed = run_command("compare", references, new, base, base, "--max-drop", "0.03", "--max-broken", "0")
    assert (passed.exit_code, len(gate_lines(passed))) == (0, 2)


def test_the_gate_in_json(tmp_path: Path) -> None:
    files = made(tmp_path, 200, empty=range(2))
    result = run_command("compare", *files, "--max-drop", "0.03", "--max-broken", "2", "--format", "json")
    found = json.loads(result.stdout)
    broken = [
        {"document": f"r-{place}", "score": "entity_f1", "value_a": 1.0, "value_b": 0.0, "reason": "empty"}
        for place in range(2)
    ]
    assert found["comparisons"][0]["broken"] == broken
    [check] = found["gate"]["checks"]
    assert found["gate"] == {**check, "checks": [check]}
    assert {key: check[key] for key in ("system", "score", "passed", "broken")} == {
        "system": "new", "score": "entity_f1", "passed": True, "broken": broken,
    }  # fmt: skip
    assert check["reason"] == f"a drop of 0.03 is excluded (bound {check['bound']:.4f}); 2 broken documents"
    assert "gate" not in json.loads(run_command("compare", *files, "--format", "json").stdout)


def test_fewer_than_two_units_are_an_error(tmp_path: Path) -> None:
    for number, options, unit in ((1, (), "documents"), (9, ("--cluster", "vendor"), "clusters")):
        result = run_command("compare", *made(tmp_path, number, vendors=1), *options, "--max-drop", "0.03")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == f"a gate needs two {unit} or more, got 1\n"


def test_a_gate_does_not_pass_where_nothing_is_correct(tmp_path: Path) -> None:
    """Both systems have other names than the references: 0 is not worse than 0."""
    references = lines(tmp_path / "r.jsonl", [{"id": f"r-{number}", "total": str(number)} for number in range(30)])
    others = [{"id": f"r-{number}", "sum": str(number)} for number in range(30)]
    paths = [lines(tmp_path / f"{name}.jsonl", others) for name in ("a", "b")]
    done = run_command("compare", references, *paths, "--max-drop", "0.03")
    assert done.exit_code == 1
    assert "gate failed: b, entity_f1: both are 0, so nothing was compared; docie check tells why" in done.stderr
