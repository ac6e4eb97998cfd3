"""One running explorer for all tests of its endpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture(scope="session")
def explorer(addresses: Callable[[str], str]) -> Any:
    """A client of the running explorer."""
    from gradio_client import Client

    return Client(addresses("explorer"), verbose=False)
