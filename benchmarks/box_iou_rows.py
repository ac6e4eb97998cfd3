"""Box overlap's measurements, beside the same figures made with the polygon library shapely.

The textbook unites the polygons of every unit and compares every box with every other. The kernel is what neither can
avoid: the coordinates as arrays, sorted, and one matching of the boxes that overlap.
"""

from __future__ import annotations

import json
import os
import random
from functools import partial
from pathlib import Path
from typing import Any

import cases
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from docie import box_iou
from docie.adapters import grouping, records

REFERENCE = "shapely"
Page = list[dict[str, Any]]


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row; the number of receipts is CORD's."""
    ours = {"corpus.evaluate": cases.ours(box_iou), "evaluate.compute": cases.through_evaluate("box_iou")}
    others = {"shapely": cases.each(textbook), "kernel": cases.each(kernel)}
    minutes = {("shapely", "a page of 5,000 boxes")}
    return {
        **cases.rows({**ours, **others}, cord()),
        **cases.rows({"corpus.evaluate": ours["corpus.evaluate"], **others}, pages(100, 1000, 5000), but=minutes),
    }


def cord() -> dict[str, cases.Case]:
    """CORD's annotated words with those that LayoutLM found, if DOCIE_DATA names the folder that has them."""
    folder = Path(os.environ.get("DOCIE_DATA", "nowhere")) / "cord-test"
    return {"CORD": cases.Case(100, partial(_cord, folder))} if folder.is_dir() else {}


def _cord(folder: Path) -> list[cases.Pair]:
    predictions, references = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("predictions-layoutlm-words.jsonl", "references.jsonl")
    )
    pairs = []
    for row, record in zip(predictions, references, strict=True):
        words = records.words_and_boxes(record)
        found, boxes = ([word[name] for word in row["words"]] for name in ("label", "box"))
        labels = ["O" if key else label for key, label in zip(words["is_key"], words["labels"], strict=True)]
        pairs.append((grouping.labelled_boxes(found, boxes), grouping.labelled_boxes(labels, words["boxes"])))
    return pairs


def pages(*numbers: int) -> dict[str, cases.Case]:
    """Single pages with so many words."""
    return {f"a page of {number:,} boxes": cases.Case(1, partial(_pages, number)) for number in numbers}


def _pages(number: int) -> list[cases.Pair]:
    """Lines of ten words in five labels, each line a group; found a little off, some split, some lost."""
    rng = random.Random(0)
    reference: Page = []
    for position in range(number):
        line, place = divmod(position, 10)
        x, y = 100 * place + rng.random(), 12 * line + rng.random()
        corners = [x, y, x + rng.uniform(30, 95), y + rng.uniform(8, 11)]
        reference.append({"label": f"field {place % 5}", "box": corners, "group": line})
    prediction: Page = []
    for word in reference:
        x0, y0, x1, y1 = (value + rng.gauss(0, 1) for value in word["box"])
        middle = (x0 + x1) / 2
        halves = [[x0, y0, middle, y1], [middle, y0, x1, y1]] if rng.random() < 0.1 else [[x0, y0, x1, y1]]
        prediction += [{**word, "box": half} for half in halves if rng.random() > 0.05]
    return [(prediction, reference)]


def textbook(prediction: Page, reference: Page) -> list[float]:
    """The sums behind every figure, each area a polygon's."""
    import shapely

    sums = np.zeros(16)
    sides = [by_label(page) for page in (prediction, reference)]
    for label in sides[0].keys() | sides[1].keys():
        left, right = (side.get(label, {}) for side in sides)
        one, other = (shapely.union_all([box for boxes in side.values() for box in boxes]) for side in (left, right))
        sums[:3] += one.area, other.area, one.intersection(other).area
        for group in left.keys() | right.keys():
            one, other = (shapely.union_all(side.get(group, [])) for side in (left, right))
            hulls = one.envelope, other.envelope
            sums[3:6] += 1, ratio(one, other), ratio(*hulls)
        found, expected = (instances(side) for side in (left, right))
        table = np.array([[ratio(box, other) for other in expected] for box in found])
        sums[6:16] += [pairs(table >= percent / 100) for percent in range(50, 100, 5)]
    return [float(number) for number in sums]


def by_label(page: Page) -> dict[str, dict[Any, list[Any]]]:
    import shapely

    found: dict[str, dict[Any, list[Any]]] = {}
    for word in page:
        found.setdefault(word["label"], {}).setdefault(word.get("group"), []).append(shapely.box(*word["box"]))
    return found


def instances(groups: dict[Any, list[Any]]) -> list[Any]:
    import shapely

    hulls = [shapely.union_all(boxes).envelope for group, boxes in groups.items() if group is not None]
    return [*groups.get(None, []), *hulls]


def ratio(one: Any, other: Any) -> float:
    overlap = one.intersection(other).area
    union = one.area + other.area - overlap
    return float(overlap / union) if union else 0.0


def pairs(table: Any) -> int:
    return int((maximum_bipartite_matching(csr_matrix(table)) >= 0).sum()) if table.size else 0


def kernel(prediction: Page, reference: Page) -> None:
    left, right = (np.array([word["box"] for word in page]).reshape(-1, 4) for page in (prediction, reference))
    np.unique(np.concatenate([left, right])[:, 1::2])
    order = np.sort(right[:, 1])
    rows = np.arange(len(left))
    columns = order.searchsorted(left[:, 1]).clip(0, len(right) - 1) if len(right) else rows[:0]
    if len(columns):
        maximum_bipartite_matching(csr_matrix((np.ones(len(rows)), (rows, columns))))
