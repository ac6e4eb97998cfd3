"""Text match: exact match, Levenshtein and longest common subsequence of the fields of documents."""

import docie.module
import docie.text_match

_DESCRIPTION = """\
Text match compares the fields of extracted documents as texts: exact match, exact match on letters and digits, \
Levenshtein distance and similarity, length, distance, precision, recall and F1 of the longest common subsequence. \
Line items are paired first, whatever their order.
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
{docie.module.PREDICTIONS_HELP}\
{docie.module.OPTIONS_HELP}
Returns:
    dict: means over all fields: `exact_match`, `exact_match_alphanumeric`, `levenshtein_similarity`, `lcs_precision`,
    `lcs_recall`, `lcs_f1` in [0, 1]; `levenshtein_distance`, `lcs_length`, `lcs_distance` in characters; `documents`,
    `invalid_predictions`, and `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> text_match = docie.load("text_match")
    >>> results = text_match.compute(predictions=[{{"total": "12.50"}}], references=[{{"total": "12.00"}}])
    >>> results["exact_match"], results["levenshtein_distance"], results["levenshtein_similarity"]
    (0.0, 1.0, 0.8)
"""


class TextMatch(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.text_match

    def _info(self):
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2205.11215")

    def _compute(
        self,
        predictions,
        references,
        *,
        normalize=None,
        breakdown=False,
        confidence_level=None,
        bootstrap_samples=1000,
        seed=0,
    ):
        settings = docie.text_match.Settings(normalize=normalize)
        return docie.module.evaluate_texts(
            docie.text_match,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
