"""Whether confidences still say what is wrong when forms change."""

from __future__ import annotations

from typing import Any

from docie import confidence, corpus
from docie.documents.document import parse_document
from docie.metrics import kieval
from docie.robustness.runs.answers import Answers


class Judge:
    """Judges answers with confidences as `docie.confidence` does, by KIEval's matching.

    The threshold is chosen on the answers to the unattacked forms, as it would be in practice: those under attack only
    say what it is worth there.

    Args:
        unattacked: the answers to the unattacked forms.
        settings: when a value is right.
        precision: the share of the values at or above the threshold that must be right on the unattacked forms.
    """

    def __init__(self, unattacked: Answers, settings: Any, precision: float) -> None:
        self.settings = corpus.kieval_settings(settings)
        self.has_confidences = any(
            parse_document(answer, "prediction").has_confidences for answer in unattacked.predictions
        )
        self.threshold: float | None = None
        self.of_unattacked: dict[str, Any] | None = None
        if self.has_confidences:
            values = self._values(unattacked)
            self.threshold = confidence.coverage_at_precision(values, precision)["threshold"]
            self.of_unattacked = self._figures(values)

    def figures(self, answers: Answers) -> dict[str, Any] | None:
        """What the confidences of answers are worth: `AttackResult` says which figures. None if there are none."""
        return self._figures(self._values(answers)) if self.has_confidences else None

    def _figures(self, values: confidence.Values) -> dict[str, Any]:
        calibration = confidence.calibration(values)
        del calibration["bins"]
        passed = {"coverage": None, "precision": None}
        if self.threshold is not None and len(values):
            passed = confidence.at_threshold(values, self.threshold)
        return {
            **calibration,
            "average_precision": confidence.average_precision(values),
            "threshold": self.threshold,
            **{name: passed[name] for name in ("coverage", "precision")},
        }

    def _values(self, answers: Answers) -> confidence.Values:
        collector = confidence.Collector()
        for prediction, reference in zip(answers.predictions, answers.references, strict=True):
            collector.add(kieval.count_judged(prediction, reference, self.settings).listed[0])
        return collector.values()
