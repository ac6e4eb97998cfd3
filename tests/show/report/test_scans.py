"""Images of pages in a report: small, of the documents that name them, with a box for each value that has one."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest

from docie import kieval, report
from docie.show.report.scans import LONGEST_SIDE, MOST_BYTES, Scan, scans_of, scans_view

from cli_runs import lines, run

Image = pytest.importorskip("PIL.Image")
BOX = [100, 50, 300, 90]


def leaf(value: str, box: Any, **others: Any) -> dict[str, Any]:
    return {"value": value, "confidence": 0.5, "box": box, **others}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a page in colours with an alpha channel."""
    Image.new("RGBA", (400, 200), "red").save(tmp_path / "red.png")
    return tmp_path


@pytest.mark.exhaustive
def test_images_are_small_and_keep_their_sides(folder: Path) -> None:
    Image.effect_noise((1600, 1200), 200).save(folder / "noise.png")  # which no format makes small
    noise, red = scans_of(["noise.png", "red.png"], folder)
    assert (noise[1:], red[1:]) == ((1600, 1200), (400, 200))
    data = base64.b64decode(noise.url.removeprefix("data:image/webp;base64,"))
    assert len(data) <= MOST_BYTES
    width, height = Image.open(io.BytesIO(data)).size
    assert width <= LONGEST_SIDE
    assert width / height == pytest.approx(4 / 3, rel=0.01)


@pytest.mark.parametrize("name", ["none.png", "text.txt", "https://example.org/page.png"])
def test_what_is_no_image_is_an_error(folder: Path, name: str) -> None:
    (folder / "text.txt").write_text("no image")
    with pytest.raises(OSError, match=re.escape(name[-8:])):
        scans_of(name, folder)


def boxes(html: str) -> list[tuple[str, str, list[float]]]:
    """Whose boxes are drawn, of which pair, and where."""
    pattern = r'<g class="docie-of-(\w+) [^"]*" data-docie-pair="(\d+)">.*?<rect x="(.*?)" y="(.*?)" width="(.*?)" height="(.*?)"'
    return [(side, pair, [*map(float, place)]) for side, pair, *place in re.findall(pattern, html, re.DOTALL)]


def test_boxes_are_those_of_both_sides() -> None:
    found = kieval.explain(
        {"a": leaf("1", BOX), "b": leaf("x", [0, 0, 9, 9])}, {"a": leaf("2", [90, 50, 300, 90]), "c": "3"}
    )
    assert [(pair.entity_type, pair.verdict) for pair in found.pairs] == [
        ("a", "wrong"),
        ("b", "invented"),
        ("c", "missed"),
    ]
    html = scans_view(found, [Scan("data:,", 400, 200)])
    first, second, third = boxes(html)
    assert first == ("reference", "0", [90, 50, 210, 40])
    assert second == ("prediction", "0", [100, 50, 200, 40])
    assert third == ("prediction", "1", [0, 0, 9, 9])
    assert html.count("docie-hatched") == 3
    assert re.findall(r"<text [^>]*>(.)</text>", html) == ["≠", "−"], "one mark a value"


def test_shares_of_pages_and_quads() -> None:
    quad = [[0.1, 0.2], [0.5, 0.2], [0.5, 0.4], [0.1, 0.4]]
    prediction = {"a": leaf("1", quad, page=2), "b": leaf("1", "nowhere"), "c": leaf("1", [0.5, 0.5, 0.5, 0.6])}
    html = scans_view(kieval.explain(prediction, {}), [Scan("data:,", 400, 200), Scan("data:,", 1000, 500)])
    assert boxes(html) == [("prediction", "0", [100, 100, 400, 100])], "others are no boxes"
    assert html.index('aria-label="Page 1 with 0 boxes"') < html.index('aria-label="Page 2 with 1 boxes"')


def test_a_report_has_the_images_that_rows_name(folder: Path) -> None:
    reference: dict[str, Any] = {"id": "d-1", "reference": {"a": leaf("1", BOX)}, "meta": {"image": "red.png"}}
    lost: dict[str, Any] = {"id": "d-2", "reference": {"a": "1"}, "meta": {"image": "lost.png"}}
    predictions = [{"id": name, "prediction": {"a": leaf("7", BOX)}} for name in ("d-1", "d-2", "d-3")]
    references = [reference, lost, {"id": "d-3", "reference": {"a": "1"}}]
    report.write(folder / "with.html", predictions, references, images=folder)
    html = (folder / "with.html").read_text(encoding="utf-8")
    assert html.count("<image ") == 1
    assert html.count('href="data:image/webp;base64,') == 1
    assert html.count('<tr class="docie-value docie-substitution" data-docie-pair="0"') == 1
    assert re.search("d-2: the image .*lost.png.* cannot be read", html)
    report.write(folder / "without.html", predictions, references)
    assert "data:image" not in (folder / "without.html").read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_the_command_embeds_them(folder: Path) -> None:
    references = lines(folder / "r.jsonl", [{"reference": {"a": leaf("1", BOX)}, "meta": {"image": "red.png"}}])
    predictions = lines(folder / "p.jsonl", [{"prediction": {"a": leaf("7", BOX)}}])
    path = folder / "report.html"
    assert run(references, predictions, "--report", str(path), "--images", str(folder)).exit_code == 0
    assert path.read_text(encoding="utf-8").count("data:image/webp") == 1
    assert run(references, predictions, "--images", str(folder)).stderr == "--images needs --report\n"
