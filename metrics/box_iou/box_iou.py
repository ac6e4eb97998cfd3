"""Box overlap: whether labelled boxes (words, tokens, fields) lie where they should."""

import docie.box_iou
import docie.module

_DESCRIPTION = """\
Box overlap scores labelled boxes by their place on the page: intersection over union of the smallest boxes around a \
label's words (IoU_G) and of what these words cover (IoU_C), precision, recall and F1 of areas (DocBank), and \
precision, recall and F1 of detection at thresholds of intersection over union.
"""

_CITATION = """\
@article{degange2022document,
  title={Document Intelligence Metrics for Visually Rich Document Evaluation},
  author={DeGange, Jonathan and Gupta, Swapnil and Han, Zhuoyu and Wilkosz, Krzysztof and Karwan, Adam},
  journal={arXiv preprint arXiv:2205.11215},
  year={2022}
}
"""

_INPUTS = f"""
Args:
    predictions (list of list of dict): one list a document, as in schema.json, of objects with `label` (text), `box`
        ([x0, y0, x1, y1]) or `quad` (four points or eight numbers, for which the smallest upright box around them
        stands), and perhaps `group` (text or a whole number); other keys are left alone. Anything but a list has no
        boxes and is counted in `invalid_predictions`.
    references (list of list of dict): likewise, in the same unit of length, with the same names of groups.
    thresholds (list of float): intersections over union, above 0 and at most 1, at which `f1_at_<t>` is wanted;
        (0.5,) by default.
{docie.module.RESULTS_HELP}
Returns:
    dict: `iou_grouped`, `iou_constituent`, `area_precision`, `area_recall`, `area_f1`, `precision`, `recall`, `f1` (at
    an intersection over union of 0.5), `f1_mean` (over 0.5, 0.55, ..., 0.95), `f1_at_<t>` for every threshold, all in
    [0, 1]; `documents`, `invalid_predictions`, and `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> box_iou = docie.load("box_iou")
    >>> predictions = [[{{"label": "total", "box": [0, 0, 40, 10]}}]]
    >>> results = box_iou.compute(predictions=predictions, references=[[{{"label": "total", "box": [10, 0, 40, 10]}}]])
    >>> results["iou_grouped"], results["area_precision"], results["area_recall"], results["f1"]
    (0.75, 0.75, 1.0, 1.0)
"""


class BoxIou(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.box_iou

    def _info(self):
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2205.11215")

    def _compute(
        self,
        predictions,
        references,
        *,
        thresholds=(0.5,),
        breakdown=False,
        confidence_level=None,
        bootstrap_samples=1000,
        seed=0,
    ):
        settings = docie.box_iou.Settings(thresholds=thresholds)
        return docie.module.evaluate_texts(
            docie.box_iou,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
