"""Systems on real documents: ranks, and the tables of the docs."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import wilcoxon

import docie
from docie import corpus, entity_f1, hed, kieval
from docie.comparison.significance import holm

from checkout import ROOT
from real_documents import SYSTEMS, docubench_pairs, invoice_pairs, line_item_systems
from sizes import times

TEXTS = ["nfkc", "casefold", "whitespace", "alphanumeric"]


@pytest.fixture(scope="module")
def docubench(data: Path) -> tuple[dict[str, list[Any]], list[Any]]:
    pairs = {system: docubench_pairs(data, system) for system in SYSTEMS}
    return {system: [pair[0] for pair in each] for system, each in pairs.items()}, [pair[1] for pair in pairs["gpt"]]


def cells(row: dict[str, Any]) -> str:
    """A comparison as the docs show it."""
    low, high = row["interval"]
    p, corrected = (f"{row[name]:.4f}" for name in ("p_value", "p_value_holm"))
    return f"| {row['a']} | {row['b']} | {row['difference']:+.3f} | {low:+.3f} – {high:+.3f} | {p} | {corrected} |"


def page(name: str = "real-documents") -> str:
    path = ROOT / "docs" / f"{name}.md"
    if not path.exists():
        pytest.skip("the docs are not here")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("family", "score", "ranks"),
    [
        (hed, "uhed_f1", {"Deep CPCFG": "a", "Qwen2-VL": "b", "LayoutLM": "c"}),
        (kieval, "entity_f1", {"Deep CPCFG": "a", "LayoutLM": "b", "Qwen2-VL": "b"}),
    ],
)
def test_three_systems_on_cord(data: Path, family: Any, score: str, ranks: dict[str, str]) -> None:
    systems, references = line_item_systems(data)
    result = corpus.compare(family, systems, references, scores=score)
    assert result["ranks"][score] == ranks
    assert [*result["ranks"][score]] == [*ranks]
    shown = page()
    for row in result["comparisons"]:
        assert f"{cells(row)}" in shown


def test_suspects_on_cord(data: Path) -> None:
    systems, references = line_item_systems(data)
    assert len(corpus.suspects(systems, references)) == 4
    assert "four values" in " ".join(page().split())
    for system, corrections, forms in (("Qwen2-VL", 203, 10), ("LayoutLM", 185, 0)):
        kinds = [row.kind for row in corpus.errors(systems[system], references)]
        assert (len(kinds), kinds.count("format")) == (corrections, forms)


def test_what_the_docs_say_of_the_receipts() -> None:
    names = ("careful", "hasty")
    systems = {name: docie.read(ROOT / f"examples/receipts/predictions-{name}.jsonl") for name in names}
    references = docie.read(ROOT / "examples/receipts/references.jsonl")
    [row] = corpus.compare(kieval, systems, references)["comparisons"]
    values, (low, high) = [f"{row[f'value_{side}']:.3f}"[1:] for side in ("a", "b")], row["interval"]
    minus = f"difference −{-row['difference']:.3f}, 95 % interval −{-low:.3f} to −{-high:.3f}".replace("−0.", "−.")
    shown = " ".join(page("comparing").split())
    assert f"is {values[0]} for careful and {values[1]} for hasty on 24 receipts ({minus}, " in shown
    assert f"p = {row['p_value']:.4f}".replace("0.", ".") in shown


@pytest.mark.exhaustive
@times(10_000, 999)
def test_six_systems_on_docubench(docubench: tuple[dict[str, list[Any]], list[Any]], times: int) -> None:
    systems, references = docubench
    result = corpus.compare(entity_f1, systems, references, entity_f1.Settings(normalize=TEXTS), shuffles=times)
    assert result["ranks"]["f1"] == {
        "docupipe_high": "a", "docupipe_standard": "ab", "gemini": "ab", "extend": "b", "gpt": "ab", "claude": "ab",
    }  # fmt: skip
    rows = result["comparisons"]
    assert sum(row["p_value"] <= 0.05 for row in rows) == 6
    assert [(row["a"], row["b"]) for row in rows if row["significant"]] == [("docupipe_high", "extend")]
    if times == 10_000:
        suspects = corpus.suspects(systems, references)
        assert len(suspects) == 10
        shown = page()
        for each in suspects:
            for text in (each.reference, each.agreed):
                assert text is None or text in shown
        assert all(cells(row) in shown for row in rows)


def test_what_the_docs_say_of_one_document_and_of_the_invoices(data: Path) -> None:
    (gemini, claude) = (docubench_pairs(data, system) for system in ("gemini", "claude"))
    one, other = (
        [hed.score(hed.count(prediction, reference, hed.Settings()))["uhed_f1"] for prediction, reference in pairs]
        for pairs in (gemini, claude)
    )
    differences = [b - a for a, b in zip(one, other, strict=True)]
    assert f"makes {min(differences) / sum(differences):.0%} of".replace("%", " %") in page("evidence-comparisons")
    pairs = invoice_pairs(data)
    right = corpus.evaluate(kieval, [pair[0] for pair in pairs], [pair[1] for pair in pairs])["document_accuracy"]
    assert 0 < right < 0.01


@pytest.mark.exhaustive
def test_the_worked_example(docubench: tuple[dict[str, list[Any]], list[Any]]) -> None:
    """The scores of the page, and other tests of the same question: Wilcoxon's separates three pairs."""
    systems, references = docubench
    settings, alone, shown = entity_f1.Settings(normalize=TEXTS), {}, page("choosing")
    for system, predictions in systems.items():
        found = corpus.evaluate(
            entity_f1, predictions, references, settings, breakdown=True, confidence_level=0.95, interval="t"
        )
        value, low, high = (f"{each:.3f}"[1:] for each in (found["f1"], *found["f1_interval"]))
        assert f"| {system} | {value} | {low} – {high} |" in shown
        alone[system] = np.array([row["f1"] for row in found["per_document"]])
    pairs = [*itertools.combinations(systems, 2)]
    values = [wilcoxon(np.round(alone[a] - alone[b], 9)).pvalue for a, b in pairs]
    separated = {pair for pair, p in zip(pairs, holm(values), strict=True) if p <= 0.05}
    assert separated == {("claude", "docupipe_high"), ("docupipe_high", "extend"), ("docupipe_high", "gpt")}


@pytest.mark.exhaustive
def test_kieval_separates_three_pairs(docubench: tuple[dict[str, list[Any]], list[Any]]) -> None:
    systems, references = docubench
    rows = corpus.compare(kieval, systems, references, kieval.Settings(normalize=TEXTS))["comparisons"]
    found = {(row["a"], row["b"]): row["p_value_holm"] for row in rows if row["significant"]}
    assert [*found] == [("claude", "docupipe_high"), ("claude", "docupipe_standard"), ("docupipe_high", "extend")]
    assert [f"{p:.4f}"[1:] for p in found.values()] == [".0308", ".0442", ".0015"]
    assert "(corrected p .031 and .044), and docupipe_high from extend (.0015)" in " ".join(page().split())
