"""Launch a page: nothing is recorded or sent elsewhere, and the number of computations is bounded."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # before Gradio can send anything

import gradio as gr

from docie.show.page.script import script

from .. import limits, rendering
from ..runner import Runner, sendable

if TYPE_CHECKING:
    from gradio.blocks import BlockFunction

WORKERS = max(2, min(8, os.cpu_count() or 1))
"""The number of computations that run at a time."""
LIMITED: dict[str, Any] = {"concurrency_id": "work", "concurrency_limit": WORKERS}
"""For every event, of page or endpoint: together they run no more computations than there are workers."""
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", **LIMITED}
"""For every event of a page."""
QUEUE = 100
"""The number of computations that may wait. Further visitors are asked to try again later."""


class Blocks(gr.Blocks):  # type: ignore[misc]
    """The blocks of a page, which print the address, but nothing that a visitor has sent.

    Gradio prints the traceback of an error, and some of its messages hold all inputs. The three methods that this class
    overrides are no public hooks of Gradio; nothing else here, and nothing in other files, goes around those.
    """

    def validate_inputs(self, block_fn: BlockFunction, inputs: Sequence[object]) -> None:
        """Refuse requests with too few inputs, without printing them."""
        if len(inputs) < len(block_fn.inputs):
            raise gr.Error(f"expected {len(block_fn.inputs)} inputs, got {len(inputs)}", print_exception=False)

    async def process_api(self, *arguments: object, **options: object) -> object:
        """Answer an event."""
        try:
            return await super().process_api(*arguments, **options)
        except gr.Error as error:
            error.print_exception = False
            raise
        except Exception as error:
            raise gr.Error(str(sendable(error)), print_exception=False) from None

    def block_thread(self) -> None:
        """Serve until the process ends: `python app.py` prints the address."""
        print(f"{self.title}: {self.local_url} (Ctrl-C ends it)", flush=True)
        super().block_thread()


@functools.cache
def runner() -> Runner:
    """The workers, which all pages of this process share."""
    return Runner(WORKERS, is_warm=True)


def launch(demo: gr.Blocks, **options: object) -> tuple[object, str, str]:
    """Launch a page. Nothing is recorded, nothing is sent elsewhere, and the number of computations is bounded.

    Args:
        demo: the result of `page_of`.
        **options: options of Gradio's `launch`, such as `server_port`.

    Returns:
        The result of Gradio's `launch`: the app, its address on this machine, and the public one.
    """
    warnings.filterwarnings("ignore", "A `<script>` tag was found")  # data, which need not run as Gradio warns
    runner().start()
    demo.queue(default_concurrency_limit=WORKERS, max_size=QUEUE)
    settings: dict[str, object] = {
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "quiet": True,
        "show_error": False,
        "max_file_size": limits.MAX_BYTES,
        "footer_links": ["api"],
        "theme": _theme(),
        "css": rendering.styles(),
        "head": f'<script>{rendering.script()}</script><script type="module">{script()}</script>',
    }
    launched: tuple[object, str, str] = demo.launch(**{**settings, **options})
    return launched


def _theme() -> gr.themes.Base:
    """Gradio's theme with fonts that need no download, and with readable small print."""
    theme = gr.themes.Default(
        primary_hue="blue", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
    )
    small = dict.fromkeys(("body_text_color_subdued", "block_info_text_color", "input_placeholder_color"), "#5a6472")
    dark = dict.fromkeys((f"{name}_dark" for name in small), "#a3adba")
    return theme.set(**small, **dark, body_background_fill="#ffffff", body_background_fill_dark="#16181d")
