"""Form robustness's measurements: receipts with an unattacked version and one under an attack.

Both versions are compared as in entity F1, so the textbook loop and the kernel are entity F1's, once a version.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cases
import entity_f1_rows
import generate

from docie import form_robustness

REFERENCE = "textbook loop"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    forms = cases.Case(documents, lambda: list(map(_form, generate.receipts(documents))))
    makers = {
        "corpus.evaluate": cases.through_corpus(form_robustness),
        "textbook loop": cases.pair_by_pair(_of_versions(entity_f1_rows.textbook)),
        "kernel": cases.pair_by_pair(_of_versions(entity_f1_rows.kernel)),
    }
    return cases.rows(makers, {f"{documents:,} forms, two versions": forms})


def _form(pair: cases.Pair) -> cases.Pair:
    prediction, reference = ({"attacks": {"none": side, "key_drop": side}} for side in pair)
    return prediction, reference


def _of_versions(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def compare_all(prediction: Any, reference: Any) -> Any:
        answers = prediction["attacks"]
        return [compare(answers[attack], document) for attack, document in reference["attacks"].items()]

    return compare_all
