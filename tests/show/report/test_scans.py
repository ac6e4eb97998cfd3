"""Images of pages in a report: small, of the documents that name them, with a box for each value that has one."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest
from reports import score_report

from docie import kieval
from docie.show.report.scans import LONGEST_SIDE, MOST_BYTES, scans_of, scans_view
from docie.show.section import Scan

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


def pixel(folder: Path, name: str) -> Any:
    """The colour in the middle of an image as it is drawn, and its sides."""
    [scan] = scans_of(name, folder)
    image = Image.open(io.BytesIO(base64.b64decode(scan.url.removeprefix("data:image/webp;base64,"))))
    assert image.size == scan[1:]
    return image.getpixel((image.width // 2, image.height // 2)), image.size


def test_images_stand_upright_on_white_and_keep_their_greys(tmp_path: Path) -> None:
    turned = Image.Exif()
    turned[0x0112] = 6  # a camera that was held upright
    Image.new("RGB", (40, 20), "red").save(tmp_path / "photo.jpg", exif=turned)
    assert pixel(tmp_path, "photo.jpg")[1] == (20, 40)
    Image.new("RGBA", (40, 20), (0, 0, 0, 0)).save(tmp_path / "clear.png")
    assert min(pixel(tmp_path, "clear.png")[0]) > 250
    for depth in (0x4000, 0xC000):
        Image.new("I;16", (40, 20), depth).save(tmp_path / "grey.png")
        assert pixel(tmp_path, "grey.png")[0][0] == pytest.approx(depth / 256, abs=4)


def test_an_image_of_too_many_pixels_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1000)
    with pytest.raises(OSError, match="exceeds limit"):
        scans_of("red.png", folder)


def test_each_side_has_units_and_pages_of_its_own() -> None:
    prediction = {"a": leaf("1", [0.25, 0.25, 0.5, 0.5], page="1.0"), "b": leaf("1", BOX, page="two")}
    found = kieval.explain(prediction, {"a": leaf("2", BOX, page=1.0)})
    assert boxes(scans_view(found, [Scan("data:,", 400, 200)])) == [
        ("reference", "0", [100, 50, 200, 40]), ("prediction", "0", [100, 50, 100, 50]),
    ]  # fmt: skip


def test_images_that_are_not_shown_are_told(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    with pytest.raises(ValueError, match=r"^nowhere: expected a folder of images$"):
        score_report(path, [{}], [{}], images="nowhere")
    assert not path.exists()
    score_report(path, [{"a": "1"}], [{"a": "2"}], images=folder)
    assert "no document that is shown names an image" in path.read_text(encoding="utf-8")
    rows = [{"id": str(number), "reference": {"a": "2"}, "meta": {"image": "no.png"}} for number in range(5)]
    score_report(path, [{"a": "1"}] * 5, rows, images=folder)
    assert "2 more images cannot be read" in path.read_text(encoding="utf-8")


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
        ("a", "incorrect"),
        ("b", "spurious"),
        ("c", "missing"),
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


@pytest.mark.exhaustive
def test_a_report_has_the_images_that_rows_name(folder: Path) -> None:
    reference: dict[str, Any] = {"id": "d-1", "reference": {"a": leaf("1", BOX)}, "meta": {"image": "red.png"}}
    lost: dict[str, Any] = {"id": "d-2", "reference": {"a": "1"}, "meta": {"image": "lost.png"}}
    predictions = [{"id": name, "prediction": {"a": leaf("7", BOX)}} for name in ("d-1", "d-2", "d-3")]
    references = [reference, lost, {"id": "d-3", "reference": {"a": "1"}}]
    score_report(folder / "with.html", predictions, references, images=folder)
    html = (folder / "with.html").read_text(encoding="utf-8")
    assert html.count("<image ") == 1
    assert html.count('href="data:image/webp;base64,') == 1
    assert html.count('<tr class="docie-value docie-substitution" data-docie-pair="0"') == 1
    assert re.search("d-2: the image .*lost.png.* cannot be read", html)
    score_report(folder / "without.html", predictions, references)
    assert "data:image" not in (folder / "without.html").read_text(encoding="utf-8")


@pytest.mark.exhaustive
def test_the_command_embeds_them(folder: Path) -> None:
    references = lines(folder / "r.jsonl", [{"reference": {"a": leaf("1", BOX)}, "meta": {"image": "red.png"}}])
    predictions = lines(folder / "p.jsonl", [{"prediction": {"a": leaf("7", BOX)}}])
    path = folder / "report.html"
    assert run(references, predictions, "--report", str(path), "--images", str(folder)).exit_code == 0
    assert path.read_text(encoding="utf-8").count("data:image/webp") == 1
    assert run(references, predictions, "--images", str(folder)).stderr == "--images needs --report\n"
