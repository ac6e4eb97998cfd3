"""Rows that are counted one by one have the scores that `docie score` prints for all of them."""

from __future__ import annotations

import json
import random
import re
import warnings
from dataclasses import make_dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.adapters import training
from docie.adapters.row_scores import RowMetric, corpus_results, corpus_scores
from docie.core.errors import DocumentError
from docie.core.family import get

from checkout import ROOT
from cli_runs import run
from harness_rows import rows, scored_by_command

FAMILIES = [name for name in docie.families() if "document" in get(name).INPUTS]
REFERENCE = {"vendor": "ACME", "items": [{"nm": "Latte", "price": "4.50"}, {"nm": "Bagel", "price": "3.00"}]}
PREDICTION = {"vendor": "ACME", "items": [{"nm": "Latte", "price": "4.60"}], "table": "7"}
TEXT = json.dumps(PREDICTION)
ANSWERS: list[Any] = [
    PREDICTION,
    TEXT,
    f"Here:\n```json\n{TEXT}\n```",
    TEXT[:50],
    str(PREDICTION),
    "Sorry, I cannot.",
    None,
    "",
    "null",
    7,
    {},
    [PREDICTION],
    json.dumps([PREDICTION]),
    "<s_vendor>ACME</s_vendor><s_items><s_nm>Latte</s_nm></s_items>",
    {"prediction": PREDICTION},
    {"document_annotation": TEXT, "pages": []},
    {"choices": [{"message": {"content": TEXT}}]},
    "| nm | price |\n| -- | -- |\n| Latte | 4.50 |",
]
VALUES: list[Any] = [
    "7.50",
    "ACME",
    '["7.50"]',
    '{"a": 1}',
    7.5,
    None,
    ["a"],
    "",
    "<s_a>b</s_a>",
    '```json\n{"a": 1}\n```',
]


class Decoder:
    def decode(self, ids: list[int], **options: object) -> str:
        return ""


def command(folder: Path, prediction: Any, reference: Any, *options: str) -> dict[str, Any]:
    """What `docie score` prints for one row."""
    for side, value in (("reference", reference), ("prediction", prediction)):
        (folder / side).with_suffix(".jsonl").write_text(json.dumps({"id": "r-0", side: value}) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = scored_anyhow(str(folder / "reference.jsonl"), str(folder / "prediction.jsonl"), *options)
    return {name: value for name, value in found.items() if isinstance(value, int | float)}


def scored_anyhow(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    [figures, *_] = json.loads(result.stdout).values()  # behind it may be issues of reading
    return dict(figures)


@pytest.mark.parametrize("metric", FAMILIES)
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: str(answer)[:20])
def test_any_answer_counts_as_in_a_file(metric: str, answer: Any, tmp_path: Path) -> None:
    row = RowMetric(metric)
    assert row.scores([row.count(answer, REFERENCE).counts]) == command(tmp_path, answer, REFERENCE, "--metric", metric)


@pytest.mark.parametrize("reference", VALUES, ids=str)
def test_single_answers_count_as_in_a_file(reference: Any, tmp_path: Path) -> None:
    row = RowMetric("anls_star")
    for prediction in VALUES:
        expected = command(tmp_path, prediction, reference, "--metric", "anls_star")
        assert row.scores([row.count(prediction, reference).counts]) == expected, prediction


@pytest.mark.parametrize("parse", ["no", "llm", "donut", "mistral"])
def test_answers_are_read_as_parse_says(parse: str, tmp_path: Path) -> None:
    row = RowMetric(parse=parse)
    for answer in ANSWERS:
        expected = command(tmp_path, answer, REFERENCE, "--config", f"predictions.parse={parse}")
        assert row.scores([row.count(answer, REFERENCE).counts]) == expected, answer


@pytest.mark.parametrize("metric", FAMILIES)
def test_rows_together_have_the_score_of_the_command(metric: str, tmp_path: Path) -> None:
    row, receipts = RowMetric(metric), rows(60)
    counts = [row.count(each.answer, each.reference).counts.to_json() for each in receipts]
    random.Random(3).shuffle(counts)
    as_text = [json.dumps(each) for each in counts[::2]] + counts[1::2]
    assert corpus_scores(as_text) == scored_by_command(receipts, tmp_path, "--metric", metric)


def test_the_scores_in_the_prose_of_the_page(tmp_path: Path) -> None:
    row, receipts = RowMetric(), rows()
    values = [row.scores([row.count(each.answer, each.reference).counts])["entity_f1"] for each in receipts]
    whole = scored_by_command(receipts, tmp_path)["kieval_entity_f1"]
    mean = sum(values) / len(values)
    sentence = f"The mean F1 score of the receipts is {mean:.3f}; the score of the corpus is {whole:.3f}."
    assert sentence in (ROOT / "docs" / "harnesses.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("metric", ["anls_star", "kieval"])
def test_nulls_of_columns_of_objects_change_anls_star_only(metric: str) -> None:
    row, answer, reference = RowMetric(metric), {"a": "1"}, {"a": "1"}
    plain, with_null = (
        row.scores([row.count(answer, each).counts]) for each in (reference, {**reference, "b": None, "c": {"d": None}})
    )
    said = {"absent_accuracy": 1.0, "absent": 2, "false_alarms": 0}
    assert ({**plain, **said} == with_null) == (metric == "kieval")


def test_options_and_intervals(tmp_path: Path) -> None:
    row, receipts = RowMetric(normalize="casefold", match={"items.name": "similar(0.5)"}), rows(40)
    counts = [row.count(each.answer, each.reference).counts for each in receipts]
    options = ("--normalize", "casefold", "--match", "items.name=similar(0.5)")
    assert corpus_scores(counts) == scored_by_command(receipts, tmp_path, *options)
    found = corpus_results(counts, breakdown=True, confidence_level=0.9)
    files = (str(tmp_path / "references.jsonl"), str(tmp_path / "predictions.jsonl"))
    expected = scored_anyhow(*files, *options, "--by-field", "--confidence-level", "0.9")
    assert len(found.pop("per_document")) == 40
    assert {**json.loads(json.dumps(found))} == {name: expected[name] for name in found}


def test_real_receipts(cord: dict[str, list[Any]], data: Path) -> None:
    row, folder = RowMetric(), data / "cord-test"
    counts = [
        row.count(json.dumps(predicted["prediction"]), reference["ground_truth"]).counts
        for predicted, reference in zip(cord["qwen"], cord["references"], strict=True)
    ]
    files = [str(folder / f"{name}.jsonl") for name in ("references", "predictions-qwen2-vl-72b")]
    expected = {f"kieval_{name}": value for name, value in scored_anyhow(*files).items() if name != "signature"}
    assert corpus_scores(counts) == expected


def test_a_configuration_is_applied_to_rows(tmp_path: Path) -> None:
    (tmp_path / "docie.toml").write_text('[predictions]\nrename = { lines = "items" }\n')
    renamed = RowMetric(config=tmp_path / "docie.toml")
    assert renamed.scores([renamed.count({"lines": [{"a": "1"}]}, '{"items": [{"a": "1"}]}').counts])["entity_f1"] == 1
    inner = RowMetric(config="predictions.unwrap=output.data")
    assert inner.scores([inner.count({"output": {"data": '{"a": "1"}'}}, {"a": "1"}).counts])["entity_f1"] == 1


@pytest.mark.parametrize("answer", ["Sorry", '{"date": {"a": "1"}}', '{"data": 7}', None])
def test_answers_without_the_place_that_unwrap_names_are_invalid(answer: Any) -> None:
    row = RowMetric(config={"predictions": {"unwrap": "data"}})
    counted = row.count(answer, {"a": "1"})
    assert counted.counts.invalid_predictions == 1
    assert ("no key 'data'" in " ".join(counted.issues)) == (answer in ("Sorry", '{"date": {"a": "1"}}'))


@pytest.mark.parametrize("metric", ["kieval", "anls_star"])
def test_the_nan_of_a_frame_is_no_answer(metric: str) -> None:
    row = RowMetric(metric)
    for reference in ({"a": "1"}, {}):
        assert row.count(float("nan"), reference) == row.count(None, reference)


def test_references_of_data_sets_and_models() -> None:
    Receipt, row = make_dataclass("Receipt", [("total", str)]), RowMetric()  # noqa: N806
    for reference in ('{"gt_parse": {"total": "7"}, "meta": {}}', {"gt_parse": {"total": "7"}}, Receipt(total="7")):
        assert row.scores([row.count(Receipt(total="7"), reference).counts])["entity_f1"] == 1


@pytest.mark.parametrize("reference", [{"reference": "INV-7"}, {"id": "7", "document": {"a": "1"}}, {"id": "7"}])
def test_json_text_of_a_reference_counts_as_its_object(reference: Any) -> None:
    row = RowMetric()
    for text in (json.dumps(reference), f"\n {json.dumps(reference, indent=1)}"):
        answers: list[Any] = [reference, {}, None]
        for answer in answers:
            assert row.count(answer, text) == row.count(answer, reference)
        assert row.scores([row.count(text, text).counts])["entity_f1"] == 1


@pytest.mark.parametrize(
    ("metric", "answer", "reference", "issue"),
    [
        ("kieval", '{"a": {"value": "1", "confidence": 95}}', {"a": "1"}, "entity 'a': confidence must be between 0"),
        ("nted", '{"a": 1e999}', {"a": "1"}, "entity 'a': expected a number between -1.8e308 and 1.8e308, got inf"),
        ("kieval", '{"a": ' + "[" * 100 + "]" * 100 + "}", {"a": "1"}, "entity 'a': nested more than 100 levels"),
        ("kieval", '{"tokens": ["a"], "ner_tags": ["O"]}', {"a": "1"}, "tagged words have the keys"),
        ("entity_f1", '["B-a"]', ["B-a", "O"], "expected as many tags as in the reference, got 1 and 2"),
        ("box_iou", "[[0, 0, 1, 1]]", [{"label": "a", "box": [0, 0, 1, 1]}], "box 0 of the prediction: expected an"),
        ("oi_entities", '[{"category": "a"}]', [["a", "x"]], "entity 0 of the prediction: expected"),
    ],
)
def test_no_answer_of_a_model_is_an_error(metric: str, answer: str, reference: Any, issue: str) -> None:
    row = RowMetric(metric)
    counts, [said] = row.count(answer, reference)
    assert counts == row.count(None, reference).counts
    assert counts.invalid_predictions == 1
    assert said.startswith(issue)
    with pytest.raises(DocumentError):
        row.count(json.loads(answer), reference)  # this one was made by a program


@pytest.mark.parametrize("reference", ["Sorry", None, 7, '{"a":', [1]])
def test_a_reference_that_is_none_is_an_error_without_a_number(reference: Any) -> None:
    with pytest.raises(DocumentError) as error:
        RowMetric().count({}, reference)
    assert "reference" in str(error.value)
    assert "document 0" not in str(error.value)


def test_issues_say_what_was_repaired() -> None:
    assert RowMetric().count(TEXT, REFERENCE).issues == []
    assert RowMetric().count(f"Here: {TEXT}", REFERENCE).issues == ["dropped the text around the JSON object"]


def test_rows_of_other_options_are_refused() -> None:
    counts = [RowMetric(normalize=how).count({}, {}).counts for how in ("nfkc", "casefold")]
    with pytest.raises(ValueError, match="rows were counted in different ways: 'kieval.*' and 'kieval.*casefold"):
        corpus_scores(counts)
    with pytest.raises(ValueError, match="expected the counts of a row, got 1"):
        corpus_scores([1])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="unknown option 'x'"):
        RowMetric(x=1)
    with pytest.raises(ValueError, match="expected auto, no"):
        RowMetric(parse="x")
    with pytest.raises(
        ValueError, match=r"^predictions\.parse=x: \[predictions\] parse: expected auto, no, .* got 'x'"
    ):
        RowMetric(config="predictions.parse=x")
    with pytest.raises(ValueError, match="rows were counted in different ways: 'kieval.*' and 'anls_star"):
        RowMetric().scores([RowMetric("anls_star").count("7", "7").counts])
    with pytest.raises(ValueError, match="expected rows that a RowMetric counted, got counts without a signature"):
        corpus_scores([get("kieval").count({}, {}, get("kieval").Settings())])
    assert corpus_scores([]) == {}


@pytest.mark.parametrize(
    ("entry", "needs"),
    [
        ("predictions.pages=name", "predictions.pages needs ids"),
        ("references.lines=items.csv", "references.lines needs ids"),
        ("references.id=file", "references.id needs ids"),
        ("references.strip_id=ending", "references.strip_id needs ids"),
        ("join.missing=empty", "join.missing needs ids"),
        ("join.extra=drop", "join.extra needs ids"),
        ('values.normalize_by={ country = { DE = { total = "casefold" } } }', "values.normalize_by needs meta"),
    ],
)
def test_a_configuration_for_which_a_row_is_not_enough_is_refused(entry: str, needs: str) -> None:
    message = f"config: {needs}, which a row that is counted alone does not have"
    for make in (RowMetric, training.reward, partial(training.generation_metrics, Decoder(), [{}])):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            make(config=entry)


def test_parse_takes_precedence_over_the_configuration() -> None:
    text, reference = "<s_a>1</s_a>", {"a": "1"}
    for parse, config, score in (
        (None, None, 1.0),
        (None, "predictions.parse=llm", 0.0),
        ("donut", "predictions.parse=llm", 1.0),
        ("auto", "predictions.parse=llm", 1.0),
        ("llm", "predictions.parse=donut", 0.0),
    ):
        row = RowMetric(parse=parse, config=config)
        assert row.scores([row.count(text, reference).counts])["entity_f1"] == score, (parse, config)


def test_records_of_data_sets_are_read_as_in_files() -> None:
    record = {"words": ["Kopi"], "ner_tags": ["B-COMPANY"], "lang": "ms"}
    row = RowMetric(config="references.records=sroie")
    for reference in (record, json.dumps(record)):
        assert row.scores([row.count({"company": "Kopi"}, reference).counts])["entity_f1"] == 1
        assert row.count(None, reference).counts.invalid_predictions == 1


def test_a_path_to_what_an_object_for_donut_holds() -> None:
    row = RowMetric(config="references.unwrap=gt_parse")
    assert row.scores([row.count({"a": "1"}, {"gt_parse": {"a": "1"}}).counts])["entity_f1"] == 1


def test_a_list_at_the_path_of_a_row_is_its_document_as_in_a_corpus() -> None:
    config = {"predictions": {"unwrap": "out"}}
    predictions, references = [{"out": [{"a": "1"}]}, {"out": {"a": "2"}}], [{"a": "1"}, {"a": "2"}]
    row = RowMetric(config=config)
    counts = [row.count(*pair).counts for pair in zip(predictions, references, strict=True)]
    assert corpus_results(counts) == corpus.evaluate(kieval, predictions, references, config=config)
    assert counts[0].invalid_predictions == 1


def test_ids_in_rows_are_not_scored_and_an_answer_without_one_is_no_error() -> None:
    row = RowMetric(
        config={"references": {"unwrap": "gold", "id": "file"}, "predictions": {"unwrap": "out", "id": "file"}}
    )
    reference = {"file": "a", "gold": {"total": "1"}}
    for answer, score in (
        ({"file": "a", "out": {"total": "1"}}, 1.0),
        ('{"file": "a", "out": {"total": "1"}}', 1.0),
        ('{"file": "b", "out": {"total": "1"}}', 0.0),
        ("Sorry", 0.0),
        (None, 0.0),
    ):
        counts = row.count(answer, reference).counts
        assert row.scores([counts])["entity_f1"] == score, answer
        assert counts.invalid_predictions == (score == 0)


def test_a_configuration_that_finds_meta_in_rows() -> None:
    by_country = {"country": {"DE": {"a": "casefold"}}}
    config = {
        "references": {"unwrap": "gold"},
        "predictions": {"unwrap": "out"},
        "values": {"normalize_by": by_country},
    }
    row = RowMetric(config=config)
    for country, score in (("DE", 1.0), ("FR", 0.0)):
        counts = row.count({"out": {"a": "x"}}, {"gold": {"a": "X"}, "meta": {"country": country}}).counts
        assert row.scores([counts])["entity_f1"] == score


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("Sorry", ["1 of 1 predictions could not be read, and count as empty"]),
        ({"b": "1"}, ["entity_f1 is 0 in 1 documents; docie check searches for the reason"]),
        ({"a": "1"}, []),
    ],
)
def test_an_odd_score_of_the_corpus_is_told(prediction: Any, expected: list[str]) -> None:
    row = RowMetric()
    counts = [row.count(prediction, {"a": "1"}).counts]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        row.scores(counts)
        assert caught == []
        corpus_scores(counts)
    assert [str(each.message).partition(". ")[0] for each in caught] == expected
