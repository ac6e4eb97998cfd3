"""`docie.compare`: the command to the last digit, whatever holds the rows, and what becomes of the result."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import docie
from docie.questions.compare import CompareResult
from docie.show.write import Format

from checkout import ROOT, skip_module_without
from cli_runs import lines, rows, run_command

skip_module_without("examples")

RECEIPTS = ROOT / "examples" / "receipts"
REFERENCES = RECEIPTS / "references.jsonl"
SYSTEMS = {name: RECEIPTS / f"predictions-{name}.jsonl" for name in ("careful", "hasty")}
ASKED: dict[str, Any] = {
    "scores": ["entity_f1", "corrections"], "by_field": True, "suspects": True, "cluster": "vendor", "max_drop": 0.5,
    "normalize": "number",
}  # fmt: skip
OPTIONS = [
    *("--score", "entity_f1", "--score", "corrections", "--by-field", "--suspects", "--cluster", "vendor"),
    *("--max-drop", "0.5", "--normalize", "number"),
]


def listed(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(result: Any, form: str) -> str:
    stream = io.StringIO()
    docie.write(result, stream, form)
    return stream.getvalue()


@pytest.fixture(scope="module")
def result() -> CompareResult:
    return docie.compare(references=REFERENCES, systems=SYSTEMS, **ASKED)


def test_paths_give_what_the_command_prints(result: CompareResult, tmp_path: Path) -> None:
    for form in ("json", "table", "markdown", "latex", "csv"):
        paths, comment = [str(REFERENCES), *map(str, SYSTEMS.values())], tmp_path / "comment.md"
        done = run_command("compare", *paths, *OPTIONS, "--format", form, "--comment", str(comment))
        assert written(result, form) == done.stdout
        assert written(result.comment(), "markdown") == comment.read_text(encoding="utf-8")
        notes = "".join(f"warning: {note}\n" for note in result.notes)
        assert done.stderr == notes + "".join(f"{line}\n" for line in result.gate_lines)
        assert (result.passed, done.exit_code) == (False, 1)
    assert f"{result}\n" == run_command("compare", *paths, *OPTIONS).stdout
    assert written(result.comment(), "json") == written(result, "json")


def test_rows_and_frames_give_the_same_as_files(result: CompareResult) -> None:
    pandas = pytest.importorskip("pandas")
    references, systems = listed(REFERENCES), {name: listed(path) for name, path in SYSTEMS.items()}
    turned = {name: each[::-1] for name, each in systems.items()}  # a key id joins them
    frames = {name: pandas.DataFrame(each) for name, each in systems.items()}
    sources: list[tuple[Any, dict[str, Any]]] = [
        (references, turned),
        (iter(references), {name: iter(each) for name, each in systems.items()}),
        (REFERENCES, {"careful": str(SYSTEMS["careful"]), "hasty": systems["hasty"]}),
        (pandas.DataFrame(references), frames),
    ]
    for expected, predictions in sources:
        again = docie.compare(references=expected, systems=predictions, **ASKED)
        assert again.to_dict() == result.to_dict()
        assert again.notes == result.notes
        assert again.facts.joined_by == "id"


def test_what_was_not_asked_for_is_not_in_the_result() -> None:
    plain = docie.compare(references=REFERENCES, systems=SYSTEMS)
    more = docie.compare(references=REFERENCES, systems=SYSTEMS, documents=5, comment=True)
    assert more.to_dict() == plain.to_dict()
    assert str(more) == str(plain)
    assert (plain.passed, plain.gate_lines) == (True, [])
    assert written(more.comment(), "markdown").count("### ") == 2
    assert written(plain.comment(), "markdown").count("### ") == 0, "the fields were not compared"


def test_every_form(result: CompareResult, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="a page needs it")
    pytest.importorskip("openpyxl", reason="Excel needs it")
    titles = [table.title.partition(";")[0] for table in result.tables()]
    assert titles[:3] == ["ranks by entity_f1", "ranks by corrections", "differences, b less a"]
    for form in Format:
        docie.write(result, tmp_path / f"result.{form}", None if form not in ("table", "markdown", "latex") else form)
        assert (tmp_path / f"result.{form}").stat().st_size


def test_errors_name_the_system_unless_they_name_its_file(tmp_path: Path) -> None:
    good = rows("document", [{"total": "1"}, {"total": "2"}])
    wrong = rows("document", [{"total": "1"}, {"total": {"value": "2", "confidence": 7}}])
    path = lines(tmp_path / "wrong.jsonl", wrong)
    problem = "entity 'total': confidence must be between 0 and 1, got 7"
    for systems, message in (
        ({"a": good, "b": wrong}, f"'b', predictions, document 1, {problem}"),
        ({"a": good, "b": path}, f"{path}:2, {problem}"),
        ({"a": good, "b": good[:1]}, "'b': id 'r-1' is in the references but not in the predictions"),
        ({"a": good, "b": 7}, "'b': predictions must be a sequence of documents, got int"),
        ({"a": good}, "systems must be a mapping from the names of two or more systems, got "),
        ([good, good], "systems must be a mapping from the names of two or more systems, got list"),
    ):
        with pytest.raises(ValueError, match="^" + re.escape(message)):
            docie.compare(references=good, systems=systems)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"metric": "all"}, "metric: expected one family, got 'all'; scores= names its scores"),
        ({"documents": -1}, "documents must be a whole number of at least 0, got -1"),
        ({"documents": 5}, "a report shows documents, but these are tags"),
        ({"suspects": True}, "suspects: they are values of documents, but these are tags"),
        ({"matching": "greedy"}, "unknown option 'matching' of entity_f1"),
        ({"confidence_level": None}, "confidence_level must be between 0 and 1, got None"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    tags = [["B-x", "O"]] * 6
    with pytest.raises(ValueError, match=f"^{message}"):
        docie.compare(references=tags, systems={"a": tags, "b": tags}, **options)


def test_a_comment_is_of_two_systems() -> None:
    document = [{"a": "1"}] * 6
    with pytest.raises(ValueError, match=r"^comment: expected two systems, the base and the new one, got 3$"):
        docie.compare(references=document, systems=dict.fromkeys("abc", document), comment=True)
