"""Thirty invoices in every form score as their JSON Lines file does, on the command line and in Python, and their
confidences, boxes and pages arrive."""

from __future__ import annotations

import json
import re
import shutil
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
from configured import entries

import docie
from docie import corpus, kieval
from docie.adapters import exports, services
from docie.documents.leaves import is_scored_leaf
from docie.inputs.config import reading_of

from cli_runs import lines, run, run_command, without_intervals
from forms import exports as exporters
from forms.invoices import Case, cases, header_only, leaves_of, texts_of
from forms.table import FORMS, PYTHON_FORMS, Form, PythonForm
from sizes import length

FEW = {"a JSON list", "CSV, a row for each value", "Excel, with a sheet of line items", "answers of a model as text files",
       "OpenAI batch, chat completions", "Azure Document Intelligence", "Label Studio", "frames of pandas"}  # fmt: skip
"""The forms of the default run."""
READ_AS = re.compile(r"warning: \S+: read \d+ (predictions|references) as ")
FACTS = ("confidence", "box", "page")


def every(forms: list[Any]) -> pytest.MarkDecorator:
    """All forms as parameters of a test: most of them only with all tests."""
    parameters = []
    for form in forms:
        marks = [] if form.name in FEW else [pytest.mark.exhaustive]
        parameters.append(pytest.param(form, id=form.name, marks=marks))
    return pytest.mark.parametrize("form", parameters)


@cache
def invoices(number: int, *, is_header: bool = False) -> list[Case]:
    return [header_only(case) if is_header else case for case in cases(number)]


@cache
def expected(number: int, *, is_header: bool = False) -> Any:
    """The figures of the documents themselves."""
    corpus_of = invoices(number, is_header=is_header)
    predictions = [{"id": case.id, "document": leaves_of(case.found)} for case in corpus_of]
    references = [{"id": case.id, "document": texts_of(case.truth)} for case in corpus_of]
    return figures(corpus.evaluate(kieval, predictions, references, breakdown=True))


def figures(results: Any) -> Any:
    """All figures, per field too, but not how the rows were read."""
    return json.loads(json.dumps({key: value for key, value in results.items() if key != "signature"}))


def config_of(typed: list[str]) -> list[str]:
    """What options ask for, in Python."""
    return [value for option, value in pairwise(typed) if option == "--config"]


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """What leaves say beside their values, by their paths."""
    if is_scored_leaf(value):
        return {path: {key: value[key] for key in FACTS if value.get(key) is not None}}
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return {name: fact for key, child in children for name, fact in leaves(child, f"{path}.{key}").items()}


def planted(case: Case, form: Form) -> dict[str, Any]:
    found = leaves(leaves_of(case.found))
    return {path: {key: pytest.approx(fact, abs=2e-6) for key, fact in facts.items() if key in form.carries}
            for path, facts in found.items()}  # fmt: skip


@every(FORMS)
@length(30, 6)
def test_every_form_of_files(form: Form, length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in form.needs:
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    corpus_of = invoices(length, is_header=form.is_header)
    arguments = form.prepare(tmp_path, corpus_of)
    assert scored_without_warnings(arguments) == expected(length, is_header=form.is_header)

    paths = dict(zip(("reference", "prediction"), arguments[:2], strict=True))
    sides = {side: docie.read(path, side=side, config=config_of(arguments)) for side, path in paths.items()}
    results = corpus.evaluate(kieval, sides["prediction"], sides["reference"], config=entries("id=id"), breakdown=True)
    assert figures(results) == expected(length, is_header=form.is_header)

    found = {row["id"]: row["document"] for row in sides["prediction"]}
    if form.carries:
        assert {case.id: leaves(found[case.id]) for case in corpus_of} == {
            case.id: planted(case, form) for case in corpus_of
        }
    if "confidence" in form.carries:
        assert thresholds(arguments) == thresholds_of_json_lines(corpus_of, tmp_path / "json_lines")


def scored_without_warnings(arguments: list[str]) -> Any:
    """The figures of a run that warns of nothing. It says how answers are read, and what was repaired."""
    result = run(*arguments, "--by-field", "--format", "json")
    notes = [line for line in without_intervals(result.stderr).splitlines() if not READ_AS.match(line)]
    assert (result.exit_code, notes) == (0, [])
    [results, *_] = json.loads(result.stdout).values()  # behind it may be issues of reading
    return figures(results)


def thresholds(arguments: list[str]) -> Any:
    result = run_command("threshold", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return figures(json.loads(result.stdout))


def thresholds_of_json_lines(corpus_of: list[Case], folder: Path) -> Any:
    folder.mkdir()
    arguments = FORMS[0].prepare(folder, corpus_of)
    return thresholds([str(folder / name) for name in arguments])


@every(PYTHON_FORMS)
@length(30, 6)
def test_every_form_of_python_objects(form: PythonForm, length: int) -> None:
    for package in form.needs:
        pytest.importorskip(package)
    predictions, references = form.write(invoices(length))
    results = docie.load("kieval").compute(predictions=predictions, references=references, breakdown=True)
    assert figures(results) == expected(length)


@pytest.mark.exhaustive
@every([form for form in FORMS if "rename" in form.typed])
@length(30, 20)
def test_check_finds_the_names_of_services(
    form: Form, length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that references have other formats: the score is that of names and formats which a person has written."""
    monkeypatch.chdir(tmp_path)
    arguments = form.prepare(tmp_path, invoices(length))[:2]
    found = run_command("check", *arguments, "--write", "docie.toml")
    assert (found.exit_code, found.stderr) == (1, "")
    assert scored_without_warnings([*arguments, "--config", "docie.toml"]) == expected(length)

    german = [case for case in cases(4 * length) if case.country == "DE"]
    rows = [{"id": case.id, "reference": {**texts_of(case.truth), **case.plain}} for case in german]
    shutil.rmtree("answers")
    form.write(tmp_path, german)
    lines(Path("references.jsonl"), rows)
    report = json.loads(run_command("check", *arguments, "--format", "json").stdout)
    formats = [part for found in report["findings"] if found["kind"] == "format" for part in found["options"]]
    types = {text.partition("=")[0].partition(".")[2].partition(".")[2].strip('"') for text in formats}
    assert types >= {*[*german[0].plain][2:]}
    score = run(*form.typed.split(), *formats, "--score", "entity_f1").stdout
    assert report["findings"][-1]["after"] == float(score)


@every([form for form in FORMS if form.is_service])
@length(30, 6)
def test_every_service_in_python(form: Form, length: int, tmp_path: Path) -> None:
    corpus_of = invoices(length, is_header=form.is_header)
    *_, path = form.prepare(tmp_path, corpus_of)[:2]
    names = reading_of(config_of(form.typed.split())).predictions.renamed
    found = {}
    for case in corpus_of:
        answer = json.loads((tmp_path / path / f"{case.id}.json").read_text(encoding="utf-8"))
        parsed = services.to_document(answer)
        assert [issue for issue in parsed.issues if "pass it as `parse`" not in issue] == []
        found[case.id] = services.renamed(cast("dict[str, Any]", parsed.document), names)
        assert not form.carries or leaves(found[case.id]) == planted(case, form)
    references = [texts_of(case.truth) for case in corpus_of]
    results = corpus.evaluate(kieval, [*found.values()], references, breakdown=True)
    assert figures(results) == expected(length, is_header=form.is_header)


@length(30, 6)
def test_exports_with_line_items_in_python(length: int, tmp_path: Path) -> None:
    """Their relations make the line items."""
    corpus_of = invoices(length)
    exporters.label_studio(tmp_path, corpus_of)
    exporters.doccano(tmp_path, corpus_of)
    [*tasks] = exports.label_studio(json.loads((tmp_path / "export.json").read_text(encoding="utf-8")), group="items")
    predictions = [task["prediction"] for task in tasks]
    assert [leaves(each) for each in predictions] == [planted(case, FORMS[0]) for case in corpus_of]
    [*lines] = exports.doccano(
        map(json.loads, (tmp_path / "export.jsonl").read_text("utf-8").splitlines()), group="items"
    )
    for rows in (tasks, lines):
        results = corpus.evaluate(kieval, predictions, [row["reference"] for row in rows], breakdown=True)
        assert figures(results) == expected(length)
