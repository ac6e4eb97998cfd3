"""The explorer: one prediction through all families."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.explorer_page(
    title="docie explorer",
    introduction=(
        "How well was a document read? Put what is really there on the left, what a model extracted on the right, "
        "and see what each metric says about it, and which values are wrong."
    ),
)
