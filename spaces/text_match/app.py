"""The Space of text match."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "text_match",
    title="Text match",
    introduction="Which texts are correct, or nearly correct, field by field?",
)
