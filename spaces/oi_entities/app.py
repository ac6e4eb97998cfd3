"""The Space of entities in any order."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "oi_entities",
    title="Entities in any order",
    introduction=(
        "Entities of a page are scored in whatever order they were read: error rates in characters and words, "
        "and F1. Below, one sees which predicted entity is compared with which of the reference."
    ),
)
