"""Box overlap, explained: the pairs that detection counts, and the units over which IoU_G and IoU_C are averaged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import Counts
from docie.core.explanation import Boxes, Drawing, Explanation, Fields, Group, Pair, explained, pairs_of, verdict_of
from docie.core.matching.assignment import best_assignment
from docie.core.phrases import correct_of, counted, figure
from docie.core.scores import Headline
from docie.documents.boxes import Corners, hull, parse_boxes
from docie.metrics.box_iou.geometry import Overlaps, covered_areas, overlaps
from docie.metrics.box_iou.metric import (
    DEFAULT,
    ROUNDING,
    SCORES,
    Overlap,
    Settings,
    Units,
    by_label,
    count,
    instances_of,
    matches_of,
    score,
)

THRESHOLD = 0.5
"""The intersection over union from which `f1` counts a box as found."""
Found = tuple[Corners | None, Corners | None]
"""A predicted and an expected box, or the smallest ones around a group; None if one is missing."""


def explain(prediction: object, reference: object, settings: Settings = DEFAULT) -> Explanation:
    """Boxes and groups that are detected at 0.5, missing and spurious ones, and the overlap of units.

    Source: as in `count`.

    Args:
        prediction (list of dict): as in `count`.
        reference (list of dict): as in `count`, in the same unit of length.
        settings (Settings): the options.

    Returns:
        Explanation: a pair for each box without a group and for each group, whose credit is its intersection over
        union. Its verdict is correct if `f1` counts it as found.

    Raises:
        DocumentError: as in `count`.

    >>> boxes = [{"label": "total", "box": [0, 0, 4, 1]}, {"label": "total", "box": [0, 5, 4, 6]}]
    >>> explanation = explain([{"label": "total", "box": [1, 5, 4, 6]}], boxes)
    >>> [(pair.group, pair.verdict, pair.credit) for pair in explanation.pairs]
    [('total', 'missing', 0.0), ('total', 'correct', 0.75)]
    """
    figures = score(count(prediction, reference, settings))
    sides = [parse_boxes(prediction, "prediction") or [], parse_boxes(reference, "reference") or []]
    predicted, expected = map(by_label, sides)
    found = {
        label: [*_found(instances_of(predicted.get(label, {})), instances_of(expected.get(label, {})))]
        for label in expected | predicted
    }
    groups = _groups(found)
    pairs = pairs_of(groups)
    instances = [(label, *each) for label, of_label in found.items() for each in of_label]
    lead = (
        "A box is correct if its intersection over union (IoU) with one of the reference is at least 0.5. The boxes of "
        "a group count as one: the smallest box around them."
    )
    boxes = [[(box.label, box.corners) for box in side] for side in sides]
    drawings: list[Drawing] = [
        Boxes("Boxes on a page", boxes[0], boxes[1], instances, lead),
        Fields("Boxes and groups", groups, "By their numbers on the page.", noun="box"),
        _units(predicted, expected),
    ]
    told = ("f1", "precision", "recall", "iou_grouped", "iou_constituent")
    return explained(pairs, drawings, SCORES, figures, *told, noun="box")


def _found(predictions: Sequence[Corners], references: Sequence[Corners]) -> Iterator[Found]:
    """The largest set of pairs that reach the threshold, in the order of the reference; then spurious boxes.

    Of sets of one size, it is one with the greatest sum of overlaps.
    """
    pairs = overlaps(predictions, references, [THRESHOLD - ROUNDING])
    order = sorted(range(len(predictions)), key=lambda place: predictions[place][1])  # the rows go from top to bottom
    matched = _matched(pairs, [predictions[place] for place in order], references)
    partners = {column: order[row] for row, column in matched}
    for column, reference in enumerate(references):
        yield predictions[partners[column]] if column in partners else None, reference
    for row in sorted(set(range(len(predictions))) - set(partners.values())):
        yield predictions[row], None


def _matched(
    pairs: Overlaps, predictions: Sequence[Corners], references: Sequence[Corners]
) -> Iterator[tuple[int, int]]:
    """The rows and columns of as many pairs as there can be, with the greatest sum of overlaps."""
    near = [pairs.columns[start:end].tolist() for start, end in pairwise(pairs.starts)]

    def weights(rows: slice) -> NDArray[np.float64]:
        table = np.zeros((len(near[rows]), len(references)))
        for line, columns, predicted in zip(table, near[rows], predictions[rows], strict=True):
            for column in columns:  # one pair more weighs more than any overlaps
                line[column] = 1 + len(references) + covered_areas([predicted], [references[column]]).iou
        return table

    rows, columns = best_assignment(weights, np.arange(len(predictions)), np.arange(len(references)))
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if column in near[row]:
            yield row, column


def _groups(found: Mapping[str, Sequence[Found]]) -> list[Group]:
    groups, number = [], 0
    for label, boxes in found.items():
        pairs = []
        for predicted, expected in boxes:
            number += 1
            iou = 0.0
            if predicted is not None and expected is not None:
                iou = covered_areas([predicted], [expected]).iou
            texts = _text(predicted), _text(expected)
            verdict = verdict_of(*texts, is_correct=True)
            pairs.append(Pair(label, f"no. {number}", *texts, verdict, iou, f"IoU {figure(iou)}" if iou else ""))
        groups.append(Group(label, pairs))
    return groups


def _text(corners: Corners | None) -> str | None:
    return None if corners is None else ", ".join(f"{value:g}" for value in corners)


def _units(predicted: Mapping[str, Units], expected: Mapping[str, Units]) -> Fields:
    """The boxes of each label and group: `iou_grouped` and `iou_constituent` are the means over them."""
    groups = []
    for label in {**expected, **predicted}:
        sides = predicted.get(label, {}), expected.get(label, {})
        pairs = []
        for group in {**sides[1], **sides[0]}:
            boxes = [side.get(group, []) for side in sides]
            grouped = constituent = 0.0
            if all(boxes):
                grouped, constituent = (covered_areas(*each).iou for each in ([[hull(side)] for side in boxes], boxes))
            told = [counted(len(side), "box") if side else None for side in boxes]
            # a unit overlaps more or less: which boxes are found, detection alone says
            verdict = None if all(told) else verdict_of(told[0], told[1], is_correct=False)
            name = "without a group" if group is None else f"group {group}"
            note = f"IoU_G {figure(grouped)} · IoU_C {figure(constituent)}"
            pairs.append(Pair(label, name, told[0], told[1], verdict, grouped, note))
        groups.append(Group(label, pairs, counted(len(pairs), "unit")))
    lead = (
        "Boxes of one label and group are a unit. IoU_G compares the smallest boxes around units, IoU_C the areas that "
        "they cover."
    )
    return Fields("Overlap of units", groups, lead, noun="unit")


def headlines(counts: Counts, figures: Mapping[str, Any]) -> Iterator[Headline]:
    """How many boxes are found, and how far units overlap.

    Args:
        counts (Counts): the counts of a document or of a corpus.
        figures (dict): their scores.

    Returns:
        iterator of Headline: the scores, each with its sentence.

    >>> from docie.metrics.box_iou import count, score
    >>> box = {"label": "total", "box": [0, 0, 4, 1]}
    >>> counts = count([box], [box])
    >>> [each.sentence for each in headlines(counts, score(counts))]
    ['1 of 1 box correct, overlap at least 0.5', 'mean overlap of 1 unit, the boxes of a label and a group']
    """
    row, found = counts.total("label", Overlap), int(matches_of(counts)[0])
    predicted, expected = int(row.predictions), int(row.references)
    said = " correct, overlap at least 0.5"
    yield Headline("f1", correct_of(found, predicted - found, expected - found, "box", said))
    units = counted(int(row.units), "unit")
    yield Headline("iou_grouped", f"mean overlap of {units}, the boxes of a label and a group")
