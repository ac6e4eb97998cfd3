"""The counts of entities."""

from __future__ import annotations

from dataclasses import dataclass

from docie.core.counts import Number, Outcomes


@dataclass(slots=True)
class Entities(Outcomes):
    """Columns of the ("entity", group type, entity type) rows. ("group", group type) rows have the `Outcomes` only."""

    substitutions: Number = 0

    @property
    def additions(self) -> Number:
        """Equation 9."""
        return self.false_negatives - self.substitutions

    @property
    def deletions(self) -> Number:
        """Equation 10."""
        return self.false_positives - self.substitutions

    @property
    def corrections(self) -> Number:
        """Equation 11: substitutions, additions and deletions."""
        return self.false_positives + self.false_negatives - self.substitutions
