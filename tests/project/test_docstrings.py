"""Public functions say what they take and return, by name, and show an example."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

import docie

from checkout import ROOT, missing

PUBLIC = [
    "docie",
    *(f"docie.metrics.{family}" for family in docie.families()),
    "docie.robustness.attacks",
    "docie.confidence",
    "docie.corpus",
    "docie.robustness.form",
    "docie.hub",
    "docie.core.normalizers",
    "docie.show.plots",
    "docie.show.page",
    "docie.robustness",
    "docie.robustness.plots",
    "docie.documents.tagging",
    *(
        f"docie.adapters.{name}"
        for name in (
            "bio",
            "donut",
            "exports",
            "grouping",
            "harnesses.langsmith",
            "harnesses.lm_eval",
            "llm",
            "records",
            "row_scores",
            "services",
            "tables",
            "tokens",
            "training",
            *("bio", "donut", "exports", "grouping", "llm", "records", "services", "tokens", "training"),
        )
    ),
]
SECTIONS = re.compile(r"^(Args|Attributes|Returns|Raises):$", re.MULTILINE)


def test_every_public_module_and_function_stands_in_the_api_reference() -> None:
    if reason := missing("docs"):
        pytest.skip(reason)
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "site").glob("*.md"))
    shown = re.findall(r"^\.\. auto(?:module|function|class):: (\S+)$", pages, re.MULTILINE)
    called = {f"docie.{name}" for name in docie.__all__ if inspect.isfunction(getattr(docie, name))}
    modules = {value.__name__ for value in map(docie.__dict__.get, docie.__all__) if inspect.ismodule(value)}
    assert {*PUBLIC[1:], *called, *modules} - {*shown} == set()


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in PUBLIC:
        module: ModuleType = importlib.import_module(name)
        for member in module.__all__:
            value = getattr(module, member)
            if inspect.isfunction(value):
                yield f"{name}.{member}", value
            elif inspect.isclass(value) and member[0].islower():  # it is called like a function
                yield f"{name}.{member}", value
                yield from ((f"{name}.{member}.{each}", getattr(value, each)) for each in vars(value) if each[0] != "_")


FUNCTIONS = dict(functions())


def sections(docstring: str) -> dict[str, str]:
    """The sections of a docstring by their titles; "" is what stands before them."""
    parts = SECTIONS.split(inspect.cleandoc(docstring))
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_and_the_result_are_described(name: str) -> None:
    signature = inspect.signature(FUNCTIONS[name])
    described = sections(FUNCTIONS[name].__doc__ or "")
    parameters = [each for each in signature.parameters if each != "self"]
    if parameters:
        entries = re.findall(r"^    (?! )([\w*, ]+?)(?: \(.+\))?:", described.get("Args", ""), re.MULTILINE)
        names = [entry.strip("* ") for line in entries for entry in line.split(",")]
        assert names == parameters, name
    if signature.return_annotation != "None" and not inspect.isclass(FUNCTIONS[name]):
        assert "Returns" in described, name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_shows_an_example(name: str) -> None:
    if not name.endswith((".details", "check_reading")):
        assert ">>> " in (FUNCTIONS[name].__doc__ or ""), name


@pytest.mark.parametrize("family", docie.families())
def test_every_option_is_described(family: str) -> None:
    settings = importlib.import_module(f"docie.metrics.{family}").Settings
    entries = re.findall(r"^    (\w+)(?: \(.+?\))?:", sections(settings.__doc__ or "")["Attributes"], re.MULTILINE)
    assert set(inspect.signature(settings).parameters) <= set(entries)
