"""Box overlap's measurements, beside the same figures made with the polygon library shapely.

The textbook unites the polygons of every unit and compares every box with every other. The kernel is what neither can
avoid: the coordinates as arrays, sorted, and one matching of the boxes that overlap.
"""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Any

import cases
import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from waits import boxes, kernel

from docie import box_iou
from docie.adapters import grouping, records

REFERENCE = "shapely"
Page = list[dict[str, Any]]
Groups = dict[Any, list[Any]]
"""Polygons by group id."""


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row. The number of receipts is CORD's."""
    through_corpus = {"corpus.evaluate": cases.through_corpus(box_iou)}
    through_evaluate = {"evaluate.compute": cases.through_evaluate("box_iou")}
    comparisons = {"shapely": cases.pair_by_pair(textbook), "kernel": cases.pair_by_pair(kernel)}
    too_slow = {("shapely", "a page of 5,000 boxes")}  # takes minutes
    return {
        **cases.rows(through_corpus | through_evaluate | comparisons, cord()),
        **cases.rows(through_corpus | comparisons, pages(100, 1000, 5000), without=too_slow),
    }


def cord() -> dict[str, cases.Case]:
    """CORD's annotated words with those that LayoutLM predicted, if DOCIE_DATA names the folder that has them."""
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
        labels = ["O" if is_key else label for is_key, label in zip(words["is_key"], words["labels"], strict=True)]
        predicted_labels, predicted_boxes = ([word[name] for word in row["words"]] for name in ("label", "box"))
        prediction = grouping.labelled_boxes(predicted_labels, predicted_boxes)
        pairs.append((prediction, grouping.labelled_boxes(labels, words["boxes"])))
    return pairs


def pages(*numbers: int) -> dict[str, cases.Case]:
    """Single pages with so many words."""
    return {f"a page of {number:,} boxes": cases.Case(1, partial(_pages, number)) for number in numbers}


def _pages(number: int) -> list[cases.Pair]:
    return [boxes(number)]


def textbook(prediction: Page, reference: Page) -> list[float]:
    """The sums behind every figure, each area a polygon's."""
    import shapely

    sums = np.zeros(16)
    predicted_labels, expected_labels = by_label(prediction), by_label(reference)
    for label in predicted_labels.keys() | expected_labels.keys():
        predicted, expected = predicted_labels.get(label, {}), expected_labels.get(label, {})
        areas = [
            shapely.union_all([box for boxes in groups.values() for box in boxes]) for groups in (predicted, expected)
        ]
        sums[:3] += areas[0].area, areas[1].area, areas[0].intersection(areas[1]).area
        for group in predicted.keys() | expected.keys():
            areas = [shapely.union_all(groups.get(group, [])) for groups in (predicted, expected)]
            sums[3:6] += 1, iou(*areas), iou(*(area.envelope for area in areas))
        rows, columns = instances(predicted), instances(expected)
        table = np.array([[iou(row, column) for column in columns] for row in rows])
        sums[6:16] += [count_matches(table >= percent / 100) for percent in range(50, 100, 5)]
    return [float(number) for number in sums]


def by_label(page: Page) -> dict[str, Groups]:
    """The polygons of a page, by label and group."""
    import shapely

    labels: dict[str, Groups] = {}
    for word in page:
        labels.setdefault(word["label"], {}).setdefault(word.get("group"), []).append(shapely.box(*word["box"]))
    return labels


def instances(groups: Groups) -> list[Any]:
    """The boxes without a group, and one box around each group."""
    import shapely

    hulls = [shapely.union_all(boxes).envelope for group, boxes in groups.items() if group is not None]
    return [*groups.get(None, []), *hulls]


def iou(predicted: Any, expected: Any) -> float:
    """Intersection over union of two polygons."""
    overlap = predicted.intersection(expected).area
    union = predicted.area + expected.area - overlap
    return float(overlap / union) if union else 0.0


def count_matches(table: Any) -> int:
    """The number of pairs in a largest matching."""
    return int((maximum_bipartite_matching(csr_matrix(table)) >= 0).sum()) if table.size else 0
