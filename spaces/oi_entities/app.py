"""The Space of entities in any order."""

from docie.spaces.common import page

demo = page.page_of(
    "oi_entities",
    title="Entities in any order",
    introduction="Which entities of a page are correct, whatever their reading order?",
)
