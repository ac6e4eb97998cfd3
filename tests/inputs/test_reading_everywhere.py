"""However rows are read: the same scores, and the same signature, in files, Python, modules, pages and on workers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from reports import score_report

import docie
from docie import corpus, kieval
from docie.corpus import dask_workers
from docie.corpus.workers import DaskWorkers
from docie.inputs.config import entries_of, options_of_config, reading_of

from checkout import needs_package
from cli_runs import lines, run, run_command


class Case(NamedTuple):
    """Rows, and how they are read."""

    config: dict[str, Any]
    predictions: list[Any]
    references: list[Any]


def documents(count: int = 12) -> tuple[list[Any], list[Any]]:
    """Predictions and references, some of which differ."""
    references = [
        {"shop": f"S{number % 5}", "total": f"{number}.50", "menu": [{"nm": f"N{each}", "price": f"{each}.00"} for each in range(1 + number % 3)]}
        for number in range(count)
    ]  # fmt: skip
    predictions = json.loads(json.dumps(references))
    for number, prediction in enumerate(predictions):
        if number % 3 == 0:
            prediction["total"] = "0.00"
        if number % 4 == 0:
            prediction["menu"][0]["nm"] = "X"
        if number % 5 == 0:
            del prediction["shop"]
    return predictions, references


def with_ids(rows: list[Any], name: str = "r-{}", key: str = "id") -> list[Any]:
    return [{key: name.format(number), **row} for number, row in enumerate(rows)]


def both_sides(**options: Any) -> dict[str, Any]:
    return dict.fromkeys(("references", "predictions"), options)


def entries(config: dict[str, Any]) -> list[str]:
    """The options of the command line that ask for a configuration."""
    return [part for entry in entries_of(options_of_config(config)) for part in ("--config", entry)]


def _cases() -> Iterator[tuple[str, Case]]:
    predictions, references = documents()
    of = [{"id": f"r-{number}", "reference": row, "meta": {"country": "DE" if number % 2 else "US"}} for number, row in enumerate(references)]  # fmt: skip
    outputs = [{"out": {"data": json.dumps(row)}, "model": "m", "latency": 0.5} for row in predictions]
    yield "unwrap", Case({"predictions": {"unwrap": "out.data"}}, outputs, references)
    files = with_ids(predictions, "scans/r-{}_pred.pdf", "file")[::-1]
    joined = {"id": "file", "strip_id": ["folder", "ending", "_pred"]}
    yield "ids", Case({"predictions": joined}, files, with_ids(references))
    some = [*with_ids(predictions)[2:][::-1], {"id": "more", "total": "1"}]
    yield "common ids", Case({"join": {"missing": "drop", "extra": "drop"}}, some, of)
    yield "missing", Case({"join": {"missing": "empty"}}, some[:-1], of)
    yield "missing and extra", Case({"join": {"missing": "empty", "extra": "drop"}}, some, of)
    other = json.loads(json.dumps(predictions).replace('"menu"', '"lines"').replace('"nm"', '"desc"'))
    names = {"lines": "menu", "lines.desc": "menu.nm"}
    yield "rename", Case({"predictions": {"rename": names}}, other, references)
    yield "ignore", Case(both_sides(ignore=["menu.nm", "shop"]), predictions, of)
    numbered = [
        {**row, "menu": {f"item_{place}": each for place, each in enumerate(row["menu"])}} for row in predictions
    ]
    columns = [
        {**row, "menu": {key: [each[key] for each in row["menu"]] for key in ("nm", "price")}} for row in references
    ]
    yield "records", Case(both_sides(records=["numbered", "columns"]), numbered, columns)
    failed = [{"error": "timeout"} if number % 4 == 1 else row for number, row in enumerate(predictions)]
    yield "failures", Case({"predictions": {"failures": ["error"]}}, failed, references)
    comma = [
        {**row, "total": row.get("total", "").replace(".", ",")} if number % 2 else row
        for number, row in enumerate(predictions)
    ]
    table = {"country": {"DE": {"total": 'number(decimal=",")'}, "US": {"total": "number"}}}
    yield "normalize by", Case({"values": {"normalize_by": table}}, comma, of)
    rest = json.loads(json.dumps(predictions))
    parts = [{"menu": row.pop("menu")} for row in rest]
    pages = [{"id": f"r-{number}_p{page}", **row} for page, rows in ((2, parts), (1, rest)) for number, row in enumerate(rows)]  # fmt: skip
    yield "pages", Case({"predictions": {"pages": "name"}}, pages, of)
    everything = [{"file": f"r-{number}.pdf", "out": row} for number, row in enumerate(other)][::-1]
    everything[3] = {"file": "r-8.pdf", "error": "timeout"}
    reading = {"unwrap": "out", "id": "file", "strip_id": ["ending"], "failures": ["error"], "rename": names}
    yield "all at once", Case({"predictions": reading}, everything, of)


CASES = dict(_cases())
EACH = pytest.mark.parametrize("case", [pytest.param(case, id=name) for name, case in CASES.items()])


@pytest.fixture(scope="module")
def dask() -> Iterator[DaskWorkers]:
    distributed = pytest.importorskip("distributed")
    options = {"processes": False, "n_workers": 1, "threads_per_worker": 2, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**options) as cluster, dask_workers(cluster.scheduler_address) as workers:
        yield workers


@pytest.fixture
def arguments(case: Case, tmp_path: Path) -> list[str]:
    """The paths of both files, and the options."""
    paths = lines(tmp_path / "r.jsonl", case.references), lines(tmp_path / "p.jsonl", case.predictions)
    return [*paths, *entries(case.config)]


def in_python(case: Case, **options: Any) -> Any:
    return corpus.evaluate(kieval, case.predictions, case.references, config=case.config, **options)


def in_files(*arguments: str) -> Any:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)["kieval"]


@EACH
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_everywhere(case: Case, arguments: list[str], tmp_path: Path) -> None:
    expected = in_python(case)
    assert 0 < expected["entity_f1"] < 1
    assert "|reading:" in expected["signature"]
    assert in_python(case, workers=2) == expected
    assert (
        docie.load("kieval", config=case.config).compute(predictions=case.predictions, references=case.references)
        == expected
    )
    assert in_files(*arguments) == expected
    assert in_files(*arguments, "--workers", "2") == expected


@EACH
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_with_dask(case: Case, dask: DaskWorkers) -> None:
    assert in_python(case, workers=dask) == in_python(case)


@EACH
@needs_package("jinja2")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_in_pages(case: Case) -> None:
    from docie.spaces.common import work
    from docie.spaces.common.inputs import Form

    expected = in_python(case)
    form = Form(
        references="\n".join(map(json.dumps, case.references)),
        predictions="\n".join(map(json.dumps, case.predictions)),
        families=["kieval"],
        options={"config": case.config},
    )
    page = work.score(form)["kieval"]
    assert {name: page[name] for name in expected} == expected


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=name) for name, case in CASES.items() if len(case.predictions) == len(case.references)],
)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_partitions(case: Case, arguments: list[str], tmp_path: Path) -> None:
    _, _, *options = arguments
    expected = in_files(*arguments)
    folders = []
    for name, rows in (("rs", case.references), ("ps", case.predictions)):
        folder = tmp_path / name
        folder.mkdir()
        if "id" in case.config.get("predictions", {}) and name == "ps":
            rows = rows[::-1]
        lines(folder / "0.jsonl", rows[:5])
        lines(folder / "1.jsonl", rows[5:])
        folders.append(str(folder))
    assert in_files(*folders, *options) == expected
    assert in_files(*folders, *options, "--workers", "2") == expected


@EACH
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_other_commands_read_alike(case: Case, arguments: list[str], tmp_path: Path) -> None:
    listed = run_command("errors", *arguments, "--format", "jsonl")
    assert listed.exit_code == 0, listed.stderr
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    expected = [*corpus.errors(case.predictions, case.references, config=case.config)]
    assert [(row["entity_type"], row["kind"], row["prediction"]) for row in rows] == [
        (row.entity_type, row.kind, row.prediction) for row in expected
    ]
    references, predictions, *options = arguments
    result = run_command("compare", references, predictions, predictions, *options, "--format", "json")
    assert result.exit_code == 0, result.stderr
    [row] = json.loads(result.stdout)["comparisons"]
    assert row["value_a"] == row["value_b"] == in_python(case)["entity_f1"]
    compared = corpus.compare(kieval, dict.fromkeys("ab", case.predictions), case.references, config=case.config)
    assert compared["comparisons"][0]["value_a"] == row["value_a"]
    assert str(reading_of(case.config)) in compared["signature"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_systems_are_compared_on_the_documents_that_all_have(tmp_path: Path) -> None:
    predictions, references = (with_ids(rows) for rows in documents())
    one, other = predictions[3:][::-1], predictions[:9]
    config = {"join": {"missing": "drop", "extra": "drop"}}
    same = dict.fromkeys(("one", "other"), predictions[3:9])
    expected = corpus.compare(kieval, same, references[3:9], config=config)
    found = corpus.compare(kieval, {"one": one, "other": other}, references, config=config)
    paths = [
        lines(tmp_path / f"{name}.jsonl", rows) for name, rows in (("r", references), ("one", one), ("other", other))
    ]
    result = run_command("compare", *paths, *entries(config), "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert "one: 3 references are left out: their ids are not in the predictions" in result.stderr
    for each in (found, json.loads(result.stdout)):
        assert each["documents"] == 6
        assert {**each["comparisons"][0], "changes": []} == {**expected["comparisons"][0], "changes": []}
    bad = [*predictions[:5], {"id": "r-5", "total": {"value": "1", "confidence": 3}}]
    result = run_command("compare", paths[0], paths[1], lines(tmp_path / "bad.jsonl", bad), *entries(config))
    assert (result.exit_code, result.stderr) == (
        2,
        f"{tmp_path}/bad.jsonl:6, entity 'total': confidence must be between 0 and 1, got 3\n",
    )
    result = run_command("compare", *paths[:2], lines(tmp_path / "none.jsonl", predictions[:1]), *entries(config))
    assert (result.exit_code, result.stderr) == (2, "no id is in the predictions of all systems\n")


@EACH
@needs_package("jinja2")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_reports_read_alike(case: Case, arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run(*arguments, "--report", str(path), "--format", "json")
    expected = in_python(case)
    assert json.loads(result.stdout)["kieval"]["entity_f1"] == expected["entity_f1"]
    path = tmp_path / "python.html"
    written = score_report(path, case.predictions, case.references, config=case.config)
    assert {name: written[name] for name in expected if name != "signature"} == {
        name: expected[name] for name in expected if name != "signature"
    }


ENTITIES = [["total", "9"], ["sum", "8"], ["note", "-"]]
OTHERS: dict[str, tuple[str, Any, Any]] = {
    "entities": ("oi_entities", ENTITIES, [["total", "9"], ["total", "7"]]),
    "tags": ("entity_f1", ["B-sum", "O", "B-note"], ["B-total", "B-total", "O"]),
    "tagged words": ("entity_f1", {"words": ["1", "2"], "tags": ["B-sum", "O"]}, {"words": ["1", "2"], "tags": ["B-total", "B-total"]}),
    "boxes": ("box_iou", [{"label": "sum", "box": [0, 0, 9, 9]}], [{"label": "total", "box": [0, 0, 9, 9]}, {"label": "total", "box": [9, 9, 18, 18]}]),
    "values": ("anls_star", ["9", "x"], ["9", "y"]),
    "texts": ("anls_star", "[9, 8]", "[9, 7]"),
    "attacked": ("form_robustness", {"attacks": {"none": {"sum": "9", "tax": "2"}, "key_drop": {"sum": "8"}}}, {"attacks": {"none": {"total": "9", "tax": "1"}, "key_drop": {"total": "9"}}}),
}  # fmt: skip


@pytest.mark.parametrize("kind", OTHERS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_other_kinds_of_input(kind: str, tmp_path: Path) -> None:
    name, prediction, reference = OTHERS[kind]
    family = getattr(docie, name)
    rows = [{"file": "a.pdf", "out": prediction}, {"file": "b.pdf", "out": prediction}]
    references = [{"id": "b", "reference": reference}, {"id": "a", "reference": reference}]
    how = {"unwrap": "out", "id": "file", "strip_id": ["ending"], "rename": {"sum": "total"}, "ignore": ["note"]}
    config = {"predictions": how, "references": {"ignore": ["note"]}}
    expected = corpus.evaluate(family, rows, references, config=config)
    assert expected["documents"] == (4 if kind == "attacked" else 2)
    assert any(0 < value < 1 for value in expected.values() if isinstance(value, float))
    paths = lines(tmp_path / "r.jsonl", references), lines(tmp_path / "p.jsonl", rows)
    result = run(*paths, "--metric", name, *entries(config), "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)[name] == expected
    if name != "form_robustness":  # its module has columns
        assert docie.load(name, config=config).compute(predictions=rows, references=references) == expected


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_versions_of_forms_in_columns() -> None:
    rows = [{"sum": "9", "note": "-"}, {"sum": "8", "tax": "1"}]
    columns = {"references": [{"total": "9"}, {"total": "9", "tax": "1"}], "attack": ["none", "key_drop"]}
    config = {"predictions": {"rename": {"sum": "total"}, "ignore": "note"}, "references": {"ignore": "note"}}
    found = docie.load("form_robustness").compute(predictions=rows, config=config, **columns)
    renamed = [{"total": "9"}, {"total": "8", "tax": "1"}]
    expected = docie.load("form_robustness").compute(predictions=renamed, **columns)
    assert "|reading:predictions.ignore(note)+predictions.rename(sum=total)+references.ignore(note)|" in found.pop(
        "signature"
    )
    del expected["signature"]
    assert found == expected


def test_versions_of_forms_are_joined_by_id_and_attack() -> None:
    rows = [(name, attack, value) for name in "ab" for attack, value in (("none", "9"), ("key_drop", name))]
    references = [{"id": name, "document": {"total": "9"}} for name, *_ in rows]
    predictions = [{"file": f"{name}.pdf", "out": {"total": value}} for name, _, value in rows]
    attack = [each for _, each, _ in rows]
    expected = docie.load("form_robustness").compute(
        predictions=[{"total": value} for *_, value in rows], references=[{"total": "9"}] * 4, attack=attack
    )
    config = {"predictions": {"unwrap": "out", "id": "file", "strip_id": "ending"}}
    found = docie.load("form_robustness", config=config).compute(
        predictions=predictions, references=references, attack=attack
    )
    assert {**found, "signature": ""} == {**expected, "signature": ""}
    with pytest.raises(ValueError, match="^id 'c under key_drop' is in the references but not in the predictions"):
        docie.load("form_robustness", config=config).compute(
            predictions=predictions,
            references=[*references[:3], {"id": "c", "document": {"total": "9"}}],
            attack=attack,
        )


def test_rows_that_a_file_gives_are_read_so(tmp_path: Path) -> None:
    rows = [{"file": "b.pdf", "out": {"lines": [{"nm": "1"}]}, "model": "m"}]
    config = {"predictions": {"unwrap": "out", "id": "file", "strip_id": "ending", "rename": "lines=menu"}}
    path = lines(tmp_path / "p.jsonl", rows)
    read = docie.read(path, side="prediction", config=config)
    assert read == [{"id": "b", "meta": {"model": "m"}, "document": {"menu": [{"nm": "1"}]}}]
    rest = docie.read(path, side="reference", config="references.unwrap=out")
    assert rest == [{"meta": {"file": "b.pdf", "model": "m"}, "document": {"lines": [{"nm": "1"}]}}]


@needs_package("jinja2")
def test_a_list_in_an_object(tmp_path: Path) -> None:
    from docie.spaces.common import work
    from docie.spaces.common.inputs import Form

    predictions, references = documents()
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"version": 1, "documents": predictions}, indent=1))
    expected = corpus.evaluate(kieval, predictions, references)
    found = in_files(lines(tmp_path / "r.jsonl", references), str(path), "--config", "predictions.unwrap=documents")
    assert found["entity_f1"] == expected["entity_f1"]
    form = Form(
        references=json.dumps(references),
        predictions=path.read_text(),
        families=["kieval"],
        options={"config": {"predictions": {"unwrap": "documents"}}},
    )
    assert work.score(form)["kieval"]["entity_f1"] == expected["entity_f1"]
    html = work.explain(form).html
    assert "--config predictions.unwrap=documents" in html
    predictions[2] = {"total": {"value": "1", "confidence": 3}}
    path.write_text(json.dumps({"version": 1, "documents": predictions}))
    result = run(str(tmp_path / "r.jsonl"), str(path), "--config", "predictions.unwrap=documents")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}, element 3, entity 'total': confidence must be between 0 and 1, got 3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--config", "predictions.rename=total"],
            "predictions.rename=total: [predictions] rename must be OLD=NEW, a mapping of such names, a JSON or YAML file "
            "with one, or names of a service such as textract_expense:invoices, got 'total'",
        ),
        (
            ["--config", "predictions.records=grid"],
            "predictions.records=grid: [predictions] records must be json, tables, pairs, paths, dotted, numbered, "
            "columns, cells, rows or the name of a data set, got 'grid'",
        ),
        (
            ["--config", "values.normalize_by=nowhere.json"],
            "values.normalize_by=nowhere.json: [values] normalize_by: nowhere.json: No such file or directory",
        ),
        (["--option", "config={}"], "--option config: how rows are read is asked for with --config"),
        (
            ["--config", "references.unwrap=out"],
            "{r}:1: no key 'out', which references.unwrap names; the row has 'shop', 'total', 'menu'",
        ),
        (["--config", "predictions.id=nowhere"], "{p}:1: no key 'nowhere', which predictions.id names"),
        (["--config", "join.extra=drop"], "--config join.extra=drop needs rows with ids"),
        (
            ["--config", "predictions.strip_id="],
            "predictions.strip_id=: [predictions] strip_id must be a text or a list of texts, got ''",
        ),
    ],
)
def test_bad_values(arguments: list[str], message: str, tmp_path: Path) -> None:
    predictions, references = documents()
    paths = lines(tmp_path / "r.jsonl", references), lines(tmp_path / "p.jsonl", predictions)
    for command in ("score", "errors", "threshold"):
        result = run_command(command, *paths, *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == message.format(r=paths[0], p=paths[1]) + "\n"


@needs_package("jinja2")
def test_no_page_reads_a_file() -> None:
    from docie.spaces.common import work
    from docie.spaces.common.inputs import Form
    from docie.spaces.common.limits import RefusedError

    for config, message in (
        ("/etc/passwd", "config must be a JSON object: no file is read here"),
        (
            {"values": {"normalize_by": "/etc/passwd"}},
            "config: [values] normalize_by names a file, and none is read here",
        ),
        (
            {"predictions": {"rename": "/etc/passwd"}},
            "config: [predictions] rename names a file, and none is read here",
        ),
        (
            {"predictions": {"rename": ["a=b", "/etc/passwd"]}},
            "config: [predictions] rename names a file, and none is read here",
        ),
    ):
        form = Form(references="{}", predictions="{}", options={"config": config})
        with pytest.raises(RefusedError, match=f"^{re.escape(message)}$"):
            work.score(form)
