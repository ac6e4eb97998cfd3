"""The Space of KIEval."""

from docie.spaces.common import page

demo = page.page_of(
    "kieval",
    title="KIEval",
    introduction="Which values are correct in their row, what must be corrected, and what can skip review?",
)
