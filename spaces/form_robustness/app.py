"""The Space of form robustness."""

from __future__ import annotations

from docie.spaces.common import page
from docie.spaces.form_robustness.page import lay_out

demo = page.family_page(
    "form_robustness",
    title="Form robustness",
    introduction=(
        "How far does an extractor fall when a form changes? Attack a form, and see what that does to the page and to "
        "what is read from it; or score the answers that you have of forms under attacks."
    ),
    first=page.Tab("Attack a form", lay_out),
)
