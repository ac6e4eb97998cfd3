"""Charts of comparisons show what the results say."""

from __future__ import annotations

from typing import Any

import pytest

from docie import corpus, hed, kieval, plots

REFERENCES: list[Any] = [{"a": str(number), "$x$": "1"} for number in range(24)]
SYSTEMS: dict[str, list[Any]] = {
    "good": REFERENCES,
    "poor": [{"a": "?", "$x$": "1"}] * 20 + REFERENCES[20:],
    "$p": [{"a": "?", "$x$": "1"}] * 18 + REFERENCES[18:],
}


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return corpus.compare(kieval, SYSTEMS, REFERENCES, scores=["entity_f1", "corrections"], breakdown=True)


def texts(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_a_forest_has_a_row_for_each_pair(results: dict[str, Any]) -> None:
    axes = plots.forest(results)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["good → poor", "good → $p", "poor → $p"]
    rows = [row for row in results["comparisons"] if row["score"] == "entity_f1"]
    assert texts(axes) == [f"{row['difference']:+.3f}" + "*" * row["significant"] for row in rows]
    assert [text.endswith("*") for text in texts(axes)] == [True, True, False]
    bars = [line for line in axes.lines if len(line.get_xdata()) == 2 and line.get_marker() == "|"]
    assert [[*bar.get_xdata()] for bar in bars] == [row["interval"] for row in rows]
    marks = [line for line in axes.lines if line.get_marker() == "s"]
    assert [mark.get_markerfacecolor() != "none" for mark in marks] == [True, True, False]
    assert marks[0].get_color() != marks[2].get_color(), "worse, and better"


def test_other_scores_and_entity_types(results: dict[str, Any]) -> None:
    corrections = plots.forest(results, score="corrections")
    assert texts(corrections)[0] == "+20*"
    first = [plots.forest(results, score=name).lines[1].get_color() for name in ("corrections", "entity_f1")]
    assert first[0] == first[1], "more corrections and a lower F1 are both worse"
    by_type = plots.forest(results, table="per_entity")
    assert [label.get_text() for label in by_type.get_yticklabels()] == ["$x$", "a"]
    assert "$x$</text>" in plots.svg(by_type)
    for wrong in ({"score": "f1"}, {"table": "ranks"}):
        with pytest.raises(ValueError, match="^unknown score 'f1'|^the results have no table 'ranks'"):
            plots.forest(results, **wrong)
    assert texts(plots.forest({"comparisons": []})) == ["no comparisons"]


def test_one_document_has_no_interval() -> None:
    with pytest.warns(UserWarning, match="all documents belong to one unit"):
        results = corpus.compare(kieval, {"x": [{"a": "1"}], "y": [{}]}, [{"a": "1"}])
    assert texts(plots.forest(results)) == ["-1.000"]


def test_a_map_has_every_coefficient() -> None:
    scores = ["entity_f1", "corrections", "uhed_f1", "group_f1"]
    with pytest.warns(UserWarning, match="group_f1 is the same"):
        results = corpus.agreement([kieval, hed], SYSTEMS["poor"], REFERENCES, scores=scores)
    for coefficient in ("spearman", "pearson"):
        axes = plots.agreement(results, coefficient=coefficient)
        expected = [
            "–" if value is None else f"{value:.2f}" for row in results[coefficient].values() for value in row.values()
        ]
        assert texts(axes) == expected
        assert "–" in expected
        picture = plots.svg(axes)
        assert "<image" not in picture, "a picture of points would be data from elsewhere for a strict page"
        assert "uhed_f1</text>" in picture
    with pytest.raises(ValueError, match=r"^coefficient must be 'spearman' or 'pearson', got 'kendall'$"):
        plots.agreement(results, coefficient="kendall")
