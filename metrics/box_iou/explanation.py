"""Box overlap, explained: the pairs that detection counts, and the units over which IoU_G and IoU_C are averaged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from docie.core.counts import Counts
from docie.core.explanation import Boxes as Drawn
from docie.core.explanation import Drawing, Explanation, Fields, Group, Pair, explained, pairs_of, verdict_of
from docie.core.geometry import ROUNDING, iou, overlaps
from docie.core.matching.assignment import assign_sparse
from docie.core.phrases import correct_of, counted, figure
from docie.core.scores import Headline
from docie.documents.boxes import Boxes, Corners, hull, parse_boxes
from docie.metrics.box_iou.metric import (
    DEFAULT,
    SCORES,
    Overlap,
    Page,
    Settings,
    count,
    matches_of,
    page_of,
    score,
    unit_overlaps,
)

Box = tuple[str, str | None, Corners]
"""A label, a group and corners."""
THRESHOLD = 0.5
"""The intersection over union from which `f1` counts a box as found."""
Found = tuple[Corners | None, Corners | None, float]
"""A predicted and an expected box, or the smallest ones around a group, and their IoU; None if one is missing."""
Units = dict[str | None, list[Corners]]
"""The boxes of a label, by group."""


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
    sides = parse_boxes(prediction, "prediction"), parse_boxes(reference, "reference")
    page = page_of(*sides)
    boxes = [[] if side is None else _listed(side) for side in sides]
    predicted, expected = map(_by_label, boxes)
    found = {
        label: [*_found(_instances(predicted.get(label, {})), _instances(expected.get(label, {})))]
        for label in expected | predicted
    }
    groups = _groups(found)
    pairs = pairs_of(groups)
    instances = [(label, *each[:2]) for label, of_label in found.items() for each in of_label]
    lead = (
        "A box is correct if its intersection over union (IoU) with one of the reference is at least 0.5. The boxes of "
        "a group count as one: the smallest box around them."
    )
    drawn = [[(label, corners) for label, _, corners in side] for side in boxes]
    drawings: list[Drawing] = [
        Drawn("Boxes on a page", drawn[0], drawn[1], instances, lead),
        Fields("Boxes and groups", groups, "By their numbers on the page.", noun="box"),
        _units(page),
    ]
    told = ("f1", "precision", "recall", "iou_grouped", "iou_constituent")
    return explained(pairs, drawings, SCORES, figures, *told, noun="box")


def _listed(boxes: Boxes) -> list[Box]:
    corners: Any = map(tuple, boxes.corners.tolist())
    return [*zip(boxes.labels, boxes.groups, corners, strict=True)]


def _by_label(boxes: Sequence[Box]) -> dict[str, Units]:
    result: dict[str, Units] = {}
    for label, group, corners in boxes:
        result.setdefault(label, {}).setdefault(group, []).append(corners)
    return result


def _instances(units: Units) -> list[Corners]:
    """What detection looks for: every box without a group, and the hull of every group."""
    return [*units.get(None, ()), *(hull(boxes) for group, boxes in units.items() if group is not None)]


def _found(predictions: Sequence[Corners], references: Sequence[Corners]) -> Iterator[Found]:
    """The largest set of pairs that reach the threshold, in the order of the reference; then spurious boxes.

    Of sets of one size, it is one with the greatest sum of overlaps.
    """
    boxes = np.array([*predictions, *references])
    is_expected = np.arange(len(boxes)) >= len(predictions)
    rows, columns, _ = overlaps(boxes, is_expected, np.zeros(len(boxes), int), [THRESHOLD - ROUNDING])
    ious, columns = iou(boxes[rows], boxes[columns]), columns - len(predictions)
    near = dict(zip(zip(rows.tolist(), columns.tolist(), strict=True), ious.tolist(), strict=True))
    order = boxes[: len(predictions), 1].argsort(kind="stable")  # from top to bottom
    weights = 1 + len(references) + ious  # one pair more weighs more than any overlaps
    matched = assign_sparse(order.argsort()[rows], columns, weights, (len(predictions), len(references)))
    partners = dict(zip(matched[1].tolist(), order[matched[0]].tolist(), strict=True))
    for column, reference in enumerate(references):
        row = partners.get(column)
        yield (None, reference, 0.0) if row is None else (predictions[row], reference, near[row, column])
    for row in sorted(set(range(len(predictions))) - set(partners.values())):
        yield predictions[row], None, 0.0


def _groups(found: Mapping[str, Sequence[Found]]) -> list[Group]:
    groups, number = [], 0
    for label, boxes in found.items():
        pairs = []
        for predicted, expected, credit in boxes:
            number += 1
            texts = _text(predicted), _text(expected)
            verdict = verdict_of(*texts, is_correct=True)
            note = f"IoU {figure(credit)}" if credit else ""
            pairs.append(Pair(label, f"no. {number}", *texts, verdict, credit, note))
        groups.append(Group(label, pairs))
    return groups


def _text(corners: Corners | None) -> str | None:
    return None if corners is None else ", ".join(f"{value:g}" for value in corners)


def _units(page: Page) -> Fields:
    """The boxes of each label and group: `iou_grouped` and `iou_constituent` are the means over them."""
    ious_of_units = [*zip(*unit_overlaps(page)[:2], strict=True)]
    numbers = np.bincount(2 * page.units + page.is_expected, minlength=2 * len(page.names)).reshape(-1, 2)
    by_label: dict[str, list[Pair]] = {}
    for unit in dict.fromkeys([*page.units[page.is_expected].tolist(), *page.units.tolist()]):  # references go first
        (label, group), ious = page.names[unit], ious_of_units[unit]
        told = [counted(int(number), "box") if number else None for number in numbers[unit]]
        # a unit overlaps more or less: which boxes are found, detection alone says
        verdict = None if all(told) else verdict_of(told[0], told[1], is_correct=False)
        name = "without a group" if group is None else f"group {group}"
        note = "IoU_G {} · IoU_C {}".format(*map(figure, ious))
        by_label.setdefault(label, []).append(Pair(label, name, told[0], told[1], verdict, float(ious[0]), note))
    groups = [Group(label, pairs, counted(len(pairs), "unit")) for label, pairs in by_label.items()]
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
    row, found = counts.total("label", Overlap), matches_of(counts)[0]
    predicted, expected = row.predictions, row.references
    said = " correct, overlap at least 0.5"
    yield Headline("f1", correct_of(found, predicted - found, expected - found, "box", said))
    units = counted(row.units, "unit")
    yield Headline("iou_grouped", f"mean overlap of {units}, the boxes of a label and a group")
