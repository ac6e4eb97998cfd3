"""Mapping files: read by `--rename FILE`, written by `docie check --mapping FILE`; the ready names of services."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

import docie
from docie import Reading, corpus, kieval
from docie.adapters import services

from cli_runs import lines, run, run_command, scored

REFERENCES: list[Any] = [
    {"id": str(number), "vendor_name": f"V{number}", "invoice_date": f"2024-01-0{number}", "due_date": f"2024-02-0{number}",
     "total": f"{number}.50", "tax": f"0.{number}1", "subtotal": f"{number}.25", "customer_name": f"C{number}",
     "items": [{"description": f"n{number}{row}", "amount": f"{number}{row}.75", "product_code": f"p{row}"} for row in (1, 2)]}
    for number in range(1, 5)
]  # fmt: skip
AZURE = services.names("invoices", "azure_document_intelligence")
OLD = {new: old for old, new in AZURE.items()}


def as_azure(row: Any) -> Any:
    items = [{OLD[f"items.{key}"].removeprefix("Items."): text for key, text in item.items()} for item in row["items"]]
    return {**{OLD.get(key, key): text for key, text in row.items() if key != "items"}, "Items": items}


PREDICTIONS = [as_azure(row) for row in REFERENCES]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(Path("r.jsonl"), REFERENCES)
    lines(Path("p.jsonl"), PREDICTIONS)


@pytest.mark.parametrize("name", ["names.json", "names.yaml", "NAMES.YML"])
def test_check_writes_what_rename_reads(name: str) -> None:
    found = run_command("check", "r.jsonl", "p.jsonl", "--mapping", name)
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout.splitlines()[-2:] == [
        f"   --rename {name}",
        f"All of it: docie score r.jsonl p.jsonl --rename {name}",
    ]
    by_hand = scored("r.jsonl", "p.jsonl", "--rename", "azure_document_intelligence:invoices")
    by_file = scored("r.jsonl", "p.jsonl", "--rename", name)
    assert by_file["entity_f1"] == by_hand["entity_f1"] == by_hand["group_f1"] == 1
    assert {**by_file, "signature": ""} == {**by_hand, "signature": ""}
    results = corpus.evaluate(
        kieval, PREDICTIONS, REFERENCES, kieval.Settings(reading=Reading(rename=name, id_key="id"))
    )
    assert results["entity_f1"] == 1
    assert docie.read("p.jsonl", side="prediction", reading={"rename": name})[0]["document"] == {
        key: value for key, value in REFERENCES[0].items() if key != "id"
    }


def test_no_file_is_named_that_does_not_exist() -> None:
    printed = run_command("check", "r.jsonl", "p.jsonl").stdout.splitlines()
    assert printed[-2] == "--mapping FILE writes the names to a file, which --rename reads."
    assert "names.json" not in "".join(printed)
    command = shlex.split(printed[-1].removeprefix("All of it: docie score "))
    assert command.count("--rename") == len({*command} - {"r.jsonl", "p.jsonl", "--rename"}) == 10
    assert run(*command, "--score-only", "entity_f1").stdout == "1.0\n"


def test_names_that_were_given_are_written_too() -> None:
    given = [f"{old}={new}" for old, new in [*AZURE.items()][:3]]
    arguments = [part for text in given for part in ("--rename", text)]
    found = run_command("check", "r.jsonl", "p.jsonl", *arguments, "--missing", "empty", "--mapping", "n.json")
    assert found.stdout.splitlines()[-1] == "All of it: docie score r.jsonl p.jsonl --missing empty --rename n.json"
    written = json.loads(Path("n.json").read_text())
    assert [f"{old}={new}" for old, new in written.items()][:3] == given
    assert (
        run("r.jsonl", "p.jsonl", "--rename", "n.json", "--missing", "empty", "--score-only", "entity_f1").stdout
        == "1.0\n"
    )


def test_nothing_is_written_without_names() -> None:
    lines(Path("same.jsonl"), REFERENCES)
    found = run_command("check", "r.jsonl", "same.jsonl", "--mapping", "n.json")
    assert found.stderr == "n.json: not written, as no other names were found\n"
    assert not Path("n.json").exists()


def test_a_name_that_stands_in_no_document_is_told_of_few_names_only() -> None:
    Path("few.yaml").write_text("Nothing: x\n")
    warned = run("r.jsonl", "p.jsonl", "--rename", "few.yaml").stderr
    assert "no document has 'Nothing'" in warned
    scored("r.jsonl", "p.jsonl", "--rename", "azure_document_intelligence:invoices")  # warns of nothing


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("n.json", "{", "--rename: n.json: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("n.json", "[]", "--rename: n.json: expected a mapping from names to names, got a list"),
        ("n.yaml", "", "--rename: n.yaml: expected a mapping from names to names, got null"),
        ("n.yaml", "Items:\n  Amount: amount\n", "--rename: n.yaml: expected a name for 'Items', got an object; write Items.NAME: NAME"),
        ("n.yaml", "Total: 7\n", "--rename: n.yaml: expected a name for 'Total', got a number"),
        ("n.yaml", "no: total\n", "--rename: n.yaml: expected a text as name, got False; write it in quotes"),
        ("n.yaml", "a: [\n", "--rename: n.yaml: while parsing a flow node expected the node content, but found '<stream end>'"),
        ("n.yaml", "a=b: c\n", "--rename: n.yaml: the name 'a=b' has a '='; rename it in the predictions"),
    ],
)  # fmt: skip
def test_bad_files(name: str, text: str, message: str) -> None:
    Path(name).write_text(text)
    found = run_command("check", "r.jsonl", "p.jsonl", "--rename", name)
    assert (found.exit_code, found.stdout) == (2, "")
    assert message in found.stderr
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rename", "n.json"], "--rename must be PREDICTIONS_NAME=REFERENCES_NAME or a JSON or YAML file, got 'n.json'"),
        (["--rename", "mistral:invoices"], "--rename: expected names for 'invoices' or 'receipts' of a service, got 'invoices', 'mistral'"),
        (["--mapping", "n.txt"], "--mapping n.txt: expected a file that ends in .json, .yaml, .yml"),
        (["--mapping", "none/n.json"], "none/n.json: cannot be written (No such file or directory)"),
        (["--rename", "n.yaml", "--mapping", "n.yaml"], "--mapping n.yaml: this is an input, and would be overwritten"),
        (["--mapping", "r.jsonl"], "--mapping r.jsonl: this is an input, and would be overwritten"),
    ],
)  # fmt: skip
def test_bad_options(arguments: list[str], message: str) -> None:
    found = run_command("check", "r.jsonl", "p.jsonl", *arguments)
    assert (found.exit_code, found.stderr) == (2, f"{message}\n")
