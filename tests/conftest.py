"""Everything offline, with caches in a temporary folder. DOCIE_DATA names the folder of real documents."""

from __future__ import annotations

import gc
import os
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.configuration import set_hypothesis_home_dir

import extras
import sizes
from checkout import ROOT
from json_lines import read_lines
from passed import Passed

collect_ignore = ["support"]  # modules that tests import
hypothesis.settings.register_profile("docie", deadline=None)  # machines may be busy
hypothesis.settings.load_profile("docie")
OF_EXTRAS = {
    "matplotlib": ["show/plots"],
    "jinja2": ["show/page", "robustness/test_report_page.py", "robustness/form/test_drawing.py"],
    "gradio": ["spaces", "browser"],
}
"""Tests of packages that an installation may lack."""
collect_ignore += [folder for package, folders in OF_EXTRAS.items() if find_spec(package) is None for folder in folders]
CACHE = tempfile.TemporaryDirectory(prefix="docie-tests-")

# evaluate and huggingface_hub read these when they are imported
os.environ["HF_HOME"] = CACHE.name
os.environ["HF_EVALUATE_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"
for name in ("MLFLOW_DISABLE_TELEMETRY", "DEEPEVAL_TELEMETRY_OPT_OUT"):
    os.environ[name] = "1"  # it needs a network, and the thread of MLflow's may lock up with the imports of others
# tests run in as many processes as there are cores: more threads wait for one another
os.environ.setdefault("OMP_NUM_THREADS", "1")
for name in ("HF_MODULES_CACHE", "HF_METRICS_CACHE", "HF_EVALUATE_CACHE"):
    os.environ.pop(name, None)


def pytest_configure(config: pytest.Config) -> None:
    sizes.FULL = config.getoption("markexpr") != "not exhaustive"  # the default in pyproject.toml
    if extra := os.environ.get("DOCIE_EXTRAS"):
        extras.require(extra)
    if file := os.environ.get("DOCIE_PASSED"):
        config.pluginmanager.register(Passed(Path(file)))
    set_hypothesis_home_dir(config.rootpath / ".hypothesis")  # by default it is in the current folder


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = sizes.left_out(items) if sizes.FULL and sizes.SHARE < 1 else set()
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    # what takes minutes comes first, or one process is still at it when the others have ended
    without = pytest.mark.skip(reason="the example needs torch")
    for item in items if find_spec("torch") is None else ():
        if isinstance(item, pytest.DoctestItem) and "import torch" in str(item.dtest and item.dtest.docstring):
            item.add_marker(without)
    items.sort(key=lambda item: item.path.parent.name not in ("robustness", "training"))


def pytest_collection_finish() -> None:
    gc.freeze()  # torch and transformers make collections slow


def pytest_unconfigure() -> None:
    CACHE.cleanup()


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real documents and predictions that DOCIE_DATA names."""
    folder = os.environ.get("DOCIE_DATA")
    if not folder:
        pytest.skip("DOCIE_DATA is not set: tests on real documents need that folder")
    path = Path(folder)
    if not path.is_dir():
        pytest.fail(f"DOCIE_DATA names {folder}, which is no folder")
    return path


@pytest.fixture(scope="session")
def cord(data: Path) -> dict[str, list[Any]]:
    """The CORD test set: references and the rows of two systems' predictions, in the same order."""
    folder = data / "cord-test"
    names = {"references": "references", "qwen": "predictions-qwen2-vl-72b", "layoutlm": "predictions-layoutlm-words"}
    return {name: list(read_lines(folder / f"{file}.jsonl")) for name, file in names.items()}


@pytest.fixture(scope="session")
def addresses() -> Iterator[Callable[[str], str]]:
    """From the name of a Space to its address. This process serves all, once: a page that runs cannot be launched again."""
    pytest.importorskip("docie.spaces.common.page")
    from docie import hub

    running: dict[str, tuple[Any, str]] = {}

    def address_of(name: str) -> str:
        if name not in running:
            demo, launch = hub.page(name)
            running[name] = demo, launch(demo, prevent_thread_lock=True)[1]
        return running[name][1]

    yield address_of
    for demo, _ in running.values():
        demo.close()
