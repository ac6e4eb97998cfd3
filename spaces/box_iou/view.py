"""Box overlap, seen: the boxes of both sides on one page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from docie.documents.boxes import Box, Corners, parse_boxes
from docie.metrics import box_iou
from docie.metrics.box_iou import Detected, Unit
from docie.robustness.form.words import hull
from docie.show.report import Frame

from ..common.computing import Part, Request
from ..views import counted, document_figures, figure, limited_list, percent, render, verb

MOST_BOXES, MOST_ROWS = 400, 100
_OUTCOMES = {
    "found": ("right", "✓", "found"),
    "missed": ("addition", "+", "missed"),
    "invented": ("deletion", "−", "not in the reference"),
}


class Drawn(NamedTuple):
    """A box in units of the drawing, with its number in the table; 0 if it has none."""

    x: float
    y: float
    width: float
    height: float
    label: str
    number: int = 0
    is_invented: bool = False


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The boxes on a page, and the figures of each."""
    figures = document_figures(request, results)
    detected = box_iou.detections(request.prediction, request.reference)
    units = box_iou.units(request.prediction, request.reference)
    sides = [parse_boxes(request.prediction, "prediction") or [], parse_boxes(request.reference, "reference") or []]
    html = render(
        "box_iou/templates/page.html.j2",
        page=_page(sides, detected),
        detected=[*map(_row, range(1, MOST_ROWS + 1), detected)],
        detected_left=limited_list(detected, MOST_ROWS, "row")[1],
        units=units[:MOST_ROWS],
        units_left=limited_list(units, MOST_ROWS, "unit")[1],
        lead=_lead(request, detected, figures),
        means=f"Means: IoU_G {figure(figures['iou_grouped'])}, IoU_C {figure(figures['iou_constituent'])}.",
    )
    return [Part("Boxes on a page", html)]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What the figures mean for the document that is shown."""
    figures = document_figures(request, results)
    detected = box_iou.detections(request.prediction, request.reference)
    expected = sum(each.reference is not None for each in detected)
    found = sum(each.iou is not None for each in detected)
    wrong = sum(each.reference is None for each in detected)
    if not detected:
        return "Neither side has a box, so there is nothing to compare: F1 is 1."
    was = verb(found if expected > 1 else 1, "was", "were")
    overlap = percent(_mean(box_iou.units(request.prediction, request.reference)), 1)
    return (
        f"{found:,} of the reference's {_counted(request.reference, expected)} {was} found, overlapping at "
        f"least by half, and {wrong:,} predicted {verb(wrong)} elsewhere: F1 is {figure(figures['f1'])}. On average, "
        f"boxes overlap by {overlap}."
    )


def _counted(side: Any, instances: int) -> str:
    """What there is to find on a side. The boxes of a group are one instance.

    >>> word = {"label": "a", "box": [0, 0, 1, 1], "group": 1}
    >>> _counted([word, word, {**word, "group": 2}], 2)
    '2 instances (3 boxes, those of a group being one instance)'
    >>> _counted([word], 1)
    '1 box'
    """
    boxes = len(parse_boxes(side, "prediction") or [])
    if boxes == instances:
        return counted(boxes, "box")
    return f"{counted(instances, 'instance')} ({counted(boxes, 'box')}, those of a group being one instance)"


def _mean(units: Sequence[Unit]) -> float:
    return sum(unit.iou_grouped for unit in units) / len(units) if units else 1.0


def _lead(request: Request, detected: Sequence[Detected], figures: Any) -> str:
    pairs = sum(each.iou is not None for each in detected)
    predicted = sum(each.prediction is not None for each in detected)
    expected = sum(each.reference is not None for each in detected)
    return (
        f"At an intersection over union (IoU) of at least 0.5, {counted(pairs, 'pair')} of "
        f"{_counted(request.reference, expected)} in the reference and {_counted(request.prediction, predicted)} "
        f"predicted: precision {figure(figures['precision'])}, recall {figure(figures['recall'])}, "
        f"F1 {figure(figures['f1'])}. A group is found by the smallest box around it."
    )


def _row(number: int, each: Detected) -> dict[str, Any]:
    name = "found" if each.iou is not None else "missed" if each.prediction is None else "invented"
    tone, mark, label = _OUTCOMES[name]
    iou = "" if each.iou is None else figure(each.iou)
    return {"number": number, "label": each.label, "tone": tone, "mark": mark, "outcome": label, "iou": iou}


def _page(sides: Sequence[Sequence[Box]], detected: Sequence[Detected]) -> dict[str, Any] | None:
    """The drawing: both sides' boxes, the hulls with their numbers, and its own size."""
    corners = [box.corners for side in sides for box in side]
    if not corners:
        return None
    frame = Frame(hull(corners))
    predicted, expected = ([_drawn(frame, box.corners, box.label) for box in side[:MOST_BOXES]] for side in sides)
    numbers = [
        _drawn(frame, each.reference or each.prediction, each.label, number)._replace(
            is_invented=each.reference is None
        )
        for number, each in enumerate(detected[:MOST_ROWS], 1)
    ]
    known = {*corners}
    hulls = [
        [_drawn(frame, each, "") for each in side if each is not None and each not in known]
        for side in zip(*((each.reference, each.prediction) for each in detected[:MOST_ROWS]), strict=True)
    ]
    left = sum(max(0, len(side) - MOST_BOXES) for side in sides)
    return {
        "width": frame.width, "height": frame.height,
        "predicted": predicted, "expected": expected, "numbers": numbers,
        "expected_hulls": hulls[0], "predicted_hulls": hulls[1],
        "title": f"{counted(len(sides[1]), 'box')} of the reference and {len(sides[0]):,} predicted",
        "omitted": f"Not drawn: {counted(left, 'box')}." if left else "",
    }  # fmt: skip


def _drawn(frame: Frame, corners: Corners | None, label: str, number: int = 0, *, is_invented: bool = False) -> Drawn:
    """A box in units of the drawing."""
    assert corners is not None
    return Drawn(*frame.drawn(corners), label, number, is_invented)
