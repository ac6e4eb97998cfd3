"""The Space of nTED."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "nted",
    title="nTED accuracy",
    introduction=(
        "How little of the whole document has to be edited? Papers on Donut report this score. Below, both "
        "documents are trees, with the cheapest edits that make the predicted one the reference."
    ),
)
