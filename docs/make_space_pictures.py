"""Draw the pictures of pages in the browser, as Chromium shows them.

    python docs/make_space_pictures.py [FOLDER]

It needs Chromium and `pip install ".[test]"`.
"""

from __future__ import annotations

import io
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

from docie.spaces.common import page as spaces

COLOURS = 64
"""Enough for text on plain ground."""
PATIENCE = 120_000
"""Milliseconds until a page answers."""


class Picture(NamedTuple):
    """A picture: its file, the Space, the size of the window, what stands at its top, and what it waits for."""

    name: str
    space: str
    width: int
    height: int
    top: str = "body"
    shown: str = ".docie-view"


PICTURES = [
    Picture("space-explorer", "explorer", 1200, 1080),
    Picture("space-kieval", "kieval", 1000, 1020, "#threshold"),
    Picture("space-anls-star", "anls_star", 390, 844, "#results"),
    Picture("space-form-robustness", "form_robustness", 1200, 1400, shown="#attack-results .docie-view"),
]


def draw(folder: Path) -> None:
    """Open each Space with its first example, and take its picture."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for picture in PICTURES:
            demo = import_module(f"docie.spaces.{picture.space}.app").demo
            _, address, _ = spaces.launch(demo, prevent_thread_lock=True)
            size: Any = {"width": picture.width, "height": picture.height}
            page = browser.new_page(viewport=size, color_scheme="light")
            page.goto(f"{address}?__theme=light")
            page.wait_for_selector(picture.shown, timeout=PATIENCE)
            page.locator(picture.top).evaluate("element => element.scrollIntoView()")
            page.wait_for_timeout(500)  # for fonts and for the button that follows the figures
            shot = Image.open(io.BytesIO(page.screenshot()))
            shot.convert("RGB").quantize(COLOURS).save(folder / f"{picture.name}.png", optimize=True)
            page.close()
            demo.close()
        browser.close()


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
