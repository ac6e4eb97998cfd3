"""The explorer: one prediction through all families."""

from docie.spaces.common import page

demo = page.page_of(
    None,
    title="docie explorer",
    introduction="How well was a document read? Each metric says its score, and which values are incorrect.",
)
