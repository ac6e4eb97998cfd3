"""The figures on a page are those of the command line, and its lines give them again."""

from __future__ import annotations

import html
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from reports import score_report

import docie
from docie import corpus
from docie.core.family import get
from docie.inputs.config import entries_of, options_of_config
from docie.spaces.common import examples, inputs, limits, options, reproducing, work
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError

import cli_runs

EXAMPLES = {each.name: each for each in examples.EXAMPLES}
RECEIPTS = EXAMPLES["Four receipts"]
SCHEMA = {"properties": {"total": {"type": "number"}, "date": {"type": "string", "format": "date"}}}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "normalize": [{"normalize": ["casefold", "date"]}, {"normalize": {"date": ["date"]}}],
    "match": [{"match": "similar(0.8)"}, {"match": {"items.amount": "within(0.5)"}}],
    "schema": [{"schema": SCHEMA}],
    "thresholds": [{"thresholds": [0.5, 0.9]}],
    "closest": [{"closest": True}],
    "costs": [{"costs": {"total": 3}}],
    "empty_groups": [{"empty_groups": "count"}],
    "evidence": [{"evidence": "box(0.7)"}],
    "matching": [{"matching": "greedy"}],
    "nerval_threshold": [{"nerval_threshold": 0.1}],
    "ontology": [{"ontology": ["items.name", "total"]}],
    "scheme": [{"scheme": "IOB2"}],
    "strict": [{"strict": True, "scheme": "IOB2"}],
    "strict_threshold": [{"strict_threshold": True}],
    "threshold": [{"threshold": 0.9}],
    "config": [
        {
            "config": {
                "references": {"ignore": ["items.name"], "records": "columns"},
                "predictions": {"rename": {"total": "date"}, "ignore": ["items.name"], "records": "columns"},
            }
        }
    ],
    "unmatched": [{"unmatched": "ignore"}],
    "weights": [{"weights": {"total": 3}}],
    "corrections": [
        {"corrections": [{"id": 2, "path": "vendor", "verdict": "value", "old": "North Books", "new": "North Book"}]}
    ],
}
"""For every option of any family, other values than its default."""


def cases() -> list[Any]:
    """Each family with each of its options, and without."""
    result = []
    for option in [None, *options.options_for(docie.families())]:
        for values in OPTIONS[option.name] if option else [{}]:
            families = option.families if option else docie.families()
            result += [pytest.param(name, values, id=f"{name}-{'-'.join(values)}") for name in families]
    return result


def example_for(family: str) -> examples.Example:
    """Four receipts, else what the family reads."""
    return RECEIPTS if "document" in get(family).INPUTS else examples.for_family(family)[0]


def by_command(folder: Path, example: examples.Example, family: str, values: Mapping[str, Any]) -> Any:
    """What `docie score` prints of the texts of a page."""
    for side in ("references", "predictions"):
        (folder / f"{side}.json").write_text(getattr(example, side), encoding="utf-8")
    chosen = []
    for name, value in values.items():
        if name == "corrections":
            (folder / "changes.jsonl").write_text(reproducing.json_lines(value), encoding="utf-8")
            chosen += ["--corrections", "changes.jsonl"]
            continue
        is_config = name == "config"
        entries = entries_of(options_of_config(value)) if is_config else [f"{name}={json.dumps(value)}"]
        chosen += [part for entry in entries for part in ("--config" if is_config else "--option", entry)]
    command = [
        "score",
        "references.json",
        "predictions.json",
        "--metric",
        family,
        *chosen,
        "--by-field",
        "--format",
        "json",
    ]
    printed = json.loads(ran([sys.executable, "-m", "docie", *command], folder))
    printed.pop("before_corrections", None)
    return printed


def ran(command: list[str], folder: Path) -> str:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(("family", "values"), cases())
def test_figures_are_those_of_the_python_interface(family: str, values: dict[str, Any]) -> None:
    example = example_for(family)
    form = Form(references=example.references, predictions=example.predictions, families=[family], options=values)
    rows = inputs.read(form)
    module = get(family)
    settings = module.Settings(
        **{name: value for name, value in values.items() if name not in ("config", "corrections")}
    )
    how: dict[str, Any] = {"config": form.reading(), "breakdown": True}
    expected = corpus.evaluate(module, rows.predictions, inputs.corrected(rows, form), settings, **how)
    assert work.score(form) == {family: expected}


@pytest.mark.exhaustive
@pytest.mark.parametrize(("family", "values"), cases())
def test_figures_are_those_of_the_command_line(
    family: str, values: dict[str, Any], explorer: Any, tmp_path: Path
) -> None:
    example = example_for(family)
    found = explorer.predict(example.references, example.predictions, [family], values, api_name="/score")
    assert found == by_command(tmp_path, example, family, values)


@pytest.mark.exhaustive
def test_the_endpoint_gives_what_the_command_line_prints(explorer: Any, tmp_path: Path) -> None:
    found = explorer.predict(
        RECEIPTS.references, RECEIPTS.predictions, ["kieval"], {"matching": "greedy"}, api_name="/score"
    )
    assert found == by_command(tmp_path, RECEIPTS, "kieval", {"matching": "greedy"})
    assert found["kieval"]["documents"] == 4


@pytest.mark.exhaustive
def test_every_family_says_a_sentence_and_has_views(explorer: Any) -> None:
    found = explorer.predict(RECEIPTS.references, RECEIPTS.predictions, api_name="/explain")["families"]
    assert set(found) == {name for name in docie.families() if "document" in get(name).INPUTS}
    for answer in found.values():
        assert answer["sentence"].endswith(".")
        assert "Side by side" in [part["title"] for part in answer["parts"]]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["Four receipts", "Boxes on a page", "An invoice under two attacks"])
def test_the_lines_of_a_page_give_its_figures(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    level = {"confidence_level": 0.9}
    form = Form(references=example.references, predictions=example.predictions, confidence_level=0.9)
    rows = inputs.read(form)
    families = inputs.choose_families(form, rows.expected)
    references, predictions = rows.given
    values = {"normalize": ["casefold"], "ontology": ["items.name", "it's"]} if name == "Four receipts" else {}
    expected = work.score(Form(**{**vars(form), "options": values}))

    named: dict[str, Any] = {}
    exec(reproducing.python_lines(families, predictions, references, values, **level), named)
    assert named["result"].to_dict() == expected

    lines = reproducing.command_lines(families, predictions, references, values, **level)
    lines = lines.replace("\ndocie score", f"\n{shlex.quote(sys.executable)} -m docie score")
    assert json.loads(ran(["bash", "-ec", lines], tmp_path)) == expected
    page = html.unescape(work.explain(Form(**{**vars(form), "options": values})).html)
    assert [family for family in families if expected[family]["signature"] not in page] == []


def test_judged_labels_are_corrected_on_the_page_and_in_its_lines(tmp_path: Path) -> None:
    values = OPTIONS["corrections"][0]
    form = Form(references=RECEIPTS.references, predictions=RECEIPTS.predictions, families=["kieval"], options=values)
    plain = Form(references=form.references, predictions=form.predictions, families=["kieval"])
    expected, before = work.score(form), work.score(plain)
    assert expected["kieval"]["corrections"] == before["kieval"]["corrections"] - 1
    assert "|corrected:1|" in expected["kieval"]["signature"]
    page, was = html.unescape(work.explain(form).html), html.unescape(work.explain(plain).html)
    assert f"entity_f1 {before['kieval']['entity_f1']:.4f} → {expected['kieval']['entity_f1']:.4f} by 1 label" in page
    assert "label correction" not in was
    judged = [re.findall(r'<div class="docie-judging">.*?</div>', each)[0] for each in (page, was)]
    assert judged[0] == judged[1], "all that is judged is of the labels as they were"
    assert '["vendor","North Books",["North Book","value"]]' in judged[0]

    references, predictions = inputs.read(form).given
    named: dict[str, Any] = {}
    exec(reproducing.python_lines(["kieval"], predictions, references, values), named)
    assert named["result"].to_dict()["kieval"] == expected["kieval"]
    lines = reproducing.command_lines(["kieval"], predictions, references, values)
    lines = lines.replace("\ndocie score", f"\n{shlex.quote(sys.executable)} -m docie score")
    assert json.loads(ran(["bash", "-ec", lines], tmp_path))["kieval"] == expected["kieval"]
    wrong = Form(**{**vars(form), "options": {"corrections": [{**values["corrections"][0], "old": "South"}]}})
    with pytest.raises(RefusedError, match=r"^corrections\[0\]: document 2 has no 'South' at vendor"):
        work.explain(wrong)


def test_long_documents_are_files_in_the_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"a": "x" * 30_000}]
    for side in ("references", "predictions"):
        (tmp_path / f"{side}.jsonl").write_text(reproducing.json_lines(rows) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    named: dict[str, Any] = {}
    exec(reproducing.python_lines(["kieval"], rows, rows, {}), named)
    assert named["result"]["entity_f1"] == 1.0
    assert reproducing.command_lines(["kieval"], rows, rows, {}).startswith("docie score references.jsonl ")


ROWS: list[dict[str, Any]] = [
    {"id": name, "out": {"total": total}} for name, total in (("a", "12"), ("b", "7"), ("c", "9"))
]
"""Rows whose documents stand under a key."""


@pytest.mark.parametrize("note", ["", "x" * 30_000], ids=["in the lines", "in files"])
@pytest.mark.parametrize(
    ("name", "config", "has_command"),
    [
        ("total", {"predictions": {"unwrap": "out"}}, True),
        ("sum", {"predictions": {"unwrap": "out", "rename": {"total": "sum"}}, "join": {"missing": "empty"}}, True),
        ("sum", {"predictions": {"unwrap": "out"}, "references": {"rename": {"sum": "total"}}}, True),
        ("total", {"predictions": {"unwrap": "out"}, "join": {"extra": "drop"}}, True),
    ],
)
def test_the_lines_read_rows_as_the_page_does(
    name: str, config: dict[str, Any], has_command: bool, note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [{"id": row["id"], name: row["out"]["total"], "note": note} for row in reversed(ROWS)]
    texts = json.dumps(expected), json.dumps(ROWS)
    form = Form(references=texts[0], predictions=texts[1], families=["kieval"], options={"config": config})
    score = work.score(form)["kieval"]
    assert score["entity_precision"] == 1
    rows = inputs.read(form)
    monkeypatch.chdir(tmp_path)
    for side, given in zip(("references", "predictions"), rows.given, strict=True):
        (tmp_path / f"{side}.jsonl").write_text(reproducing.json_lines(given) + "\n", encoding="utf-8")
    references, predictions = rows.given
    named: dict[str, Any] = {}
    exec(reproducing.python_lines(["kieval"], predictions, references, form.options), named)
    assert named["result"].to_dict() == {"kieval": score}
    command = reproducing.command_lines(["kieval"], predictions, references, form.options)
    assert bool(command) == has_command == ("Command line" in work.explain(form).html)
    if has_command:
        line = command.rpartition("docie score")[2]
        assert json.loads(cli_runs.run(*shlex.split(line)).stdout) == {"kieval": score}


def test_values_that_python_writes_as_names() -> None:
    named: dict[str, Any] = {}
    exec(reproducing.python_lines(["hed"], [{"a": float("nan"), "b": True, "c": None}], [{"b": "true"}], {}), named)
    assert named["result"]["hed_f1"] == 1.0


@pytest.mark.parametrize("name", ["A language model's answer", "Donut's token sequence"])
def test_raw_answers_are_read_and_what_was_repaired_is_said(name: str) -> None:
    example = EXAMPLES[name]
    form = Form(references=example.references, predictions=example.predictions, form=example.form, families=["kieval"])
    rows = inputs.read(form)
    assert rows.issues
    assert rows.predictions[0].document["vendor"] == "Juniper Cafe"
    assert "The answer was read like this" in work.explain(form).html


def test_an_answer_without_json_counts_as_empty() -> None:
    form = Form(references='{"total": "1"}', predictions="Sorry, I cannot.", form="llm", families=["kieval"])
    results = work.score(form)["kieval"]
    assert (results["invalid_predictions"], results["entity_recall"]) == (1, 0.0)


@pytest.mark.exhaustive
def test_the_report_is_that_of_the_package(tmp_path: Path) -> None:
    form = Form(references=RECEIPTS.references, predictions=RECEIPTS.predictions)
    rows = inputs.read(form)
    score_report(tmp_path / "report.html", rows.predictions, rows.references)
    assert work.report_of(form) == (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"schema": "/etc/passwd"}, "schema must be a JSON object here"),
        ({"schema": ["/etc/passwd"]}, "schema must be a JSON object here"),
        ({"weights": "/etc/passwd"}, "weights must be a JSON object here"),
        *(
            ({"config": {side: {option: value}}}, f"config: [{side}] {expected}")
            for side in ("references", "predictions")
            for option, value, expected in (
                ("rename", "/etc/passwd", "rename names a file, and none is read here"),
                ("rename", ["a=b", "/etc/passwd"], "rename names a file, and none is read here"),
                ("lines", "/etc/passwd", "lines names a file, and none is read here"),
                ("parse", "abbyy", "parse: expected auto, no, llm, donut"),
            )
        ),
        ({"config": {"references": {"unwarp": "x"}}}, "config: no key 'unwarp' (close: 'unwrap') in [references]"),
        (
            {"config": {"values": {"normalize_by": "/etc/passwd"}}},
            "config: [values] normalize_by names a file, and none",
        ),
        ({"config": {"rename": {"lines": "items"}}}, "config: the key 'rename' stands in no section"),
        ({"mathcing": "greedy"}, "Unknown option 'mathcing'"),
        ({"matching": "greed"}, "matching must be 'optimal' or 'greedy'"),
        ({"normalize": ["up"]}, "unknown normalizer 'up'"),
    ],
)
def test_options_that_are_refused(values: dict[str, Any], expected: str) -> None:
    form = Form(references='{"a": "1"}', predictions='{"a": "1"}', families=["kieval"], options=values)
    with pytest.raises(RefusedError) as caught:
        work.explain(form)
    assert (caught.value.field, str(caught.value).startswith(expected)) == ("options", True)
    if "mathcing" not in values:
        with pytest.raises(RefusedError):
            work.report_of(form)


@pytest.mark.parametrize(
    ("references", "predictions", "field", "expected"),
    [
        ("", "{}", "references", "The reference is empty"),
        ('{"a": }', "{}", "references", "reference:1: not a JSON object (Expecting value: column 7)"),
        ("{}", '{\n "a": "1"\n "b": "2"}', "predictions", "prediction:3: not JSON (Expecting ',' delimiter: column 2)"),
        ('{"a": "1"}\n{"a": "2"}', '{"a": "1"}', "predictions", "expected as many predictions as references"),
        ('{"id": "x", "a": "1"}', '{"id": "y", "a": "1"}', "predictions", "id 'x' is in the references but not"),
        ('{"a": {"value": "1", "confidence": 7}}', "{}", "references", ""),
        ("{}", '{"a": {"value": "1", "confidence": 7}}', "predictions", ""),
    ],
)
def test_errors_name_their_field_and_place(references: str, predictions: str, field: str, expected: str) -> None:
    with pytest.raises(RefusedError) as caught:
        work.explain(Form(references=references, predictions=predictions, families=["kieval"]))
    assert caught.value.field == field
    assert str(caught.value).startswith(expected)
    assert (caught.value.line is not None) == ("column" in expected)


TAGGED = '{"words": ["Total", "12.00"], "tags": ["O", "B-total"]}'
TOKENS = '{"tokens": ["Total", "12.00"], "ner_tags": ["O", "B-total"]}'
NUMBERED = '{"id": 7, "tokens": ["Total", "12.00"], "ner_tags": [0, 3]}'
OTHER_KEYS = "tagged words have the keys 'words' and 'tags': rename 'tokens' to 'words', 'ner_tags' to 'tags'"


@pytest.mark.parametrize(
    ("family", "references", "predictions", "expected"),
    [
        ("kieval", "null", "{}", 'The reference is null, where kieval reads {"total": "12.00"}, for instance.'),
        ("hed", '{"a": "1"}\n12', "{}\n{}", 'The reference, document 2, is 12, where hed reads {"total": "12.00"}, for instance.'),
        ("box_iou", '"none"', "[[]]", 'The reference is "none", where box_iou reads [{"label": "total", "box": [0, 0, 90, 20]}], for instance.'),
        ("entity_f1", TOKENS, TAGGED, f"The reference: {OTHER_KEYS}"),
        ("entity_f1", TAGGED, TOKENS, f"The prediction: {OTHER_KEYS}"),
        ("", NUMBERED, NUMBERED, f"The reference: {OTHER_KEYS}, and write the name of each tag, such as 'B-total', instead of its number"),
        ("kieval", TOKENS, TOKENS, f"The reference: {OTHER_KEYS}"),
        ("kieval", '{"a": "1"}', " ", "The prediction is empty: write JSON, open a file or take an example."),
    ],
)  # fmt: skip
def test_what_is_no_document_gets_an_example_of_one(
    family: str, references: str, predictions: str, expected: str
) -> None:
    form = Form(references=references, predictions=predictions, families=[family] if family else [])
    with pytest.raises(RefusedError) as caught:
        work.explain(form)
    assert str(caught.value) == expected
    assert limits.NAMES[caught.value.field] == expected[: len(limits.NAMES[caught.value.field])]


def test_fields_with_such_names_are_a_document() -> None:
    document = '{"tokens": ["Total"], "labels": ["urgent", "paid"]}'
    html = work.explain(Form(references=document, predictions=document, families=["kieval"])).html
    assert "data-can-be-reported" in html


def test_what_is_shown_of_a_value_can_be_sent() -> None:
    with pytest.raises(RefusedError, match=r"^The reference is \"a\\ud800x+…, where kieval reads ") as caught:
        work.explain(Form(references=json.dumps("a\ud800" + 100 * "x"), predictions="{}", families=["kieval"]))
    assert str(caught.value).encode()


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("null", "The prediction is null: it counts as an empty document. For an answer without values, write {}."),
        ("12", "The prediction is 12: it counts as an empty document. For an answer without values, write {}."),
        (
            '"Sorry"',
            'The prediction is "Sorry": it counts as an empty document. For an answer without values, write {}.',
        ),
    ],
)
def test_an_answer_that_is_no_document_says_what_it_counts_as(prediction: str, expected: str) -> None:
    for families in ([], ["kieval"]):
        answer = work.explain(Form(references='{"a": "1"}', predictions=prediction, families=families))
        assert expected in html.unescape(answer.html)
    for reference, families in (("null", []), ('{"a": "1"}', ["anls_star"])):
        answer = work.explain(Form(references=reference, predictions=prediction, families=families))
        assert expected not in html.unescape(answer.html)
