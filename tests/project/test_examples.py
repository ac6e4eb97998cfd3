"""The examples and their data, the metric card and the JSON Schema."""

from __future__ import annotations

import importlib
import json
import os
import runpy
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

import docie
from docie import anls_star, corpus, entity_f1, kieval
from docie.core.errors import DocumentError
from docie.core.family import Family

from checkout import needs_package
from json_lines import read_lines
from sizes import examples

DOCUMENT_FAMILIES = [  # the others take lists, not what the examples hold
    family for family in docie.families() if "document" in importlib.import_module(f"docie.metrics.{family}").INPUTS
]
SCHEMAS = ["schema.json", "schema-with-rules.json"]
FILES = ["references.jsonl", "predictions-careful.jsonl", "predictions-hasty.jsonl"]
EXPORTED = "predictions-exported.jsonl"


@pytest.fixture(scope="module")
def receipts(root: Path) -> dict[str, list[Any]]:
    return {name: list(read_lines(root / "examples" / "receipts" / name)) for name in FILES}


def test_the_receipts_are_made_by_the_script_beside_them(root: Path, tmp_path: Path) -> None:
    folder = root / "examples" / "receipts"
    subprocess.run([sys.executable, str(folder / "make.py"), str(tmp_path)], check=True)
    for name in (*FILES, EXPORTED):
        assert (tmp_path / name).read_text(encoding="utf-8") == (folder / name).read_text(encoding="utf-8")


def test_the_registers_are_made_by_the_script_beside_them(root: Path, tmp_path: Path) -> None:
    folder = root / "examples" / "registers"
    subprocess.run([sys.executable, str(folder / "make.py"), str(tmp_path)], check=True)
    shipped = sorted(path.relative_to(folder) for path in folder.glob("*/*.bio"))
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.glob("*/*.bio")) == shipped
    assert len(shipped) == 16
    for name in shipped:
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_the_invoices_are_made_by_the_script_beside_them(root: Path, tmp_path: Path) -> None:
    folder = root / "examples" / "invoices"
    subprocess.run([sys.executable, str(folder / "make.py"), str(tmp_path)], check=True)
    for name in ("references.jsonl", "predictions.jsonl"):
        assert (tmp_path / name).read_text(encoding="utf-8") == (folder / name).read_text(encoding="utf-8")


def test_the_answers_of_the_language_model_are_made_by_the_script_beside_them(root: Path, tmp_path: Path) -> None:
    folder = root / "examples" / "llm"
    subprocess.run([sys.executable, str(folder / "make.py"), str(tmp_path)], check=True)
    made, shipped = (
        {path.name: path.read_text(encoding="utf-8") for path in place.iterdir()}
        for place in (tmp_path, folder / "answers")
    )
    assert made == shipped
    assert len(made) == 12
    assert {text[:4] for text in made.values()} == {"```\n", "```j", "Here", '{"me'}  # fences, prose, JSON alone
    assert [name for name, text in made.items() if text.startswith("```") and not text.endswith("```\n")] == [
        "receipt-11.txt"  # cut off
    ]


def example(root: Path, name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What an example prints."""
    return subprocess.run(
        [sys.executable, str(root / "examples" / f"{name}.py"), *arguments],
        capture_output=True, encoding="utf-8", check=False, env={**os.environ, "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


CAREFUL, HASTY = (f"examples/receipts/predictions-{name}.jsonl" for name in ("careful", "hasty"))


@pytest.mark.parametrize(
    ("name", "arguments", "code", "figures"),
    [
        ("first_score", [], 0, ["entity F1 0.966 (0.948 to 0.978) of 24 receipts", "27 errors: 13 value, 9 missing"]),
        ("two_systems", [], 0, ["-0.084 (-0.148 to -0.021), p 0.0003", "3 documents are better, 17 worse"]),
        pytest.param(
            *("llm_against_excel", [], 0),
            ["entity_f1 0.0277 as written, 0.6934 with", "corrections           102  5 to replace and 97 to add"],
            marks=needs_package("openpyxl"),
        ),
        ("gate_in_ci", [HASTY, CAREFUL], 0, ["Gate passed: careful", "is excluded (bound -0.0317)"]),
        ("gate_in_ci", [CAREFUL, HASTY], 1, ["Gate failed: hasty", "worse by 0.0845 (0.8815 against 0.9660)"]),
        (
            "skips_review",
            [],
            0,
            ["threshold 0.895\n  6 of 24", "16.7 % (0.4 to 64.1 %)", "29 documents that skip review"],
        ),
    ],
    ids=["first_score", "two_systems", "llm_against_excel", "gate_passes", "gate_fails", "skips_review"],
)
def test_an_example_answers_its_question(
    name: str, arguments: list[str], code: int, figures: list[str], root: Path
) -> None:
    done = example(root, name, *[str(root / path) for path in arguments])
    assert done.returncode == code, done.stderr
    for figure in figures:
        assert figure in done.stdout


def test_the_first_score_writes_a_report(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("jinja2", reason="a report needs jinja2")
    done = example(root, "first_score", str(tmp_path / "report.html"))
    assert done.returncode == 0, done.stderr
    assert "<title>Receipts of the careful system, " in (tmp_path / "report.html").read_text(encoding="utf-8")


@needs_package("openpyxl")
def test_labels_and_their_configuration_are_kept_in_a_folder(root: Path, tmp_path: Path) -> None:
    """A second run replaces them: it finds the same."""
    runs = [example(root, "llm_against_excel", str(tmp_path / "new")) for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    labels, answers = tmp_path / "new" / "labels.xlsx", root / "examples" / "llm" / "answers"
    with pytest.warns(UserWarning, match="read 9 predictions as llm"):
        result = docie.score(references=labels, predictions=answers, config=tmp_path / "new" / "docie.toml")
    assert f"entity_f1          {result['entity_f1']:.4f}" in runs[0].stdout


def test_the_gate_is_that_of_the_workflow(root: Path) -> None:
    gate = runpy.run_path(str(root / "examples" / "gate_in_ci.py"))
    job = yaml.safe_load((root / "examples" / "github" / "docie.yml").read_text(encoding="utf-8"))["jobs"]["score"]
    [compare] = [step["run"] for step in job["steps"] if step.get("name") == "Compare"]
    words = shlex.split(compare.replace("\\\n", " "))
    values = {"$REFERENCES": gate["REFERENCES"], "$MAX_DROP": job["env"]["MAX_DROP"]}
    assert gate["compare"]("base.jsonl", "new.jsonl", "comment.md") == [values.get(word, word) for word in words]


def test_the_schema_of_the_invoices_leaves_the_real_mistakes(root: Path) -> None:
    folder = root / "examples" / "invoices"
    references, predictions, mistakes = runpy.run_path(str(folder / "make.py"))["rows"]()
    with_schema = [
        Counter(row.entity_type for row in corpus.errors(predictions, references, settings))
        for settings in (kieval.Settings(), *(kieval.Settings(schema=folder / name) for name in SCHEMAS))
    ]
    assert with_schema[-1] == mistakes
    totals = [errors.total() for errors in with_schema]
    assert totals == sorted(totals, reverse=True)
    assert len(references) == 24
    assert mistakes.keys() >= {"net", "total", "due_date", "purchase_order", "invoice_number", "line_items.amount"}


def test_the_receipts_are_varied(receipts: dict[str, list[Any]]) -> None:
    documents = [row["reference"] for row in receipts["references.jsonl"]]
    assert len(documents) >= 20
    assert len({document["currency"] for document in documents}) == 2
    items = [
        document["items"] if isinstance(document["items"], list) else [document["items"]] for document in documents
    ]
    assert max(map(len, items)) == 60
    assert min(map(len, items)) == 1
    assert any("options" in item for group in items for item in group)
    assert any("date" not in document for document in documents)
    assert any("payment" not in document for document in documents)


def test_one_system_is_clearly_better(receipts: dict[str, list[Any]]) -> None:
    references = [row["reference"] for row in receipts["references.jsonl"]]
    predictions = {name: [row["prediction"] for row in receipts[name]] for name in FILES[1:]}
    careful, hasty = (corpus.evaluate(kieval, rows, references) for rows in predictions.values())
    [comparison] = corpus.compare(kieval, predictions, references)["comparisons"]
    assert comparison["significant"]
    assert comparison["difference"] < -0.05
    for kind in ("substitutions", "additions", "deletions"):
        assert careful[kind] > 0
        assert hasty[kind] > 0
    assert hasty["invalid_predictions"] == 1


@pytest.mark.parametrize("family", DOCUMENT_FAMILIES)
def test_the_schema(family: str, receipts: dict[str, list[Any]]) -> None:
    schema = json.loads(Path(docie.path(family), "schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    any_value = family == "anls_star"
    documents = [row.get("reference", row.get("prediction")) for rows in receipts.values() for row in rows]
    for document in documents:
        assert validator.is_valid(document) == (any_value or isinstance(document, dict))
    for good in ({}, {"a": None}, {"a": [["1"], {"b": {"c": 2}}]}, {"a": {"$any_of": ["1", 2]}}):
        validator.validate(good)
    for value in (None, "text", ["a"], [{"a": "1"}], {"a": {"$any_of": ["1", {"b": ["2"]}]}}):
        assert validator.is_valid(value) == any_value
    for tags in ([], ["B-a", "I-a", "O"]):
        assert validator.is_valid(tags) == (any_value or family == "entity_f1")
    for bad in ({"a": {"value": "1", "confidence": 1.7}}, {"a": {"$any_of": "1"}}):
        assert not validator.is_valid(bad)


SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "x", 0.5, 1.7])
KEYS = st.sampled_from(["value", "confidence", "box", "$any_of", "a", "b"])
TAGS = st.lists(st.sampled_from(["O", "B-a", "I", "S-", "E-b-c", "PER", "o", "", "Ba", 1, None]), max_size=3)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(KEYS, inner, max_size=3)
        | st.fixed_dictionaries({"value": SCALARS, "confidence": SCALARS}, optional={"box": SCALARS})
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("family", [kieval, anls_star, entity_f1], ids=lambda family: str(family.NAME))
@given(
    reference=SCALARS
    | st.dictionaries(KEYS, VALUES, max_size=2)
    | TAGS
    | st.fixed_dictionaries({"words": VALUES, "tags": TAGS}, optional={"a": VALUES})
)
@examples(1500)
def test_the_schema_and_the_package_agree_on_what_can_be_scored(family: Family, reference: Any) -> None:
    schema = json.loads(Path(docie.path(family.NAME), "schema.json").read_text())
    try:
        family.count({}, reference, family.Settings())
        scored = True
    except DocumentError as error:
        assume("expected one for each of" not in str(error))  # no schema can say so
        scored = False
    assert jsonschema.Draft202012Validator(schema).is_valid(reference) == scored


def test_the_table_of_faults_is_what_the_example_prints(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(root / "examples" / "faults.py")], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout in (root / "docs" / "choosing.md").read_text(encoding="utf-8")
    for family in DOCUMENT_FAMILIES:
        assert "../../docs/choosing.md" in Path(docie.path(family), "README.md").read_text(encoding="utf-8"), family


@pytest.mark.parametrize("family", docie.families())
def test_the_card_has_its_sections(family: str) -> None:
    folder = Path(docie.path(family))
    card = (folder / "README.md").read_text(encoding="utf-8")
    _, front, body = card.split("---\n", 2)
    fields = dict(line.split(": ", 1) for line in front.splitlines() if ": " in line)
    assert fields["sdk"] == "gradio"
    assert {"title", "emoji", "colorFrom", "colorTo", "sdk_version", "app_file", "pinned"} <= fields.keys()
    headings = Counter(line for line in body.splitlines() if line.startswith("## "))
    for section in (
        "Metric description", "How to use", "Inputs", "Output values", "How it is computed", "Limitations and bias", "Citation", "Further references",
    ):  # fmt: skip
        assert headings[f"## {section}"] == 1, section
    assert "[`schema.json`](./schema.json)" in card
    lines = card.splitlines()
    assert len(lines) <= 180
    assert max(len(line) for line in lines if not line.startswith("|")) <= 160
    assert (folder / "requirements.txt").read_text(encoding="utf-8").split()
