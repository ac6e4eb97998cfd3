"""Examples to pick, a button each. An example replaces what a visitor has written, and only its button takes it.

(Gradio's dropdown sends `input` and `change` with the value that it shows when its list is merely left.)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gradio as gr


def lay_out_menu(names: Iterable[str], label: str, elem_id: str) -> dict[str, Any]:
    """The buttons, in a box that opens.

    Args:
        names: of the examples.
        label: of the box; it says what an example replaces.
        elem_id: the id of the box.

    Returns:
        dict: from each name to its button.
    """
    with gr.Column(min_width=300), gr.Accordion(label, open=False, elem_id=elem_id), gr.Row():
        return {name: gr.Button(name, size="sm", min_width=160) for name in names}
