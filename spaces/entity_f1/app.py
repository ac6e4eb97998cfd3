"""The Space of entity F1."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "entity_f1",
    title="Entity F1",
    introduction=(
        "The usual F1 of papers: which values, or which spans of tagged words, are right. Below, one sees "
        "what was found, what is wrong and what was missed, type by type."
    ),
)
