"""The Space of nTED."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "nted",
    title="nTED accuracy",
    introduction="How few edits turn the prediction into the reference, as papers on Donut count them?",
)
