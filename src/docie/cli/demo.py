"""docie demo: a page in the browser, from this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from typing import Annotated

import typer

from docie.cli import runs

HELP = (
    "Open a page in the browser that scores the documents you enter.\n\n"
    "It runs on this machine "
    "only: nothing is loaded from a network, stored or logged. Ctrl-C ends it."
)
HOST = "127.0.0.1"


def demo(
    name: Annotated[
        str,
        typer.Argument(metavar="FAMILY", show_default=False, help="A metric family; without one, the explorer of all."),
    ] = "explorer",
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="The port; by default the first free one from 7860.")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
) -> None:
    """Open a page in the browser."""
    from docie import hub

    with _ended_by_signals(), _alone():
        try:
            page, launch = hub.page(name)
        except (ValueError, ModuleNotFoundError) as error:
            runs.fail(error)
        try:
            _, address, _ = launch(
                page, server_name=HOST, server_port=port, inbrowser=False, share=False, prevent_thread_lock=True
            )
        except OSError:
            taken = (
                f"--port {port}: this port is taken" if port else "no port from 7860 on is free: name one with --port"
            )
            runs.fail(ValueError(taken))
        try:
            print(f"{page.title}: {address} (Ctrl-C ends it)", flush=True)
            if not no_browser:
                typer.launch(address)
            while True:
                time.sleep(3600)
        finally:
            page.close(verbose=False)


@contextlib.contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Inside this block, Ctrl-C and a request to end (SIGTERM) end it without a traceback, and run all clean-up."""

    def end(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Inside this block Gradio sends nothing, and keeps visitors' files in a folder that is deleted at its end."""
    with tempfile.TemporaryDirectory(prefix="docie-demo-", ignore_cleanup_errors=True) as folder:
        os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "GRADIO_TEMP_DIR": folder}
        yield
