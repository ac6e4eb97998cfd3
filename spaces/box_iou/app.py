"""The Space of box overlap."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "box_iou",
    title="Box overlap",
    introduction="Are boxes in the correct place, and how much do they overlap?",
)
