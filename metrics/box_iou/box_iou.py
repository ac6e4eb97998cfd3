"""Box overlap: whether labelled boxes (words, tokens, fields) are in the correct place."""

import docie.metrics.box_iou  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
Box overlap scores labelled boxes by their place on the page: intersection over union of the smallest boxes around a \
label's words (IoU_G) and of the areas that these words cover (IoU_C), precision, recall and F1 of areas (DocBank), \
and precision, recall and F1 of detection at thresholds of intersection over union.
"""

_CITATION = docie.module.DI_METRICS_PAPER

_INPUTS = f"""
Args:
    predictions (list of list of dict): one list of boxes for each document, as in schema.json. A box is an object with
        `label` (text), either `box` ([x0, y0, x1, y1]) or `quad` (four points or eight numbers; the smallest upright
        box around them is used), and perhaps `group` (text or a whole number). Other keys are ignored. A prediction
        that is not a list is scored as a list without boxes and counted in `invalid_predictions`.
    references (list of list of dict): the boxes of the references, in the same form, with the same unit of length and
        the same names of groups.
    thresholds (list of float): the intersections over union, above 0 and at most 1, at which `f1_at_<t>` is computed;
        (0.5,) by default.
{docie.module.RESULTS_HELP}
Returns:
    dict: `iou_grouped`, `iou_constituent`, `area_precision`, `area_recall`, `area_f1`, `precision`, `recall`, `f1` (at
    an intersection over union of 0.5), `f1_mean` (over 0.5, 0.55, ..., 0.95), `f1_at_<t>` for every threshold, all in
    [0, 1]; `documents`, `invalid_predictions`, and `signature` (the options and the version behind the scores).

Examples:
    >>> import docie
    >>> box_iou = docie.load("box_iou")
    >>> predictions = [[{{"label": "total", "box": [0, 0, 40, 10]}}]]
    >>> results = box_iou.compute(predictions=predictions, references=[[{{"label": "total", "box": [10, 0, 40, 10]}}]])
    >>> results["iou_grouped"], results["area_precision"], results["area_recall"], results["f1"]
    (0.75, 0.75, 1.0, 1.0)
"""


class BoxIou(docie.module.DocumentMetric):
    family = docie.metrics.box_iou
    information = docie.module.information(
        _DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2205.11215", "https://github.com/MetricsDI/DIMetrics"
    )
