"""Box overlap: whether labelled boxes (words, tokens, fields) lie where they should.

Sources: IoU_G and IoU_C by DeGange et al., "Document Intelligence Metrics for Visually Rich Document Evaluation"
(DI-Metrics, 2022), section 2; area precision, recall and F1 by Li et al., "DocBank" (2020); detection at
0.5:0.05:0.95 by Lin et al., "Microsoft COCO" (2014), here as F1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from docie.boxes import Box, Corners, areas, hull, iou, overlapping, read
from docie.counts import Counts, Key, Number, precision_recall_f1, ratio
from docie.settings import sorted_thresholds

__all__ = ["INPUTS", "NAME", "Settings", "breakdown", "count", "details", "score"]

NAME, INPUTS = "box_iou", ("boxes",)
THRESHOLDS = tuple(percent / 100 for percent in range(50, 100, 5))  # COCO's, each the nearest double
_ROUNDING = 1e-12  # decimals such as 0.1 are no doubles: an IoU of just a threshold must not fall short of it
Units = Mapping[str | None, Sequence[Corners]]
"""The boxes of a label by group."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of box overlap.

    thresholds: a list of intersections over union, above 0 and at most 1, at which `f1_at_<t>` is wanted.

    Raises ValueError for a value outside these.

    >>> Settings(thresholds=[0.75, 0.5])
    Settings(thresholds=(0.5, 0.75))
    """

    thresholds: Sequence[float] = field(default=(0.5,), metadata={"optional": True})

    def __post_init__(self) -> None:
        values = sorted_thresholds(self.thresholds, lambda value: 0 < value <= 1, "above 0 and at most 1")
        rounded = dict.fromkeys(float(f"{value:.12g}") for value in values)  # np.arange gives 0.6000000000000001
        object.__setattr__(self, "thresholds", tuple(rounded))


class Label(NamedTuple):
    """Columns of the ("label", label) rows: units and sums over them, areas, boxes or groups to be found."""

    units: Number = 0
    iou_grouped: Number = 0.0
    iou_constituent: Number = 0.0
    overlap: Number = 0.0
    predicted_area: Number = 0.0
    expected_area: Number = 0.0
    predicted: Number = 0
    expected: Number = 0


DEFAULT = Settings()


def count(prediction: object, reference: object, settings: Settings = DEFAULT) -> Counts:
    """The additive counts of one document.

    `prediction` and `reference` are lists of labelled boxes (see `docie.boxes.read`), in any unit as long as both have
    the same; a prediction that is not a list has no boxes and is counted in `invalid_predictions`. Raises
    DocumentError for a list that cannot be read.

    >>> one, other = {"label": "total", "box": [0, 0, 4, 1]}, {"label": "total", "box": [1, 0, 4, 1]}
    >>> Label(*count([one], [other]).rows["label", "total"])[:3]  # units, and the sums of their two IoUs
    (1, 0.75, 0.75)
    """
    boxes = read(prediction, "prediction")
    predicted, expected = _by_label(boxes or []), _by_label(read(reference, "reference") or [])
    rows: dict[Key, list[Number]] = {("asked", repr(threshold), None): [0] for threshold in settings.thresholds}
    for label in predicted | expected:
        one, other = predicted.get(label, {}), expected.get(label, {})
        left, right = _instances(one), _instances(other)
        rows["label", label] = [*_overlaps(one, other), len(left), len(right)]
        found = _matches(left, right, {*THRESHOLDS, *settings.thresholds})
        rows["match", label] = [found[threshold] for threshold in THRESHOLDS]
        rows |= {("asked", repr(threshold), label): [found[threshold]] for threshold in settings.thresholds}
    return Counts(1, int(boxes is None), rows)


def _by_label(boxes: Iterable[Box]) -> dict[str, dict[str | None, list[Corners]]]:
    """The boxes by label, and by group."""
    result: dict[str, dict[str | None, list[Corners]]] = {}
    for label, group, corners in boxes:
        result.setdefault(label, {}).setdefault(group, []).append(corners)
    return result


def _overlaps(one: Units, other: Units) -> list[Number]:
    """The first six columns of a label's row."""
    everything = areas(_all(one), _all(other))
    groups = {**one, **other}
    shared = [group for group in groups if group in one and group in other]
    grouped = [iou(areas([hull(one[group])], [hull(other[group])])) for group in shared]
    constituent = [iou(everything if len(groups) == 1 else areas(one[group], other[group])) for group in shared]
    # exactly rounded sums do not depend on the order of boxes
    return [len(groups), fsum(grouped), fsum(constituent), everything.overlap, everything.left, everything.right]


def _all(units: Units) -> list[Corners]:
    return [corners for boxes in units.values() for corners in boxes]


def _instances(units: Units) -> list[Corners]:
    """What is to be found: every box without a group, and every group's hull."""
    return [*units.get(None, ()), *(hull(boxes) for group, boxes in units.items() if group is not None)]


def _matches(left: Sequence[Corners], right: Sequence[Corners], thresholds: Collection[float]) -> dict[float, int]:
    """The most pairs, one to one, with an intersection over union of at least each threshold."""
    if len(left) <= 1 and len(right) <= 1:
        single = iou(areas(left, right)) + _ROUNDING
        return {threshold: int(single >= threshold) for threshold in thresholds}
    found: dict[float, int] = {}
    rows, columns, ious = overlapping(left, right, min(thresholds) - _ROUNDING)
    most, before = 0, -1
    for threshold in sorted(thresholds):
        near = ious >= threshold - _ROUNDING
        rows, columns, ious = rows[near], columns[near], ious[near]
        if len(rows) != before:
            most, before = _most_pairs(rows, columns), len(rows)
        found[threshold] = most
    return found


def _most_pairs(rows: NDArray[np.intp], columns: NDArray[np.intp]) -> int:
    """The size of a maximum matching of these pairs: all of them where no box has a choice."""
    if not len(rows) or max(np.bincount(rows).max(), np.bincount(columns).max()) == 1:
        return len(rows)
    graph = csr_matrix((np.ones(len(rows), dtype=np.int8), (rows, columns)))
    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


def score(counts: Counts) -> dict[str, Number]:
    """The figures of counts, all in [0, 1]; nothing on either side scores 1.0.

    `iou_grouped` (IoU_G) and `iou_constituent` (IoU_C) are means over units, a unit being the boxes of one label and
    one group id in a document: the first of the two smallest boxes around them, the second of what they cover. A unit
    that one side lacks scores 0.

    `area_precision`, `area_recall` and `area_f1` are the area that both sides give one label, over the predicted and
    the reference's area, summed over documents and labels. Groups are ignored there, as in DocBank, whose figure it is:
    it asks whether a place has the right label, not to what it belongs.

    `precision`, `recall` and `f1` are those of detection at an intersection over union of at least 0.5; `f1_mean` is
    the mean of the F1 at 0.5, 0.55, ..., 0.95; `f1_at_<t>` is the F1 at an asked threshold (of no document, at 0.5).
    To be found are single boxes, and for a group the smallest box around it; most pairs within a label count, whatever
    the groups are called.

    >>> words = [{"label": "nm", "box": [0, 0, 4, 2]}, {"label": "nm", "box": [5, 0, 9, 2]}]
    >>> figures = score(count([{"label": "nm", "box": [0, 0, 9, 2]}], words))
    >>> figures["iou_grouped"], round(figures["iou_constituent"], 4), figures["area_recall"], figures["f1"]
    (1.0, 0.8889, 1.0, 0.0)
    """
    asked = {text: sum(found.values()) for text, found in _asked(counts).items()}
    return _figures(counts.total("label", Label), counts.total("match", _true_positives), asked)


def breakdown(counts: Counts) -> dict[str, dict[str, dict[str, Number]]]:
    """`per_entity`: the same figures for every label; `support` is the number of the reference's boxes or groups.

    >>> boxes = [{"label": "nm", "box": [0, 0, 4, 2]}, {"label": "price", "box": [5, 0, 9, 2]}]
    >>> table = breakdown(count(boxes[:1], boxes))["per_entity"]
    >>> {label: (row["iou_grouped"], row["support"]) for label, row in table.items()}
    {'nm': (1.0, 1), 'price': (0.0, 1)}
    """
    matches, asked = counts.by("match", 1, _true_positives), _asked(counts)
    return {
        "per_entity": {
            str(label): {
                **_figures(row, matches[label], {text: found[label] for text, found in asked.items()}),
                "support": row.expected,
            }
            for label, row in counts.by("label", 1, Label).items()
        }
    }


def details(counts: Counts) -> dict[str, Any]:
    """Nothing beyond figures and tables."""
    return {}


def _figures(row: Label, matches: Sequence[Number], asked: Mapping[str, Number]) -> dict[str, Number]:
    """The scores of a label or of all: its sums, its true positives at COCO's and at the asked thresholds."""
    area = precision_recall_f1(row.overlap, row.predicted_area - row.overlap, row.expected_area - row.overlap)
    at = [precision_recall_f1(found, row.predicted - found, row.expected - found) for found in matches]
    return {
        "iou_grouped": ratio(row.iou_grouped, row.units, empty=1.0),
        "iou_constituent": ratio(row.iou_constituent, row.units, empty=1.0),
        **{f"area_{name}": value for name, value in area._asdict().items()},
        **at[0]._asdict(),
        "f1_mean": sum(figures.f1 for figures in at) / len(at),
        **{
            f"f1_at_{text}": precision_recall_f1(found, row.predicted - found, row.expected - found).f1
            for text, found in asked.items()
        },
    }


def _true_positives(*numbers: Number) -> tuple[Number, ...]:
    """The columns of the ("match", label) rows: pairs found at each of THRESHOLDS."""
    return numbers or (0,) * len(THRESHOLDS)


def _asked(counts: Counts) -> dict[str, dict[str | None, Number]]:
    """The pairs found at every asked threshold, by label.

    Every document has a row of each, for label None, so that documents without boxes have the same figures as any.
    """
    result: dict[str, dict[str | None, Number]] = {}
    for key, numbers in counts.rows.items():
        if key[0] == "asked":
            result.setdefault(str(key[1]), {})[key[2]] = numbers[0]
    return result or {repr(threshold): {} for threshold in DEFAULT.thresholds}
