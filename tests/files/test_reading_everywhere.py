"""However rows are read: the same scores, and the same signature, in files, Python, modules, pages and on workers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import docie
from docie import corpus, kieval
from docie.corpus import dask_workers
from docie.corpus.workers import DaskWorkers

from checkout import needs_package
from cli_runs import lines, run, run_command


class Case(NamedTuple):
    """Rows, and how they are read: in Python, and on the command line."""

    reading: dict[str, Any]
    arguments: list[str]
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


def _cases() -> Iterator[tuple[str, Case]]:
    predictions, references = documents()
    of = [{"id": f"r-{number}", "reference": row, "meta": {"country": "DE" if number % 2 else "US"}} for number, row in enumerate(references)]  # fmt: skip
    outputs = [{"out": {"data": json.dumps(row)}, "model": "m", "latency": 0.5} for row in predictions]
    yield "unwrap", Case({"unwrap": "predictions:out.data"}, ["--unwrap", "predictions:out.data"], outputs, references)
    files = with_ids(predictions, "scans/r-{}_pred.pdf", "file")[::-1]
    arguments = ["--id-key", "id:file", "--strip-id", "folder", "--strip-id", "ending", "--strip-id", "_pred"]
    joined = {"id_key": "id:file", "strip_id": ["folder", "ending", "_pred"]}
    yield "ids", Case(joined, arguments, files, with_ids(references))
    some = [*with_ids(predictions)[2:][::-1], {"id": "more", "total": "1"}]
    yield "common ids", Case({"common_ids": True}, ["--common-ids"], some, of)
    yield "missing", Case({"missing": "empty"}, ["--missing", "empty"], some[:-1], of)
    both = {"missing": "empty", "common_ids": True}
    yield "missing and common ids", Case(both, ["--missing", "empty", "--common-ids"], some, of)
    other = json.loads(json.dumps(predictions).replace('"menu"', '"lines"').replace('"nm"', '"desc"'))
    names = {"lines": "menu", "lines.desc": "menu.nm"}
    arguments = ["--rename", "lines=menu", "--rename", "lines.desc=menu.nm"]
    yield "rename", Case({"rename": names}, arguments, other, references)
    yield "ignore", Case({"ignore": ["menu.nm", "shop"]}, ["--ignore", "menu.nm", "--ignore", "shop"], predictions, of)
    numbered = [
        {**row, "menu": {f"item_{place}": each for place, each in enumerate(row["menu"])}} for row in predictions
    ]
    columns = [
        {**row, "menu": {key: [each[key] for each in row["menu"]] for key in ("nm", "price")}} for row in references
    ]
    arguments = ["--records", "numbered", "--records", "columns"]
    yield "records", Case({"records": ["numbered", "columns"]}, arguments, numbered, columns)
    failed = [{"error": "timeout"} if number % 4 == 1 else row for number, row in enumerate(predictions)]
    yield "failures", Case({"failures": "error"}, ["--failures", "error"], failed, references)
    comma = [
        {**row, "total": row.get("total", "").replace(".", ",")} if number % 2 else row
        for number, row in enumerate(predictions)
    ]
    table = {"country": {"DE": {"total": 'number(decimal=",")'}, "US": {"total": "number"}}}
    yield "normalize by", Case({"normalize_by": table}, ["--normalize-by", "TABLE"], comma, of)
    rest = json.loads(json.dumps(predictions))
    parts = [{"menu": row.pop("menu")} for row in rest]
    pages = [{"id": f"r-{number}_p{page}", **row} for page, rows in ((2, parts), (1, rest)) for number, row in enumerate(rows)]  # fmt: skip
    yield "pages", Case({"pages": "predictions:name"}, ["--pages", "predictions:name"], pages, of)
    everything = [{"file": f"r-{number}.pdf", "out": row} for number, row in enumerate(other)][::-1]
    everything[3] = {"file": "r-8.pdf", "error": "timeout"}
    reading = {"unwrap": "predictions:out", "id_key": "id:file", "strip_id": "ending", "failures": "error"}
    arguments = ["--unwrap", "predictions:out", "--id-key", "id:file", "--strip-id", "ending", "--failures", "error"]
    for name, old in names.items():
        arguments += ["--rename", f"{name}={old}"]
    yield "all at once", Case({**reading, "rename": names}, arguments, everything, of)


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
    table = tmp_path / "table.json"
    table.write_text(json.dumps(case.reading.get("normalize_by")))
    options = [str(table) if each == "TABLE" else each for each in case.arguments]
    return [lines(tmp_path / "r.jsonl", case.references), lines(tmp_path / "p.jsonl", case.predictions), *options]


def in_python(case: Case, **options: Any) -> Any:
    return corpus.evaluate(kieval, case.predictions, case.references, kieval.Settings(reading=case.reading), **options)


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
        docie.load("kieval", reading=case.reading).compute(predictions=case.predictions, references=case.references)
        == expected
    )
    assert in_files(*arguments) == expected
    assert in_files(*arguments, "--workers", "2") == expected
    for _ in range(2):
        assert in_files(*arguments, "--checkpoint", str(tmp_path / "kept")) == expected


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
        options={"reading": case.reading},
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
        if "id_key" in case.reading and name == "ps":
            rows = rows[::-1]
        lines(folder / "0.jsonl", rows[:5])
        lines(folder / "1.jsonl", rows[5:])
        folders.append(str(folder))
    assert in_files(*folders, *options) == expected
    assert in_files(*folders, *options, "--workers", "2", "--checkpoint", str(tmp_path / "kept")) == expected


@EACH
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_other_commands_read_alike(case: Case, arguments: list[str], tmp_path: Path) -> None:
    settings = kieval.Settings(reading=case.reading)
    listed = run_command("errors", *arguments, "--format", "jsonl")
    assert listed.exit_code == 0, listed.stderr
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    expected = [*corpus.errors(case.predictions, case.references, settings)]
    assert [(row["entity_type"], row["kind"], row["prediction"]) for row in rows] == [
        (row.entity_type, row.kind, row.prediction) for row in expected
    ]
    references, predictions, *options = arguments
    result = run_command("compare", references, predictions, predictions, *options, "--format", "json")
    assert result.exit_code == 0, result.stderr
    [row] = json.loads(result.stdout)["comparisons"]
    assert row["value_a"] == row["value_b"] == in_python(case)["entity_f1"]
    compared = corpus.compare(kieval, dict.fromkeys("ab", case.predictions), case.references, settings)
    assert compared["comparisons"][0]["value_a"] == row["value_a"]
    assert str(settings.reading) in compared["signature"]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_systems_are_compared_on_the_documents_that_all_have(tmp_path: Path) -> None:
    predictions, references = (with_ids(rows) for rows in documents())
    one, other = predictions[3:][::-1], predictions[:9]
    expected = corpus.compare(
        kieval,
        {"one": predictions[3:9], "other": predictions[3:9]},
        references[3:9],
        kieval.Settings(reading={"common_ids": True}),
    )
    settings = kieval.Settings(reading={"common_ids": True})
    found = corpus.compare(kieval, {"one": one, "other": other}, references, settings)
    paths = [
        lines(tmp_path / f"{name}.jsonl", rows) for name, rows in (("r", references), ("one", one), ("other", other))
    ]
    result = run_command("compare", *paths, "--common-ids", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert "one: 3 references are left out: their ids are not in the predictions" in result.stderr
    for each in (found, json.loads(result.stdout)):
        assert each["documents"] == 6
        assert {**each["comparisons"][0], "changes": []} == {**expected["comparisons"][0], "changes": []}
    bad = [*predictions[:5], {"id": "r-5", "total": {"value": "1", "confidence": 3}}]
    result = run_command("compare", paths[0], paths[1], lines(tmp_path / "bad.jsonl", bad), "--common-ids")
    assert (result.exit_code, result.stderr) == (
        2,
        "'bad', document r-5, entity 'total': confidence must be between 0 and 1, got 3\n",
    )
    result = run_command("compare", *paths[:2], lines(tmp_path / "none.jsonl", predictions[:1]), "--common-ids")
    assert (result.exit_code, result.stderr) == (2, "no id is in the predictions of all systems\n")


@EACH
@needs_package("jinja2")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_reports_read_alike(case: Case, arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    result = run(*arguments, "--report", str(path), "--format", "json")
    expected = in_python(case)
    assert json.loads(result.stdout)["kieval"]["entity_f1"] == expected["entity_f1"]
    settings = kieval.Settings(reading=case.reading)
    written = docie.report.write(tmp_path / "python.html", case.predictions, case.references, settings)
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
    reading = {
        "unwrap": "predictions:out",
        "id_key": "id:file",
        "strip_id": "ending",
        "rename": "sum=total",
        "ignore": "note",
    }
    expected = corpus.evaluate(family, rows, references, family.Settings(reading=reading))
    assert expected["documents"] == (4 if kind == "attacked" else 2)
    assert any(0 < value < 1 for value in expected.values() if isinstance(value, float))
    paths = lines(tmp_path / "r.jsonl", references), lines(tmp_path / "p.jsonl", rows)
    options = ["--unwrap", "predictions:out", "--id-key", "id:file", "--strip-id", "ending"]
    result = run(*paths, "--metric", name, *options, "--rename", "sum=total", "--ignore", "note", "--format", "json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)[name] == expected
    if name != "form_robustness":  # its module has columns
        assert docie.load(name, reading=reading).compute(predictions=rows, references=references) == expected


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_versions_of_forms_in_columns() -> None:
    rows = [{"sum": "9", "note": "-"}, {"sum": "8", "tax": "1"}]
    columns = {"references": [{"total": "9"}, {"total": "9", "tax": "1"}], "attack": ["none", "key_drop"]}
    reading = {"rename": {"sum": "total"}, "ignore": "note"}
    found = docie.load("form_robustness").compute(predictions=rows, reading=reading, **columns)
    renamed = [{"total": "9"}, {"total": "8", "tax": "1"}]
    expected = docie.load("form_robustness").compute(predictions=renamed, **columns)
    assert "|reading:rename(sum=total)+ignore(note)|" in found.pop("signature")
    del expected["signature"]
    assert found == expected


def test_rows_that_a_file_gives_are_read_so(tmp_path: Path) -> None:
    rows = [{"file": "b.pdf", "out": {"lines": [{"nm": "1"}]}, "model": "m"}]
    reading = {"unwrap": "out", "id_key": "file", "strip_id": "ending", "rename": "lines=menu"}
    path = lines(tmp_path / "p.jsonl", rows)
    read = docie.read(path, side="prediction", reading=reading)
    assert read == [{"id": "b", "meta": {"model": "m"}, "document": {"menu": [{"nm": "1"}]}}]
    rest = docie.read(path, side="reference", reading={"unwrap": "out"})
    assert rest == [{"meta": {"file": "b.pdf", "model": "m"}, "document": {"lines": [{"nm": "1"}]}}]


@needs_package("jinja2")
def test_a_list_in_an_object(tmp_path: Path) -> None:
    from docie.spaces.common import work
    from docie.spaces.common.inputs import Form

    predictions, references = documents()
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"version": 1, "documents": predictions}, indent=1))
    expected = corpus.evaluate(kieval, predictions, references)
    found = in_files(lines(tmp_path / "r.jsonl", references), str(path), "--unwrap", "predictions:documents")
    assert found["entity_f1"] == expected["entity_f1"]
    form = Form(
        references=json.dumps(references),
        predictions=path.read_text(),
        families=["kieval"],
        options={"reading": {"unwrap": "predictions:documents"}},
    )
    assert work.score(form)["kieval"]["entity_f1"] == expected["entity_f1"]
    html = work.explain(form).html
    assert "--unwrap predictions:documents" in html
    predictions[2] = {"total": {"value": "1", "confidence": 3}}
    path.write_text(json.dumps({"version": 1, "documents": predictions}))
    result = run(str(tmp_path / "r.jsonl"), str(path), "--unwrap", "predictions:documents")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{path}, element 3, entity 'total': confidence must be between 0 and 1, got 3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--rename", "total"],
            "--rename must be PREDICTIONS_NAME=REFERENCES_NAME or a JSON or YAML file, got 'total'",
        ),
        (
            ["--records", "rows"],
            "--records must be json, tables, pairs, dotted, numbered, columns, cells or the name of a data set, got 'rows'",
        ),
        (["--normalize-by", "nowhere.json"], "--normalize-by: nowhere.json: No such file or directory"),
        (["--option", "reading={}"], "--option reading: how rows are read has options of its own, such as --rename"),
        (["--unwrap", "out"], "{p}:1: no key 'out', which unwrap names; the row has 'total', 'menu'"),
        (["--id-key", "shop:nowhere"], "{p}:1: no key 'nowhere', which --id-key names"),
        (["--common-ids"], "--common-ids needs rows with ids"),
        (["--strip-id", ""], "--strip-id must be a text or a list of texts, got ['']"),
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

    form = Form(references="{}", predictions="{}", options={"reading": {"normalize_by": "/etc/passwd"}})
    with pytest.raises(RefusedError, match=r"^normalize_by must be a JSON object here, not the path of a file.$"):
        work.score(form)
    for rename in ("/etc/passwd", ["a=b", "/etc/passwd"]):
        form = Form(references="{}", predictions="{}", options={"reading": {"rename": rename}})
        with pytest.raises(
            RefusedError, match=r"^rename must be texts such as lines=items here, not the path of a file.$"
        ):
            work.score(form)
