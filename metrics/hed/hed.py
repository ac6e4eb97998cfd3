"""HED and UHED: how many characters of a document's fields are correct, with line items in order or in any order."""

import docie.metrics.hed  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
HED and UHED score extracted documents by the characters that predicted and expected fields have in common (longest \
common subsequence). Header fields are compared by name. Line items are aligned in order (Hierarchical Edit Distance) \
or paired in any order (Unordered Hierarchical Edit Distance).
"""

_CITATION = docie.module.DI_METRICS_PAPER

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
    unmatched (str): what happens to line items without a counterpart: "count" (default) counts all their characters,
        "ignore" leaves them out of UHED, as the authors' code does.
{docie.module.OPTIONS_HELP}
Returns:
    dict: `hed_f1`, `hed_precision`, `hed_recall`, `uhed_f1`, `uhed_precision`, `uhed_recall`, means over documents in
    [0, 1]; the same scores with `_micro`, from the characters of all documents together; `documents`,
    `invalid_predictions`, and `signature` (the options and the version behind the scores).

Examples:
    >>> import docie
    >>> hed = docie.load("hed")
    >>> references = [{{"menu": [{{"nm": "Latte"}}, {{"nm": "Mocha"}}]}}]
    >>> results = hed.compute(predictions=[{{"menu": [{{"nm": "Mocha"}}, {{"nm": "Latte"}}]}}], references=references)
    >>> results["hed_f1"], results["uhed_f1"]
    (0.5, 1.0)
"""


class Hed(docie.module.DocumentMetric):
    family = docie.metrics.hed
    information = docie.module.information(
        _DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2205.11215", "https://github.com/MetricsDI/DIMetrics"
    )
