"""What a repository needs beside its code agrees with the package: versions, address, commands."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
import yaml

import docie
from docie._version import REPOSITORY

from checkout import ROOT, skip_module_without

skip_module_without(".github")

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def _yaml(path: str) -> Any:
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


def test_workflows_test_the_versions_of_python_that_the_package_names() -> None:
    named = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if ":: 3." in text]
    assert _yaml(".github/workflows/tests.yml")["jobs"]["test"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_job_ends_and_may_do_only_what_it_needs(path: Any) -> None:
    workflow = _yaml(str(path))
    assert "write" not in str(workflow["permissions"])
    assert all(job["timeout-minutes"] <= 60 for job in workflow["jobs"].values())


def test_the_citation_names_this_version_and_address() -> None:
    citation = _yaml("CITATION.cff")
    assert (citation["version"], citation["license"]) == (docie.__version__, PROJECT["license"])
    assert citation["repository-code"] == REPOSITORY


def test_extras_of_workflows_exist() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    used = {part.partition("]")[0] for part in text.split('".[')[1:]}
    assert used
    assert used <= set(PROJECT["optional-dependencies"])


def test_templates_have_the_fields_that_a_form_needs() -> None:
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")):
        form = _yaml(str(path))
        assert form["name"], path.name
        assert form["description"], path.name
        fields = [each for each in form["body"] if each["type"] != "markdown"]
        assert len({each["id"] for each in fields}) == len(fields) > 1, path.name


def test_contributors_find_the_command_that_the_pull_request_asks_for() -> None:
    asked = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    [command] = [part for part in asked.split("`") if part.startswith("ruff check")]
    assert command in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
