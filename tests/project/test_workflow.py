"""The steps of examples/github/docie.yml, run one after the other, with a stand-in for `gh` and a model to score."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from checkout import ROOT, skip_module_without

skip_module_without("examples")
pytestmark = pytest.mark.skipif(not (shutil.which("bash") and shutil.which("jq")), reason="needs bash and jq")

RECEIPTS = ROOT / "examples" / "receipts"
WORKFLOW = ROOT / "examples" / "github" / "docie.yml"
GH = """
import json, os, pathlib, shutil, subprocess, sys

arguments, state = sys.argv[1:], pathlib.Path(os.environ["STATE"])
comments = json.loads((state / "comments.json").read_text())
value = dict(zip(arguments, arguments[1:]))

def jq(found):
    print(subprocess.run(["jq", "-r", value["--jq"]], input=json.dumps(found), capture_output=True, text=True, check=True).stdout, end="")

def add(body, login):
    comments.append({"id": len(comments) + 7, "user": {"login": login}, "body": body})

match arguments:
    case ["run", "list", *_]:
        assert (value["--branch"], value["--event"], value["--status"]) == ("main", "push", "success")
        jq([{"databaseId": 81}] if (state / "base.jsonl").exists() else [])
    case ["run", "download", "81", *_]:
        os.mkdir(value["--dir"])
        shutil.copy(state / "base.jsonl", pathlib.Path(value["--dir"]) / "new.jsonl")
    case ["pr", "comment", "5", "--body-file", path]:
        add(pathlib.Path(path).read_text(), "github-actions[bot]")
    case ["api", "repos/me/mine/issues/5/comments", *_]:
        jq(comments)
    case ["api", *_] if value.get("--method") == "PATCH":
        [changed] = [each for each in comments if arguments[4] == f"repos/me/mine/issues/comments/{each['id']}"]
        changed["body"] = pathlib.Path(value["--field"].removeprefix("body=@")).read_text()
    case _:
        sys.exit(f"unknown: {arguments}")
(state / "comments.json").write_text(json.dumps(comments))
"""


def steps() -> dict[str, dict[str, Any]]:
    """The steps that run a script, by their names."""
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return {step["name"]: step for step in workflow["jobs"]["score"]["steps"] if "run" in step}


class Runner:
    """A machine that runs steps: a checkout, and what GitHub keeps in between."""

    def __init__(self, folder: Path) -> None:
        self.checkout, self.state = folder / "checkout", folder / "state"
        for each in (self.checkout, self.state, folder / "bin"):
            each.mkdir()
        (self.state / "comments.json").write_text("[]")
        for name, code in (("gh", GH), ("docie", "from docie.cli import main\nmain()\n")):
            (folder / "bin" / name).write_text(f"#!{sys.executable}\n{code}")
            (folder / "bin" / name).chmod(0o755)
        self.environment = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "STATE": str(self.state),
            "GITHUB_BASE_REF": "main",
            "GITHUB_REPOSITORY": "me/mine",
            "NUMBER": "5",
            "HEAD_REPOSITORY": "me/mine",
            "GITHUB_STEP_SUMMARY": str(self.state / "summary.md"),
            "MAX_DROP": "0.03",
            "REFERENCES": str(RECEIPTS / "references.jsonl"),
            "PYTHONIOENCODING": "utf-8",
        }

    def run(self, name: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a step as GitHub does."""
        return subprocess.run(
            ["bash", "-e", "-c", steps()[name]["run"]],
            cwd=self.checkout, env={**self.environment, **environment}, capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip

    def pull_request(self, predictions: str, **environment: str) -> int:
        """The exit code of a comparison with the main branch, whose comment is posted then."""
        shutil.rmtree(self.checkout)
        self.checkout.mkdir()
        shutil.copy(RECEIPTS / f"{predictions}.jsonl", self.checkout / "new.jsonl")
        assert self.run("Get the predictions of the main branch").returncode == 0
        compared = self.run("Compare")
        assert (self.checkout / "comment.md").exists(), compared.stderr
        done = self.run("Comment", **environment)
        assert (done.returncode, done.stderr) == (0, "")
        return compared.returncode

    def comments(self) -> list[dict[str, Any]]:
        """What stands below the pull request."""
        comments: list[dict[str, Any]] = json.loads((self.state / "comments.json").read_text())
        return comments


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


@pytest.mark.exhaustive
def test_one_comment_is_kept_up_to_date(runner: Runner) -> None:
    shutil.copy(RECEIPTS / "predictions-careful.jsonl", runner.state / "base.jsonl")
    others = [
        {"id": 1, "user": {"login": "mallory"}, "body": "<!-- docie -->\nall is well"},
        {"id": 2, "user": {"login": "github-actions[bot]"}, "body": "coverage 97 %"},
    ]
    (runner.state / "comments.json").write_text(json.dumps(others))
    assert runner.pull_request("predictions-hasty") == 1
    *before, first = runner.comments()
    assert before == others
    assert first["body"].startswith(
        "<!-- docie -->\n### new against base\n\n"
        "Gate failed: new, entity_f1: worse by 0.0845 (0.8815 against 0.9660).\n\n"
        "new is worse than base: entity_f1 0.8815 against 0.9660, difference -0.0845 ("
    )
    assert runner.pull_request("predictions-careful") == 0
    *before, second = runner.comments()
    assert before == others
    assert second["id"] == first["id"]
    assert "Gate passed: new, entity_f1: a drop of 0.03 is excluded (bound 0.0000)." in second["body"]
    summary = (runner.state / "summary.md").read_text(encoding="utf-8")
    assert summary == "".join(each["body"].removeprefix("<!-- docie -->\n") for each in (first, second))


@pytest.mark.exhaustive
def test_a_fork_gets_a_summary_and_no_comment(runner: Runner) -> None:
    shutil.copy(RECEIPTS / "predictions-careful.jsonl", runner.state / "base.jsonl")
    assert runner.pull_request("predictions-hasty", HEAD_REPOSITORY="someone/mine") == 1
    assert runner.comments() == []
    assert "Gate failed" in (runner.state / "summary.md").read_text(encoding="utf-8")


def test_without_predictions_of_the_main_branch_the_error_says_what_to_do(runner: Runner) -> None:
    done = runner.run("Get the predictions of the main branch")
    assert done.returncode == 1
    assert done.stdout == "::error::no predictions of main yet: run this workflow there first, by a push\n"


def test_the_workflow_asks_for_no_more_than_it_needs() -> None:
    """Scripts take names and numbers of others from the environment, where they are no code."""
    workflow = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {}
    assert workflow["jobs"]["score"]["permissions"] == {"contents": "read", "actions": "read", "pull-requests": "write"}
    assert all("${{" not in step["run"] for step in steps().values())
    assert {*steps()} >= {"Install", "Extract", "Get the predictions of the main branch", "Compare", "Comment"}
    assert all(shutil.which("bash") and _parses(step["run"]) for step in steps().values())


def _parses(script: str) -> bool:
    return subprocess.run(["bash", "-n", "-c", script], check=False).returncode == 0
