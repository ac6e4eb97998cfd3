"""The pages name the endpoints of the Spaces, with all inputs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import docie
from docie import hub
from docie._version import REPOSITORY

from checkout import ROOT

pytest.importorskip("gradio")


@pytest.mark.parametrize("name", [*docie.families(), hub.EXPLORER])
def test_a_card_has_what_the_hub_shows_of_a_space(name: str) -> None:
    """huggingface.co/docs/hub/spaces-config-reference"""
    folder = ROOT / ("spaces" if name == hub.EXPLORER else "metrics") / name
    data = pytest.importorskip("huggingface_hub").SpaceCard.load(folder / "README.md").data
    assert re.fullmatch(r"\S{1,3}", data.emoji)
    assert {data.colorFrom, data.colorTo} <= {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}
    assert (data.sdk, data.app_file, data.license, data.pinned) == ("gradio", "app.py", "apache-2.0", False)
    assert 20 <= len(data.short_description) <= 60
    assert "evaluate" in data.tags
    assert len(data.title) <= 30


@pytest.mark.parametrize("name", [*docie.families(), hub.EXPLORER])
def test_links_of_a_card_on_the_hub_lead_to_files_of_this_version(name: str, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    card = (Path(hub.build(name, tmp_path)) / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)\s]*)\)", card) if not link.startswith("#")]
    own = [
        link.removeprefix(f"{REPOSITORY}/blob/v{docie.__version__}/") for link in links if link.startswith(REPOSITORY)
    ]
    assert own
    assert all((ROOT / link.partition("#")[0]).is_file() for link in own)
    assert not [link for link in links if not link.startswith("https://")]


@pytest.mark.parametrize("family", docie.families())
def test_the_docs_name_what_a_space_answers(family: str) -> None:
    assert "../../docs/spaces.md#api" in (ROOT / "metrics" / family / "README.md").read_text(encoding="utf-8")
    _, _, section = (ROOT / "docs" / "spaces.md").read_text(encoding="utf-8").partition("\n## API\n")
    rows = dict(re.findall(r"^\| `(/\w+)` \| (.*?) \| .* \|$", section.partition("\n## ")[0], re.MULTILINE))
    endpoints = hub.page(family)[0].get_api_info()["named_endpoints"]
    attacks = {"/attack"} if family == "form_robustness" else set()
    assert endpoints.keys() == {"/score", "/explain"} | attacks == rows.keys() - ({"/attack"} - attacks)
    for name, endpoint in endpoints.items():
        told = [word for part in rows[name].split("; ") for word in re.findall(r"`(\w+)`", part.partition(":")[0])]
        assert told == [each["parameter_name"] for each in endpoint["parameters"]]


def test_the_card_of_the_explorer_names_what_it_answers() -> None:
    card = (ROOT / "spaces" / "explorer" / "README.md").read_text(encoding="utf-8")
    endpoints = hub.page("explorer")[0].get_api_info()["named_endpoints"]
    rows = dict(re.findall(r"^\| `(/\w+)` \| (.*?) \| .* \|$", card, re.MULTILINE))
    assert [*rows] == [*endpoints]
    for name, inputs in rows.items():
        parameters = [each["parameter_name"] for each in endpoints[name]["parameters"]]
        assert [word for word in re.findall(r"`(\w+)`", inputs) if word in parameters] == parameters
