"""The files of protocols, and what is asked by their names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, protocols
from docie.core.family import get
from docie.core.scores import score_of
from docie.protocols.protocol import FOLDER, read
from docie.questions.protocols import protocols as ask

from checkout import needs_package
from cli_runs import run_command
from size import size_of

ALL = [*protocols.names(), *protocols.names(waiting=True)]
SCORERS = sorted({protocols.get(name).scorer for name in protocols.names()} - {""})
REFERENCES = [{"id": f"r-{n}", "document": {"total": f"{n}.00", "date": ""}} for n in range(6)]
PREDICTIONS = [{"id": f"r-{n}", "document": {"total": f"{n}.00" if n else "9", "date": ""}} for n in range(6)]
SIDES: dict[str, Any] = {"references": REFERENCES, "predictions": PREDICTIONS}
TEXT = {"type": "string"}
START = 'title = "X"\n'
REFERENCE = '[reference]\npaper = "X"\nurl = "https://x.org"\n'


@pytest.mark.parametrize("name", ALL)
def test_a_protocol_is_whole(name: str) -> None:
    protocol = protocols.get(name)
    protocol.check()
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    assert "\n" not in protocol.title
    assert protocol.reference.url.startswith("https://")
    assert protocol.missing or (protocol.compared and sum(each.documents for each in protocol.compared) >= 100)
    for each in protocol.published:
        assert 0 <= each.score <= protocol.scale
    for compared in protocol.compared:
        assert bool(compared.differences) == bool(compared.why)
        assert 0 <= compared.differences <= compared.documents


def test_every_file_and_every_scorer_is_used() -> None:
    assert sorted(ALL) == sorted(path.stem for path in FOLDER.glob("*.toml"))
    modules = {path.stem for path in (FOLDER.parent / "scorers").glob("*.py")} - {"__init__"}
    assert {*SCORERS} == modules
    for path in (FOLDER.parent / "scorers").glob("*.py"):
        assert size_of(path.read_text(encoding="utf-8")).lines <= 120, path


@pytest.mark.parametrize("name", SCORERS)
def test_a_scorer_counts_as_a_family_and_is_none(name: str) -> None:
    assert name == get(name).NAME
    assert name not in docie.families()
    with pytest.raises(ValueError, match=f"unknown family '{name}', expected one of: anls_star"):
        docie.score(**SIDES, metric=name)
    family = get(name)
    empty = {"document": {}, "tags": [], "value": "<table></table>"}[family.INPUTS[0]]
    for key in family.score(family.count(empty, empty, _settings(name))):
        assert score_of(family, key).meaning


def _settings(name: str) -> object:
    settings: Any = get(name).Settings
    asks = any(protocols.get(each).asks for each in protocols.names() if protocols.get(each).scorer == name)
    return settings(schema={"properties": {}}) if asks else settings()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (START + 'missing = "data"\nfamly = "x"\n' + REFERENCE, r"no key 'famly' \(close: 'family'\) in protocol"),
        (START + REFERENCE, "expected exactly one of family, scorer and missing"),
        (
            START + 'missing = "data"\nfamily = "kieval"\n' + REFERENCE,
            "expected exactly one of family, scorer and missing",
        ),
        (START + 'family = "kieval"\nquoted = "aligned"\n' + REFERENCE, "expected quoted, called, and a scale"),
        (START + 'missing = "data"\n[reference]\npaper = "X"\n', "reference: expected the key 'url'"),
        (
            START + 'missing = "data"\n' + REFERENCE + '[[published]]\nsystem = "x"\n',
            "published: expected the key 'data'",
        ),
    ],
)
def test_wrong_files(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        read("x", text)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('family = "kieval"\nquoted = "f1"', "quoted: kieval has no score 'f1'"),
        ('family = "kieval"\nquoted = "aligned"\nsettings = {mathcing = "greedy"}', "unknown option 'mathcing'"),
        ('family = "kieval"\nquoted = "aligned"\nreading = {join = {missing = "drop it"}}', "missing must be"),
        ('family = "kieval"\nquoted = "aligned"\nasks = ["schemas"]', "asks: kieval has no option 'schemas'"),
        ('family = "kievel"\nquoted = "aligned"', "unknown family 'kievel'"),
    ],
)
def test_files_that_do_not_fit_their_family(line: str, problem: str) -> None:
    protocol = read("x", f'{START}called = "X"\n{line}\n{REFERENCE}')
    with pytest.raises(ValueError, match=problem):
        protocol.check()


# What is asked by name


def test_the_quoted_score_comes_first_and_the_signature_names_the_protocol() -> None:
    result = docie.score(**SIDES, protocol="sroie")
    assert str(result).splitlines()[0] == "sroie: F1 91.67 (of 100)"
    assert "|protocol:sroie|" in result.signature
    assert result.to_dict()["protocol"] == {
        "name": "sroie",
        "score": "F1",
        "value": pytest.approx(91.6667, abs=1e-4),
        "scale": 100,
    }
    plain = docie.score(**SIDES)
    assert "protocol" not in plain.to_dict()
    assert "protocol:" not in plain.signature


def test_options_that_do_not_change_the_score() -> None:
    plain = docie.score(**SIDES, protocol="kieval")
    more: dict[str, Any] = {
        "by_field": True,
        "confidence_level": 0.95,
        "workers": 2,
        "metric": "kieval",
        "empty_groups": "count",
    }
    rows: dict[str, Any] = {
        side: [{"key": row["id"], **row["document"]} for row in rows] for side, rows in SIDES.items()
    }
    joined = docie.score(**rows, protocol="kieval", config=["references.id=key", "predictions.id=key"], **more)
    assert joined["entity_f1"] == plain["entity_f1"]
    assert joined.results["kieval"]["per_entity"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"protocol": "docvqua"}, r"unknown protocol 'docvqua' \(close: 'docvqa'\); docie protocols lists them"),
        ({"protocol": "grits"}, "protocol grits cannot be made yet: tables as grids"),
        ({"protocol": "kieval", "metric": "hed"}, "metric: protocol kieval has kieval, got hed"),
        (
            {"protocol": "kieval", "metric": "all"},
            "metric: (protocol kieval has kieval|expected one family), got '?all",
        ),
        ({"protocol": "kieval", "matching": "greedy"}, "matching: protocol kieval has 'optimal', got 'greedy'"),
        ({"protocol": "kieval", "empty_groups": "ignore"}, "empty_groups: protocol kieval has 'count', got 'ignore'"),
        ({"protocol": "kieval", "normalize": "nfkc"}, "normalize: protocol kieval has None, got 'nfkc'"),
        ({"protocol": "kieval", "mathcing": "x"}, "unknown option 'mathcing'"),
        ({"protocol": "sroie", "normalize": "nfkc"}, "unknown option 'normalize'"),
        (
            {"protocol": "kieval", "config": {"values": {"normalize": "nfkc"}}},
            "config: protocol kieval says when values",
        ),
        ({"protocol": "docubench"}, "schema: protocol docubench needs it"),
    ],
)
def test_what_contradicts_a_protocol_is_refused(options: dict[str, Any], problem: str) -> None:
    for question in (docie.score, _compare):
        with pytest.raises(ValueError, match=problem):
            question(**SIDES, **options)


def test_how_files_are_read_beside_what_a_user_says() -> None:
    protocol = read(
        "x", f'{START}called = "X"\nfamily = "hed"\nquoted = "hed_f1"\nreading.join.missing = "empty"\n{REFERENCE}'
    )
    reading = protocol.with_config({"predictions": {"unwrap": "output"}})
    assert str(reading) == "join.missing(empty)+predictions.unwrap(output)"
    assert protocol.with_config({"join": {"missing": "empty"}}).options == {"join.missing": "empty"}
    with pytest.raises(ValueError, match=r"config: protocol x has join.missing='empty', got 'drop'"):
        protocol.with_config({"join": {"missing": "drop"}})


def _compare(*, references: Any, predictions: Any, **options: Any) -> Any:
    return docie.compare(references=references, systems={"a": predictions, "b": references}, **options)


def test_comparison_of_the_quoted_score() -> None:
    result = docie.compare(references=REFERENCES, systems={"a": PREDICTIONS, "b": REFERENCES}, protocol="sroie")
    assert str(result).splitlines()[0] == "sroie: F1 a 91.67, b 100.00 (of 100)"
    assert [row["score"] for row in result.results["comparisons"]] == ["f1"]
    assert "|protocol:sroie|" in result.signature
    anls = docie.compare(references=REFERENCES, systems={"a": PREDICTIONS, "b": REFERENCES}, protocol="anls-star")
    assert str(anls).startswith("anls-star: ANLS* a ")


@pytest.mark.parametrize("name", protocols.names())
def test_processes_partials_and_intervals(name: str) -> None:
    """What the engine does with families it does with scorers."""
    protocol = protocols.get(name)
    family = protocol.computed_by
    if "document" not in family.INPUTS:
        pytest.skip("it reads no documents")
    options = {"schema": {"type": "object", "properties": {"total": TEXT}}} if protocol.asks else {}
    settings = family.Settings(**protocol.with_options(options))
    predictions, references = ([row["document"] for row in rows] for rows in (PREDICTIONS, REFERENCES))
    config = protocol.with_config(None)
    whole = corpus.evaluate(family, predictions, references, settings, config=config, confidence_level=0.95, workers=2)
    parts = [
        corpus.count(family, predictions[part], references[part], settings, config=config, keep="documents")
        for part in (slice(3), slice(3, 6))
    ]
    read_again = corpus.Partial.from_json(json.loads(json.dumps((parts[0] + parts[1]).to_json())))
    assert corpus.results(read_again, confidence_level=0.95) == whole
    assert f"|protocol:{name}|" in whole["signature"]


def test_each_document_its_own_schema() -> None:
    schemas = {f"r-{n}": {"type": "object", "properties": {"total" if n else "date": TEXT}} for n in range(6)}
    result = docie.score(**SIDES, protocol="docubench", schema=schemas)
    assert result["docubench"] == 1.0  # r-0 differs in what its schema does not name
    with pytest.raises(ValueError, match="document 5: no schema has the id 'r-5'"):
        docie.score(**SIDES, protocol="docubench", schema={name: schemas[name] for name in [*schemas][:5]})
    rows = [row["document"] for row in REFERENCES]
    with pytest.raises(ValueError, match="document 0: no id, by which its schema would be found"):
        docie.score(references=rows, predictions=rows, protocol="docubench", schema=schemas)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"id": "a"}\n', "schemas.jsonl:1: expected an object with the keys id and schema"),
        ('{"id": "a", "schema": {}}\n{', "schemas.jsonl:2: expected an object with the keys id and schema"),
        ("", "schemas.jsonl: not JSON"),
    ],
)
def test_files_of_schemas(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "schemas.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(problem)):
        docie.score(**SIDES, protocol="docubench", schema=path)
    with pytest.raises(ValueError, match="nowhere.json: cannot be read"):
        docie.score(**SIDES, protocol="docubench", schema=tmp_path / "nowhere.json")


# The command


def test_the_command_lists_protocols_and_explains_one() -> None:
    listed = run_command("protocols", "--format", "json")
    assert json.loads(listed.stdout).keys() == {*ALL}
    assert "grits" in run_command("protocols").stdout
    said = run_command("protocols", "docvqa", "--format", "markdown").stdout
    for each in (
        "Quoted: ANLS",
        "threshold=0.5",
        "arxiv.org/abs/2007.00398",
        "67.5",
        "exactly one half",
        "| 2000 | 21 |",
    ):
        assert each in said
    assert "Not made yet: " in run_command("protocols", "grits").stdout
    wrong = run_command("protocols", "kievall")
    assert (wrong.exit_code, wrong.stderr) == (
        2,
        "unknown protocol 'kievall' (close: 'kieval', 'ie-eval'); docie protocols lists them\n",
    )
    assert ask(name="kieval").to_dict()["kieval"]["family"] == "kieval"


def test_the_command_scores_and_compares(tmp_path: Path) -> None:
    paths = []
    for name, rows in SIDES.items():
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    files = [*map(str, paths)]
    assert run_command("score", *files, "--protocol", "sroie").stdout.startswith("sroie: F1 91.67 (of 100)\n")
    compared = run_command("compare", *files, files[0], "--protocol", "sroie")
    assert compared.stdout.startswith("sroie: F1 predictions 91.67, references 100.00 (of 100)\n")
    refused = run_command("score", *files, "--protocol", "sroie", "--metric", "hed")
    assert (refused.exit_code, refused.stderr) == (2, "--metric: protocol sroie has sroie, got hed\n")


@needs_package("jinja2")
@pytest.mark.parametrize("name", ["sroie", "docubench", "donut", "kieval"])
def test_reports(name: str, tmp_path: Path) -> None:
    """They show the values that KIEval pairs; only the protocol's own metric is signed with its name."""
    schemas = {str(row["id"]): {"type": "object", "properties": {"total": TEXT}} for row in REFERENCES}
    options: dict[str, Any] = {"schema": schemas} if protocols.get(name).asks else {}
    result = docie.score(**SIDES, protocol=name, documents=10, **options)
    docie.write(result, tmp_path / "report.html")
    quoted = str(result).partition("\n")[0]
    assert f"{quoted}. " in (tmp_path / "report.html").read_text(encoding="utf-8")
    signed = [each.partition("|")[0] for each in result.signature.splitlines() if f"|protocol:{name}|" in each]
    assert signed == [protocols.get(name).metric]
    systems = {"a": PREDICTIONS, "b": REFERENCES}
    compared = docie.compare(references=REFERENCES, systems=systems, protocol=name, documents=10, **options)
    docie.write(compared, tmp_path / "compared.html")
    assert f"{name}: " in (tmp_path / "compared.html").read_text(encoding="utf-8")
