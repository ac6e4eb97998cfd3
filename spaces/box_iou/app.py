"""The Space of box overlap."""

from docie.spaces.common import page

demo = page.page_of(
    "box_iou",
    title="Box overlap",
    introduction="Are boxes in the correct place, and how much do they overlap?",
)
