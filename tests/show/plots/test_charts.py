"""What the charts draw, by the parts that matplotlib has of them."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

import numpy as np
from matplotlib.figure import Figure

from docie import corpus, entity_f1, form_robustness, kieval, oi_entities, plots
from docie.show.error_kinds import KIND_NAMES
from docie.show.plots.style import short_name


def names(axes: Any) -> list[str]:
    return [label.get_text() for label in axes.get_yticklabels()]


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def widths(axes: Any) -> list[float]:
    return [bar.get_width() for bar in axes.patches]


def a_table(**rows: tuple[float, int]) -> dict[str, Any]:
    """Results with a table of F1 and support."""
    table = {name: {"f1": f1, "support": support} for name, (f1, support) in rows.items()}
    return {"per_entity": table, "signature": "entity_f1|version:1"}


def test_bars_by_field(receipts: tuple[list[Any], list[Any]]) -> None:
    results = corpus.evaluate(kieval, *receipts, breakdown=True, confidence_level=0.95)
    axes = plots.per_field(results)
    table = results["per_entity"]
    ordered = sorted(table, key=lambda name: table[name]["entity_f1"])
    assert len(axes.patches) == len(table) == 17
    assert widths(axes) == [table[name]["entity_f1"] for name in ordered]
    assert names(axes) == [f"{name} ({table[name]['support']})" for name in ordered]
    assert texts(axes) == [f"{table[name]['entity_f1']:.2f}" for name in ordered]
    with_intervals = [row for row, name in enumerate(ordered) if "entity_f1_interval" in table[name]]
    assert 0 < len(with_intervals) < 17, "types of very few documents have none"
    expected = [table[ordered[row]]["entity_f1_interval"] for row in with_intervals]
    assert [[*line.get_xdata()] for line in axes.lines] == expected
    middles = [bar.get_y() + bar.get_height() / 2 for bar in axes.patches]
    assert middles == pytest.approx(range(17))
    assert [[*line.get_ydata()] for line in axes.lines] == [[row, row] for row in with_intervals]
    bottom, top = axes.get_ylim()
    assert bottom > top, "the worst one is on top"
    assert axes.figure.get_figwidth() == 3.3


def test_intervals_are_drawn_only_if_they_are_given() -> None:
    assert not plots.per_field(a_table(a=(0.5, 2))).lines


def test_another_score(receipts: tuple[list[Any], list[Any]]) -> None:
    results = corpus.evaluate(kieval, *receipts, breakdown=True)
    axes = plots.per_field(results, score="aligned")
    assert widths(axes) == sorted(row["aligned"] for row in results["per_entity"].values())
    assert axes.get_xlabel() == "aligned"
    with pytest.raises(ValueError, match=r"^unknown score 'F1', expected one of: entity_f1, entity_precision, .*$"):
        plots.per_field(results, score="F1")


def test_the_worst_error_rate_is_the_highest() -> None:
    predictions = [[["date", "1771"], ["name", "Anna"]]]
    references = [[["date", "1770"], ["name", "Anna"]]]
    results = corpus.evaluate(oi_entities, predictions, references, breakdown=True)
    assert names(plots.per_field(results, score="cer")) == ["date (1)", "name (1)"]
    table = {"a": {"cer": 2.5, "support": 1}, "b": {"cer": 0.5, "support": 1}}
    axes = plots.per_field({"per_entity": table, "signature": "oi_entities|version:1"})
    assert widths(axes) == [2.5, 0.5]
    assert axes.get_xlim() == (0, 2.5)


def test_of_many_types_the_costliest_are_drawn() -> None:
    table = {f"t{number:03}": (0.5 + number / 500, number + 1) for number in range(200)}
    axes = plots.per_field(a_table(**table))
    wrong = {name: (1 - f1) * support for name, (f1, support) in table.items()}
    costliest = sorted(wrong, key=lambda name: -wrong[name])[:30]
    assert {name.partition(" ")[0] for name in names(axes)} == {*costliest}
    assert axes.get_xlabel() == "f1 of the 30 costliest types of 200"
    assert len(plots.per_field(a_table(**table), limit=3).patches) == 3


def test_results_without_types() -> None:
    axes = plots.per_field(a_table())
    assert (texts(axes), len(axes.patches)) == (["no entity types"], 0)
    assert texts(plots.per_field(a_table(), score="f1")) == ["no entity types"]
    with pytest.raises(ValueError, match=r"^the results have no table 'per_entity': evaluate with breakdown=True$"):
        plots.per_field({"f1": 1.0})
    with pytest.raises(ValueError, match=r"^the results have no signature, which names their family$"):
        plots.per_field({"per_entity": {}})
    with pytest.raises(ValueError, match=r"^unknown family 'own', expected one of: anls_star, "):
        plots.per_field({"per_entity": {}, "signature": "own|version:1"})


def test_the_headline_is_drawn_and_names_of_attacks_do_not_turn_the_order() -> None:
    tags = corpus.evaluate(entity_f1, [["B-a", "O"]], [["B-a", "B-b"]], breakdown=True)
    assert plots.per_field(tags).get_xlabel() == "f1"
    prediction, reference = ({"attacks": {"none": side, "x_cer": side}} for side in ({"a": "1"}, {"a": "1", "b": "2"}))
    results = corpus.evaluate(form_robustness, [prediction], [reference], breakdown=True)
    assert names(plots.per_field(results, score="f1_x_cer")) == ["b (1)", "a (1)"]


HOSTILE = {
    "budgetPaymentsByChapter.actualPriorYear": "budgetPayme…alPriorYear",
    "W" * 50: "WWWWWW…WWWWWW",
    "合計金額.税込.消費税の対象となる金額": "合計金額.税…となる金額",
    "$x$ $\\frac{a": "$x$ $\\frac{a",
    "<script>": "<script>",
    "a\nb": "a\\nb",
    "\u202egpj": "\\u202egpj",
    "\x00\ud800": "\\x00\\ud800",
    "שם": "שם\N{LEFT-TO-RIGHT MARK}",
    "": "",
}


@pytest.mark.parametrize(("name", "shown"), HOSTILE.items(), ids=range(len(HOSTILE)))
def test_names_are_drawn_as_they_are(name: str, shown: str) -> None:
    assert short_name(name) == shown
    axes = plots.per_field(a_table(**{name: (0.5, 1_234_567)}))
    assert names(axes) == [f"{shown} (1,234,567)"]
    assert not axes.get_yticklabels()[0].get_parse_math()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        axes.figure.savefig("/dev/null", format="png")
    assert not [warning for warning in caught if "Glyph" not in str(warning.message)]
    assert axes.get_position().width > 0.15, "the bars keep a place"


def test_names_that_are_shortened_alike_keep_their_bars() -> None:
    axes = plots.per_field(a_table(**{"a" * 20 + middle + "b" * 20: (0.5, 1) for middle in "xyz"}))
    assert len(axes.patches) == 3
    assert len({*names(axes)}) == 1


def test_the_automation_curve(receipts: tuple[list[Any], list[Any]]) -> None:
    curve = kieval.automation_curve(*receipts)
    axes = plots.automation_curve(curve)
    line, marks = axes.lines
    drawn = np.array(line.get_xydata())
    expected = np.column_stack([curve.automation_rates, curve.aligned])
    assert {*map(tuple, drawn.tolist())} == {*map(tuple, expected.tolist())}
    assert (np.diff(drawn[:, 0]) <= 0).all()
    assert len(marks.get_xdata()) == len(axes.texts) >= 4
    thresholds = [float(label) for label in texts(axes) if label != ">1"]
    rows = corpus.evaluate(kieval, *receipts, kieval.Settings(thresholds=thresholds))["automation"]
    named = marks.get_xydata().tolist()
    assert named[: len(rows)] == [[row["automation_rate"], row["aligned"]] for row in rows]
    assert (texts(axes)[len(rows) :], named[len(rows) :]) == ([">1"], [expected[-1].tolist()])
    assert axes.get_xlim() == (0, 1)
    assert 0 <= axes.get_ylim()[0] < expected[:, 1].min()
    assert axes.get_ylim()[1] == 1
    assert (np.diff(marks.get_xdata()) <= -1 / 6 + 1e-12).all(), "texts have a place of their own"


def test_the_automation_curve_of_chosen_thresholds(receipts: tuple[list[Any], list[Any]]) -> None:
    results = corpus.evaluate(kieval, *receipts, kieval.Settings(thresholds=[0.3, 0.9, 0.97]))
    axes = plots.automation_curve(results["automation"])
    points = [[row["automation_rate"], row["aligned"]] for row in results["automation"]]
    assert axes.lines[0].get_xydata().tolist() == points
    assert texts(axes) == ["0.3", "0.9", "0.97"]


def leaf(confidence: float) -> dict[str, Any]:
    return {"value": "1", "confidence": confidence}


def test_a_threshold_is_written_where_it_leads_to() -> None:
    """0.9904 and 0.9896 are both 0.99 in two digits, but the threshold 0.99 leads to one of them."""
    leaves = [*[leaf(0.9904)] * 36, *[leaf(0.9896)] * 30, *[leaf(0.5)] * 34]
    pair = [{"a": leaves}], [{"a": ["1"] * 60}]
    axes = plots.automation_curve(kieval.automation_curve(*pair))
    assert texts(axes) == ["0", "0.6", "0.99", "1"]
    settings = kieval.Settings(thresholds=[float(text) for text in texts(axes)])
    rates = [row["automation_rate"] for row in corpus.evaluate(kieval, *pair, settings)["automation"]]
    assert rates == axes.lines[1].get_xdata().tolist() == pytest.approx([1, 0.66, 0.36, 0])


@pytest.mark.parametrize(("highest", "label"), [(1.0, ">1"), (0.9996, "1"), (0.62, "0.7")])
def test_the_threshold_above_all_confidences(highest: float, label: str) -> None:
    prediction, reference = {"a": [leaf(highest), leaf(0.5), "1"]}, {"a": ["1", "1", "1"]}
    axes = plots.automation_curve(kieval.automation_curve([prediction], [reference]))
    assert texts(axes)[-1] == label
    assert axes.lines[1].get_xdata()[-1] == pytest.approx(1 / 3), "a value without a confidence is never reviewed"


def test_chosen_thresholds_are_written_exactly() -> None:
    rows = [
        {"threshold": threshold, "automation_rate": 1 - threshold, "aligned": 1.0} for threshold in (0.12345, 0.999)
    ]
    assert texts(plots.automation_curve(rows)) == ["0.12345", "0.999"]


def test_curves_with_little_on_them() -> None:
    assert texts(plots.automation_curve([])) == ["no thresholds"]
    with pytest.warns(UserWarning, match="no prediction has a confidence"):
        curve = kieval.automation_curve([{"a": "1"}], [{"a": "2"}])
    axes = plots.automation_curve(curve)
    assert (texts(axes), axes.lines[0].get_xydata().tolist()) == (["0"], [[1.0, 0.0]])
    perfect = plots.automation_curve(kieval.automation_curve([{"a": "1"}], [{"a": "1"}]))
    bottom, top = perfect.get_ylim()
    assert (bottom < 1, top) == (True, 1)


def test_kinds_of_errors(receipts: tuple[list[Any], list[Any]]) -> None:
    rows = [*corpus.errors(*receipts)]
    axes = plots.error_kinds(iter(rows))
    kinds = ["missing", "value", "type", "format", "group", "spurious"]
    assert names(axes) == [KIND_NAMES[kind] for kind in kinds]
    totals = [sum(row.kind == kind for row in rows) for kind in kinds]
    assert texts(axes) == [str(total) for total in totals]
    for bars in axes.containers:
        operation = bars.get_label()
        numbers = [sum((row.kind, row.operation) == (kind, operation) for row in rows) for kind in kinds]
        assert [bar.get_width() for bar in bars] == numbers
    ends = [bars[-1].get_x() + bars[-1].get_width() for bars in axes.containers]
    assert ends[-1] == totals[-1]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["substitution", "addition", "deletion"]
    styles = {(bars[0].get_facecolor(), bars[0].get_hatch()) for bars in axes.containers}
    assert len({colour for colour, _ in styles}) == len({hatch for _, hatch in styles}) == 3


def test_kinds_of_errors_from_counts(receipts: tuple[list[Any], list[Any]]) -> None:
    numbers = kieval.errors_by_kind(corpus.count_errors(*receipts).counts)
    axes, same = plots.error_kinds(numbers), plots.error_kinds(corpus.errors(*receipts))
    assert (names(axes), widths(axes)) == (names(same), widths(same))


def test_no_errors() -> None:
    nothing: list[Any] = [[], {}]
    for errors in nothing:
        axes = plots.error_kinds(errors)
        assert (texts(axes), len(axes.patches)) == (["no errors"], 0)


def test_charts_in_axes_of_the_user() -> None:
    axes = Figure(figsize=(7, 2)).subplots(1, 3)
    assert plots.per_field(a_table(a=(0.5, 2)), ax=axes[0]) is axes[0]
    assert plots.automation_curve([], ax=axes[1]) is axes[1]
    assert plots.error_kinds([], ax=axes[2]) is axes[2]
    assert axes[0].figure.get_figwidth() == 7


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r'^docie.plots needs matplotlib: pip install "docie\[plots\]"$'):
        plots.error_kinds([])
