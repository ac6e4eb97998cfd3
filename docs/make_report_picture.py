"""Draw the pictures of reports, as Chromium shows them: of the example receipts, of thresholds, of systems, of attacks.

    python docs/make_report_picture.py [FOLDER]

It needs Chromium and `pip install ".[test-all]"`.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import sync_playwright

import docie

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
DAY = "1767225600"
"""What reports say of the day on which they were made: 2026-01-01."""
FORMS = 60
COLOURS = 64
"""Enough for text on plain ground, and a third of the size of the file."""
WIDE, PHONE = (1366, 900), (390, 844)


class Picture(NamedTuple):
    """A picture of a page: its file, the page, the size of the window, its colours, and what is clicked before."""

    name: str
    page: str
    size: tuple[int, int] = WIDE
    scheme: str = "light"
    clicked: tuple[str, ...] = ()


PICTURES = [
    Picture("report", "score"),
    Picture("report-phone", "score", PHONE, "dark"),
    Picture(
        "report-document", "score", WIDE, "dark", ("a[href='#field=items.name&kind=value']", ".docie-values tbody a")
    ),
    Picture("thresholds", "threshold"),
    Picture("robustness", "attacks"),
    Picture("comparison", "comparison"),
    Picture("comparison-phone", "comparison", PHONE),
    Picture("comparison-dark", "comparison", WIDE, "dark"),
]


def draw(folder: Path) -> None:
    """Write the reports, and take the pictures."""
    os.environ["SOURCE_DATE_EPOCH"] = DAY
    with tempfile.TemporaryDirectory() as drafts, sync_playwright() as playwright:
        files = {name: write(Path(drafts) / f"{name}.html") for name, write in PAGES.items()}
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for picture in PICTURES:
            width, height = picture.size
            options: Any = {"viewport": {"width": width, "height": height}, "color_scheme": picture.scheme}
            page = browser.new_page(**options)
            page.goto(files[picture.page].as_uri())
            for place in picture.clicked:
                page.locator(place).first.click()
            shot = Image.open(io.BytesIO(page.screenshot()))
            shot.convert("RGB").quantize(COLOURS).save(folder / f"{picture.name}.png", optimize=True)
        browser.close()


def command(name: str) -> Callable[[Path], Path]:
    """What writes the report of a command on the example receipts."""

    def write(file: Path) -> Path:
        shutil.copytree(EXAMPLES / "receipts", file.parent / "receipts", dirs_exist_ok=True)  # for short paths
        paths = ["receipts/references.jsonl", "receipts/predictions-hasty.jsonl"]
        command = ["docie", name, *paths, "--report", file.name]
        subprocess.run(command, check=True, capture_output=True, cwd=file.parent)
        return file

    return write


def attacks(file: Path) -> Path:
    """Write the report of attacks on the model of one rule."""
    sys.path.insert(0, str(EXAMPLES))
    import rule_reader

    import synthetic_invoices

    forms = synthetic_invoices.invoices(FORMS, seed=0, part="held_out")
    result = docie.attack(forms=forms, predict=rule_reader.read)
    docie.write(result, file, title="Form attacks on a reader of keys")
    return file


def comparison(file: Path) -> Path:
    """The report of six systems on the receipts: two of the examples, and four that mix them."""
    careful, hasty, references = (
        [row["document"] for row in docie.read(EXAMPLES / "receipts" / f"{name}.jsonl")]
        for name in ("predictions-careful", "predictions-hasty", "references")
    )
    systems = {"careful": careful, "hasty": hasty}
    for name, every in (("hasty_on_half", 2), ("hasty_on_a_third", 3), ("hasty_on_a_tenth", 10), ("hasty_once", 24)):
        systems[name] = [hasty[number] if number % every == 1 else row for number, row in enumerate(careful)]
    result = docie.compare(references=references, systems=systems, by_field=True, documents=50)
    docie.write(result, file, title="Six readers of receipts")
    return file


PAGES = {"score": command("score"), "threshold": command("threshold"), "attacks": attacks, "comparison": comparison}


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
