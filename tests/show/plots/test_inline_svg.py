"""Charts as SVG in an HTML page: well-formed, alone, and safe."""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("matplotlib", reason="charts need matplotlib")

from matplotlib.figure import Figure

from docie import plots

NAMESPACE = "{http://www.w3.org/2000/svg}"
NAME = "<script>alert('&')</script>"


def bars(*names: str) -> Any:
    rows = {name: {"f1": 0.5, "support": 1, "f1_interval": [0.25, 0.75]} for name in names}
    return plots.per_field({"per_entity": rows, "signature": "entity_f1|version:1"})


CHARTS: dict[str, Callable[[], Any]] = {
    "bars": lambda: bars("total", NAME, "$x$", "合計", "שם", "\x00\u202e"),
    "no bars": bars,
    "curve": lambda: plots.automation_curve(
        [
            {"threshold": 0.5, "automation_rate": 1.0, "aligned": 0.5},
            {"threshold": 0.9, "automation_rate": 0.25, "aligned": 0.75},
        ]
    ),
    "kinds": lambda: plots.error_kinds({"format": {"substitution": 3, "deletion": 1}, "missing": {"addition": 2}}),
}
every_chart = pytest.mark.parametrize("chart", CHARTS.values(), ids=CHARTS)


@functools.cache
def drawn(chart: Callable[[], Any]) -> str:
    return plots.svg(chart())


def parts(picture: str) -> list[ElementTree.Element]:
    return [*ElementTree.fromstring(picture).iter()]


@every_chart
def test_an_element_that_stands_alone(chart: Any) -> None:
    picture = drawn(chart)
    root, *others = parts(picture)
    assert picture.startswith("<svg ")
    assert root.tag == f"{NAMESPACE}svg"
    assert {element.tag.removeprefix(NAMESPACE) for element in others} <= {"title", "defs", "g", "path", "text", "use", "clipPath", "rect", "pattern"}  # fmt: skip
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert not any(name.startswith("on") for element in others for name in element.attrib)


@every_chart
def test_references_lead_to_ids_and_ids_are_used(chart: Any) -> None:
    elements = parts(drawn(chart))
    ids = [element.attrib["id"] for element in elements if "id" in element.attrib]
    references = [element.get("aria-labelledby", "") for element in elements]
    for element in elements:
        for name in ("href", "clip-path", "style"):
            references += re.findall(r"#(docie-[\w-]+)", element.get(name, ""))
    assert len({*ids}) == len(ids)
    assert {*references} - {""} == {*ids}


@every_chart
def test_the_same_chart_is_the_same_text(chart: Any) -> None:
    axes = chart()
    assert plots.svg(axes) == plots.svg(axes) == drawn(chart)


def test_ids_of_different_charts_differ() -> None:
    ids = [{*re.findall(r' id="([^"]+)"', drawn(chart))} for chart in CHARTS.values()]
    assert len(set.union(*ids)) == sum(map(len, ids))


def test_texts_are_texts() -> None:
    elements = parts(plots.svg(bars("total", NAME, "$x$")))
    texts = [element.text for element in elements if element.tag == f"{NAMESPACE}text"]
    assert {"total (1)", "$x$ (1)", "0.50", "f1"} <= {*texts}
    assert any(text and text.startswith("<script>aler") for text in texts)
    assert "<script" not in plots.svg(bars(NAME))


@every_chart
def test_texts_and_axes_have_the_colour_of_the_page(chart: Any) -> None:
    picture = drawn(chart)
    root, *others = parts(picture)
    assert root.get("fill") == "currentColor"
    assert "#000000" not in picture
    assert not any("fill" in element.get("style", "") for element in others if element.tag == f"{NAMESPACE}text")
    colours = {*re.findall(r"(?:fill|stroke)(?:: |=\")(#\w+)", picture)}
    assert colours <= {"#0072b2", "#e69f00", "#cc79a7", "#ffffff"}, "white only in hatches"


def test_a_dark_style_of_the_user() -> None:
    from matplotlib import rc_context

    names = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    dark = dict.fromkeys(names, "white")
    with rc_context(dark):
        picture = plots.svg(bars("total"))
    assert "currentColor" in picture
    assert "#ffffff" not in picture


def test_what_a_screen_reader_says() -> None:
    def title(picture: str) -> str | None:
        root = ElementTree.fromstring(picture)
        assert root.get("role") == "img"
        assert root[0].get("id") == root.get("aria-labelledby")
        return root[0].text

    axes = bars("total")
    assert title(plots.svg(axes)) == "f1 by entity type, the worst one first"
    assert title(plots.svg(axes, title="a < b")) == "a < b"
    axes.set_title("By field")
    assert title(plots.svg(axes)) == "By field"
    assert title(plots.svg(Figure().subplots())) == "chart"


def test_letters_that_the_font_lacks_are_no_matter() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "合計" in plots.svg(bars("合計"))
