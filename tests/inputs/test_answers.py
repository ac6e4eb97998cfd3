"""Rows that hold answers of services and models, or tasks of annotation tools, are read as they lie in files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from configured import configured
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie.adapters import exports, services
from docie.adapters.services.layouts import LAYOUTS
from docie.adapters.services.places import in_snake_case
from docie.core.errors import InputError
from docie.inputs.answer_rows import MARKS
from docie.inputs.opened import OpenedRows
from docie.inputs.reading import Side
from docie.inputs.sources.paths import open_source

import strategies
from cli_runs import lines, run, run_command, without_intervals
from service_answers import WRITERS, Invoice, Value
from sizes import examples

FENCED = "Here you are:\n```json\n{}\n```"


def invoice(number: int) -> Invoice:
    def value(text: str) -> Value:
        return Value(text, 0.5, (0.125, 0.0, 0.5, 0.25), 1)

    item = {"name": value("Bagel"), "amount": value(f"{number}.50")}
    return Invoice({"vendor": value("ACME"), "total": value(f"{number}.00")}, [item, item])


def plain(number: int, *, total: str = "{}.00") -> dict[str, Any]:
    item = {"name": "Bagel", "amount": f"{number}.50"}
    return {"vendor": "ACME", "total": total.format(number), "items": [item, item]}


PLAIN = [plain(number) for number in range(4)]
REFERENCES = [plain(number, total="{}.00" if number % 2 else "{}.01") for number in range(4)]
TEXTS = [
    json.dumps(PLAIN[0]),
    FENCED.format(json.dumps(PLAIN[1])),
    json.dumps(PLAIN[2])[:-1],
    "Sorry, I cannot read this.",
]
"""Answers of a model: as JSON, with text around it, cut off, and none."""
AZURE = [WRITERS["azure_document_intelligence"](invoice(number)) for number in range(4)]


def figures(*arguments: str, stdin: str | None = None) -> dict[str, Any]:
    """The scores of a run, without its signature."""
    result = run(*arguments, "--format", "json", stdin=stdin)
    assert result.exit_code == 0, result.stderr
    scores, *_ = json.loads(result.stdout).values()
    return {name: value for name, value in scores.items() if name != "signature"}


def notes(*arguments: str, stdin: str | None = None) -> list[str]:
    result = run(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.stderr
    return [line.removeprefix("warning: ") for line in without_intervals(result.stderr).splitlines()]


@pytest.fixture
def references(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return lines(tmp_path / "references.jsonl", REFERENCES)


@pytest.fixture
def expected(references: str, tmp_path: Path) -> dict[str, Any]:
    """The scores of the plain documents."""
    return figures(references, lines(tmp_path / "plain.jsonl", PLAIN))


@pytest.mark.parametrize("service", WRITERS)
def test_each_service_is_found_in_a_file(service: str, references: str) -> None:
    answers = [WRITERS[service](invoice(number)) for number in range(4)]
    documents = [services.to_document(answer, service).document for answer in answers]
    assert all(documents)
    found = figures(references, lines(Path("answers.jsonl"), answers))
    assert found == figures(references, lines(Path("documents.jsonl"), documents))
    assert found["entity_f1"] > 0.2
    [line, *_] = notes(references, "answers.jsonl")
    assert line.startswith(f"answers.jsonl: read 4 predictions as {service}")
    Path("list.json").write_text(json.dumps(answers))
    assert figures(references, "list.json", "--config", f"predictions.parse={service}") == found


@pytest.mark.parametrize("service", LAYOUTS)
def test_every_sign_of_an_answer_has_a_mark(service: str) -> None:
    """Rows without a mark are not looked at."""
    keys = [[path.partition(".")[0] for path in sign] for sign in LAYOUTS[service].signs]
    assert all(MARKS & {*sign} and MARKS & {*map(in_snake_case, sign)} for sign in keys)


def test_answers_stay_what_they_are_if_asked_to(references: str) -> None:
    lines(Path("p.jsonl"), AZURE)
    assert "'analyzeResult.documents.fields." in notes(references, "p.jsonl", *configured("parse=no"))[0]
    assert (
        "reading:predictions.parse(no)+references.parse(no)"
        in run(references, "p.jsonl", *configured("parse=no")).stdout
    )


def test_answers_in_wrappers_columns_and_tables(expected: dict[str, Any], references: str) -> None:
    rows = [{"id": f"r-{number}", "reference": row} for number, row in enumerate(REFERENCES)]
    lines(Path("r.jsonl"), rows)
    for name, content in (("answer", AZURE), ("text", [json.dumps(answer) for answer in AZURE])):
        wrapped = [{"id": f"r-{number}", "prediction": each} for number, each in enumerate(content)]
        assert figures("r.jsonl", lines(Path(f"{name}.jsonl"), wrapped[::-1])) == expected
        columns = [{"id": f"r-{number}", "ms": 7, "out": {"data": each}} for number, each in enumerate(content)]
        lines(Path("columns.jsonl"), columns[::-1])
        assert figures("r.jsonl", "columns.jsonl", "--config", "predictions.unwrap=out.data") == expected
    with open("table.csv", "w", newline="") as file:
        csv.writer(file).writerows([["id", "out"], *([f"r-{n}", json.dumps(each)] for n, each in enumerate(AZURE))])
    assert figures("r.jsonl", "table.csv", "--config", "predictions.unwrap=out") == expected
    [row, *_] = docie.read("columns.jsonl", side="prediction", config={"predictions": {"unwrap": "out.data"}})
    assert (row["id"], row["document"]["total"]["confidence"]) == ("r-3", 0.5)
    source = {"file": "columns.jsonl", "service": "azure_document_intelligence", "model": "prebuilt-invoice"}
    assert row["meta"] == {"ms": 7, "source": source}


def test_a_path_leads_to_what_stands_there_also_in_an_answer(references: str) -> None:
    lines(Path("p.jsonl"), [WRITERS["extend"](invoice(number)) for number in range(4)])
    [row, *_] = docie.read("p.jsonl", config={"predictions": {"unwrap": "output.value"}})
    assert row["document"]["total"] == "0.00"  # not a value with a confidence


def test_answers_in_a_folder_are_joined_by_their_names(expected: dict[str, Any], tmp_path: Path) -> None:
    for side, rows in (("r", REFERENCES), ("p", AZURE)):
        (tmp_path / side).mkdir()
        for number, row in enumerate(rows):
            (tmp_path / side / f"doc-{number}.json").write_text(json.dumps(row, indent=1))
    assert figures("r", "p") == expected
    lines(Path("r.jsonl"), [{"id": f"doc-{number}", **row} for number, row in enumerate(REFERENCES)])
    assert figures("r.jsonl", "p") == expected
    assert notes("r.jsonl", "p") == ["p: read 4 predictions as azure_document_intelligence"]


def test_answers_on_standard_input(expected: dict[str, Any], references: str) -> None:
    stdin = "".join(json.dumps(answer) + "\n" for answer in AZURE)
    assert figures(references, "-", stdin=stdin) == expected


def test_rows_that_wait_for_their_counterpart_are_read_once_more(expected: dict[str, Any], references: str) -> None:
    """In another order, with and without a reading."""
    lines(Path("r.jsonl"), [{"id": str(number), "reference": row} for number, row in enumerate(REFERENCES)])
    lines(Path("p.jsonl"), [{"id": str(number), **row} for number, row in enumerate(AZURE)][::-1])
    lines(Path("f.jsonl"), [{"file": str(number), **row} for number, row in enumerate(AZURE)][::-1])
    assert (
        figures("r.jsonl", "p.jsonl")
        == figures("r.jsonl", "f.jsonl", "--config", "references.id=id", "--config", "predictions.id=file")
        == expected
    )
    assert figures("r.jsonl", "p.jsonl", *configured("ignore=nothing", "predictions.rename.none=other")) == expected


def test_ids_and_models_of_answers() -> None:
    azure = {**AZURE[0], "id": "r-1"}
    extraction = WRITERS["langextract"](invoice(1)) | {"document_id": "d-1"}
    run_of_extend = WRITERS["extend"](invoice(1)) | {"id": "exr_random"}
    lines(Path("p.jsonl"), [azure, extraction])
    rows = docie.read("p.jsonl")
    assert [row["id"] for row in rows] == ["r-1", "d-1"]
    assert rows[1]["meta"]["source"] == {"file": "p.jsonl", "service": "langextract"}
    lines(Path("p.jsonl"), [run_of_extend])
    assert "id" not in docie.read("p.jsonl")[0]  # it names the answer, not the document


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_texts_of_models(references: str, is_wrapped: bool) -> None:
    texts = [{"prediction": text} if is_wrapped else text for text in TEXTS]
    lines(Path("p.jsonl"), texts)
    documents = [*PLAIN[:3], None]
    assert figures(references, "p.jsonl") == figures(references, lines(Path("d.jsonl"), documents))
    [line, *_] = notes(references, "p.jsonl")
    assert line == (
        "p.jsonl: read 3 predictions as llm; found no document in 1; repaired or lost parts of 2: "
        "dropped the text around the JSON object (1), added the end, which is missing (1); "
        "docie score --format json lists all issues"
    )


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"JobStatus": "IN_PROGRESS", "StatusMessage": ""}, "expected a list of fields at 'Blocks', got nothing (status 'IN_PROGRESS')"),
        ({"Blocks": [{"BlockType": "LINE", "Text": "7.50"}]}, "the answer has neither queries nor forms: analyze with FeatureTypes QUERIES or FORMS"),
        ({"status": "succeeded", "analyzeResult": {"modelId": "prebuilt-read"}}, "the answer of 'prebuilt-read' has no fields: analyze with a model for invoices or receipts or a custom one, or with features=keyValuePairs"),
        ({"analyzeResult": {"version": "2.1.0", "readResults": []}}, "the answer has no fields: analyze with a model for invoices or receipts or a custom one, or with features=keyValuePairs"),
    ],
)  # fmt: skip
def test_an_answer_without_fields_says_what_to_do(answer: object, why: str, references: str) -> None:
    lines(Path("p.jsonl"), [*AZURE[:3], answer])
    assert figures(references, "p.jsonl")["invalid_predictions"] == 1
    assert (
        f"; found no document in 1: {why} (1); docie score --format json lists all issues"
        in notes(references, "p.jsonl")[0]
    )


def test_lines_of_batches_are_joined_by_their_ids(references: str) -> None:
    """In any order, as the services write them."""
    lines(Path("r.jsonl"), [{"id": f"r-{number}", "reference": row} for number, row in enumerate(REFERENCES)])
    documents = [{"id": f"r-{number}", "prediction": row} for number, row in enumerate(PLAIN)]
    expected = figures("r.jsonl", lines(Path("d.jsonl"), documents))
    anthropic, gemini = [], []
    for number, row in reversed([*enumerate(PLAIN)]):
        content = [{"type": "text", "text": json.dumps(row)}]
        message = {"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
        anthropic.append({"custom_id": f"r-{number}", "result": {"type": "succeeded", "message": message}})
        candidate = {"content": {"parts": [{"text": json.dumps(row)}], "role": "model"}, "finishReason": "STOP"}
        gemini.append({"key": f"r-{number}", "response": {"candidates": [candidate]}})
    for name, written in (("anthropic_batch", anthropic), ("gemini_batch", gemini)):
        assert figures("r.jsonl", lines(Path("p.jsonl"), written)) == expected
        assert f"read {len(PLAIN)} predictions as {name}" in notes("r.jsonl", "p.jsonl")[0]


def test_json_text_is_read_as_ever(references: str) -> None:
    """Without a source, and without a line about it."""
    lines(Path("p.jsonl"), [json.dumps(row) for row in PLAIN])
    assert notes(references, "p.jsonl") == []
    assert docie.read("p.jsonl", side="prediction") == PLAIN


def test_texts_are_documents_of_metrics_that_read_texts() -> None:
    lines(Path("r.jsonl"), [{"reference": "12.00"}, {"reference": '{"a": "1"}'}])
    lines(Path("p.jsonl"), [{"prediction": "12"}, {"prediction": 'it is {"a": "1"}'}])
    asked = ["r.jsonl", "p.jsonl", "--metric", "anls_star"]
    assert (
        figures(*asked)
        == figures(*asked, *configured("parse=no"))
        != figures(*asked, "--config", "predictions.parse=llm")
    )
    written("p", ["a", 'b {"c": "1"}'])
    lines(Path("r.jsonl"), [{"id": f"a-{number}", "reference": text} for number, text in enumerate("ab")])
    assert figures("r.jsonl", "p", "--metric", "anls_star")["anls_star"] == 0.5  # texts in files, too
    assert docie.read("p.jsonl") == ["12", 'it is {"a": "1"}']
    assert docie.read("p.jsonl", side="prediction", config={"predictions": {"parse": "no"}}) == [
        "12",
        'it is {"a": "1"}',
    ]


def test_texts_for_lists_of_pairs_stay_invalid() -> None:
    rows = [[["date", "1649"]], [["name", "x"]]]
    lines(Path("r.jsonl"), rows)
    lines(Path("p.jsonl"), [rows[0], FENCED.format(json.dumps(rows[1]))])
    found = figures("r.jsonl", "p.jsonl", "--metric", "oi_entities")
    assert found["invalid_predictions"] == 1
    plain = figures("r.jsonl", "p.jsonl", "--metric", "oi_entities", *configured("parse=no"))
    assert {**found, "signature": ""} == {**plain, "signature": ""}


def test_a_folder_of_texts(references: str) -> None:
    lines(Path("r.jsonl"), [{"id": f"a-{number}", **row} for number, row in enumerate(REFERENCES)])
    folder = written("p", TEXTS)
    documents = [{"id": f"a-{number}", "prediction": row} for number, row in enumerate([*PLAIN[:3], None])]
    assert figures("r.jsonl", folder) == figures("r.jsonl", lines(Path("d.jsonl"), documents))
    (Path(folder) / "a-0.txt").write_text("")
    assert figures("r.jsonl", folder)["invalid_predictions"] == 2


def written(folder: str, texts: Iterable[str], ending: str = ".txt") -> str:
    Path(folder).mkdir(exist_ok=True)
    for number, text in enumerate(texts):
        (Path(folder) / f"a-{number}{ending}").write_text(text)
    return folder


def test_one_text_is_one_answer() -> None:
    lines(Path("r.jsonl"), PLAIN[:1])
    for text in (FENCED.format(json.dumps(PLAIN[0], indent=1)), json.dumps(PLAIN[0], indent=1)[:-1]):
        Path("p.txt").write_text(text)
        assert figures("r.jsonl", "p.txt")["entity_f1"] == 1.0
    Path("p.txt").write_text("".join(json.dumps(row) + "\n" for row in PLAIN))
    lines(Path("r.jsonl"), PLAIN)
    assert figures("r.jsonl", "p.txt")["documents"] == 4  # JSON Lines by another name
    Path("p.jsonl").write_text(text)
    assert run("r.jsonl", "p.jsonl").exit_code == 2  # no JSON


WORDS = ["Kedai B-shop\nKopi I-shop\n", "12.00 B-total\n"]


def test_a_folder_of_tagged_words_stays_one() -> None:
    assert figures(written("r", WORDS), written("p", WORDS))["f1"] == 1.0
    assert [row["id"] for row in docie.read("p", side="prediction")] == ["a-0", "a-1"]
    assert docie.read("p", side="prediction")[1]["document"] == {"words": ["12.00"], "tags": ["B-total"]}


@pytest.mark.parametrize(
    ("texts", "problem"),
    [
        ([WORDS[0], TEXTS[1]], "a-1.txt:1: 'you are:' is no tag"),
        ([TEXTS[1], WORDS[0]], "a-1.txt: tagged words, where an answer was expected"),
    ],
)
def test_a_folder_that_could_be_both_is_refused(texts: list[str], problem: str) -> None:
    folder = written("p", texts)
    lines(Path("r.jsonl"), [{"id": f"a-{number}", **PLAIN[1]} for number in range(2)])
    result = run("r.jsonl", folder)
    assert result.exit_code == 2
    assert problem.partition(" ")[0] in result.stderr
    assert result.stderr.endswith("say --config predictions.parse=llm\n")
    assert figures("r.jsonl", folder, "--config", "predictions.parse=llm")["invalid_predictions"] == 1


def test_texts_among_json_files_are_not_read() -> None:
    written("p", map(json.dumps, PLAIN[:1]), ".json")
    written("p", ["", TEXTS[1]])
    lines(Path("r.jsonl"), [{"id": "a-0", **PLAIN[0]}])
    assert notes("r.jsonl", "p") == ["p: not read: a-0.txt, a-1.txt"]
    (Path("p") / "a-2.conll").write_text(WORDS[0])
    assert run("r.jsonl", "p").stderr == "p: holds both documents (a-0.json) and tagged words (a-2.conll)\n"


def test_sequences_of_donut(references: str) -> None:
    item = "<s_name>Bagel</s_name><s_amount>{0}.50</s_amount>"
    sequence = f"<s_vendor>ACME</s_vendor><s_total>{{0}}.00</s_total><s_items>{item}<sep/>{item}</s_items></s>"
    texts = [sequence.format(number) for number in range(4)]
    found = figures(references, lines(Path("p.jsonl"), texts))
    assert found == figures(references, lines(Path("d.jsonl"), PLAIN))
    assert notes(references, "p.jsonl")[0] == "p.jsonl: read 4 predictions as donut"
    assert figures(references, "p.jsonl", "--config", "predictions.parse=llm")["invalid_predictions"] == 4


def task(number: int, **sides: str) -> dict[str, Any]:
    """A task of Label Studio; each side has a total."""
    box = {"x": 50, "y": 90, "width": 25, "height": 5}

    def results(text: str) -> list[Any]:
        return [
            {"id": "r1", "type": "rectanglelabels", "value": {**box, "rectanglelabels": ["total"]}},
            {"id": "r1", "type": "textarea", "value": {**box, "text": [text]}},
        ]

    found = {side: [{"result": results(text)}] for side, text in sides.items()}
    return {"id": number, "data": {"image": f"{number}.png"}, "annotations": [], "predictions": [], **found}


def test_one_export_is_both_sides() -> None:
    tasks = [task(1, annotations="7.50", predictions="7.50"), task(2, annotations="9.00", predictions="9.50")]
    for name, content in (("e.json", json.dumps(tasks, indent=1)), ("e.jsonl", "\n".join(map(json.dumps, tasks)))):
        Path(name).write_text(content)
        assert figures(name, name)["entity_f1"] == 0.5
        assert notes(name, name)[:2] == [
            f"{name}: read 2 {side}s as label_studio" for side in ("reference", "prediction")
        ]
    rows = docie.read("e.json", side="reference")
    assert [row["id"] for row in rows] == ["1", "2"]
    source = {"file": "e.json", "service": "label_studio"}
    assert rows[0]["meta"] == {"image": "1.png", "annotators": 1, "source": source}


def test_a_source_that_the_user_wrote_stays() -> None:
    annotated = task(1, annotations="7.50")
    annotated["data"]["source"] = "scanner 2"
    wrapped = {"id": 1, "prediction": 'Sure: {"total": "7.50"}', "meta": {"source": "run 3"}}
    Path("e.json").write_text(json.dumps([annotated]))
    Path("p.jsonl").write_text(json.dumps(wrapped))
    assert docie.read("e.json", side="reference")[0]["meta"] == {
        "source": "scanner 2",
        "image": "1.png",
        "annotators": 1,
    }
    assert docie.read("p.jsonl", side="prediction")[0]["meta"] == {"source": "run 3"}
    assert figures("e.json", "p.jsonl", "--group-by", "source")["by_source"].keys() == {"scanner 2"}


def test_tasks_without_a_side_are_left_out_and_never_scored_against_themselves() -> None:
    tasks = [task(1, annotations="7.50"), task(2, annotations="9.00", predictions="9.50"), task(3, predictions="1")]
    Path("e.json").write_text(json.dumps(tasks))
    result = run("e.json", "e.json")
    assert result.stderr.startswith("id '1' is in the references but not in the predictions, and id '3' is in the")
    assert (
        figures("e.json", "e.json", "--config", "join.missing=empty", "--config", "join.extra=drop")["documents"] == 2
    )
    assert notes("e.json", "e.json", "--config", "join.missing=empty", "--config", "join.extra=drop")[0] == (
        "e.json: read 2 references as label_studio; left out 1 task without a reference"
    )
    Path("a.json").write_text(json.dumps(tasks[:1]))
    assert run("a.json", "a.json").stderr == "a.json: no task has a prediction\n"


def test_lines_of_doccano_and_records_of_argilla() -> None:
    line = {"id": 1, "text": "Bagel 3.00", "label": [[0, 5, "name"], [6, 10, "amount"]], "Comments": []}
    lines(Path("d.jsonl"), [line, {"id": 2, "text": "", "label": [], "Comments": []}])
    spans = [{"start": 0, "end": 5, "label": "name"}, {"start": 6, "end": 10, "label": "amount"}]
    record = {"id": "1", "fields": {"text": "Bagel 3.00"}, "metadata": {}, "suggestions": {"spans": {"value": spans, "score": None}}, "responses": {}}  # fmt: skip
    lines(Path("a.jsonl"), [record, {**record, "id": "2", "suggestions": {}}])
    assert figures("d.jsonl", "d.jsonl")["entity_f1"] == 1.0
    assert figures("d.jsonl", "a.jsonl", "--config", "join.missing=empty")["true_positives"] == 2
    lines(Path("broken.jsonl"), [{**line, "label": [[0, 50, "name"]]}])
    assert run("broken.jsonl", "a.jsonl").stderr == (
        "broken.jsonl:1: doccano record 1: a span must lie in the text of 10 characters, got 0 to 50\n"
    )


@pytest.mark.parametrize(
    "document",
    [
        {"data": {"total": "1"}, "annotations": "none"},
        {"id": 1, "text": "x", "label": []},
        {"text": "x", "label": "food"},
        {"text": "x", "labels": [["a", "b", "c"]]},
        {"fields": {"a": "1"}, "responses": {}},
        {"entities": [{"name": "x"}]},
        {"result": "1", "output": {"value": "1"}},
        {"document": "INV-7", "model": "x"},
        {"custom_id": "7", "total": "1"},
    ],
)
def test_documents_with_keys_of_answers_stay_documents(document: dict[str, Any]) -> None:
    assert services.detect(document) is exports.detect(document) is None
    lines(Path("p.jsonl"), [document])
    assert docie.read("p.jsonl") == docie.read("p.jsonl", config={"predictions": {"parse": "no"}})


@given(st.lists(strategies.documents(), min_size=1, max_size=4), st.booleans())
@examples(30)
def test_plain_documents_are_read_as_without_looking_for_answers(rows: list[Any], is_wrapped: bool) -> None:
    content = "".join(json.dumps({"reference": row} if is_wrapped else row) + "\n" for row in rows).encode()

    def read(side: str, how: Side) -> list[Any]:
        return [
            row.document for row in OpenedRows(open_source("rows", side, how, content=content), side, how, ids=True)
        ]

    for side in ("reference", "prediction"):
        assert read(side, Side()) == read(side, Side(parse="no"))


def test_a_reference_that_cannot_be_read_is_an_error() -> None:
    lines(Path("p.jsonl"), PLAIN[:1])
    lines(Path("r.jsonl"), [{"status": "failed", "analyzeResult": {"modelId": "m"}}])
    assert run("r.jsonl", "p.jsonl").stderr == (
        "r.jsonl:1: the reference cannot be read as azure_document_intelligence (expected a list of more than 0 "
        "documents at 'analyzeResult.documents', got nothing (status 'failed')); "
        "--config references.parse=no takes rows as they stand\n"
    )
    lines(Path("r.jsonl"), ["no JSON"])
    assert "(no JSON object)" in run("r.jsonl", "p.jsonl", "--config", "references.parse=llm").stderr
    lines(Path("r.jsonl"), [FENCED.format(json.dumps(PLAIN[0]))])
    assert figures("r.jsonl", "p.jsonl", *configured("parse=llm"))["entity_f1"] == 1.0
    assert run("r.jsonl", "p.jsonl").exit_code == 2


def test_an_answer_without_a_document_is_an_invalid_prediction(references: str) -> None:
    failed = {"status": "failed", "analyzeResult": {"modelId": "m"}}
    lines(Path("p.jsonl"), [*AZURE[:3], failed])
    assert figures(references, "p.jsonl")["invalid_predictions"] == 1
    why = "expected a list of more than 0 documents at 'analyzeResult.documents', got nothing (status 'failed') (1)"
    assert f"; found no document in 1: {why}" in notes(references, "p.jsonl")[0]


def test_an_unknown_way_is_refused(references: str) -> None:
    for side in ("references", "predictions"):
        entry = f"{side}.parse=textract_expence"
        assert run(references, references, "--config", entry).stderr == (
            f"{entry}: [{side}] parse: expected auto, no, llm, donut, or a service or an annotation tool, "
            "got 'textract_expence' (close: 'textract_expense', 'textract_lending', 'textract_id')\n"
        )
    with pytest.raises(InputError, match="got 'x'"):
        docie.read(references, config={"predictions": {"parse": "x"}})


def issues(*arguments: str) -> list[tuple[Any, ...]] | None:
    """What JSON says of the issues of answers; None if it says nothing."""
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout).get("issues")
    return found and [tuple(issue.values()) for issue in found]


AROUND = "dropped the text around the JSON object"


@pytest.fixture
def answered() -> list[tuple[Any, ...]]:
    """Files of twelve references and predictions, also in partitions, and the issues of the predictions."""
    count = 12
    references = [{"id": f"r-{number}", "reference": plain(number)} for number in range(count)]
    documents = [{**plain(number), "total": {"value": f"{number}.00", "confidence": 0.9}} for number in range(count)]
    texts = [(FENCED if number % 2 else "{}").format(json.dumps(row)) for number, row in enumerate(documents)]
    predictions = [{"id": f"r-{number}", "prediction": text} for number, text in enumerate(texts)]
    predictions[4]["prediction"] = "Sorry."
    for folder in ("r", "p"):
        Path(folder).mkdir()
    for name, rows in (("r", references), ("p", predictions)):
        lines(Path(f"{name}.jsonl"), rows)
        for part in range(3):
            lines(Path(name) / f"part-{part}.jsonl", rows[4 * part : 4 * part + 4])
    found = [("predictions", f"p.jsonl:{number + 1}", f"r-{number}", AROUND) for number in range(1, count, 2)]
    return [*found[:2], ("predictions", "p.jsonl:5", "r-4", "no JSON object"), *found[2:]]


@pytest.mark.parametrize("more", [[], ["--workers", "2"], ["--metric", "all"]], ids=" ".join)
def test_json_has_the_issues_of_answers(more: list[str], answered: list[tuple[Any, ...]]) -> None:
    assert issues("r.jsonl", "p.jsonl", *more) == answered
    assert issues("r.jsonl", "r.jsonl", *more) is None


def test_python_keeps_issues_if_it_is_asked_to(answered: list[tuple[Any, ...]]) -> None:
    result = docie.score(references="r.jsonl", predictions="p.jsonl", issues=True)
    assert [tuple(issue) for issue in result.issues] == answered
    docie.write(result, "scores.json")
    assert Path("scores.json").read_text() == run("r.jsonl", "p.jsonl", "--format", "json").stdout
    assert [*docie.score(references="r.jsonl", predictions="p.jsonl").to_dict()] == ["kieval"]


@pytest.mark.parametrize("more", [[], ["--workers", "2"]], ids=" ".join)
def test_issues_of_partitions(more: list[str], answered: list[tuple[Any, ...]]) -> None:
    expected = [
        (side, f"p/part-{number // 4}.jsonl:{number % 4 + 1}", identity, issue)
        for side, place, identity, issue in answered
        for number in [int(place.rpartition(":")[2]) - 1]
    ]
    assert figures("r", "p", *more) == figures("r.jsonl", "p.jsonl")
    assert issues("r", "p", *more) == expected
    line = "p/part-1.jsonl: read 3 predictions as llm; found no document in 1; repaired or lost parts of 2: "
    assert any(note.startswith(line) for note in notes("r", "p", *more))


def test_scores_by_who_answered(references: str) -> None:
    lines(Path("p.jsonl"), [*AZURE[:2], *(WRITERS["reducto"](invoice(number)) for number in (2, 3))])
    for column, names in (
        ("service", {"azure_document_intelligence": 2, "reducto": 2}),
        ("model", {"prebuilt-invoice": 2, "(none)": 2}),
        ("file", {"p.jsonl": 4}),
    ):
        found = figures(references, "p.jsonl", "--group-by", f"source.{column}")[f"by_source.{column}"]
        assert {name: each["documents"] for name, each in found.items()} == names
    close = run(references, "p.jsonl", "--group-by", "source.servic").stderr
    assert "'source.servic'" in close


def test_predictions_say_who_answered_before_references() -> None:
    Path("r.json").write_text(json.dumps([task(7, annotations="7.50")]))
    lines(Path("p.jsonl"), [{**AZURE[0], "id": 7}])
    assert [*figures("r.json", "p.jsonl", "--group-by", "source.service")["by_source.service"]] == [
        "azure_document_intelligence"
    ]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_rows_of_errors_name_the_source(form: str, references: str) -> None:
    lines(Path("p.jsonl"), [*AZURE[:1], *(WRITERS["reducto"](invoice(number)) for number in (1, 2, 3))])

    def rows(path: str) -> list[dict[str, Any]]:
        text = run_command("errors", references, path, "--format", form).stdout.splitlines()
        return [*csv.DictReader(text)] if form == "csv" else [*map(json.loads, text)]

    named = {str(row["document"]): row["source"] for row in rows("p.jsonl")}
    assert named == {"0": "azure_document_intelligence prebuilt-invoice", "2": "reducto"}
    assert rows(lines(Path("d.jsonl"), PLAIN)) == [
        {key: row[key] for key in row if key not in ("source", "confidence", "box", "page")}
        | {key: row[key] for key in ("confidence", "box", "page")}
        for row in rows("d.jsonl")
    ]
    assert all("source" not in row for row in rows("d.jsonl"))


@pytest.mark.parametrize("write", [json.dumps, lambda answer: answer], ids=["text", "object"])
def test_check_proposes_the_column_of_an_answer(write: Callable[[Any], Any], references: str) -> None:
    lines(Path("p.jsonl"), [{"ms": 7, "output": write(answer)} for answer in AZURE])
    assert proposed(references, "p.jsonl") == ["--config", "predictions.unwrap=output"]


def test_check_proposes_the_column_of_a_text(references: str) -> None:
    lines(Path("p.jsonl"), [{"ms": 7, "output": FENCED.format(json.dumps(row))} for row in PLAIN])
    assert proposed(references, "p.jsonl") == ["--config", "predictions.unwrap=output"]
    assert proposed(references, "p.jsonl", *configured("parse=no")) == []


def test_check_reads_answers_as_a_score_does(references: str) -> None:
    lines(Path("p.jsonl"), [WRITERS["textract_expense"](invoice(number)) for number in range(4)])
    assert proposed(references, "p.jsonl") == ["--config", "predictions.rename.LineItems=items"]
    report = {"status": "failed", "message": "no text"}
    lines(Path("p.jsonl"), [*PLAIN[:2], report, report])
    assert proposed(references, "p.jsonl") == ["--config", "predictions.failures=message"]


def proposed(*arguments: str) -> list[str]:
    result = run_command("check", *arguments, "--format", "json")
    return [option for finding in json.loads(result.stdout)["findings"] for option in finding["options"]]


def test_python_warns_of_what_was_read(references: str) -> None:
    lines(Path("p.jsonl"), TEXTS)
    with pytest.warns(UserWarning, match=r"p\.jsonl: read 3 predictions as llm; found no document in 1; repaired or"):
        assert [row["document"] for row in docie.read("p.jsonl", side="prediction")] == [*PLAIN[:3], TEXTS[3]]
