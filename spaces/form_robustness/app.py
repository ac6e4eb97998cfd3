"""The Space of form robustness."""

from __future__ import annotations

from docie.spaces.common import page

demo = page.family_page(
    "form_robustness",
    title="Form robustness",
    introduction=(
        "How far does an extractor fall when a form changes? Below, the fields of a form are shown as they were read "
        "from the unattacked form, and under each attack."
    ),
)

if __name__ == "__main__":
    page.launch(demo)
