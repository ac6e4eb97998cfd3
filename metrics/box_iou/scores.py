"""What the scores of box overlap mean."""

from __future__ import annotations

from docie.core.scores import Score

SCORES = (
    Score("iou_grouped", "higher", "share", "Mean intersection over union of the smallest boxes around units."),
    Score("iou_constituent", "higher", "share", "Mean intersection over union of the areas that units cover."),
    Score("area_precision", "higher", "share", "Share of the predicted area with the right label.", part_of="area_f1"),
    Score("area_recall", "higher", "share", "Share of the reference area with the right label.", part_of="area_f1"),
    Score("area_f1", "higher", "share", "F1 score of the area with the right label."),
    Score("precision", "higher", "share", "Share of predicted boxes that match a reference box.", part_of="f1"),
    Score("recall", "higher", "share", "Share of reference boxes that were found.", part_of="f1"),
    Score("f1", "higher", "share", "F1 score of boxes at an intersection over union of 0.5.", headline=True),
    Score("f1_mean", "higher", "share", "Mean of the F1 scores at intersections over union of 0.5, 0.55, ..., 0.95."),
    Score("f1_at_<threshold>", "higher", "share", "F1 score of boxes at this intersection over union."),
    Score("support", "neither", "count", "Number of reference boxes, a group being one."),
)
