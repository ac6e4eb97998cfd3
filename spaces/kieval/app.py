"""The Space of KIEval."""

from __future__ import annotations

import gradio as gr

from docie.spaces.common import page
from docie.spaces.common.review import THRESHOLD

demo = page.family_page(
    "kieval",
    title="KIEval",
    introduction=(
        "Which values are correct in their row, and what must a person correct? Values with a confidence also say what "
        "could skip review: below, each value stands beside the one that was expected, and the slider shows what "
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
            info="Values with a confidence below it are reviewed; values without one never are.",
        ),
    },
)
