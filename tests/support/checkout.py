"""Where the checkout is that the tests belong to, which of its folders are there, and which packages."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def missing(*names: str) -> str:
    """Why a test cannot run that needs these files or folders of the checkout; empty if they are all there."""
    absent = [name for name in names if not (ROOT / name).exists()]
    return f"the checkout {ROOT} has no {', '.join(absent)}" if absent else ""


def needs(*names: str) -> pytest.MarkDecorator:
    """A mark for a test that needs files or folders of the checkout: without them it is skipped."""
    reason = missing(*names)
    return pytest.mark.skipif(bool(reason), reason=reason or "nothing is missing")


def needs_package(name: str) -> pytest.MarkDecorator:
    """A mark for a test that needs a package of an extra: without it the test is skipped."""
    return pytest.mark.skipif(find_spec(name) is None, reason=f"{name} is not installed")


def skip_module_without(*names: str) -> None:
    """Skip the tests of the module that calls this, if files or folders of the checkout are missing."""
    if reason := missing(*names):
        pytest.skip(reason, allow_module_level=True)
