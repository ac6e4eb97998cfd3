"""The Space of nTED."""

from docie.spaces.common import page

demo = page.page_of(
    "nted",
    title="nTED accuracy",
    introduction="How few edits turn the prediction into the reference, as papers on Donut count them?",
)
