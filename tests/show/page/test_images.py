"""Images of pages in a report: small, of the documents that name them."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path
from typing import Any

import pytest
from page_data import documents_of
from reports import score_report

from docie.show.page.images import LONGEST_SIDE, MOST_BYTES, scans_of

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


@pytest.mark.exhaustive
def test_a_report_has_the_images_that_rows_name(folder: Path) -> None:
    reference: dict[str, Any] = {"id": "d-1", "reference": {"a": leaf("1", BOX)}, "meta": {"image": "red.png"}}
    lost: dict[str, Any] = {"id": "d-2", "reference": {"a": "1"}, "meta": {"image": "lost.png"}}
    predictions = [{"id": name, "prediction": {"a": leaf("7", BOX)}} for name in ("d-1", "d-2", "d-3")]
    references = [reference, lost, {"id": "d-3", "reference": {"a": "1"}}]
    score_report(folder / "with.html", predictions, references, images=folder)
    html = (folder / "with.html").read_text(encoding="utf-8")
    (first, _, groups, more), *others = documents_of(html)
    assert (first, groups[0][4][0][2][2]) == ("d-1", {"c": 0.5, "b": BOX, "B": BOX})
    [(url, width, height)] = more["images"]
    assert url.startswith("data:image/webp;base64,")
    assert (width, height) == (400, 200)
    assert len(others) == 2
    assert not any("images" in extra for _, _, _, *known in others for extra in known)
    assert re.search("d-2: the image .*lost.png.* cannot be read", html)
    score_report(folder / "without.html", predictions, references)
    html = (folder / "without.html").read_text(encoding="utf-8")
    assert not any("images" in extra for _, _, _, *known in documents_of(html) for extra in known)


@pytest.mark.exhaustive
def test_the_command_embeds_them(folder: Path) -> None:
    references = lines(folder / "r.jsonl", [{"reference": {"a": leaf("1", BOX)}, "meta": {"image": "red.png"}}])
    predictions = lines(folder / "p.jsonl", [{"prediction": {"a": leaf("7", BOX)}}])
    path = folder / "report.html"
    assert run(references, predictions, "--report", str(path), "--images", str(folder)).exit_code == 0
    [(_, _, _, more)] = documents_of(path.read_text(encoding="utf-8"))
    assert len(more["images"]) == 1
    assert run(references, predictions, "--images", str(folder)).stderr == "--images needs --report\n"
