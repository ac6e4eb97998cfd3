"""docie.errors: what the command gives, to the last digit; rows come while documents are read."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import corpus, kieval
from docie.questions.document import DocumentResult

from cli_runs import DOCUMENTS, PREDICTIONS, lines, rows, run_command

RECEIPTS = [{"id": f"r-{number}", "reference": {"total": f"{number}.00", "shop": "Kedai"}} for number in range(40)]
ANSWERS = [{"id": f"r-{number}", "prediction": {"total": f"{number},00", "tax": "1"}} for number in range(40)]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return (
        lines(tmp_path / "references.jsonl", rows("reference", DOCUMENTS)),
        lines(tmp_path / "predictions.jsonl", rows("prediction", PREDICTIONS)),
    )


def printed(*arguments: str) -> Any:
    """What a run prints, and what it warns of."""
    result = run_command("errors", *arguments)
    assert result.exit_code == 0, result.stderr
    return result


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"kind": "value", "entity_type": ["a"]}, ["--kind", "value", "--type", "a"]),
        ({"normalize": {"a": "number"}, "matching": "greedy"}, ["--normalize", "a=number", "--option", "matching=greedy"]),
        ({"entity_type": "b"}, ["--type", "b"]),
    ],
)  # fmt: skip
def test_the_call_is_the_command(files: tuple[str, str], options: dict[str, Any], arguments: list[str]) -> None:
    command = printed(*files, *arguments, "--format", "json")
    expected = json.loads(command.stdout)
    sides = {
        "paths": files,
        "rows": (rows("reference", DOCUMENTS), rows("prediction", PREDICTIONS)),
    }
    for name, (references, predictions) in sides.items():
        result = docie.errors(references=references, predictions=predictions, **options)
        assert json.loads(json.dumps(result.to_dict())) == expected, name
        assert [f"warning: {note}" for note in result.notes] == command.stderr.splitlines(), name
        assert (result.signature, result.facts.joined_by) == (expected["signature"], "id")
        assert str(result) == printed(*files, *arguments).stdout.removesuffix("\n"), name


def test_frames_are_read_as_files(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frames = (
        pandas.DataFrame({"id": ["x", "y"], "a": ["1", "2"]}),
        pandas.DataFrame({"id": ["y", "x"], "a": ["2", "3"]}),
    )
    paths = tmp_path / "references.csv", tmp_path / "predictions.csv"
    for frame, path in zip(frames, paths, strict=True):
        frame.to_csv(path, index=False)
    result = docie.errors(references=frames[0], predictions=frames[1])
    assert result.to_dict() == docie.errors(references=paths[0], predictions=paths[1]).to_dict()
    assert [(row["document"], row["reference"], row["prediction"]) for row in result] == [("x", "1", "3")]


def test_rows_are_those_of_the_package(files: tuple[str, str]) -> None:
    sides = rows("prediction", PREDICTIONS), rows("reference", DOCUMENTS)
    result = docie.errors(references=files[0], predictions=files[1])
    assert [*result] == [row._asdict() for row in corpus.errors(*sides)]
    assert result.summary()["repaired"] == corpus.repaired(*sides)
    assert result.summary()["false_alarms"] == corpus.false_alarms(*sides)


def test_groups_and_sources_stand_before_a_row() -> None:
    references = [{"reference": {"a": "1"}, "meta": {"page": number}} for number in (1, 2)]
    source = {"source": {"file": "p.jsonl", "service": "mistral", "model": "ocr-4"}}
    predictions = [{"prediction": {"a": "2"}, "meta": source}] * 2
    result = docie.errors(references=references, predictions=predictions, group_by="page")
    assert result.columns[:3] == ["meta.page", "source", "document"]
    assert [[*row.values()][:3] for row in result] == [["1", "mistral ocr-4", 0], ["2", "mistral ocr-4", 1]]
    names = [table.title for table in result.tables() if [*table.cells]]
    assert names == ["errors", "what would help most", "by page"]


def counted(documents: list[Any], read: list[int]) -> Iterator[Any]:
    for document in documents:
        read[0] += 1
        yield document


def test_rows_come_while_documents_are_read() -> None:
    read = [0]
    references, predictions = [each["reference"] for each in RECEIPTS], [each["prediction"] for each in ANSWERS]
    result = docie.errors(references=counted(references, read), predictions=iter(predictions))
    ahead = [read[0] - row["document"] for row in result]
    assert len(ahead) == 3 * len(RECEIPTS)
    assert max(ahead) <= 2, "documents that are read before their rows are taken"


def test_rows_may_be_taken_again() -> None:
    result = docie.errors(references=RECEIPTS, predictions=ANSWERS)
    assert next(iter(result))["document"] == "r-0"
    all_rows = [*result]
    assert len(all_rows) == 3 * len(RECEIPTS)
    summary = result.summary()
    assert [*result] == all_rows
    assert result.summary() == summary
    assert str(result) == str(result)
    assert result.to_dict() == {"errors": all_rows, **summary}


def test_what_can_be_read_once_is_not_read_again() -> None:
    result = docie.errors(references=iter(RECEIPTS), predictions=iter(ANSWERS))
    assert len([*result]) == 3 * len(RECEIPTS)
    assert str(result) == str(docie.errors(references=RECEIPTS, predictions=ANSWERS))
    with pytest.raises(ValueError, match="^references: no documents$"):
        list(result)


def test_the_summary_is_there_at_the_end() -> None:
    references = [*RECEIPTS, {"id": "r-40", "reference": {}}]
    predictions = [*ANSWERS, {"id": "r-40", "prediction": {}}]
    result = docie.errors(references=references, predictions=predictions, normalize={"totl": "number"})
    rest = iter(result)
    next(rest)
    for known in (result.summary, lambda: [table.title for table in result.tables()]):
        with pytest.raises(ValueError, match="^what would help most is known once all rows were taken: "):
            known()
    assert (result.notes, result.stream.is_read) == ([], False)
    with warnings.catch_warnings(record=True, action="always") as given:
        assert len([*result]) == 3 * len(RECEIPTS)
    assert "normalize: no document has 'totl' (close: 'total')" in result.notes
    assert result.summary()["documents"] == len(RECEIPTS) + 1
    assert [*map(str, (each.message for each in given))] == [*result.notes]


def test_notes_of_a_command_are_printed_once(tmp_path: Path) -> None:
    paths = [lines(tmp_path / name, each) for name, each in (("r.jsonl", RECEIPTS), ("p.jsonl", ANSWERS))]
    expected = "warning: normalize: no document has 'totl' (close: 'total')"
    for form in ("table", "json", "csv", "jsonl"):
        stderr = printed(*paths, "--normalize", "totl=number", "--format", form).stderr
        assert stderr.splitlines().count(expected) == 1, form


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "invalid"}, "unknown kind 'invalid', expected one of format, group, type, "),
        ({"kind": ["value", "x"]}, "unknown kind 'x', "),
        ({"max_seconds": 0}, "max_seconds must be a number of seconds above 0, got 0"),
        ({"normalise": "nfkc"}, "'normalise'"),
        ({"document": "r-41"}, "document: there is no 'r-41' (close: "),
        ({"document": "r-1", "kind": "value"}, "kind does nothing beside document"),
        ({"document": "r-1", "group_by": "vendor"}, "group_by does nothing beside document"),
    ],
)
def test_what_is_asked_wrongly(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        docie.errors(references=RECEIPTS, predictions=ANSWERS, **options)


def test_one_document(files: tuple[str, str]) -> None:
    result = docie.errors(references=files[0], predictions=files[1], document="r-1")
    assert isinstance(result, DocumentResult)
    assert result.explanation == kieval.explain(PREDICTIONS[1], DOCUMENTS[1])
    command = printed(*files, "--document", "r-1", "--format", "json")
    assert json.loads(json.dumps(result.to_dict())) == json.loads(command.stdout)
    assert str(result) == printed(*files, "--document", "r-1").stdout.removesuffix("\n")
    unnamed = docie.errors(references=DOCUMENTS, predictions=PREDICTIONS, document="1")
    assert unnamed.explanation == result.explanation
