"""The command line on lists of entities, tags, tagged words and folders of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docie import box_iou, corpus, entity_f1, oi_entities

from cli_runs import lines, rows, run, scored, scored_by_family

ENTITIES: list[Any] = [[], [["date", "26 mai 1770"], {"category": "serie", "text": "X1A"}], [["date", "10 mars"]]]
PREDICTED: list[Any] = [[["date", "1"]], [["serie", "X1A"], ["date", "26 mai 1771"]], []]
TAGGED = {
    "a": "Contre O\nDenis B-name\nQUIROT I-name\n",
    "b": "26 B-date\nmai I-date\n\n1770 B-date\n",
}


def folder(path: Path, files: dict[str, str], suffix: str = ".bio") -> str:
    path.mkdir()
    for name, text in files.items():
        (path / f"{name}{suffix}").write_text(text, encoding="utf-8")
    return str(path)


def same(result: dict[str, Any], family: Any, predictions: list[Any], references: list[Any]) -> None:
    assert result == corpus.evaluate(family, predictions, references)


@pytest.mark.parametrize("wrapped", [False, True])
def test_lists_of_entities(wrapped: bool, tmp_path: Path) -> None:
    sides = [rows("reference", ENTITIES), rows("prediction", PREDICTED)] if wrapped else [ENTITIES, PREDICTED]
    files = [lines(tmp_path / f"{name}.jsonl", side) for name, side in zip("rp", sides, strict=True)]
    for options in ([], ["--metric", "oi_entities"], ["--metric", "all"]):
        same(scored(*files, *options), oi_entities, PREDICTED, ENTITIES)
    table = run(*files, "--by-field", "--all-scores").stdout
    assert "date" in table
    assert "oi_nerval_f1" in table


def test_one_row(tmp_path: Path) -> None:
    """A file of lines with one line: that line is a row, and no list of rows."""
    files = [lines(tmp_path / f"{name}.jsonl", side[1:2]) for name, side in (("r", ENTITIES), ("p", PREDICTED))]
    same(scored(*files), oi_entities, PREDICTED[1:2], ENTITIES[1:2])


def test_no_entities_anywhere(tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [[], []])
    assert scored(path, path)["oi_ecer"] == 0.0


def test_tags(tmp_path: Path) -> None:
    references, predictions = [["O", "B-date", "I-date"], ["B-date"]], [["O", "B-date", "O"], ["B-date"]]
    files = [lines(tmp_path / "r.jsonl", references), lines(tmp_path / "p.jsonl", predictions)]
    for options in ([], ["--metric", "all"], ["--metric", "entity_f1"]):
        same(scored(*files, *options), entity_f1, predictions, references)
    strict = scored(*files, "--option", "scheme=IOB2", "--option", "strict=true")
    assert "scheme:IOB2|strict:True" in strict["signature"]


def test_boxes(tmp_path: Path) -> None:
    references = [[{"label": "total", "box": [0, 0, 4, 2]}], [], [{"label": "date", "quad": [0, 0, 4, 0, 4, 2, 0, 2]}]]
    predictions = [[{"label": "total", "box": [1, 0, 4, 2]}], [{"label": "date", "box": [0, 0, 1, 1]}], []]
    for wrapped in (False, True):
        sides = (
            [rows("reference", references), rows("prediction", predictions)] if wrapped else [references, predictions]
        )
        files = [lines(tmp_path / f"{name}.jsonl", side) for name, side in zip("rp", sides, strict=True)]
        for options in ([], ["--metric", "all"], ["--metric", "box_iou"]):
            same(scored(*files, *options), box_iou, predictions, references)
    result = scored(*files, "--option", "thresholds=[0.75, 0.8]")
    assert (result["f1_at_0.75"], result["f1_at_0.8"]) == (2 / 4, 0.0)
    assert "date" in run(*files, "--by-field").stdout


def test_folders_of_tagged_words(tmp_path: Path) -> None:
    labels = folder(tmp_path / "labels", TAGGED)
    predictions = folder(tmp_path / "predictions", TAGGED | {"b": "26 B-date\nmai I-date\n1771 B-date\n"}, ".txt")
    other_words = (
        "document 1: the words of the prediction are not those of the reference. Tags are compared place by place, "
        "whatever the words are; oi_entities compares the words of entities"
    )
    usual = scored(labels, predictions, warning=other_words)
    assert usual["signature"].startswith("entity_f1|")
    assert (usual["documents"], usual["f1"]) == (2, 1.0)
    result = scored(labels, predictions, "--metric", "oi_entities")
    assert (result["documents"], result["bag_of_entities_f1"], result["cer"]) == (2, 2 / 3, 1 / (19 + 11))
    together = scored_by_family(labels, predictions, "--metric", "all", warning=other_words)
    assert list(together) == ["entity_f1", "oi_entities"]
    assert together["oi_entities"] == result
    assert together["entity_f1"] == usual  # the words have no say
    assert "date" in run(labels, predictions, "--by-field").stdout


def test_tagged_words_with_ids(tmp_path: Path) -> None:
    row = {"words": ["26", "mai"], "tags": ["B-date", "I-date"]}
    other = {"words": ["X1A"], "tags": ["B-serie"]}
    references = lines(tmp_path / "r.jsonl", [{"id": "a"} | row, {"id": "b"} | other])
    predictions = lines(tmp_path / "p.jsonl", [{"id": "b", "prediction": other}, {"id": "a"} | row])
    mixed = "some predictions are wrappers, such as {'document': ...}, and others are documents; write all alike"
    assert scored(references, predictions, warning=mixed)["f1"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{labels}", "{wrong}"], "{wrong}/a.bio:2: expected a word and a tag, got 'Denis'"),
        (["{labels}", "{other}"], "id 'b' is in the references but not in the predictions; --config join.missing=empty scores a missing prediction as an empty document"),
        (["{labels}", "{latin}"], "{latin}/a.bio: not UTF-8 text (byte 0)"),
        (["{labels}", "{empty}"], "{empty}: no .json files in this folder, nor files of tagged words (.bio, .iob, .conll, .txt, .tsv)"),
        (["{labels}", "{labels}", "--metric", "kieval"], "kieval reads documents, but these are tagged words"),
        (["{lists}", "{lists}", "--metric", "entity_f1"], "entity_f1 reads documents or tags or tagged words, but these are lists of entities"),
        (["{documents}", "{documents}", "--metric", "oi_entities"], "{documents}:1: reference must be a list of entities or tagged words, got an object"),
        (["{lists}", "{broken}"], "{broken}:2, entity 0 of the prediction: expected {{\"category\": ..., \"text\": ...}} or [category, text], got ['date']"),
        (["{boxes}", "{boxes}"], "{boxes}:2, box 0 of the prediction: box must have x0 < x1 and y0 < y1, got [4, 0, 0, 2]"),
        (["{boxes}", "{boxes}", "--metric", "oi_entities"], "oi_entities reads lists of entities or tagged words, but these are labelled boxes"),
        (["{labels}", "{labels}", "--metric", "oi_entities", "--option", "nerval_threshold=30"], "nerval_threshold must be a fraction between 0 and 1, got 30 (other packages count in percent)"),
        (["{labels}", "{short}"], "{short}/a.bio: expected as many tags as in the reference, got 1 and 3; --metric oi_entities scores entities of pages with other words"),
        (["{labels}", "{short}", "--metric", "entity_f1"], "{short}/a.bio: expected as many tags as in the reference, got 1 and 3"),
    ],
)  # fmt: skip
def test_bad_input(arguments: list[str], message: str, tmp_path: Path) -> None:
    paths = {
        "labels": folder(tmp_path / "labels", TAGGED),
        "wrong": folder(tmp_path / "wrong", TAGGED | {"a": "Contre O\nDenis\n"}),
        "short": folder(tmp_path / "short", TAGGED | {"a": "Contre O\n"}),
        "other": folder(tmp_path / "other", {"a": TAGGED["a"]}),
        "empty": folder(tmp_path / "empty", {}),
        "latin": folder(tmp_path / "latin", TAGGED),
        "lists": lines(tmp_path / "lists.jsonl", ENTITIES),
        "broken": lines(tmp_path / "broken.jsonl", [[], [["date"]], []]),
        "boxes": lines(
            tmp_path / "boxes.jsonl", [[{"label": "a", "box": [0, 0, 4, 2]}], [{"label": "a", "box": [4, 0, 0, 2]}]]
        ),
        "documents": lines(tmp_path / "documents.jsonl", [{"a": "1"}]),
    }
    Path(paths["latin"], "a.bio").write_bytes(b"\xe9t\xe9 O\n")
    result = run(*(argument.format(**paths) for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == message.format(**paths) + "\n"


def test_missing_predictions_are_empty_lists(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", rows("reference", ENTITIES))
    predictions = lines(tmp_path / "p.jsonl", rows("prediction", PREDICTED)[:2])
    done = run(references, predictions, "--config", "join.missing=empty", "--format", "json")
    assert done.stderr == "warning: 1 reference without a prediction, scored against nothing\n"
    result = json.loads(done.stdout)["oi_entities"]
    expected = corpus.evaluate(oi_entities, [*PREDICTED[:2], []], ENTITIES)
    expected["signature"] = expected["signature"].replace("|version", "|reading:join.missing(empty)|version")
    assert result == expected
    assert result["invalid_predictions"] == 0
