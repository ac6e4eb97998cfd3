"""ANLS*: how alike predicted and expected JSON values are, from single answers to nested documents."""

import docie.anls_star
import docie.module

_DESCRIPTION = """\
ANLS* scores any structured answer of a model against what was expected: a text by normalised Levenshtein similarity \
(0 below a threshold), a list by the best assignment of its elements, an object key by key. Several accepted answers \
make it the ANLS of document question answering, lists of answers make it ANLSL.
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
    predictions (list): any JSON value each: text, a number, None, a list, an object;
        {{"value": ..., "confidence": ...}} stands for its value.
    references (list): likewise; a tuple or {{"$any_of": [...]}} means that any one of its values is right, and a list
        of texts means the same where the prediction is a text.
    threshold (float): similarity of two texts below which it counts as 0; 0.5 by default.
    strict_threshold (bool): 0 at exactly the threshold too, as in the first definition of ANLS; False by default.
    closest (bool): adds `closest`, for each document the value nearest to the prediction that the reference allows.
{docie.module.OPTIONS_HELP}
Returns:
    dict: `anls_star` in [0, 1], the mean over documents; `documents`, `invalid_predictions` (always 0: every JSON value
    is an answer), and `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> anls_star = docie.load("anls_star")
    >>> references = [("Hello", "World"), {{"a": "hello"}}]
    >>> results = anls_star.compute(predictions=["Wolrd", {{"a": "Hello"}}], references=references)
    >>> results["anls_star"]
    0.8
"""


class AnlsStar(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.anls_star

    def _info(self):
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2402.03848")

    def _compute(
        self,
        predictions,
        references,
        *,
        threshold=0.5,
        strict_threshold=False,
        closest=False,
        normalize=None,
        breakdown=False,
        confidence_level=None,
        bootstrap_samples=1000,
        seed=0,
    ):
        settings = docie.anls_star.Settings(
            threshold=threshold, strict_threshold=strict_threshold, closest=closest, normalize=normalize
        )
        return docie.module.evaluate_texts(
            docie.anls_star,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
