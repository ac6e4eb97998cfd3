"""Draw the picture of the page "One prediction, twenty numbers": the scores of its tables on a line from 0 to 1.

    python docs/make_numbers_picture.py [FILE]

It needs nothing but Python. The picture has its own ground, in light and dark colours.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

PAGE = Path(__file__).with_name("twenty-numbers.md")
PICTURE = PAGE.with_suffix(".svg")
TITLES = {"CORD: Qwen2-VL reads 100 receipts": (200, 46), "DocuBench: Gemini reads 50 documents": (40, 420)}
"""What stands at the lines, and where: left and base."""
ROW = re.compile(r"^\| \*\*([\d.]+)\*\* \| (.*?) \(`.*?\) \| (\w+)", re.MULTILINE)
UNITS = ("characters", "texts", "values", "groups", "documents")
"""What is counted: the first word of a row's third cell."""

STYLE = """
.ground { fill: #ffffff; stroke: #d0d7de } .axis { stroke: #7d8896 } text.label { font-size: 13px; stroke: none }
text { font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 } .title { font-weight: 600 }
.characters { fill: #0b5cad; stroke: #0b5cad } .texts { fill: #0a6470; stroke: #0a6470 }
.values { fill: #1a6e54; stroke: #1a6e54 } .groups { fill: #a63c06; stroke: #a63c06 }
.documents { fill: #7a3596; stroke: #7a3596 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117; stroke: #3d444d } .axis { stroke: #77818f } text { fill: #e6edf3 }
.characters { fill: #85bdff; stroke: #85bdff } .texts { fill: #72cbd6; stroke: #72cbd6 }
.values { fill: #6fcfae; stroke: #6fcfae } .groups { fill: #ffa877; stroke: #ffa877 }
.documents { fill: #d9a8f0; stroke: #d9a8f0 } }
"""
WIDTH, HEIGHT, LEFT, LENGTH = 990, 540, 40, 900
MIDDLE, HALF, REACH, STEP = 270, 22, 62, 22
"""The height of the axis's numbers; from there to a line, from the line to its labels; and from label to label."""


def scores() -> list[list[tuple[float, str, str]]]:
    """The tables of the page, from low to high: scores with their names and units."""
    tables = PAGE.read_text(encoding="utf-8").split("<!-- generated: measured ")[1:]
    return [
        [(float(score), name.replace("\\", ""), unit) for score, name, unit in ROW.findall(each)][::-1]
        for each in tables
    ]


def places(rows: list[tuple[float, str, str]]) -> list[float]:
    """Where labels stand: near their scores, and a step or more apart."""
    found: list[float] = []
    last = float(LEFT + LENGTH + 2 * STEP)
    for score, *_ in reversed(rows):
        last = min(LEFT + LENGTH * score + STEP, last - STEP)
        found.append(last)
    return found[::-1]


def strip(rows: list[tuple[float, str, str]], side: int) -> Iterator[str]:
    """A line with its scores: above the numbers of the axis (side -1) or below (1), labels outside."""
    line = MIDDLE + side * HALF
    yield f'<path class="axis" d="M{LEFT} {line}H{LEFT + LENGTH}"/>'
    for tick in range(6):
        yield f'<path class="axis" d="M{LEFT + LENGTH * tick / 5:g} {line}v{-5 * side}"/>'
    for (score, name, unit), place in zip(rows, places(rows), strict=True):
        x, end = LEFT + LENGTH * score, line + side * REACH
        yield f'<path class="{unit}" d="M{x:g} {line}L{place:g} {end}" fill="none" opacity="0.5"/>'
        yield f'<circle class="{unit}" cx="{x:g}" cy="{line}" r="4.5"/>'
        turned = f"rotate({-60 * side} {place:g} {end + 6 * side})"
        label = f"{name}  {score:.3f}"
        yield (
            f'<text class="label {unit}" x="{place:g}" y="{end + 6 * side}" dy="4" text-anchor="end" '
            f'transform="{turned}">{escape(label)}</text>'
        )


def parts() -> Iterator[str]:
    """Both lines, the numbers between them, titles and the legend."""
    for side, rows, (title, (left, base)) in zip((-1, 1), scores(), TITLES.items(), strict=True):
        yield from strip(rows, side)
        for number, line in enumerate(title.split(": ")):
            yield f'<text class="title" x="{left}" y="{base + 20 * number}">{line}</text>'
    for tick in range(6):
        yield f'<text x="{LEFT + LENGTH * tick / 5:g}" y="{MIDDLE + 5}" text-anchor="middle">{tick / 5:g}</text>'
    for number, unit in enumerate(UNITS):
        yield f'<circle class="{unit}" cx="206" cy="{91 + 20 * number}" r="4.5"/>'
        yield f'<text x="220" y="{96 + 20 * number}">{"counts " * (not number)}{unit}</text>'


def draw(path: Path) -> None:
    """Write the picture."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>The same answers under every score that applies, on a line from 0 to 1</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{HEIGHT - 1}" rx="10"/>',
        *parts(),
        "</svg>",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
