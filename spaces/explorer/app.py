"""The explorer: one prediction through all families."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.explorer_page(
    title="docie explorer",
    introduction="How well was a document read? Each metric says its score, and which values are incorrect.",
)
