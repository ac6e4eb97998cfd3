"""docie score of partitions: JSON Lines and Parquet, packed, at URLs and with an engine."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pyarrow
import pytest
from pyarrow import parquet

import docie
from docie.core.family import get

from cli_runs import lines, run, run_command, scored
from sizes import share

VENDORS = ["ACME", "Juniper", "Kedai"]
ALL = ["--by-field", "--confidence-level", "0.9", "--group-by", "vendor"]
DOCUMENT_FAMILIES = [name for name in docie.families() if "document" in get(name).INPUTS]


def pairs(number: int) -> tuple[list[Any], list[Any]]:
    """Rows of references and of predictions, with ids, groups, errors and an invalid prediction."""
    references, predictions = [], []
    for index in range(number):
        document: Any = {"total": f"{index}.50", "items": [{"name": "Tea", "price": str(index % 7)}, {"name": "Bun"}]}
        predicted: Any = {**document, "items": document["items"][: 1 + index % 2]} if index % 5 else {"total": "1.50"}
        references.append({"id": f"r-{index}", "reference": document, "meta": {"vendor": VENDORS[index % 3]}})
        predictions.append({"id": f"r-{index}", "prediction": None if index == 4 else predicted})
    return references, predictions


def cut(rows: list[Any], size: int) -> list[list[Any]]:
    return [rows[start : start + size] for start in range(0, len(rows), size)]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Two files and two folders with the same 40 documents; the last of eleven partitions is empty."""
    for name, rows in zip(("references", "predictions"), pairs(40), strict=True):
        lines(tmp_path / f"{name}.jsonl", rows)
        (tmp_path / name).mkdir()
        for number, part in enumerate([*cut(rows, 4), []], 1):
            lines(tmp_path / name / f"part-{number}.jsonl", part)
    return tmp_path


def figures(folder: Path, ending: str, *options: str, warning: str = "") -> dict[str, Any]:
    return scored(f"{folder}/references{ending}", f"{folder}/predictions{ending}", *options, warning=warning)


def test_partitions_give_the_figures_of_two_files(corpus: Path) -> None:
    expected = figures(corpus, ".jsonl", *ALL)
    assert figures(corpus, "", *ALL) == expected
    assert figures(corpus, "/part-*.jsonl", *ALL) == expected
    assert figures(corpus, "", *ALL, "--workers", "2") == expected
    paths = [f"{corpus}/references", f"{corpus}/predictions"]
    both = ["--metric", "all", "--format", "json"]
    assert run(*paths, *both).stdout == run(*(f"{path}.jsonl" for path in paths), *both).stdout
    assert run(*paths).stdout == run(*(f"{path}.jsonl" for path in paths)).stdout


def test_partitions_of_other_names_are_paired_in_natural_order(corpus: Path) -> None:
    for path in (corpus / "predictions").iterdir():
        path.rename(path.with_name(path.name.replace("part", "answers")))
    assert figures(corpus, "") == figures(corpus, ".jsonl")


def test_packed_partitions(corpus: Path) -> None:
    expected = figures(corpus, ".jsonl")
    for path in (corpus / "predictions").iterdir():
        path.with_suffix(".jsonl.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert figures(corpus, "") == expected


def test_partitions_at_a_url(corpus: Path) -> None:
    memory = fsspec.filesystem("memory")
    for side in ("references", "predictions"):
        memory.put(f"{corpus}/{side}/", f"/corpus/{side}/", recursive=True)
    try:
        expected = figures(corpus, ".jsonl")
        assert scored("memory://corpus/references", "memory://corpus/predictions") == expected
        assert scored("memory://corpus/references/part-*", "memory://corpus/predictions/part-*") == expected
        assert scored("memory://corpus/references", str(corpus / "predictions")) == expected
    finally:
        memory.rm("/corpus", recursive=True)


@pytest.mark.parametrize("command", ["errors", "compare", "threshold", "score"])
def test_every_command_reads_partitions_and_urls(corpus: Path, command: str) -> None:
    for path in corpus.rglob("*.jsonl"):  # thresholds need confidences
        path.write_text(
            re.sub(r'("prediction": .*"total": )("[^"]*")', r'\1{"value": \2, "confidence": 0.5}', path.read_text())
        )
    memory = fsspec.filesystem("memory")
    for side in ("references", "predictions"):
        memory.put(f"{corpus}/{side}/", f"/corpus/{side}/", recursive=True)

    def printed(folder: str, ending: str) -> tuple[int, str, str]:
        sides = [f"{folder}/references{ending}", f"{folder}/predictions{ending}"]
        if command == "compare":  # systems are named as their files; a comparison with itself finds nothing
            sides += [sides[1], "--name", "one", "--name", "other", "--format", "json"]
        result = run_command(command, *sides)
        return result.exit_code, without_names(result.stdout), without_names(result.stderr)

    def without_names(text: str) -> str:
        return re.sub(r"\S*predictions[^\s\"]*( \(2\))?|[─━ ]+", " ", text)

    try:
        code, shown, messages = printed(str(corpus), ".jsonl")
        assert code == 0
        assert '"documents": 40' in shown or "40 documents, joined by id" in shown
        for folder, ending in ((str(corpus), ""), (str(corpus), "/part-*.jsonl"), ("memory://corpus", "")):
            assert printed(folder, ending) == (code, shown, messages)
    finally:
        memory.rm("/corpus", recursive=True)


def test_errors_name_the_file_of_a_document(corpus: Path) -> None:
    wrong = corpus / "predictions" / "part-7.jsonl"
    wrong.write_text(wrong.read_text().replace('"1.50"', '{"value": "1", "confidence": 7}', 1))
    sides = [str(corpus / "references"), str(corpus / "predictions")]
    for arguments in (["errors", *sides], ["threshold", *sides], ["compare", *sides, sides[1]], ["score", *sides]):
        result = run_command(*arguments)
        assert (result.exit_code, result.stdout if arguments[0] != "errors" else "") == (2, ""), arguments
        assert result.stderr.splitlines()[-1].startswith(f"{wrong}:2, entity 'total': confidence"), result.stderr


def test_rows_in_python_come_from_partitions_too(corpus: Path) -> None:
    for side in ("references", "predictions"):
        assert docie.read(corpus / side) == docie.read(corpus / f"{side}.jsonl")


@pytest.mark.parametrize("as_text", [True, False], ids=["text", "columns"])
def test_parquet_with_both_sides(corpus: Path, as_text: bool) -> None:
    expected = figures(corpus, ".jsonl", *ALL)
    (corpus / "table").mkdir()
    for number, rows in enumerate(zip(*(cut(rows, 15) for rows in pairs(40)), strict=True)):
        columns = [
            {**reference, **prediction, "page": "page.png", "reference": as_value(reference["reference"], as_text)}
            | {"prediction": as_value(prediction["prediction"], as_text)}
            for reference, prediction in zip(*rows, strict=True)
        ]
        parquet.write_table(pyarrow.Table.from_pylist(columns), corpus / "table" / f"part-{number}.parquet")
    table = str(corpus / "table")
    assert scored(table, table, *ALL, warning="columns that are not read: page") == expected


def as_value(document: Any, as_text: bool) -> Any:
    return json.dumps(document) if as_text and document is not None else document


def test_parquet_with_a_column_for_each_field(tmp_path: Path) -> None:
    for name, total in (("references", "7.50"), ("predictions", "7.00")):
        rows = [{"id": 1, "total": total, "date": None}, {"id": 2, "total": None, "date": "2024-05-01"}]
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    results = figures(tmp_path, ".parquet")
    assert (results["true_positives"], results["substitutions"], results["additions"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda folder: (folder / "predictions" / "part-3.jsonl").unlink(), "partition 'part-3' is in the references but not in the predictions"),
        (lambda folder: (folder / "references" / "part-3.jsonl").unlink(), "partition 'part-3' is in the predictions but not in the references"),
        (lambda folder: (folder / "predictions" / "part-3.jsonl").write_text('{"id": "r-8", "prediction": {}}\n{\n'), "{folder}/predictions/part-3.jsonl:2: not a JSON object (Expecting property name enclosed in double quotes: column 2)"),
        (lambda folder: (folder / "predictions" / "part-2.jsonl").write_text('{"id": "r-9", "prediction": {}}\n'), "ids 'r-4' and 3 more are in the references but not in the predictions, and id 'r-9' is in the predictions but not in the references"),
        (lambda folder: [lines(folder / "predictions" / "part-1.jsonl", [{"id": f"r-{n}", "prediction": {"total": {"value": "1", "confidence": n}}} for n in range(4)])], "{folder}/predictions/part-1.jsonl:3, entity 'total': confidence must be between 0 and 1, got 2"),
        (lambda folder: [path.unlink() for path in (folder / "references").iterdir()], "{folder}/references: no .json files in this folder, nor files of tagged words (.bio, .iob, .conll, .txt)"),
        (lambda folder: [path.write_text("") for path in folder.rglob("part-*")], "{folder}/references/part-1.jsonl: no documents, and none in other partitions"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_is_wrong_is_one_line(corpus: Path, make: Callable[[Path], Any], expected: str, workers: str) -> None:
    make(corpus)
    result = run(str(corpus / "references"), str(corpus / "predictions"), "--workers", workers)
    line = expected.replace("{folder}", str(corpus))
    if "no .json files" in expected:
        assert "no partitions" in result.stderr or "no .json files" in result.stderr
        assert result.stderr.count("\n") == 1
    else:
        assert result.stderr == f"{line}\n"
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--report", "report.html"], "a report needs two files: it shows the documents that it reads"),
        (["--confidence-level", "9"], "--confidence-level must be between 0 and 1, got 9.0"),
        (["--group-by", "shop"], "--group-by: no document has a value in its meta for 'shop'; it holds 'vendor'"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)  # fmt: skip
def test_options_that_do_not_fit(corpus: Path, arguments: list[str], expected: str) -> None:
    if "--report" in arguments:
        pytest.importorskip("jinja2")
    result = run(str(corpus / "references"), str(corpus / "predictions"), *arguments)
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"{expected}\n")


def test_a_url_that_cannot_be_read(corpus: Path) -> None:
    for url in ("memory://nothing", "nothing://x"):
        result = run(url, str(corpus / "predictions"))
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
        assert result.stderr.startswith(f"{url}: ")


def test_notes_on_many_files_are_few(corpus: Path) -> None:
    for path in (corpus / "predictions").iterdir():
        path.write_text(path.read_text().replace('"id"', '"meta": {}, "meta": {}, "id"', 1))
    result = run(str(corpus / "references"), str(corpus / "predictions"))
    assert result.exit_code == 0
    noted = result.stderr.splitlines()
    assert len(noted) == 6
    assert noted[-1] == "warning: 5 more lines like these, of other files"


@pytest.fixture(scope="module")
def scheduler() -> Any:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        processes=False, n_workers=1, threads_per_worker=2, dashboard_address="127.0.0.1:0"
    ) as cluster:
        yield cluster.scheduler_address


def test_dask_prints_the_same(corpus: Path, scheduler: str) -> None:
    engine = ["--workers", scheduler]
    for ending in ("", ".jsonl"):
        paths = [f"{corpus}/references{ending}", f"{corpus}/predictions{ending}"]
        here, there = run(*paths, *ALL), run(*paths, *ALL, *engine)
        assert (there.exit_code, there.stdout, there.stderr) == (here.exit_code, here.stdout, here.stderr)
    (corpus / "references" / "part-3.jsonl").write_text("[")
    paths = [f"{corpus}/references", f"{corpus}/predictions"]
    assert run(*paths, *engine).stderr == run(*paths).stderr


@pytest.mark.exhaustive(minutes=True)
def test_many_documents_from_one_process_a_pool_and_dask(tmp_path: Path) -> None:
    count = share(2000, 400)
    for name, rows in zip(("references", "predictions"), pairs(count), strict=True):
        lines(tmp_path / f"{name}.jsonl", rows)
        (tmp_path / name).mkdir()
        for number, part in enumerate(cut(rows, count // 7 + 1)):
            lines(tmp_path / name / f"part-{number}.jsonl", part)
    metrics = [part for name in DOCUMENT_FAMILIES for part in ("--metric", name)]
    command = [sys.executable, "-m", "docie", "score", *metrics, *ALL, "--format", "json"]

    def printed(ending: str, *options: str) -> tuple[str, str]:
        paths = [f"{tmp_path}/references{ending}", f"{tmp_path}/predictions{ending}"]
        done = subprocess.run([*command, *paths, *options], capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    expected = printed(".jsonl")
    assert json.loads(expected[0]).keys() == {*DOCUMENT_FAMILIES}
    assert printed(".jsonl", "--workers", "dask") == expected
    for options in ((), ("--workers", "2"), ("--workers", "dask")):
        assert printed("", *options) == expected
