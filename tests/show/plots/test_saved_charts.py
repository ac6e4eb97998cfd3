"""A chart that is saved as a picture keeps all of its texts, also with long names and many rows."""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from docie import confidence, corpus, hed, kieval, plots, robustness
from docie.robustness.form import Field, Form, Word

LONG = "budgetPaymentsByChapter.actualPriorYear{}"
DPI = 100


def _table(score: str, rows: int) -> dict[str, Any]:
    signature = "entity_f1|" if score == "f1" else "text_match|"
    return {
        "signature": signature,
        "per_entity": {LONG.format(row): {score: 1 - 1 / (row + 2), "support": 10**6 + row} for row in range(rows)},
    }


def _corpus() -> tuple[list[Any], list[Any]]:
    leaves = [{"value": str(number % 7), "confidence": 1 - number / 100} for number in range(60)]
    predictions = [{LONG.format(1): leaf, LONG.format(2): leaf} for leaf in leaves]
    return predictions, [{LONG.format(1): "1", LONG.format(2): "2", LONG.format(3): "3"}] * len(leaves)


def _comparison(**options: Any) -> dict[str, Any]:
    predictions, references = _corpus()
    systems = {LONG.format("Before"): predictions, LONG.format("After"): [{}] * len(references)}
    return corpus.compare(kieval, systems, references, **options)


def _report() -> robustness.RobustnessReport:
    forms = [
        Form([Word("Total", (5, 5, 40, 15)), Word(str(number), (50, 5, 90, 15))], [Field(LONG, (1,), (0,))], page=(100, 50))
        for number in range(9)
    ]  # fmt: skip

    def last_word(forms: Any) -> list[Any]:
        return [{LONG: form.words[-1].text} if len(form.words) > 1 else {} for form in forms]

    attacks = ["bg_drop", "key_drop", "bg_typo", ["bg_typo", "key_drop"], ["bg_drop", "key_drop"]]
    return robustness.run(last_word, forms, attacks=attacks, strengths=[5, 10])


def _page() -> Any:
    words = [Word("Total", (0, 0, 40, 12)), Word("x" * 90, (50, 0, 100, 12)), Word("end", (60, 40, 100, 50))]
    form = Form(words, [Field("total", values=(1,), keys=(0,))], page=(100, 50))
    return plots.form_page(form.with_texts({0: "Totla", 2: "and"}), before=form)


CHARTS: dict[str, list[Callable[[], Any]]] = {
    "per_field": [
        lambda: plots.per_field(_table("levenshtein_similarity", 200)),
        lambda: plots.per_field(_table("f1", 40)),
        lambda: plots.per_field({"signature": "kieval|", "per_entity": {"a": {"entity_f1": 0.5, "support": 1}}}),
    ],
    "error_kinds": [lambda: plots.error_kinds({"form": {"substitution": 10**7}, "missed": {"addition": 1}})],
    "automation_curve": [lambda: plots.automation_curve(kieval.automation_curve(*_corpus()))],
    "risk_coverage": [lambda: plots.risk_coverage(confidence.risk_coverage(confidence.collect(*_corpus())))],
    "reliability_diagram": [lambda: plots.reliability_diagram(confidence.calibration(confidence.collect(*_corpus())))],
    "forest": [
        lambda: plots.forest(_comparison()),
        lambda: plots.forest(_comparison(breakdown=True), table="per_entity"),
    ],
    "agreement": [lambda: plots.agreement(corpus.agreement([kieval, hed], *_corpus()))],
    "drops": [lambda: plots.drops(_report()), lambda: plots.drops(_report(), score="precision", most=1)],
    "combinations": [lambda: plots.combinations(_report(), score="precision", most=1)],
    "drop_heat_map": [lambda: plots.drop_heat_map(_report())],
    "severity_curves": [
        lambda: plots.severity_curves(_report(), most=1),
        lambda: plots.severity_curves(_report(), score="precision", by="edit_rate"),
    ],
    "form_page": [_page],
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
    return [(text.get_text(), text.get_window_extent(renderer)) for text in drawn if text.get_text().strip()]


def test_no_chart_is_left_out() -> None:
    functions = {name: getattr(plots, name) for name in plots.__all__ if inspect.isfunction(getattr(plots, name))}
    charts = {name for name, function in functions.items() if function.__annotations__["return"] == "Axes"}
    assert charts == {*CHARTS}


@pytest.mark.parametrize("name", CHARTS)
def test_every_text_is_inside_the_picture(name: str) -> None:
    for chart in CHARTS[name]:
        figure = chart().figure
        figure.savefig(io.BytesIO(), format="png", dpi=DPI)
        width, height = figure.bbox.size
        found = drawn_texts(figure)
        assert found
        margins = {text: min(extent.x0, extent.y0, width - extent.x1, height - extent.y1) for text, extent in found}
        outside = {text: margin for text, margin in margins.items() if margin < -0.5}
        assert outside == {}


def test_a_label_takes_the_lines_that_a_narrow_chart_needs() -> None:
    axes = Figure(figsize=(4, 3), layout="constrained").subplots(1, 3)
    plots.per_field(_table("f1", 40), ax=axes[2])
    assert axes[2].get_xlabel() == "f1 of the 30 costliest types of 40"
    figure = axes[2].figure
    figure.savefig(io.BytesIO(), format="png", dpi=DPI)
    extents = dict(drawn_texts(figure))
    assert extents[axes[2].get_xlabel()].x1 <= figure.bbox.width
