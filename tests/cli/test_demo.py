"""`docie demo` and `docie space build`: what they say where they cannot do what is asked."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from checkout import needs_package
from cli_runs import run_command

needs_gradio = needs_package("gradio")


def one_line(*arguments: str) -> str:
    """What a command says that ends with exit code 2."""
    done = run_command(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    return str(line)


@pytest.fixture
def no_gradio(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if Gradio were not installed."""
    monkeypatch.setitem(sys.modules, "gradio", None)
    for name in [name for name in sys.modules if name.startswith("docie.spaces.")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("command", [["demo"], ["space", "build", "--out", "never-made"]])
def test_an_unknown_family(command: list[str]) -> None:
    assert one_line(*command, "keival").startswith("unknown Space 'keival', expected one of: explorer, ")
    assert not Path("never-made").exists()


@pytest.mark.parametrize("arguments", [[], ["explorer"]])
def test_without_gradio_a_demo_names_the_extra(arguments: list[str], no_gradio: None) -> None:
    assert one_line("demo", *arguments) == 'a Space needs the package gradio: pip install "docie[spaces]"'


@pytest.mark.exhaustive
@needs_gradio
def test_a_port_that_is_taken() -> None:
    """In a process of its own: in this one, other tests may have opened the page already."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "docie", "demo", "--no-browser", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"--port {port}: this port is taken\n")


@needs_gradio
def test_a_folder_is_named(tmp_path: Path) -> None:
    done = run_command("space", "build", "explorer", "--out", str(tmp_path))
    assert (done.exit_code, done.stdout.strip(), done.stderr) == (0, str(tmp_path / "explorer"), "")


@needs_gradio
def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "file" in one_line("space", "build", "explorer", "--out", str(tmp_path / "file"))


@needs_gradio
def test_a_push_without_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.get_token", lambda: None)
    done = run_command("space", "build", "explorer", "--out", str(tmp_path), "--push", "somebody/receipts")
    assert (done.exit_code, done.stdout.strip()) == (2, str(tmp_path / "receipts"))
    assert done.stderr == "no token for the Hub: run `hf auth login`, or set HF_TOKEN\n"


def test_a_push_to_no_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_none")
    line = one_line("space", "build", "explorer", "--out", str(tmp_path), "--push", "explorer")
    assert line.endswith("got 'explorer'")
