"""Gradio's blocks, but for what they print: the address, and nothing that a visitor has sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr

from ..worker import sendable


class Blocks(gr.Blocks):  # type: ignore[misc]
    """The blocks of a page. Gradio prints the traceback of an error, and some of its messages hold all inputs."""

    def validate_inputs(self, block_fn: Any, inputs: Sequence[Any]) -> None:
        """Refuse too few inputs, without showing them."""
        if len(inputs) < len(block_fn.inputs):
            raise gr.Error(f"expected {len(block_fn.inputs)} inputs, got {len(inputs)}", print_exception=False)

    async def process_api(self, *arguments: Any, **options: Any) -> Any:
        """Answer an event."""
        try:
            return await super().process_api(*arguments, **options)
        except gr.Error as error:
            error.print_exception = False
            raise
        except Exception as error:
            raise gr.Error(str(sendable(error)), print_exception=False) from None

    def block_thread(self) -> None:
        """Serve until the process is ended: `python app.py` says where."""
        print(f"{self.title}: {self.local_url} (Ctrl-C ends it)", flush=True)
        super().block_thread()
