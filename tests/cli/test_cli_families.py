"""The command line with other families than KIEval, and with all of them."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import anls_star, corpus, hed

from cli_runs import DOCUMENTS, PREDICTIONS, lines, rows, run, scored, scored_by_family


def test_every_family_by_name_and_all_at_once(inputs: list[str]) -> None:
    together = scored_by_family(*inputs, "--metric", "all", "--confidence-level", "0.9")
    assert list(together) == OF_DOCUMENTS
    for name, figures in together.items():
        assert scored(*inputs, "--metric", name, "--confidence-level", "0.9") == figures
        assert figures["documents"] == 3
    assert scored_by_family(*inputs, "--metric", "all", "--metric", "kieval") == scored_by_family(
        *inputs, "--metric", "all"
    )


def test_options_go_to_the_families_that_have_them(inputs: list[str]) -> None:
    options = ["--option", "unmatched=ignore", "--option", "threshold=0.9", "--normalize", "casefold"]
    result = scored_by_family(*inputs, "--metric", "hed", "--metric", "anls_star", *options)
    settings = hed.Settings(unmatched="ignore", normalize=["casefold"])
    assert result["hed"] == corpus.evaluate(hed, PREDICTIONS, DOCUMENTS, settings)
    assert "threshold:0.9" in result["anls_star"]["signature"]
    assert all("normalize:casefold" in figures["signature"] for figures in result.values())
    result = run(*inputs, "--metric", "hed", "--metric", "nted", "--option", "threshold=0.9")
    assert (result.exit_code, result.stderr) == (
        2, "unknown option 'threshold' of hed, nted, expected one of: normalize, unmatched\n"
    )  # fmt: skip


OF_DOCUMENTS = [
    name for name in docie.families() if "document" in importlib.import_module(f"docie.metrics.{name}").INPUTS
]
QUESTIONS: list[Any] = [["12.00", "TOTAL 12.00"], ["Paris"], "60.000", {"a": 1}]
ANSWERS: list[Any] = ["12.0", "paris", "60.000", {"a": "1"}]


@pytest.mark.parametrize("wrapped", [False, True], ids=["values", "wrapped"])
def test_answers_are_values_for_anls_star(wrapped: bool, tmp_path: Path) -> None:
    wrap = rows if wrapped else lambda name, values: values
    files = [
        lines(tmp_path / "references.jsonl", wrap("reference", QUESTIONS)),
        lines(tmp_path / "predictions.jsonl", wrap("prediction", ANSWERS)),
    ]
    result = run(*files, "--metric", "anls_star", "--format", "json")
    with pytest.warns(UserWarning, match=r"^lists of texts as references of texts \(2\)"):
        assert json.loads(result.stdout)["anls_star"] == corpus.evaluate(anls_star, ANSWERS, QUESTIONS)
    assert result.stderr.startswith("warning: lists of texts as references of texts (2) were read as accepted answers")
    assert len(result.stderr.splitlines()) == 1
    # for the others they are no documents
    assert run(*files, "--metric", "all", "--format", "json").stdout == result.stdout
    result = run(*files, "--metric", "anls_star", "--metric", "hed")
    assert result.exit_code == 2
    assert result.stderr.endswith("references.jsonl:1: reference must be a JSON object, got a list\n")


def test_the_closest_references_are_in_the_json_output(tmp_path: Path) -> None:
    files = [lines(tmp_path / "r.jsonl", [{"a": {"$any_of": ["x", "y"]}}]), lines(tmp_path / "p.jsonl", [{"a": "y"}])]
    assert scored(*files, "--metric", "anls_star", "--option", "closest=true")["closest"] == [{"a": "y"}]
    assert (
        "closest"
        in run(*files, "--metric", "anls_star", "--option", "closest=true").stdout.rpartition("\n1 document")[2]
    )


def test_a_file_is_read_alike_whatever_else_is_asked_for(tmp_path: Path) -> None:
    files = [
        lines(tmp_path / "references.jsonl", rows("reference", [{}, {"a": "12"}])),
        lines(tmp_path / "predictions.jsonl", rows("prediction", ["null", "12"])),
    ]
    text = "2 of 2 predictions could not be read, and count as empty (one is text). docie.adapters.llm reads answers of language models"
    unread = {name: "" if name == "anls_star" else text for name in OF_DOCUMENTS}
    alone = {name: scored(*files, "--metric", name, warning=unread[name]) for name in OF_DOCUMENTS}
    assert scored_by_family(*files, "--metric", "all", warning=text) == alone
    assert alone["anls_star"]["anls_star"] == 0.0
    assert alone["nted"]["invalid_predictions"] == 2


def test_json_text_in_a_wrapper_is_read(tmp_path: Path) -> None:
    files = [
        lines(tmp_path / "references.jsonl", rows("ground_truth", [json.dumps({"gt_parse": {"a": ["1"]}})])),
        lines(tmp_path / "predictions.jsonl", rows("prediction", ['{"a": ["1"]}'])),
    ]
    assert scored(*files, "--metric", "anls_star")["anls_star"] == 1.0


def test_a_family_without_figures_by_field_says_so(inputs: list[str]) -> None:
    assert run(*inputs, "--metric", "nted", "--by-field").stderr == "warning: nted has no scores by field here\n"
    assert run(*inputs, "--metric", "hed", "--by-field").stderr == ""


def test_markdown_of_several_families_has_headings(inputs: list[str]) -> None:
    output = run(*inputs, "--metric", "nted", "--metric", "hed", "--format", "markdown", "--all-scores").stdout
    assert output.startswith("### nted\n\n| score | value |\n")
    assert "\n\n### hed\n\n| score | value |\n" in output


@pytest.mark.parametrize("width", [40, 72, 80, 88, 120])
def test_headings_wrap_and_no_column_is_cut(width: int, inputs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    for name in OF_DOCUMENTS:
        printed = run(*inputs, "--metric", name, "--by-field", "--all-scores").stdout
        figures = json.loads(run(*inputs, "--metric", name, "--by-field", "--format", "json").stdout)[name]
        assert "…" not in printed
        for score, value in figures.items():
            if isinstance(value, float):
                assert f"{score} " in printed
                assert f"{value:.4f}" in printed
        for row in figures.get("per_entity", {}).values():
            assert any(line.rstrip().endswith(f" {row['support']}") for line in printed.splitlines())
        assert ("support" in printed) == ("per_entity" in figures)
