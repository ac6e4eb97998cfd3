"""Entity error rates and F1 scores, in reading order and independent of it."""

import docie.metrics.oi_entities  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
ECER and EWER are error rates of the characters and words of a page's entities. Nerval counts the entities \
that are correct or nearly correct. These metrics use the reading order, OIECER, OIEWER and OINerval do not. \
Bags count words and entities.
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
    predictions (list): for each document, as in schema.json, a list of entities in reading order,
        {{"category": ..., "text": ...}} or [category, text], or tagged words, {{"words": [...], "tags": [...]}}.
        Anything else (an answer that could not be parsed) is scored as a list without entities and counted in
        `invalid_predictions`.
    references (list): the entities of the references, in the same form.
    nerval_threshold (float): the highest character error rate of a match in Nerval and OINerval, as a fraction; 0.3 by
        default.
{docie.module.OPTIONS_HELP}
Returns:
    dict: error rates, of which 0 is best and which may exceed 1: `oi_ecer`, `oi_ewer`, `ecer`, `ewer`,
    `bag_of_words_error_rate`, `bag_of_tagged_words_error_rate`, `bag_of_entities_error_rate`, and for tagged words
    `cer` and `wer`; micro averages in [0, 1]: `_precision`, `_recall` and `_f1` of `oi_nerval`, `nerval` and the three
    bags; `documents`, `invalid_predictions`, and `signature` (the options and the version behind the scores).

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
    family = docie.metrics.oi_entities
    information = docie.module.information(
        _DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2404.18664", "https://pypi.org/project/ie-eval/"
    )
