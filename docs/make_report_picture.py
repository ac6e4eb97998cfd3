"""Draw the pictures of reports, as Chromium shows them: of the example receipts, and of form attacks.

    python docs/make_report_picture.py [FOLDER]

It needs Chromium and `pip install ".[test]"`.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

import docie
from docie import report, robustness

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
DOCUMENT = "receipt-02"
FORMS = 60
WIDTH, HEIGHT = 1000, 1200
COLOURS = 256
"""Enough for text on plain ground, and half the size of the file."""


def draw(folder: Path) -> None:
    """Write the reports, open what the pictures show of them, and take the pictures."""
    with tempfile.TemporaryDirectory() as drafts, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
        for name, write in (("report", receipts), ("robustness", attacks)):
            hidden = write(page, Path(drafts) / f"{name}.html")
            take(page, hidden, folder / f"{name}.png")
        browser.close()


def receipts(page: Page, file: Path) -> Sequence[str]:
    """Open the report of the receipts and one document in it. What the picture leaves out is returned."""
    predictions, references = (
        docie.read(EXAMPLES / "receipts" / f"{name}.jsonl") for name in ("predictions-hasty", "references")
    )
    report.write(file, predictions, references, title="Receipts read by the hasty system")
    page.goto(file.as_uri())
    page.locator("#list > li", has_text=DOCUMENT).locator("summary").first.click()
    return (
        "#fields, #taken, #alarms, #automation, #tools, #overview details, footer",
        "#repairs .scroll ~ *",  # the second table
        "#list > li:not(:has(> details[open]))",
    )


def attacks(page: Page, file: Path) -> Sequence[str]:
    """Open the report of attacks on the model of one rule. What the picture leaves out is returned."""
    sys.path.insert(0, str(EXAMPLES))
    import rule_reader

    import synthetic_invoices

    forms = synthetic_invoices.invoices(FORMS, seed=0, part="held_out")
    results = robustness.run(rule_reader.read, forms)
    report.write_robustness(
        file, results, forms=forms, predict=rule_reader.read, title="Form attacks on a reader of keys"
    )
    page.goto(file.as_uri())
    return (
        "#attacks .scroll, #attacks details, #fields, .hint, footer",
        "#forms li:not(:first-child), #forms .pair:not(.level)",
    )


def take(page: Page, hidden: Sequence[str], path: Path) -> None:
    """Take a picture of the page without some of its parts."""
    page.evaluate("document.activeElement.blur()")
    page.add_style_tag(content=f"{', '.join(hidden)} {{ display: none }} h2 {{ margin-top: 1.5rem }}")
    picture = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
