"""docie as a wheel, made of the files that are installed, and the versions of the packages that it needs."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import zipfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from docie._version import __version__

EXTRA = "spaces"
"""The extra whose packages a Space needs."""
_PACKAGES = ("docie", "docie.metrics", "docie.adapters", "docie.spaces")  # the last three may lie elsewhere: setup.py
_INFORMATION = ("METADATA", "WHEEL", "entry_points.txt", "top_level.txt", "licenses/LICENSE")


def write_wheel(folder: Path) -> Path:
    """Write a wheel of the docie that is running, from its installed files: equal files make an equal wheel.

    Raises:
        ValueError: if docie is not installed, or was installed before its files got their version or extras.
    """
    installed = distribution()
    files = {
        f"{package.replace('.', '/')}/{file.relative_to(folder_of(package)).as_posix()}": file.read_bytes()
        for package in _PACKAGES
        for file in folder_of(package).rglob("*")
        if file.is_file() and file.suffix != ".pyc"
    }
    stem = f"docie-{installed.version}"
    for name in _INFORMATION:
        if (text := installed.read_text(name)) is not None:
            files[f"{stem}.dist-info/{name}"] = text.encode()
    hashes = {name: base64.urlsafe_b64encode(hashlib.sha256(data).digest()) for name, data in files.items()}
    record = f"{stem}.dist-info/RECORD"
    rows = [f"{name},sha256={hashes[name].decode().rstrip('=')},{len(data)}" for name, data in sorted(files.items())]
    files[record] = "\n".join([*rows, f"{record},,", ""]).encode()
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items(), key=lambda item: (".dist-info/" in item[0], item[0])):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)  # ZipInfo: no date of today
    return wheel


def pins() -> list[str]:
    """The packages that docie names for a Space, each with the version that is installed.

    Raises:
        ModuleNotFoundError: if one of them is not installed.
    """
    names, extras = set(), [EXTRA]
    requirements = [Requirement(line) for line in distribution().requires or ()]
    for extra in extras:  # which grows: an extra may name others, as docie[report]
        needed = [each for each in requirements if not each.marker or each.marker.evaluate({"extra": extra})]
        names |= {each.name for each in needed if each.name != "docie"}
        extras += sorted({name for each in needed if each.name == "docie" for name in each.extras} - {*extras})
    return [f"{name}=={version_of(name)}" for name in sorted(names)]


def version_of(package: str) -> str:
    """The version of a package that is installed.

    Raises:
        ModuleNotFoundError: if it is not.
    """
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise missing(package) from None


def distribution() -> metadata.Distribution:
    """What pip knows of docie.

    Raises:
        ValueError: if it knows nothing, or another version than the one that is running.
    """
    # a checkout may also have a docie.egg-info, which a build has left and Python finds first there
    installed = (each for each in metadata.distributions(name="docie") if each.read_text("WHEEL") is not None)
    found = next(installed, None)
    if found is None:
        raise ValueError("docie is not installed, so no wheel can be made of it: install it with pip")
    if found.version != __version__ or EXTRA not in (found.metadata.get_all("Provides-Extra") or ()):
        raise ValueError(f"{folder_of('docie')} has changed since docie was installed: install it again with pip")
    return found


def license_text() -> str:
    """The licence of docie."""
    return distribution().read_text("licenses/LICENSE") or ""


def folder_of(package: str) -> Path:
    """The folder that a package is in."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"{package} is not installed; install docie with pip")
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def missing(package: str | None) -> ModuleNotFoundError:
    """The error for a package that a Space needs and that is not installed."""
    return ModuleNotFoundError(f'a Space needs the package {package}: pip install "docie[{EXTRA}]"', name=package)
