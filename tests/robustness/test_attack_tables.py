"""The tables of the measurement that attacks a LayoutLM, of figures that are made up."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

import pytest

from docie import robustness
from docie.robustness import RobustnessReport
from docie.robustness.form import Page, Word

from checkout import ROOT, skip_module_without

skip_module_without("benchmarks")
sys.path.append(str(ROOT / "benchmarks"))
attack_tables: Any = pytest.importorskip("attack_tables")


def report(f1: float, drops: dict[str, float]) -> RobustnessReport:
    """A report with these drops."""
    run = robustness.run(lambda forms: [{} for _ in forms], [Page([Word("Total")])], attacks=["bg_drop"])
    severity = {"mean_iou": None, "edit_rate": 0.125, "reordered": 0.5}
    rows = [
        replace(
            run.attacks[0],
            attack=name,
            f1=f1 - drop,
            drop_f1=drop,
            unchanged=None if "value_text" in name else 0.5,
            severity=severity,
        )
        for name, drop in drops.items()
    ]
    return replace(run, f1=f1, attacks=rows)


SINGLES = {"key_drop": 0.25, "value_text_augment": 0.125, "line_order_shuffle": 0.0}
ONE, OTHER = report(0.75, SINGLES), report(0.5, {**SINGLES, "value_text_augment": 0.5})


def test_drops_are_means_over_seeds_the_largest_first() -> None:
    table = attack_tables.beside_the_paper([ONE, OTHER])
    assert table.rows == [
        ["none (F1)", "62.5", "50.0 to 75.0", "", "", "", "", "70.0"],
        ["value_text_augment", "31.2", "12.5 to 50.0", "", "0.00", "0.125", "0.50", "15.5"],
        ["key_drop", "25.0", "25.0 to 25.0", "50 %", "0.00", "0.125", "0.50", "10.9"],
        ["line_order_shuffle", "0.0", "0.0 to 0.0", "50 %", "0.00", "0.125", "0.50", ""],
    ]
    assert {len(row) for row in table.rows} == {len(table.columns)}


def test_trainings_stand_side_by_side() -> None:
    table = attack_tables.by_training({"plain": [ONE, OTHER], "shuffled": [ONE]})
    assert table.columns == ["attack", "plain", "shuffled"]
    assert table.rows[:3] == [
        ["none (F1)", "62.5 (50.0 to 75.0)", "75.0"],
        ["none in the paper (F1)", "70.0", "58.7"],
        ["value_text_augment", "31.2 (12.5 to 50.0)", "12.5"],
    ]


def test_attacks_at_equal_severity_are_those_that_reach_it_with_all_seeds() -> None:
    seeds = [
        attack_tables.Equal(ONE, {"key_drop": 0.5, "value_text_augment": 1.0, "line_order_shuffle": 2.0}),
        attack_tables.Equal(report(0.75, {"key_drop": 0.5}), {"key_drop": 1.0}),
    ]
    table = attack_tables.at_equal_severity(seeds)
    assert table.rows == [["key_drop", "37.5", "25.0 to 50.0", "0.75", "0.00", "0.125", "0.50"]]
    assert len(table.columns) == len(table.rows[0])


def test_the_worst_combinations_and_those_that_the_paper_names() -> None:
    named = "neighbor_bg_drop+key_drop+neighbor_shuffle"
    drops = {f"key_drop+bg_drop+{number:02}": 0.5 - number / 100 for number in range(20)}
    alone = dict.fromkeys((f"{number:02}" for number in range(20)), 0.0)
    others = {"neighbor_bg_drop": 0.0625, "neighbor_shuffle": 0.0, "bg_drop": 0.0}
    seeds = [report(0.75, {**SINGLES, **alone, **others, **drops, named: 0.125})] * 2
    table = attack_tables.most_impactful(seeds, 3)
    assert [row[1] for row in table.rows] == [*map(str, range(1, 11)), "21"]
    assert table.rows[0] == ["key_drop+bg_drop+00", "1", "25.0", "50.0", "50.0 to 50.0", "25.0", ""]
    assert table.rows[-1] == [named, "21", "62.5", "12.5", "12.5 to 12.5", "25.0", "246th, F1 58.1"]
    assert len(table.columns) == len(table.rows[0])
    expected = "20 of 21 combinations of 3 cost more than the worst attack alone (key_drop)."
    assert attack_tables.deeper(seeds, 3) == expected


def test_sections_are_those_that_were_asked_for() -> None:
    equal = attack_tables.Equal(report(0.75, {"key_drop": 0.5}), {"key_drop": 1.0})
    plain = attack_tables.Attacked(ONE, {"edit_rate 0.1": equal})
    assert len(attack_tables.sections({"plain": [plain]}, [])) == 2
    assert len(attack_tables.sections({"plain": [plain], "shuffled": [plain]}, [2])) == 5
    some = attack_tables.Attacked(replace(ONE, not_applicable=["bg_typo"]), {})
    assert attack_tables.sections({"plain": [some]}, [])[1:] == [
        "not applicable: bg_typo (nothing to change in these forms)"
    ]
    assert plain.to_json()["equal_severity"]["edit_rate 0.1"]["strength"] == {"key_drop": 1.0}


def test_one_seed_has_no_range() -> None:
    assert attack_tables.points([0.123]) == ["12.3", ""]
    assert attack_tables.points([0.5, 0.25, 0.375]) == ["37.5", "25.0 to 50.0"]
    assert attack_tables.points([-0.0001]) == ["0.0", ""]
