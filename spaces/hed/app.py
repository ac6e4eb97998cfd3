"""The Space of HED and UHED."""

from docie.spaces.common import page

demo = page.page_of(
    "hed",
    title="HED and UHED",
    introduction="How many characters of fields and line items are correct, in any order (UHED) or in theirs (HED)?",
)
