"""One running explorer for all tests of its endpoints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docie.spaces.common import page
from docie.spaces.explorer import app


@pytest.fixture(scope="session")
def explorer() -> Iterator[Any]:
    """A client of the running explorer."""
    from gradio_client import Client

    _, url, _ = page.launch(app.demo, prevent_thread_lock=True)
    yield Client(url, verbose=False)
    app.demo.close()
