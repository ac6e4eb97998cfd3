"""docie attack --report: a file beside what is printed, or nothing at all."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from docie.show.page import output

from cli_runs import run_command

pytest.importorskip("jinja2", reason="reports need Jinja")

MODEL = """
def by_keys(forms):
    return [form.document() if any(field.keys for field in form.fields) else {} for form in forms]
"""


@pytest.fixture
def files(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A file of forms and a model, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "reported_model.py").write_text(MODEL)
    path = tmp_path / "forms.jsonl"
    path.write_text("".join((root / "examples" / "forms.jsonl").read_text().splitlines(keepends=True)[:4]))
    return [str(path), "--model", "reported_model:by_keys", "--attack", "key_drop", "--attack", "global_shuffle"]


def words(html: str) -> str:
    """The texts of a page in one line."""
    return " ".join(re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL).split())


@pytest.mark.exhaustive
def test_the_command_line(files: list[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run_command("attack", *files, "--report", str(path), "--format", "json")
    assert result.exit_code == 0, result.stderr
    plain = run_command("attack", *files, "--format", "json")
    assert json.loads(result.stdout) == json.loads(plain.stdout), "the report changes nothing of what is printed"
    shown = words(path.read_text(encoding="utf-8"))
    assert f"Forms {files[0]} Model reported_model:by_keys" in shown
    assert "docie attack" in shown
    assert "--attack key_drop --attack global_shuffle" in shown
    assert "As it was" in shown


def test_bad_input_writes_nothing(files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    for arguments, problem in (
        ((*files, "--report", files[0]), f"--report {files[0]}: this is an input, and would be overwritten"),
        ((*files, "--report", str(tmp_path / "none" / "x")), f"{tmp_path}/none/x: cannot be written"),
        ((*files, "--report", str(path), "--attack", "unknown"), "unknown attack 'unknown'"),
        ((files[0], "--attack", "key_drop", "--report", str(path)), "--report needs --model"),
    ):
        result = run_command("attack", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(problem)
        assert result.stderr.count("\n") == 1
    monkeypatch.setitem(sys.modules, "jinja2", None)
    output.imported.cache_clear()
    assert 'pip install "docie[report]"' in run_command("attack", *files, "--report", str(path)).stderr
    output.imported.cache_clear()
    assert not path.exists()
