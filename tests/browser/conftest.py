"""Pages in a real browser: Debian's Chromium, driven by Playwright.

Without Chromium these tests are skipped; with DOCIE_BROWSER=required they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",  # containers have no user namespaces
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Opened:
    """A page, and what it did: messages of its console, errors, dialogs, and requests but for the page itself."""

    page: Any
    messages: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def _dismiss(dialog: Any, messages: list[str]) -> None:
    messages.append(f"dialog: {dialog.message}")
    dialog.dismiss()


def _without(reason: str) -> NoReturn:
    if os.environ.get("DOCIE_BROWSER") == "required":
        pytest.fail(f"{reason}, and DOCIE_BROWSER=required")
    pytest.skip(f"{reason}: tests of pages need it")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        _without("playwright is not installed")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        _without("there is no Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Any) -> Iterator[Callable[..., Opened]]:
    """Opens a file or an address in a new window. Options are those of Playwright's `new_context`."""
    contexts = []

    def open_page(address: Path | str, **options: Any) -> Opened:
        address = address.as_uri() if isinstance(address, Path) else address
        contexts.append(chromium.new_context(**options))
        result = Opened(contexts[-1].new_page())
        page = result.page
        page.on("console", lambda message: result.messages.append(message.text))
        page.on("pageerror", lambda error: result.messages.append(str(error)))
        page.on("dialog", lambda dialog: _dismiss(dialog, result.messages))
        page.on("request", lambda request: result.requests.append(request.url))
        page.goto(address)
        result.requests.remove(address.partition("#")[0])
        return result

    yield open_page
    for context in contexts:
        context.close()
