"""The Space of box overlap."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "box_iou",
    title="Box overlap",
    introduction=(
        "Do boxes lie where they should? Below, the boxes of both sides are drawn on one page, with the "
        "overlap of each."
    ),
)
