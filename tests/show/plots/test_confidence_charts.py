"""The errors by coverage and the reliability diagram, by the parts that matplotlib has of them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

from matplotlib.figure import Figure

from docie import confidence, plots


@pytest.fixture(scope="module")
def values(receipts: tuple[list[Any], list[Any]]) -> confidence.Values:
    return confidence.collect(*receipts)


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_the_risk_coverage_curve(values: confidence.Values) -> None:
    curve = confidence.risk_coverage(values)
    axes = plots.risk_coverage(curve)
    line, marks = axes.lines
    points = list(zip(curve["coverage"], curve["error_rate"], strict=True))
    assert points[-1][0] == 0, "at the last threshold, no value skips review"
    assert list(map(tuple, line.get_xydata().tolist())) == points[:-1]
    assert len(axes.texts) == len(marks.get_xdata()) >= 4
    for text, (x, _) in zip(axes.texts, marks.get_xydata().tolist(), strict=True):
        assert x >= 0.05
        assert confidence.at_threshold(values, float(text.get_text()))["coverage"] == x
    assert texts(axes)[0] == "0", "at 0, nothing is reviewed"
    assert axes.get_xlim() == (0, 1)
    shown = (axes.get_title(), axes.get_title("left"), axes.get_xlabel(), axes.get_ylabel())
    assert not any("risk" in text for text in shown), "a risk is the limit of a document's loss"
    assert axes.get_ylim()[1] == pytest.approx(1.25 * max(y for x, y in points if x >= 0.05))


def test_a_threshold_is_written_where_it_leads_to() -> None:
    sure = [0.9904, 0.98, 0.5, 0.3]
    leaves = [{"value": "1", "confidence": confidence} for confidence in (*sure, 1.0)]
    few = confidence.collect([{"a": [*leaves, "1"]}], [{"a": ["1"] * 3}])
    axes = plots.risk_coverage(confidence.risk_coverage(few))
    assert texts(axes) == ["0", "0.6", "1", ">1"]
    coverage = [confidence.at_threshold(few, float(text))["coverage"] for text in texts(axes)[:-1]]
    assert coverage == axes.lines[1].get_xdata().tolist()[:-1]
    assert axes.lines[1].get_xdata()[-1] == pytest.approx(1 / 6), "a value without a confidence is never reviewed"


def test_a_curve_of_very_many_points_is_thinned() -> None:
    number = 20_000
    curve = {
        "thresholds": [each / number for each in range(number)],
        "coverage": [1 - each / number for each in range(number)],
        "error_rate": [0.5] * number,
    }
    drawn = plots.risk_coverage(curve).lines[0].get_xydata().tolist()
    assert 990 <= len(drawn) <= 1010
    assert (drawn[0], drawn[-1]) == ([1.0, 0.5], [1 - curve["thresholds"][-1], 0.5])
    assert max(high[0] - low[0] for high, low in pairwise(drawn)) < 0.0021


def test_the_reliability_diagram(values: confidence.Values) -> None:
    calibration = confidence.calibration(values)
    axes = plots.reliability_diagram(calibration)
    diagonal, bins = axes.lines
    assert bins.get_xydata().tolist() == [[row["mean_confidence"], row["accuracy"]] for row in calibration["bins"]]
    (low, same), (high, equal) = diagonal.get_xydata().tolist()
    assert (low, high) == (same, equal)
    assert axes.get_xlim() == axes.get_ylim(), "the diagonal is one"
    assert low <= bins.get_xydata().min()
    error = calibration["expected_calibration_error"]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["perfect calibration", f"bins (calibration error {error:.3f})"]
    assert diagonal.get_linestyle() != bins.get_linestyle(), "they can be told apart without colours"


def test_charts_with_little_on_them() -> None:
    leaf = {"value": "1", "confidence": 1.0}
    one = confidence.collect([{"a": leaf}], [{"a": "1"}])
    axes = plots.risk_coverage(confidence.risk_coverage(one))
    assert (texts(axes), axes.get_ylim()) == (["0"], (0, 1.0))
    axes = plots.reliability_diagram(confidence.calibration(one))
    assert axes.lines[1].get_xydata().tolist() == [[1.0, 1.0]]
    assert axes.get_xlim() == (0.95, 1)
    nothing = confidence.collect([{}], [{"a": "1"}])
    assert texts(plots.reliability_diagram(confidence.calibration(nothing))) == ["no confidences"]
    assert texts(plots.risk_coverage({"thresholds": [0.0], "coverage": [0.0], "error_rate": [0.0]})) == [
        "no value skips review"
    ]


def test_charts_in_axes_of_the_user(values: confidence.Values) -> None:
    axes = Figure(figsize=(7, 2)).subplots(1, 2)
    assert plots.risk_coverage(confidence.risk_coverage(values), ax=axes[0]) is axes[0]
    assert plots.reliability_diagram(confidence.calibration(values), ax=axes[1]) is axes[1]
