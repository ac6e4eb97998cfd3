"""Form robustness: field F1 of unattacked forms, and its drop under each attack.

Source: Xue, Gao, Chen, Xiong and Xu, "Robustness Evaluation of Transformer-based Form Field Extractors via Form
Attacks" (2021): exact matches by field, F1 averaged over fields, and its drop against the unattacked set.

A row is one form with all of its versions: an object with the single key "attacks", from the name of each attack to a
document. "none" is the unattacked form. Intervals and comparisons are therefore paired: they resample forms, not
versions.
"""

from docie.metrics.form_robustness.explanation import explain, headlines
from docie.metrics.form_robustness.metric import INPUTS, NAME, SCORES, Settings, breakdown, count, score
from docie.metrics.form_robustness.versions import COLUMNS, UNATTACKED, from_columns

__all__ = [
    "COLUMNS",
    "INPUTS",
    "NAME",
    "SCORES",
    "UNATTACKED",
    "Settings",
    "breakdown",
    "count",
    "explain",
    "from_columns",
    "headlines",
    "score",
]
