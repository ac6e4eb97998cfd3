"""Answers whose keys a schema names, models of pydantic's, and the prompts that ask for answers."""

from __future__ import annotations

import datetime
import decimal
import enum
import json
import pathlib
import uuid
from typing import Any

import pytest

from docie import kieval
from docie.adapters import llm

ITEM = {
    "type": "object",
    "properties": {"unit_price": {"type": "string"}, "sub": {"$ref": "#/$defs/Item"}, "tags": {"type": "array"}},
}
SCHEMA = {
    "$defs": {"Item": ITEM, "Loop": {"$ref": "#/$defs/Loop"}, "A/B": {"properties": {"c": {}}}},
    "properties": {
        "Vendor": {"type": "string"},
        "items": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Item"}}, {"type": "null"}]},
        "notes": {"additionalProperties": {"$ref": "#/$defs/Item"}},
        "free": {"type": "object"},
        "loop": {"$ref": "#/$defs/Loop"},
        "odd": {"$ref": "#/$defs/A~1B"},
        "gone": {"$ref": "#/$defs/None"},
    },
}


@pytest.mark.parametrize(
    ("document", "renamed", "dropped"),
    [
        ({"Vendor": "x", "items": [{"unit_price": 1}]}, {"Vendor": "x", "items": [{"unit_price": 1}]}, []),
        ({"VENDOR": "x", "Items": {"Unit Price": "1"}}, {"Vendor": "x", "items": {"unit_price": "1"}}, []),
        ({"items": [{"items.unit-price": 1, "sub": {"UnitPrice": 2, "sub": {"x": 3}}}]}, {"items": [{"unit_price": 1, "sub": {"unit_price": 2, "sub": {}}}]}, ["items.sub.sub.x"]),
        ({"vendor": "x", "Vendor": "y", "mood": "fine"}, {"Vendor": ["x", "y"]}, ["mood"]),
        ({"items": None, "notes": {"Any": {"unitPrice": 1, "z": 2}}}, {"items": None, "notes": {"Any": {"unit_price": 1}}}, ["notes.Any.z"]),
        ({"free": {"Any": {"x": 1}}, "loop": {"y": 1}, "gone": {"z": 1}}, {"free": {"Any": {"x": 1}}, "loop": {"y": 1}, "gone": {"z": 1}}, []),
        ({"odd": [[{"C": 1, "d": 2}]]}, {"odd": [[{"c": 1}]]}, ["odd.d"]),
        ({"vendor": {"value": "x", "confidence": 0.5}}, {"Vendor": {"value": "x", "confidence": 0.5}}, []),
        ({"loops": 1, "items.unit_price": "1", "Items.sub.unit_price": 2}, {"items": {"unit_price": "1", "sub": {"unit_price": 2}}}, ["loops"]),
        ({"items": {"tags": [{"x": 1}]}}, {"items": {"tags": [{"x": 1}]}}, []),
    ],
)  # fmt: skip
def test_schemas(document: Any, renamed: Any, dropped: list[str]) -> None:
    parsed = llm.to_document(document, schema=SCHEMA)
    assert parsed.document == renamed
    assert [issue for issue in parsed.issues if issue.startswith("dropped")] == [
        f"dropped {path!r}, which the schema does not have" for path in dropped
    ]


def test_keys_of_signs_alone_are_not_alike() -> None:
    parsed = llm.to_document({"%": 1, "№": 2, "#": 3}, schema={"properties": {"#": {}}})
    assert parsed.document == {"#": 3}
    parsed = llm.to_document({"%": 1, "№": 2}, schema={"properties": {"%": {}, "№": {}}})
    assert parsed == ({"%": 1, "№": 2}, [])


def test_pattern_properties_are_other_keys() -> None:
    schema: Any = {"patternProperties": {"^x": {"properties": {"unit_price": {}}}}}
    assert llm.to_document({"x1": {"Unit Price": 1}}, schema=schema) == ({"x1": {"unit_price": 1}}, [])


@pytest.mark.parametrize(
    ("document", "inner", "issues"),
    [
        ({"receipt": {"vendor": "x"}}, {"Vendor": "x"}, ["used only the value of 'receipt'"]),
        ({"type": "object", "properties": {"vendor": "x"}}, {"Vendor": "x"}, ["used only the value of 'properties'"]),
        ({"receipt": {"mood": "x"}}, {}, ["dropped 'receipt', which the schema does not have"]),
        ({"a": {"vendor": "x"}, "b": {"vendor": "y"}}, {}, 2),
        ({"vendor": "x", "b": {"vendor": "y"}}, {"Vendor": "x"}, 1),
    ],
)
def test_an_object_around_the_document(document: Any, inner: Any, issues: Any) -> None:
    parsed = llm.to_document(document, schema=SCHEMA)
    assert parsed.document == inner
    assert issues in (parsed.issues, len(parsed.issues))


def test_a_document_with_a_value_and_a_confidence_has_keys_as_others() -> None:
    parsed = llm.to_document({"Value": 1, "confidence": 0.5}, schema={"properties": {"value": {}}})
    assert parsed == ({"value": 1}, ["dropped 'confidence', which the schema does not have"])
    parsed = llm.to_document({"value": 1, "confidence": 0.5}, schema={"properties": {"value": {}}})
    assert parsed == ({"value": 1}, ["dropped 'confidence', which the schema does not have"])


def test_keys_that_are_paths() -> None:
    properties: Any = {"total": {"properties": {"tax": {}, "sum": {}}}, "a.b": {}, "a": {}}
    parsed = llm.to_document(
        {"Total.Tax": 1, "a.b": 2, "Total.sum": 3, "total.x": 4}, schema={"properties": properties}
    )
    assert parsed.document == {"a.b": 2, "total": {"tax": 1, "sum": 3}}
    assert parsed.issues == ["dropped 'total.x', which the schema does not have"]


def test_a_model_class_is_a_schema() -> None:
    class Receipt:
        @classmethod
        def model_json_schema(cls) -> dict[str, Any]:
            return SCHEMA

    assert llm.to_document('{"VENDOR": 1}', schema=Receipt).document == {"Vendor": 1}


def test_a_document_as_deep_as_its_schema_refers_to_itself() -> None:
    schema = {"$defs": {"A": {"properties": {"a": {"$ref": "#/$defs/A"}}}}, "$ref": "#/$defs/A"}
    document = json.loads('{"A": ' * 100 + "1" + "}" * 100)
    assert json.dumps(llm.to_document(document, schema=schema).document) == '{"a": ' * 100 + "1" + "}" * 100


@pytest.mark.parametrize("schema", ["Receipt", 1, [], {"a"}])
def test_what_is_no_schema(schema: Any) -> None:
    with pytest.raises(ValueError, match="^schema must be a JSON Schema or a pydantic model class, got "):
        llm.to_document("{}", schema=schema)


# --- models of pydantic's ---


def test_models_are_documents_with_the_keys_of_their_schema() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Method(enum.Enum):
        CASH = "cash"

    class Item(pydantic.BaseModel):  # type: ignore[misc, name-defined]
        nm: str

    class Receipt(pydantic.BaseModel):  # type: ignore[misc, name-defined]
        total: decimal.Decimal = pydantic.Field(alias="Total Price")
        method: Method = Method.CASH
        number: uuid.UUID = uuid.UUID(int=1)
        file: pathlib.Path = pathlib.Path("a")
        took: datetime.timedelta = datetime.timedelta(seconds=1)
        tags: set[str]
        items: list[Item]

    receipt = Receipt(**{"Total Price": "1.50"}, tags={"x"}, items=[Item(nm="Latte")])
    document = {"Total Price": 1.5, "method": "cash", "number": str(uuid.UUID(int=1)), "file": "a", "took": "PT1S", "tags": ["x"], "items": [{"nm": "Latte"}]}  # fmt: skip
    assert llm.to_document(receipt) == (document, [])
    assert llm.to_document(receipt, schema=Receipt) == (document, [])
    assert llm.to_document({"a": receipt, "b": [receipt]}) == ({"a": document, "b": [document]}, [])
    assert llm.to_document([Item(nm="x"), Item(nm="y")]).document == {"nm": ["x", "y"]}
    assert llm.to_document([receipt]).document == document


def test_a_model_that_json_does_not_have_keeps_its_other_fields() -> None:
    pydantic = pytest.importorskip("pydantic")

    class Model(pydantic.BaseModel):  # type: ignore[misc, name-defined]
        a: Any
        b: str

    assert llm.to_document(Model(a=object(), b="x")) == ({"b": "x"}, ["dropped 'a', which JSON does not have: object"])
    assert llm.to_document({"model": Model}) == ({}, ["dropped 'model', which JSON does not have: ModelMetaclass"])


# --- prompts ---

ONTOLOGY = {
    "date": "date of the purchase",
    "menu.nm": "name of an item",
    "menu.sub_nm": "name of an option",
    "menu.price": None,
    "total.total_price": "the sum",
}


@pytest.mark.parametrize("confidences", [False, True])
@pytest.mark.parametrize("groups", [[], ["menu"], ["menu", "total"], {"menu": ["menu.nm", "menu.price"]}])
def test_an_obedient_answer_has_the_entity_types_of_the_ontology(groups: Any, confidences: bool) -> None:
    """The form of a prompt, filled in, is a document of just these entity types, in the groups that were asked for."""
    text = llm.prompt(ONTOLOGY, groups=groups, confidences=confidences)
    form = text[text.index("{") : text.rindex("}") + 1]
    answer = "```json\n" + form.replace('"0 to 1"', "0.9") + "\n```"
    document = llm.to_document(answer).document
    assert isinstance(document, dict)
    expected = [group for group in groups if group in document]
    assert [key for key, value in document.items() if isinstance(value, list)] == expected
    settings = kieval.Settings(ontology=list(ONTOLOGY))
    table = kieval.breakdown(kieval.count(document, document, settings))["per_entity"]
    assert set(table) == set(ONTOLOGY)
    assert ("confidence" in text) is confidences


@pytest.mark.parametrize("ontology", [{}, [], ["date"], None, {"date": 1}, {1: "x"}])
def test_what_is_no_ontology(ontology: Any) -> None:
    with pytest.raises(ValueError, match="^ontology must map "):
        llm.prompt(ontology)
