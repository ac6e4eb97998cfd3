"""What is built: a wheel with everything that the tree holds, and an sdist that can be tested."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

import docie
from docie import hub
from docie._version import REPOSITORY

from checkout import needs_package, skip_module_without

skip_module_without("setup.py", "MANIFEST.in", "docs", "examples", "benchmarks")
pytestmark = needs_package("setuptools")

FOLDERS = {"src/docie": "docie", "metrics": "docie/metrics", "adapters": "docie/adapters", "spaces": "docie/spaces"}
TESTED = [*FOLDERS, "tests", "docs", "examples", "benchmarks", ".ci"]
"""The folders that the sdist has."""
AROUND = ("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py")
NOISE = shutil.ignore_patterns(".git", ".hypothesis", ".*_cache", ".venv", "build", "dist", "*.egg-info", "__pycache__")
ADDRESS = re.compile(r"github\.com/[\w.-]+/docie\b")
TEXTS = (".py", ".toml", ".md", ".cff", ".yml", ".yaml", ".j2")
BUILD = "import sys; from setuptools import build_meta as b; to = sys.argv[1]; b.build_sdist(to); b.build_wheel(to)"


class Built(NamedTuple):
    """The wheel and the sdist of the checkout, and what setuptools printed."""

    wheel: Path
    sdist: Path
    printed: str


@pytest.fixture(scope="module")
def built(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """What setuptools makes of the checkout."""
    out = tmp_path_factory.mktemp("built")
    tree = out / "tree"  # a copy, so that a stale build folder cannot fill gaps
    shutil.copytree(root, tree, ignore=NOISE)
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(out)],
        cwd=tree, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip
    [wheel], [sdist] = out.glob("*.whl"), out.glob("*.tar.gz")
    return Built(wheel, sdist, done.stdout)


@pytest.fixture(scope="module")
def metadata(built: Built) -> Message:
    """What the wheel says of the package."""
    with zipfile.ZipFile(built.wheel) as archive:
        return message_from_bytes(archive.read(f"docie-{docie.__version__}.dist-info/METADATA"))


def test_the_wheel_equals_the_tree(root: Path, built: Built) -> None:
    """It has nothing under a global name of somebody else's."""
    with zipfile.ZipFile(built.wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
        for name in packed:
            folder = next(
                key for key, value in sorted(FOLDERS.items(), key=lambda item: -len(item[1])) if name.startswith(value)
            )
            assert archive.read(name) == (root / folder / name.removeprefix(f"{FOLDERS[folder]}/")).read_bytes()
    expected = {
        f"{target}/{path.relative_to(root / folder).as_posix()}"
        for folder, target in FOLDERS.items()
        for path in (root / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == expected


def test_the_wheel_of_a_space_equals_it(built: Built, tmp_path: Path) -> None:
    """It is made of installed files. Its METADATA is that of the last installation, which a checkout may be ahead of."""
    repacked = hub.write_wheel(tmp_path)
    assert repacked.name == built.wheel.name
    with zipfile.ZipFile(built.wheel) as expected, zipfile.ZipFile(repacked) as archive:
        assert {*archive.namelist()} == {*expected.namelist()}
        for name in expected.namelist():
            if not name.endswith(("/WHEEL", "/RECORD", "/METADATA")):
                assert archive.read(name) == expected.read(name), name


def test_the_sdist_can_be_tested(root: Path, built: Built) -> None:
    with tarfile.open(built.sdist) as archive:
        packed = {PurePosixPath(*PurePosixPath(each.name).parts[1:]) for each in archive if each.isfile()}
    expected = {
        PurePosixPath(path.relative_to(root).as_posix())
        for path in (*(root / name for name in AROUND), *(path for name in TESTED for path in (root / name).rglob("*")))
        if path.is_file() and path.suffix != ".pyc" and ".hypothesis" not in path.parts
    }
    assert expected - packed == set()
    more = {path for path in packed - expected if "docie.egg-info" not in path.parts}
    assert more <= {PurePosixPath("PKG-INFO"), PurePosixPath("setup.cfg")}


def test_a_build_warns_of_nothing(built: Built) -> None:
    said = [line for line in built.printed.splitlines() if re.search("warning|deprecated|!!", line, re.IGNORECASE)]
    assert [line for line in said if "byte-compiling is disabled" not in line] == []  # PYTHONDONTWRITEBYTECODE asks so


def test_versions_and_addresses(metadata: Message) -> None:
    addresses = dict(each.split(", ") for each in metadata.get_all("Project-URL", []))
    assert addresses.keys() == {"Repository", "Documentation", "Changelog", "Issues"}
    assert all(each.startswith(REPOSITORY) for each in addresses.values())
    versions = {each.rpartition(" ")[2] for each in metadata.get_all("Classifier", []) if "Python :: 3." in each}
    assert versions == {"3.11", "3.12", "3.13", "3.14"}
    assert metadata["Requires-Python"] == ">=3.11"


def test_links_of_the_readme_lead_somewhere_from_an_index_page(root: Path, metadata: Message) -> None:
    """Where no file lies beside it: to the files of this version in the repository."""
    text = str(metadata.get_payload())
    assert metadata["Description-Content-Type"] == "text/markdown"
    links = re.findall(r"(!?)\[[^\]\n]*\]\(([^)\s]*)\)", text)
    assert len(links) == len(re.findall(r"\]\([^)\s]*\)", (root / "README.md").read_text(encoding="utf-8"))) > 30
    for mark, target in links:
        place, _, path = target.partition(f"/v{docie.__version__}/")
        assert place in {f"{REPOSITORY}/raw" if mark else f"{REPOSITORY}/blob", f"{REPOSITORY}#install-and-run"}
        assert (root / path.partition("#")[0]).exists(), target


def test_the_address_of_the_repository_stands_in_one_place(root: Path) -> None:
    """Files of other tools, which cannot derive it, agree with it."""
    found = {}
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in NOISE(folder, folders)]
        for path in (Path(folder, name) for name in names if name.endswith(TEXTS)):
            if addresses := {*ADDRESS.findall(path.read_text(encoding="utf-8"))}:
                found[path.relative_to(root).as_posix()] = addresses
    assert {each for addresses in found.values() for each in addresses} == {REPOSITORY.removeprefix("https://")}
    assert [name for name in found if name.endswith((".py", ".toml", ".md"))] == ["src/docie/_version.py"]
