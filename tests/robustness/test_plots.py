"""Charts of form attacks show what the results say, of none, one and many."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

from attack_results import report, row
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from docie.robustness import plots
from docie.show.plots import svg

HOSTILE = "<script>alert(1)</script>"
SURE, UNSURE = [0.1, 0.5], [-0.1, 0.3]
MIXED = report(
    row("bg_typo", 0.1, UNSURE),
    row("key_drop", 0.3, SURE),
    row("bg_drop", -0.05, [-0.1, 0.0]),
    row("key_drop+bg_typo", 0.5, SURE),
    row("key_drop+bg_typo+bg_drop", 0.6, SURE),
    row("bg_typo@2", 0.2, SURE, strength=2),
    fields={"total": [0.1, 0.6, 0, 0, 0, 0], "date": [0.2, -0.1, 0, 0, 0, 0]},
)
CHARTS: dict[str, tuple[Callable[..., Any], str]] = {
    "drops": (plots.drops, "no attacks"),
    "combinations": (plots.combinations, "no combinations"),
    "drop_heat_map": (plots.drop_heat_map, "no attacks"),
    "severity_curves": (plots.severity_curves, "no attack was made at several strengths"),
}


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def names(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def test_drops_are_sorted_and_filled_if_they_are_sure() -> None:
    axes = plots.drops(MIXED)
    assert names(axes) == ["key_drop", "bg_typo", "bg_drop"], "no combination, and no further strength"
    assert texts(axes) == ["0.300", "0.100", "-0.050"]
    bars = axes.patches
    assert [bar.get_width() for bar in bars] == [0.3, 0.1, -0.05]
    assert [bar.get_facecolor()[3] for bar in bars] == [1, 0, 0], "only the first is filled"
    edges = [to_hex(bar.get_edgecolor()) for bar in bars]
    assert edges[0] == edges[1] != edges[2], "what helps has another colour"
    intervals = [line.get_xdata() for line in axes.lines if line.get_marker() == "|"]
    assert [[*each] for each in intervals] == [SURE, UNSURE, [-0.1, 0.0]]
    assert axes.get_xlabel() == "drop of F1 from 0.80 on 30 forms"
    assert texts(plots.drops(report(row("a", -0.0001), row("b", -1e-17)))) == ["0.000", "-0.001"], "not -0.000"
    low, high = axes.get_xlim()
    assert low < -0.1
    assert high > 0.5


def test_other_scores_and_limits() -> None:
    axes = plots.drops(MIXED, score="recall", most=2)
    assert texts(axes) == ["0.600", "0.200"]
    assert axes.get_xlabel() == "drop of recall from 0.80 on 30 forms, the largest 2 of 3"
    for chart, _ in CHARTS.values():
        with pytest.raises(ValueError, match=r"^score must be one of f1, precision, recall, got 'f2'$"):
            chart(MIXED, score="f2")
    with pytest.raises(ValueError, match=r"^by must be one of strength, mean_iou, .*, got 'f1'$"):
        plots.severity_curves(MIXED, by="f1")
    for most in (0, 7):
        with pytest.raises(ValueError, match="^most must be between 1 and 6, got"):
            plots.severity_curves(MIXED, most=most)


def test_combinations_beside_the_worst_attack_alone() -> None:
    axes = plots.combinations(MIXED)
    triple, pair = ["key_drop", "+ bg_typo", "+ bg_drop"], ["key_drop", "+ bg_typo"]
    assert texts(axes) == ["0.600", "0.500", *triple, *pair]
    heights = [text.get_position()[1] for text in axes.texts[2:5]]
    assert heights == sorted(heights, reverse=True), "the names of a row stand below each other"
    diamonds = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "D"]
    assert diamonds == [0.3, 0.3]
    heavier = dataclasses.replace(row("key_drop", 0.1), attack="heavy")  # another attack with options of its own
    both = dataclasses.replace(MIXED, attacks=[*MIXED.attacks, heavier])
    assert [line.get_xdata()[0] for line in plots.combinations(both).lines if line.get_marker() == "D"] == [0.3, 0.3]
    assert texts(plots.combinations(MIXED, size=2)) == ["0.500", *pair]
    assert texts(plots.combinations(MIXED, most=1)) == ["0.600", *triple]
    assert plots.combinations(MIXED, most=1).get_xlabel().endswith("the largest 1 of 2")
    alone = report(row("key_drop+bg_typo", 0.5))
    assert not [line for line in plots.combinations(alone).lines if line.get_marker() == "D"]


def test_the_heat_map_has_a_cell_for_each_field_and_attack() -> None:
    axes = plots.drop_heat_map(MIXED)
    assert names(axes) == ["key_drop", "bg_typo", "bg_drop"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["total", "date"], "what loses most, first"
    assert texts(axes) == ["60", "-10", "10", "20", "0", "0"]
    shades = [cell.get_alpha() for cell in axes.patches]
    assert shades == pytest.approx([0.36, 0.06, 0.06, 0.12, 0, 0])
    assert to_hex(axes.patches[0].get_facecolor()) != to_hex(axes.patches[1].get_facecolor())
    cut = plots.drop_heat_map(MIXED, most_fields=1, most_attacks=1)
    assert texts(cut) == ["60"]
    assert cut.get_xlabel().endswith("the largest 1 of 2 fields")
    assert texts(plots.drop_heat_map(report(row("bg_drop", 0.1)))) == ["no fields"]
    assert texts(plots.drop_heat_map(report(row("a", -0.001), fields={"b": [-0.001]}))) == ["0"], "not -0"
    assert texts(plots.drop_heat_map(report(row("a", 0.999), fields={"b": [0.999]}))) == ["99"], "not all"


def test_the_number_of_forms_stands_beside_an_attack_on_some_of_them() -> None:
    rows = row("key_drop", 0.3, SURE, forms=21), row("bg_typo", 0.1, SURE, forms=19), row("bg_drop", 0.05, SURE)
    some = report(*rows, row("key_drop+bg_typo", 0.5, SURE, forms=1200), fields={"total": [0.3, 0.1, 0.0, 0.0]})
    axes = plots.drops(some)
    assert names(axes) == names(plots.drop_heat_map(some)) == ["key_drop (21)", "bg_typo (19)", "bg_drop"]
    assert [bar.get_facecolor()[3] for bar in axes.patches] == [1, 0, 1], "19 forms are too few to tell"
    assert "+ bg_typo (1,200)" in texts(plots.combinations(some))
    assert plots.drops(report(row("a", 0.1), forms=1)).get_xlabel() == "drop of F1 from 0.80 on 1 form"


def test_a_field_with_nothing_to_lose_has_a_dash() -> None:
    some = report(row("a", 0.1), row("b", 0.0), fields={"never right": [0.8, 0.8], "total": [0.1, 0.2]})
    some.per_entity["never right"] |= {"f1": 0.0, "drop_f1_a": 0.0, "drop_f1_b": 0.0}
    del some.per_entity["total"]["f1_b"]  # the forms of b do not have it
    axes = plots.drop_heat_map(some)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["total", "never right"]
    assert texts(axes) == ["10", "–", "–", "–"]
    assert [cell.get_alpha() for cell in axes.patches][1:] == [0, 0, 0]


def test_a_heat_map_of_many_fields_is_wider() -> None:
    fields = {f"field {number}": [number / 100] for number in range(30)}
    axes = plots.drop_heat_map(report(row("bg_drop", 0.1), fields=fields))
    assert texts(axes) == [str(number) for number in range(29, 9, -1)]
    assert axes.figure.get_figwidth() > plots.drop_heat_map(MIXED).figure.get_figwidth()


def test_lines_begin_where_nothing_is_attacked() -> None:
    axes = plots.severity_curves(MIXED)
    assert [[*point] for point in axes.lines[0].get_xydata()] == [[0, 0], [1, 0.1], [2, 0.2]]
    assert [text.strip() for text in texts(axes)] == ["bg_typo"]
    assert [[*line.get_ydata()] for line in axes.lines[1:3]] == [UNSURE, SURE]
    boxes = plots.severity_curves(MIXED, by="mean_iou")
    assert [*boxes.lines[0].get_xdata()] == [1.0, 0.9, 0.8]
    assert boxes.xaxis_inverted(), "to the right, an attack does more"
    unknown = report(*(row(f"a@{s}", 0.1, strength=s, severity={"mean_iou": None}) for s in (1, 2)))
    assert texts(plots.severity_curves(unknown, by="mean_iou")) == [CHARTS["severity_curves"][1]]


def test_names_beside_lines_do_not_cover_each_other() -> None:
    rows = [row(f"{name}@{strength}", 0.2 * strength, strength=strength) for name in "abcdefgh" for strength in (1, 2)]
    axes = plots.severity_curves(report(*rows))
    assert axes.get_xlabel() == "strength, 6 of 8 attacks"
    heights = sorted(text.get_position()[1] for text in axes.texts)
    low, high = axes.get_ylim()
    gaps = [after - before for before, after in pairwise(heights)]
    assert len(gaps) == 5
    assert min(gaps) > 0.07 * (high - low)
    assert low <= heights[0]
    looks = {(line.get_color(), line.get_marker(), line.get_linestyle()) for line in axes.lines[:6]}
    assert len({look[1:] for look in looks}) == 6, "without colours"
    beside = {text.get_text().strip(): line for text, line in zip(axes.texts, axes.lines[-6:], strict=True)}
    for name, line in zip("abcdef", axes.lines, strict=False):
        assert beside[name].get_marker() == line.get_marker(), "the mark of the line stands beside its name"


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", CHARTS)
def test_nothing_one_and_many(name: str) -> None:
    chart, instead = CHARTS[name]
    nothing = chart(report())
    assert (texts(nothing), nothing.axison) == ([instead], False)
    rows = [row(HOSTILE, 0.1), row(f"{HOSTILE}@2", 0.2, strength=2), row(f"a+{HOSTILE}", 0.1)]
    one = report(*rows, fields={HOSTILE: [0.1, 0.2, 0.1]})
    assert "<script" not in svg(chart(one))
    own = Figure().subplots()
    assert chart(one, ax=own) is own
    singles = [row(f"attack {number}", number / 99, SURE) for number in range(99)]
    combined = [row(f"a+{number}", number / 99, SURE) for number in range(99)]
    stronger = [row(f"attack {number}@2", number / 50, SURE, strength=2) for number in range(99)]
    many = report(*singles, *combined, *stronger, fields={"total": [0.5] * 297})
    assert len(texts(chart(many))) == {"drops": 30, "combinations": 30, "drop_heat_map": 30, "severity_curves": 6}[name]
