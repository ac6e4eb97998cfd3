"""Draw the picture of a report of the example receipts: its beginning and one document, as Chromium shows them.

    python docs/make_report_picture.py [FILE]

It needs Chromium and `pip install ".[test]"`.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import docie
from docie import report

RECEIPTS = Path(__file__).resolve().parents[1] / "examples" / "receipts"
PICTURE = Path(__file__).with_name("report.png")
DOCUMENT = "receipt-02"
WIDTH, HEIGHT = 1000, 1200
HIDDEN = (
    "#fields, #taken, #alarms, #automation, #tools, #overview details, footer",
    "#repairs .scroll ~ *",  # the second table
    "#list > li:not(:has(> details[open]))",
)
"""The parts of the page that the picture leaves out."""
COLOURS = 256
"""Enough for text on plain ground, and half the size of the file."""


def draw(path: Path) -> None:
    """Write a report, open it and one document in it, and take a picture."""
    predictions, references = (docie.read(RECEIPTS / f"{name}.jsonl") for name in ("predictions-hasty", "references"))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "report.html"
        report.write(file, predictions, references, title="Receipts read by the hasty system")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        page.goto(file.as_uri())
        page.locator("#list > li", has_text=DOCUMENT).locator("summary").first.click()
        page.evaluate("document.activeElement.blur()")
        page.add_style_tag(content=f"{', '.join(HIDDEN)} {{ display: none }} h2 {{ margin-top: 1.5rem }}")
        picture = Image.open(io.BytesIO(page.screenshot(full_page=True)))
        browser.close()
    picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
