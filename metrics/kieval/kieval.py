"""KIEval: structure-aware entity and group F1, correction cost and automation curve of extracted documents."""

import docie.metrics.kieval  # From: .  # in the checkout of docie, the folder above metrics
import docie.module  # From: .  # in the checkout of docie, the folder above metrics

_DESCRIPTION = """\
KIEval scores structured information extracted from documents (receipts, invoices, forms) from the point of view of an \
application. First, predicted groups (line items) are matched with reference groups. Then entities are compared within \
matched groups. Besides entity F1 and group F1, KIEval counts the corrections that a person would have to make. If \
predictions have confidences, it also gives the cost and the benefit of reviewing values of low confidence.
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
    matching (str): how groups are matched, "optimal" (default) or "greedy".
    empty_groups (str): whether objects without entities are groups: "ignore" (default) leaves them out, "count" counts
        them as groups.
    ontology (list of str): the entity types to score; None (default) for all.
    thresholds (list of float): the confidences at which `automation` scores are computed.
    weights (dict): from entity type to a number of at least 0, or the path of a JSON file; adds
        `weighted_entity_f1` and `weighted_aligned`.
    costs (float or dict): the cost of a correction, or a dict from entity type to that, or to the costs of
        "substitution", "addition" and "deletion"; adds `correction_cost` and `correction_cost_per_document`.
    evidence (str): "box", "box(0.7)" with the least intersection over union, or "page"; adds `grounded_f1`,
        `grounded_precision`, `grounded_recall` and `evidence_share`.
{docie.module.VALUE_OPTIONS_HELP}
Returns:
    dict: `entity_f1`, `entity_precision`, `entity_recall`, `entity_f1_macro`, `group_f1`, `group_precision`,
    `group_recall`, `aligned` and `document_accuracy` in [0, 1]; `corrections`, `substitutions`, `additions`,
    `deletions`, `errors`, `true_positives`, `false_positives`, `false_negatives` as numbers of entities; `documents`,
    `invalid_predictions`, and `signature` (the options and the version behind the scores). Where references write null,
    or an ontology or a schema lists fields that they lack: `absent_accuracy`, `absent` and `false_alarms`.

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
    family = docie.metrics.kieval
    information = docie.module.information(
        _DESCRIPTION, _CITATION, _INPUTS, "https://arxiv.org/abs/2503.05488", "https://github.com/UpstageAI/KIEval"
    )
