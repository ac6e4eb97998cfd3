"""HED and UHED: how many characters of the fields of a document were read, line items in order or in any order."""

import docie.hed
import docie.module

_DESCRIPTION = """\
HED and UHED score extracted documents by the characters that predicted and expected fields have in common (longest \
common subsequence): header fields by name, line items aligned in order (Hierarchical Edit Distance) or assigned in \
any order (Unordered Hierarchical Edit Distance).
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
    unmatched (str): "count" (default) line items without a counterpart in full, or "ignore" them in UHED, as the
        authors' code does.
{docie.module.OPTIONS_HELP}
Returns:
    dict: `hed_f1`, `hed_precision`, `hed_recall`, `uhed_f1`, `uhed_precision`, `uhed_recall`, means over documents in
    [0, 1], and the same with `_micro`, of all documents' characters together; `documents`, `invalid_predictions`, and
    `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> hed = docie.load("hed")
    >>> references = [{{"menu": [{{"nm": "Latte"}}, {{"nm": "Mocha"}}]}}]
    >>> results = hed.compute(predictions=[{{"menu": [{{"nm": "Mocha"}}, {{"nm": "Latte"}}]}}], references=references)
    >>> results["hed_f1"], results["uhed_f1"]
    (0.5, 1.0)
"""


class Hed(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.hed

    def _info(self):
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2205.11215")

    def _compute(
        self,
        predictions,
        references,
        *,
        unmatched="count",
        normalize=None,
        breakdown=False,
        confidence_level=None,
        bootstrap_samples=1000,
        seed=0,
    ):
        settings = docie.hed.Settings(unmatched=unmatched, normalize=normalize)
        return docie.module.evaluate_texts(
            docie.hed,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
