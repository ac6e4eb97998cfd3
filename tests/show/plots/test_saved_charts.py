"""A chart that is saved as a picture keeps all of its texts, also with long names and many rows."""

from __future__ import annotations

import functools
import inspect
import io
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any
from unittest import mock

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from docie import confidence, corpus, hed, kieval, plots, robustness
from docie.robustness import plots as attack_plots
from docie.robustness.form import Field, Page, Word
from docie.show.page.script import styles
from docie.show.plots import style

LONG = "budgetPaymentsByChapter.actualPriorYear{}"
DPI = 100


def _table(score: str, rows: int) -> dict[str, Any]:
    signature = "entity_f1|" if score == "f1" else "text_match|"
    return {
        "signature": signature,
        "per_entity": {LONG.format(row): {score: 1 - 1 / (row + 2), "support": 10**6 + row} for row in range(rows)},
    }


@functools.cache
def _corpus() -> tuple[list[Any], list[Any]]:
    leaves = [{"value": str(number % 7), "confidence": 1 - number / 100} for number in range(60)]
    predictions = [{LONG.format(1): leaf, LONG.format(2): leaf} for leaf in leaves]
    return predictions, [{LONG.format(1): "1", LONG.format(2): "2", LONG.format(3): "3"}] * len(leaves)


@functools.cache
def _comparison(**options: Any) -> dict[str, Any]:
    predictions, references = _corpus()
    systems = {LONG.format("Before"): predictions, LONG.format("After"): [{}] * len(references)}
    return corpus.compare(kieval, systems, references, **options)


@functools.cache
def _report() -> robustness.RobustnessReport:
    forms = [
        Page([Word("Total", (5, 5, 40, 15)), Word(str(number), (50, 5, 90, 15))], [Field(LONG, (1,), (0,))], page=(100, 50))
        for number in range(9)
    ]  # fmt: skip

    def last_word(forms: Any) -> list[Any]:
        return [{LONG: form.words[-1].text} if len(form.words) > 1 else {} for form in forms]

    attacks = ["bg_drop", "key_drop", "bg_typo", ["bg_typo", "key_drop"], ["bg_drop", "key_drop"]]
    return robustness.run(last_word, forms, attacks=attacks, strengths=[5, 10])


NASTY = (
    "W" * 50,
    "合計金額.税込.消費税の対象となる金額" * 2,
    "שם הלקוח " * 9,
    "$x$ \\frac{a" * 5,
    "predictions-" * 6,
    "g" * 60,
)


@functools.cache
def _six() -> dict[str, Any]:
    """Six systems, and fields, with names that are long, wide, or read from the right."""
    references = [{f"{name}.{name}": str(number) for name in NASTY} for number in range(12)]
    systems = {
        name: [{key: "?" if place < rank else value for place, (key, value) in enumerate(row.items())} for row in references]
        for rank, name in enumerate(NASTY)
    }  # fmt: skip
    return corpus.compare(kieval, systems, references, breakdown=True, shuffles=99)


def _fields() -> dict[str, Any]:
    table = {name: {"f1": 1 - 1 / (row + 2), "support": 10**6 + row} for row, name in enumerate(NASTY)}
    return {"signature": "entity_f1|", "per_entity": table}


CHARTS: dict[str, list[Callable[[], Any]]] = {
    "per_field": [
        lambda: plots.per_field(_table("levenshtein_similarity", 200)),
        lambda: plots.per_field(_table("f1", 40)),
        lambda: plots.per_field(_fields()),
        lambda: plots.per_field({"signature": "kieval|", "per_entity": {"a": {"entity_f1": 0.5, "support": 1}}}),
    ],
    "error_kinds": [lambda: plots.error_kinds({"format": {"substitution": 10**7}, "missing": {"addition": 1}})],
    "automation_curve": [lambda: plots.automation_curve(kieval.automation_curve(*_corpus()))],
    "risk_coverage": [lambda: plots.risk_coverage(confidence.risk_coverage(confidence.collect(*_corpus())))],
    "reliability_diagram": [lambda: plots.reliability_diagram(confidence.calibration(confidence.collect(*_corpus())))],
    "forest": [
        lambda: plots.forest(_comparison()),
        lambda: plots.forest(_six()),
        lambda: plots.forest(_six(), table="per_entity"),
        lambda: plots.forest(_comparison(breakdown=True), table="per_entity"),
    ],
    "agreement": [
        lambda: plots.agreement(corpus.agreement([kieval, hed], *_corpus())),
        lambda: plots.agreement({"spearman": {name: dict.fromkeys(NASTY, 0.5) for name in NASTY}}),
    ],
    "drops": [
        lambda: attack_plots.drops(_report()),
        lambda: attack_plots.drops(_report(), score="precision", most=1),
    ],
    "combinations": [lambda: attack_plots.combinations(_report(), score="precision", most=1)],
    "drop_heat_map": [lambda: attack_plots.drop_heat_map(_report())],
    "severity_curves": [
        lambda: attack_plots.severity_curves(_report(), most=1),
        lambda: attack_plots.severity_curves(_report(), score="precision", by="edit_rate"),
    ],
}


def drawn_texts(figure: Any) -> list[tuple[str, Any]]:
    """The texts that a saved figure shows, and their extents in pixels."""
    drawn: list[Text] = []
    draw = Text.draw

    def note(text: Text, *given: Any) -> None:
        drawn.append(text)
        draw(text, *given)

    with mock.patch.object(Text, "draw", note):
        figure.draw(renderer := FigureCanvasAgg(figure).get_renderer())
    return [
        (text.get_text(), text.get_window_extent(renderer))
        for text in drawn
        if text.get_visible() and text.get_text().strip()
    ]


def test_no_chart_is_left_out() -> None:
    named = {name: getattr(module, name) for module in (plots, attack_plots) for name in module.__all__}
    functions = {name: value for name, value in named.items() if inspect.isfunction(value)}
    charts = {name for name, function in functions.items() if function.__annotations__["return"] == "Axes"}
    assert charts - {"paper"} == {*CHARTS}


LOOKS: dict[str, dict[str, Any]] = {
    "default": {},
    "a column": {"width": 3.25, "points": 9, "font": "serif"},
    "both columns": {"width": 6.75, "points": 10, "font": "monospace", "dpi": 300},
    "tight": {"width": 2.4},
}


@pytest.mark.parametrize(
    "look", [name if name == "tight" else pytest.param(name, marks=pytest.mark.exhaustive) for name in LOOKS]
)
@pytest.mark.parametrize("name", CHARTS)
def test_every_text_is_inside_the_picture(name: str, look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = plots.paper
    monkeypatch.setattr(style, "paper", lambda **given: paper(**given | LOOKS[look]))
    for chart in CHARTS[name]:
        figure = chart().figure
        width, height = figure.bbox.size
        found = drawn_texts(figure)  # of its first drawing, as in a file
        assert found
        margins = {text: min(extent.x0, extent.y0, width - extent.x1, height - extent.y1) for text, extent in found}
        outside = {text: margin for text, margin in margins.items() if margin < -0.5}
        assert outside == {}


def _confidences(share_correct: float) -> tuple[list[Any], list[Any]]:
    leaves = [{"value": "1", "confidence": 1 - number / 997} for number in range(200)]
    return [{"a": leaf} for leaf in leaves], [{"a": "1" if n % 100 < 100 * share_correct else "2"} for n in range(200)]


@pytest.mark.parametrize(
    "look", [name if name == "tight" else pytest.param(name, marks=pytest.mark.exhaustive) for name in LOOKS]
)
@pytest.mark.parametrize("share_correct", [0, 1])
def test_thresholds_keep_clear_of_each_other_and_of_the_legend(share_correct: float, look: str) -> None:
    """Also where all points lie at the upper limit."""
    documents = _confidences(share_correct)
    for axes in (
        plots.risk_coverage(confidence.risk_coverage(confidence.collect(*documents)), ax=plots.paper(**LOOKS[look])),
        plots.automation_curve(kieval.automation_curve(*documents), ax=plots.paper(**LOOKS[look])),
    ):
        found = drawn_texts(axes.figure)
        assert len(axes.texts) >= 3
        assert "threshold of confidence" in dict(found)
        assert [(one[0], two[0]) for one, two in combinations(found, 2) if one[1].overlaps(two[1])] == []


def test_a_figure_for_a_paper() -> None:
    """Its width, resolution, sizes and font are those that were asked for; its height is that of the chart."""
    plain, axes = (
        plots.forest(_comparison()),
        plots.forest(_comparison(), ax=plots.paper(width=6.75, points=12, font="serif")),
    )
    assert (axes.figure.get_figwidth(), axes.figure.dpi) == (6.75, 300)
    assert axes.figure.get_figheight() == pytest.approx(1.5 * plain.figure.get_figheight())
    figure = axes.figure
    figure.savefig(file := io.BytesIO(), format="png")
    assert Image.open(file).width == pytest.approx(6.75 * 300, abs=1)
    with mock.patch.object(Text, "draw", lambda text, *given: drawn.append(text)):
        drawn: list[Text] = []
        figure.draw(FigureCanvasAgg(figure).get_renderer())
    written = [text for text in drawn if text.get_text().strip()]
    assert len(written) > 5
    assert {text.get_fontsize() for text in written} == {12}
    assert {tuple(text.get_fontfamily()) for text in written} == {("serif",)}
    legend = plots.error_kinds({"format": {"substitution": 1}}, ax=plots.paper(points=6, font="serif")).get_legend()
    assert {(text.get_fontsize(), *text.get_fontfamily()) for text in legend.get_texts()} == {(6, "serif")}


def test_a_narrow_chart_cuts_names_and_keeps_room_for_itself() -> None:
    for chart in (_table("f1", 40), _fields()):
        axes = plots.per_field(chart, ax=plots.paper(width=2.4))
        axes.figure.savefig(io.BytesIO(), format="png")
        assert axes.get_position().width > 0.1
        assert any("…" in label.get_text() for label in axes.get_yticklabels())


def test_series_are_the_colours_of_the_pages() -> None:
    """Charts, pages and reports share look.css."""
    series = dict(re.findall(r"--docie-series-(\d): (#\w{6});", styles("look")))
    colours = [style.BLUE, style.ORANGE, style.GREEN, style.VERMILION, style.PURPLE, style.SKY]
    assert [series[str(number)] for number in range(1, 7)] == [colour.lower() for colour in colours]
    assert {line.colour for line in style.LINES} == {*colours}


def test_a_label_takes_the_lines_that_a_narrow_chart_needs() -> None:
    axes = Figure(figsize=(4, 3), layout="constrained").subplots(1, 3)
    plots.per_field(_table("f1", 40), ax=axes[2])
    assert axes[2].get_xlabel() == "f1 of the 30 costliest types of 40"
    figure = axes[2].figure
    figure.savefig(io.BytesIO(), format="png", dpi=DPI)
    extents = dict(drawn_texts(figure))
    assert extents[axes[2].get_xlabel()].x1 <= figure.bbox.width
