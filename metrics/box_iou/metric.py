"""Box overlap: whether labelled boxes (words, tokens, fields) are in the correct place.

Sources: IoU_G and IoU_C by DeGange et al., "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics, 2022), section 2; area precision, recall and F1 by Li et al., "DocBank" (2020); detection at
0.5:0.05:0.95 by Lin et al., "Microsoft COCO" (2014), here as F1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import PRF, Counts, Key, Number, Row, precision_recall_f1, ratio
from docie.core.geometry import ROUNDING, Corners, Flags, Numbers, covered_areas, hulls, iou, overlaps
from docie.core.matching.one_to_one import matched_rows
from docie.core.scores import Score
from docie.core.settings import comma_separated, option, sorted_thresholds
from docie.documents.boxes import Boxes, parse_boxes

SCORES = (
    Score("iou_grouped", "higher", "share", "Mean intersection over union of the smallest boxes around units."),
    Score("iou_constituent", "higher", "share", "Mean intersection over union of the areas that units cover."),
    Score(
        "area_precision",
        "higher",
        "share",
        "Share of the predicted area that is correctly labelled.",
        part_of="area_f1",
    ),
    Score(
        "area_recall", "higher", "share", "Share of the reference area that is correctly labelled.", part_of="area_f1"
    ),
    Score("area_f1", "higher", "share", "F1 score of the correctly labelled area."),
    Score("precision", "higher", "share", "Share of predicted boxes that match a reference box.", part_of="f1"),
    Score("recall", "higher", "share", "Share of reference boxes that were found.", part_of="f1"),
    Score("f1", "higher", "share", "F1 score of boxes at an intersection over union of 0.5.", headline=True),
    Score("f1_mean", "higher", "share", "Mean of the F1 scores at intersections over union of 0.5, 0.55, ..., 0.95."),
    Score("f1_at_<threshold>", "higher", "share", "F1 score of boxes at this intersection over union."),
    Score("support", "neither", "count", "Number of reference boxes, a group being one."),
)


NAME, INPUTS = "box_iou", ("boxes",)
THRESHOLDS = tuple(percent / 100 for percent in range(50, 100, 5))  # COCO's, each the nearest double


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of box overlap.

    Attributes:
        thresholds (list of float): intersections over union, above 0 and at most 1, at which `f1_at_<t>` is computed.

    Raises:
        ValueError: if a threshold is out of range.

    >>> Settings(thresholds=[0.75, 0.5])
    Settings(thresholds=(0.5, 0.75))
    """

    thresholds: Sequence[float] = option((0.5,), in_signature=comma_separated, only_if_set=True)

    def __post_init__(self) -> None:
        values = sorted_thresholds(self.thresholds, lambda value: 0 < value <= 1, "above 0 and at most 1")
        rounded = dict.fromkeys(float(f"{value:.12g}") for value in values)  # np.arange returns 0.6000000000000001
        object.__setattr__(self, "thresholds", tuple(rounded))


@dataclass(slots=True)
class Overlap(Row):
    """Columns of the ("label", label) rows: units and sums over them, areas, and instances (boxes, or groups)."""

    units: Number = 0
    iou_grouped: Number = 0.0
    iou_constituent: Number = 0.0
    overlap: Number = 0.0
    predicted_area: Number = 0.0
    reference_area: Number = 0.0
    predictions: Number = 0
    references: Number = 0


@dataclass(slots=True)
class Found(Row):
    """Column of the ("asked", threshold, label) rows: pairs of instances at that threshold."""

    pairs: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """Count one document.

    Args:
        prediction (list of dict): labelled boxes, as `docie.documents.parse_boxes` reads them. Anything but a list
            counts as a list without boxes, and in `invalid_predictions`.
        reference (list of dict): labelled boxes, in the same unit of length.
        settings (Settings): the options.

    Returns:
        Counts: the counts of the document.

    Raises:
        DocumentError: if boxes cannot be read.

    >>> predicted, expected = {"label": "total", "box": [0, 0, 4, 1]}, {"label": "total", "box": [1, 0, 4, 1]}
    >>> Overlap(*count([predicted], [expected]).rows["label", "total"]).iou_grouped
    0.75
    """
    predicted, expected = parse_boxes(prediction, "prediction"), parse_boxes(reference, "reference")
    # a row for each threshold, so that a document without boxes has the same scores as any
    rows: dict[Key, Row] = {("asked", repr(threshold), None): Found() for threshold in settings.thresholds}
    matches: dict[Key, list[Number]] = {}
    page = page_of(predicted, expected)
    if page.labels:
        rows |= {("label", label): row for label, row in zip(page.labels, _overlaps(page), strict=True)}
        pairs = _count_pairs(page, sorted({*THRESHOLDS, *settings.thresholds}))
        for place, label in enumerate(page.labels):
            matches["match", label] = [pairs[threshold][place] for threshold in THRESHOLDS]
            rows |= {("asked", repr(asked), label): Found(pairs[asked][place]) for asked in settings.thresholds}
    counts = Counts.of_document(rows, valid=predicted is not None)
    counts.rows |= matches
    return counts


class Page(NamedTuple):
    """The boxes of both sides by label and unit, and what detection looks for: boxes without a group, and the smallest
    box around each group.

    Attributes:
        labels: their names; everywhere else they are numbers.
        names: the label and the group of every unit.
        label_of_unit: the label of every unit.
        corners, is_expected, units: of every box.
        hulls: two rows for each unit: the smallest boxes around what is predicted and expected; NaN for none.
        instances: the corners of every instance, whether it is expected, and its label.
    """

    labels: list[str]
    names: list[tuple[str, str | None]]
    label_of_unit: Numbers
    corners: Corners
    is_expected: Flags
    units: Numbers
    hulls: Corners
    instances: tuple[Corners, Flags, Numbers]


def page_of(predicted: Boxes | None, expected: Boxes | None) -> Page:
    """The page of both sides; None for no boxes."""
    sides = [side or Boxes([], [], np.empty((0, 4))) for side in (predicted, expected)]
    labels: dict[str, int] = {}
    numbers: dict[tuple[str, str | None], int] = {}
    names = (name for side in sides for name in zip(side.labels, side.groups, strict=True))
    units = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
    label_of_unit = np.array([labels.setdefault(label, len(labels)) for label, _ in numbers], np.int64)
    corners = np.concatenate([side.corners for side in sides])
    is_expected = np.arange(len(corners)) >= len(sides[0].corners)
    places, around = hulls(corners, 2 * units + is_expected)
    every_hull = np.full((2 * len(numbers), 4), np.nan)
    every_hull[places] = around
    is_grouped = np.array([group is not None for _, group in numbers], dtype=bool)
    is_alone, is_group = ~is_grouped[units], is_grouped[places // 2]
    places = places[is_group]
    instances = (
        np.concatenate([corners[is_alone], around[is_group]]),
        np.concatenate([is_expected[is_alone], places % 2 == 1]),
        label_of_unit[np.concatenate([units[is_alone], places // 2])],
    )
    return Page([*labels], [*numbers], label_of_unit, corners, is_expected, units, every_hull, instances)


def unit_overlaps(page: Page) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The IoU_G and the IoU_C of every unit, and the covered areas of every label.

    Areas are a row for each label: of predicted boxes, of expected ones, and of both.
    """
    grouped = np.nan_to_num(iou(page.hulls[::2], page.hulls[1::2]))
    areas = covered_areas(page.corners, page.is_expected, page.units)
    constituent = areas[:, 2] / (areas[:, 0] + areas[:, 1] - areas[:, 2])
    if len(page.labels) < len(areas):
        areas = covered_areas(page.corners, page.is_expected, page.label_of_unit[page.units])
    return grouped, constituent, areas


def _overlaps(page: Page) -> Iterator[Overlap]:
    """The row of every label."""
    grouped, constituent, areas = unit_overlaps(page)
    order = page.label_of_unit.argsort(kind="stable")
    starts = np.searchsorted(page.label_of_unit[order], np.arange(1, len(page.labels)))
    of_labels = zip(np.split(grouped[order], starts), np.split(constituent[order], starts), areas.tolist(), strict=True)
    _, is_expected, labels = page.instances
    numbers = np.bincount(2 * labels + is_expected, minlength=2 * len(page.labels)).tolist()
    for place, (hull_ious, area_ious, (predicted, expected, both)) in enumerate(of_labels):
        yield Overlap(
            units=len(hull_ious),
            iou_grouped=fsum(hull_ious),  # an exact sum does not depend on the order of boxes
            iou_constituent=fsum(area_ious),
            overlap=both,
            predicted_area=predicted,
            reference_area=expected,
            predictions=numbers[2 * place],
            references=numbers[2 * place + 1],
        )


def _count_pairs(page: Page, thresholds: Sequence[float]) -> dict[float, list[int]]:
    """At each of rising thresholds, the greatest number of one-to-one pairs of each label that reach it."""
    boxes, is_expected, labels = page.instances
    pairs = overlaps(boxes, is_expected, labels, [threshold - ROUNDING for threshold in thresholds])
    by_level = np.bincount(pairs.levels, minlength=len(thresholds) + 1)
    found: dict[float, list[int]] = {}
    most = [0] * len(page.labels)
    for level in range(len(thresholds), 0, -1):
        if by_level[level]:
            is_near = pairs.levels >= level
            starts = np.append(0, np.bincount(pairs.rows[is_near], minlength=len(boxes)).cumsum())
            is_found = matched_rows(starts, pairs.columns[is_near])
            most = np.bincount(labels[is_found], minlength=len(page.labels)).tolist()
        found[thresholds[level - 1]] = most
    return found


def score(counts: Counts) -> dict[str, Number]:
    """The scores of counts, all in [0, 1]. If neither reference nor prediction has any box, they are 1.0.

    A *unit* is all boxes of one label and one group id in a document. The instances to detect are single boxes and, for
    a group, the smallest box around it.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict of str to float:

        * `iou_grouped` (IoU_G): the mean over units of the intersection over union of the smallest boxes around them;
          `iou_constituent` (IoU_C): the same for the areas that the boxes cover. A missing or spurious unit scores 0.
        * `area_precision`, `area_recall`, `area_f1`: the area with equal labels in prediction and reference, divided by
          the predicted area and by the reference area, summed over documents and labels. Groups are ignored, as in
          DocBank: only the label of a place counts.
        * `precision`, `recall`, `f1`: detection at an intersection over union of at least 0.5; `f1_mean`: the mean F1
          at 0.5, 0.55, ..., 0.95; `f1_at_<t>`: F1 at a requested threshold. Boxes are matched one to one within a
          label, as many as possible; group names are ignored.

    >>> words = [{"label": "nm", "box": [0, 0, 4, 2]}, {"label": "nm", "box": [5, 0, 9, 2]}]
    >>> figures = score(count([{"label": "nm", "box": [0, 0, 9, 2]}], words))
    >>> figures["iou_grouped"], round(figures["iou_constituent"], 4), figures["area_recall"], figures["f1"]
    (1.0, 0.8889, 1.0, 0.0)
    """
    asked = {threshold: sum(pairs.values()) for threshold, pairs in _asked(counts).items()}
    return _figures(counts.total("label", Overlap), matches_of(counts), asked)


def matches_of(counts: Counts) -> tuple[Number, ...]:
    """The pairs at each of THRESHOLDS, of all labels."""
    return counts.total("match", _matches)


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """The scores of each label.

    Args:
        counts (Counts): the counts of a document or of a corpus.

    Returns:
        dict: `per_entity`, from each label to the scores of `score` and `support`, the number of instances in the
        reference.

    >>> boxes = [{"label": "nm", "box": [0, 0, 4, 2]}, {"label": "price", "box": [5, 0, 9, 2]}]
    >>> table = breakdown(count(boxes[:1], boxes))["per_entity"]
    >>> {label: (row["iou_grouped"], row["support"]) for label, row in table.items()}
    {'nm': (1.0, 1), 'price': (0.0, 1)}
    """
    matches, asked = counts.by("match", 1, _matches), _asked(counts)
    return {
        "per_entity": {
            str(label): {
                **_figures(row, matches[label], {threshold: pairs[label] for threshold, pairs in asked.items()}),
                "support": row.references,
            }
            for label, row in counts.by("label", 1, Overlap).items()
        }
    }


def _figures(row: Overlap, matches: Sequence[Number], asked: Mapping[str, Number]) -> dict[str, Number]:
    """The scores of a row, with the pairs at COCO's thresholds and at the requested ones."""
    area = precision_recall_f1(row.overlap, row.predicted_area - row.overlap, row.reference_area - row.overlap)
    detection = [_detection(row, pairs) for pairs in matches]
    return {
        "iou_grouped": ratio(row.iou_grouped, row.units, empty=1.0),
        "iou_constituent": ratio(row.iou_constituent, row.units, empty=1.0),
        **{f"area_{name}": value for name, value in area._asdict().items()},
        **detection[0]._asdict(),
        "f1_mean": sum(scores.f1 for scores in detection) / len(detection),
        **{f"f1_at_{threshold}": _detection(row, pairs).f1 for threshold, pairs in asked.items()},
    }


def _detection(row: Overlap, pairs: Number) -> PRF:
    return precision_recall_f1(pairs, row.predictions - pairs, row.references - pairs)


def _matches(*numbers: Number) -> tuple[Number, ...]:
    """The columns of the ("match", label) rows: pairs at each of THRESHOLDS."""
    return numbers or (0,) * len(THRESHOLDS)


def _asked(counts: Counts) -> dict[str, dict[str | None, Number]]:
    """The pairs at each requested threshold, by label (None: the row that every document has)."""
    result: dict[str, dict[str | None, Any]] = {}
    for key, numbers in counts.rows.items():
        if key[0] == "asked":
            result.setdefault(str(key[1]), {})[key[2]] = Found(*numbers).pairs
    return result or {repr(threshold): {} for threshold in DEFAULT.thresholds}
