"""Which scores are the better the lower they are."""

from __future__ import annotations

_AMOUNTS_OF_WORK = (
    "corrections", "substitutions", "additions", "deletions", "errors", "positives", "negatives", "distance", "cost",
    "cost_per_document",
)  # fmt: skip


def is_error_rate(score: str) -> bool:
    """Whether a score is the better the lower it is.

    >>> is_error_rate("oi_ecer"), is_error_rate("f1")
    (True, False)
    """
    return score.endswith(("cer", "wer", "_error_rate"))


def is_better_low(score: str) -> bool:
    """Whether a figure is the better the lower it is: an error rate, a number of errors, a distance, a cost or a drop.

    >>> is_better_low("oi_ecer"), is_better_low("corrections"), is_better_low("true_positives"), is_better_low("f1")
    (True, True, False, False)
    """
    is_drop = score.startswith("drop_") or score.endswith("_drop")
    return is_drop or is_error_rate(score) or (score.endswith(_AMOUNTS_OF_WORK) and score != "true_positives")
