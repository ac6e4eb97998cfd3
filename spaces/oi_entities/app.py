"""The Space of entities in any order."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "oi_entities",
    title="Entities in any order",
    introduction="Which entities of a page are correct, whatever their reading order?",
)
