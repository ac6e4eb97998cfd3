"""Entity error rates and F1 scores, in reading order and independent of it."""

import docie.module
import docie.oi_entities

_DESCRIPTION = """\
ECER and EWER weigh by characters and by words how wrong the entities of a page are, Nerval counts those that are \
nearly right, in reading order and, as OIECER, OIEWER and OINerval, in any; bags count words and entities.
"""

_CITATION = """\
@inproceedings{villanova2024reading,
  title={Reading Order Independent Metrics for Information Extraction in Handwritten Documents},
  author={Villanova-Aparisi, David and Tarride, Sol{\\`e}ne and Mart{\\'i}nez-Hinarejos, Carlos-D. and Romero,
    Ver{\\'o}nica and Kermorvant, Christopher and Pastor-Gadea, Mois{\\'e}s},
  booktitle={International Conference on Document Analysis and Recognition},
  year={2024}
}
"""

_INPUTS = f"""
Args:
    predictions (list): one document each: a list of entities, {{"category": ..., "text": ...}} or [category, text],
        in reading order, or tagged words, {{"words": [...], "tags": [...]}}, as in schema.json. Anything else (an
        answer that could not be parsed) has no entities and is counted in `invalid_predictions`.
    references (list): likewise.
    nerval_threshold (float): the greatest character error rate of a match in Nerval and OINerval, a fraction, 0.3 by
        default.
{docie.module.OPTIONS_HELP}
Returns:
    dict: error rates, 0 at best, which may exceed 1: `oi_ecer`, `oi_ewer`, `ecer`, `ewer`,
    `bag_of_words_error_rate`, `bag_of_tagged_words_error_rate`, `bag_of_entities_error_rate`, and, of tagged words,
    `cer` and `wer`; micro averages in [0, 1]: `_precision`, `_recall` and `_f1` of `oi_nerval`, `nerval` and the
    three bags; `documents`, `invalid_predictions`, and `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> oi_entities = docie.load("oi_entities")
    >>> references = [[["title", "Contre Denis QUIROT"], ["date", "26 mai 1770"]]]
    >>> predictions = [[["date", "26 mai 1771"], ["title", "Contre Denis QUIROT"]]]
    >>> results = oi_entities.compute(predictions=predictions, references=references)
    >>> round(results["oi_ecer"], 4), round(results["ecer"], 4), results["oi_nerval_f1"], results["nerval_f1"]
    (0.0455, 1.0, 1.0, 0.5)
"""


class OiEntities(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.oi_entities

    def _info(self):
        url = "https://arxiv.org/abs/2404.18664"
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, url)

    def _compute(
        self,
        predictions,
        references,
        *,
        nerval_threshold=0.3,
        normalize=None,
        breakdown=False,
        confidence_level=None,
        bootstrap_samples=1000,
        seed=0,
    ):
        settings = docie.oi_entities.Settings(nerval_threshold=nerval_threshold, normalize=normalize)
        return docie.module.evaluate_texts(
            docie.oi_entities,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
