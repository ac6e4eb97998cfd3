"""corpus.agreement beside scipy, and in docie score --metric all."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import pearsonr, spearmanr

import docie
from docie import anls_star, corpus, hed, kieval, oi_entities
from docie.core.family import get
from docie.core.scores import rounded

from checkout import ROOT
from cli_runs import lines, rows, run_command

REFERENCES: list[Any] = [{"a": "latte", "g": [{"b": "1"}] * (1 + i * i % 7)} for i in range(40)]
PREDICTIONS: list[Any] = [{"a": "latex"[: i % 6], "g": [{"b": "12"[i % 5 == 0]}] * (i * i % 9)} for i in range(40)]


def test_coefficients_equal_those_of_scipy() -> None:
    families = [kieval, hed, anls_star]
    scores = ["entity_f1", "corrections", "uhed_f1", "anls_star"]
    found = corpus.agreement(families, iter(PREDICTIONS), iter(REFERENCES), scores=scores)
    columns: dict[str, list[float]] = {}
    for family in families:
        for row in corpus.evaluate(family, PREDICTIONS, REFERENCES, breakdown=True)["per_document"]:
            for name in scores:
                if name in row:
                    columns.setdefault(f"{family.NAME}.{name}", []).append(row[name])
    assert [*found["pearson"]] == [*found["spearman"]] == [*columns]
    for one, a in columns.items():
        for other, b in columns.items():
            assert found["pearson"][one][other] == pytest.approx(pearsonr(a, b).statistic)
            ranked = [
                [round(value, 12) for value in values] for values in (a, b)
            ]  # 2 / 3 is 2 / 3, however it was made
            assert found["spearman"][one][other] == pytest.approx(spearmanr(*ranked).statistic)
    assert found["pearson"]["kieval.entity_f1"]["kieval.corrections"] < 0
    assert found["documents"] == 40
    assert [*found["signatures"]] == ["kieval", "hed", "anls_star"]


def test_headlines_and_settings() -> None:
    settings = {"kieval": kieval.Settings(normalize="casefold")}
    found = corpus.agreement([kieval, hed], PREDICTIONS, REFERENCES, settings)
    assert [*found["pearson"]] == ["kieval.entity_f1", "hed.uhed_f1"]
    assert "normalize:casefold" in found["signatures"]["kieval"]
    assert "normalize:none" in found["signatures"]["hed"]
    entities = [[{"category": "a", "text": text}] for text in ("x", "y", "xy")]
    table = corpus.agreement([oi_entities], entities, [entities[0]] * 3)["pearson"]
    assert table == {"oi_entities.oi_ecer": {"oi_entities.oi_ecer": 1.0}}


def test_a_figure_that_is_the_same_in_all_documents() -> None:
    with pytest.warns(UserWarning, match=r"^kieval\.entity_f1 is the same in all documents, so its correlations are "):
        found = corpus.agreement([kieval, anls_star], [{"a": "12"}, {"a": "xyz"}], [{"a": "123"}] * 2)
    assert found["pearson"]["kieval.entity_f1"] == {"kieval.entity_f1": None, "anls_star.anls_star": None}
    assert found["spearman"]["anls_star.anls_star"]["anls_star.anls_star"] == 1.0
    nothing = corpus.agreement([kieval], [], [])
    assert (nothing["documents"], nothing["pearson"]["kieval.entity_f1"]["kieval.entity_f1"]) == (0, None)


def test_unknown_scores() -> None:
    with pytest.raises(ValueError, match=r"^unknown score 'uhed', did you mean 'uhed_f1'|^unknown score 'uhed'"):
        corpus.agreement([kieval, hed], PREDICTIONS, REFERENCES, scores=["uhed"])


def test_one_score_may_be_a_text() -> None:
    found = [corpus.agreement([kieval, hed], PREDICTIONS, REFERENCES, scores=s) for s in ("uhed_f1", ["uhed_f1"])]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("families", "settings", "problem"),
    [
        (kieval, None, "families must be a list of modules, such as [docie.kieval], got <module"),
        ("kieval", None, "families must be a list of modules, such as [docie.kieval], got 'kieval'"),
        ([], None, "families must be a list of modules, such as [docie.kieval], got []"),
        (["kieval"], None, "family must be a module of metrics, such as docie.kieval, got 'kieval'"),
        ([kieval], kieval.Settings(), "settings must be a dict from the names of families, got Settings("),
        ([kieval], {"kieval": hed.Settings()}, "settings must be kieval.Settings(...), got Settings("),
    ],
)
def test_what_cannot_be_compared(families: Any, settings: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}"):
        corpus.agreement(families, PREDICTIONS, REFERENCES, settings)


def test_the_command_line(tmp_path: Path) -> None:
    paths = [
        lines(tmp_path / f"{side}s.jsonl", rows(side, documents))
        for side, documents in (("reference", REFERENCES), ("prediction", PREDICTIONS))
    ]
    options = ("--metric", "all", "--option", "matching=greedy", "--all-scores")
    families = [family for name in docie.families() if "document" in (family := get(name)).INPUTS]
    expected = corpus.agreement(families, PREDICTIONS, REFERENCES, {"kieval": kieval.Settings(matching="greedy")})
    shown = run_command("score", *paths, *options, "--format", "markdown").stdout
    for name in ("pearson", "spearman"):
        for figure, row in expected[name].items():
            cells = ["–" if value is None else rounded(value, 3) for value in row.values()]
            assert f"| {figure} | {' | '.join(cells)} |\n" in shown + "\n", (name, figure)
    assert "agreement" in run_command("score", *paths, *options).stdout
    for without in (("--metric", "hed", "--metric", "kieval"), (*options[:-1], "--format", "json")):
        assert "agreement" not in run_command("score", *paths, *without).stdout
    equal = run_command("score", paths[0], paths[0], "--metric", "all", "--all-scores")
    same = "warning: kieval.entity_f1 is the same in all documents, so its correlations are undefined\n"
    assert same in equal.stderr
    assert equal.stdout.count("–") >= 8


def test_the_receipts() -> None:
    """Entity F1 and KIEval put these receipts in nearly the same order; nTED hardly agrees."""
    folder = ROOT / "examples" / "receipts"
    predictions, references = [docie.read(folder / f"{name}.jsonl") for name in ("predictions-hasty", "references")]
    table = corpus.agreement([get(name) for name in ("entity_f1", "kieval", "nted")], predictions, references)[
        "spearman"
    ]
    assert table["entity_f1.f1"]["kieval.entity_f1"] > 0.95 > 0.8 > table["entity_f1.f1"]["nted.nted_accuracy"]
