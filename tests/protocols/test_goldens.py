"""Protocols give the scores of the original programs: those recorded of random documents, and those of real ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from protocol_scores import CLOSE, differences, read, score

import docie
from docie import protocols

from json_lines import read_lines

FOLDER = Path(__file__).parents[1] / "golden" / "protocols"
GOLDEN = {path.name.partition(".")[0]: path for path in sorted(FOLDER.glob("*.json.gz"))}
ELSEWHERE = {"di-metrics", "di-metrics-hed"}
"""Those whose originals are compared on real documents, below."""


def test_every_protocol_is_compared() -> None:
    assert GOLDEN.keys() | ELSEWHERE == {*protocols.names()}


@pytest.mark.parametrize("name", GOLDEN)
def test_scores_equal_those_of_the_original(name: str) -> None:
    """But for documents on which its faults show: the protocol says which ones and why."""
    golden = read(GOLDEN[name])
    assert len(golden["rows"]) >= 200
    assert golden["origin"]
    assert differences(name, golden) == golden["differ"]
    assert not golden["differ"] or any(each.why for each in protocols.get(name).compared)
    if golden["score"] is not None:
        assert score(name, golden["rows"]) == pytest.approx(golden["score"], abs=CLOSE)


DOCUBENCH = dict(zip(
    ("docupipe_high", "docupipe_standard", "gemini", "gpt", "extend", "claude"),
    (each.score for each in protocols.get("docubench").published),
    strict=True,
))  # fmt: skip


@pytest.mark.parametrize("system", DOCUBENCH)
def test_the_published_scores_of_docubench(system: str, data: Path) -> None:
    folder = data / "docubench"
    result = docie.score(
        references=folder / "references.jsonl",
        predictions=folder / f"predictions-{system}.jsonl",
        protocol="docubench",
        schema=folder / "schemas.jsonl",
    )
    assert f"{100 * result['docubench']:.2f}" == f"{DOCUBENCH[system]:.2f}"
    assert f"{result}".startswith(f"docubench: accuracy {DOCUBENCH[system]:.2f} (of 100)\n")


def test_the_published_scores_of_hed_and_uhed(data: Path) -> None:
    folder = data / "cord-test"
    for name in ELSEWHERE:
        protocol = protocols.get(name)
        result = docie.score(
            references=folder / "line-items-references.jsonl",
            predictions=folder / "line-items-deepcpcfg.jsonl",
            protocol=name,
        )
        assert round(result[protocol.quoted], 2) == protocol.published[0].score


def test_the_authors_counts_of_hed(data: Path) -> None:
    folder = data / "deepcpcfg-invoices"
    rows = [*read_lines(folder / "invoices.jsonl")]
    counts = [line.split("\t") for line in (folder / "hed_counts.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    golden = []
    for row, (_, *numbers) in zip(rows, counts, strict=True):
        tp, fp, fn = map(int, numbers)
        f1 = 2 * tp / (2 * tp + fp + fn)
        golden.append({"id": row["id"], "prediction": row["prediction"], "reference": row["annotation"], "score": f1})
    assert len(golden) == 869
    assert differences("di-metrics-hed", {"rows": golden}) == []
