"""The Space of text match."""

from docie.spaces.common import page

demo = page.page_of(
    "text_match",
    title="Text match",
    introduction="Which texts are correct, or nearly correct, field by field?",
)
