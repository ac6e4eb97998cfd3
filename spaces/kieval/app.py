"""The Space of KIEval."""

from __future__ import annotations

import gradio as gr

from docie.spaces.common import page
from docie.spaces.common.review import THRESHOLD

demo = page.family_page(
    "kieval",
    title="KIEval",
    introduction=(
        "Which values are right in their row, and what must a person correct? Values with a confidence also say what "
        "could go through unseen: below, each value stands beside the one that was expected, and the slider shows what "
        "review by confidence costs and brings."
    ),
    controls={
        "threshold": lambda: gr.Slider(
            0,
            1,
            THRESHOLD,
            step=0.01,
            label="Threshold",
            elem_id="threshold",
            info="A person looks at values with a confidence below it, never at values without one.",
        ),
    },
)
