"""The Space of entities in any order."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "oi_entities",
    title="Entities in any order",
    introduction=(
        "Entities of a page are scored whatever their reading order: error rates of characters and words, "
        "and F1 scores. The table below shows which predicted entity is compared with which reference entity."
    ),
)
