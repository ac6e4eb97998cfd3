"""nTED accuracy: how few edits turn extracted documents into the expected ones, by tree edit distance."""

import docie.metrics.nted  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
nTED accuracy (Donut) reads documents as ordered trees. The score is 1 - tree edit distance / the cost of building the \
expected tree from nothing. It includes structure and near misses of texts in one score.
"""

_CITATION = docie.module.DONUT_PAPER

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
{docie.module.OPTIONS_HELP}
Returns:
    dict: `nted_accuracy` in [0, 1], the mean over documents; `documents`, `invalid_predictions`, and `signature` (the
    options and the version behind the scores).

Examples:
    >>> import docie
    >>> nted = docie.load("nted")
    >>> results = nted.compute(predictions=[{{"total": "12.50"}}], references=[{{"total": "12.00"}}])
    >>> round(results["nted_accuracy"], 4)
    0.8333
"""


class Nted(docie.module.DocumentMetric):
    family = docie.metrics.nted
    information = docie.module.information(
        _DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2111.15664", "https://github.com/clovaai/donut"
    )
