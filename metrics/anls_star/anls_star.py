"""ANLS*: how similar predicted and expected JSON values are, from single answers to nested documents."""

import docie.metrics.anls_star  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
ANLS* compares any structured answer of a model with the expected answer: texts by normalized Levenshtein similarity \
(0 below a threshold), lists by the best assignment of their elements, objects key by key. With several accepted \
answers, it is the ANLS of document question answering. With lists of answers, it is ANLSL.
"""

_CITATION = """\
@article{peer2024anls,
  title={ANLS* -- A Universal Document Processing Metric for Generative Large Language Models},
  author={Peer, David and Sch{\\"o}pf, Philemon and Nebendahl, Volckmar and Rietzler, Alexander and
    Stabinger, Sebastian},
  journal={arXiv preprint arXiv:2402.03848},
  year={2024}
}
"""

_INPUTS = f"""
Args:
    predictions (list): one JSON value for each document: a text, a number, None, a list or an object.
        {{"value": ..., "confidence": ...}} is read as its value.
    references (list): one JSON value for each document. A tuple or {{"$any_of": [...]}} means that any one of its
        values is correct. A list of texts means the same if the prediction is a text.
    threshold (float): if the similarity of two texts is below this value, it counts as 0; 0.5 by default.
    strict_threshold (bool): whether a similarity equal to the threshold also counts as 0, as in the first definition
        of ANLS; False by default.
    closest (bool): adds `closest`: for each document, the value closest to the prediction among all that the reference
        allows.
{docie.module.OPTIONS_HELP}
Returns:
    dict: `anls_star` in [0, 1], the mean over documents; `documents`, `invalid_predictions` (always 0, because every
    JSON value is a valid answer), and `signature` (the options and the version behind the scores).

Examples:
    >>> import docie
    >>> anls_star = docie.load("anls_star")
    >>> references = [("Hello", "World"), {{"a": "hello"}}]
    >>> results = anls_star.compute(predictions=["Wolrd", {{"a": "Hello"}}], references=references)
    >>> results["anls_star"]
    0.8
"""


class AnlsStar(docie.module.DocumentMetric):
    family = docie.metrics.anls_star
    information = docie.module.information(
        _DESCRIPTION,
        _CITATION,
        _INPUTS,
        "https://arxiv.org/abs/2402.03848",
        "https://github.com/deepopinion/anls_star_metric",
    )
