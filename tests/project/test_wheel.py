"""The wheel holds everything that the tree holds, and nothing under a global name of somebody else's."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

FOLDERS = {"src/docie": "docie", "metrics": "docie/metrics", "adapters": "docie/adapters", "spaces": "docie/spaces"}


def test_the_wheel_equals_the_tree(root: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"  # a copy, so that a stale build folder cannot fill gaps
    shutil.copytree(root, tree, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__"))
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(tree),
    ]
    subprocess.run(command, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
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
