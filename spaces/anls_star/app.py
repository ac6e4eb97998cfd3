"""The Space of ANLS*."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "anls_star",
    title="ANLS*",
    introduction=(
        "How alike are two JSON values, from single answers to whole documents? Near misses get part of the "
        "credit. Below, every value has its score, and one sees how these add up."
    ),
)
