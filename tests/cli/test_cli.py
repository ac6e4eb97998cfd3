"""The command line: inputs, outputs, and bad input, which is one line and exit code 2."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.core.family import get

from cli_runs import DOCUMENTS, EXPECTED, PREDICTIONS, lines, rows, run, run_command, scored


def test_json_equals_the_package(inputs: list[str]) -> None:
    assert scored(*inputs) == EXPECTED
    settings = kieval.Settings(matching="greedy", thresholds=[0.5], normalize=["casefold", 'number(decimal=",")'])
    options = ["--by-field", "--confidence-level", "0.9", "--workers", "2", "--metric", "kieval"]
    options += ["--option", "matching=greedy", "--option", "thresholds=[0.5]"]
    options += ["--normalize", "casefold", "--normalize", 'number(decimal=",")']
    expected = corpus.evaluate(kieval, PREDICTIONS, DOCUMENTS, settings, breakdown=True, confidence_level=0.9)
    assert scored(*inputs, *options) == expected


def test_normalisers_for_entity_types(inputs: list[str]) -> None:
    result = scored(*inputs, "--normalize", 'a=number(decimal=",")', "--normalize", "g.b=nfkc")
    assert """normalize:a=number(decimal=","),g.b=nfkc|""" in result["signature"]


@pytest.mark.parametrize(
    "kind", ["bare", "order", "list", "pretty", "folder", "stdin", "text", "gt_parse", "bom", "both"]
)
def test_every_form_of_input(kind: str, tmp_path: Path) -> None:
    stdin = None
    references, predictions = str(tmp_path / "r.json"), lines(tmp_path / "p.jsonl", rows("prediction", PREDICTIONS))
    if kind == "bare":
        lines(Path(references), DOCUMENTS)
        predictions = lines(tmp_path / "p.jsonl", PREDICTIONS)
    elif kind == "order":
        lines(Path(references), [{"document": document} for document in DOCUMENTS])
    elif kind in ("list", "pretty"):
        Path(references).write_text(json.dumps(rows("document", DOCUMENTS), indent=2 if kind == "pretty" else None))
    elif kind == "folder":
        references = str(tmp_path / "folder")
        Path(references).mkdir()
        for number, document in enumerate(DOCUMENTS):
            Path(references, f"r-{number}.json").write_text(json.dumps(document, indent=1))
    elif kind == "stdin":
        references, stdin = "-", "\n".join(map(json.dumps, rows("reference", DOCUMENTS)))
    elif kind == "text":
        lines(
            Path(references),
            [{**row, "reference": json.dumps(row["reference"])} for row in rows("reference", DOCUMENTS)],
        )
        texts = [
            {"id": row["id"], "prediction": json.dumps(row["prediction"])} for row in rows("prediction", PREDICTIONS)
        ]
        predictions = lines(tmp_path / "p.jsonl", texts)
    elif kind == "gt_parse":
        lines(
            Path(references),
            [{"ground_truth": json.dumps({"gt_parse": document, "meta": {}})} for document in DOCUMENTS],
        )
    elif kind == "bom":
        Path(references).write_text(
            "\ufeff" + "\n\n".join(map(json.dumps, rows("reference", DOCUMENTS))), encoding="utf-8"
        )
    elif kind == "both":
        joint = [
            {**one, **other}
            for one, other in zip(rows("reference", DOCUMENTS), rows("prediction", PREDICTIONS), strict=True)
        ]
        references = predictions = lines(tmp_path / "both.jsonl", joint)
    by_order = f"only {predictions} has ids, so rows are joined by order" if kind in ("order", "gt_parse") else ""
    assert scored(references, predictions, stdin=stdin, warning=by_order) == EXPECTED


def test_rows_are_joined_by_id_in_any_order(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", rows("reference", DOCUMENTS))
    predictions = lines(tmp_path / "p.jsonl", rows("prediction", PREDICTIONS)[::-1])
    assert scored(references, predictions) == EXPECTED


def test_missing_predictions_can_be_empty(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", rows("reference", DOCUMENTS))
    predictions = lines(tmp_path / "p.jsonl", rows("prediction", PREDICTIONS)[:1])
    expected = corpus.evaluate(kieval, [PREDICTIONS[0], {}, {}], DOCUMENTS)
    expected["signature"] = expected["signature"].replace("|version", "|reading:join.missing(empty)|version")
    result = run(references, predictions, "--config", "join.missing=empty", "--format", "json")
    assert json.loads(result.stdout) == {"kieval": expected}


GOOD = '{"id": "a", "document": {"x": "1"}}\n{"id": "b", "document": {}}\n'


@pytest.mark.parametrize(
    ("references", "predictions", "message"),
    [
        (GOOD, '{"x": 1}\n{"x": 1 "y": 2}\n', "p.jsonl:2: not a JSON object (Expecting ',' delimiter: column 9)"),
        ("{}\n", "{\n", "p.jsonl:1: not a JSON object (Expecting property name enclosed in double quotes: column 2)"),
        ("{}\n", "\n\n{\n", "p.jsonl:3: not a JSON object (Expecting property name"),
        (GOOD, '{"prediction": {}}\n' + GOOD, "p.jsonl:2: an id, but the first row has none"),
        ("\n", "", "r.jsonl: no documents"),
        ("{}\n{}\n", '{}\n{"id": true, "document": {}}\n', "p.jsonl:2: id must be text or a whole number, got true"),
        ("{}\n", "\n{}\n\n{}\n", "expected as many predictions as references, got 2 and 1"),
        ("{}\n{}\n{}\n", "{}\n", "expected as many predictions as references, got 1 and 3"),
        ("", "{}\n", "expected as many predictions as references, got 1 and 0"),
        (GOOD, '{"id": "a", "document": {}}\n', "id 'b' is in the references but not in the predictions"),
        (GOOD, GOOD + '{"id": "c", "document": {}}\n', "id 'c' is in the predictions but not in the references"),
        (GOOD, GOOD + GOOD, "p.jsonl:3: id 'a' stands twice, first at p.jsonl:1"),
        (GOOD + GOOD, GOOD, "r.jsonl:3: id 'a' stands twice, first at r.jsonl:1"),
        (GOOD, GOOD.replace('"id": "b", ', ""), "p.jsonl:2: no id, but the first row has one"),
        (GOOD, GOOD.replace('"a"', "[1]"), "p.jsonl:1: id must be text or a whole number, got [1]"),
        ('{"id": "a"}\n', '{"id": "a"}\n', "r.jsonl:1: an id, but no document"),
        ('{}\n["x"]\n', "{}\n{}\n", "r.jsonl:2: reference must be a JSON object, got a list"),
        ("{}\nnull\n", "{}\n{}\n", "r.jsonl:2: reference must be a JSON object, got null"),
        ('{"reference": "{\\"x"}\n', "{}\n", "r.jsonl:1: 'reference' is not JSON (Unterminated string"),
        ("{}\n\n{}\n", '{}\n{"g": {"p": {"value": "1", "confidence": 1.7}}}\n', "p.jsonl:2, entity 'g.p': confidence must be between 0 and 1, got 1.7"),
        ("{}\n", '{"p": {"value": "1", "confidence": NaN}}\n', "p.jsonl:1, entity 'p': confidence must be between 0 and 1, got nan"),
        ('{"a": {"$any_of": 5}}\n', "{}\n", "r.jsonl:1, entity 'a': $any_of must hold a list, got 5"),
        ("{}\n", '{"a": ' + "9" * 5000 + "}\n", "p.jsonl:1: expected a number of at most 4,300 digits, got one of 5,000 (column 7)"),
        ("{}\n", b'{"a": "\xff"}\n', "p.jsonl:1: not UTF-8 text (byte 7)"),
    ],
)  # fmt: skip
def test_bad_input(
    references: Any, predictions: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("r.jsonl", references), ("p.jsonl", predictions)):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    result = run("r.jsonl", "p.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message)
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{r}", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["{r}", "{tmp}/empty"], "{tmp}/empty: no .json files in this folder"),
        (["{r}", "{tmp}/" + "x" * 5000], "{tmp}/" + "x" * 5000 + ": File name too long"),
        (
            ["{r}", "{p}", "--option", "mat\nching=3"],
            "unknown option 'mat\\nching' of kieval, expected one of: costs, empty_groups, evidence, match, matching, normalize, ontology, schema, thresholds, weights",
        ),
        (["{r}", "{p}", "--option", "thresholds=" + "[" * 20000], "thresholds must be a list of numbers"),
        (["{r}", "{p}", "--normalize", "-" * 20000 + "1"], "unknown normalizer '-----"),
        (
            ["{r}", "{p}", "--normalize", 'date(day_first="no")'],
            "date: day_first must be True, False or None, got 'no'",
        ),
        (
            ["{r}", "{p}", "--metric", "f2"],
            f"unknown family 'f2', expected one of: {', '.join(docie.families())}",
        ),
        (["{r}", "{p}", "--option", "matching"], "--option must be NAME=VALUE, got 'matching'"),
        (
            ["{r}", "{p}", "--option", "mathcing=x"],
            "unknown option 'mathcing' of kieval, expected one of: costs, empty_groups, evidence, match, matching, normalize, ontology, schema, thresholds, weights",
        ),
        (["{r}", "{p}", "--option", "matching=x"], "matching must be 'optimal' or 'greedy', got 'x'"),
        (["{r}", "{p}", "--normalize", "x"], "unknown normalizer 'x', expected one of nfkc"),
        (["{r}", "{p}", "--normalize", "nfkc", "--normalize", "a=date"], "--normalize: name an entity type"),
        (["{r}", "{p}", "--confidence-level", "95"], "--confidence-level must be between 0 and 1, got 95.0"),
        (["{r}", "{p}", "--workers", "0"], "--workers must be a whole number of at least 1, got 0"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str, inputs: list[str], tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    names = {"r": inputs[0], "p": inputs[1], "tmp": str(tmp_path)}
    result = run(*(argument.format(**names) for argument in arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(message.format(**names))
    assert result.stderr.count("\n") == 1


FORMS: dict[str, Any] = {
    "rows": lambda document: json.dumps(document),
    "a list": lambda document: json.dumps([document, document]),
    "wrappers": lambda document: json.dumps({"id": "a", "document": document}),
    "a list of wrappers": lambda document: json.dumps([{"id": "a", "document": document}], indent=1),
    "texts": lambda document: json.dumps({"prediction": json.dumps(document)}),
    "records": lambda document: json.dumps({"ground_truth": json.dumps({"gt_parse": document})}),
    "a folder": lambda document: json.dumps(document),
}


@pytest.mark.parametrize("metric", ["kieval", "anls_star", "nted"])
@pytest.mark.parametrize("form", FORMS)
def test_the_deepest_document(form: str, metric: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every form, and with a confidence, it may have 100 levels; one more is an error that names the place."""
    monkeypatch.chdir(tmp_path)
    path = Path("folder", "p.json") if form == "a folder" else Path("p.json")
    path.parent.mkdir(exist_ok=True)
    files = ["folder" if form == "a folder" else "p.json"] * 2
    leaf = {"value": "x", "confidence": 0.9, "box": [0, 0, 1, 1]}
    path.write_text(FORMS[form](nested(100, leaf)) + "\n")
    assert scored(*files, "--metric", metric)["documents"] == (2 if form == "a list" else 1)
    path.write_text(FORMS[form](nested(101, leaf)) + "\n")
    result = run(*files, "--metric", metric)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith(str(path))
    assert ", entity 'a.a." in result.stderr
    assert result.stderr.endswith(": nested more than 100 levels deep\n")


def nested(levels: int, value: Any) -> Any:
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize("levels", [150, 10_000])
def test_deep_nesting(levels: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), [{}, {}])
    Path("p.jsonl").write_text("{}\n" + '{"a":' * levels + "1" + "}" * levels + "\n")
    result = run("r.jsonl", "p.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "p.jsonl:2: nested more than 100 levels deep (column 551)\n"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[\n {"a": 1},\n {"a": {"value": 1, "confidence": 3}}\n]', "p.json, element 2, entity 'a': confidence must"),
        ('[\n {"a": 1},\n {"a" 1}\n]', "p.json:3: not JSON (Expecting ':' delimiter: column 7)"),
    ],
)
def test_places_in_a_json_list(text: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), [{}, {}])
    Path("p.json").write_text(text)
    result = run("r.jsonl", "p.json")
    assert (result.exit_code, result.stderr[: len(place)]) == (2, place)


def test_places_in_a_folder(tmp_path: Path) -> None:
    for name, text in (("b.json", "{}"), ("a.json", "\ufeff{}"), (".hidden.json", "{"), ("c.json", "{\n\n1}")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    result = run(str(tmp_path), str(tmp_path))
    assert (result.exit_code, result.stderr.splitlines()[0][: len(str(tmp_path)) + 11]) == (2, f"{tmp_path}/c.json:3: ")
    (tmp_path / "c.json").write_text('{"x": {"value": 1, "confidence": 2}}')
    assert run(str(tmp_path), str(tmp_path)).stderr.startswith(f"{tmp_path}/c.json, entity 'x': confidence must")


@pytest.mark.parametrize("first", ["null", '"I cannot read this."', "[1]"])
def test_a_first_answer_that_is_no_object(first: str, tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"a": "1"}, {"a": "2"}])
    predictions = f'{first}\n\n{{"a": "2"}}\n'
    assert scored(references, "-", stdin=predictions)["true_positives"] == 1
    (tmp_path / "p.jsonl").write_text(predictions)
    assert scored(references, str(tmp_path / "p.jsonl"))["invalid_predictions"] == 1


def test_a_list_of_objects_holds_the_rows_of_a_file(tmp_path: Path) -> None:
    for name in ("list.jsonl", "list.NDJSON", "list.json"):
        path = tmp_path / name
        path.write_text(json.dumps(DOCUMENTS))
        assert scored(str(path), str(path))["documents"] == 3


def test_ids_may_be_numbers_on_one_side(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"id": 1, "document": {"a": "1"}}, {"id": 2, "document": {}}])
    predictions = lines(tmp_path / "p.jsonl", [{"id": "2", "document": {}}, {"id": "1", "document": {"a": "1"}}])
    assert scored(references, predictions)["document_accuracy"] == 1.0


def test_warnings(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", rows("reference", DOCUMENTS))
    nothing = lines(tmp_path / "p.jsonl", [])
    result = run(references, nothing, "--config", "join.missing=empty")
    assert result.exit_code == 0
    assert result.stderr == (
        "warning: 3 references without a prediction, scored against nothing\n"
        "warning: no prediction holds a value, in 3 documents\n"
    )
    meant = lines(tmp_path / "m.jsonl", [{"prediction": {"a": "1"}, "model": "m"}] * 2)
    result = run(lines(tmp_path / "d.jsonl", [{}, {}]), meant)
    assert result.stderr.startswith("warning: 'prediction' holds an object beside other keys, so the whole row is read")


def test_a_reader_that_has_seen_enough(inputs: list[str]) -> None:
    script = f"set -o pipefail; {sys.executable} -m docie score {' '.join(inputs)} | head -0"
    assert subprocess.run(["bash", "-c", script], capture_output=True, check=False).returncode == 0


def test_odd_input_that_is_scored(tmp_path: Path) -> None:
    huge = "x" * 5_000_000
    documents = [{"a": huge}, {"\ud800": "\udc00"}, {"a": [[[["1"]]]], "b": float("nan")}]
    path = lines(tmp_path / "odd.jsonl", documents)
    command = [sys.executable, "-m", "docie", "score", path, path, "--by-field"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONIOENCODING": "utf-8"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\ud800" in done.stdout


def test_the_table(inputs: list[str]) -> None:
    result = run(*inputs, "--by-field", "--option", "thresholds=[0.5]", "--confidence-level", "0.9")
    assert result.exit_code == 0
    for text in ("entity_f1", f"{EXPECTED['entity_f1']:.4f}", "by entity type", "g.b", "by group type", "automation"):
        assert text in result.stdout
    assert "3 documents, joined by id, invalid predictions: 1 · kieval|confidence_level:0.9" in " ".join(
        result.stdout.split()
    )


def test_a_narrow_terminal_cuts_no_number(inputs: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    [row] = [line.split() for line in run(*inputs, "--by-field").stdout.splitlines() if line.startswith(" g.b ")]
    assert row == ["g.b", "0.6667", "1.0000", "0.5000", "1", "2"]


def test_of_many_fields_those_that_cost_most_are_shown(tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{f"f{number:02}": "1" for number in range(40)}])
    predictions = lines(tmp_path / "p.jsonl", [{f"f{number:02}": "12"[number > 4] for number in range(40)}])
    shown = run(references, predictions, "--by-field", "--format", "markdown").stdout
    assert "**by entity type, the 30 that cost most of 40**" in shown
    names = re.findall(r"^\| (f\d\d) ", shown, re.MULTILINE)
    assert (len(names), names[0]) == (30, "f05")
    everything = run(references, predictions, "--by-field", "--format", "markdown", "--all-scores").stdout
    assert len(re.findall(r"^\| f\d\d ", everything, re.MULTILINE)) == 40
    assert len(scored(references, predictions, "--by-field")["per_entity"]) == 40


def test_markdown(inputs: list[str]) -> None:
    result = run(*inputs, "--format", "markdown", "--by-field")
    found = result.stdout.splitlines()
    assert found[:2] == ["| score | meaning | value |", "| :-- | :-- | --: |"]
    assert found[2].startswith("| entity_f1 | ")
    assert found[2].endswith(f" | {EXPECTED['entity_f1']:.4f} |")
    assert "| entity type | f1 | precision | recall | corrections | support |" in found
    assert "| g.b | 0.6667 | 1.0000 | 0.5000 | 1 | 2 |" in found
    everything = run(*inputs, "--format", "markdown", "--all-scores").stdout.splitlines()
    assert everything[:3] == ["| score | value |", "| :-- | --: |", f"| entity_f1 | {EXPECTED['entity_f1']:.4f} |"]
    assert found[-1] == f"3 documents, joined by id, invalid predictions: 1 · {EXPECTED['signature']}"


@pytest.mark.parametrize("family", docie.families())
def test_the_scores_of_a_family(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    shown = run_command("families", family).stdout
    for score in get(family).SCORES:
        [line] = [line for line in shown.splitlines() if line.strip().startswith(f"{score.name} ")]
        assert line.split() == [
            score.name, *["(headline)"] * score.headline, score.better, score.kind, *score.meaning.split()
        ]  # fmt: skip


def test_families_and_version() -> None:
    assert run_command("families", "kieva").stderr.startswith("unknown family 'kieva', expected one of: anls_star, ")

    for arguments, expected in ((["--version"], f"{docie.__version__}\n"), (["families"], "anls_star ")):
        done = subprocess.run([sys.executable, "-m", "docie", *arguments], capture_output=True, text=True, check=True)
        assert done.stdout.startswith(expected)


def test_options_of_intervals(inputs: list[str]) -> None:
    options = {"confidence_level": 0.9, "interval": "percentile", "bootstrap_samples": 50, "seed": 7}
    expected = corpus.evaluate(kieval, PREDICTIONS, DOCUMENTS, **options)  # type: ignore[arg-type]
    resampled = ["--confidence-level", "0.9", "--interval", "percentile", "--option"]
    assert scored(*inputs, *resampled, "bootstrap_samples=50", "--option", "seed=7") == expected
    assert "bootstrap_samples:50" in expected["signature"]
    assert "seed:7" in expected["signature"]
    message = "bootstrap_samples must be a whole number of at least 1, got 0\n"
    assert run(*inputs, *resampled, "bootstrap_samples=0").stderr == message


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("kieval", ["items.nm", "total", "date"]),
        ("anls_star", ["items.nm", "items", "total", "date"]),
        ("text_match", ["items.nm", "total", "date"]),
    ],
)
def test_of_tables_by_field_what_costs_most_comes_first(metric: str, expected: list[str], tmp_path: Path) -> None:
    references = lines(tmp_path / "r.jsonl", [{"date": "a", "total": "bbbb", "items": [{"nm": "c"}, {"nm": "d"}]}])
    predictions = lines(tmp_path / "p.jsonl", [{"date": "a", "total": "bbbx", "items": [{"nm": "x"}, {"nm": "y"}]}])
    result = run(references, predictions, "--metric", metric, "--by-field", "--format", "markdown")
    table = result.stdout.partition("| entity type ")[2].partition("\n\n")[0]
    assert [line.split(" | ")[0].strip("| ") for line in table.splitlines()[2:]] == expected
