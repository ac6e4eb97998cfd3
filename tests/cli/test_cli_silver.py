"""`docie score --silver`: few labels, two systems, and what does not fit together."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import docie

from cli_runs import lines, run_command

TOTAL, LABELLED = 80, 24


def document(number: int, every: int) -> dict[str, Any]:
    items = [
        {"name": "tea" if number * place % every else "tee", "price": str(place)} for place in range(1 + number % 4)
    ]
    return {"total": str(number), "items": items}


TRUTH = [document(number, 5) for number in range(TOTAL)]
READ = {
    "predictions": [document(number, 3) for number in range(TOTAL)],
    "silver": [document(number, 7) if number % 9 == 0 else TRUTH[number] for number in range(TOTAL)],
}


def rows(documents: list[Any], *, step: int = 1) -> list[dict[str, Any]]:
    return [{"id": f"r-{number}", "document": documents[number]} for number in range(0, len(documents), step)]


def files(folder: Path, **other: list[Any]) -> tuple[str, str, str]:
    """Paths of references, predictions and the silver reading, these in another order."""
    sides = {"references": rows(TRUTH[:LABELLED]), "predictions": rows(READ["predictions"])}
    sides |= {"silver": rows(READ["silver"])[::-1], **other}
    references, predictions, silver = (lines(folder / f"{name}.jsonl", each) for name, each in sides.items())
    return references, predictions, silver


def score(references: str, predictions: str, silver: str, *more: str) -> Any:
    return run_command("score", references, predictions, "--silver", silver, *more)


def test_labels_are_worth_more_and_the_plain_score_is_as_without(tmp_path: Path) -> None:
    references, predictions, silver = files(tmp_path)
    done = score(references, predictions, silver)
    assert done.exit_code == 0
    assert "left out" not in done.stderr
    found = json.loads(score(references, predictions, silver, "--format", "json").stdout)
    few = found["silver"]["kieval"]
    said = f"entity_f1: {LABELLED} labels are worth {few['worth']:.0f}, with the silver reading of 56 documents"
    assert said in " ".join(done.stdout.split())
    assert "drawn at random" in done.stdout
    assert few["is_powered"]
    assert few["worth"] > 1.05 * LABELLED
    assert few["interval"][0] < few["value"] < few["interval"][1]
    alone = docie.score(
        references=rows(TRUTH[:LABELLED]), predictions=rows(READ["predictions"][:LABELLED]), confidence_level=0.95
    )
    plain = alone.results["kieval"]
    assert (few["plain"], few["plain_interval"]) == (plain["entity_f1"], plain["entity_f1_interval"])
    assert found["kieval"] == alone.to_dict()["kieval"]


def test_python_and_every_form_have_the_same(tmp_path: Path) -> None:
    paths = files(tmp_path)
    sides: dict[str, Any] = {"references": iter(rows(TRUTH[:LABELLED])), "predictions": rows(READ["predictions"])}
    result = docie.score(**sides, silver=rows(READ["silver"]), metric=["kieval", "entity_f1"])
    metrics = ("--metric", "kieval", "--metric", "entity_f1")
    assert json.loads(score(*paths, *metrics, "--format", "json").stdout) == result.to_dict()
    assert score(*paths, *metrics).stdout.strip() == str(result).strip()
    for form in ("csv", "markdown", "latex"):
        assert "worth" in score(*paths, *metrics, "--format", form).stdout
    table = [*csv.reader(io.StringIO(score(*paths, "--format", "csv").stdout))]
    assert table[0][-7:] == ["score", "plain", "plain_interval", "value", "interval", "labels", "worth"]
    workers = docie.score(
        references=rows(TRUTH[:LABELLED]), predictions=rows(READ["predictions"]), silver=rows(READ["silver"]),
        metric=["kieval", "entity_f1"], workers=2,
    )  # fmt: skip
    assert workers.to_dict() == result.to_dict()


def test_silver_like_the_predictions_brings_nothing(tmp_path: Path) -> None:
    references, predictions, _ = files(tmp_path)
    done = score(references, predictions, predictions, "--format", "markdown")
    assert f"{LABELLED} labels are worth {LABELLED}; the silver reading of 56 documents" in done.stdout
    assert "brings nothing, so the plain score stands" in done.stdout


@pytest.mark.parametrize("labelled", [1, 2, TOTAL])
def test_hardly_any_labels_or_only_labels(tmp_path: Path, labelled: int) -> None:
    paths = files(tmp_path, references=rows(TRUTH[:labelled]))
    done = score(*paths, "--format", "json")
    few = json.loads(done.stdout)["silver"]["kieval"]
    assert (few["is_powered"], few["labelled"], few["unlabelled"]) == (False, labelled, TOTAL - labelled)
    assert few["value"] == few["plain"]


def test_a_warning_if_labels_are_not_random(tmp_path: Path) -> None:
    easy = [number for number in range(TOTAL) if READ["predictions"][number] == READ["silver"][number]][:15]
    paths = files(tmp_path, references=[{"id": f"r-{number}", "document": TRUTH[number]} for number in easy])
    warning = score(*paths).stderr.splitlines()[-1]
    assert warning.startswith("warning: entity_f1 of kieval against the silver reading is 1.0000 on labelled documents")
    assert "drawn at random" in warning


def test_answers_that_could_not_be_read_are_empty_and_texts_are_answers(tmp_path: Path) -> None:
    answers = [{"id": row["id"], "prediction": json.dumps(row["document"])} for row in rows(READ["silver"])]
    same = json.loads(score(*files(tmp_path), "--format", "json").stdout)["silver"]
    assert json.loads(score(*files(tmp_path, silver=answers), "--format", "json").stdout)["silver"] == same
    answers[40]["prediction"] = "I cannot read this."
    done = score(*files(tmp_path, silver=answers), "--format", "json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["silver"] != same


def test_the_silver_reading_may_be_written_in_its_own_way(tmp_path: Path) -> None:
    wrapped = [{"id": row["id"], "output": row["document"]} for row in rows(READ["silver"])]
    done = score(*files(tmp_path, silver=wrapped), "--config", "systems.silver.unwrap=output", "--format", "json")
    assert json.loads(done.stdout)["silver"] == json.loads(score(*files(tmp_path), "--format", "json").stdout)["silver"]


WITHOUT_IDS = [{"document": each} for each in READ["silver"]]


@pytest.mark.parametrize(
    ("other", "options", "said"),
    [
        ({"silver": rows(READ["silver"])[:-1]}, (), "got 1 id in the predictions only, such as 'r-79'"),
        (
            {"silver": rows(READ["silver"])[2:]},
            (),
            "--silver: expected the same documents, got 2 ids in the predictions only, such as 'r-0'",
        ),
        ({"predictions": rows(READ["predictions"])[:-1]}, (), "got 1 id in the silver reading only, such as 'r-79'"),
        (
            {"predictions": rows(READ["predictions"])[1:]},
            (),
            "id 'r-0' is in the references but not in the predictions",
        ),
        ({"silver": WITHOUT_IDS}, (), "need rows with ids"),
        ({"silver": []}, (), "silver.jsonl: no documents"),
        ({"references": []}, (), "references.jsonl: no documents"),
        ({"predictions": WITHOUT_IDS}, (), "need rows with ids"),
        ({"silver": [*rows(READ["silver"]), *rows(READ["silver"])[:1]]}, (), "stands twice"),
        ({"references": [{"document": each} for each in TRUTH]}, (), "need rows with ids"),
        ({}, ("--report", "r.html"), "--silver: it does not go with a report"),
        ({}, ("--cluster", "vendor"), "--silver: it does not go with clusters"),
        ({}, ("--confidence-level", "0.9", "--interval", "percentile"), "--silver: it does not go with percentile"),
        ({}, ("--score", "entity_f1"), "--silver does nothing beside --score"),
    ],
)
def test_what_does_not_fit_is_one_line(tmp_path: Path, other: Any, options: Any, said: str) -> None:
    if "--report" in options:
        pytest.importorskip("jinja2")
    done = score(*files(tmp_path, **other), *options)
    assert done.exit_code == 2
    [line] = done.stderr.splitlines()
    assert said in line


def test_partitions_and_missing_files_are_errors(tmp_path: Path) -> None:
    references, predictions, silver = files(tmp_path)
    folder = tmp_path / "parts"
    folder.mkdir()
    lines(folder / "a.jsonl", rows(TRUTH))
    for paths in ((str(folder), str(folder), silver), (references, predictions, str(tmp_path / "none.jsonl"))):
        done = score(*paths)
        assert done.exit_code == 2
        assert len(done.stderr.splitlines()) == 1
