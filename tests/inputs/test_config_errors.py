"""What is wrong in a `docie.toml`, an entry or a mapping is told in one line, with its place and what was expected."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docie import corpus, kieval
from docie.core.normalizers import NORMALIZERS
from docie.inputs.config import reading_of

from checkout import needs_package
from cli_runs import lines, run_command

# the words after "not TOML (" are those of Python
WRONG: dict[str, tuple[str, int, str]] = {
    "an unknown section": ("[predictions]\nid = 'x'\n[prediction]\nunwrap = 'x'\n", 3, "no section 'prediction' (close: 'predictions')"),
    "an unknown key": ("# how\n[predictions]\nid = 'x'\n\nunwarp = 'x'\n", 5, "no key 'unwarp' (close: 'unwrap') in [predictions]"),
    "an unknown key without a close one": ("[join]\nzzz = 'x'\n", 2, "no key 'zzz' in [join]"),
    "a key of another section": ("[predictions]\nid = 'x'\nmissing = 'empty'\n", 3, "no key 'missing' in [predictions]; it is one of [join]"),
    "a key of a side under values": ("[values]\nunwrap = 'x'\n", 2, "no key 'unwrap' in [values]; it is one of [references] or [predictions]"),
    "a key outside of a section": ("version = 1\nunwrap = 'x'\n", 2, "the key 'unwrap' stands in no section; it is one of [references] or [predictions]"),
    "the same key on both sides, the second wrong": ("[references]\nid = 'x'\n[predictions]\nid = 3\n", 4, "[predictions] id must be text, got 3"),
    "a wrong type": ("[predictions]\n\n  unwrap = 3 # x\n", 3, "[predictions] unwrap must be text, got 3"),
    "a date": ("[predictions]\nunwrap = 2024-03-01\n", 2, "[predictions] unwrap must be text, got datetime.date(2024, 3, 1)"),
    "a list with a number": ("[predictions]\nignore = [\n  'a',\n  1,\n]\n", 2, "[predictions] ignore must be a text or a list of texts, got ['a', 1]"),
    "an empty text in a list": ("[references]\nstrip_id = ['ending', '']\n", 2, "[references] strip_id must be a text or a list of texts, got ['ending', '']"),
    "a wrong choice": ("[join]\nmissing = 'skip'\n", 2, "[join] missing must be 'error' or 'empty' or 'drop', got 'skip'"),
    "a wrong kind of records": ("[references]\nrecords = ['cells', 'grid']\n", 2, "[references] records must be json, tables, pairs, paths, dotted, numbered, columns, cells, rows or the name of a data set, got 'grid'"),
    "a service that is none": ("[predictions]\nparse = 'textract'\n", 2, "[predictions] parse: expected auto, no, llm, donut, or a service or an annotation tool, got 'textract' (close: 'textract_id', 'langextract', 'textract_lending')"),
    "a newer version": ("\nversion = 2\n[future]\nx = 1\n", 2, "version must be 1, got 2; a newer docie reads it"),
    "a version that is text": ("version = '1'\n", 1, "version must be 1, got '1'"),
    "a version that is a truth value": ("version = true\n", 1, "version must be 1, got True"),
    "no TOML": ("[predictions]\nunwrap = output\n", 2, "not TOML ("),
    "a section that is not closed": ("[predictions\n", 1, "not TOML ("),
    "a list that is not closed": ("[predictions]\nignore = ['a',\n", 3, "not TOML ("),
    "JSON": ('{"predictions": {}}', 1, "not TOML ("),
    "a key that stands twice": ("[predictions]\nunwrap = 'x'\nunwrap = 'y'\n", 3, "not TOML ("),
    "a section that stands twice": ("[predictions]\n[join]\n[predictions]\n", 3, "not TOML ("),
    "a side that is no table": ("version = 1\npredictions = 'x'\n", 2, "[predictions] must be a table of keys, got 'x'"),
    "a list of tables": ("[[predictions]]\nid = 'x'\n", 1, "[predictions] must be a table of keys, got [{'id': 'x'}]"),
    "systems that are no table": ("systems = 'x'\n", 1, "[systems] must be a table of keys, got 'x'"),
    "a system that is no table": ("[systems]\na.unwrap = 'x'\nb = 'x'\n", 3, "[systems.b] must be a table of keys, got 'x'"),
    "a key of another section in a system": ("[systems.a]\nid = 'x'\n[systems.'b c']\nid = 'x'\nmissing = 'x'\n", 5, "no key 'missing' in [systems.b c]; it is one of [join]"),
    "a file of names that is missing": ("[predictions]\nrename = 'names.yaml'\n", 2, "[predictions] rename: names.yaml: No such file or directory"),
    "a file of names that holds a list": ("[predictions]\nrename = 'list.json'\n", 2, "[predictions] rename: list.json: expected a mapping from names to names, got a list"),
    "names that are none": ("[predictions]\nrename = 'lines'\n", 2, "[predictions] rename must be OLD=NEW, a mapping of such names, a JSON or YAML file with one, or names of a service such as textract_expense:invoices, got 'lines'"),
    "names of no service": ("[predictions]\nrename = 'mistral:invoices'\n", 2, "[predictions] rename: expected names for 'invoices' or 'receipts' of a service, got 'invoices', 'mistral'"),
    "a name that is a number": ("[predictions.rename]\nlines = 'items'\nsum = 3\n", 3, "[predictions] rename must map names to names, got 'sum=3'"),
    "a name with a sign": ("[predictions]\nrename.lines = 'items'\nrename.'a=b' = 'c'\n", 3, "[predictions] rename: the name 'a=b' has a '='; rename it in the predictions"),
    "a schema that is missing": ("[values]\nschema = 'schema.json'\n", 2, "[values] schema: schema.json: cannot be read (No such file or directory)"),
    "a schema that is none": ("[values]\nschema = 'list.json'\n", 2, "[values] schema must be a JSON Schema or a pydantic model class, got 1"),
    "weights that are missing": ("[values]\nweights = 'weights.json'\n", 2, "[values] weights: weights.json: cannot be read (No such file or directory)"),
    "a weight below zero": ("[values.weights]\ntotal = 1\ntax = -1\n", 3, "[values] weights: 'tax' must be a number of at least 0, got -1"),
    "a normalizer that is none": ("[values]\nnormalize = { total = 'number', tax = 'up' }\n", 2, f"[values] normalize: unknown normalizer 'up', expected one of {', '.join(NORMALIZERS)}"),
    "a normalizer of a type": ("[values.normalize]\ntotal = 'number'\n\"sub total\" = 'up'\n", 3, f"[values] normalize: unknown normalizer 'up', expected one of {', '.join(NORMALIZERS)}"),
    "a rule that is none": ("[values]\nmatch.total = 'same_amount'\nmatch.tax = 'roughly'\n", 3, "[values] match: unknown rule 'roughly', expected similar(0.9), within(0.01), within(1%), same_amount or a function of two texts"),
    "normalizers by two columns": ("[values.normalize_by]\ncountry = {}\nvendor = {}\n", 1, "[values] normalize_by must map one column to {value: {entity type: normalizer}}, got {'country': {}, 'vendor': {}}"),
    "a file of normalizers that is missing": ("[values]\nnormalize_by = 'by.json'\n", 2, "[values] normalize_by: by.json: No such file or directory"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), [{"total": "1"}])
    Path("list.json").write_text("[1]")


@pytest.mark.parametrize("name", WRONG)
def test_the_line_of_what_is_wrong_in_a_file(name: str) -> None:
    text, line, problem = WRONG[name]
    for ending, mark in (("\n", ""), ("\r\n", "\ufeff")):
        Path("docie.toml").write_bytes((mark + text.replace("\n", ending)).encode())
        result = run_command("score", "r.jsonl", "r.jsonl", "--config", "docie.toml")
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith(f"docie.toml:{line}: {problem}")
        assert result.stderr.count("\n") == 1
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        corpus.evaluate(kieval, [], [], config="docie.toml")
    assert f"{error.value}\n" == result.stderr


def test_files_that_cannot_be_read() -> None:
    Path("docie.toml").write_bytes(b"[predictions]\nunwrap = 'M\xfcller'\n")
    Path("folder").mkdir()
    for path, problem in (
        ("docie.toml", "docie.toml:2: not UTF-8 (byte 0xfc)"),
        ("nowhere.toml", "nowhere.toml: No such file or directory"),
        ("folder", "folder: Is a directory; an entry is KEY=VALUE, such as predictions.unwrap=output"),
        ("unwrap", "unwrap: No such file or directory; an entry is KEY=VALUE, such as predictions.unwrap=output"),
        ("", "config is empty; expected a file or KEY=VALUE, such as predictions.unwrap=output"),
    ):
        for command in ("score", "errors", "threshold", "check"):
            result = run_command(command, "r.jsonl", "r.jsonl", "--config", path)
            assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{problem}\n")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("unwrap=x", "the key 'unwrap' stands in no section; it is one of [references] or [predictions]"),
        ("prediction.unwrap=x", "no section 'prediction' (close: 'predictions')"),
        ("predictions.unwarp=x", "no key 'unwarp' (close: 'unwrap') in [predictions]"),
        ("predictions=x", "[predictions] must be a table of keys, got 'x'"),
        ("systems.a=x", "[systems.a] must be a table of keys, got 'x'"),
        ("join.missing=skip", "[join] missing must be 'error' or 'empty' or 'drop', got 'skip'"),
        ("predictions.ignore=[1]", "[predictions] ignore must be a text or a list of texts, got [1]"),
        ("values.weights.total=x", 'expected KEY=VALUE, such as predictions.unwrap=output; a name of other signs than A-Z, a-z, 0-9, _ and - stands in quotes: predictions.rename."sub total"=tax'),
        ("predictions.rename.sub total=x", 'expected KEY=VALUE, such as predictions.unwrap=output; a name of other signs than A-Z, a-z, 0-9, _ and - stands in quotes: predictions.rename."sub total"=tax'),
    ],
)  # fmt: skip
def test_wrong_entries(entry: str, problem: str) -> None:
    result = run_command("score", "r.jsonl", "r.jsonl", "--config", entry)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{entry}: {problem}\n")


def test_of_several_parts_the_wrong_one_is_named() -> None:
    Path("good.toml").write_text("[predictions]\nunwrap = 'x'\n")
    Path("bad.toml").write_text("[predictions]\nignore = 3\n")
    for parts, name in (
        (["good.toml", "bad.toml", "join.missing=x"], "bad.toml:2: "),
        (["join.missing=x", "good.toml"], "join.missing=x: "),
        (["good.toml", {"join": {"extra": "empty"}}], "config: "),
    ):
        with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
            reading_of(parts)
        assert str(error.value).startswith(name)


@needs_package("jinja2")
@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"values": {"normalize_by": "SECRET"}}, "[values] normalize_by names a file, and none is read here"),
        ({"values": {"schema": "SECRET"}}, "[values] schema names a file, and none is read here"),
        ({"values": {"schema": [{"properties": {"a": {}}}, "SECRET"]}}, "[values] schema names a file, and none is"),
        ({"values": {"schema": "{/../SECRET"}}, "[values] schema names a file, and none is read here"),
        ({"values": {"weights": "SECRET"}}, "[values] weights names a file, and none is read here"),
        ({"predictions": {"lines": "SECRET"}}, "[predictions] lines names a file, and none is read here"),
        ({"references": {"lines": "SECRET"}}, "[references] lines names a file, and none is read here"),
        ({"predictions": {"rename": "SECRET"}}, "[predictions] rename names a file, and none is read here"),
        ({"predictions": {"rename": ["a=b", "SECRET"]}}, "[predictions] rename names a file, and none is read here"),
        ({"systems": {"a": {"rename": "SECRET"}}}, "[systems.a] rename names a file, and none is read here"),
        ("SECRET", "config must be a JSON object: no file is read here"),
        ("predictions.unwrap=x", "config must be a JSON object: no file is read here"),
        (["SECRET"], "config must be a JSON object: no file is read here"),
        ([{"predictions": {}}, "SECRET"], "config must be a JSON object: no file is read here"),
        (3, "config must be a path, a mapping or a list of these, got 3"),
    ],
)
def test_a_page_reads_no_file_that_a_configuration_names(config: Any, message: str, tmp_path: Path) -> None:
    from docie.spaces.common import work
    from docie.spaces.common.inputs import Form
    from docie.spaces.common.limits import RefusedError

    secret = tmp_path / "secret.json"
    secret.write_text('{"a": "b"}')
    config = json.loads(json.dumps(config).replace("SECRET", str(secret)))
    form = Form(references='{"a": "1"}', predictions='{"a": "1"}', families=["kieval"], options={"config": config})
    for step in (work.score, work.explain):
        with pytest.raises(RefusedError) as error:
            step(form)
        assert message in str(error.value)


@needs_package("jinja2")
def test_a_page_reads_what_a_mapping_says_itself() -> None:
    from docie.spaces.common import work
    from docie.spaces.common.inputs import Form

    config = {
        "predictions": {"rename": ["sum=total"], "unwrap": "out"},
        "values": {"normalize_by": '{"country": {"DE": {"total": "number"}}}', "weights": {"total": 2}},
    }
    form = Form(
        references='{"total": "1"}',
        predictions='{"out": {"sum": "1"}}',
        families=["kieval"],
        options={"config": config},
    )
    assert work.score(form)["kieval"]["entity_f1"] == 1
