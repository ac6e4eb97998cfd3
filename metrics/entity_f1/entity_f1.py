"""Entity F1: precision, recall and F1 of extracted entities, groups ignored, or of tagged words."""

import docie.metrics.entity_f1  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
Entity F1 is the conventional score of key information extraction: an extracted value is correct if the reference has \
the same value of the same entity type. Groups (line items) are ignored. In tagged words (IOB and similar schemes), an \
entity is correct if the reference has an entity of the same type with the same first and last word.
"""

_CITATION = f"""\
{docie.module.DONUT_PAPER}\
@inproceedings{{ramshaw1995text,
  title={{Text Chunking using Transformation-Based Learning}},
  author={{Ramshaw, Lance A. and Marcus, Mitchell P.}},
  booktitle={{Third Workshop on Very Large Corpora}},
  year={{1995}}
}}
@misc{{nakayama2018seqeval,
  title={{{{seqeval}}: A Python framework for sequence labeling evaluation}},
  author={{Hiroki Nakayama}},
  url={{https://github.com/chakki-works/seqeval}},
  year={{2018}}
}}
"""

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
        Instead of documents, both may be tags: a list with one tag for each word ("B-total", "I-total", "O"), or
        an object in which "words" and "tags" are lists. Then the prediction must have as many tags as its reference.
    scheme (str): how tags are read: "IOB1", "IOB2", "IOE1", "IOE2", "IOBES" or "BILOU"; None (default) reads the
        prefixes B, I, E and S of any scheme.
    strict (bool): whether only the spans that the scheme allows are read; by default, every tag except O belongs to an
        entity.
{docie.module.VALUE_OPTIONS_HELP}\
    keys (str): "seqeval" gives the results the keys of evaluate's module seqeval: `overall_precision`,
        `overall_recall`, `overall_f1`, `overall_accuracy`, and a dict for each entity type. None (default) does not.

Returns:
    dict: `precision`, `recall`, `f1` (micro averages over documents and entity types) and `f1_macro` (mean F1 of the
    entity types) in [0, 1], for tags also `accuracy` (share of words with the correct tag); `documents`,
    `invalid_predictions`, and `signature` (the options and the version behind the scores).

Examples:
    >>> import docie
    >>> entity_f1 = docie.load("entity_f1")
    >>> references = [{{"menu": [{{"nm": "Latte", "price": "4.50"}}, {{"nm": "Mocha", "price": "5.00"}}]}}]
    >>> results = entity_f1.compute(predictions=[{{"menu": {{"nm": "Latte", "price": "5.00"}}}}], references=references)
    >>> results["precision"], results["recall"], round(results["f1"], 4)
    (1.0, 0.5, 0.6667)
    >>> tags = {{"predictions": [["B-nm", "O", "B-price"]], "references": [["B-nm", "I-nm", "B-price"]]}}
    >>> entity_f1.compute(**tags)["f1"]
    0.5
"""


class EntityF1(docie.module.DocumentMetric):
    family = docie.metrics.entity_f1
    information = docie.module.information(
        _DESCRIPTION,
        _CITATION,
        _INPUTS,
        "https://arxiv.org/abs/2111.15664",
        "https://github.com/clovaai/donut",
        "https://github.com/chakki-works/seqeval",
    )
