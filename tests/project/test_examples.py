"""The example receipts, the metric card and the JSON Schema."""

from __future__ import annotations

import importlib
import json
import runpy
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import docie
from docie import anls_star, corpus, entity_f1, kieval
from docie.core.errors import DocumentError
from docie.core.family import Family

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
