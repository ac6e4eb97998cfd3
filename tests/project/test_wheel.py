"""The wheel holds everything that the tree holds, and nothing under a global name of somebody else's."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from docie import hub

FOLDERS = {"src/docie": "docie", "metrics": "docie/metrics", "adapters": "docie/adapters", "spaces": "docie/spaces"}


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout."""
    pytest.importorskip("build.__main__")  # not the folder of that name
    out = tmp_path_factory.mktemp("wheel")
    tree = out / "tree"  # a copy, so that a stale build folder cannot fill gaps
    shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__"))
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(tree)]
    subprocess.run(command, check=True, capture_output=True)
    [built] = out.glob("*.whl")
    return built


def test_the_wheel_equals_the_tree(root: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
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


def test_the_wheel_of_a_space_equals_it(wheel: Path, tmp_path: Path) -> None:
    """It is made of installed files. Its METADATA is that of the last installation, which a checkout may be ahead of."""
    repacked = hub.write_wheel(tmp_path)
    assert repacked.name == wheel.name
    with zipfile.ZipFile(wheel) as expected, zipfile.ZipFile(repacked) as archive:
        assert {*archive.namelist()} == {*expected.namelist()}
        for name in expected.namelist():
            if not name.endswith(("/WHEEL", "/RECORD", "/METADATA")):
                assert archive.read(name) == expected.read(name), name
