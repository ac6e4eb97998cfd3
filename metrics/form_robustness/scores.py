"""What the scores of form robustness mean. All are macro averages: means over fields."""

from __future__ import annotations

from docie.core.scores import Score

SCORES = (
    Score("f1", "higher", "share", "Mean over fields of the F1 score of the unattacked forms.", headline=True),
    Score("precision", "higher", "share", "Mean over fields of the precision of the unattacked forms.", part_of="f1"),
    Score("recall", "higher", "share", "Mean over fields of the recall of the unattacked forms.", part_of="f1"),
    Score("worst_drop", "lower", "difference", "Largest drop of F1 under any of the attacks."),
    Score("f1_<attack>", "higher", "share", "Mean over fields of the F1 score under the attack."),
    Score("drop_f1_<attack>", "lower", "difference", "Drop of F1: unattacked minus under the attack."),
    Score(
        "drop_precision_<attack>", "lower", "difference", "Drop of precision under the attack.",
        part_of="drop_f1_<attack>",
    ),
    Score(
        "drop_recall_<attack>", "lower", "difference", "Drop of recall under the attack.", part_of="drop_f1_<attack>"
    ),
    Score("forms_<attack>", "neither", "count", "Number of forms that the attack applies to."),
    Score("support", "neither", "count", "Number of values in the unattacked references."),
)  # fmt: skip
