"""The Space of ANLS*."""

from docie.spaces.common import page

demo = page.page_of(
    "anls_star",
    title="ANLS*",
    introduction="How similar are two JSON values, from answers to documents, with partial credit?",
)
