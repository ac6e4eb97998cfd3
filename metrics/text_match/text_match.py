"""Text match: exact match, Levenshtein and longest common subsequence of the fields of documents."""

import docie.metrics.text_match  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
Text match compares the fields of extracted documents as texts: exact match, exact match on letters and digits, \
Levenshtein distance and similarity, and length, distance, precision, recall and F1 of the longest common subsequence. \
Line items are paired first, in any order.
"""

_CITATION = docie.module.DI_METRICS_PAPER

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
{docie.module.VALUE_OPTIONS_HELP}
Returns:
    dict: means over all fields: `exact_match`, `exact_match_alphanumeric`, `levenshtein_similarity`, `lcs_precision`,
    `lcs_recall`, `lcs_f1` in [0, 1]; `levenshtein_distance`, `lcs_length`, `lcs_distance` in characters; `documents`,
    `invalid_predictions`, and `signature` (the options and the version behind the scores).

Examples:
    >>> import docie
    >>> text_match = docie.load("text_match")
    >>> results = text_match.compute(predictions=[{{"total": "12.50"}}], references=[{{"total": "12.00"}}])
    >>> results["exact_match"], results["levenshtein_distance"], results["levenshtein_similarity"]
    (0.0, 1.0, 0.8)
"""


class TextMatch(docie.module.DocumentMetric):
    family = docie.metrics.text_match
    information = docie.module.information(
        _DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2205.11215", "https://github.com/MetricsDI/DIMetrics"
    )
