"""KIEval: entity and group F1 in structure, correction cost and automation curve of extracted documents."""

import docie.kieval
import docie.module

_DESCRIPTION = """\
KIEval scores structured information extracted from documents (receipts, invoices, forms) as an application would: \
predicted groups (line items) are matched with the reference's groups first, then entities are compared within matched \
groups. Besides entity F1 and group F1 it counts the corrections that a person would have to make, and, given \
confidences, what review of the unsure values would cost and bring.
"""

_CITATION = """\
@article{khang2025kieval,
  title={KIEval: Evaluation Metric for Document Key Information Extraction},
  author={Khang, Minsoo and Jung, Sang Chul and Park, Sungrae and Hong, Teakgyu},
  journal={arXiv preprint arXiv:2503.05488},
  year={2025}
}
"""

_INPUTS = f"""
Args:
{docie.module.PREDICTIONS_HELP}\
    matching (str): "optimal" (default) or "greedy" matching of groups.
    empty_groups (str): "ignore" (default) or "count" objects without entities.
    ontology (list of str): the entity types to score; None (default) for all.
    thresholds (list of float): confidences at which `automation` figures are wanted.
{docie.module.OPTIONS_HELP}
Returns:
    dict: `entity_f1`, `entity_precision`, `entity_recall`, `entity_f1_macro`, `group_f1`, `group_precision`,
    `group_recall`, `aligned` and `document_accuracy` in [0, 1]; `corrections`, `substitutions`, `additions`,
    `deletions`, `errors`, `true_positives`, `false_positives`, `false_negatives` as numbers of entities; `documents`,
    `invalid_predictions`, and `signature`, which says how the figures were made.

Examples:
    >>> import docie
    >>> kieval = docie.load("kieval")
    >>> predictions = [{{"company": "Kedai", "menu": [{{"nm": "Latte", "price": "4.80"}}]}}]
    >>> references = [{{"company": "Kedai", "menu": [{{"nm": "Latte", "price": "4.50"}}]}}]
    >>> results = kieval.compute(predictions=predictions, references=references)
    >>> round(results["entity_f1"], 4), results["group_f1"], results["substitutions"]
    (0.6667, 0.0, 1)
"""


class Kieval(docie.module.DocumentMetric):
    __doc__ = _DESCRIPTION + _INPUTS

    family = docie.kieval

    def _info(self):
        return docie.module.info(_DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2503.05488")

    def _compute(
        self,
        predictions,
        references,
        *,
        matching="optimal",
        empty_groups="ignore",
        normalize=None,
        ontology=None,
        thresholds=None,
        breakdown=False,
        confidence_level=None,
        bootstrap_samples=1000,
        seed=0,
    ):
        settings = docie.kieval.Settings(
            matching=matching,
            empty_groups=empty_groups,
            normalize=normalize,
            ontology=ontology,
            thresholds=thresholds,
        )
        return docie.module.evaluate_texts(
            docie.kieval,
            predictions,
            references,
            settings,
            breakdown=breakdown,
            confidence_level=confidence_level,
            bootstrap_samples=bootstrap_samples,
            seed=seed,
        )
