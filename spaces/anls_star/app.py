"""The Space of ANLS*."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "anls_star",
    title="ANLS*",
    introduction="How similar are two JSON values, from answers to documents, with partial credit?",
)
