"""The packages that a report needs."""

from __future__ import annotations

import functools
import importlib
from typing import Any


@functools.cache
def imported(name: str) -> Any:
    """A package of the extra `report`.

    Raises:
        ModuleNotFoundError: if it is not installed; the message says how to get it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise ModuleNotFoundError(f'a report needs the package {name}: pip install "docie[report]"') from None


def check_packages() -> None:
    """Find out whether the packages of the extra `report` are there.

    Raises:
        ModuleNotFoundError: if one of them is not; the message says how to get it.

    >>> check_packages()
    """
    for name in ("jinja2", "regex"):
        imported(name)
