"""The Space of KIEval."""

from __future__ import annotations

import gradio as gr

from docie.spaces.common import page
from docie.spaces.common.review import THRESHOLD

demo = page.family_page(
    "kieval",
    title="KIEval",
    introduction=(
        "Which values are correct in their row, and what must a person correct? If values have a confidence, which of "
        "them can skip review? Below, each value stands beside the reference value, and the slider shows the cost and "
        "the benefit of review by confidence."
    ),
    controls={
        "threshold": lambda: gr.Slider(
            0,
            1,
            THRESHOLD,
            step=0.01,
            label="Threshold",
            elem_id="threshold",
            info="Values with a confidence below it are reviewed; values without one never are.",
        ),
    },
)
