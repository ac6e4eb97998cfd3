"""The Space of box overlap."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "box_iou",
    title="Box overlap",
    introduction=(
        "Are boxes in the correct place? Below, the boxes of reference and prediction are drawn on one page, with "
        "the overlap of each pair."
    ),
)
