"""Box overlap: whether labelled boxes (words, tokens, fields) are in the correct place.

Sources: IoU_G and IoU_C by DeGange et al., "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics, 2022), section 2; area precision, recall and F1 by Li et al., "DocBank" (2020); detection at
0.5:0.05:0.95 by Lin et al., "Microsoft COCO" (2014), here as F1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docie.core.counts import PRF, Counts, Key, Number, Row, precision_recall_f1, ratio
from docie.core.matching.one_to_one import matched_rows
from docie.core.scores import Score
from docie.core.settings import comma_separated, option, sorted_thresholds
from docie.documents.boxes import Box, Corners, hull, parse_boxes
from docie.metrics.box_iou.geometry import Overlaps, covered_areas, overlaps

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
ROUNDING = 1e-12  # 0.1 and the like are not exact: an IoU that equals a threshold must reach it
Units = Mapping[str | None, Sequence[Corners]]
"""The boxes of a label, by group."""


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
    boxes = parse_boxes(prediction, "prediction")
    predicted, expected = by_label(boxes or []), by_label(parse_boxes(reference, "reference") or [])
    # a row for each threshold, so that a document without boxes has the same scores as any
    rows: dict[Key, Row] = {("asked", repr(threshold), None): Found() for threshold in settings.thresholds}
    matches: dict[Key, list[Number]] = {}
    for label in predicted | expected:
        predicted_units, expected_units = predicted.get(label, {}), expected.get(label, {})
        predictions, references = instances_of(predicted_units), instances_of(expected_units)
        rows["label", label] = _overlap(predicted_units, expected_units, len(predictions), len(references))
        pairs = _count_pairs(predictions, references, {*THRESHOLDS, *settings.thresholds})
        matches["match", label] = [pairs[threshold] for threshold in THRESHOLDS]
        rows |= {("asked", repr(threshold), label): Found(pairs[threshold]) for threshold in settings.thresholds}
    counts = Counts.of_document(rows, valid=boxes is not None)
    counts.rows |= matches
    return counts


def by_label(boxes: Iterable[Box]) -> dict[str, dict[str | None, list[Corners]]]:
    """The boxes by label, and by group."""
    result: dict[str, dict[str | None, list[Corners]]] = {}
    for label, group, corners in boxes:
        result.setdefault(label, {}).setdefault(group, []).append(corners)
    return result


def _overlap(predicted: Units, expected: Units, predictions: int, references: int) -> Overlap:
    """The row of a label, whose units are its groups."""
    everything = covered_areas(_all_boxes(predicted), _all_boxes(expected))
    groups = {**predicted, **expected}
    shared = [group for group in groups if group in predicted and group in expected]
    grouped = [covered_areas([hull(predicted[group])], [hull(expected[group])]).iou for group in shared]
    constituent = [
        (everything if len(groups) == 1 else covered_areas(predicted[group], expected[group])).iou for group in shared
    ]
    return Overlap(
        units=len(groups),
        iou_grouped=fsum(grouped),  # an exact sum does not depend on the order of boxes
        iou_constituent=fsum(constituent),
        overlap=everything.overlap,
        predicted_area=everything.prediction,
        reference_area=everything.reference,
        predictions=predictions,
        references=references,
    )


def _all_boxes(units: Units) -> list[Corners]:
    return [corners for boxes in units.values() for corners in boxes]


def instances_of(units: Units) -> list[Corners]:
    """The instances to detect: every box without a group, and the hull of every group."""
    return [*units.get(None, ()), *(hull(boxes) for group, boxes in units.items() if group is not None)]


def _count_pairs(
    predictions: Sequence[Corners], references: Sequence[Corners], thresholds: Collection[float]
) -> dict[float, int]:
    """At each threshold, the greatest number of one-to-one pairs with at least that intersection over union."""
    if len(predictions) <= 1 and len(references) <= 1:
        iou = covered_areas(predictions, references).iou + ROUNDING
        return {threshold: int(iou >= threshold) for threshold in thresholds}
    rising = sorted(thresholds)
    pairs = overlaps(predictions, references, [threshold - ROUNDING for threshold in rising])
    return dict(zip(rising, _matches_by_level(pairs, len(rising)), strict=True))


def _matches_by_level(pairs: Overlaps, levels: int) -> list[int]:
    """The size of a maximum matching of the pairs that reach a threshold, for each threshold."""
    limit = min(np.count_nonzero(np.diff(pairs.starts)), np.count_nonzero(np.bincount(pairs.columns)))
    sizes: list[int] = []
    most, before = 0, 0
    for level in range(levels, 0, -1):  # from the fewest pairs up: a matched row stays matched
        if most < limit:
            is_near = pairs.levels >= level
            number = int(np.count_nonzero(is_near))
            if number != before:
                most, before = _maximum_matching(pairs, is_near), number
        sizes.append(most)
    return sizes[::-1]


def _maximum_matching(pairs: Overlaps, is_near: NDArray[np.bool_]) -> int:
    """The size of a maximum matching of these pairs."""
    columns = pairs.columns[is_near]
    starts = np.where(pairs.starts > 0, np.cumsum(is_near, dtype=np.int32)[pairs.starts - 1], 0)
    return int(np.count_nonzero(matched_rows(starts, columns)))


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
