"""The packages that a report needs."""

from __future__ import annotations

import functools
import importlib
from typing import Any


@functools.cache
def imported(name: str) -> Any:
    """A package of the extra `report`; the error without it says how to get it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f'a report needs the package {name}: pip install "docie[report]"') from None


def check_packages() -> None:
    """Find out whether the package of the extra `report` are there."""
    imported("jinja2")
