"""nTED accuracy: how little of extracted documents has to be edited, by tree edit distance."""

import docie.module
import docie.nted

_DESCRIPTION = """\
nTED accuracy (Donut) reads documents as ordered trees and scores 1 - tree edit distance / the cost of building the \
expected tree from nothing. It sees structure and near misses of texts at once.
"""

_CITATION = """\
@inproceedings{kim2022donut,
  title={OCR-free Document Understanding Transformer},
  author={Kim, Geewook and Hong, Teakgyu and Yim, Moonbin and Nam, JeongYeon and Park, Jinyoung and Yim, Jinyeong and
    Hwang, Wonseok and Yun, Sangdoo and Han, Dongyoon and Park, Seunghyun},
  booktitle={European Conference on Computer Vision},
  year={2022}
}
"""

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
{docie.module.OPTIONS_HELP}
Returns:
    dict: `nted_accuracy` in [0, 1], the mean over documents; `documents`, `invalid_predictions`, and `signature`, which
    says how the figures were made.

Examples:
    >>> import docie
    >>> nted = docie.load("nted")
    >>> results = nted.compute(predictions=[{{"total": "12.50"}}], references=[{{"total": "12.00"}}])
    >>> round(results["nted_accuracy"], 4)
    0.8333
"""


class Nted(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.nted

    def _info(self):
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2111.15664")

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
        settings = docie.nted.Settings(normalize=normalize)
        return docie.module.evaluate_texts(
            docie.nted,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
