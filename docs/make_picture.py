"""Draw the picture of the README: a receipt, two predictions of it, and what the metrics say of them.

    python docs/make_picture.py [FILE]

The receipt is one of the example receipts; every figure is computed here. It needs matplotlib:
`pip install ".[plots]"`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib import pyplot as plt
from matplotlib.patches import FancyBboxPatch, Rectangle

from docie import corpus
from docie.core import family

RECEIPTS = Path(__file__).resolve().parents[1] / "examples" / "receipts"
PICTURE = Path(__file__).with_name("picture.svg")
ID = "receipt-02"
SYSTEMS = ["careful", "hasty"]
RIGHT, WRONG, MISSING = "#1a1a1a", "#f6b8b0", "#e4e4e4"
SCORES = {  # the row of the table: family, figure, what it says
    "entity F1": ("entity_f1", "f1", "values by type; rows are ignored"),
    "KIEval entity F1": ("kieval", "entity_f1", "a value counts in its row only"),
    "KIEval group F1": ("kieval", "group_f1", "groups (such as an item) without error"),
    "KIEval corrections": ("kieval", "corrections", "values that a person must fix"),
    "ANLS*": ("anls_star", "anls_star", "near misses get credit"),
}


class Cell(NamedTuple):
    """A text of a prediction, and whether it is "right", "wrong" or "missing"."""

    text: str
    state: str


def document(name: str, side: str) -> dict[str, Any]:
    """The document of the receipt in one of the example files."""
    with (RECEIPTS / f"{name}.jsonl").open(encoding="utf-8") as file:
        rows: dict[str, dict[str, Any]] = {row["id"]: row for row in map(json.loads, file)}
    return dict(rows[ID][side])


def values(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """All values of a document, each with its path: items have numbers, confidences are left out."""
    if isinstance(node, dict) and "value" not in node:
        for key, child in node.items():
            yield from values(child, f"{path}.{key}" if path else key)
    elif isinstance(node, list):
        for number, child in enumerate(node, 1):
            yield from values(child, f"{path} {number}" if isinstance(child, dict) and "value" not in child else path)
    else:
        yield path, node["value"] if isinstance(node, dict) else node


def grouped(node: dict[str, Any]) -> dict[str, list[str]]:
    """All values of a document by path."""
    result: dict[str, list[str]] = {}
    for path, text in values(node):
        result.setdefault(path, []).append(text)
    return result


def cells(reference: dict[str, list[str]], prediction: dict[str, list[str]]) -> list[tuple[str, list[Cell]]]:
    """The cells of a prediction, path by path."""
    table = []
    for path, expected in reference.items():
        predicted = prediction.get(path, [])
        row = [Cell(text if text == text.strip() else f'"{text}"', state_of(text in expected)) for text in predicted]
        row += [Cell("missing", "missing") for _ in expected[len(predicted) :]]
        table.append((path, row))
    assert prediction.keys() <= reference.keys(), "the picture has no place for other paths"
    return table


def state_of(is_right: bool) -> str:
    """The name of a state."""
    return "right" if is_right else "wrong"


def scores(reference: Any, predictions: list[Any]) -> list[list[str]]:
    """The rows of the table: a title, a figure for each prediction, and what the figure says."""
    rows = []
    for title, (name, figure, meaning) in SCORES.items():
        figures = [corpus.evaluate(family.get(name), [each], [reference])[figure] for each in predictions]
        rows.append([title, *(str(each) if isinstance(each, int) else f"{each:.2f}" for each in figures), meaning])
    return rows


def receipt_lines(reference: dict[str, Any]) -> list[tuple[str, str]]:
    """The lines of the receipt as it is printed: left and right."""
    lines = [(reference["date"], reference["currency"]), ("", "")]
    for item in reference["items"]:
        lines.append((f"{item['quantity']} {item['name']}", item["amount"]))
        lines += [(f"   {option['name']}", option.get("amount", "")) for option in item.get("options", [])]
    lines += [("", "")]
    lines += [(key.upper(), value) for key, value in reference["summary"].items()]
    return [*lines, (f"PAID BY {reference['payment']['method'].upper()}", reference["payment"]["paid"])]


def draw_receipt(axes: Any, reference: dict[str, Any]) -> None:
    """The receipt on its paper."""
    lines = receipt_lines(reference)
    length = 1.1 + 0.52 * len(lines)
    axes.add_patch(Rectangle((0.3, 7.5 - length), 3.3, length, facecolor="#fffdf5", edgecolor="#999999"))
    axes.text(1.95, 7.1, reference["vendor"], ha="center", va="center", weight="bold", size=10)
    for number, (left, right) in enumerate(lines):
        height = 6.5 - 0.52 * number
        axes.text(0.5, height, left, va="center", family="monospace", size=8)
        axes.text(3.4, height, right, va="center", ha="right", family="monospace", size=8)


def draw_prediction(axes: Any, left: float, title: str, table: list[tuple[str, list[Cell]]]) -> None:
    """A prediction: a line for each path, with wrong and missing cells on a ground of their own."""
    axes.text(left, 7.9, title, weight="bold", size=10, va="center")
    for number, (path, row) in enumerate(table):
        height = 7.35 - 0.53 * number
        axes.text(left, height, path, va="center", size=7, color="#555555")
        start = left + 2.3
        for cell in row:
            width = 0.2 + 0.107 * len(cell.text)
            if cell.state != "right":
                colour = WRONG if cell.state == "wrong" else MISSING
                style = "round,pad=0,rounding_size=0.08"
                axes.add_patch(FancyBboxPatch((start - 0.06, height - 0.2), width, 0.4, style, fc=colour, ec="none"))
            style = "italic" if cell.state == "missing" else "normal"
            axes.text(start, height, cell.text, va="center", size=8, color=RIGHT, style=style)
            start += width + 0.12


def draw_scores(axes: Any, rows: list[list[str]]) -> None:
    """The table of figures."""
    for left, heading in zip((4.1, 9.2, 11.6), ["", *SYSTEMS], strict=True):
        axes.text(left if heading else 0.3, -0.3, heading or "score", va="center", weight="bold", size=9)
    for number, (title, *figures, meaning) in enumerate(rows):
        height = -0.85 - 0.5 * number
        axes.plot([0.3, 14.3], [height + 0.26] * 2, color="#cccccc", linewidth=0.6)
        axes.text(0.3, height, title, va="center", size=9)
        axes.text(4.1, height, meaning, va="center", size=8, color="#555555")
        for left, figure in zip((9.2, 11.6), figures, strict=True):
            axes.text(left, height, figure, va="center", size=9)


def draw(path: Path) -> None:
    """Draw the picture and write it. The same text gives the same file."""
    reference = document("references", "reference")
    predictions = [document(f"predictions-{system}", "prediction") for system in SYSTEMS]
    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "docie"
    figure, axes = plt.subplots(figsize=(10, 8.1))
    axes.set(xlim=(0, 14.4), ylim=(-3.3, 8.3))
    axes.set_axis_off()
    axes.text(0.3, 7.9, "the receipt", weight="bold", size=10, va="center")
    draw_receipt(axes, reference)
    expected = grouped(reference)
    for left, system, prediction in zip((4.1, 9.1), SYSTEMS, predictions, strict=True):
        draw_prediction(axes, left, f"what “{system}” read", cells(expected, grouped(prediction)))
    draw_scores(axes, scores(reference, predictions))
    date = {"Date": None} if path.suffix == ".svg" else {}
    figure.savefig(path, bbox_inches="tight", facecolor="white", dpi=100, metadata=date)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
