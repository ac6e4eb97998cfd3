"""Form robustness: field F1 of unattacked forms, and its drop under each attack."""

import docie.metrics.form_robustness  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
Form robustness measures how much an extractor's scores drop when forms change: other values, another reading order, \
missing keys. It compares the macro F1 (exact matches, the mean of the fields' F1 scores) of unattacked forms with \
that of the same forms under each attack.
"""

_CITATION = """\
@article{xue2021robustness,
  title={Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks},
  author={Xue, Le and Gao, Mingfei and Chen, Zeyuan and Xiong, Caiming and Xu, Ran},
  journal={arXiv preprint arXiv:2110.04413},
  year={2021}
}
"""

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
    attack (list of str): the name of the attack behind each prediction, "none" if its form was not attacked.
{docie.module.VALUE_OPTIONS_HELP}
Returns:
    dict: `f1`, `precision` and `recall` of unattacked forms, macro averages (means over fields), in [0, 1]; for each
    attack `f1_<attack>`, and `drop_f1_<attack>`, `drop_precision_<attack>`, `drop_recall_<attack>` (the unattacked
    score of the same forms minus that under the attack), `forms_<attack>`, their number; `worst_drop`, the largest
    drop of F1; `documents`, `invalid_predictions`, and `signature` (the options and the version behind the scores).

Examples:
    >>> import docie
    >>> form_robustness = docie.load("form_robustness")
    >>> reference = {{"total": "9.00", "date": "2026-03-14"}}
    >>> results = form_robustness.compute(
    ...     predictions=[reference, {{"total": "9.00"}}], references=[reference, reference], attack=["none", "key_drop"]
    ... )
    >>> results["f1"], results["f1_key_drop"], results["worst_drop"]
    (1.0, 0.5, 0.5)
"""


class FormRobustness(docie.module.DocumentMetric):
    family = docie.metrics.form_robustness
    information = docie.module.information(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2110.04413")
