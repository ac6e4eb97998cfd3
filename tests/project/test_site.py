"""The documentation site fails to build if a link, an anchor or a picture of a page leads nowhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import ROOT, skip_module_without

skip_module_without("docs", "examples", "metrics", "adapters", "CHANGELOG.md")
pytest.importorskip("pydata_sphinx_theme", reason="the site needs Sphinx and its theme: the extra docs")

COPIED = ("docs", "metrics", "adapters", "examples", "src", "spaces", "tests", "benchmarks", ".ci", ".github")
PLANTED = {
    "docs/few-labels.md": ("[no page](no-page.md)", "no-page.md"),
    "docs/runs.md": ("[no heading](comparing.md#no-heading)", "no-heading"),
    "docs/ci.md": ("[no folder](../examples/no-folder)", "no-folder"),
    "docs/tracking.md": ("![no picture](no-picture.png)", "no-picture.png"),
    "metrics/hed/README.md": ("[no example](../../examples/no_example.py)", "no_example.py"),
}
"""What is written at the end of a page, and what the build must name."""


@pytest.mark.exhaustive
def test_what_leads_nowhere_fails_the_build(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for path in (*COPIED, *(path.name for path in ROOT.glob("*.*") if path.is_file())):
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, tree / path, ignore=shutil.ignore_patterns("__pycache__"))
        elif (ROOT / path).exists():
            shutil.copy(ROOT / path, tree / path)
    for page, (text, _) in PLANTED.items():
        with (tree / page).open("a", encoding="utf-8") as file:
            file.write(f"\n{text}\n")
    command = [sys.executable, "-m", "sphinx", "-qW", "--keep-going", "-c", "docs", ".", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=tree, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    assert done.returncode == 1
    for page, (_, named) in PLANTED.items():
        assert any(f"{page}:" in line and named in line for line in done.stderr.splitlines()), page
    assert done.stderr.count("WARNING") == len(PLANTED)
