"""What an extra of docie brings: with DOCIE_EXTRAS=test-all in the environment, no test is skipped for lack of it."""

from __future__ import annotations

from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any

import pytest
from packaging.requirements import Requirement

from docie import hub

_skip_without = pytest.importorskip


def absent(extra: str) -> list[str]:
    """The packages of an extra that are not installed, or in another version, a requirement each."""
    return [str(each) for each in hub.requirements(extra) if not _is_met(each)]


def _is_met(requirement: Requirement) -> bool:
    try:
        return requirement.specifier.contains(metadata.version(requirement.name), prereleases=True)
    except metadata.PackageNotFoundError:
        return False


def import_or_skip(name: str, minversion: str | None = None, reason: str | None = None, **options: Any) -> Any:
    """`pytest.importorskip`, but a package that is installed and cannot be imported is an error."""
    try:
        import_module(name)
    except ModuleNotFoundError as error:
        spec = find_spec(name.partition(".")[0])
        is_shared = spec is None or spec.origin is None  # several distributions have modules in google, say
        if not (is_shared and f"{name}.".startswith(f"{error.name}.")):
            raise
    return _skip_without(name, minversion, reason, **options)


def require(extra: str) -> None:
    """End the run if a package of an extra is not installed, and fail each test that cannot import one.

    Raises:
        pytest.UsageError: which names the packages that are missing.
    """
    if missing := absent(extra):
        raise pytest.UsageError(f"DOCIE_EXTRAS={extra}, but there is no {', '.join(missing)}")
    pytest.MonkeyPatch().setattr(pytest, "importorskip", import_or_skip)
