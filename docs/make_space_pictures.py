"""Draw the pictures of pages in the browser, as Chromium shows them.

    python docs/make_space_pictures.py [FOLDER]

It needs Chromium and `pip install ".[test-all]"`.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

from docie import families, hub

COLOURS = 64
"""Enough for text on plain ground."""
PATIENCE = 120_000
"""Milliseconds until a page answers."""


class Picture(NamedTuple):
    """A picture: its file, the Space, the size of the window, and what stands at its top."""

    name: str
    space: str
    width: int
    height: int
    top: str = "body"


PICTURES = [
    Picture("space-explorer", "explorer", 1366, 900),
    Picture("space-kieval", "kieval", 1366, 900, "#dx-kieval-values-that-skip-review"),
    Picture("space-anls-star", "anls_star", 390, 844),
    Picture("space-form-robustness", "form_robustness", 1366, 1300),
]
SPACES = ["explorer", *families()]
SHEETS = {"space-screens": (1366, 900), "space-screens-phone": (390, 844)}
"""The first screens of all Spaces, light and dark, in a third of their size."""


def shot(browser: Any, address: str, picture: Picture, theme: str) -> Image.Image:
    """A Space with its first example, once it shows a score."""
    page = browser.new_page(viewport={"width": picture.width, "height": picture.height}, color_scheme=theme)
    page.goto(f"{address}?__theme={theme}")
    page.locator("[data-docie-score]:visible").wait_for(timeout=PATIENCE)
    page.locator(picture.top).evaluate("element => element.scrollIntoView()")
    page.wait_for_timeout(500)  # for fonts and for the button that follows the scores
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.close()
    return taken


def save(image: Image.Image, path: Path) -> None:
    """Write a small file."""
    image.quantize(COLOURS).save(path, optimize=True)


def draw(folder: Path) -> None:
    """Open each Space with its first example, and take its pictures."""
    screens: dict[str, list[list[Image.Image]]] = {name: [] for name in SHEETS}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for space in SPACES:
            demo, launch = hub.page(space)
            _, address, _ = launch(demo, prevent_thread_lock=True)
            for picture in PICTURES:
                if picture.space == space:
                    save(shot(browser, address, picture, "light"), folder / f"{picture.name}.png")
            for name, size in SHEETS.items():
                pair = [shot(browser, address, Picture(name, space, *size), theme) for theme in ("light", "dark")]
                screens[name].append([each.reduce(3) for each in pair])
            demo.close()
        browser.close()
    for name, pairs in screens.items():
        save(sheet(pairs, columns=4 if SHEETS[name][0] > 1000 else 10), folder / f"{name}.png")


def sheet(pairs: list[list[Image.Image]], *, columns: int) -> Image.Image:
    """Pictures of one size, row by row."""
    images = [image for pair in pairs for image in pair]
    (width, height), gap = images[0].size, 12
    rows = -(-len(images) // columns)
    result = Image.new("RGB", (columns * (width + gap) - gap, rows * (height + gap) - gap), "#9aa3ad")
    for place, image in enumerate(images):
        result.paste(image, (place % columns * (width + gap), place // columns * (height + gap)))
    return result


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
