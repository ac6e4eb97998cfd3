"""Folders for the Hub: what is in them, what evaluate makes of them, and that they run where they are installed."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import json
import os
import re
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evaluate
import pytest
from huggingface_hub import SpaceCard

import docie
from docie import hub
from docie.hub import names

WHEEL = f"docie-{docie.__version__}-py3-none-any.whl"
METRICS = [name for name in names() if name != "explorer"]
REPOSITORY = "somebody/docie-kieval"
INPUTS: dict[str, list[Any]] = {
    "box_iou": [[{"label": "total", "box": [0, 0, 10, 10]}], [{"label": "total", "box": [0, 0, 10, 5]}]],
    "oi_entities": [[{"category": "date", "text": "1 May"}], [{"category": "date", "text": "7 May"}]],
}
DOCUMENTS = [{"total": "12.00", "items": [{"name": "Latte"}]}, {"total": "12.00", "items": [{"name": "Bagel"}]}]


def figures(metric: Any, name: str) -> Any:
    prediction, reference = INPUTS.get(name, DOCUMENTS)
    columns = {"attack": ["none"]} if name == "form_robustness" else {}
    return metric.compute(predictions=[prediction], references=[reference], **columns)


def files_of(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a Space, which is made once. Tests leave it as it is."""
    out = tmp_path_factory.mktemp("out")
    return functools.cache(lambda name: hub.build(name, out))


@pytest.mark.parametrize("name", names())
def test_a_folder_has_what_a_space_needs(name: str, built: Callable[[str], Path]) -> None:
    folder = built(name)
    assert folder.name == name
    expected = {"app.py", "README.md", "requirements.txt", "LICENSE", WHEEL}
    assert files_of(folder) == expected | (set() if name == "explorer" else {f"{name}.py", "schema.json"})

    card = SpaceCard.load(folder / "README.md")
    assert (card.data.sdk, card.data.app_file, card.data.license) == ("gradio", "app.py", "apache-2.0")
    assert card.data.sdk_version == importlib.metadata.version("gradio")
    assert card.data["python_version"] == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert card.data.title
    assert {"evaluate", "metric"} <= {*card.data.tags}
    assert all("://" in target or target[0] == "#" for target in re.findall(r"\]\(([^)]+)\)", card.content))
    assert f'hub.page("{name}")' in (folder / "app.py").read_text(encoding="utf-8")


def test_requirements_are_pinned_to_what_is_installed(built: Callable[[str], Path]) -> None:
    wheel, *pins = (built("explorer") / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert wheel == f"./{WHEEL}[spaces]"
    versions = dict(pin.split("==") for pin in pins)
    assert versions == {name: importlib.metadata.version(name) for name in versions}
    assert {"gradio", "jinja2", "matplotlib", "numpy", "evaluate", "faker"} <= versions.keys()
    assert not {"torch", "transformers", "docie"} & versions.keys()


@pytest.mark.parametrize("name", METRICS)
def test_evaluate_loads_the_metric_from_the_folder(name: str, built: Callable[[str], Path]) -> None:
    assert figures(evaluate.load(str(built(name))), name) == figures(docie.load(name), name)


def test_a_folder_for_a_repository_has_its_name_and_loads_the_wheel_from_there(tmp_path: Path) -> None:
    folder = hub.build("kieval", tmp_path, repository=REPOSITORY)
    assert folder.name == "docie-kieval"
    assert figures(evaluate.load(str(folder)), "kieval") == figures(docie.load("kieval"), "kieval")
    address = f"https://huggingface.co/spaces/{REPOSITORY}/resolve/main/{WHEEL}"
    digest = hashlib.sha256((folder / WHEEL).read_bytes()).hexdigest()
    line = (folder / "requirements.txt").read_text(encoding="utf-8").splitlines()[0]
    assert line == f"docie[spaces] @ {address}#sha256={digest}"
    module = (folder / "docie-kieval.py").read_text(encoding="utf-8")
    assert f"import docie.metrics.kieval  # From: {address}\n" in module
    assert "checkout" not in module


def test_equal_files_make_an_equal_wheel_whose_record_is_right(built: Callable[[str], Path]) -> None:
    wheels = [built(name) / WHEEL for name in ("explorer", "kieval")]
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    with zipfile.ZipFile(wheels[0]) as archive:
        rows = archive.read(f"docie-{docie.__version__}.dist-info/RECORD").decode().splitlines()
        recorded = {name: int(size or 0) for name, _, size in (row.rsplit(",", 2) for row in rows)}
        sizes = {each.filename: each.file_size for each in archive.infolist()}
    assert {**sizes, rows[-1].partition(",")[0]: 0} == recorded


def test_an_earlier_build_is_replaced_and_other_files_stay(tmp_path: Path) -> None:
    folder = hub.build("explorer", tmp_path)
    (folder / "README.md").write_text("old", encoding="utf-8")
    (folder / "docie-0.0.1-py3-none-any.whl").touch()
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    assert hub.build("explorer", tmp_path) == folder
    assert files_of(folder) == {"app.py", "README.md", "requirements.txt", "LICENSE", WHEEL, "notes.txt"}
    assert (folder / "README.md").read_text(encoding="utf-8") != "old"


@pytest.mark.parametrize("app", [None, "demo = 1\n"])
def test_a_folder_of_other_files_is_left_alone(app: str | None, tmp_path: Path) -> None:
    folder = tmp_path / "explorer"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    if app:
        (folder / "app.py").write_text(app, encoding="utf-8")
    before = files_of(folder)
    with pytest.raises(ValueError, match="this folder has files that are not an earlier build of this Space"):
        hub.build("explorer", tmp_path)
    assert files_of(folder) == before


def test_a_build_of_another_space_is_left_alone(tmp_path: Path) -> None:
    hub.build("kieval", tmp_path, repository="somebody/mine")
    with pytest.raises(ValueError, match="not an earlier build of this Space"):
        hub.build("explorer", tmp_path, repository="somebody/mine")


@pytest.mark.parametrize(
    "repository", ["", "kieval", "a/b/c", "a/b c", "a/b.c", "../a", "a/app", "a/-b", "é/b", "a/b\n"]
)
def test_a_repository_is_a_user_and_a_name(repository: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="expected user/name"):
        hub.build("kieval", tmp_path, repository=repository)
    assert not any(tmp_path.iterdir())


class FakeHub:
    """Takes the place of `huggingface_hub.HfApi`, and notes what it is asked for."""

    def __init__(self, error: Exception | None = None) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.error = error

    def __call__(self, **_: Any) -> FakeHub:
        return self

    def create_repo(self, repo_id: str, **options: Any) -> str:
        self.calls.append(("create_repo", {"repo_id": repo_id, **options}))
        if self.error:
            raise self.error
        return f"https://huggingface.co/spaces/{repo_id}"

    def upload_folder(self, **options: Any) -> None:
        self.calls.append(("upload_folder", options))


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_none")


def test_a_push_makes_a_public_space_and_uploads_our_files(
    tmp_path: Path, token: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeHub()
    monkeypatch.setattr("huggingface_hub.HfApi", fake)
    folder = hub.build("kieval", tmp_path, repository=REPOSITORY)
    assert hub.push(folder, REPOSITORY) == f"https://huggingface.co/spaces/{REPOSITORY}"
    [(created, space), (uploaded, upload)] = fake.calls
    assert (created, uploaded) == ("create_repo", "upload_folder")
    wanted = {"repo_id": REPOSITORY, "repo_type": "space", "space_sdk": "gradio", "private": False, "exist_ok": True}
    assert space == wanted
    assert (upload["repo_id"], upload["repo_type"], upload["folder_path"]) == (REPOSITORY, "space", folder)
    (folder / "notes.txt").touch()
    uploaded_files = {file for file in files_of(folder) if any(map(Path(file).match, upload["allow_patterns"]))}
    assert uploaded_files == files_of(folder) - {"notes.txt"}
    assert upload["delete_patterns"] == "docie-*.whl"


def test_what_the_hub_refuses_is_one_line(tmp_path: Path, token: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.HfApi", FakeHub(RuntimeError("\n403 Forbidden: no rights.\nRequest ID: 1\n")))
    with pytest.raises(ConnectionError) as caught:
        hub.push(tmp_path, REPOSITORY)
    assert str(caught.value) == f"cannot push to {REPOSITORY}: 403 Forbidden: no rights."


def test_without_a_network_a_push_is_one_line(tmp_path: Path, token: None) -> None:
    """The tests run offline, and the Hub's own client says so."""
    with pytest.raises(ConnectionError, match=rf"cannot push to {REPOSITORY}: .*offline") as caught:
        hub.push(tmp_path, REPOSITORY)
    assert "\n" not in str(caught.value)


def test_without_a_token_nothing_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
    with pytest.raises(ConnectionError, match="no token for the Hub: run `hf auth login`, or set HF_TOKEN"):
        hub.push(tmp_path, REPOSITORY)


@pytest.mark.exhaustive
def test_a_folder_that_runs_says_where(built: Callable[[str], Path]) -> None:
    port = _free_port()
    variables = {**os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port)}
    command = [sys.executable, "app.py"]
    with subprocess.Popen(command, cwd=built("kieval"), env=variables, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == f"KIEval: http://127.0.0.1:{port}/ (Ctrl-C ends it)\n"
            _wait_for(port, process)
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path, str]]:
    """KIEval's Space: its folder, the Python of a new environment with its requirements, and the address it serves."""
    folder = hub.build("kieval", tmp_path_factory.mktemp("space"))
    environment = folder.parent / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    python = environment / ("Scripts" if os.name == "nt" else "bin") / "python"
    quiet = ["--quiet", "--disable-pip-version-check"]
    subprocess.run([str(python), "-m", "pip", "install", *quiet, "-r", "requirements.txt"], cwd=folder, check=True)
    subprocess.run([str(python), "-m", "pip", "check"], check=True)
    code = "import sys; print('torch' in sys.modules, __import__('docie').__file__)"
    told = subprocess.run([str(python), "-c", code], cwd=folder, check=True, capture_output=True, text=True).stdout
    assert told.startswith("False ")
    assert Path(told.split()[1]).is_relative_to(environment)
    port = _free_port()
    variables = {**os.environ, "GRADIO_SERVER_NAME": "127.0.0.1", "GRADIO_SERVER_PORT": str(port)}
    process = subprocess.Popen([str(python), "app.py"], cwd=folder, env=variables)
    try:
        _wait_for(port, process)
        yield folder, python, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=30)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def _wait_for(port: int, process: subprocess.Popen[Any]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the Space ended"
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    pytest.fail("the Space does not start")


@pytest.mark.exhaustive(minutes=True)
def test_an_installed_folder_serves_the_same_figures(served: tuple[Path, Path, str]) -> None:
    from gradio_client import Client

    folder, _, address = served
    client = Client(address, verbose=False)
    prediction, reference = DOCUMENTS
    answer = client.predict(json.dumps(reference), json.dumps(prediction), api_name="/score")
    assert answer["kieval"]["entity_f1"] == figures(docie.load("kieval"), "kieval")["entity_f1"] == 0.5
    files = {"app.py", "kieval.py", "schema.json", "README.md", "requirements.txt", "LICENSE", WHEEL}
    assert files_of(folder) - {"__pycache__"} == files


@pytest.mark.exhaustive(minutes=True)
def test_docie_that_was_installed_from_the_wheel_makes_the_same_folder(served: tuple[Path, Path, str]) -> None:
    folder, python, _ = served
    out = folder.parent / "again"
    subprocess.run([str(python), "-m", "docie", "space", "build", "kieval", "--out", str(out)], check=True)
    for file in (out / "kieval").iterdir():
        assert file.read_bytes() == (folder / file.name).read_bytes(), file.name
