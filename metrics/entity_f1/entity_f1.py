"""Entity F1: precision, recall and F1 of extracted entities, whatever group they stand in."""

import docie.entity_f1
import docie.module

_DESCRIPTION = """\
Entity F1 is the conventional score of key information extraction: an extracted value is right if the reference has \
the same value of the same entity type. Groups (line items) have no say.
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
    dict: `precision`, `recall`, `f1` (micro averages over documents and entity types) and `f1_macro` (mean F1 of the
    entity types) in [0, 1]; `documents`, `invalid_predictions`, and `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> entity_f1 = docie.load("entity_f1")
    >>> references = [{{"menu": [{{"nm": "Latte", "price": "4.50"}}, {{"nm": "Mocha", "price": "5.00"}}]}}]
    >>> results = entity_f1.compute(predictions=[{{"menu": {{"nm": "Latte", "price": "5.00"}}}}], references=references)
    >>> results["precision"], results["recall"], round(results["f1"], 4)
    (1.0, 0.5, 0.6667)
"""


class EntityF1(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.entity_f1

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
        settings = docie.entity_f1.Settings(normalize=normalize)
        return docie.module.evaluate_texts(
            docie.entity_f1,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
