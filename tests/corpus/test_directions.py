"""Which system is better follows from what a family says of its scores, whatever they are called."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from page_parts import parts

from docie import corpus, form_robustness, hed, text_match

from cli_runs import lines, run_command, without_intervals

ATTACKS = ("key_drop", "drop_x", "x_cer", "errors", "total_distance")
FIELDS = [{"total": str(number), "tax": "1"} for number in range(12)]
REFERENCES: list[Any] = [{"attacks": dict.fromkeys(("none", *ATTACKS), fields)} for fields in FIELDS]
GOOD: list[Any] = REFERENCES
BAD: list[Any] = [{"attacks": {"none": fields, **{attack: {} for attack in ATTACKS}}} for fields in FIELDS]
SYSTEMS = {"good": GOOD, "bad": BAD}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [lines(tmp_path / f"{name}.jsonl", side) for name, side in {"references": REFERENCES, **SYSTEMS}.items()]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_fall_of_f1_fails_whatever_the_attack_is_called(files: list[str], attack: str) -> None:
    options = ("--metric", "form_robustness", "--score", f"f1_{attack}", "--max-drop", "0.03")
    done = run_command("compare", *files, *options)
    assert done.exit_code == 1
    shown = f"gate failed: bad, f1_{attack}: worse by 1.0000 (0.0000 against 1.0000)\n"
    assert without_intervals(done.stderr) == shown
    assert run_command("compare", *(files[0], files[2], files[1]), *options).exit_code == 0
    found = json.loads(run_command("compare", *files, *options, "--format", "json").stdout)
    assert [*found["ranks"][f"f1_{attack}"]] == ["good", "bad"]
    [row] = found["comparisons"]
    assert (row["direction"], row["better"], row["worse"]) == ("higher", 0, 12)


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_larger_drop_is_worse(attack: str) -> None:
    for score in (f"drop_f1_{attack}", f"drop_precision_{attack}", "worst_drop"):
        found = corpus.compare(form_robustness, SYSTEMS, REFERENCES, scores=score, max_drop=0.5)
        [row] = found["comparisons"]
        assert (row["difference"], row["direction"], row["better"], row["worse"]) == (1.0, "lower", 0, 12)
        assert found["gate"]["reason"] == "worse by 1.0000 (1.0000 against 0.0000)"
        assert [*found["ranks"][score]] == ["good", "bad"]


def test_the_report_says_worse_and_lists_documents_as_worse(tmp_path: Path) -> None:
    from docie.comparison.results import compared
    from docie.inputs.join import paired
    from docie.metrics.kieval import Settings
    from docie.show import comparisons
    from docie.show.page.comparison.comparison_page import comparison_page
    from docie.show.page.comparison.shown import Shown
    from docie.show.result import Facts
    from docie.show.section import Text

    results = compared(corpus.compare(form_robustness, SYSTEMS, REFERENCES, scores=["f1_x_cer", "drop_f1_x_cer"]))
    read = lambda: zip(*(paired(rows, REFERENCES) for rows in SYSTEMS.values()), strict=True)  # noqa: E731
    page = comparison_page(results, Shown(systems=[*SYSTEMS], read=read, settings=Settings(), most=20), Facts())
    said = [text for text in parts(page, "Verdict", Text) if text.style == "found"]
    assert [text.lead for text in said] == ["▼", "▼"]
    assert all(text.text.startswith("bad is worse than good") for text in said)
    titles = [table.title for table in comparisons.changes(results)]
    assert titles == [f"{score}: 0 documents better, 12 worse; the largest changes" for score in results["ranks"]]


def test_error_rates_and_lengths() -> None:
    texts = [{"a": "12345"}] * 12
    systems = {"near": [{"a": "12344"}] * 12, "far": [{"a": "67"}] * 12}
    found = corpus.compare(text_match, systems, texts, scores=["lcs_length", "lcs_distance", "levenshtein_distance"])
    assert [[*letters] for letters in found["ranks"].values()] == [["near", "far"]] * 3


def test_families_of_ones_own() -> None:
    own: Any = SimpleNamespace(**{name: getattr(hed, name) for name in hed.__all__ if name != "SCORES"})
    own.NAME = "own"
    systems: dict[str, Any] = {"a": FIELDS, "b": [{}] * 12}
    assert corpus.evaluate(own, FIELDS, FIELDS, breakdown=True)["hed_f1"] == 1.0
    problem = r"^family 'own' must declare SCORES, a tuple of docie.core.scores.Score with their meaning$"
    with pytest.raises(ValueError, match=problem):
        corpus.compare(own, systems, FIELDS)
    with pytest.raises(ValueError, match=problem):
        corpus.compare(own, systems, FIELDS, scores="hed_f1")
    own.SCORES = hed.SCORES
    assert corpus.compare(own, systems, FIELDS)["comparisons"][0]["direction"] == "higher"
    unsaid: Any = SimpleNamespace(**vars(own))
    unsaid.score = lambda counts: {**hed.score(counts), "support": counts.documents + 0.0}
    with pytest.raises(ValueError, match=r"^support cannot be compared: neither higher nor lower values are better$"):
        corpus.compare(unsaid, systems, FIELDS, scores="support")
