"""The explorer: one prediction through all families."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.explorer_page(
    title="docie explorer",
    introduction=(
        "How well was a document read? Enter the correct values on the left and a model's prediction on the right, "
        "and see the scores of each metric, and which values are incorrect."
    ),
)
