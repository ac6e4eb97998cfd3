"""What every evaluate module says of itself, and what it says where docie is not installed."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import docie
from docie._version import REPOSITORY

from checkout import ROOT

FAMILIES = docie.families()

# docie is not to be found, but evaluate is; of transformers, which evaluate imports if it can, nothing is needed
WITHOUT_DOCIE = """
import sys
sys.modules["docie"] = sys.modules["transformers"] = None
import evaluate
try:
    evaluate.load(sys.argv[1])
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("family", FAMILIES)
def test_the_information_has_homepage_licence_and_code(family: str) -> None:
    metric: Any = docie.load(family)
    card = Path(docie.path(family), "README.md").read_text(encoding="utf-8")
    assert metric.license == importlib.metadata.metadata("docie")["License-Expression"] == "Apache-2.0"
    assert metric.codebase_urls == [REPOSITORY]
    assert len(metric.reference_urls) > 1 or family == "form_robustness"  # its authors have published no code
    for address in (metric.homepage, *metric.reference_urls):
        assert f"]({address})" in card, address


@pytest.mark.parametrize("family", FAMILIES)
def test_requirements_are_of_this_version(family: str) -> None:
    requirements = Path(docie.path(family), "requirements.txt").read_text(encoding="utf-8")
    assert requirements == f"docie=={docie.__version__}\n"


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", FAMILIES)
def test_without_docie_a_command_is_named_that_installs_it(family: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(docie.path(family), tmp_path / family))
    command = [sys.executable, "-c", WITHOUT_DOCIE, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"To be able to use {family}, you need to install the following dependencies['docie'] using "
        "'pip install .  # in the checkout of docie, the folder above metrics' for instance'"
    ]
    assert (ROOT / "pyproject.toml").is_file() or not (ROOT / "metrics").is_dir()
