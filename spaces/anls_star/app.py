"""The Space of ANLS*."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "anls_star",
    title="ANLS*",
    introduction=(
        "How similar are two JSON values, from single answers to whole documents? Near misses get partial "
        "credit. The tree below shows the score of every value, and how these scores add up."
    ),
)
