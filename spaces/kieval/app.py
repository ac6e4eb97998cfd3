"""The Space of KIEval."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "kieval",
    title="KIEval",
    introduction="Which values are correct in their row, what must be corrected, and what can skip review?",
)
