"""The Space of entity F1."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "entity_f1",
    title="Entity F1",
    introduction="The usual F1 score of papers: are values, or spans of tagged words, correct?",
)
