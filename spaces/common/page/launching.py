"""How a page is launched: nothing is recorded or sent elsewhere, and the number of computations is bounded."""

from __future__ import annotations

import functools
import os
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # before Gradio can send anything

import gradio as gr

from .. import limits, rendering
from ..runner import Runner

WORKERS = max(2, min(8, os.cpu_count() or 1))
"""How many computations run at a time."""
QUEUE = 100
"""How many more may wait. Whoever comes then is told to come again."""


@functools.cache
def runner() -> Runner:
    """The workers, which all pages of this process share."""
    return Runner(WORKERS, is_warm=True)


def launch(demo: gr.Blocks, **options: Any) -> Any:
    """Start a page. Nothing is recorded, nothing is sent elsewhere, and the number of computations is bounded.

    Args:
        demo: what `family_page` or `explorer_page` made.
        **options: those of Gradio's `launch`, such as `server_port`.

    Returns:
        What Gradio's `launch` returns.
    """
    runner().start()
    demo.queue(default_concurrency_limit=WORKERS, max_size=QUEUE)
    settings: dict[str, Any] = {
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "quiet": True,
        "show_error": False,
        "max_file_size": 4 * limits.MAX_CHARACTERS,
        "footer_links": ["api"],
        "theme": _theme(),
        "css": rendering.styles(),
        "head": f"<script>{rendering.static('page.js')}</script>",
    }
    return demo.launch(**{**settings, **options})


def _theme() -> gr.themes.Base:
    """Gradio's theme with fonts that need no download, and with small print that can be read."""
    theme = gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    small = dict.fromkeys(("body_text_color_subdued", "block_info_text_color", "input_placeholder_color"), "#5a6472")
    return theme.set(**small, **{f"{name}_dark": "#a3adba" for name in small})
